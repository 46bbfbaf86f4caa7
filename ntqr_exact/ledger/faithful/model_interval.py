"""Goyal, Hu and Gupta 2023, section 2.2: the corrected variance and its interval (eq. 13 and 14)."""

from __future__ import annotations

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, constant, read_formula
from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.faithful.background import PERFECT
from ntqr_exact.ledger.faithful.interval import independent_sum, read_interval
from ntqr_exact.ledger.faithful.moments import REAL_ESTIMATE, REAL_RATE, mean, share_moments
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided
from ntqr_exact.significance.bias import expected_variance, printed_bias, real_share_variance
from ntqr_exact.significance.comparison import Centre, compare
from ntqr_exact.significance.metric_model import MetricModel
from ntqr_exact.significance.performance import performance
from ntqr_exact.significance.variance import VarianceReading


def _bias(printed: str) -> Formula:
    """Return E of a variance estimate in pR and N, less eq. 12."""
    estimate = read_formula(printed, {"pR": read_formula(REAL_ESTIMATE)})
    true = read_formula("pR*(1 - pR)/N", {"pR": read_formula(REAL_RATE)})
    return mean(estimate, share_moments()) - true


def _plug_in_is_biased(printed: str) -> Finding:
    bias = _bias(printed)
    claimed = read_formula("0 - (pi - phi)**2*p*(1 - p)/N**2")
    return decided(
        not bias.is_zero(),
        "E of the estimate less the variance is −δ²p(1−p)/N², with δ = π − φ"
        if bias.equals(claimed)
        else f"E of the estimate less the variance is {bias}",
        "without bias only if δ = 0 or p is 0 or 1",
        right="it is unbiased",
    )


UNBIASED = "(pi - phi)**2*s*(1 - s)/(N - 1) + (s*pi*(1 - pi) + (1 - s)*phi*(1 - phi))/N"


def _unbiased(printed: str) -> Finding:
    bias = _bias(printed)
    known = read_formula("(p*pi*(1 - pi) + (1 - p)*phi*(1 - phi))/(N*(N - 1))")
    coin = MetricModel("1/2", "1/2")
    average = expected_variance(VarianceReading.PRINTED, rate="1/2", size=2, metric=coin)
    true = real_share_variance(rate="1/2", size=2, metric=coin)
    agrees = average - true == printed_bias(rate="1/2", size=2, metric=coin)
    if not _bias(UNBIASED).is_zero():
        raise BadDocument(UNBIASED, "the right estimator is unbiased")
    return decided(
        bias.is_zero(),
        "E of eq. 13 less eq. 12 is [pπ(1−π) + (1−p)φ(1−φ)]/(N(N−1)), as formulas"
        if bias.equals(known)
        else f"E of the estimate less eq. 12 is {bias}",
        f"smallest case: N = 2, π = φ = 1/2: eq. 13 is always {average}, the variance is {true}"
        + ("" if agrees else "; this contradicts the formula"),
        "unbiased only if π and φ are each 0 or 1 (or belong to labels that are never observed)",
        right=f"{UNBIASED}, with s the observed share: its mean is eq. 12 identically",
    )


def _model_interval(printed: str) -> Finding:
    """Eq. 14: what its centre estimates, and what its width is the deviation of."""
    _, lower, upper, _ = read_interval(printed)
    centre = (lower + upper) / constant(2)
    observed = read_formula("pT - pC")
    real = read_formula("(phi + (pi - phi)*pT) - (phi + (pi - phi)*pC)")
    aimed = centre.substitute({"f_d": observed})
    metric = MetricModel("3/4", "1/4")
    example = compare(control=(10, 100), treatment=(50, 100), metric=metric)
    built = example.result(VarianceReading.PRINTED, Centre.OBSERVED)
    centred = example.result(VarianceReading.ESTIMATOR, Centre.REAL)
    return decided(
        aimed.equals(real),
        f"on average the centre is {aimed}, the difference of real rates is {real}: equal only if π − φ = 1; "
        f"the width is {upper - lower}",
        f"π = 3/4, φ = 1/4, 10 and 50 of 100: the interval {built.interval} misses the estimate "
        f"{example.difference(Centre.REAL)} of the real difference",
        f"around that, with the variance δ²p(1−p)/(N−1) of the estimate φ + δp: {centred.interval}; as δ cancels, "
        "0 is inside exactly when it is inside eq. 8",
        right="(δ·f_d − 1.96·√V, δ·f_d + 1.96·√V), δ = π − φ, V = δ²(Var^D(C) + Var^D(T))",
    )


def _perfect_limit(printed: str) -> Finding:
    rates = {"pi": constant(1), "phi": constant(0)}
    estimate = read_formula(printed, {"pR": read_formula(REAL_ESTIMATE)}).substitute(rates)
    true = read_formula("s*(1 - s)/(N - 1)")
    pairs = [
        compare(control=(left, 4), treatment=(right, 5), metric=PERFECT).results[:2]
        for left in range(5)
        for right in range(6)
    ]
    same = all(first.interval == second.interval for first, second in pairs)
    return decided(
        estimate.equals(true) and same,
        f"at π = 1, φ = 0 eq. 13 becomes {estimate}, which is eq. 5 by eq. 16",
        f"the intervals of eq. 8 and 14 agree on all {len(pairs)} pairs of samples of 4 and 5 results",
        right=str(true),
    )


def _more_classes(_: str) -> Finding:
    values = [mpq(0), mpq(1), mpq(2)]
    share = mpq(1, len(values))
    average = sum((share * value for value in values), mpq(0))
    spread = sum((share * (value - average) ** 2 for value in values), mpq(0))
    real, seen = {"no": 1, "perhaps": 1, "yes": 3}, {"no": 4, "perhaps": 2, "yes": 4}
    metric = MetricModel.of_classes({name: mpq(real[name], seen[name]) for name in seen}, positive=["yes"])
    told = performance(seen, metric=metric).real_rate
    return by_reading(
        {
            "many observed classes, a real label that is 0 or 1": decided(
                told == mpq(sum(real.values()), sum(seen.values())),
                f"classes observed {', '.join(map(str, seen.values()))} times, really positive "
                f"{', '.join(map(str, real.values()))} times: the sum over the classes is {told}, and R is 0 or 1",
            ),
            f"real values {', '.join(map(str, values))}": decided(
                spread == average * (1 - average),
                f"each with probability {share}: mean {average}, variance {spread}, "
                f"but mean·(1 − mean) = {average * (1 - average)}",
                right="the variance of the real value, Σ v²P(v) − (Σ vP(v))²",
            ),
        }
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "faithful/sec-2-2/plug-in-biased",
        "section 2.2, after eq. 12",
        Kind.SENTENCE,
        r"With the observed share put in for $p^O$, eq. 12 is a biased estimate.",
        _plug_in_is_biased,
        printed="pR*(1 - pR)/N",
    ),
    Claim(
        "faithful/eq-13",
        "eq. 13",
        Kind.THEOREM,
        r"With Bessel's correction, $p^R(1-p^R)/(N-1)$ is an unbiased estimate of $\mathrm{Var}^M(N^R_+/N)$.",
        _unbiased,
        printed="pR*(1 - pR)/(N - 1)",
        by_hand="Let π = φ = 1/2: then p^R is 1/2, whatever was observed.",
    ),
    Claim(
        "faithful/eq-14",
        "eq. 14",
        Kind.THEOREM,
        r"The 95 % interval for model-based metrics is $\bar f_d\mp1.96\sqrt{\mathrm{Var}^M(d)}$.",
        _model_interval,
        printed="(f_d - 49*s/25, f_d + 49*s/25)",
    ),
    Claim(
        "faithful/eq-14/variance",
        "section 2.2, after eq. 14",
        Kind.IDENTITY,
        r"For independent samples $\mathrm{Var}^M(T-C)=\mathrm{Var}^M(C)+\mathrm{Var}^M(T)$.",
        independent_sum,
        printed="VC + VT",
    ),
    Claim(
        "faithful/eq-14/perfect",
        "section 2.2, after eq. 14",
        Kind.THEOREM,
        "With a perfect metric model, variance and interval are those of eq. 5, 6 and 8.",
        _perfect_limit,
        printed="pR*(1 - pR)/(N - 1)",
    ),
    Claim(
        "faithful/eq-14/more-classes",
        "section 2.2, after eq. 14",
        Kind.SENTENCE,
        "The formulas extend to more than two classes.",
        _more_classes,
    ),
)
