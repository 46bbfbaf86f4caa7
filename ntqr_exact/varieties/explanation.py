"""Why an evaluation is consistent with the votes, or which postulates it breaks and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.group import from_splits
from ntqr_exact.varieties.pair_bounds import PairBounds
from ntqr_exact.varieties.reachable import reachable_sums
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.varieties.verdict import Accepted, Breach, Refused, Verdict
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import join_pattern

KEY_COUNTS = Citation("ntqr", "eq. 1")
_SAME_TEST = Citation("ntqr", "section 1")
SINGLE = Citation("ntqr", "eqs. 11 and 12")
PAIR = Citation("ntqr", "eqs. 26a to 26d, in counts")
TRIO = Citation("ntqr", "section 5, the eight postulates of a trio, in counts")
_ENSEMBLE = Citation("ntqr", "section 5, the complete postulates of an ensemble, in counts")


def explain_group(votes: VoteCounts, graded: LabeledVoteCounts) -> Verdict:
    """Test the response postulates of a group evaluation: Σ_l R^l_v = c_v for every pattern v."""
    votes.without_gaps("a consistent set")
    graded.without_gaps("a consistent set")
    if (graded.labels, graded.judges) != (votes.labels, votes.judges):
        return Refused((other_test(),))
    citation = {1: SINGLE, 2: PAIR, 3: TRIO}.get(len(votes.judges), _ENSEMBLE)
    observed = graded.observed()
    breaches = []
    for pattern in votes.patterns():
        seen = votes.counts[pattern]
        if residual := observed.counts[pattern] - seen:
            answers = f"the questions with the answers {join_pattern(pattern)}"
            words = f"{answers} add up over the true labels to the {seen} observed"
            breaches.append(Breach(words, mpq(residual), citation))
    return Refused(tuple(breaches)) if breaches else Accepted(graded)


def explain_individual(votes: VoteCounts, evaluation: CountEvaluation) -> Verdict:
    """Decide whether an answer key gives the judges these confusions: one judge, pairs, trios, all.

    The postulates of the fewest judges that fail are reported. Each step is a necessary condition, and
    the last one, with all judges in it, is exact in whole numbers.
    """
    votes.without_gaps("a consistent set")
    if evaluation.labels != votes.labels or len(evaluation.confusion) != len(votes.judges):
        return Refused((other_test(),))
    if residual := evaluation.size - votes.size:
        words = f"the key counts add up to the {votes.size} questions"
        return Refused((Breach(words, mpq(residual), KEY_COUNTS),))
    for find in (_single_breaches, _pair_breaches, _trio_breaches):
        if breaches := tuple(find(votes, evaluation)):
            return Refused(breaches)
    return _decide(votes, evaluation)


def _decide(votes: VoteCounts, evaluation: CountEvaluation) -> Verdict:
    """Build a witness, having seen no breach of single, pair or trio postulates."""
    judges = len(votes.judges)
    if judges == 1:
        splits = [
            tuple(evaluation.confusion[0][label][given] for label in votes.labels)
            for (given,) in votes.counts
        ]
    elif len(votes.labels) == 2 and judges <= 3:
        key, right = first_label_point(evaluation)
        if judges == 2:
            e, _ = PairBounds.of(votes, 0, 1).joint_interval(key, *right)
            chosen: tuple[int, ...] = (e, right[0] - e, right[1] - e, key - sum(right) + e)
        else:
            trio = TrioDecision.of(votes)
            chosen = trio.witness(key, right, trio.joint_interval(key, right).whole_low)
        of_first = dict(zip(votes.patterns(), chosen, strict=True))
        splits = [(of_first[pattern], count - of_first[pattern]) for pattern, count in votes.counts.items()]
    else:
        reachable = reachable_sums(votes)
        if not reachable.holds(evaluation):
            breach = Breach("some answer key gives all judges these confusions", mpq(1), _ENSEMBLE)
            return Refused((breach,))
        splits = reachable.splits(evaluation)
    return Accepted(from_splits(votes.labels, votes.judges, votes.counts, splits))


def first_label_point(evaluation: CountEvaluation) -> tuple[int, tuple[int, ...]]:
    """Return Q_a and the right answers s_i = R^a_{a_i} on the first of two labels."""
    first = evaluation.labels[0]
    return evaluation.key_counts[first], tuple(right[first] for right in evaluation.correct)


def _single_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    for judge, confusion in zip(votes.judges, evaluation.confusion, strict=True):
        for given, seen in votes.responses(judge).items():
            if residual := sum(row[given] for row in confusion.values()) - seen:
                words = f"the answers {given!r} of judge {judge!r} add up over the true labels to {seen}"
                yield Breach(words, mpq(residual), SINGLE)


def _pair_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    """Find pairs whose right answers s_1, s_2 on the first of two labels no split of the pair gives."""
    if len(votes.labels) != 2:
        return
    a, b = votes.labels
    key, right = first_label_point(evaluation)
    for i, j in combinations(range(len(right)), 2):
        seen = PairBounds.of(votes, i, j)
        first, second = (f"R^{a}_{a}[{votes.judges[place]}]" for place in (i, j))
        for words, excess in (
            (f"{first} + {second} ≤ Q_{a} + N_{a}{a}", right[i] + right[j] - key - seen.aa),
            (f"{first} + {second} ≥ Q_{a} − N_{b}{b}", key - seen.bb - right[i] - right[j]),
            (f"{first} − {second} ≤ N_{a}{b}", right[i] - right[j] - seen.ab),
            (f"{second} − {first} ≤ N_{b}{a}", right[j] - right[i] - seen.ba),
        ):
            if excess > 0:
                yield Breach(words, mpq(excess), PAIR)


def _trio_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    if len(votes.labels) != 2:
        return
    key, right = first_label_point(evaluation)
    for places in combinations(range(len(right)), 3):
        trio = TrioDecision.of(votes.marginal(*places))
        interval = trio.joint_interval(key, [right[place] for place in places])
        if interval.holds_a_whole_number:
            continue
        first, second, third = (votes.judges[place] for place in places)
        of_first = f"the {votes.labels[0]!r} questions on which {first!r} and {second!r} are both right"
        joint = f"{of_first} are, given {third!r},"
        bounds, residual = (
            f"at least {interval.low} and at most {interval.high}",
            interval.low - interval.high,
        )
        if interval.holds_a_number:
            bounds = (
                f"between {interval.low} and {interval.high}: no whole number, though a fraction would do"
            )
            residual = mpq(interval.whole_low - interval.whole_high)
        yield Breach(f"{joint} {bounds}; this", residual, TRIO)


def other_test() -> Breach:
    """Return the breach of an evaluation that does not speak of the labels and judges of the votes."""
    return Breach("the labels and judges are those of the votes", mpq(1), _SAME_TEST)
