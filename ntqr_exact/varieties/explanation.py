"""Why an evaluation is consistent with the votes, or which postulates it breaks and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.group import Split, from_splits
from ntqr_exact.varieties.pair_bounds import PairBounds
from ntqr_exact.varieties.reachable import reachable_sums
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.varieties.verdict import Accepted, Breach, Refused, Verdict
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import join_pattern

KEY_COUNTS = Citation("ntqr", "eq. 1")
SINGLE = Citation("ntqr", "eqs. 11 and 12")
PAIR = Citation("ntqr", "eqs. 26a to 26d, in counts")
TRIO = Citation("ntqr", "section 5, the eight postulates of a trio, in counts")
_ENSEMBLE = Citation("ntqr", "section 5, the complete postulates of an ensemble, in counts")
OTHER_TEST = Breach("the labels and judges are those of the votes", mpq(1), Citation("ntqr", "section 1"))


def explain_group(votes: VoteCounts, graded: LabeledVoteCounts) -> Verdict:
    """Test the response postulates of a group evaluation: Σ_l R^l_v = c_v for every pattern v, with gaps or not."""
    if (graded.labels, graded.judges) != (votes.labels, votes.judges):
        return Refused((OTHER_TEST,))
    citation = {1: SINGLE, 2: PAIR, 3: TRIO}.get(len(votes.judges), _ENSEMBLE)
    observed = graded.observed().counts
    breaches = []
    for pattern in dict.fromkeys((*votes.counts, *observed)):
        seen = votes.counts[pattern]
        if residual := observed[pattern] - seen:
            answers = f"the questions with the answers {join_pattern(pattern)}"
            message = f"{answers} add up over the true labels to the {seen} observed"
            breaches.append(Breach(message, mpq(residual), citation))
    return Refused(tuple(breaches)) if breaches else Accepted(graded)


def explain_individual(votes: VoteCounts, evaluation: CountEvaluation) -> Verdict:
    """Decide whether an answer key gives the judges these confusions: one judge, pairs, trios, all.

    The postulates of the fewest judges that fail are reported. Each step is a necessary condition, and
    the last one, with all judges in it, is exact in whole numbers.
    """
    votes.without_gaps("an individual evaluation")
    if evaluation.labels != votes.labels or len(evaluation.confusion) != len(votes.judges):
        return Refused((OTHER_TEST,))
    if residual := evaluation.size - votes.size:
        message = f"the key counts add up to the {votes.size} questions"
        return Refused((Breach(message, mpq(residual), KEY_COUNTS),))
    for find in (_single_breaches, _pair_breaches, _trio_breaches):
        if breaches := tuple(find(votes, evaluation)):
            return Refused(breaches)
    judges = len(votes.judges)
    splits: list[Split]
    if judges == 1:
        (rows,) = evaluation.confusion
        splits = [tuple(rows[label][given] for label in votes.labels) for (given,) in votes.counts]
    elif len(votes.labels) == 2 and judges <= 3:
        key, right = first_label_point(evaluation)
        if judges == 2:
            e, _ = PairBounds.of(votes, 0, 1).joint_interval(key, *right)
            chosen: tuple[int, ...] = (e, right[0] - e, right[1] - e, key - sum(right) + e)
        else:
            trio = TrioDecision.of(votes)
            chosen = trio.witness(key, right, trio.joint_interval(key, right).whole[0])
        of_first = dict(zip(votes.patterns(), chosen, strict=True))
        splits = [(of_first[pattern], count - of_first[pattern]) for pattern, count in votes.counts.items()]
    else:
        found = reachable_sums(votes).splits(evaluation)
        if found is None:
            return Refused((Breach("some answer key gives all judges these confusions", mpq(1), _ENSEMBLE),))
        splits = found
    return Accepted(from_splits(votes.labels, votes.judges, votes.counts, splits))


def first_label_point(evaluation: CountEvaluation) -> tuple[int, tuple[int, ...]]:
    """Return Q_a and the right answers s_i = R^a_{a_i} on the first of two labels."""
    first = evaluation.labels[0]
    return evaluation.key_counts[first], tuple(right[first] for right in evaluation.correct)


def _single_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    for judge, confusion in zip(votes.judges, evaluation.confusion, strict=True):
        for given, seen in votes.responses(judge).items():
            if residual := sum(row[given] for row in confusion.values()) - seen:
                message = f"the answers {given!r} of judge {judge!r} add up over the true labels to {seen}"
                yield Breach(message, mpq(residual), SINGLE)


def _pair_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    """Find pairs whose right answers s_1, s_2 on the first of two labels no split of the pair gives."""
    if len(votes.labels) != 2:
        return
    a, b = votes.labels
    key, right = first_label_point(evaluation)
    for i, j in combinations(range(len(right)), 2):
        seen = PairBounds.of(votes, i, j)
        first, second = (f"R^{a}_{a}[{votes.judges[place]}]" for place in (i, j))
        for message, excess in (
            (f"{first} + {second} ≤ Q_{a} + N_{a}{a}", right[i] + right[j] - key - seen.aa),
            (f"{first} + {second} ≥ Q_{a} − N_{b}{b}", key - seen.bb - right[i] - right[j]),
            (f"{first} − {second} ≤ N_{a}{b}", right[i] - right[j] - seen.ab),
            (f"{second} − {first} ≤ N_{b}{a}", right[j] - right[i] - seen.ba),
        ):
            if excess > 0:
                yield Breach(message, mpq(excess), PAIR)


def _trio_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    if len(votes.labels) != 2:
        return
    key, right = first_label_point(evaluation)
    for places in combinations(range(len(right)), 3):
        interval = TrioDecision.of(votes.marginal(*places)).joint_interval(key, [right[p] for p in places])
        if not interval.whole:
            names = ", ".join(repr(votes.judges[place]) for place in places)
            how = f", though {interval.low} would be" if interval.holds_a_number else ""
            message = f"a number of {votes.labels[0]!r} questions with the first two of {names} right is possible{how}"
            yield Breach(f"{message}; this", mpq(1), TRIO)
