"""Shares of outputs and a few graded questions: exact tests, intervals, coverage, ranges and agreement."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.rational import rational, whole_number
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.sampling import exact_tests
from ntqr_exact.sampling.chance_agreement import Coefficient, agreement
from ntqr_exact.sampling.comparison import Decision
from ntqr_exact.sampling.designs import Binomial
from ntqr_exact.sampling.exact_tests import Alternative
from ntqr_exact.sampling.graded_ranges import ValueRange
from ntqr_exact.sampling.intervals import (
    SAMPLE_METHODS,
    SHARE_METHODS,
    ShareInterval,
    coverage,
    coverage_of,
    holds,
    interval,
)
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.vectors.family import Document, family
from ntqr_exact.vectors.inputs import LEVELS, Draws, votes_of
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.names import default_judges

_PLACES = 9


def _sample(pair: Any) -> tuple[int, int]:
    positives, size = map(whole_number, pair)
    return positives, size


def _two_samples(draws: Draws, index: int) -> Document:
    sizes = [1 + index // 8 + draws.below(8) for _ in range(2)]
    return {
        name: [draws.below(size + 1), size]
        for name, size in zip(("control", "treatment"), sizes, strict=True)
    }


@family("fisher: the exact treatment of a fourfold table", draw=_two_samples)
def fisher_test(control: Any, treatment: Any) -> Document:
    """Fisher's exact test of two shares.

    control and treatment are pairs [k, n]: k positives among n outputs. {number-texts} Refuse as bad-number a count
    that is negative or not whole, and more positives than outputs.

    Let a of n₁ outputs of the control and b of n₂ of the treatment be positive, K = a + b and N = n₁ + n₂. Given K, n₁
    and n₂, the treatment is a random choice of n₂ of the N outputs: it has x positives in T(x) = C(K, x)·C(N − K, n₂ −
    x) of the C(N, n₂) choices, for x from max(0, n₂ − (N − K)) to min(K, n₂). higher: the sum of T(x) over x ≥ b, over
    C(N, n₂). lower: the sum over x ≤ b. two_sided: the sum over all x with T(x) ≤ T(b), ties included, compared in
    whole numbers.

    decision: with α = 1/20, the word higher if two_sided ≤ α and b·n₁ > a·n₂, lower if two_sided ≤ α and b·n₁ < a·n₂,
    otherwise not-shown.
    """
    (a, n), (b, m) = _sample(control), _sample(treatment)
    result = {
        one.name.lower(): exact_tests.fisher_test((a, n), (b, m), alternative=one) for one in Alternative
    }
    apart = b * n - a * m
    shown = (
        "not-shown" if result["two_sided"] > mpq(1, 20) or not apart else "higher" if apart > 0 else "lower"
    )
    return {**result, "decision": shown}


@family(
    "mcnemar: the test of correlated proportions",
    draw=lambda draws, index: {
        "control_only": draws.below(2 + index // 3),
        "treatment_only": draws.below(2 + index // 3),
    },
)
def mcnemar_test(control_only: Any, treatment_only: Any) -> Document:
    """McNemar's exact test of paired answers.

    control_only counts the questions on which the control alone was positive, c, treatment_only those on which the
    treatment alone was, t. {number-texts} Pairs that agree say nothing, and are not counted. Refuse as bad-number a
    count that is not whole or negative.

    With n = c + t, let B(m) be the sum of C(n, k) over k from 0 to m. exact holds three p-values: higher, B(c)/2ⁿ, the
    chance that a fair coin gives the control as few; lower, B(t)/2ⁿ; two_sided, the smaller one of 1 and 2·B(min(c,
    t))/2ⁿ. mid holds the same with half of the observed table: higher, (B(c) − C(n, c)/2)/2ⁿ; lower, (B(t) − C(n,
    t)/2)/2ⁿ; two_sided, the smaller one of 1 and 2·(B(m) − C(n, m)/2)/2ⁿ with m = min(c, t).
    """
    test = exact_tests.mcnemar_test
    return {
        name: {
            one.name.lower(): test(control_only, treatment_only, alternative=one, mid_p=mid_p)
            for one in Alternative
        }
        for name, mid_p in (("exact", False), ("mid", True))
    }


@family(
    "clopper_pearson: the limits",
    "newcombe: method 10",
    draw=lambda draws, index: {**_two_samples(draws, index), "level": draws.pick(LEVELS)},
)
def share_intervals(control: Any, treatment: Any, level: Any) -> Document:
    """Intervals for a share and for the difference of two shares.

    control and treatment are pairs [k, n]: k positives among n outputs; level is a number strictly between 0 and 1.
    {number-texts} Refuse as bad-number a count that is negative or not whole, n = 0, more positives than outputs, and
    a level that is not strictly between 0 and 1. An input has one fault at most.

    z is the normal quantile with Φ(z) = (1 + level)/2, α = 1 − level, and p = k/n. All ends are rounded to the nearest
    multiple of 10^−9; no test has one that is halfway between two.

    For each of the two samples, in the order control, treatment: wald, the ends p ∓ z·√(p(1 − p)/n), which may leave
    [0, 1]. wilson, the two roots x of (k − n·x)² = z²·n·x·(1 − x), that is (k + z²/2 ∓ z·√(k(n − k)/n + z²/4))/(n +
    z²); the lower end is 0 for k = 0, the upper one 1 for k = n. clopper_pearson, with X binomial of n trials with the
    probability x: the lower end is 0 for k = 0, otherwise the x at which P(X ≥ k) = α/2; the upper end is 1 for k = n,
    otherwise the x at which P(X ≤ k) = α/2.

    For the difference d = p_T − p_C of treatment and control: difference_wald, the ends d ∓ z·√(v_C + v_T) with v =
    k(n − k)/n³. newcombe, with [l, u] the Wilson intervals before rounding: from d − √((p_T − l_T)² + (u_C − p_C)²) to
    d + √((u_T − p_T)² + (p_C − l_C)²). decision: by the interval of Newcombe before rounding. It is higher if 0 is
    below the interval, lower if 0 is above it, and not-shown if it holds 0.
    """
    pair = _sample(control), _sample(treatment)
    both, counts = (Binomial(pair[0][1]), Binomial(pair[1][1])), (pair[0][0], pair[1][0])
    shown = not holds(both, counts, "newcombe", 0, level)
    side = Decision.HIGHER if mpq(*pair[1]) > mpq(*pair[0]) else Decision.LOWER
    return {
        **{
            method.name.lower(): [_ends(interval(Binomial(n), k, method, level)) for k, n in pair]
            for method in SHARE_METHODS
        },
        "difference_wald": _ends(interval(both, counts, "wald", level)),
        "newcombe": _ends(interval(both, counts, "newcombe", level)),
        "decision": side if shown else Decision.NOT_SHOWN,
    }


def _ends(result: ShareInterval) -> list[mpq]:
    return [rational(end) for end in result.decimals(_PLACES)]


@family(
    "clopper_pearson: the limits",
    draw=lambda draws, index: {
        "n": 1 + index // 6,
        "p": draws.rate(3 + index // 4),
        "level": draws.pick(LEVELS),
    },
)
def share_coverage(n: Any, p: Any, level: Any) -> Document:
    """How often intervals for a share hold the truth.

    n outputs are each positive with the probability p, independently; level is a number. {number-texts} Refuse as
    bad-number an n that is not whole or is below 1, a p outside [0, 1], and a level that is not strictly between 0 and
    1. An input has one fault at most.

    z is the normal quantile with Φ(z) = (1 + level)/2, and α = 1 − level. For each number k of positives from 0 to n
    an interval holds p or not: wald, if (k − n·p)² ≤ z²·k·(n − k)/n; wilson, if (k − n·p)² ≤ z²·n·p·(1 − p);
    clopper_pearson, if P(X ≤ k) ≥ α/2 and P(X ≥ k) ≥ α/2 for X binomial of n trials with the probability p. z² is
    irrational, so that the first two are ties only where both sides are 0.

    For each of the three methods: held, the list of all k whose interval holds p, in order; coverage, the sum of C(n,
    k)·pᵏ·(1 − p)ⁿ⁻ᵏ over these k.
    """
    return {
        method.name.lower(): {
            "held": [k for k in range(whole_number(n) + 1) if holds(Binomial(n), k, method, p, level)],
            "coverage": coverage(Binomial(n), method, p, level),
        }
        for method in SHARE_METHODS
    }


def _some_graded(draws: Draws, index: int) -> Document:
    votes = draws.votes(2 + draws.below(4 + index // 50), (("ab", 2), ("abc", 2), ("ab", 3)))
    graded = [[0] * len(votes["counts"]) for _ in votes["labels"]]
    for place, count in enumerate(votes["counts"]):
        for _ in range(draws.below(count + 1)):
            draws.pick(graded)[place] += 1
    return {**votes, "graded": graded}


@family("ntqr: the postulate of one judge", draw=_some_graded)
def partial_key_ranges(labels: Any, judges: Any, counts: Any, graded: Any) -> Document:
    """What an answer key of some questions leaves possible.

    {votes}
    graded has a list for each label, in order: how many graded questions with that true label have each pattern, in
    the order of the counts. An input has one fault at most. Refuse as bad-votes unless counts has one count for each
    pattern, and where more questions of a pattern are graded than it has; refuse as bad-number a count that is not
    whole or negative. There are two judges or more.

    A key gives each question one label, to the graded ones that of their list. Every range goes over all such keys:
    lower is the least and upper the greatest value, may_lack tells whether some key leaves it without a value, and
    lower and upper are null if every key does.

    key_counts: for each label the least and the greatest number of questions with it. keys: how many keys there are,
    as a text. splits: how many different tables of the number of questions with each pattern and each label they make,
    as a text.

    right: for each judge, the least and the greatest number of questions on which its answer is the true label.
    right_on: for each judge and each label, the same for the questions of that label. accuracy_on: for each judge and
    label, the range of the share of right answers among the questions of that label, without a value if there are
    none.

    kappa: for each judge, the range of Cohen's κ between its answers and the key, (Q·right − S)/(Q² − S), where S is
    the sum over labels of (its answers with the label)·(questions of the label); without a value if Q² = S.

    difference: the least and the greatest number of right answers of judge 1 less those of judge 2. covariance: the
    range of the covariance, over the questions, of judge 1 and judge 2 being right: (questions on which both are
    right)/Q less the product of their shares of right answers; without a value if Q = 0.
    """
    votes, patterns = votes_of(labels, judges, counts), list(product(labels, repeat=judges))
    known = {label: dict(zip(patterns, row, strict=True)) for label, row in zip(labels, graded, strict=True)}
    key = PartialKey(votes, known, drawn="not_at_random")
    keys, pair, each = key.key_ranges(), key.pair_ranges(0, 1), [key.ranges(place) for place in range(judges)]
    return {
        "key_counts": [list(ends) for ends in keys.key_counts.values()],
        "keys": str(keys.keys),
        "splits": str(keys.splits),
        "right": [list(one.right) for one in each],
        "right_on": [[list(ends) for ends in one.right_on.values()] for one in each],
        "accuracy_on": [[_range(ends) for ends in one.accuracy_on.values()] for one in each],
        "kappa": [_range(one.kappa) for one in each],
        "difference": list(pair.difference),
        "covariance": _range(pair.covariance),
    }


def _range(ends: ValueRange) -> Document:
    lower, upper = (None if isinstance(end, Undefined) else str(end) for end in (ends.lower, ends.upper))
    return {"lower": lower, "upper": upper, "may_lack": ends.undefined is not None}


def _graded_sample(draws: Draws, index: int) -> Document:
    size = 1 + index // 3
    graded = draws.below(size + 1)
    return {"size": size, "graded": graded, "right": draws.below(graded + 1), "level": draws.pick(LEVELS)}


@family("blaker: the acceptability function", "cochran: chapter 3", draw=_graded_sample)
def sample_intervals(size: Any, graded: Any, right: Any, level: Any) -> Document:
    """Right answers among all questions from a random sample: three exact intervals.

    size questions, Q of them; graded of them, m, were drawn at random without replacement, and right of these, r, are
    answered rightly. level is a rational number, and α = 1 − level. An input has one fault at most. Refuse as
    bad-number a count that is not whole or negative, right above graded, and a level that is not strictly between 0
    and 1; refuse as bad-votes graded above size.

    Of the C(Q, m) samples, N_M(x) = C(M, x)·C(Q − M, m − x) show x right answers if M of all are right. Each interval
    is the least and the greatest M from 0 to Q that it keeps. central keeps M iff the samples with x ≤ r are more than
    α/2 of all, and those with x ≥ r are, too. blaker: let γ(x) be the smaller one of the numbers of samples with at
    most x and with at least x right answers. It keeps M iff the samples whose γ(x) is at most γ(r) are more than α of
    all.

    anytime keeps M iff (m + 1)·N_M(r) is more than α of all samples.
    """
    hits, seen = whole_number(right), whole_number(graded)
    known = {"a": {"a": hits}, "b": {"a": seen - hits}}
    key = PartialKey(VoteCounts({"a": size}), known, drawn="at_random")
    return {
        "central": list(key.right_answers(0, level)),
        "blaker": list(key.right_answers(0, level, "blaker")),
        "anytime": list(key.right_answers(0, level, "anytime")),
    }


def _covered(draws: Draws, index: int) -> Document:
    size, method = 2 + index // 10, draws.pick([one.value for one in SAMPLE_METHODS])
    return {"method": method, "size": size, "graded": draws.between(1, size), "level": draws.pick(LEVELS)}


@family("cochran: chapter 3", "blaker: the acceptability function", draw=_covered)
def interval_coverage(method: Any, size: Any, graded: Any, level: Any) -> Document:
    """The exact coverage of intervals for the number of right answers.

    size questions, Q; graded of them, m, are drawn at random without replacement. method names how an interval of
    truths M is made from the number r of right answers in the sample; level is a rational number, and α = 1 − level.
    An input has one fault at most.

    Refuse as bad-choice any method but central, blaker, anytime, wald, wald_corrected, wilson, wilson_corrected and
    clopper_pearson; as bad-number a count that is not whole or negative, graded above size, and a level that is not
    strictly between 0 and 1.

    N_M(x) = C(M, x)·C(Q − M, m − x) of the C(Q, m) samples show x right answers if M of all are right. The interval of
    r goes from the least to the greatest M from 0 to Q that the method keeps; it may keep none. With m = 0 every
    method keeps all.

    central keeps M iff the samples with x ≤ r are more than α/2 of all, and those with x ≥ r are, too. blaker keeps M
    iff the samples whose γ(x) is at most γ(r) are more than α of all, where γ(x) is the smaller one of the numbers of
    samples with at most x and with at least x. anytime keeps M iff (m + 1)·N_M(r) is more than α of all samples.

    z is the normal quantile with Φ(z) = (1 + level)/2. wald keeps M iff |r/m − M/Q| ≤ z·√(r(m − r)/m³); wilson iff
    |r/m − M/Q| ≤ z·√(M(Q − M)/(mQ²)). With _corrected, what is under the root is multiplied by (Q − m)/(Q − 1), or
    by 0 if Q = 1. clopper_pearson keeps M iff, for a binomial number X of m trials with the probability M/Q, both P(X
    ≤ r) and P(X ≥ r) are at least α/2.

    coverages: for each M from 0 to Q the share of the samples whose interval holds M. least: the least of them.
    """
    result = coverage_of(method, size=size, graded=graded, level=level)
    return {"coverages": list(result), "least": min(result)}


def _answers(draws: Draws, index: int) -> Document:
    kind = draws.pick([one.value for one in Coefficient])
    judges, labels = 2 if kind in ("cohen", "scott") else draws.between(2, 4), ["1", "2", "4"]
    cells = labels if kind == "fleiss" else [*labels, *labels, None]
    weights = ("ordinal", "interval", "ratio") if kind == "krippendorff" else ("linear", "quadratic")
    rows = [[draws.pick(cells) for _ in range(judges)] for _ in range(2 + index // 15)]
    return {
        "labels": labels,
        "answers": rows,
        "coefficient": kind,
        "weights": draws.pick(("nominal", *weights)),
    }


@family("krippendorff: the example of four observers", draw=_answers)
def chance_agreement_coefficients(labels: Any, answers: Any, coefficient: Any, weights: Any) -> Document:
    """How much judges agree beyond chance.

    labels are all q labels, in order; q counts also those that no judge gave. answers has a row for each question, with
    the answer of each judge, in order; null is a missing answer. An input has one fault at most. The output has both
    keys: where there is a value, undefined is null; where there is none, value is null and undefined tells why.

    Refuse as bad-votes fewer than two labels, a label that occurs twice, an empty label, an answer that is not a label,
    rows of unequal length, rows of no judges, no row at all, cohen and scott unless there are two judges, and fleiss
    unless all questions that have an answer have equally many (a question without any answer does no harm). Refuse as
    bad-choice any coefficient but percent_pooled, percent_by_question, cohen, scott, fleiss, krippendorff, gwet and
    brennan_prediger, and weights that it does not have: krippendorff has nominal, ordinal, interval and ratio, the
    others nominal, linear and quadratic. Refuse as bad-number, with interval or ratio, a label that is not a number,
    two labels that are the same number (0 and 0.0), and, with ratio, a negative label; it does not matter whether a
    judge gave it.

    r_k is how many judges gave a question the label k, r the sum of them. A question is paired if r ≥ 2. If no
    question is paired, value is null and undefined is no-pairs. Weights: w_kl = 1 if k = l, and else 0 (nominal), 1 −
    |k − l|/(q − 1) (linear) or 1 − ((k − l)/(q − 1))² (quadratic), with the labels by their places. The agreement of a
    paired question is Σ_k r_k(Σ_l w_kl·r_l − 1)/(r(r − 1)).

    percent_pooled: the sum over paired questions of r(r − 1)·agreement, over the sum of r(r − 1). percent_by_question:
    the mean agreement o of the paired questions. cohen, scott, fleiss, gwet and brennan_prediger: (o − e)/(1 − e); if
    e = 1, value is null and undefined is one-label. cohen: e = Σ_kl w_kl·p_k·s_l with the shares p of judge 1 and s of
    judge 2 among the paired questions. scott and fleiss: e = Σ_kl w_kl·t_k·t_l, where t_k is the mean of r_k/r over
    the paired questions. gwet: e = T·Σ_k u_k(1 − u_k)/(q(q − 1)), where T is the sum of all w_kl and u_k the mean of
    r_k/r over all questions with an answer. brennan_prediger: e = T/q².

    krippendorff: n_k is the sum of r_k over the paired questions, n = Σ_k n_k the number of their answers, and D = Σ
    δ_kl·n_k·n_l over all k ≠ l that occur. value = 1 − (n − 1)·(Σ over paired questions and k ≠ l of δ_kl·r_k·r_l/(r −
    1))/D; if D = 0, value is null and undefined is one-label. δ_kl = 1 (nominal), (n_k/2 + n_l/2 + the sum of n_m over
    the labels m whose places are between those of k and l)² (ordinal), (k − l)² (interval) or ((k − l)/(k + l))²
    (ratio), in the last two with the labels as numbers.
    """
    rows = [tuple(row) for row in answers]
    if len({len(row) for row in rows}) != 1:
        raise BadVotes(answers, "answers must be rows of the same length")
    seen = Counter(row for row in rows if any(answer is not None for answer in row))
    votes = VoteCounts(seen, labels, default_judges(len(rows[0])))
    result = agreement(votes, coefficient, weights=weights)
    reasons = {Undefined.NO_PAIRS: "no-pairs", Undefined.ONE_LABEL: "one-label"}
    if isinstance(result, Undefined):
        return {"value": None, "undefined": reasons[result]}
    return {"value": str(result), "undefined": None}
