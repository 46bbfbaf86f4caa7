"""A peer against the vectors: what it computes too, how many tests it passes, and the smallest that it fails.

An adapter names for each family the quantities that the peer computes, each with the call. A result is compared by
value: exactly if the peer gives an exact one, within `TOLERANCE` if it gives a float. Where the expected value is a
word for something undefined, or an empty list, nan and a refusal are right.
"""

from __future__ import annotations

import importlib.metadata
import json
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from ntqr_exact.vectors.compare import Agreement, compare, read_output
from ntqr_exact.vectors.files import Test, all_tests, read_family, shipped

TOLERANCE = mpq(1, 10**9)
RANDOM_TESTS = 40
"""How many random tests of each family a report takes, besides the edge cases."""
NAN = float("nan")

VALUE = "gives another value"
ITEMS = "gives another number of items"
UNDEFINED = "gives a number where the value is undefined"
MISSING = "gives nan where there is a value"
REFUSED = "refuses what has a value"
ACCEPTED = "accepts what must be refused"
KINDS = (VALUE, ITEMS, UNDEFINED, MISSING, REFUSED, ACCEPTED)
RIGHT = "right"
NOT_ASKED = "not asked"

Quantity = Callable[[dict[str, Any]], Any]


class NotAsked(Exception):
    """An input that cannot be put to the peer at all."""


@dataclass(frozen=True)
class Derived:
    """A quantity that follows from the expected document, but is not in it."""

    ask: Quantity
    wanted: Callable[[Any], Any]

    def __call__(self, document: dict[str, Any]) -> Any:
        return self.ask(document)


@dataclass(frozen=True)
class Peer:
    """A package, by its name on PyPI: what it is asked, and what is behind its failures."""

    name: str
    asked: Mapping[str, Mapping[str, Quantity]]
    cause: Callable[[Test, str, str], str]
    about: tuple[str, ...]

    @property
    def version(self) -> str | None:
        """The installed version, or nothing."""
        try:
            return importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            return None


@dataclass
class Defect:
    """One cause for which a quantity fails, and the smallest test that shows it."""

    kind: str
    test: Test
    expected: Any
    given: Any
    tests: int = 1


@dataclass
class Row:
    """How a quantity of a family did: the outcome of each test, and the defects by their causes."""

    family: str
    quantity: str
    outcomes: dict[str, str] = field(default_factory=dict)
    defects: dict[str, Defect] = field(default_factory=dict)

    @property
    def tried(self) -> int:
        """How many tests were put to the peer."""
        return sum(outcome != NOT_ASKED for outcome in self.outcomes.values())

    @property
    def passed(self) -> int:
        """How many tests pass."""
        return sum(outcome == RIGHT for outcome in self.outcomes.values())

    def add(self, test: Test, kind: str, cause: str, expected: Any, given: Any) -> None:
        """Take a failure in; of those with one cause keep the one with the shortest input."""
        known = self.defects.get(cause)
        if known is None:
            self.defects[cause] = Defect(kind, test, expected, given)
            return
        known.tests += 1
        if size(test) < size(known.test):
            known.kind, known.test, known.expected, known.given = kind, test, expected, given


def shipped_tests(names: Iterable[str], count: int = RANDOM_TESTS) -> Iterator[Test]:
    """Yield the edge cases and the first random tests of families."""
    for name in sorted(names):
        random = 0
        for test in all_tests(read_family(shipped(), name)):
            random += test.kind == "random"
            if random <= count:
                yield test


def of_kind(test: Test, quantity: str, kind: str) -> str:  # noqa: ARG001
    """Return the kind of a failure as its cause, where nothing more is known."""
    return kind


def report(
    asked: Mapping[str, Mapping[str, Quantity]],
    *,
    cause: Callable[[Test, str, str], str] = of_kind,
    tests: Iterable[Test] | None = None,
) -> list[Row]:
    """Return a row for each quantity, over the given tests or the edge cases and first random ones."""
    rows = {
        (family, quantity): Row(family, quantity)
        for family, quantities in asked.items()
        for quantity in quantities
    }
    for test in shipped_tests(asked) if tests is None else tests:
        family = test.id.partition("/")[0]
        for quantity, ask in asked[family].items():
            row = rows[family, quantity]
            try:
                given = answer(ask, test.input)
            except NotAsked:
                row.outcomes[test.id] = NOT_ASKED
                continue
            wanted = _wanted(test, quantity, ask)
            kind = difference(test, wanted, given)
            row.outcomes[test.id] = kind or RIGHT
            if kind:
                row.add(test, kind, cause(test, quantity, kind), wanted, given)
    return list(rows.values())


def answer(ask: Quantity, document: dict[str, Any]) -> Any:
    """Return what a call gives, with its warnings unheard; an error is an answer like any other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return plain(ask(json.loads(json.dumps(document))))
        except NotAsked:
            raise
        except Exception as error:
            return {"error": " ".join(f"{type(error).__name__}: {error}".split())}


def plain(value: Any) -> Any:
    """Return numbers of numpy as those of JSON, and fractions as texts."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)) or (hasattr(value, "ndim") and value.ndim):
        return [plain(one) for one in value]
    if isinstance(value, Fraction):
        return str(value)
    return value.item() if hasattr(value, "item") else value


def exactly(value: Any) -> Fraction:
    """Return the number that an input gives; one that is none cannot be put to a peer."""
    try:
        return Fraction(value)
    except (ValueError, TypeError, ZeroDivisionError):
        raise NotAsked from None


def doubles(values: Iterable[Any]) -> list[float]:
    """Return exact numbers as the nearest doubles."""
    return [float(exactly(value)) for value in values]


def _wanted(test: Test, quantity: str, ask: Quantity) -> Any:
    expected = test.body["expected"]
    if test.body["result"] == "invalid":
        return expected
    return ask.wanted(expected) if isinstance(ask, Derived) else part(expected, quantity)


def part(expected: Any, quantity: str) -> Any:
    """Return the part of a document that a quantity such as `averages/macro/f1` names; * is each item of a list.

    >>> part({"solutions": [{"prevalence": "1/3"}, {"prevalence": "2/3"}]}, "solutions/*/prevalence")
    ['1/3', '2/3']
    """
    name, _, rest = quantity.partition("/")
    if name == "*":
        return [part(item, rest) if rest else item for item in expected]
    found = expected[name]
    return part(found, rest) if rest else found


def difference(test: Test, wanted: Any, given: Any) -> str | None:
    """Return in which way an output is wrong, or nothing if it is right."""
    refused = isinstance(given, dict) and set(given) == {"error"}
    if test.body["result"] == "invalid":
        # Of a test without questions nan says that nothing is defined, which is what a refusal says.
        says_nothing = test.body["expected"]["error"] == "empty-test" and _only_nan(given)
        return None if refused or says_nothing else ACCEPTED
    if refused:
        may_refuse = test.body["result"] == "acceptable" or wanted == [] or _has_word(wanted)
        return None if may_refuse else REFUSED
    return _between(wanted, given)


def _between(wanted: Any, given: Any) -> str | None:
    if isinstance(wanted, list):
        if not wanted and _only_nan(given):
            return None
        if not isinstance(given, list) or len(given) != len(wanted):
            return MISSING if _only_nan(given) else ITEMS
        return next((kind for pair in zip(wanted, given, strict=True) if (kind := _between(*pair))), None)
    if _is_word(wanted):
        return None if _only_nan(given) else UNDEFINED
    if _only_nan(given):
        return MISSING
    findings = compare(wanted, read_output(json.dumps(given)), tolerance=TOLERANCE)
    return VALUE if any(finding.agreement is Agreement.WRONG for finding in findings) else None


def _only_nan(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(map(_only_nan, value))
    return isinstance(value, float) and math.isnan(value)


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and value[:1].isalpha()


def _has_word(value: Any) -> bool:
    return any(map(_has_word, value)) if isinstance(value, list) else _is_word(value)


def size(test: Test) -> tuple[int, str]:
    """Return what tests are ordered by: the length of the input's text, then the text."""
    text = json.dumps(test.input, ensure_ascii=False, sort_keys=True)
    return len(text), text
