"""Draws depend on the seed, the family and the index, and on nothing else."""

from __future__ import annotations

from collections import Counter

from ntqr_exact.vectors.draws import Draws


def draws(seed: int = 1, family: str = "f", index: int = 0) -> Draws:
    return Draws.of(seed, family, index)


def first(stream: Draws) -> int:
    return stream.below(2**64)


def test_the_same_case_has_the_same_draws_and_any_other_has_others() -> None:
    assert first(draws()) == first(draws())
    others = [draws(seed=2), draws(family="g"), draws(index=1), draws()]
    assert len({first(other) for other in others}) == 4


def test_draws_stay_within_their_bounds_and_reach_them() -> None:
    stream = draws()
    assert {stream.between(-1, 2) for _ in range(100)} == {-1, 0, 1, 2}
    assert {stream.pick("abc") for _ in range(100)} == set("abc")
    shares = [stream.share(4) for _ in range(300)]
    assert min(shares) == 0
    assert max(shares) == 1
    assert {share.denominator for share in shares} == {1, 2, 3, 4}


def test_counts_add_up_and_every_way_occurs() -> None:
    stream = draws()
    seen = Counter(tuple(stream.counts(2, 2)) for _ in range(300))
    assert set(seen) == {(0, 2), (1, 1), (2, 0)}
    assert min(seen.values()) > 60


def test_shuffling_keeps_the_items_and_reaches_every_order() -> None:
    stream = draws()
    seen = Counter(tuple(stream.shuffled("abc")) for _ in range(600))
    assert len(seen) == 6
    assert min(seen.values()) > 60
