"""Names of labels, judges and levels of ratings, and patterns of labels: what is allowed, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from ntqr_exact.errors import BadVotes, listed
from ntqr_exact.exact.show import counted

Pattern: TypeAlias = tuple[Any, ...]
"""The labels that the judges gave to one question, in the order of the judges; None is a gap: no answer."""

_MAX_LEVELS = 101


def check_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the labels: two or more different texts, none empty."""
    return _check_names(labels, "label", 2)


def check_judges(judges: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the judges: one or more different texts, none empty."""
    return _check_names(judges, "judge", 1)


def _check_names(names: Iterable[str], kind: str, fewest: int) -> tuple[str, ...]:
    try:
        each = [] if isinstance(names, str) else list(names)
    except (TypeError, ValueError):  # not iterable, or a closed file
        each = []
    if not each and names not in ([], ()):
        raise BadVotes(names, f"{kind}s must be a list of texts")
    for name in each:
        if not isinstance(name, str) or not name:
            raise BadVotes(name, f"a {kind} must be a text that is not empty")
        if any("\ud800" <= character <= "\udfff" for character in name):
            raise BadVotes(name, f"a {kind} must not have half of a surrogate pair: no file can")
    if len({*each}) < len(each):
        raise BadVotes(max(each, key=each.count), f"each {kind} must be named once")
    if len(each) < fewest:
        raise BadVotes(each, f"there must be at least {counted(fewest, kind)}", "name all that could occur")
    return tuple(map(str, each))


def default_judges(how_many: int) -> tuple[str, ...]:
    """Return the names of judges that were not named: J1, J2, …"""
    return tuple(f"J{number}" for number in range(1, how_many + 1))


@lru_cache(maxsize=16)
def _answers(labels: tuple[str, ...]) -> dict[str | None, str | None]:
    return {None: None, **{label: label for label in labels}}


def check_pattern(pattern: object, labels: Sequence[str]) -> Pattern:
    """Return a pattern as a tuple of labels and gaps; a text will do where every label is one character.

    >>> check_pattern("aab", ("a", "b")), check_pattern(["a", None], ("a", "b"))
    (('a', 'a', 'b'), ('a', None))
    """
    is_text = isinstance(pattern, str) and all(len(label) == 1 for label in labels)
    if not pattern or not (is_text or isinstance(pattern, (tuple, list))):
        raise BadVotes(pattern, "a pattern must be a tuple with a label or None for each judge")
    try:
        return tuple(map(_answers(tuple(labels)).__getitem__, pattern))  # type: ignore[call-overload]
    except (KeyError, TypeError):  # another label, or a list
        raise BadVotes(pattern, f"a pattern must have labels among {listed(labels)}") from None


def join_pattern(pattern: Pattern) -> str:
    r"""Return a pattern as one text: labels joined by commas, a gap empty; a comma or backslash is escaped.

    >>> print(join_pattern(("yes, sure", None, "no")))
    yes\, sure,,no
    """
    return ",".join((label or "").replace("\\", "\\\\").replace(",", "\\,") for label in pattern)


def split_pattern(text: str) -> Pattern:
    """Return the pattern that `join_pattern` wrote."""
    if re.fullmatch(r"(?:[^\\]|\\[\\,])*", text, re.DOTALL) is None:
        raise BadVotes(text, "a backslash in a pattern must be followed by a comma or a backslash")
    labels = re.findall(r"(?:^|,)((?:[^\\,]|\\.)*)", text, re.DOTALL)
    return tuple(re.sub(r"\\(.)", r"\1", label) or None for label in labels)


# -- ratings ------------------------------------------------------------------------------------------------


def rating_levels(text: str) -> tuple[str, ...]:
    """Return the levels that a text names, lowest first: whole numbers from..to, or names between commas.

    >>> rating_levels("1..5"), rating_levels("poor,fair,good")
    (('1', '2', '3', '4', '5'), ('poor', 'fair', 'good'))
    """
    match = re.fullmatch(r"(-?\d{1,6})\.\.(-?\d{1,6})", text.strip())
    if match is None:
        return check_labels([part.strip() for part in text.split(",")])
    low, high = map(int, match.groups())
    if not low < high < low + _MAX_LEVELS:
        raise BadVotes(text, f"levels must increase, and be at most {_MAX_LEVELS}")
    return tuple(map(str, range(low, high + 1)))
