"""Quick ranges hold every key within the budget."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

import pytest
from gmpy2 import mpq

from ntqr_exact import (
    LabeledVoteCounts,
    VoteCounts,
    check_dependence_certificate,
    evaluate_within,
    example,
    grade,
    quick_ranges,
)
from ntqr_exact.dependence.key_dependence import dependence_of
from ntqr_exact.dependence.moment_ranges import Cell, ProductRanges, WholeSums, multiplied
from ntqr_exact.dependence.panel import key_of, problem_of
from ntqr_exact.errors import BadNumber, BadVotes
from tests.dependence.brute_force import accuracy, all_keys, dependence, prevalence, random_votes
from tests.dependence.test_ranges import is_no_worse_than_chance

BUDGETS = ("0", "1/100", "1/20", "1/8", "1/4")


def check_against_all_keys(rng: random.Random, judges: int, most: int) -> int:
    votes = random_votes(rng, judges, most=most)
    budget, orders = rng.choice(BUDGETS), rng.choice([(2,), (2, 3)])
    found = quick_ranges(votes, budget, better_than_chance=rng.choice([True, False]), orders=orders)
    keys = [key for key in all_keys(votes) if dependence(key, judges, orders) <= Fraction(budget)]
    for judge in found.better:
        keys = [key for key in keys if is_no_worse_than_chance(key, votes.place(judge))]
    for key in keys:
        for label in votes.labels:
            low, high = found.prevalence[label]
            assert low <= prevalence(key, label) <= high
            for judge in range(judges):
                rate = accuracy(key, judge, label)
                low, high = found.accuracy[judge][label]
                assert rate is None or low <= rate <= high
        for judge, (low, high) in enumerate(found.overall):
            right = sum((accuracy(key, judge, label) or 0) * prevalence(key, label) for label in "ab")
            assert low <= right <= high
    assert not (keys and found.is_empty)
    return len(keys)


@pytest.mark.parametrize(("judges", "most", "tries"), [(2, 7, 12), (3, 7, 15), (4, 5, 5)])
def test_quick_ranges_hold_every_key_within_the_budget(judges: int, most: int, tries: int) -> None:
    rng = random.Random(judges)
    assert sum(check_against_all_keys(rng, judges, most) for _ in range(tries)) > tries


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_the_same_for_many_more_votes(seed: int) -> None:
    rng = random.Random(seed)
    for judges in (2, 3, 3, 3, 4) * 5:
        check_against_all_keys(rng, judges, 8 if judges < 4 else 6)


def least_key(votes: VoteCounts, m: int, answers: list[int]) -> LabeledVoteCounts:
    """The least dependent key with so many questions of a, and answers a of each judge on them."""
    problem = problem_of(votes, 0, (2, 3))
    sums, best = WholeSums(problem.counts, mpq(1, 2), (2, 3)), None
    while (shares := sums.trio_shares(m, answers, (0, 1, 2))) is not None:
        best = key_of(votes, [[shares[p], n - shares[p]] for p, n in problem.counts])
        sums.delta = dependence_of(best, (2, 3)).largest
    assert best is not None
    return best


@pytest.mark.parametrize("ranges", [quick_ranges, pytest.param(evaluate_within, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["two-norm", "uci-adult", "uci-adult-imaginary"])
def test_ranges_hold_the_published_key_once_the_budget_reaches_its_dependence(name: str, ranges: Any) -> None:
    """Tables give the rates; of all keys with them the least dependent is taken, so that the budget is tight."""
    published, votes = example(name).evaluation, example(name).votes
    m = published.key_counts["a"]
    key = least_key(votes, m, [published.correct[i]["a"] for i in range(3)])
    budget, rates = dependence_of(key, (2, 3)).largest, grade(key)
    assert {label: mpq(n, votes.size) for label, n in published.key_counts.items()} == rates.prevalence
    found = ranges(votes, budget)
    for label in votes.labels:
        assert found.prevalence[label][0] <= rates.prevalence[label] <= found.prevalence[label][1]
        for judge in range(3):
            low, high = found.accuracy[judge][label]
            assert low <= rates.accuracy[judge][label] <= high


def test_a_budget_that_no_key_keeps_leaves_nothing() -> None:
    votes = example("uci-adult-imaginary").votes
    assert quick_ranges(votes, "0.013").is_empty
    assert not quick_ranges(votes, "0.015").is_empty
    low, high = quick_ranges(votes, "0.02").prevalence["a"]
    assert mpq("0.41") < low < mpq("0.46") < mpq("0.65") < high < mpq("0.68")


def test_proven_ends_are_wider_than_the_quick_ones_by_no_more_than_their_rounding() -> None:
    votes = VoteCounts({"aaa": 9, "aab": 2, "aba": 3, "abb": 4, "baa": 2, "bab": 1, "bba": 4, "bbb": 8})
    quick, tight = quick_ranges(votes, "1/50"), evaluate_within(votes, "1/50", effort="1/40")
    for label in votes.labels:
        assert quick.prevalence[label][0] - mpq(1, 10**6) <= tight.prevalence[label][0]
        assert tight.prevalence[label][1] <= quick.prevalence[label][1] + mpq(1, 10**6)


def test_judges_who_never_change_have_exact_ranges_with_certificates() -> None:
    """Bounds that are whole numbers must not become floats when they are divided."""
    votes = VoteCounts({"abba": 3, "bbab": 2}, labels=("a", "b"))
    quick = quick_ranges(votes, "1/10", better_than_chance=False)
    assert quick.overall[1] == (mpq(2, 5), mpq(3, 5))
    ends = [
        *quick.prevalence.values(),
        *quick.overall,
        *(pair for rates in quick.accuracy for pair in rates.values()),
    ]
    assert {type(end) for pair in ends for end in pair} == {mpq}
    tight = evaluate_within(votes, "1/10", better_than_chance=False)
    assert all(end.certificate is None or check_dependence_certificate(end.certificate) for end in tight.ends)


def test_what_has_no_quick_ranges_is_refused() -> None:
    with pytest.raises(BadVotes, match="two labels"):
        quick_ranges(VoteCounts({"abc": 2}, labels=("a", "b", "c")), "1/10")
    with pytest.raises(BadNumber, match="not negative"):
        quick_ranges(VoteCounts({"aba": 2}), "-1")


@pytest.mark.parametrize(("judges", "tries"), [(3, 120), (4, 40)])
def test_numbers_are_found_just_above_the_least_dependence_and_none_at_it(judges: int, tries: int) -> None:
    rng = random.Random(judges)
    for _ in range(tries):
        votes = random_votes(rng, judges, "ab", 6)
        least = mpq(min(dependence(key, judges) for key in all_keys(votes)))
        counts = problem_of(votes, 0, (2,)).counts
        assert next(WholeSums(counts, least + mpq(1, 10**6)).found(), None) is not None
        if judges == 3 and least:
            assert next(WholeSums(counts, least).found(), None) is None


def test_the_pairs_that_are_tried_are_those_of_all_keys_that_are_less_correlated() -> None:
    """For each m, R_i, R_j: the S_ij of some key of these two judges with both |Γ| below δ, no more and no less."""
    rng = random.Random(3)
    for _ in range(60):
        votes = random_votes(rng, 2, "ab", 16)
        delta = rng.choice([mpq(1, 50), mpq(1, 8), mpq(1, 4), mpq(1, 2)])
        sums = WholeSums(problem_of(votes, 0, (2,)).counts, delta)
        expected: dict[tuple[int, int, int], set[int]] = {}
        for key in all_keys(votes):
            a = key["a"]
            m, first, second = (
                sum(a.values()),
                *(sum(n for p, n in a.items() if p[i] == "a") for i in (0, 1)),
            )
            found = expected.setdefault((m, first, second), set())
            if dependence(key, 2) < delta:
                found.add(a.get(("a", "a"), 0))
        for (m, *answers), wanted in expected.items():
            if 0 < m < votes.size:
                assert set(sums._pairs(m, answers, 0, 1)) == wanted


@pytest.mark.parametrize(("judges", "orders"), [(3, (2,)), (3, (2, 3)), (4, (2,))])
def test_numbers_fit_together_if_and_only_if_some_key_has_them(judges: int, orders: tuple[int, ...]) -> None:
    """For each m and R: whether trios, or fours, of whole numbers with all |Γ| below δ are those of a key."""
    rng, answers_seen = random.Random(judges), set()
    group = tuple(range(judges))
    for _ in range(40):
        votes = random_votes(rng, judges, most=9)
        # If trios count, a number that some trio attains, and no pair of its key exceeds.
        sizes = {dependence(key, judges, orders[-1:]) for key in all_keys(votes)} - {0}
        if orders[-1] == 3:
            largest = {dependence(key, 3, (3,)): dependence(key, 3) for key in all_keys(votes)}
            sizes = {size for size, pair in largest.items() if size > pair}
        delta = mpq(rng.choice([*sorted(sizes), Fraction(1, 4)]))
        sums = WholeSums(problem_of(votes, 0, orders).counts, delta, orders)
        expected: dict[tuple[int, ...], bool] = {}
        for key in all_keys(votes):
            a = key["a"]
            place = (
                sum(a.values()),
                *(sum(n for p, n in a.items() if p[i] == "a") for i in group),
            )
            expected[place] = expected.get(place, False) or dependence(key, judges, orders) < delta
        for (m, *answers), is_there in expected.items():
            if 0 < m < votes.size:
                fits = sums.trio_shares if judges == 3 else sums.four_fit
                assert bool(fits(m, answers, group)) is is_there
                answers_seen.add(is_there)
    assert answers_seen == {True, False}


def test_trios_may_fit_where_four_judges_do_not() -> None:
    counts = {"bbab": 1, "bbba": 2, "abab": 1, "aabb": 1, "aaaa": 1, "baab": 1, "abba": 1}
    votes, m, answers = VoteCounts(counts), 4, (2, 1, 1, 3)
    sums = WholeSums(problem_of(votes, 0, (2,)).counts, mpq(1, 3))
    assert all(sums.trio_shares(m, answers, trio) for trio in combinations(range(4), 3))
    assert not sums.four_fit(m, answers, range(4))
    for key in all_keys(votes):
        numbers = [sum(n for p, n in key["a"].items() if p[i] == "a") for i in range(4)]
        assert (sum(key["a"].values()), *numbers) != (m, *answers)


def of_rates(rate: mpq, pair: mpq, trio: mpq, size: int) -> dict[tuple[int, ...], mpq]:
    """Three judges who answer the first label at one rate, with these correlations of all pairs and of the trio."""
    shares = {}
    for p in product((0, 1), repeat=3):
        signs, rates = [1 - 2 * r for r in p], [1 - rate if r else rate for r in p]
        pairs = sum(signs[i] * signs[j] * rates[3 - i - j] for i, j in combinations(range(3), 2))
        shares[p] = size * (prod(rates) + pair * pairs + prod(signs) * trio)
    return shares


@pytest.mark.parametrize(("part", "is_left"), [(mpq(1), True), (mpq(4, 5), False)])
def test_a_trio_moment_differs_from_its_product_by_twice_the_variance_of_the_label(
    part: mpq, is_left: bool
) -> None:
    """Pairs at +δ on one half and −δ on the other, trios at δ: what is allowed at δ is used up, and four fifths not."""
    delta = mpq(1, 800)
    sides = of_rates(mpq(17, 20), delta, delta, 16000), of_rates(mpq(3, 20), -delta, delta, 16000)
    counts = [(p, int(n + sides[1][p])) for p, n in sides[0].items()]
    assert all(n.denominator == 1 and n > 0 for side in sides for n in side.values())
    cells = ProductRanges(counts, part * delta, (2, 3)).cells((0,), 801)
    assert any(share[0] <= mpq(1, 2) <= share[1] for share, _ in cells) is is_left


class HalfOfAll(ProductRanges):
    """One cell: all prevalences on one side of 1/2, with it."""

    is_below = True

    def _cell(self, *given: Any) -> Cell | None:
        *rest, least, most = given
        return super()._cell(*rest, *((least, mpq(1, 2)) if self.is_below else (mpq(1, 2), most)))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_cell_allows_a_trio_what_its_prevalence_nearest_to_one_half_does(sign: int) -> None:
    """The key has the prevalence 1/2, where a trio may differ most, and differs so much to the side that is not."""
    delta = mpq(sign, 800)
    sides = of_rates(mpq(3, 5), delta, delta, 16000), of_rates(mpq(1, 5), -delta, delta, 16000)
    ranges = HalfOfAll([(p, int(n + sides[1][p])) for p, n in sides[0].items()], abs(delta), (2, 3))
    for ranges.is_below in (True, False):
        assert list(ranges.cells((0,), 1))
    small = HalfOfAll(ranges.counts, abs(delta) * mpq(2, 3), (2, 3))
    small.is_below = sign < 0
    assert not list(small.cells((0,), 1))


def test_the_bound_of_a_square_is_the_greatest_of_all_keys() -> None:
    """W² = Q²·P·(1−P)·(α − β)² is at most F·(Q − F), the variance of the answers: their own key attains it."""
    rng = random.Random(9)
    for _ in range(20):
        votes = random_votes(rng, 2, most=9)
        ranges = ProductRanges(problem_of(votes, 0, (2,)).counts, mpq(1, 4))
        for judge in (0, 1):
            squares = []
            for key in all_keys(votes):
                share, rates = prevalence(key, "a"), [accuracy(key, judge, label) for label in "ab"]
                if None not in rates:
                    squares.append(votes.size**2 * share * (1 - share) * (sum(rates) - 1) ** 2)
            assert ranges.table((1, 1))[judge, ~judge] == max(squares, default=0)


def holds(cell: Cell, key: dict[str, Any], judges: int) -> bool:
    """Whether the prevalence and the rates of the first answer of a key lie in a cell."""
    (low, high), (alphas, betas) = cell
    inside = low <= prevalence(key, "a") <= high
    for judge in range(judges):
        for label, (least, most) in (("a", alphas[judge]), ("b", betas[judge])):
            rate = accuracy(key, judge, label)
            first = rate if rate is None or label == "a" else 1 - rate
            inside = inside and (first is None or least <= first <= most)
    return inside


@pytest.mark.parametrize(("orders", "budget"), [((2,), "1/20"), ((2, 3), "1/50"), ((2, 3), "1/12")])
def test_fewer_cells_hold_every_key_as_well(orders: tuple[int, ...], budget: str) -> None:
    """A cell of more than one prevalence allows a trio as much as the one nearest to one half does."""
    rng, tried = random.Random(len(budget)), 0
    for _ in range(20):
        votes = random_votes(rng, 3, most=9)
        keys = [key for key in all_keys(votes) if dependence(key, 3, orders) <= Fraction(budget)]
        ranges = ProductRanges(problem_of(votes, 0, orders).counts, mpq(budget), orders)
        for how_many in (1, 2, 3):
            cells = list(ranges.cells((), how_many))
            assert all(any(holds(cell, key, 3) for cell in cells) for key in keys)
        tried += len(keys)
    assert tried > 30


def test_exchanging_the_labels_exchanges_the_ranges() -> None:
    rng = random.Random(5)
    for _ in range(25):
        votes = random_votes(rng, 3, most=40)
        budget = rng.choice(["1/200", "1/50", "1/20"])
        turned = VoteCounts(votes.counts, labels=votes.labels[::-1], judges=votes.judges)
        one, other = (quick_ranges(each, budget) for each in (votes, turned))
        assert one.is_empty == other.is_empty
        assert (one.prevalence, one.overall) == (other.prevalence, other.overall)
        assert one.accuracy == other.accuracy


class TwiceClosed(ProductRanges):
    """Asserts of every table that nothing more follows, and that a quotient and its inverse have inverse ranges."""

    seen = 0

    def _quotient(self, table: Any, x: int, y: int) -> tuple[Any, Any]:
        again = dict(table)
        multiplied(again, [*self.nodes, len(self.judges), ~len(self.judges)])
        assert again == table
        low, high = super()._quotient(table, x, y)
        if (y, x) in table and (~x, x) in table and (y, ~y) in table:
            type(self).seen += 1
            assert abs(low * super()._quotient(table, y, x)[1] - 1) < mpq(1, 10**6)
        return low, high


@pytest.mark.parametrize(("name", "budget"), [("two-norm", "0.005"), ("uci-adult-imaginary", "0.02")])
def test_no_product_of_ranges_is_forgotten(name: str, budget: str) -> None:
    TwiceClosed.seen = 0
    assert list(
        TwiceClosed(problem_of(example(name).votes, 0, (2,)).counts, mpq(budget)).cells((0, 1, 2), 12)
    )
    assert TwiceClosed.seen > 20
