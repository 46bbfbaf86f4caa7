"""Two classes, negative and positive, and which of them each label is."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, TypeAlias

from ntqr_exact.columns.whole_numbers import Array, as_array, as_list
from ntqr_exact.errors import BadSamples

Classes: TypeAlias = tuple[Hashable, Hashable]
"""The negative and the positive label."""

BINARY: Classes = (False, True)
"""Labels as truth values; 0 and 1 are equal to them."""

_PLAIN_KINDS = "biuf"


def flags(labels: Iterable[Any], classes: Classes = BINARY) -> list[bool]:
    """Return for each label whether it is the positive one.

    >>> flags(["ham", "spam"], ("ham", "spam")), flags([0, 1, True])
    ([False, True], [False, True, True])

    Raises `BadSamples` for a label that is neither.
    """
    negative, positive = _checked(classes)
    known = {negative: False, positive: True}
    values = as_list(labels)
    try:
        found = list(map(known.get, values))
    except TypeError:
        raise BadSamples(values, "labels are a sequence of values that can be compared") from None
    if None in found:
        _refuse(values[found.index(None)], classes, place=found.index(None))
    return found  # type: ignore[return-value]


def flag_array(labels: Iterable[Any], classes: Classes = BINARY) -> Array:
    """Return the same as an array of truth values, without a loop where the labels are plain numbers."""
    import numpy

    array = as_array(labels)
    negative, positive = _checked(classes)
    are_whole = isinstance(negative, int) and isinstance(positive, int)
    if array is None or array.dtype.kind not in _PLAIN_KINDS or not are_whole:
        return numpy.array(flags(labels, classes), dtype=bool)
    if array.dtype == bool and classes == BINARY:
        return array
    is_positive: Array = array == positive
    known = is_positive | (array == negative)
    if not known.all():
        place = int(known.argmin())
        _refuse(array[place].item(), classes, place=place)
    return is_positive


def positive_classes(labels: list[Any], classes: Classes, pos_label: Any) -> Classes:
    """Return the classes as they are; and if the positive label is named, it and the one other label that occurs.

    >>> positive_classes(["ham", "spam", "ham"], BINARY, "spam")
    ('ham', 'spam')

    Raises `BadSamples` for a third label.
    """
    if pos_label is None:
        return classes
    others = [label for label in dict.fromkeys(labels) if label != pos_label]
    if len(others) > 1:
        raise BadSamples(others[:5], f"besides {pos_label!r} there is one other label")
    return (others[0] if others else (pos_label, "none"), pos_label)


def label_list(values: Iterable[Any]) -> list[Any]:
    """Return labels that can be counted; raises `BadSamples` for one that is missing or not a single value."""
    found = as_list(values)
    try:
        doubtful: Iterable[Any] = set(found)
    except TypeError:
        doubtful = found
    if not all(map(_is_label, doubtful)):
        place = next(place for place, label in enumerate(found) if not _is_label(label))
        raise BadSamples(
            found[place],
            f"label {place + 1} is missing or not a single value",
            "drop these samples, or name a label for them",
        )
    return found


def _is_label(label: Any) -> bool:
    try:
        hash(label)
        return label is not None and not label != label  # noqa: PLR0124, SIM202 (nan differs from itself)
    except TypeError:
        return False


def sorted_labels(labels: set[Any]) -> list[Any]:
    """Return different labels in their order; raises `BadSamples` for kinds that have no common one."""
    try:
        return sorted(labels)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in labels})
        raise BadSamples(
            kinds, "labels of these kinds have no common order", "name them in order as labels="
        ) from None


def _checked(classes: Classes) -> Classes:
    if len(classes) != 2 or classes[0] == classes[1]:
        raise BadSamples(classes, "the classes are two different labels, the negative one first")
    return classes


def _refuse(label: object, classes: Classes, *, place: int) -> None:
    raise BadSamples(
        label,
        f"label {place + 1} is neither {classes[0]!r} nor {classes[1]!r}",
        "name the negative and the positive label as classes=(…, …)",
    )
