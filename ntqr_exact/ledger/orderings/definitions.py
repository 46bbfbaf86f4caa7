"""Maaz et al. 2023, sections 2.1 and 2.3: equations 1 to 3, what a score is, and the six printed scores."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

from gmpy2 import mpq

from ntqr_exact.confidence.atc import atc, atc_curve
from ntqr_exact.confidence.atc_threshold import TieRule
from ntqr_exact.confidence.atc_values import Reading
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import compare_scores
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, counterexample, decided
from ntqr_exact.ledger.orderings.printed_scores import exact_formula, read_score

Pair = tuple[mpq, mpq]


def binary(*tops: str) -> list[Pair]:
    """Return vectors (a, 1 − a) of two labels for texts of a."""
    return [(mpq(a), 1 - mpq(a)) for a in tops]


def vertex(k: int) -> ProbabilityVector:
    """Return the surest vector of k labels."""
    return ProbabilityVector([1] + [0] * (k - 1), 1)


def uniform(k: int) -> ProbabilityVector:
    """Return the centre of the simplex of k labels."""
    return ProbabilityVector([1] * k, k)


def _entropy_sign(printed: str) -> Finding:
    """Compare the centre with a vertex: a score is larger at the vertex."""
    score = read_score(printed)
    half, corner = uniform(2), vertex(2)
    sign = score.compare(half, corner)
    other = read_score("sum p log p")
    return decided(
        sign < 0,
        f"s(1/2, 1/2) is {'greater' if sign > 0 else 'less'} than s(1, 0): log 2 against 0",
        "this is the entropy, largest at the centre; a score is to be least there",
        right=other.text if other.compare(half, corner) < 0 else "",
        slip=True,
        arose="the sign of the entropy was kept; section 2.3 prints Σ p log p",
    )


def _expectation(_: str) -> Finding:
    """The share of points below a threshold is the mean of their indicators."""
    cases = (
        (
            f"{source}",
            all(
                point.source_below
                == mpq(sum(compare_scores("max", v, point.threshold_vector) < 0 for v in source), len(source))
                for point in atc_curve(source, source)
            ),
        )
        for n in (1, 2, 3)
        for source in product(binary("1/2", "3/4", "1"), repeat=n)
    )
    return counterexample(cases, checked="samples of up to 3 points")


def _solvable(_: str) -> Finding:
    """Look for a source whose own error no threshold can meet, with t any real number."""

    def meets(tops: tuple[str, ...], wrong: int) -> bool:
        n = len(tops)
        shares = {mpq(sum(mpq(a) < t for a in tops), n) for t in [*map(mpq, tops), mpq(2)]}
        return mpq(wrong, n) in shares

    tops = ("1/2", "2/3", "3/4")
    distinct = [
        (f"scores {', '.join(chosen)}, {wrong} wrong", meets(chosen, wrong))
        for n in (1, 2, 3)
        for chosen in combinations(tops, n)
        for wrong in range(n + 1)
    ]
    tied = next(
        f"scores {' and '.join(chosen)}, {wrong} of {n} wrong: Γ = {mpq(wrong, n)}, and P[s < t] is 0 or 1"
        for n in (1, 2, 3)
        for chosen in product(tops, repeat=n)
        for wrong in range(n + 1)
        if not meets(chosen, wrong)
    )
    return by_reading(
        {
            "distinct scores, Γ the share of wrong answers": counterexample(
                distinct, checked="up to 3 distinct scores, each number of wrong answers"
            ),
            "scores may tie": decided(not tied, tied, right="a t with P[s < t] nearest to Γ, as in eq. 2"),
        }
    )


def _unique(_: str) -> Finding:
    """Compare the two extreme minimisers of |Γ − P[s < t]|; with one score there is no choice."""
    one, other, gamma = "1/2", "7/10", "1/4"
    found = {
        rule: atc(binary(one, other), binary("0.6"), error=gamma, tie_rule=rule).threshold for rule in TieRule
    }
    own = {
        rule: atc(binary("0.6", "0.6", "0.8"), binary("0.7"), error="1/3", tie_rule=rule).threshold
        for rule in TieRule
    }
    return decided(
        len(set(found.values())) == 1,
        f"scores {one}, {other}, Γ = {gamma}: minimal at t = {' and t = '.join(str(t) for t in found.values())}",
        f"with Γ its own error: scores 0.6, 0.6, 0.8, one wrong: t = {' and '.join(str(t) for t in own.values())}",
        right="argmin with a rule for ties that goes by the order of scores, as the smallest t",
    )


def _reaches(_: str) -> Finding:
    """Estimate the source from itself: every Γ = j/n below 1 comes back, and Γ = 1 does not."""
    cases = []
    for n in (1, 2, 3, 4):
        source = binary(*(f"{n + i + 1}/{2 * n + 2}" for i in range(n)))
        for wrong in range(n + 1):
            found = atc(source, source, error=mpq(wrong, n)).estimate
            cases.append(
                (
                    wrong == n,
                    f"n = {n}, all wrong: Γ = 1, and the estimate for the source itself is {found}",
                    found == mpq(wrong, n),
                )
            )
    return by_reading(
        {
            "Γ below 1": counterexample(
                [(text, truth) for full, text, truth in cases if not full],
                checked="n up to 4 distinct scores, Γ = j/n: t in the range meets eq. 1",
            ),
            "Γ = 1": counterexample(
                [(text, truth) for full, text, truth in cases if full],
                checked="Γ = 1 is met by some t of the range",
            ),
        }
    )


def _estimate(_: str) -> Finding:
    """Estimate by eq. 3 on a worked example: source 0.5 to 0.9 with one of five wrong, targets 0.55 and 0.95."""
    found = atc(binary("0.9", "0.8", "0.7", "0.6", "0.5"), binary("0.55", "0.95"), error="1/5")
    share = mpq(sum(compare_scores("max", v, found.threshold_vector) < 0 for v in binary("0.55", "0.95")), 2)
    return decided(
        found.estimate == share,
        f"source 0.5, 0.6, …, 0.9, Γ = 1/5: t = {found.threshold}; of targets 0.55, 0.95 the share below is {share}",
    )


def _same_symbol(_: str) -> Finding:
    """Compare eq. 3 with the true error of the target, whose labels it does not see."""
    source, target = binary("0.6", "0.8"), binary("0.6", "0.8")
    estimate = atc(source, target, error="1/2").estimate
    errors = [mpq(wrong, len(target)) for wrong in range(len(target) + 1)]
    return by_reading(
        {
            "an estimate of the metric": decided(
                estimate in errors, f"source and target 0.6, 0.8, Γ^s = 1/2: eq. 3 gives {estimate}"
            ),
            "the metric itself, as section 2.1 introduces the symbol": decided(
                all(error == estimate for error in errors),
                f"of two targets none, one or both may be wrong: errors {', '.join(map(str, errors))}; "
                f"eq. 3 gives {estimate} each time",
                right="a hat on the left side of eq. 3, which is an estimate",
            ),
        }
    )


def _general_metric(_: str) -> Finding:
    """Take Γ as an error, then as an accuracy, and let the target be surer than the source."""
    source, surer = binary("0.6", "0.7", "0.8", "0.9"), binary("0.85", "0.85", "0.95", "0.95")
    as_error = atc(source, surer, error="1/4", reading=Reading.ERROR_BELOW)
    as_accuracy = atc(source, surer, accuracy="3/4", reading=Reading.ACCURACY_BELOW)
    return by_reading(
        {
            "Γ an error": decided(
                as_error.estimate <= as_error.gamma,
                f"on a surer target the error goes from {as_error.gamma} to {as_error.estimate}",
            ),
            "Γ an accuracy": decided(
                as_accuracy.estimate >= as_accuracy.gamma,
                f"source 0.6, 0.7, 0.8, 0.9, target 0.85, 0.85, 0.95, 0.95: the accuracy goes from "
                f"{as_accuracy.gamma} to {as_accuracy.estimate}, though each target is surer",
                right="P[s ≥ t] = Γ for an accuracy; P[s < t] = Γ only for an error",
            ),
        }
    )


def _simplex(printed: str) -> Finding:
    """Count the dimension of the simplex: its k vertices differ from one another in k − 1 independent ways."""
    k = 4
    dimension = sum(any(row) for row in ([int(i == j) - int(i == k - 1) for i in range(k)] for j in range(k)))
    claimed = exact_formula(printed).evaluate({"k": mpq(k)})
    return decided(
        claimed == dimension,
        f"k = {k}: {dimension} independent differences of vertices",
        right="k - 1",
        slip=True,
    )


def _claim(
    key: str, where: tuple[str, Kind], statement: str, check: Callable[[str], Finding], printed: str = ""
) -> Claim:
    return Claim(f"orderings/{key}", *where, statement, check, printed)


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "sec-2-1/simplex",
        ("section 2.1", Kind.DEFINITION),
        r"Vectors of k probabilities form the simplex of dimension $k-1$.",
        _simplex,
        "k - 1",
    ),
    _claim(
        "sec-2-1/negative-entropy",
        ("section 2.1", Kind.DEFINITION),
        r"Negative entropy is the score $-\sum_j f_j\log f_j$, least at the centre.",
        _entropy_sign,
        "minus sum p log p",
    ),
    _claim(
        "sec-2-1/general-metric",
        ("section 2.1", Kind.SENTENCE),
        r"The method may take for $\Gamma$ any performance metric in [0, 1], not only the error.",
        _general_metric,
    ),
    _claim(
        "eq-1",
        ("eq. 1", Kind.DEFINITION),
        r"A threshold t is learnt with $P_{x\in D^s}[s(f(x))<t]=\Gamma^s$.",
        _solvable,
    ),
    _claim(
        "eq-1/expectation",
        ("section 2.1, after eq. 1", Kind.IDENTITY),
        r"$P[\cdot]$ is $E[I[\cdot]]$: a share of points.",
        _expectation,
    ),
    _claim(
        "eq-2",
        ("eq. 2", Kind.DEFINITION),
        r"In practice $t=\arg\min_t|\Gamma^s-P[s(f(x))<t]|$ over the scores of the source: this is one t.",
        _unique,
    ),
    _claim(
        "eq-2/reach",
        ("section 2.1, after eq. 2", Kind.SENTENCE),
        "A threshold among the scores of the source makes the two sides of eq. 1 as near as can be.",
        _reaches,
    ),
    _claim(
        "eq-3",
        ("eq. 3", Kind.DEFINITION),
        r"The estimate is $\Gamma^t=P_{x\in D^t}[s(f(x))<t]$, the share of the target below the threshold.",
        _estimate,
    ),
    _claim(
        "eq-3/symbol",
        ("eq. 3", Kind.DEFINITION),
        r"The left side of eq. 3 is written $\Gamma^t$, as is the metric on the target.",
        _same_symbol,
    ),
)
