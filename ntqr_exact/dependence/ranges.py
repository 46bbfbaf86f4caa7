"""`evaluate_within`: what every key within a budget of dependence says of the labels and the judges.

Each end of a range is proven, with a certificate: no key within the budget reaches beyond it. With two labels the quick
ranges come first. The tree of the budget alone, which covers all keys within it by boxes of rates, is grown once; each
end grows a copy of it with its own condition, as long as that proves more. With three labels or more the keys are those
named by the most right answers, so that their boxes are bounded. Keys within the budget that come near the ends are
found by the search for witnesses: what lies between is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice, product
from math import ceil, floor
from types import MappingProxyType
from typing import Any

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.dependence.coq_dependence import dependence_to_coq
from ntqr_exact.dependence.float_keys import ByLabel, FloatKey, FloatKeys, FloatRows, scaled
from ntqr_exact.dependence.key_dependence import check_orders, check_panel
from ntqr_exact.dependence.objectives import Objective, added_up
from ntqr_exact.dependence.panel import (
    Condition,
    better_judges,
    certificate,
    key_of,
    named_shares,
    naming_conditions,
    problem_of,
)
from ntqr_exact.dependence.proof_search import refute
from ntqr_exact.dependence.quick_ranges import CELLS, Pair, QuickRanges, quick_ranges
from ntqr_exact.dependence.short_proof import excluded
from ntqr_exact.dependence.tree_checker import Problem
from ntqr_exact.dependence.witness import WholeKey, key_by, rounded_keys, search_witness
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_GAPS = tuple(mpq(gap, 1000) for gap in (400, 200, 100, 50, 25, 12, 6))
"""How far beyond what is attained an end is tried to be proven: from coarse to fine."""

_PAVING = 60
_TWO_LABELS, _MORE_LABELS = (80, 60_000), (24, 400_000)
"""The most parts of an end, and its work, parts × patterns × rows."""

_FEW = 6
"""So many parts are looked at however much each costs."""

_DIGITS = 10**6
_ROUNDINGS = 48
_ROUNDS = 3
_STRETCHES = 400


class WithinBudget(Enum):
    """Whether any key is within the budget."""

    EXISTS = "there is a key within the budget"
    NONE = "no key is within the budget, and a certificate proves it"
    UNDECIDED = "no key within the budget was found, and none is excluded"


class RangeProof(Enum):
    """How an end is proven."""

    BOXES = "boxes of rates, each refuted by sums of inequalities"
    PRODUCTS = "products of ranges, which leave nothing beyond it"
    LIMIT = "no share exceeds this: nothing was proven within the effort"
    NO_KEY = "no key is within the budget, so that every end holds"


@dataclass(frozen=True, slots=True)
class RangeEnd:
    """One end of a range: what is proven and how, what a witness attains, and the certificate; a limit needs none."""

    goal: Objective
    is_upper: bool
    proof: RangeProof
    proven: mpq
    attained: mpq | None
    witness: LabeledVoteCounts | None
    certificate: Mapping[str, Any] | None

    @property
    def gap(self) -> mpq | None:
        """How much is not known: the distance of what is proven from what is attained."""
        return None if self.attained is None else abs(self.proven - self.attained)

    def to_document(self) -> dict[str, Any]:
        """Return the end as a JSON document."""
        return {
            **self.goal.to_document(),
            "end": "upper" if self.is_upper else "lower",
            "proof": self.proof.name.lower(),
            "proven": self.proven,
            "attained": self.attained,
            "witness": None if self.witness is None else self.witness.to_document(),
        }


@dataclass(frozen=True, slots=True)
class ByJudge:
    """Ranges by judge, meant by its place or its name, and by label."""

    votes: VoteCounts
    ranges: tuple[Mapping[str, Any], ...]

    def __getitem__(self, judge: Judge) -> Mapping[str, Any]:
        """Return the ranges of a judge, by label."""
        return self.ranges[self.votes.place(judge)]

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        """Iterate over the judges' ranges."""
        return iter(self.ranges)

    def __len__(self) -> int:
        """Return how many judges there are."""
        return len(self.ranges)


@dataclass(frozen=True, slots=True)
class AttainedRanges:
    """What keys within the budget attain: pairs, or `None` where no key was found or the rate has no value."""

    prevalence: Mapping[str, Pair | None]
    accuracy: ByJudge


@dataclass(frozen=True, slots=True)
class EvaluationWithin:
    """Proven ranges of every share and accuracy over all keys within a budget of dependence.

    `prevalence[label]` and `accuracy[judge][label]` are pairs that hold the number of every such key; `attained` has
    the same of the keys found. `better` names the judges who were taken to be no worse than chance; with two labels the
    mirror image of every key, its labels exchanged, is as independent, so that one judge must be taken to be
    so. `naming` is what was asked instead with more labels: no other names of the labels make more answers right.
    """

    votes: VoteCounts
    correlation: mpq
    orders: tuple[int, ...]
    better: tuple[str, ...]
    naming: tuple[Condition, ...]
    existence: WithinBudget
    ends: tuple[RangeEnd, ...]
    certificate: Mapping[str, Any] | None

    @property
    def prevalence(self) -> Mapping[str, Pair]:
        """The proven range of the share of each label."""
        return MappingProxyType(self._by_label(self._proven))

    @property
    def accuracy(self) -> ByJudge:
        """The proven range of each judge's accuracy on each label."""
        return self._by_judge(self._proven)

    @property
    def overall(self) -> tuple[Pair, ...]:
        """The proven range of each judge's share of right answers on all questions."""
        return tuple(self._proven(Objective(None, judge)) for judge in self.votes.judges)

    @property
    def attained(self) -> AttainedRanges:
        """The ranges that the keys found attain."""
        return AttainedRanges(self._by_label(self._attained), self._by_judge(self._attained))

    def _by_label(self, found: Callable[[Objective], Any], judge: str | None = None) -> dict[str, Any]:
        return {label: found(Objective(label, judge)) for label in self.votes.labels}

    def _by_judge(self, found: Callable[[Objective], Any]) -> ByJudge:
        return ByJudge(self.votes, tuple(self._by_label(found, judge) for judge in self.votes.judges))

    def end(self, goal: Objective, *, upper: bool) -> RangeEnd:
        """Return one end with its witness and certificate."""
        return next(end for end in self.ends if end.goal == goal and end.is_upper == upper)

    def _proven(self, goal: Objective) -> Pair:
        return self.end(goal, upper=False).proven, self.end(goal, upper=True).proven

    def _attained(self, goal: Objective) -> Pair | None:
        low, high = (self.end(goal, upper=upper).attained for upper in (False, True))
        return None if low is None or high is None else (low, high)

    @property
    def certificates(self) -> tuple[Mapping[str, Any], ...]:
        """The certificates of all that is proven by boxes or whole numbers, none of them twice."""
        found = [self.certificate, *(end.certificate for end in self.ends)]
        return tuple(one for place, one in enumerate(found) if one is not None and one not in found[:place])

    def to_coq(self) -> str:
        """Return a file of Coq with a theorem for each certificate; `ntqr-exact proofs check` checks it."""
        return dependence_to_coq(self.certificates)

    def to_document(self) -> dict[str, Any]:
        """Return the ranges as a JSON document; certificates are documents of their own."""
        return {
            "correlation": self.correlation,
            "orders": list(self.orders),
            "better_than_chance": list(self.better),
            "named_by_most_right": bool(self.naming),
            "existence": self.existence.name.lower(),
            "ends": [end.to_document() for end in self.ends],
        }


@checked
def evaluate_within(
    votes: VoteCounts,
    correlation: RationalLike,
    *,
    better_than_chance: bool | Judge | Iterable[Judge] = True,
    orders: Iterable[int] = (2, 3),
    effort: RationalLike = 1,
) -> EvaluationWithin:
    """Return proven ranges of prevalence and accuracies over all keys whose correlations do not exceed a budget.

    `better_than_chance=True` takes the judge whose answers move most with the others' to answer the first label at
    least as often on its own questions as on all: one of a key and its mirror image meets that. Name one judge or more
    to take these instead, or say `False`. With three labels or more `True` means that the labels of each key are so
    named that most answers are right; with `False` every key counts under all names of its labels, and ranges say
    little. Where a range could not be bounded, its ends are limits. `effort` multiplies the work of each end.

    >>> votes = VoteCounts({"aaa": 4, "bbb": 4, "aab": 1, "bba": 1})
    >>> low, high = evaluate_within(votes, correlation="1/100").prevalence["a"]
    >>> low <= mpq(1, 2) <= high
    True

    Raises `BadNumber` for a negative budget, `BadVotes` for fewer than two judges, `EmptyTest` for no questions.
    """
    check_panel(votes)
    delta, wanted = rational(correlation), check_orders(orders)
    if delta < 0:
        raise BadNumber(correlation, "a budget of correlation is not negative")
    delta = min(delta, mpq(1))  # no correlation is greater
    more = rational(effort)
    if more <= 0:
        raise BadNumber(effort, "an effort is a positive number")
    check_work("ranges at so great an effort", int(2_000_000 * more))
    better = better_judges(votes, better_than_chance)
    naming = naming_conditions(votes) if better_than_chance is True and len(votes.labels) > 2 else ()
    problem = problem_of(votes, delta, wanted, naming, better)
    names = tuple(votes.judges[i] for i in better)
    known = dict.fromkeys(goals(votes), (mpq(0), mpq(1)))
    by_products = len(votes.labels) == 2 and 2 in wanted
    if by_products:
        known = _quick(quick_ranges(votes, delta, better_than_chance=names, orders=wanted))
    keys = _keys_within(votes, problem_of(votes, delta, wanted, (), better), is_named=bool(naming))
    document = excluded(votes, problem, more) if by_products and not keys else None
    search = _EndSearch(votes, problem, naming, keys, more)
    if document is None and search.paving.is_complete:
        document = certificate(votes, problem, naming, search.paving.root.document())
    existence = WithinBudget.EXISTS if keys else WithinBudget.UNDECIDED
    if document is not None:
        existence = WithinBudget.NONE
        every = product(goals(votes), (False, True))
        ends = [
            RangeEnd(goal, upper, RangeProof.NO_KEY, mpq(int(upper)), None, None, None)
            for goal, upper in every
        ]
    else:
        every = product(_distinct(votes), (False, True))
        ends = [search.end(goal, upper, known[goal][upper]) for goal, upper in every]
        if len(votes.labels) == 2:
            ends[2:2] = [_mirrored(end, votes.labels[1]) for end in (ends[1], ends[0])]
    return EvaluationWithin(votes, delta, wanted, names, naming, existence, tuple(ends), document)


def _quick(found: QuickRanges) -> dict[Objective, Pair]:
    """Return the quick ranges with ends of six digits, rounded outwards and one unit further: no key reaches them."""
    ranges = [found.prevalence[label] for label in found.votes.labels]
    for rates, right in zip(found.accuracy, found.overall, strict=True):
        ranges += [*(rates[label] for label in found.votes.labels), right]
    outer = [(mpq(ceil(a * _DIGITS) - 1, _DIGITS), mpq(floor(b * _DIGITS) + 1, _DIGITS)) for a, b in ranges]
    return dict(zip(goals(found.votes), ((max(mpq(0), a), min(mpq(1), b)) for a, b in outer), strict=True))


def goals(votes: VoteCounts) -> list[Objective]:
    """Return everything that has a range: the share of each label, each judge's accuracy on each label and on all."""
    return [Objective(label) for label in votes.labels] + [
        Objective(label, judge) for judge in votes.judges for label in (*votes.labels, None)
    ]


def _distinct(votes: VoteCounts) -> list[Objective]:
    """Return the goals less the share of the second of two labels, which is 1 less that of the first."""
    found = goals(votes)
    return found[:1] + found[2:] if len(votes.labels) == 2 else found


def _mirrored(end: RangeEnd, label: str) -> RangeEnd:
    attained = None if end.attained is None else 1 - end.attained
    goal, upper = Objective(label), not end.is_upper
    return RangeEnd(goal, upper, end.proof, 1 - end.proven, attained, end.witness, end.certificate)


def _keys_within(votes: VoteCounts, problem: Problem, *, is_named: bool) -> list[LabeledVoteCounts]:
    """Return keys within the budget: one that is little dependent, and some that reach far in each goal."""
    delta, labels = problem.delta, range(problem.labels)
    found = search_witness(problem, enough=delta if problem.labels == 2 else delta / 2)
    pool: list[Sequence[Sequence[int]]] = []
    if found is not None and found.value <= delta:
        pool.append(named_shares(votes, found.shares) if is_named else found.shares)
    for label in labels:
        whole = WholeKey(problem, key_by(problem, lambda _, k=label: k))  # type: ignore[misc]
        if whole.largest() <= delta and whole.meets():
            pool.append(whole.shares)
    if pool:
        reached = _keys_by_programs if problem.labels == 2 else _keys_by_moves
        pool += [shares for goal in _distinct(votes) for shares in reached(votes, problem, pool[0], goal)]
    return [key_of(votes, named_shares(votes, shares) if is_named else shares) for shares in pool]


def _keys_by_programs(
    votes: VoteCounts, problem: Problem, shares: Sequence[Sequence[int]], goal: Objective
) -> Iterator[list[list[int]]]:
    """Iterate over keys near fractional ones that programs in floats find as far as they go."""
    floats = FloatKeys(problem)
    unit = floats.rows.unit
    start = [[scaled(mpq(split[label], unit)) for split in shares] for label in range(problem.labels)]
    for sign in (-1, 1):
        key = start
        for _ in range(_ROUNDS if goal.judge is not None else 1):
            aim = _float_goal(floats, votes, goal, key, sign)
            key = floats.improved(key, goal=aim, delta=scaled(problem.delta))
        yield from within(problem, key, unit)


def _keys_by_moves(
    votes: VoteCounts, problem: Problem, shares: Sequence[Sequence[int]], goal: Objective
) -> Iterator[list[list[int]]]:
    """Iterate over keys that moves of single questions reach; with three labels or more programs take too long."""
    top, bottom = goal.gains(votes)
    for sign in (-1, 1):
        key = WholeKey(problem, shares)
        for _ in range(_ROUNDS if goal.judge is not None else 1):
            part, whole = (added_up(table, key.shares) for table in (top, bottom))
            if not whole:
                break
            gains = [
                [sign * (whole * a - part * b) for a, b in zip(*rows, strict=True)]
                for rows in zip(top, bottom, strict=True)
            ]
            key.stretch(gains, problem.delta, _STRETCHES)
        yield key.shares


def within(problem: Problem, key: FloatKey, unit: int = 1) -> list[list[list[int]]]:
    """Return whole keys within the budget near a fractional one; if roundings are not, one that was improved."""
    found, nearest = [], None
    for shares in islice(rounded_keys(problem, key, unit), _ROUNDINGS):
        whole = WholeKey(problem, shares)
        value = whole.largest()
        if value <= problem.delta and whole.meets():
            found.append(whole.shares)
        if nearest is None or value < nearest[0]:
            nearest = (value, whole)
    if not found and nearest is not None:
        whole = nearest[1]
        if whole.improve(most=3000, enough=problem.delta) <= problem.delta and whole.meets():
            found.append(whole.shares)
    return found


def _float_goal(floats: FloatKeys, votes: VoteCounts, goal: Objective, key: FloatKey, sign: int) -> ByLabel:
    """Return the goal in floats: its numerator less its present value times its denominator."""
    top, bottom = (
        [[scaled(sign * gain) for gain in by_pattern] for by_pattern in zip(*table, strict=True)]
        for table in goal.gains(votes)
    )
    size = floats.gain(bottom, key)
    now = floats.gain(top, key) / size if size and goal.judge is not None else 0
    return [[a - now * b for a, b in zip(*parts, strict=True)] for parts in zip(top, bottom, strict=True)]


class _EndSearch:
    """The search for proofs of ends: the tree that covers all keys within the budget, and what is left to do."""

    def __init__(
        self,
        votes: VoteCounts,
        problem: Problem,
        naming: tuple[Condition, ...],
        keys: Sequence[LabeledVoteCounts],
        effort: mpq,
    ) -> None:
        self.votes, self.problem, self.naming, self.keys = votes, problem, naming, keys
        two = problem.labels == 2
        work = len(problem.counts) * len(FloatRows(problem).names)
        most_parts, most_work = _TWO_LABELS if two else _MORE_LABELS
        few = max(1 if two else _FEW, min(most_work // work, 4 * votes.size))
        self.nodes = max(1, int(effort * min(most_parts, few)))
        self.paving = refute(problem, nodes=max(1, int(effort * min(_PAVING, few))), evenly=True)

    def end(self, goal: Objective, upper: bool, known: mpq) -> RangeEnd:
        """Prove one end: what is known at once, then by boxes, far beyond what keys attain and ever nearer."""
        valued = [(goal.value(key), place) for place, key in enumerate(self.keys)]
        values = [(value, place) for value, place in valued if value is not None]
        attained, place = (max(values) if upper else min(values)) if values else (None, None)
        witness = None if place is None else self.keys[place]
        limit = mpq(int(upper))
        proof = RangeProof.LIMIT if known == limit else RangeProof.PRODUCTS
        proven, tree, nodes = known, self.paving.root.copy(), self.nodes
        base = attained if attained is not None else 1 - limit
        shown: Mapping[str, Any] | None = None
        for gap in _GAPS:
            number = base + gap if upper else base - gap
            if nodes <= 0 or not 0 < number < 1 or (number >= proven if upper else number <= proven):
                continue
            stronger, conditions = self._beyond(goal, number, above=upper)
            search = refute(stronger, nodes=nodes, start=tree.copy())
            if not search.is_complete:
                break
            tree, proven, proof = search.root, number, RangeProof.BOXES
            nodes -= search.nodes
            shown = certificate(self.votes, stronger, conditions, tree.document())
        if proof is RangeProof.PRODUCTS:
            stronger, conditions = self._beyond(goal, proven, above=upper)
            shown = certificate(self.votes, stronger, conditions, {"products": CELLS})
        return RangeEnd(goal, upper, proof, proven, attained, witness, shown)

    def _beyond(self, goal: Objective, number: mpq, *, above: bool) -> tuple[Problem, tuple[Condition, ...]]:
        """Return the problem of keys within the budget that reach a number, and its conditions."""
        conditions = (*self.naming, *goal.beyond(self.votes, number, above=above))
        problem = self.problem
        return problem_of(self.votes, problem.delta, problem.orders, conditions, problem.better), conditions


def nested(found: Sequence[EvaluationWithin]) -> tuple[EvaluationWithin, ...]:
    """Return ranges of the same votes, none wider than that at a larger budget, in the order given.

    An end that proves less than that of a larger budget is replaced by it, with its proof: it excludes more keys than
    it has to. Only ranges with the same orders and the same judges no worse than chance are compared.

    >>> nested(())
    ()
    """
    return tuple(replace(one, ends=tuple(_narrowest(end, one, found) for end in one.ends)) for one in found)


def _narrowest(end: RangeEnd, within: EvaluationWithin, found: Sequence[EvaluationWithin]) -> RangeEnd:
    best = end
    for other in found:
        comparable = (other.votes, other.orders, other.better) == (within.votes, within.orders, within.better)
        if not comparable or other.correlation <= within.correlation:
            continue
        for wider in other.ends:
            is_same = wider.goal == end.goal and wider.is_upper == end.is_upper
            if is_same and (wider.proven < best.proven if end.is_upper else wider.proven > best.proven):
                best = replace(end, proof=wider.proof, proven=wider.proven, certificate=wider.certificate)
    return best
