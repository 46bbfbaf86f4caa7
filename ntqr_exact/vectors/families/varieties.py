"""What votes allow: possible and consistent evaluations, correlations, and the nearest evaluation."""

from __future__ import annotations

from typing import Any

from ntqr_exact.evaluation import Evaluation, Undefined
from ntqr_exact.exact.json_text import decode_number
from ntqr_exact.exact.show import whole_text
from ntqr_exact.varieties.closed_forms import TrioDecision
from ntqr_exact.varieties.compositions import PossibleSet
from ntqr_exact.varieties.consistent import ConsistentSet, PairPoint
from ntqr_exact.varieties.membership import KEY_COUNTS, PAIR, SINGLE, TRIO, first_label_point
from ntqr_exact.vectors.family import Document, family
from ntqr_exact.vectors.inputs import Draws, evaluation_of, votes_of
from ntqr_exact.votes.counts import VoteCounts

_NONE = "no-questions"


def _one_judge(draws: Draws, index: int) -> Document:
    labels = list("abcd"[: draws.between(2, 4)])
    size = 1 + (index * index // 10 if len(labels) == 2 else min(index // 5, 20))
    responses, key = draws.counts(size, len(labels)), draws.counts(size, len(labels))
    return {"labels": labels, "responses": responses, "key_counts": key}


@family("ntqr: eq. 16", "ntqr: eq. 17", draw=_one_judge)
def possible_single(labels: Any, responses: Any, key_counts: Any) -> Document:
    """Possible and consistent evaluations of one judge.

    The input gives R labels, how often the judge answered each of them (responses), and how many questions have each
    of them as their true label (key_counts), all in the order of the labels. Refuse as bad-number a response that is
    negative; as bad-key-counts key counts of which one is negative or whose sum is not Q, the sum of the responses. No
    questions at all, Q = 0, is a valid case.

    An evaluation is an R by R table of counts that are not negative: how many questions with each true label got each
    answer. C(n, k) is the binomial coefficient. All four results are whole numbers, written as texts. possible: the
    tables of any Q questions, C(Q + R² − 1, R² − 1). possible_at: the tables with these key counts Q_l, the product
    over the labels l of C(Q_l + R − 1, R − 1).

    consistent: the tables with these responses R_l, whatever the key counts: the product over the labels l of C(R_l +
    R − 1, R − 1). consistent_at: the tables with these responses and these key counts. For R = 2 it is min(Q_a, R_a) −
    max(0, Q_a − R_b) + 1 if that is positive, and it always is. For larger R: for each answer l, in turn, distribute
    its R_l questions over the true labels in every way, and count the ways that use up the key counts exactly.
    """
    given = {(label,): count for label, count in zip(labels, responses, strict=True)}
    votes, at = VoteCounts(given, labels, ["J1"]), dict(zip(labels, key_counts, strict=True))
    possible, consistent = PossibleSet(votes.size, labels=labels), ConsistentSet(votes)
    return {
        "possible": str(possible.count()),
        "possible_at": str(possible.count_at(at)),
        "consistent": str(consistent.count()),
        "consistent_at": str(consistent.count_at(at)),
    }


def _any_key(draws: Draws, index: int) -> Document:
    labels, judges = draws.pick((("ab", 5), ("ab", 2), ("abc", 3), ("abcd", 2)))
    size = index if len(labels) == 2 else min(index // 4, 24)
    key = draws.counts(size, len(labels))
    return {"labels": list(labels), "judges": draws.between(1, judges), "questions": size, "key_counts": key}


@family("ntqr: eq. 17", draw=_any_key)
def possible_group(labels: Any, judges: Any, questions: Any, key_counts: Any) -> Document:
    """Possible evaluations of several judges.

    The input gives R labels, the number N of judges, the number Q of questions, and how many questions have each label
    as their true label (key_counts, in the order of the labels). Refuse as bad-number a negative Q; as bad-votes less
    than one judge, fewer than two labels, a label that is empty or given twice; then as bad-key-counts key counts of
    which one is negative or whose sum is not Q. Q = 0 is a valid case.

    A group evaluation says for each true label and each of the R^N patterns of answers how many questions have them.
    An individual evaluation says for each true label, each judge and each answer how many questions have them: what is
    left of a group evaluation if only one judge at a time is considered. C(n, k) is the binomial coefficient. All
    results are whole numbers, written as texts. possible: the group evaluations of Q questions, C(Q + m − 1, m − 1)
    with m = R·R^N.

    possible_at: those with the key counts Q_l, the product over the labels l of C(Q_l + R^N − 1, R^N − 1). individual:
    the individual evaluations of Q questions, the sum over all key counts (Q_1, …, Q_R) with sum Q of (the product
    over the labels l of C(Q_l + R − 1, R − 1)) to the power N.
    """
    possible = PossibleSet(questions, judges, labels)
    at = dict(zip(labels, key_counts, strict=True))
    return {
        "possible": whole_text(possible.count()),
        "possible_at": whole_text(possible.count_at(at)),
        "individual": whole_text(possible.individual_count()),
    }


def _small_votes(draws: Draws, index: int) -> Document:
    kind, shapes = (
        ("group", (("ab", 1), ("ab", 2), ("ab", 3), ("ab", 4), ("abc", 2))),
        ("individual", (("ab", 1), ("ab", 2), ("abc", 1))),
    )[index % 2]
    votes = draws.votes(1 + index // (10 if kind == "group" else 20), shapes)
    key = draws.counts(sum(votes["counts"]), len(votes["labels"]))
    return {**votes, "key_counts": key, "evaluations": kind}


@family("ntqr: eqs. 11 and 12", "ntqr: section 3", draw=_small_votes)
def consistent_counts(labels: Any, judges: Any, counts: Any, key_counts: Any, evaluations: Any) -> Document:
    """How many evaluations are consistent with the votes.

    {votes}
    key_counts gives how many questions have each true label, in the order of the labels. Refuse as bad-votes unless
    there are exactly R^N counts, as bad-number a count that is negative; then as bad-key-counts key counts of which
    one is negative or whose sum is not Q. Q = 0 is a valid case.

    A group evaluation is consistent with the votes if it splits the c_v questions of each pattern v over the R true
    labels: it is a whole number k_v,l ≥ 0 for each v and l, with Σ_l k_v,l = c_v. Its key counts are Q_l = Σ_v k_v,l.
    Its individual evaluation is for each true label l, each judge i and each answer g the sum of k_v,l over the
    patterns v in which judge i answers g.

    If evaluations is group: consistent is the number of consistent group evaluations, the product over the patterns of
    C(c_v + R − 1, R − 1); consistent_at is the number of those with the key counts given. For R = 2 this is the
    coefficient of x^Q_a in the product over the patterns of (1 + x + … + x^c_v).

    If evaluations is individual: the same for the different individual evaluations that consistent group evaluations
    have. Go through the patterns and keep the set of all sums that can come about; this is feasible for most tests
    here. For one judge individual and group are the same. For R = 2 and two judges, count at each Q_a the whole (s_1,
    s_2), the right answers on a, with max(0, Q_a − R_bi) ≤ s_i ≤ min(Q_a, R_ai), Q_a − c_bb ≤ s_1 + s_2 ≤ Q_a + c_aa
    and −c_ba ≤ s_1 − s_2 ≤ c_ab, where R_ai and R_bi are the numbers of answers a and b of judge i.

    Both results are whole numbers, written as texts.
    """
    consistent = ConsistentSet(votes_of(labels, judges, counts))
    asked = consistent.projection() if evaluations == "individual" else consistent
    at = dict(zip(labels, key_counts, strict=True))
    return {"consistent": str(asked.count()), "consistent_at": str(asked.count_at(at))}


def _graded(draws: Draws, size: int, judges: int, *, moved: int = 0) -> Document:
    """Return votes with the individual evaluation under some key; some judges are right more often than under it."""
    votes = draws.votes(size, (("ab", judges),))
    of_a = [draws.between(0, count) for count in votes["counts"]]
    key, right = [sum(of_a), size - sum(of_a)], []
    for judge in range(judges):
        said_a = [place for place in range(2**judges) if not place >> (judges - 1 - judge) & 1]
        on_a = sum(of_a[place] for place in said_a)
        on_b = key[1] - sum(votes["counts"][place] - of_a[place] for place in said_a)
        step = min(draws.below(moved + 1), key[0] - on_a, key[1] - on_b)
        right.append([on_a + step, on_b + step])
    return {**votes, "key_counts": key, "right": right}


@family(
    "ntqr: eqs. 11 and 12",
    "ntqr: eqs. 26a to 26d, in counts",
    "ntqr: section 5, the eight postulates of a trio, in counts",
    draw=lambda draws, index: _graded(draws, 3 + index // 6, 1 + index % 3, moved=index % 4),
)
def consistent_membership(labels: Any, judges: Any, counts: Any, key_counts: Any, right: Any) -> Document:
    """Whether right answers are consistent with the votes of one, two or three judges.

    {votes} {individual-evaluation}
    Refuse as bad-votes a number of counts that is not 2^N, and a judge who is right more often on a label than it has
    questions; as bad-number a negative number. A key says for each pattern v how many of its c_v questions have the
    true label a: a whole number k_v with 0 ≤ k_v ≤ c_v. The evaluation is consistent if some key has Q_a = Σ k_v, s_i
    = the sum of k_v over the patterns in which judge i answers a, and t_i = the sum of c_v − k_v over those in which
    it answers b.

    consistent: whether this is so. broken: the first of these words that applies. key-counts: Q_a + Q_b is not Q.
    single: for some judge i, with R_ai the number of its answers a, s_i + Q_b − t_i is not R_ai. pair: for some two
    judges i, j no whole number e satisfies 0 ≤ e ≤ N_aa, 0 ≤ s_i − e ≤ N_ab, 0 ≤ s_j − e ≤ N_ba and 0 ≤ Q_a − s_i −
    s_j + e ≤ N_bb, where N are the counts of the answers of these two.

    trio: for three judges no real number e does, where e is Σ k over the patterns aaa and aab. Given e, the numbers
    m_aa = e, m_ab = s_1 − e, m_ba = s_2 − e and m_bb = Q_a − s_1 − s_2 + e say how many questions of label a have each
    pair of answers of judges 1 and 2; it must be 0 ≤ m_w ≤ c_wa + c_wb for each pair w, and Σ_w max(0, m_w − c_wb) ≤
    s_3 ≤ Σ_w min(m_w, c_wa). If some e does, then some multiple of 1/2. whole: for three judges a fraction e does, and
    no whole number e.

    none: a key exists, and consistent is true.
    """
    votes, evaluation = votes_of(labels, judges, counts), evaluation_of(labels, key_counts, right)
    verdict = ConsistentSet(votes).explain(evaluation)
    if verdict:
        return {"consistent": True, "broken": "none"}
    levels = {KEY_COUNTS: "key-counts", SINGLE: "single", PAIR: "pair", TRIO: "trio"}
    broken = levels[verdict.breaches[0].citation]
    if broken == "trio" and TrioDecision.of(votes).joint_values(*first_label_point(evaluation), parts=2):
        broken = "whole"
    return {"consistent": False, "broken": broken}


def _pair_of(draws: Draws, index: int) -> Document:
    judges = 2 + index % 2
    first = draws.below(judges)
    pair = [1 + first, 1 + (first + draws.between(1, judges - 1)) % judges]
    return {**_graded(draws, 3 + index // 8, judges, moved=index % 4 == 3), "pair": pair}


@family("ntqr: eqs. 24 and 25", "ntqr: eq. 37", draw=_pair_of)
def pair_correlation_interval(
    labels: Any, judges: Any, counts: Any, key_counts: Any, right: Any, pair: Any
) -> Document:
    """Error correlations of two judges that are consistent with right answers and votes.

    The input gives the labels, the number N of judges and a count for each of the R^N patterns, in lexicographic order
    with the last judge changing fastest (for two labels and three judges: aaa aab aba abb baa bab bba bbb). Q is the
    sum of the counts. A count is a whole number that is not negative; one beyond 2^53 is a text. Here N is 2 or 3.

    {individual-evaluation}
    pair names two of the judges, i and j, counted from 1. Refuse as bad-votes a number of counts that is not 2^N, and
    a judge who is right more often on a label than it has questions; as bad-number a negative number. Refuse as
    bad-key-counts key counts whose sum is not Q.

    A key says for each pattern v how many of its c_v questions have the true label a, a whole number k_v with 0 ≤ k_v
    ≤ c_v. It goes with the evaluation if Q_a = Σ k_v and all judges have the right answers s_i, t_i under it. So s_i +
    Q_b − t_i must be the number of answers a of judge i, for each i.

    {key-rule}
    For such a key let e_a and e_b be the numbers of questions of a and of b on which the judges i and j are both
    right. Then Γ^a = (Q_a·e_a − s_i·s_j)/Q_a² and Γ^b = (Q_b·e_b − t_i·t_j)/Q_b²; where Q_a or Q_b is 0, the word
    no-questions takes its place. e_b = N_bb − (Q_a − s_i − s_j + e_a), with N_bb the number of questions that both
    answered b.

    points: how many different e_a such keys have; they are the whole numbers of an interval. consistent: whether there
    is one at all. lowest and highest: both_right, [e_a, e_b], and correlations, [Γ^a, Γ^b], at the least and at the
    greatest e_a; null if there is none.

    For N = 2, e_a runs from max(0, s_i − N_ab, s_j − N_ba, s_i + s_j − Q_a) to min(N_aa, s_i, s_j, s_i + s_j − Q_a +
    N_bb), with N the counts of the answers of i and j in this order. For N = 3 the third judge h may shorten this
    interval: only the e that fulfil its condition above are left.

    range_a and range_b: for each label l the least and the greatest Γ^l over all keys with Q_a questions of a,
    whatever the right answers are; the word no-questions if Q_l = 0. With n_11, n_10, n_01, n_00 the numbers of
    questions of label l on which both, only i, only j and none are right, each at most the number of questions with
    such answers and Q_l in sum, Γ^l = (n_11·n_00 − n_10·n_01)/Q_l².
    """
    evaluation = evaluation_of(labels, key_counts, right)
    consistent = ConsistentSet(votes_of(labels, judges, counts))
    first, second = (judge - 1 for judge in pair)
    points = consistent.pair_correlations(evaluation, first, second)
    at = evaluation.key_counts
    ranges: list[Any] = [
        list(consistent.correlation_range(label, first, second, at=at)) if at[label] else _NONE
        for label in at
    ]
    return {
        "consistent": bool(points),
        "points": len(points),
        "lowest": _point(points[0]) if points else None,
        "highest": _point(points[-1]) if points else None,
        "range_a": ranges[0],
        "range_b": ranges[1],
    }


def _point(point: PairPoint) -> Document:
    gammas = [_NONE if isinstance(value, Undefined) else value for value in point.correlations]
    return {"both_right": list(point.both_right), "correlations": gammas}


def _target(draws: Draws, index: int) -> Document:
    judges = 1 + index % 3
    if index % 2:
        return _graded(draws, 3 + index // 8, judges, moved=2)
    share = draws.share(9)
    rates = [[draws.rate(9), draws.rate(9)] for _ in range(judges)]
    votes = draws.votes(2 + min(index // 8, (12, 9, 5)[judges - 1]), (("ab", judges),))
    return {**votes, "prevalence": [str(share), str(1 - share)], "accuracies": rates}


@family(
    "ntqr: section 3", "ntqr: figure 8, estimates projected to the nearest consistent integers", draw=_target
)
def nearest_evaluation(labels: Any, judges: Any, counts: Any, at: Any = None, **target: Any) -> Document:
    """The consistent evaluation nearest to a point.

    The input gives the labels, the number N of judges and a count for each of the R^N patterns, in lexicographic order
    with the last judge changing fastest (for two labels and three judges: aaa aab aba abb baa bab bba bbb). Q is the
    sum of the counts. A count is a whole number that is not negative; one beyond 2^53 is a text. Here R = 2, and N is
    1, 2 or 3.

    The point has the coordinates q, and x_i and y_i for each judge i: numbers of questions, whole or not. It is given
    in one of two forms. With key_counts and right: q = Q_a, x_i = R^a_a and y_i = R^b_b, whole numbers. With
    prevalence P_a, P_b and accuracies p_i, r_i: q = Q·P_a, x_i = Q·P_a·p_i, y_i = Q·P_b·r_i; they may be surds a +
    b√d, and lie anywhere. An accuracy that is null belongs to a prevalence of 0, and its coordinate is 0.

    Refuse as bad-votes a number of counts that is not 2^N, a point for another number of judges, and right answers in
    key_counts and right that are more than the questions of their label; as bad-number a negative count, key count or
    right; as not-ordered an imaginary coordinate; as not-a-surd coordinates with radicands whose roots are not
    rational multiples of each other; as bad-key-counts a given at that has a negative number or whose sum is not Q.

    A key says for each pattern v how many of its c_v questions have the true label a: a whole number k_v with 0 ≤ k_v
    ≤ c_v. Under it, Q_a = Σ k_v, and s_i is the sum of k_v over the patterns in which judge i answers a. The
    candidates are the (Q_a; s_1, …, s_N) that some key has. The votes then give R^b_b = t_i = s_i − Q_a + R_bi, with
    R_bi the number of answers b of judge i. If at is given, only those with Q_a = the first number in at.

    {key-rule}
    The squared distance is D = (Q_a − q)² + Σ_i ((s_i − x_i)² + (t_i − y_i)²). Take the candidate with the least D;
    among several, the one that comes first when (Q_a, s_1, …, s_N) are compared number by number, smaller first.
    key_counts: [Q_a, Q_b] of this candidate. right: [s_i, t_i] for each judge. squared_distance: its D, which may be a
    surd. To compare u + w√d with 0 exactly where u and w have different signs, compare u² with w²d.

    A search that is enough: go through all candidates in a box around the point; if the best D in it is not more than
    the square of the least distance from the point to the outside of the box, it is the best of all.
    """
    votes = votes_of(labels, judges, counts)
    if "right" in target:
        point: Any = evaluation_of(labels, **target)
    else:
        rows = target["prevalence"], *target["accuracies"]
        shares, *rates = (dict(zip(labels, map(_read, row), strict=True)) for row in rows)
        point = Evaluation.from_accuracies(shares, rates)
    result = ConsistentSet(votes).nearest(
        point, at=None if at is None else dict(zip(labels, at, strict=True))
    )
    return {
        "key_counts": list(result.evaluation.key_counts.values()),
        "right": [list(row.values()) for row in result.evaluation.correct],
        "squared_distance": result.squared_distance,
    }


def _read(rate: Any) -> Any:
    return Undefined.NO_QUESTIONS if rate is None else decode_number(rate)
