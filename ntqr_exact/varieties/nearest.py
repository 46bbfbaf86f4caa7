"""The consistent individual evaluation that is nearest to a given point, exactly.

The point gives Q_a, R^a_{a_i} and R^b_{b_i} for each judge as real numbers q*, x_i, y_i, rational or in one
quadratic field, such as the irrational solution for independent judges times Q. On consistent evaluations
R^b_{b_i} = s_i − Q_a + R_{b_i}, so the squared distance is

    D(q, s) = (q − q*)² + Σ_i D_i(q, s_i),    D_i = (s_i − x_i)² + (s_i − q + R_{b_i} − y_i)².

Among the nearest evaluations the answer is the lexicographically smallest (Q_a, s_1, s_2, s_3).

The search fixes q, then s_1, s_2, s_3, and prunes by a lower bound of D: judges that are not yet fixed take
their best whole value in the interval that the fixed ones allow it pairwise.

Why walking outward from the least lower bound, and stopping where it exceeds the best D found, is right:

* At fixed q, φ_j(s) = D_j(q, s) on whole numbers extends to a piecewise linear convex function. The interval
  of s_j given s_i has a lower end that is convex in s_i and an upper end that is concave (maxima and minima
  of linear functions), both whole; so the minimum of φ_j over it, in reals or whole numbers, is the same,
  and is a convex function of s_i: a partial minimum of a convex function over a convex set. Sums of convex
  functions are convex.
* In q, D_j is a convex function of s plus one of s − q, on a domain bounded by s and s − q alone. Such
  functions are L♮-convex, which minimising over s_j preserves (Murota, Discrete Convex Analysis, 2003,
  chapter 7), and an L♮-convex function of one whole number is convex.

No interval is ever empty: right answers that are consistent for some judges come from an answer key, and
there the other judges have some right answers too. For three judges the last step asks the exact decision
of `TrioDecision`.

A point far outside makes that bound weak, since it lets the judges disagree about the key. So first some
cuts c_k(x) ≤ 0, which hold for all consistent x, are added with multipliers λ_k ≥ 0: D + Σ λ_k c_k is at
most D where x is consistent, is still a sum over judges of convex functions, and for good λ (found by
coordinate ascent) its least value is almost the least D. Any λ ≥ 0 is right; good ones are only fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import ceil, lcm
from operator import index, mul
from typing import TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.budget import spend
from ntqr_exact.errors import BadVotes, NotOrdered, NotSupported
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.exact.surd import Surd, surd_sign
from ntqr_exact.varieties.cuts import Linear, bounds_of, value_at, violated_cut
from ntqr_exact.varieties.from_rates import confusion_numbers
from ntqr_exact.varieties.pair_bounds import PairBounds, single_interval
from ntqr_exact.varieties.projection import individual_from_right
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.votes.counts import VoteCounts

_MAX_JUDGES = 3
_ROUNDS = 30
"""How often the multipliers are improved; more would cost more than it saves."""
_LARGEST = 16
"""Multipliers are at most this many times the number of questions."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest consistent evaluation and its squared distance from the point, in counts."""

    evaluation: CountEvaluation
    squared_distance: mpq | Surd


def nearest(votes: VoteCounts, target: Evaluation | CountEvaluation, key: tuple[int, ...] | None) -> Nearest:
    """Return the consistent evaluation nearest to a target, among those at key counts if given.

    >>> far = CountEvaluation.from_correct({"a": 2, "b": 0}, [{"a": 2, "b": 0}])
    >>> nearest(VoteCounts({"a": 1, "b": 1}), far, None)
    Nearest(evaluation=CountEvaluation.from_correct({'a': 2, 'b': 0}, [{'a': 1, 'b': 0}]), \
squared_distance=mpq(1,1))

    Raises `NotSupported` for three or more labels or four or more judges.
    """
    if len(votes.labels) != 2 or len(votes.judges) > _MAX_JUDGES:
        raise NotSupported(
            f"{len(votes.judges)} judges and {len(votes.labels)} labels",
            f"the nearest evaluation is found for two labels and up to {_MAX_JUDGES} judges",
            "take some of the judges with marginal",
        )
    if target.labels != votes.labels:
        raise BadVotes(target.labels, f"the labels of the votes are {votes.labels}")
    point = _coordinates(votes, target)
    if len(point) != 1 + 2 * len(votes.judges):
        raise BadVotes(target, f"the votes are those of {len(votes.judges)} judges")
    keys = range(votes.size + 1) if key is None else range(key[0], key[0] + 1)
    q, *right = _NearestSearch(votes, CommonField.of(point), point, keys).run()
    evaluation = individual_from_right(votes, q, tuple(right))
    distance: mpq | Surd = mpq(0)
    for here, there in zip(_coordinates(votes, evaluation), point, strict=True):
        distance = distance + (here - there) * (here - there)
    return Nearest(evaluation, distance)


def _coordinates(votes: VoteCounts, target: Evaluation | CountEvaluation) -> list[mpq | Surd]:
    """Return Q_a and for each judge R^a_a and R^b_b."""
    a, b = votes.labels
    if isinstance(target, CountEvaluation):
        counts = [target.key_counts[a], *(right[label] for right in target.correct for label in (a, b))]
        return [mpq(count) for count in counts]
    key, confusion = confusion_numbers(target, votes.size)
    return [key[a], *(rows[label][label] for rows in confusion for label in (a, b))]


# -- the search ----------------------------------------------------------------------------------------

Pair: TypeAlias = tuple[int, int]
"""The integers (u, w) of u + w√d."""


@dataclass(frozen=True, slots=True)
class CommonField:
    """Real numbers of one quadratic field: number i is (u_i + w_i√d)/denominator.

    >>> CommonField.of([mpq(1, 2), Surd("1/3", "1/6", 5)])
    CommonField(denominator=6, radicand=5, pairs=((3, 0), (2, 1)))
    """

    denominator: int
    radicand: int
    pairs: tuple[Pair, ...]

    @classmethod
    def of(cls, numbers: Sequence[mpq | Surd]) -> CommonField:
        """Bring numbers to one denominator and one radicand.

        Raises `NotASurd` if their roots are not commensurable, `NotOrdered` if one is imaginary.
        """
        surds = [number if isinstance(number, Surd) else Surd(number) for number in numbers]
        for number in surds:
            if not number.is_real:
                raise NotOrdered(number, "an imaginary number has no distance")
        radicand = next((number.radicand for number in surds if not number.is_rational), mpz(1))
        root = Surd(0, 1, radicand)
        # If the radicand is 1 all numbers are rational, and every coefficient is 0.
        parts = [
            (number.rational, ((number - number.rational) / root).rational if radicand != 1 else mpq(0))
            for number in surds
        ]
        denominator = lcm(*(int(part.denominator) for pair in parts for part in pair))
        pairs = tuple((int(mpz(a * denominator)), int(mpz(b * denominator))) for a, b in parts)
        return cls(denominator, int(radicand), pairs)

    def exceeds(self, left: Pair, right: Pair) -> bool:
        """Tell whether u + w√d of `left` is greater than that of `right`, exactly."""
        return surd_sign(left[0] - right[0], left[1] - right[1], self.radicand) > 0


@dataclass(slots=True)
class _NearestSearch:
    """The state of one search. Values are D without its constant term, times the common denominator.

    `tilt` is Σ λ_k c_k, as a linear function of (Q_a, s_1, …, s_N).
    """

    votes: VoteCounts
    scale: CommonField
    point: list[mpq | Surd]
    keys: range
    best: Pair | None = None
    best_point: tuple[int, ...] = ()
    answered: list[tuple[int, int]] = field(init=False)
    centers: list[int] = field(init=False)
    tilt: Linear = field(init=False)
    pairs: dict[tuple[int, int], PairBounds] = field(init=False)
    trio: TrioDecision = field(init=False)
    steps: int = field(init=False)

    def __post_init__(self) -> None:
        """Read the votes once."""
        judges = range(len(self.votes.judges))
        a, b = self.votes.labels
        responses = [self.votes.responses(place) for place in judges]
        self.answered = [(seen[a], seen[b]) for seen in responses]
        self.steps = (4 + self.votes.size.bit_length() ** 2 // 36_000) * (len(judges) + 1)
        self._lean((0,) * (len(judges) + 2))
        self.pairs = {(i, j): PairBounds.of(self.votes, i, j) for j in judges for i in range(j)}
        self.trio = TrioDecision.of(self.votes) if len(self.answered) == 3 else TrioDecision((0,) * 8)

    def run(self) -> tuple[int, ...]:
        """Return the nearest consistent point (Q_a, s_1, …, s_N)."""
        self._find_multipliers()
        for q in self._outward(self.keys[0], self.keys[-1], self._key_bound, index(ceil(self.point[0]))):
            self._descend(q, (), self._key_value(q))
        return self.best_point

    def _find_multipliers(self) -> None:
        """Raise the least lower bound: add cuts that its point violates, and set each multiplier in turn."""
        if len(self.answered) == 1:
            return
        bounds = bounds_of([self.votes.counts[pattern] for pattern in self.votes.patterns()])
        multipliers: dict[Linear, int] = {}

        def lean(cut: Linear, multiplier: int) -> tuple[int, ...]:
            """Set one multiplier and return the point of the least lower bound."""
            multipliers[cut] = multiplier
            columns = zip(*multipliers, strict=True)
            self._lean(tuple(sum(map(mul, multipliers.values(), column)) for column in columns))
            return self._relaxed_point()

        for _ in range(_ROUNDS):
            before = dict(multipliers)
            if cut := violated_cut(bounds, self._relaxed_point()):
                multipliers.setdefault(cut, 0)
            for known in list(multipliers):
                # The cut's value at the relaxed point falls as its multiplier rises: find where it is met.
                low, high = -1, max(1, 2 * multipliers[known])
                while high <= _LARGEST * (self.votes.size + 1) and value_at(known, lean(known, high)) > 0:
                    low, high = high, 2 * high
                while high - low > 1:
                    middle = (low + high) // 2
                    if value_at(known, lean(known, middle)) > 0:
                        low = middle
                    else:
                        high = middle
                lean(known, high)
            if multipliers == before:
                return

    def _lean(self, tilt: Linear) -> None:
        """Take a tilt, and with it the vertices of the parabolas, rounded up."""
        self.tilt = tilt
        self.centers = [
            index(ceil(self.point[1 + 2 * i] + self.point[2 + 2 * i] - mpq(tilt[1 + i], 2)))
            for i in range(len(self.answered))
        ]

    def _relaxed_point(self) -> tuple[int, ...]:
        """Return the point of the least lower bound, which need not be consistent."""
        q = self._least(self.keys[0], self.keys[-1], cache(self._key_bound), index(ceil(self.point[0])))
        return (q, *(self._favourite(q, (), judge) for judge in range(len(self.answered))))

    def _key_value(self, q: int) -> Pair:
        return _add(self._square(q, 0), self._tilted(q * self.tilt[0] + self.tilt[-1]))

    def _key_bound(self, q: int) -> Pair:
        return self._total(self._key_value(q), q, ())

    def _descend(self, q: int, fixed: tuple[int, ...], spent: Pair) -> None:
        judge = len(fixed)
        if judge == len(self.answered):
            self._record((q, *fixed))
            return

        def value(s: int) -> Pair:
            return _add(spent, self._judge_value(q, judge, s))

        def bound(s: int) -> Pair:
            return self._total(value(s), q, (*fixed, s))

        for s in self._outward(*self._interval(q, fixed, judge), bound, self._favourite(q, fixed, judge)):
            if judge < 2 or self.trio.is_consistent(q, (*fixed, s)):
                self._descend(q, (*fixed, s), value(s))

    def _outward(self, low: int, high: int, bound: Callable[[int], Pair], near: int) -> Iterator[int]:
        """Iterate over low..high from the least of a convex bound outward, while it may be the best."""
        known = cache(bound)
        exceeds = self.scale.exceeds
        left = self._least(low, high, known, near)
        for way in (range(left, high + 1), range(left - 1, low - 1, -1)):
            for number in way:
                if self.best is not None and exceeds(known(number), self.best):
                    break
                yield number

    def _least(self, low: int, high: int, bound: Callable[[int], Pair], near: int) -> int:
        """Return where a convex bound is least: it falls as long as the next value is less.

        The search begins near a place, in steps that double, so that it takes as long as that is wrong, whatever Q.
        """

        def falls(number: int) -> bool:
            return self.scale.exceeds(bound(number), bound(number + 1))

        middle, step = min(max(near, low), max(low, high - 1)), 1
        while low < high:
            if falls(middle):
                low = middle + 1
                middle = min(middle + step, (low + high) // 2)
            else:
                high = middle
                middle = max(middle - step, (low + high) // 2)
            step *= 2
        return low

    def _total(self, spent: Pair, q: int, fixed: tuple[int, ...]) -> Pair:
        """Return the lower bound: what is spent and the best of each judge that is not yet fixed."""
        spend("the search for the nearest whole numbers", self.steps)
        for judge in range(len(fixed), len(self.answered)):
            spent = _add(spent, self._judge_value(q, judge, self._favourite(q, fixed, judge)))
        return spent

    def _favourite(self, q: int, fixed: tuple[int, ...], judge: int) -> int:
        """Return the best value of a judge in the interval that the fixed ones leave.

        D_j + tilt_j·s is a parabola in s with its vertex at (x + y + q − R_b − tilt_j/2)/2: round to the
        nearest, down at a half, and go to the end of the interval if it lies outside.
        """
        low, high = self._interval(q, fixed, judge)
        vertex = -((1 - self.centers[judge] - q + self.answered[judge][1]) // 2)
        return min(max(vertex, low), high)

    def _interval(self, q: int, fixed: tuple[int, ...], judge: int) -> tuple[int, int]:
        low, high = single_interval(q, *self.answered[judge])
        for other, right in enumerate(fixed):
            bottom, top = self.pairs[other, judge].partner_interval(q, right)
            low, high = max(low, bottom), min(high, top)
        return low, high

    def _judge_value(self, q: int, judge: int, s: int) -> Pair:
        """Return D_j and the judge's share of the tilt."""
        return _add(self._distance(q, judge, s), self._tilted(self.tilt[1 + judge] * s))

    def _distance(self, q: int, judge: int, s: int) -> Pair:
        right_b = s - q + self.answered[judge][1]
        return _add(self._square(s, 1 + 2 * judge), self._square(right_b, 2 + 2 * judge))

    def _tilted(self, number: int) -> Pair:
        return number * self.scale.denominator, 0

    def _square(self, number: int, place: int) -> Pair:
        """Return (number − t)² − t² = number² − 2·number·t for coordinate t, times the denominator."""
        u, w = self.scale.pairs[place]
        return number * (number * self.scale.denominator - 2 * u), -2 * number * w

    def _record(self, point: tuple[int, ...]) -> None:
        q, *right = point
        value = self._square(q, 0)
        for judge, s in enumerate(right):
            value = _add(value, self._distance(q, judge, s))
        exceeds = self.scale.exceeds
        if (
            self.best is None
            or exceeds(self.best, value)
            or (point < self.best_point and not exceeds(value, self.best))
        ):
            self.best, self.best_point = value, point


def _add(left: Pair, right: Pair) -> Pair:
    return left[0] + right[0], left[1] + right[1]
