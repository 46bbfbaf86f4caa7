"""Every certain range equals the extremes over all answer keys of a small test."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ntqr_exact import PartialKey, VoteCounts
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.sampling.graded_ranges import ValueRange
from tests.sampling.enumeration import Truth, answered, kappa, ratio, right, truths

CASES = [
    ({"aa": 3, "ab": 2, "bb": 2}, {"a": {"aa": 1}, "b": {"ab": 1}}, "ab"),
    ({"aa": 2, "ab": 3, "ba": 2}, {}, "ab"),
    ({"aa": 3, "ab": 1}, {"a": {"aa": 2}}, "ab"),
    ({"aa": 4}, {"a": {"aa": 1}}, "ab"),
    ({"aa": 3}, {"b": {"aa": 1}}, "ab"),
    ({"ba": 2, "bb": 2}, {}, "ab"),
    ({"aa": 1, "bb": 2}, {"a": {"aa": 1}, "b": {"bb": 2}}, "ab"),
    ({"aa": 2}, {"a": {"aa": 2}}, "ab"),
    ({"ab": 2, "bc": 2, "ca": 1, "aa": 1}, {"a": {"bc": 1}}, "abc"),
    ({"ab": 3, "bb": 1, "cc": 2}, {"c": {"ab": 2}, "a": {"cc": 1}}, "abc"),
    ({"aa": 3, "ac": 1}, {"b": {"aa": 2}}, "abc"),
    ({("a", "a"): 2, ("a", None): 2, ("b", "a"): 2, (None, "b"): 1}, {"a": {("a", None): 1}}, "ab"),
    ({("a", None): 2, ("c", "b"): 1, (None, "c"): 1, ("b", None): 1}, {"a": {(None, "c"): 1}}, "abc"),
    ({"ab": 4, "ba": 3, "aa": 1}, {"a": {"ab": 2}}, "ab"),  # the first is ahead on what is graded
]


def consistent(counts: dict[str, int], graded: dict[str, dict[str, int]], labels: str) -> list[Truth]:
    return [
        truth
        for truth in truths(counts, labels)
        if all(truth[p, label] >= n for label, part in graded.items() for p, n in part.items())
    ]


def span(values: list[Fraction | None]) -> tuple[Fraction | None, Fraction | None, bool]:
    numbers = [value for value in values if value is not None]
    return min(numbers, default=None), max(numbers, default=None), None in values


def found(ends: ValueRange) -> tuple[Fraction | None, Fraction | None, bool]:
    lower, upper = (
        None if isinstance(end, Undefined) else Fraction(str(end)) for end in (ends.lower, ends.upper)
    )
    return lower, upper, ends.undefined is not None


def covariance(truth: Truth) -> Fraction | None:
    truth = answered(truth, 0, 1)
    size = sum(truth.values())
    both = sum(n for (p, label), n in truth.items() if p[0] == p[1] == label)
    return ratio(size * both - right(truth, 0) * right(truth, 1), size**2)


@pytest.mark.parametrize(("counts", "graded", "labels"), CASES)
def test_every_range_is_attained_and_never_left(
    counts: dict[str, int], graded: dict[str, dict[str, int]], labels: str
) -> None:
    key = PartialKey(VoteCounts(counts, list(labels)), graded, drawn="not_at_random")
    keys = consistent(counts, graded, labels)
    ranges, pair = key.ranges(0), key.pair_ranges(0, 1)
    assert ranges.right == span([right(truth, 0) for truth in keys])[:2]
    for label, ends in ranges.right_on.items():
        on = [sum(n for (p, t), n in truth.items() if p[0] == t == label) for truth in keys]
        of = [sum(n for (_, t), n in answered(truth, 0).items() if t == label) for truth in keys]
        every = [sum(n for (_, t), n in truth.items() if t == label) for truth in keys]
        assert ends == span(on)[:2]
        assert found(ranges.accuracy_on[label]) == span([ratio(r, q) for r, q in zip(on, of, strict=True)])
        assert key.key_ranges().key_counts[label] == span(every)[:2]
    assert found(ranges.kappa) == span([kappa(truth, labels) for truth in keys])
    assert pair.difference == span([right(truth, 0, 1) - right(truth, 1, 0) for truth in keys])[:2]
    assert found(pair.covariance) == span([covariance(truth) for truth in keys])
    assert key.key_ranges().splits == len(keys)
    assert key.key_ranges().keys == len(labels) ** key.ungraded().size
