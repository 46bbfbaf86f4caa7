"""Goyal, Hu and Gupta 2023, section 2.1: the interval and what decides (eq. 8)."""

from __future__ import annotations

import re
from math import comb

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, constant, read_formula
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.normal import enclose_normal_cdf, enclose_normal_quantile
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.faithful.background import PERFECT
from ntqr_exact.ledger.faithful.moments import mean, moments, variance_of
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided, within
from ntqr_exact.ledger.rounding import read_printed
from ntqr_exact.significance.comparison import TEXTBOOK, compare
from ntqr_exact.significance.interval import Decision, Ends, NormalInterval
from ntqr_exact.significance.performance import performance
from ntqr_exact.significance.variance import VarianceReading, variance


def read_interval(printed: str) -> tuple[str, Formula, Formula, str]:
    """Return the brackets and the two ends of an interval of formulas."""
    match = re.fullmatch(r"([(\[])(.+), (.+)([)\]])", printed)
    if match is None:
        raise BadDocument(printed, "an interval is written (lower, upper)")
    return match[1], read_formula(match[2]), read_formula(match[3]), match[4]


def _interval(printed: str) -> Finding:
    _, lower, upper, _ = read_interval(printed)
    two, centre, reach = constant(2), read_formula("f_d"), read_formula("z*s")
    return decided(
        (lower + upper).equals(two * centre) and (upper - lower).equals(two * reach),
        f"middle {lower + upper} over 2, width {upper - lower}, with s for √Var^D(d)",
        f"product of the ends: {lower * upper}; negative just where 0 lies inside",
        right="(f_d - z*s, f_d + z*s)",
        slip=True,
    )


def _ends(printed: str) -> Finding:
    opening, _, _, closing = read_interval(printed)
    ends = Ends.OPEN if opening + closing == "()" else Ends.CLOSED
    same = compare(control=(0, 2), treatment=(0, 2), metric=PERFECT, ends=ends)
    interval = same.results[0].interval
    touching = ends is Ends.CLOSED and interval.lower == 0
    return decided(
        touching or interval.lower < 0 < interval.upper,
        f"control 0, 0 and treatment 0, 0: f_d = 0 and Var = 0, the interval is {opening}0, 0{closing}",
        "it is empty, so it does not contain 0, and two equal samples would be called different"
        if not touching
        else "it contains 0",
        right="[f_d − z√Var, f_d + z√Var], with its ends",
    )


def _rejection_rate(size: int) -> mpq:
    """Return how often 0 lies outside the interval though both rates are 1/2, exactly."""
    total = mpq(0)
    spread = [
        variance(performance((k, size), metric=PERFECT), VarianceReading.DETERMINISTIC)
        for k in range(size + 1)
    ]
    for left in range(size + 1):
        for right in range(size + 1):
            interval = NormalInterval(mpq(right - left, size), spread[left] + spread[right], TEXTBOOK)
            if interval.decision() is not Decision.NOT_SHOWN:
                total += comb(size, left) * comb(size, right)
    return total / mpq(4) ** size


def _central_limit(printed: str) -> Finding:
    level = rational(printed)
    least, large = _rejection_rate(2), _rejection_rate(60)
    near = abs(large - level) < mpq(1, 50)
    return by_reading(
        {
            "for samples of any size": decided(
                least <= level,
                f"N_C = N_T = 2 and both rates 1/2: called different with chance {with_decimal(least)}, not {level}",
                right="for large samples, nearly",
            ),
            "nearly, for large samples": decided(
                near,
                f"N_C = N_T = 60 and both rates 1/2: called different with probability {large_text(large)}",
            ),
        }
    )


def large_text(number: mpq) -> str:
    """Return a fraction of many digits as its decimal."""
    return with_decimal(number).partition("≈ ")[2] or with_decimal(number)


def _alpha(printed: str) -> Finding:
    alpha_text, z_text = printed.split("; z = ")
    alpha = rational(alpha_text.removeprefix("alpha = "))
    decimal = read_printed(z_text)
    found = enclose_normal_quantile(1 - alpha / 2)
    other = enclose_normal_quantile(1 - (1 - alpha) / 2)
    return decided(
        decimal.low <= found.lower and found.upper <= decimal.high,
        f"with α = {alpha}, z at α/2 is {found.decimal(4)}",
        f"with α = 1 − {alpha} = {1 - alpha}, z at α/2 is {other.decimal(4)}; printed is {z_text}",
        right="α is 1 minus the confidence level: the significance level, 0.05 at 95 %",
    )


def _critical(printed: str) -> Finding:
    level, z = printed.split(": ")
    quantile = enclose_normal_quantile((1 + rational(level)) / 2)
    covered = 2 * enclose_normal_cdf(z) - 1
    found = within(z, quantile.lower, quantile.upper, f"the quantile at {(1 + rational(level)) / 2}")
    return decided(
        read_printed(z).low <= quantile.lower and quantile.upper <= read_printed(z).high,
        f"the normal quantile at {(1 + rational(level)) / 2} is {quantile.decimal(6)}",
        f"{z} covers {covered.decimal(6)}",
        right=found.right,
        slip=True,
    )


DIFFERENCE = moments(c="c1", t="t1", cc="c2", tt="t2", ct="ct")


def variance_of_difference(printed: str, independent: bool) -> tuple[bool, Formula, Formula]:
    """Return whether a printed Var(T − C), in VC, VT and Cov, is right, with it and the right one."""
    known = dict(DIFFERENCE)
    if independent:
        known["ct"] = read_formula("c1*t1")
    symbols = {
        "VC": variance_of(read_formula("c"), known),
        "VT": variance_of(read_formula("t"), known),
        "Cov": mean(read_formula("c*t"), known)
        - mean(read_formula("c"), known) * mean(read_formula("t"), known),
    }
    claimed, true = read_formula(printed, symbols), variance_of(read_formula("t - c"), known)
    return claimed.equals(true), claimed, true


def independent_sum(printed: str) -> Finding:
    """The variance of a difference of independent means is the sum of theirs."""
    holds, _, true = variance_of_difference(printed, independent=True)
    dependent, _, _ = variance_of_difference(printed, independent=False)
    return decided(
        holds and not dependent,
        f"with E[CT] = E[C]E[T]: Var(T − C) = {true}, in the first and second moments",
        "without independence the formula is not an identity",
        right="VC + VT",
        slip=True,
    )


def _difference(printed: str) -> Finding:
    sample = compare(control=(1, 2), treatment=(2, 2), metric=PERFECT)
    value = read_formula(printed).evaluate(
        {"mean_T": sample.treatment.observed_rate, "mean_C": sample.control.observed_rate}
    )
    return decided(
        value == sample.difference() == mpq(1, 2),
        f"control mean 1/2, treatment mean 1: {printed} = {value}, positive where the treatment is higher",
        right="mean_T - mean_C",
        slip=True,
    )


def _dependent_reference(printed: str) -> Finding:
    """Appendix A.3 must give Var^D(d): its covariance at π = 1, φ = 0, and the variance that it is put into."""
    variance_text, covariance_text = printed.split("; Cov = ")
    rates = {"pi": constant(1), "phi": constant(0)}
    estimate = read_formula(covariance_text)
    covariance = estimate.substitute(rates)
    true = read_formula("(b - c*t)/(N - 1)")
    whole = covariance.equals(true) and estimate.equals(read_formula("(pi - phi)**2") * true)
    fits, claimed, difference = variance_of_difference(variance_text, independent=False)
    right = "VC + VT - 2*Cov"
    return decided(
        whole and fits,
        f"appendix A.3 is about Var^M; at precision 1 and false omission rate 0 its covariance is {covariance}, "
        f"the sample covariance of observed results over N: {whole}",
        f"its variance is {variance_text} = {claimed} in moments, that of the difference {difference}: {fits}",
        right=right if variance_of_difference(right, independent=False)[0] else "",
        slip=True,
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "faithful/eq-8",
        "eq. 8",
        Kind.IDENTITY,
        r"The symmetric interval for the difference is $\bar f_d \mp z\sqrt{\mathrm{Var}^D(d)}$.",
        _interval,
        printed="(f_d - z*s, f_d + z*s)",
    ),
    Claim(
        "faithful/eq-8/ends",
        "eq. 8",
        Kind.DECISION,
        "Two means differ if the interval, printed with open ends, does not contain 0.",
        _ends,
        printed="(lower, upper)",
        by_hand="Take two samples of zeros only.",
    ),
    Claim(
        "faithful/sec-2-1/central-limit",
        "section 2.1",
        Kind.SENTENCE,
        r"By the central limit theorem the interval errs with probability $0.05$ where there is no difference.",
        _central_limit,
        printed="0.05",
    ),
    Claim(
        "faithful/eq-8/alpha",
        "section 2.1, after eq. 8",
        Kind.DEFINITION,
        r"In $z_{\alpha/2}$, $\alpha$ is the confidence level.",
        _alpha,
        printed="alpha = 0.95; z = 1.96",
    ),
    Claim(
        "faithful/eq-8/critical",
        "section 2.1, after eq. 8",
        Kind.NUMBER,
        r"At a confidence level of 95 %, $z = 1.96$.",
        _critical,
        printed="0.95: 1.96",
    ),
    Claim(
        "faithful/eq-8/difference",
        "section 2.1, after eq. 8",
        Kind.DEFINITION,
        r"The difference is $\bar f_d=\bar f_T-\bar f_C$.",
        _difference,
        printed="mean_T - mean_C",
    ),
    Claim(
        "faithful/eq-8/variance",
        "section 2.1, after eq. 8",
        Kind.IDENTITY,
        r"For independent samples $\mathrm{Var}^D(T-C)=\mathrm{Var}^D(C)+\mathrm{Var}^D(T)$.",
        independent_sum,
        printed="VC + VT",
    ),
    Claim(
        "faithful/eq-8/dependent",
        "section 2.1, after eq. 8",
        Kind.SENTENCE,
        r"For dependent samples $\mathrm{Var}^D(d)$ is to be had from appendix A.3.",
        _dependent_reference,
        printed="VC + VT + 2*Cov; Cov = (phi*phi*(1 - c - t + b) + phi*pi*(t - b) + pi*phi*(c - b) + pi*pi*b"
        " - (phi + (pi - phi)*c)*(phi + (pi - phi)*t))/(N - 1)",
    ),
)
