"""Judges whose votes do not identify their rates: is there an answer key all the same?

The key is searched for among the sums of product tables, one for each label: in closed form for two labels, with
a budget of steps for more. A proof that there is none, a key, or "undecided" are three different answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, permutations

from gmpy2 import mpq

from ntqr_exact.alarms.alarm import Alarm, AlarmKind
from ntqr_exact.evaluators.independent.independent_solution import Identification, IndependentSolution
from ntqr_exact.evaluators.independent.key_search import HighRank, find_parts, high_rank
from ntqr_exact.evaluators.independent.product_tables import OutOfWork, Table, WorkBudget, margins, table_of
from ntqr_exact.linear.assignment import best_assignment
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def solve_unidentified(
    votes: VoteCounts, why: Alarm, *, effort: int, relabelings: bool = False
) -> IndependentSolution:
    """Return a key, the alarms that prove that there is none, or that it is undecided after `effort` steps."""
    table = table_of(votes)
    labels = len(votes.labels)
    family = partial(IndependentSolution, votes, Identification.FAMILY)
    too_high = high_rank(table, labels) if labels > 2 else None
    if too_high is not None:
        return family(findings=(why, _too_high(votes, too_high)))
    work = WorkBudget(effort)
    try:
        parts = find_parts(table, labels, work)
    except OutOfWork:
        return family(findings=(why,), undecided_at=effort)
    if parts is None:
        proof = _two_labels(votes) if labels == 2 else _searched(work.spent)
        return family(findings=(why, proof))
    note = f"The judges are not identified ({why.words}); a key that fits is given, one of several."
    return family(keys=tuple(_keys(votes, parts, everything=relabelings)), notes=(note,))


def _keys(votes: VoteCounts, parts: list[Table], *, everything: bool) -> Iterator[LabeledVoteCounts]:
    """Yield the parts under the names of the labels, the most right answers first; all ways or the first."""
    tables = [*parts, *({} for _ in votes.labels[len(parts) :])]
    given = [margins(part) if part else [] for part in tables]
    right = [
        [sum(answers.get(label, 0) for answers in by_judge) for by_judge in given]
        for label in range(len(tables))
    ]
    for order in label_orders(right, everything=everything):
        split = {}
        for label, part in zip(votes.labels, order, strict=True):
            counts = {tuple(votes.labels[answer] for answer in each): n for each, n in tables[part].items()}
            split[label] = VoteCounts(counts, votes.labels, votes.judges)
        yield LabeledVoteCounts(split)


def label_orders(right: Sequence[Sequence[int | mpq]], *, everything: bool) -> list[tuple[int, ...]]:
    """Return which part is which label, the order with the most right answers first; all, or the best of many labels.

    `right[label][part]` tells how often the judges would be right.
    """
    if len(right) > 2 and not everything:
        return [best_assignment(right)]
    orders = permutations(range(len(right)))
    return sorted(
        orders, key=lambda order: (-sum(row[part] for row, part in zip(right, order, strict=True)), order)
    )


# -- proofs ------------------------------------------------------------------------------------------


def _too_high(votes: VoteCounts, found: HighRank) -> Alarm:
    names = ", ".join(votes.judges[judge] for judge in found.judges)
    return Alarm(
        AlarmKind.RANK_TOO_HIGH,
        f"the answers of {names} against those of the others make a matrix of rank {found.rank}, but with "
        f"independent errors on {len(votes.labels)} labels it is at most {len(votes.labels)}",
        {"judges": names, "rank": found.rank, "labels": len(votes.labels)},
    )


def _searched(steps: int) -> Alarm:
    words = (
        f"a complete search of {steps} steps finds no counts of independent judges, one table for each label, "
        "that add up to the votes"
    )
    return Alarm(AlarmKind.NO_KEY_IN_FAMILY, words, {"steps": steps})


def _two_labels(votes: VoteCounts) -> Alarm:
    """Return the proof for two labels: what the pair moments force, against what was seen.

    Here each pair of judges has Δ = 0, or all others answer independently of it. Δ_ij = P_aP_b d_i d_j, so that two
    pairs with Δ ≠ 0 would make all four judges have d ≠ 0, and no Δ between them vanish. With one such pair
    or none, all others have d = 0 (or but one judge has not, or there is one label): the votes are those of the
    pair times the rates of the others. Then a key exists: let a judge of the pair always be right. So without a
    key some count differs from this product.
    """
    moments = {(i, j): votes.pair_moment(i, j) for i, j in combinations(range(len(votes.judges)), 2)}
    telling = [pair for pair, value in moments.items() if value]
    if len(telling) > 1:
        (i, j), (k, m) = telling[:2]
        crossed = next(
            (left, right)
            for left, right in (sorted((x, y)) for x in (i, j) for y in (k, m) if x != y)
            if moments[left, right] == 0
        )
        return Alarm(
            AlarmKind.CONTRADICTION,
            f"Δ of {_named(votes, (i, j))} is {moments[i, j]} and Δ of {_named(votes, (k, m))} is {moments[k, m]}, "
            f"so all of these judges tell the labels apart, but Δ of {_named(votes, crossed)} is 0",
            {f"pair_moment_{x + 1}{y + 1}": moments[x, y] for x, y in ((i, j), (k, m), crossed)},
        )
    pair = telling[0] if telling else ()
    joint = votes.marginal(*pair) if pair else None
    # Both sides add up to Q, so that some pattern that was seen shows the difference.
    for pattern, seen in votes.counts.items():
        expected = (
            mpq(votes.size) if joint is None else mpq(joint.counts[tuple(pattern[judge] for judge in pair)])
        )
        for judge, label in enumerate(pattern):
            if judge not in pair:
                expected *= votes.response_rate(judge, label)
        if expected != seen:
            answers = ", ".join(pattern)
            together = f"all but {_named(votes, pair)} are" if pair else "all are"
            return Alarm(
                AlarmKind.NOT_REPRODUCED,
                f"the pair moments force that {together} independent of the rest: the answers {answers} would be "
                f"given {expected} times, but were {seen} times",
                {"pattern": answers, "seen": seen, "expected": expected},
            )
    raise RuntimeError("votes that are such a product have a key")


def _named(votes: VoteCounts, pair: tuple[int, ...]) -> str:
    return " and ".join(votes.judges[judge] for judge in pair)
