"""Names of labels and judges, and patterns of labels: what is allowed, and how a pattern is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from ntqr_exact.errors import BadVotes

Pattern: TypeAlias = tuple[Any, ...]
"""The labels that the judges gave to one question, in the order of the judges; None is a gap: no answer."""


def check_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the labels: two or more different texts, none empty.

    >>> check_labels(["yes", "no"])
    ('yes', 'no')
    >>> check_labels(["yes"])
    Traceback (most recent call last):
    ntqr_exact.errors.BadVotes: ('yes',): a test needs at least two labels; name all labels that could occur
    """
    names = _check_names(labels, "label")
    if len(names) < 2:
        raise BadVotes(names, "a test needs at least two labels", "name all labels that could occur")
    return names


def check_judges(judges: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the judges: one or more different texts, none empty."""
    names = _check_names(judges, "judge")
    if not names:
        raise BadVotes(names, "a test needs at least one judge")
    return names


def default_judges(how_many: int) -> tuple[str, ...]:
    """Return the names of judges that were not named: J1, J2, …"""
    return tuple(f"J{number}" for number in range(1, how_many + 1))


def check_pattern(pattern: object, labels: Sequence[str]) -> Pattern:
    """Return a pattern as a tuple of labels and gaps; a plain text will do where every label is one character.

    >>> check_pattern("aab", ("a", "b")), check_pattern(["a", None], ("a", "b"))
    (('a', 'a', 'b'), ('a', None))
    """
    if isinstance(pattern, str):
        if any(len(label) != 1 for label in labels):
            rule = "a text will do only if every label is one character"
            raise BadVotes(pattern, "a pattern is a tuple of labels", rule)
        pattern = tuple(pattern)
    if not isinstance(pattern, (tuple, list)):
        raise BadVotes(pattern, "a pattern is a tuple of labels")
    for label in pattern:
        if label is None:
            continue
        if not isinstance(label, str):
            raise BadVotes(pattern, f"a label is a text, not {type(label).__name__}")
        if label not in labels:
            raise BadVotes(pattern, f"{label!r} is not one of the labels {', '.join(map(repr, labels))}")
    if not pattern:
        raise BadVotes(pattern, "a pattern holds one label for each judge")
    return tuple(None if label is None else str(label) for label in pattern)


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
    labels: list[str | None] = []
    current, characters = "", iter(text)
    for character in characters:
        if character == "\\":
            escaped = next(characters, "")
            if escaped not in (",", "\\"):
                raise BadVotes(text, "a backslash in a pattern stands before a comma or a backslash")
            current += escaped
        elif character == ",":
            labels.append(current or None)
            current = ""
        else:
            current += character
    return (*labels, current or None)


def _check_names(names: Iterable[str], kind: str) -> tuple[str, ...]:
    if isinstance(names, str):
        raise BadVotes(names, f"give the {kind}s as a list of texts, not as one text")
    try:
        each = list(names)
    except (TypeError, ValueError):  # not iterable, or a closed file
        raise BadVotes(names, f"give the {kind}s as a list of texts, one for each {kind}") from None
    checked: dict[str, None] = {}
    for name in each:
        if not isinstance(name, str):
            raise BadVotes(name, f"a {kind} is a text, not {type(name).__name__}")
        if not name:
            raise BadVotes(name, f"a {kind} must not be empty")
        if any("\ud800" <= character <= "\udfff" for character in name):
            raise BadVotes(name, f"a {kind} must not hold half of a surrogate pair: no file can")
        if name in checked:
            raise BadVotes(name, f"this {kind} is named twice")
        checked[str(name)] = None
    return tuple(checked)
