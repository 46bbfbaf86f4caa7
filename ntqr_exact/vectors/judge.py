"""`judge`: how an implementation in any language did, from the lines {"id": …, "output": …} that it wrote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import NtqrExactError, shown
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.vectors.compare import Agreement, compare, read_output
from ntqr_exact.vectors.document import Test
from ntqr_exact.vectors.files import all_tests, read_entry, read_index
from ntqr_exact.vectors.specification import Document

_RESULT = 'a result is an object with the keys "id", a text, and "output", and no others'


@dataclass(slots=True)
class FamilyTally:
    """How the outputs for one family agreed."""

    tests: int
    counts: dict[Agreement, int] = field(default_factory=lambda: dict.fromkeys(Agreement, 0))
    missing: list[str] = field(default_factory=list)

    @property
    def passes(self) -> bool:
        """Whether every test of the family has a right output."""
        return not self.missing and not self.counts[Agreement.WRONG]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The whole report: a tally for each family that was tried, and everything that is wrong."""

    tolerance: mpq
    families: Mapping[str, FamilyTally]
    not_tried: tuple[str, ...]
    wrong: tuple[tuple[str, tuple[str, ...]], ...]
    broken: tuple[tuple[int, str], ...]
    duplicates: tuple[tuple[int, str], ...]
    unknown: tuple[tuple[int, str], ...]

    @property
    def passes(self) -> bool:
        """Whether all that was tried is right, and the results are whole and readable."""
        return (
            all(tally.passes for tally in self.families.values())
            and bool(self.families)
            and not (self.broken or self.duplicates or self.unknown)
        )

    def to_document(self) -> Document:
        """Return the report as a JSON document."""
        return {
            "passes": self.passes,
            "tolerance": self.tolerance,
            "families": {
                name: {
                    "passes": tally.passes,
                    "tests": tally.tests,
                    **{agreement.name.lower(): count for agreement, count in tally.counts.items()},
                    "missing": tally.missing,
                }
                for name, tally in self.families.items()
            },
            "not_tried": list(self.not_tried),
            "wrong": [{"id": name, "differences": list(words)} for name, words in self.wrong],
            "broken_lines": [{"line": line, "problem": words} for line, words in self.broken],
            "duplicates": [{"line": line, "id": name} for line, name in self.duplicates],
            "unknown": [{"line": line, "id": name} for line, name in self.unknown],
        }


def judge(
    lines: Iterable[str], vectors: Traversable, *, tolerance: RationalLike = 0, names: Iterable[str] = ()
) -> Judgement:
    """Return the report on result lines against a set of vectors.

    The named families are asked for whole; if none is named, those with at least one result. Of an id that is
    given twice the first output counts, and the second is reported.
    """
    within = rational(tolerance)
    outputs, broken, duplicates = _read_lines(lines)
    wanted = set(names) or {name.partition("/")[0] for name in outputs}
    families: dict[str, FamilyTally] = {}
    wrong: list[tuple[str, tuple[str, ...]]] = []
    not_tried = []
    for entry in read_index(vectors):
        if entry["family"] not in wanted:
            not_tried.append(entry["family"])
            continue
        tally = families[entry["family"]] = FamilyTally(entry["tests"])
        for test in all_tests(read_entry(vectors, entry)):
            if test.id not in outputs:
                tally.missing.append(test.id)
                continue
            agreement, words = judge_output(test, outputs.pop(test.id)[1], within)
            tally.counts[agreement] += 1
            if agreement is Agreement.WRONG:
                wrong.append((test.id, words))
    unknown = sorted(
        (line, name) for name, (line, _) in outputs.items() if name.partition("/")[0] not in not_tried
    )
    return Judgement(
        within, families, tuple(not_tried), tuple(wrong), tuple(broken), tuple(duplicates), tuple(unknown)
    )


def judge_output(test: Test, output: Any, tolerance: mpq) -> tuple[Agreement, tuple[str, ...]]:
    """Return how an output agrees with a test, and what is wrong with it in words."""
    refused = isinstance(output, dict) and set(output) == {"error"}
    result = test.body["result"]
    if refused and result != "valid":
        return Agreement.EXACT, ()
    if result == "invalid":
        return Agreement.WRONG, (
            f"an output, where the input must be refused: {test.body['expected']['error']}",
        )
    if refused:
        return Agreement.WRONG, (f"refused as {shown(output['error'])}, where there is an answer",)
    findings = list(compare(test.body["expected"], output, tolerance=tolerance))
    worst = max((finding.agreement for finding in findings), default=Agreement.EXACT)
    return worst, tuple(finding.words for finding in findings if finding.agreement is Agreement.WRONG)


def _read_lines(
    lines: Iterable[str],
) -> tuple[dict[str, tuple[int, Any]], list[tuple[int, str]], list[tuple[int, str]]]:
    outputs: dict[str, tuple[int, Any]] = {}
    broken, duplicates = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            document = read_output(line)
        except NtqrExactError as error:
            broken.append((number, error.rule))
            continue
        match document:
            case {"id": str(name), "output": output, **rest} if not rest:
                if name in outputs:
                    duplicates.append((number, name))
                else:
                    outputs[name] = (number, output)
            case {"id": str(name)}:
                broken.append((number, f"{name}: {_RESULT}"))
            case _:
                broken.append((number, _RESULT))
    return outputs, broken, duplicates
