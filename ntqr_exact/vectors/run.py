"""`run_vectors`: how a program in any language does on a set of vectors, by family and by flag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from importlib.resources.abc import Traversable

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.programs import Programs, threads_for_programs
from ntqr_exact.vectors.compare import Agreement
from ntqr_exact.vectors.diagnosis import Outcome, TestRun, diagnosis, outcome_of
from ntqr_exact.vectors.files import all_tests, read_entry, read_index
from ntqr_exact.vectors.program import PROTOCOL, Failure, Incident, Stray, ask
from ntqr_exact.vectors.specification import Document

_REPORT_FORMAT = "ntqr-exact-vectors-report/1"
DEFAULT_LIMIT = 10
"""How many seconds a program may be silent while tests are left."""


@dataclass(frozen=True, slots=True)
class FamilyRun:
    """All tests of a family, and what else the program did meanwhile."""

    family: str
    tests: tuple[TestRun, ...]
    incidents: tuple[Incident, ...]
    garbage: tuple[str, ...]
    strays: Counter[Stray]
    endings: tuple[str, ...]

    @property
    def garbage_lines(self) -> int:
        """How many lines answer no test."""
        return self.strays.total()

    @property
    def counts(self) -> Counter[Outcome]:
        """How often each outcome was."""
        return Counter(run.outcome for run in self.tests)

    @property
    def passes(self) -> bool:
        """Whether no test failed, and the program did nothing that the protocol forbids; skipping is no failure."""
        return not (any(run.is_failed for run in self.tests) or self.incidents or self.garbage_lines)

    @property
    def is_complete(self) -> bool:
        """Whether it passes and skips nothing."""
        return self.passes and all(run.is_right for run in self.tests)


@dataclass(frozen=True, slots=True)
class RunReport:
    """How a program did."""

    command: tuple[str, ...]
    limit: int
    tolerance: mpq
    families: Mapping[str, FamilyRun]

    @property
    def passes(self) -> bool:
        """Whether every family passes; a family that the program skips whole is not looked at."""
        tried = self.tried
        return bool(tried) and all(run.passes for run in tried)

    @property
    def tried(self) -> list[FamilyRun]:
        """The families of which the program did not skip every test."""
        return [run for run in self.families.values() if set(run.counts) != {Failure.SKIPPED}]

    def by_flag(self) -> dict[str, tuple[int, int]]:
        """Return for each flag how many tests of the families that were tried have it, and how many of them fail."""
        has: Counter[str] = Counter()
        fails: Counter[str] = Counter()
        for run in self.tried:
            for one in run.tests:
                has.update(one.test.body["flags"])
                fails.update(one.test.body["flags"] if one.is_failed else ())
        return {flag: (has[flag], fails[flag]) for flag in sorted(has)}

    def causes(self) -> dict[str, list[str]]:
        """Return for each family that fails what its failed tests have in common, in words."""
        return {
            run.family: diagnosis(run.family, run.tests)
            for run in self.tried
            if any(one.is_failed for one in run.tests)
        }

    def to_document(self) -> Document:
        """Return the report as a JSON document."""
        return {
            "format": _REPORT_FORMAT,
            "protocol": PROTOCOL,
            "command": list(self.command),
            "passes": self.passes,
            "limit_seconds": self.limit,
            "tolerance": self.tolerance,
            "families": {name: _family_document(run) for name, run in self.families.items()},
            "flags": {
                flag: {"tests": has, "failed": failed} for flag, (has, failed) in self.by_flag().items()
            },
            "likely_causes": self.causes(),
        }


def _family_document(run: FamilyRun) -> Document:
    counts = run.counts
    return {
        "passes": run.passes,
        "complete": run.is_complete,
        "tests": len(run.tests),
        **{one.name.lower(): counts[one] for kind in (Agreement, Failure) for one in kind},
        "failed": [
            {
                "id": one.test.id,
                "outcome": one.outcome.name.lower(),
                "comment": one.test.body["comment"],
                "flags": one.test.body["flags"],
                "input": one.test.input,
                "differences": list(one.words),
            }
            for one in run.tests
            if one.is_failed
        ],
        "incidents": [
            {"test": one.test, "kind": one.failure.name.lower(), "words": one.words} for one in run.incidents
        ],
        "garbage_lines": run.garbage_lines,
        "garbage_kinds": {one.name.lower(): run.strays[one] for one in Stray},
        "garbage": list(run.garbage),
        "endings": list(run.endings),
    }


def run_vectors(
    command: Sequence[str],
    vectors: Traversable,
    *,
    names: Iterable[str] = (),
    limit: int = DEFAULT_LIMIT,
    tolerance: RationalLike = 0,
    workers: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> RunReport:
    """Return how a program does on the named families of a set, or on all; each family has a program of its own.

    So many programs run at a time as there are workers. `progress` is told the id of each test that is done. Raises
    `BadDocument` for a family that the set does not have, and if the program cannot be started.
    """
    within, wanted = rational(tolerance), set(names)
    entries = [entry for entry in read_index(vectors) if not wanted or entry["family"] in wanted]
    for name in sorted(wanted - {entry["family"] for entry in entries}):
        raise BadDocument(name, "the set has no such family", "see: vectors list")
    with threads_for_programs(workers) as (threads, programs):
        one = partial(
            _run_family,
            command,
            vectors,
            limit=limit,
            tolerance=within,
            progress=progress,
            programs=programs,
        )
        runs = list(threads.map(one, entries))
    return RunReport(tuple(command), limit, within, {run.family: run for run in runs})


def _run_family(
    command: Sequence[str],
    vectors: Traversable,
    entry: Document,
    *,
    limit: int,
    tolerance: mpq,
    progress: Callable[[str], None],
    programs: Programs,
) -> FamilyRun:
    tests = list(all_tests(read_entry(vectors, entry)))
    answers = ask(command, tests, limit=limit, progress=progress, programs=programs)
    return FamilyRun(
        entry["family"],
        tuple(outcome_of(test, answers, tolerance) for test in tests),
        tuple(answers.incidents),
        tuple(answers.garbage),
        answers.strays,
        tuple(answers.endings),
    )


_COLOURS = ("#b91c1c", "#a16207", "#15803d")


def badge(passed: int, tried: int) -> str:
    """Return the picture of "ntqr vectors: passed/tried families".

    >>> badge(3, 3).count("3/3 families")
    3
    """
    label, value = "ntqr vectors", f"{passed}/{tried} {'family' if tried == 1 else 'families'}"
    left, right = (7 * len(words) + 10 for words in (label, value))
    colour = _COLOURS[0 if not passed else 1 + (passed == tried)]
    title = escape(f"{label}: {value}")
    texts = "".join(
        f'<text x="{start + width // 2}" y="14" text-anchor="middle">{escape(words)}</text>'
        for start, width, words in ((0, left, label), (left, right, value))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{title}"><title>{title}</title>'
        f'<rect width="{left}" height="20" fill="#404040"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{colour}"/>'
        f'<g fill="#ffffff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">{texts}</g></svg>\n'
    )
