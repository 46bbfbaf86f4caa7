"""Names of labels and judges, and patterns of labels: what is allowed, and how a pattern is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from ntqr_exact.errors import BadVotes, listed

Pattern: TypeAlias = tuple[Any, ...]
"""The labels that the judges gave to one question, in the order of the judges; None is a gap: no answer."""


def check_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the labels: two or more different texts, none empty.

    >>> check_labels(["yes"])
    Traceback (most recent call last):
    ntqr_exact.errors.BadVotes: there must be at least two labels, got ('yes',); name all that could occur
    """
    names = _check_names(labels, "label")
    if len(names) < 2:
        raise BadVotes(names, "there must be at least two labels", "name all that could occur")
    return names


def check_judges(judges: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the judges: one or more different texts, none empty."""
    names = _check_names(judges, "judge")
    if not names:
        raise BadVotes(names, "there must be at least one judge")
    return names


def default_judges(how_many: int) -> tuple[str, ...]:
    """Return the names of judges that were not named: J1, J2, …"""
    return tuple(f"J{number}" for number in range(1, how_many + 1))


def check_pattern(pattern: object, labels: Sequence[str]) -> Pattern:
    """Return a pattern as a tuple of labels and gaps; a text will do where every label is one character.

    >>> check_pattern("aab", ("a", "b")), check_pattern(["a", None], ("a", "b"))
    (('a', 'a', 'b'), ('a', None))
    """
    is_text = isinstance(pattern, str) and all(len(label) == 1 for label in labels)
    if not pattern or not (is_text or isinstance(pattern, (tuple, list))):
        raise BadVotes(pattern, "a pattern must be a tuple with a label or None for each judge")
    for label in pattern:  # type: ignore[attr-defined]
        if label is not None and not (isinstance(label, str) and label in labels):
            raise BadVotes(pattern, f"a pattern must have labels among {listed(labels)}")
    return tuple(None if label is None else str(label) for label in pattern)  # type: ignore[attr-defined]


def join_pattern(pattern: Pattern) -> str:
    r"""Return a pattern as one text: labels joined by commas, a gap empty; a comma or backslash is escaped.

    >>> print(join_pattern(("yes, sure", None, "no")))
    yes\, sure,,no
    """
    return ",".join((label or "").replace("\\", "\\\\").replace(",", "\\,") for label in pattern)


def split_pattern(text: str) -> Pattern:
    r"""Return the pattern that `join_pattern` wrote.

    >>> split_pattern("yes\\, sure,,no")
    ('yes, sure', None, 'no')
    """
    labels, characters = [""], iter(text)
    for character in characters:
        if character == ",":
            labels.append("")
            continue
        escaped = next(characters, "") if character == "\\" else ""
        if character == "\\" and escaped not in (",", "\\"):
            raise BadVotes(text, "a backslash in a pattern must be followed by a comma or a backslash")
        labels[-1] += escaped or character
    return tuple(label or None for label in labels)


def _check_names(names: Iterable[str], kind: str) -> tuple[str, ...]:
    try:
        each = [] if isinstance(names, str) else list(names)
    except (TypeError, ValueError):  # not iterable, or a closed file
        each = []
    if not each and names not in ([], ()):
        raise BadVotes(names, f"{kind}s must be a list of texts")
    checked: dict[str, None] = {}
    for name in each:
        if not isinstance(name, str) or not name:
            raise BadVotes(name, f"a {kind} must be a text that is not empty")
        if any("\ud800" <= character <= "\udfff" for character in name):
            raise BadVotes(name, f"a {kind} must not have half of a surrogate pair: no file can")
        if name in checked:
            raise BadVotes(name, f"each {kind} must be named once")
        checked[str(name)] = None
    return tuple(checked)
