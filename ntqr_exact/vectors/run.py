"""How an implementation in any language does: `run_vectors` asks a program, `judge` reads the lines that it wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import NtqrExactError, shown
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.vectors.compare import Agreement, compare, read_output
from ntqr_exact.vectors.family import Document
from ntqr_exact.vectors.files import Test, all_tests, names_in, read_family
from ntqr_exact.vectors.program import Answers, ask

DEFAULT_LIMIT = 10
"""How many seconds a program may be silent while tests are left."""
_RIGHT = (Agreement.EXACT, Agreement.NOT_CANONICAL, Agreement.INEXACT)


@dataclass(frozen=True, slots=True)
class TestRun:
    """A test and what came of it; `words` say what is wrong."""

    __test__ = False  # not one for pytest

    test: Test
    agreement: Agreement
    words: tuple[str, ...] = ()

    @property
    def is_failed(self) -> bool:
        """Whether it was neither right nor skipped."""
        return self.agreement not in (*_RIGHT, Agreement.SKIPPED)


@dataclass(frozen=True, slots=True)
class Report:
    """How an implementation did: the tests of each family, lines that answer none, and early ends of the program."""

    tolerance: mpq
    families: Mapping[str, tuple[TestRun, ...]]
    strays: tuple[str, ...] = ()
    incidents: tuple[str, ...] = ()
    unreadable: int = 0

    @property
    def tried(self) -> dict[str, tuple[TestRun, ...]]:
        """The families of which not every test was skipped."""
        return {
            name: tests
            for name, tests in self.families.items()
            if any(one.agreement is not Agreement.SKIPPED for one in tests)
        }

    @property
    def failed(self) -> list[TestRun]:
        """The tests that are neither right nor skipped."""
        return [one for tests in self.families.values() for one in tests if one.is_failed]

    @property
    def passes(self) -> bool:
        """Whether all that was tried is right, and nothing else was written."""
        return bool(self.tried) and not (self.failed or self.strays or self.incidents)

    def counts(self, name: str) -> Counter[Agreement]:
        """Return how often each agreement was in a family."""
        return Counter(one.agreement for one in self.families[name])

    def to_document(self) -> Document:
        """Return the report as a JSON document."""
        return {
            "format": "ntqr-exact-vectors-report/2",
            "passes": self.passes,
            "tolerance": self.tolerance,
            "families": {
                name: {"tests": len(tests), **{one.name.lower(): self.counts(name)[one] for one in Agreement}}
                for name, tests in self.families.items()
            },
            "failed": [
                {"id": one.test.id, "outcome": one.agreement.name.lower(), "differences": list(one.words)}
                for one in self.failed
            ],
            "strays": list(self.strays),
            "incidents": list(self.incidents),
        }


def run_vectors(
    command: Sequence[str],
    directory: Traversable,
    *,
    names: Iterable[str] = (),
    limit: int = DEFAULT_LIMIT,
    tolerance: RationalLike = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Return how a program does on the named families of a set, or on all; each family has a program of its own.

    `progress` is given the id of each test that is done. Raises `BadChoice` for a family that the set lacks, and
    `BadDocument` if the program cannot be started.
    """
    within = rational(tolerance)
    tests = {name: list(all_tests(read_family(directory, name))) for name in names or names_in(directory)}
    answers = {name: ask(command, own, limit=limit, progress=progress) for name, own in tests.items()}
    return Report(
        within,
        {
            name: tuple(_outcome(test, given, within) for test in tests[name])
            for name, given in answers.items()
        },
        tuple(f"{name}: {words}" for name, given in answers.items() for words in given.strays),
        tuple(words for given in answers.values() for words in given.incidents),
    )


def judge(
    lines: Iterable[str], directory: Traversable, *, tolerance: RationalLike = 0, names: Iterable[str] = ()
) -> Report:
    """Return the report on lines {"id": …, "output": …}.

    The named families are asked for whole; if none is named, those with at least one line. Of an id that is given
    twice the first output counts, and the second is reported.
    """
    within, given, strays, unreadable = rational(tolerance), Answers(), [], 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            document = read_output(line)
        except NtqrExactError as error:
            document, problem = None, error.rule
        else:
            problem = 'a result is an object with the keys "id", a text, and "output"'
        match document:
            case {"id": str(name), "output": _} if name in given.outputs:
                strays.append(f"line {number}: {name} is given twice")
            case {"id": str(name), "output": output, **rest} if not rest:
                given.outputs[name] = output
            case _:
                strays.append(f"line {number}: {problem}")
                unreadable += 1
    known = names_in(directory)
    wanted = set(names) or {name.partition("/")[0] for name in given.outputs} & {*known}
    tests = {name: list(all_tests(read_family(directory, name))) for name in sorted(wanted)}
    asked = {test.id for some in tests.values() for test in some}
    elsewhere = set(known) - wanted
    unknown = [
        name for name in given.outputs if name not in asked and name.partition("/")[0] not in elsewhere
    ]
    runs = {name: tuple(_outcome(test, given, within) for test in some) for name, some in tests.items()}
    return Report(within, runs, (*strays, *(f"an unknown id: {name}" for name in unknown)), (), unreadable)


def _outcome(test: Test, answers: Answers, tolerance: mpq) -> TestRun:
    if test.id in answers.outputs:
        return TestRun(test, *judge_output(test, answers.outputs[test.id], tolerance))
    return TestRun(test, answers.failures.get(test.id, Agreement.MISSING))


def judge_output(test: Test, output: Any, tolerance: mpq) -> tuple[Agreement, tuple[str, ...]]:
    """Return how an output agrees with a test, and what is wrong with it in words."""
    refused = isinstance(output, dict) and set(output) == {"error"}
    result, expected = test.body["result"], test.body["expected"]
    if refused and result != "valid":
        return Agreement.EXACT, ()
    if result == "invalid":
        return Agreement.WRONG, (f"an output, where the input must be refused: {shown(expected)}",)
    if refused:
        return Agreement.WRONG, (f"refused as {shown(output['error'])}, where there is an answer",)
    findings = list(compare(expected, output, tolerance=tolerance))
    worst = max((finding.agreement for finding in findings), default=Agreement.EXACT)
    return worst, tuple(finding.words for finding in findings if finding.agreement is Agreement.WRONG)
