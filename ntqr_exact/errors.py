"""The error tree: which rule is broken, what was given, what to do instead.

Every error of the library is an `NtqrExactError`. A wrong value is also a `ValueError`, a wrong type
also a `TypeError`, so that code which knows nothing of this library still catches what it expects.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

_SHOWN = 60


def shown(value: object) -> str:
    """Return a `repr` short enough for one line, whatever the size of the value: of a long one, both ends."""
    if isinstance(value, str) and len(value) > 2 * _SHOWN:  # before all of it is written
        value = f"{value[:_SHOWN]}...{value[-_SHOWN:]}"
    if isinstance(value, int) and value.bit_length() > 200:
        return f"an integer of {value.bit_length()} bits"
    try:
        text = repr(value)
    except Exception:  # a huge integer in it, a nest too deep, a fault of its own: it must not hide ours
        return f"a {type(value).__name__} that cannot be shown"
    if len(text.splitlines()) > 1:  # an array, a frame
        text = " ".join(text.split())
    return text if len(text) <= 2 * _SHOWN else f"{text[: _SHOWN - 3]}...{text[-_SHOWN:]}"


def listed(names: Iterable[object], most: int = 12) -> str:
    """Return names for a message, the first few if there are many."""
    every = list(names)
    few = [*map(shown, every[:most])]
    while len(few) > 1 and sum(map(len, few)) > 2 * _SHOWN:
        few.pop()
    return ", ".join([*few, *([f"… ({len(every)} in all)"] if len(few) < len(every) else [])])


class NtqrExactError(Exception):
    """The base of every error of this library; carries what was `given`, the `rule` and the `remedy`."""

    def __init__(self, given: object, rule: str, remedy: str = "") -> None:
        super().__init__(given, rule, remedy)
        self.given, self.rule, self.remedy = given, rule, remedy

    def __str__(self) -> str:
        given = shown(self.given)
        message = f"{self.rule}, got {given}" if " must " in self.rule else f"{given}: {self.rule}"
        return f"{message}; {self.remedy}" if self.remedy else message


class BadNumber(NtqrExactError, ValueError):
    """A text or number that is malformed, not finite, or too large to be taken."""


class NotANumber(NtqrExactError, TypeError):
    """A value of a type that `rational` does not take."""


class FloatRefused(NotANumber):
    """A float where an exact number is needed; `rational_from_float` converts its binary value."""


class NotASurd(NtqrExactError, ValueError):
    """A result or expression that is not of the form a + b√d."""


class NotOrdered(NtqrExactError, TypeError):
    """An imaginary number where an order or a sign was asked for."""


class DivisionByZero(NtqrExactError, ZeroDivisionError):
    """A division by an exact zero."""


class Undecided(NtqrExactError, ArithmeticError):
    """A question that stayed open at the stated budget of precision: neither true nor false."""


class BadVotes(NtqrExactError, ValueError):
    """Labels, judges, patterns or counts that do not make up votes."""


class EmptyTest(BadVotes):
    """A rate was asked of a test without questions."""


class BadDecisions(NtqrExactError, ValueError):
    """A row, cell or column of a decisions file or frame that cannot be counted; says where."""

    def __init__(self, *parts: Any, line: int | None = None, column: str | None = None) -> None:
        super().__init__(*parts)
        self.line, self.column = line, column

    def __str__(self) -> str:
        place = [f"line {self.line}"] if self.line is not None else []
        place += [f"column {shown(self.column)}"] if self.column is not None else []
        return ": ".join(filter(None, [", ".join(place), super().__str__()]))


class DecisionsWarning(UserWarning):
    """How a decisions file or frame was read, where it could be read in another way."""


class NotVotes(NtqrExactError, TypeError):
    """Something else where votes, an evaluation or a specification for them are needed."""


class BadChoice(NtqrExactError, ValueError):
    """A value for a named choice that is not one of its members."""


class BadDocument(NtqrExactError, ValueError):
    """A JSON text that is not the document it should be."""


class MissingExtra(NtqrExactError, ImportError):
    """An optional dependency that is needed here and not installed."""


def module_of_extra(module: str, rule: str, extra: str) -> Any:
    """Return a module of an optional dependency; the rule says what is done with it.

    Raises `MissingExtra` with the line that installs the extra: the package is in no index, hence from a clone.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        remedy = f"pip install '.[{extra}]' in a clone of the repository"
        raise MissingExtra(module.partition(".")[0], rule, remedy) from None


class BadKeyCounts(NtqrExactError, ValueError):
    """Key counts that no answer key of the test has: an unknown label, a negative count, a wrong sum."""


class NotSupported(NtqrExactError, NotImplementedError):
    """A question that has an exact answer, which no method here reaches within its stated limit."""


class TooMuchWork(NotSupported):
    """Work that was estimated before it began, and is above the limit; `work_limit` raises it."""


class WorkersLost(NtqrExactError, RuntimeError):
    """Workers that ended again and again, or a cluster that cannot be reached any more."""


class BadSamples(NtqrExactError, ValueError):
    """Labels, scores, weights or strata that do not make up a sample, or questions not drawn as an interval needs."""


class BadQuery(NtqrExactError, ValueError):
    """A text that is not a question about thresholds, such as `maximum recall @ precision >= 0.9`."""


class UndefinedMetric(NtqrExactError, ArithmeticError):
    """A metric whose denominator is 0, where a number is required."""
