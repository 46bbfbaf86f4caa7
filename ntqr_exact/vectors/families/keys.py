"""Votes with an answer key, known or by majority: grades, error correlations and dependence."""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq

from ntqr_exact.dependence.measure import dependence_of, total_variation
from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import Evaluation, Undefined, rational_rate
from ntqr_exact.evaluators.agreement_solution import independence_defect as defect_of
from ntqr_exact.evaluators.grade import grade as grade_of
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.vectors.family import Document, family
from ntqr_exact.vectors.inputs import Draws, key_of, subsets, votes_of
from ntqr_exact.votes.counts import VoteCounts

_SHAPES = (("ab", 3), ("ab", 2), ("abc", 2), ("ab", 4), ("abc", 3))
_POLICIES = tuple(policy.value for policy in TiePolicy)


def _with_key(draws: Draws, index: int) -> Document:
    labels, judges = draws.pick(_SHAPES)
    return _keyed(draws, index, labels, judges)


def _keyed(draws: Draws, index: int, labels: str, judges: int) -> Document:
    width = len(labels) ** judges
    counts = draws.counts(2 + index // 2 + draws.below(6), width * len(labels))
    rows = [counts[start : start + width] for start in range(0, len(counts), width)]
    return {"labels": list(labels), "judges": judges, "counts_by_key": rows}


def _rate(value: Any) -> Any:
    return "undefined" if isinstance(value, Undefined) else value


@family("ntqr: eq. 24", "ntqr: eq. 25", draw=_with_key)
def grade(labels: Any, judges: Any, counts_by_key: Any) -> Document:
    """Grading by an answer key: rates and error correlations.

    The input gives the labels, the number N of judges and, for each true label in the order of the labels, a list of
    counts: how many questions with this true label got each of the R^N patterns, in lexicographic order with the last
    judge changing fastest (for two labels and three judges: aaa aab aba abb baa bab bba bbb). A count is a whole
    number that is not negative; one beyond 2^53 is a text. An input has one fault at most.

    Refuse as bad-votes unless each label has a list with a count of each pattern; as bad-number a
    negative count; as empty-test if all counts are zero. Q_l is the sum of the counts of the true label l, and Q the
    sum of all Q_l. prevalence: Q_l/Q for each label l, in order.

    response_rates: for each judge, for each true label l, for each label k in order, the share of the Q_l questions to
    which the judge answered k. Where Q_l = 0, each of these is the word undefined. The accuracy p_i of judge i on
    label l is its rate of answers l there. On a question of label l let u_i = 1 − p_i if the judge is right (answers
    l) and −p_i if not; with more than two labels all wrong answers are alike.

    pair_correlations: for each true label l, a list with a number for each pair of judges i < j, in the order 12, 13,
    …, 23, …: the mean of u_i·u_j over the Q_l questions; the word undefined where Q_l = 0. trio_correlations: for each
    true label, a list with a number for each trio i < j < k, in lexicographic order: the mean of u_i·u_j·u_k; the word
    undefined where Q_l = 0. With fewer than two, or three, judges the lists of pairs, or trios, are empty.
    """
    result = grade_of(key_of(labels, judges, counts_by_key), order=3)
    pairs, trios = (
        [[_rate(result.correlations[label, group]) for group in subsets(judges, size)] for label in labels]
        for size in (2, 3)
    )
    return {
        "prevalence": [_rate(result.prevalence[label]) for label in labels],
        "response_rates": [
            [[_rate(rates[true][given]) for given in labels] for true in labels]
            for rates in result.response_rates
        ],
        "pair_correlations": pairs,
        "trio_correlations": trios,
    }


def _ties(draws: Draws, index: int) -> Document:
    return {**draws.votes(2 + index // 2, _SHAPES), "ties": draws.pick(_POLICIES)}


@family("ntqr: section 5", "ntqr: eq. 24", draw=_ties)
def majority(labels: Any, judges: Any, counts: Any, ties: Any) -> Document:
    """Grading by majority vote.

    {votes}
    ties names what happens where several labels have the most votes: refuse, first-label, last-label or first-judge.
    An input has one fault at most. Refuse as bad-votes unless each pattern has a count and ties is one of
    these four words; as bad-number a negative count; as empty-test if all counts are zero; and as bad-votes if ties is
    refuse and a pattern with a count above zero has a tie.

    The key gives each pattern the label that most judges gave. Where several labels have the most votes, the questions
    of this pattern are tied, and the key gives the first of these labels in the order of the labels (first-label), the
    last of them (last-label), or the one among them that comes first in the pattern, judges in order (first-judge).

    tied_questions: how many questions are tied. key_counts: how many questions the key gives each label, in order.
    Both are whole numbers written as texts.

    if_right: the judges graded by this key. prevalence: the share of the questions of each label. accuracies: for each
    judge and each label l the share of the questions of l to which it answered l. pair_correlations: for each label l,
    for each pair of judges i < j in the order 12, 13, …, 23, …: the share of the questions of l on which both answered
    l, less the product of their accuracies on l. Where the key has no questions of a label, its accuracies and
    correlations are the word undefined.

    if_wrong: with two labels, the same grades by the opposite key, that gives every question the other label; with
    more labels, null.
    """
    if ties not in _POLICIES:
        raise BadVotes(ties, f"ties must be one of {', '.join(_POLICIES)}")
    result = majority_vote(votes_of(labels, judges, counts), ties=ties)
    opposite = result.reversed_evaluation
    return {
        "tied_questions": str(result.ties),
        "key_counts": [str(count) for count in result.key.key_counts.values()],
        "if_right": _graded(result.evaluation),
        "if_wrong": None if opposite is None else _graded(opposite),
    }


def _graded(result: Evaluation) -> Document:
    labels, pairs = result.labels, subsets(len(result.accuracy), 2)
    return {
        "prevalence": [_rate(result.prevalence[label]) for label in labels],
        "accuracies": [[_rate(right[label]) for label in labels] for right in result.accuracy],
        "pair_correlations": [
            [_rate(result.correlations[label, pair]) for pair in pairs] for label in labels
        ],
    }


@family("ntqr: eqs. 31 and 32", draw=lambda draws, index: _keyed(draws, index + 2, "ab", draws.between(2, 4)))
def independence_defect(labels: Any, judges: Any, counts_by_key: Any) -> Document:
    """By how much error rates fail to multiply over the whole test.

    The input gives two labels a and b, the number N of judges and, for each of the two true labels, a list of counts:
    how many questions with this true label got each of the 2^N patterns, in lexicographic order with the last judge
    changing fastest (for three judges: aaa aab aba abb baa bab bba bbb). A count is a whole number that is not
    negative; one beyond 2^53 is a text. An input has one fault at most.

    Refuse as bad-votes unless each label has a list with a count of each pattern; as bad-number a
    negative count; as empty-test if one of the labels, or both, have no questions. A judge errs on a question if its
    answer is not the true label. Lists over pairs of judges i < j are in the order 12, 13, …, 23, … error_rates: for
    each judge the share e_i of all Q questions on which it errs.

    defects: for each pair e_ij − e_i·e_j, where e_ij is the share of all questions on which both err. within: for each
    pair P_a·Γ^a_ij + P_b·Γ^b_ij, where P_l is the share of the questions with true label l, and Γ^l_ij is, among
    these, the share on which both are right less the product of the shares on which each is.

    between: for each pair P_a·P_b·(x_i − y_i)·(x_j − y_j), where x_i and y_i are the shares of right answers of judge
    i on the questions of a and of b. The defect is always the sum of within and between: errors may be independent on
    each label (within is 0) and error rates still not multiply.
    """
    key = key_of(labels, judges, counts_by_key)
    result, pairs = grade_of(key, order=2), subsets(judges, 2)
    counts: dict[tuple[str, ...], int] = {}
    for label, votes in key.by_label.items():
        for pattern, count in votes.counts.items():
            said = tuple("right" if given == label else "wrong" for given in pattern)
            counts[said] = counts.get(said, 0) + count
    errors = VoteCounts(counts, ["right", "wrong"], key.judges)
    share = {label: rational_rate(result.prevalence[label]) for label in labels}
    return {
        "error_rates": [errors.response_rate(judge, "wrong") for judge in range(judges)],
        "defects": [errors.pair_moment(*pair, label="wrong") for pair in pairs],
        "within": [
            sum((share[label] * rational_rate(result.correlations[label, pair]) for label in labels), mpq(0))
            for pair in pairs
        ],
        "between": [defect_of(result, *pair) for pair in pairs],
    }


@family("ntqr: eq. 24", "ntqr: eq. 25", draw=_with_key)
def key_dependence(labels: Any, judges: Any, counts_by_key: Any) -> Document:
    """The dependence of a key: its largest error correlation.

    The input gives the labels, the number N of judges and, for each true label in the order of the labels, a list of
    counts: how many questions with this true label got each of the R^N patterns, in lexicographic order with the last
    judge changing fastest. A count is a whole number that is not negative; one beyond 2^53 is a text. An input has one
    fault at most.

    Refuse as bad-votes unless each label has a list with a count of each pattern, and for fewer than
    two judges; as bad-number a negative count; as empty-test if all counts are zero.

    Labels without questions are left out. For a true label l with Q_l > 0 questions, judges i < j and answers r and s,
    Γ(r, s) = (share of the Q_l questions with answers r and s) − (share with r)·(share with s). For judges i < j < k
    and answers r, s, t it is the mean of the product of three numbers: 1 − share if the judge gave its answer, −share
    if not. With two labels all answers have the same |Γ|.

    pairs: the largest |Γ| over all labels, pairs of judges and answers. trios: the largest over all labels, trios and
    answers, 0 for two judges. largest: the larger of the two. one_label: whether only one label has questions.
    total_variation: the sum over the labels of Q_l/Q times half the sum, over all R^N patterns, of |share of the
    pattern among the Q_l questions − product of the judges' shares of its answers|.
    """
    key = key_of(labels, judges, counts_by_key)
    pairs, trios = (dependence_of(key, (order,)) for order in (2, 3))
    return {
        "pairs": pairs.largest,
        "trios": trios.largest,
        "largest": max(pairs.largest, trios.largest),
        "one_label": sum(map(bool, key.key_counts.values())) == 1,
        "total_variation": total_variation(key),
    }
