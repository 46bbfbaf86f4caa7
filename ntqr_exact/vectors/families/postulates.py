"""Points on and off the variety of some votes: what postulates come to at an answer key or at rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

from gmpy2 import mpq

from ntqr_exact.evaluation import Evaluation, Rate, Undefined
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.exact.json_text import as_document, decode_number
from ntqr_exact.exact.rational import rational
from ntqr_exact.postulates.equations import pair, single, trio
from ntqr_exact.postulates.postulate import PostulateSet, Space
from ntqr_exact.vectors.family import Document, Draw, family
from ntqr_exact.vectors.inputs import Draws, counts_of, key_of, subsets, votes_of
from ntqr_exact.votes.labeled import LabeledVoteCounts

_PATTERNS = tuple(f"f({','.join(pattern)})" for pattern in product("ab", repeat=3))
_SETS: dict[int, tuple[Callable[[], PostulateSet], tuple[str, ...]]] = {
    1: (single, ("1", "11", "12", "16R", "5", "14", "15", "16")),
    2: (pair, ("5", "26a", "26b", "26c", "26d", "34", "35", "33a", "33b", "33c", "33d", "33e", "33f")),
    3: (trio, ("5", *_PATTERNS, "38")),
}
_MOMENT = "D12"


@cache
def _postulates(judges: int) -> PostulateSet:
    made, names = _SETS[judges]
    result = made()
    return PostulateSet(result[name] for name in names)


def _point(labels: Any, judges: int, key: Any, rates: Any) -> LabeledVoteCounts | Evaluation:
    if key is not None:
        return key_of(labels, judges, key)
    groups = subsets(judges, *range(2, judges + 1))
    return Evaluation.from_accuracies(
        dict(zip(labels, map(_read, rates["prevalence"]), strict=True)),
        [dict(zip(labels, map(_read, row), strict=True)) for row in rates["accuracies"]],
        {
            (label, group): _read(rate)
            for label, row in zip(labels, rates["correlations"], strict=True)
            for group, rate in zip(groups, row, strict=True)
        },
    )


def _read(rate: Any) -> Rate:
    return Undefined.NO_QUESTIONS if rate is None else decode_number(rate)


def _residuals(asked: PostulateSet, labels: Any, judges: int, counts: Any, key: Any, rates: Any) -> Document:
    """Return what postulates come to: those in responses only where the point is a key; and if all are zero."""
    votes, truth = votes_of(labels, judges, counts), _point(labels, judges, key, rates)
    result = {
        one.name: one.residual(truth, votes) for one in asked if one.space is Space.RATES or key is not None
    }
    residuals = {
        name: "undefined" if isinstance(value, Undefined) else value for name, value in result.items()
    }
    return {"residuals": residuals, "on": all(value == 0 for value in result.values())}


def _near_a_key(judges: int) -> Draw:
    """Return what draws a key with its votes, its rates, the same with one vote moved, and with one rate changed."""

    def draw(draws: Draws, index: int) -> Document:
        width, size = 2**judges, judges + 1 + index * index // (12 * judges)
        cells = draws.counts(size, 2 * width)
        key = [cells[:width], cells[width:]]
        truth = key_of(["a", "b"], judges, key)
        counts = counts_of(truth.observed())
        if index % 4 == 2:
            counts[draws.pick([place for place in range(width) if counts[place]])] -= 1
            counts[draws.below(width)] += 1
        votes = {"labels": ["a", "b"], "judges": judges, "counts": counts}
        if index % 2 == 0:
            return {**votes, "key": key}
        result, groups = grade(truth), subsets(judges, *range(2, judges + 1))
        written = {
            "prevalence": [_written(result.prevalence[label]) for label in "ab"],
            "accuracies": [[_written(right[label]) for label in "ab"] for right in result.accuracy],
            "correlations": [
                [_written(result.correlations[label, group]) for group in groups] for label in "ab"
            ],
        }
        if index % 4 == 3:
            draws.pick([written["prevalence"], *written["accuracies"]])[draws.below(2)] = draws.rate(size + 2)
        return {**votes, "rates": written}

    return draw


def _written(rate: Rate) -> Any:
    return as_document(rate)


@family(
    "ntqr: eqs. 1 and 5",
    "ntqr: eqs. 11, 12, 14 and 15",
    "ntqr: eq. 16; in counts with Q_b in place of R_b",
    draw=_near_a_key(1),
)
def single_postulates(labels: Any, judges: Any, counts: Any, key: Any = None, rates: Any = None) -> Document:
    """Residuals of the postulates of one judge between two labels.

    The input gives the labels, the number N of judges and a count for each of the R^N patterns, in lexicographic order
    with the last judge changing fastest (for two labels and three judges: aaa aab aba abb baa bab bba bbb). Q is the
    sum of the counts. A count is a whole number that is not negative; one beyond 2^53 is a text. Here N = 1, and the
    counts are R_a and R_b, how often the judge answered a and b.

    {point} {point-as-key}
    For one judge the list of correlations of each label is empty. In a key, R^l_m is how often the judge answered m to
    the questions of label l.

    {point-refused}
    Frequencies of the votes: f_a = R_a/Q, f_b = R_b/Q. residuals, in rates: 5 is P_a + P_b − 1. 14 is f_a − (P_a·x +
    P_b·(1 − y)). 15 is f_b − (P_a·(1 − x) + P_b·y). 16 is P_a·(x − f_a) − P_b·(y − f_b). residuals, in counts, only if
    the point is a key: 1 is Q_a + Q_b − Q. 11 is R_a − R^a_a − R^b_a. 12 is R_b − R^a_b − R^b_b. 16R is R^a_a − R^b_b
    − R_a + Q_b.

    {undefined-residual} {on-the-variety}
    """
    return _residuals(_postulates(1), labels, judges, counts, key, rates)


@family(
    "ntqr: eqs. 26a to 26d",
    "ntqr: eqs. 33a to 33f; 33e and 33f with Γ^a and Γ^b as they must be",
    "ntqr: eqs. 34 and 35",
    draw=_near_a_key(2),
)
def pair_postulates(
    labels: Any, judges: Any, counts: Any, key: Any = None, rates: Any = None, moment: Any = None
) -> Document:
    """Residuals of the postulates of two judges between two labels.

    The input gives the labels, the number N of judges and a count for each of the R^N patterns, in lexicographic order
    with the last judge changing fastest (for two labels and three judges: aaa aab aba abb baa bab bba bbb). Q is the
    sum of the counts. A count is a whole number that is not negative; one beyond 2^53 is a text. Here N = 2, and the
    patterns are aa, ab, ba, bb.

    {point} {point-as-key}
    For two judges the list of correlations of each label holds one number, Γ^a or Γ^b.

    {point-refused}
    Frequencies of the votes: f_v = (count of v)/Q; f_a1 = f_aa + f_ab, f_a2 = f_aa + f_ba, f_bi = 1 − f_ai. moment:
    the number Δ that is given as moment, or if none is given Δ = f_bb − f_b1·f_b2 of the votes. residuals: 5 is P_a +
    P_b − 1.

    26a is f_aa − P_a·(x_1x_2 + Γ^a) − P_b·((1 − y_1)(1 − y_2) + Γ^b). 26b is f_ab − P_a·(x_1(1 − x_2) − Γ^a) − P_b·((1
    − y_1)y_2 − Γ^b). 26c is f_ba − P_a·((1 − x_1)x_2 − Γ^a) − P_b·(y_1(1 − y_2) − Γ^b). 26d is f_bb − P_a·((1 − x_1)(1
    − x_2) + Γ^a) − P_b·(y_1y_2 + Γ^b). 34 is Δ − (f_bb − f_b1·f_b2). 35 is Δ − (f_aa − f_a1·f_a2).

    With u_i = x_i − f_ai and v_i = y_i − f_bi: 33a is P_a·u_1 − P_b·v_1. 33b is P_a·u_2 − P_b·v_2. 33c is u_1v_2 −
    v_1u_2. 33d is u_1v_2 + P_a(Γ^a − Δ) + P_b(Γ^b − Δ). 33e is u_1v_2(u_1 + v_1) + v_1(Γ^a − Δ) + u_1(Γ^b − Δ). 33f is
    u_1v_2(u_2 + v_2) + v_2(Γ^a − Δ) + u_2(Γ^b − Δ).

    {undefined-residual} {on-the-variety}
    """
    observed = votes_of(labels, judges, counts).pair_moment(0, 1)
    delta = observed if moment is None else rational(moment)
    return {"moment": delta, **_residuals(_at_moment(delta), labels, judges, counts, key, rates)}


def _at_moment(moment: mpq) -> PostulateSet:
    return PostulateSet(
        replace(one, text=one.polynomial.substitute({_MOMENT: moment}).text()) for one in _postulates(2)
    )


@family("ntqr: eq. 5", "ntqr: section 5, announced and not printed", "ntqr: eq. 38", draw=_near_a_key(3))
def trio_postulates(labels: Any, judges: Any, counts: Any, key: Any = None, rates: Any = None) -> Document:
    """Residuals of the complete postulates of three judges between two labels.

    {votes} {point} {point-as-key}
    For three judges the list of correlations of each label holds Γ_12, Γ_13, Γ_23 and Γ_123, in this order.

    {point-refused}
    residuals: 5 is P_a + P_b − 1. 38 is the sum of all f_v minus 1, with f_v = (count of v)/Q: always zero. For each
    pattern v, written f(a,a,a) to f(b,b,b): f_v − Σ_l P_l·(r_1r_2r_3 + s_1s_2Γ^l_12·r_3 + s_1s_3Γ^l_13·r_2 +
    s_2s_3Γ^l_23·r_1 + s_1s_2s_3Γ^l_123), the sum over the true labels l = a, b. Here r_m is the accuracy of judge m on
    l and s_m = 1 if judge m answers l in v; otherwise r_m is 1 minus that accuracy and s_m = −1.

    Surds in one input have one radicand d; compute in numbers u + w√d, with √d·√d = d, also for negative d.

    {undefined-residual} {on-the-variety}
    """
    return _residuals(_postulates(3), labels, judges, counts, key, rates)
