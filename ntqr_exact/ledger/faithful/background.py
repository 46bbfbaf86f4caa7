"""Goyal, Hu and Gupta 2023, section 2.1: results, means, variances and hypotheses (eq. 1 to 7)."""

from __future__ import annotations

import re

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, constant, read_formula
from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.faithful.moments import mean, share_moments, variance_of
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided
from ntqr_exact.significance.comparison import compare
from ntqr_exact.significance.interval import Decision
from ntqr_exact.significance.metric_model import MetricModel
from ntqr_exact.significance.performance import performance
from ntqr_exact.significance.variance import VarianceReading, variance

PERFECT = MetricModel(1, 0)

_SUM = re.compile(r"sum\(i=(\d+)\.\.([A-Za-z_|]+)\) (.+)")


def _sum_of(printed: str) -> tuple[int, str, str]:
    """Return the first index, the last one as printed, and what is summed."""
    match = _SUM.search(printed)
    if match is None:
        raise BadDocument(printed, "a sum is written sum(i=1..N) term")
    return int(match[1]), match[2], match[3]


def _results(printed: str) -> Finding:
    """The results of eq. 1 and 2 are as many as the number that the means divide by."""
    first, last, _ = _sum_of(f"sum(i={printed}) f")
    terms = read_formula(last) - constant(first) + constant(1)
    return decided(
        terms.equals(read_formula("N")),
        f"the indices {printed} are {terms} results, and each is 0 or 1",
        right="1..N",
        slip=True,
    )


def mean_of_results(printed: str) -> Finding:
    """Check eq. 3 and 4: on average the mean of the results must be p."""
    first, last, rest = _sum_of(printed)
    summand, _, below = rest.partition(" / ")
    terms = read_formula(last) - constant(first) + constant(1)
    average = terms * mean(read_formula(summand), share_moments()) / read_formula(below)
    alone = (2 - first) if last == below == "N" else 0
    return decided(
        average.equals(read_formula("p")),
        f"the sum has {terms} terms and is divided by {below}: on average {average} instead of p",
        f"smallest case: one result, equal to 1; a sum of {alone} such terms divided by 1 is {alone}",
        right="sum(i=1..N) f / N",
        slip=True,
        arose="indices from 0 as in programs, while the results are numbered from 1" if first == 0 else "",
    )


def _estimated_variance(printed: str, last: str | None = None) -> Formula:
    """Return the mean of eq. 5: a factor times a sum of squared deviations."""
    first, upper, summand = _sum_of(printed)
    terms = read_formula(last or upper) - constant(first) + constant(1)
    factor = read_formula(printed.partition(" * sum")[0])
    return factor * terms * mean(read_formula(summand), share_moments())


def variance_of_mean(printed: str) -> Finding:
    """Check eq. 5 and 6: on average they must be the variance of the mean."""
    average, true = _estimated_variance(printed, "N"), variance_of(read_formula("s"), share_moments())
    return decided(
        average.equals(true),
        "with N for the upper limit, E of the right side is p(1−p)/N = Var of the mean, as formulas in p and N"
        if average.equals(true)
        else f"E of the right side is {average}, but Var of the mean is {true}",
        "for N = 1 it divides by 0",
        right="1/(N*(N - 1)) * sum(i=1..N) (f - s)**2",
        slip=True,
    )


def _upper_limit(printed: str) -> Finding:
    """Eq. 5 and 6: is their upper limit the number of results, which eq. 1 to 4 call N?"""
    true = variance_of(read_formula("s"), share_moments())
    first, last, summand = _sum_of(printed)
    size, other = _estimated_variance(printed, "N"), _estimated_variance(printed, "n")
    factor = printed.partition(" * sum")[0]
    return decided(
        last == "N" and size.equals(true),
        f"{last} is defined nowhere, a model having no size; eq. 16 writes the same sum up to the number of results",
        f"if {last} were n, E of the right side would be {other}, and p(1−p)/N only for n = N: {size.equals(true)}",
        right=f"{factor} * sum(i={first}..N) {summand}",
        slip=True,
    )


def _estimate_or_variance(_: str) -> Finding:
    ones, size = 0, 2
    drawn = variance(performance((ones, size), metric=PERFECT), VarianceReading.DETERMINISTIC)
    spread = mpq(1, 4) / size
    return by_reading(
        {
            "as an estimate": decided(
                _estimated_variance("1/(N*(N-1)) * sum(i=1..N) (f - s)**2").equals(
                    variance_of(read_formula("s"), share_moments())
                ),
                "its mean over all samples is p(1−p)/N",
            ),
            "as the variance itself": decided(
                drawn == spread,
                f"rate 1/2, {ones} of {size} results equal to 1: the formula gives {drawn}, the variance is {spread}",
                right="an estimate of it, without bias",
            ),
        }
    )


def _hypotheses(printed: str) -> Finding:
    """Eq. 7: are the two sides what a test can be about, or known once the sample is seen?"""
    about_samples = printed.count("mean(") == 4
    small = compare(control=(0, 2), treatment=(1, 2), metric=PERFECT)
    result = small.results[0]
    return decided(
        not (about_samples and small.difference() != 0 and result.decision is Decision.NOT_SHOWN),
        "control 0, 0 and treatment 0, 1: the means are 0 and 1/2, so H_a holds with certainty",
        f"the interval {result.interval} contains 0, so H_0, known to be false, is not rejected",
        right="H_0: p_C = p_T, H_a: p_C ≠ p_T for the means of the distributions that were sampled",
    )


_N_C, _N_T = "of the control C", "of the treatment T"

CLAIMS: tuple[Claim, ...] = (
    *(
        Claim(
            f"faithful/eq-{number}",
            f"eq. {number}",
            Kind.DEFINITION,
            rf"The results {whose} are $f_1, \dots, f_N$, each 0 or 1.",
            _results,
            printed="1..N",
            garbled=garbled,
        )
        for number, whose, garbled in (
            (1, _N_C, ""),
            (2, _N_T, "the commas of the indices were read as full stops"),
        )
    ),
    *(
        Claim(
            f"faithful/eq-{number}",
            f"eq. {number}",
            Kind.DEFINITION,
            rf"The performance {whose} is the mean of its results, printed as $\sum_{{i=0}}^N f_i/N$.",
            mean_of_results,
            printed="sum(i=0..N) f / N",
            by_hand="Count the terms of the sum for N = 1.",
        )
        for number, whose in ((3, _N_C), (4, _N_T))
    ),
    *(
        claim
        for number, letter, whose in ((5, "C", _N_C), (6, "T", _N_T))
        for claim in (
            Claim(
                f"faithful/eq-{number}",
                f"eq. {number}",
                Kind.IDENTITY,
                rf"The variance of the mean {whose} is $\frac1{{N(N-1)}}\sum_i (f_i-\bar f)^2$, without bias.",
                variance_of_mean,
                printed="1/(N*(N-1)) * sum(i=1..N) (f - s)**2",
                by_hand="E[f²] = p, E[f f̄] = E[f̄²] = p² + p(1−p)/N.",
            ),
            Claim(
                f"faithful/eq-{number}/limit",
                f"eq. {number}",
                Kind.DEFINITION,
                rf"The sum in the variance {whose} ends at $|{letter}|$, where eq. 16 has the number of results.",
                _upper_limit,
                printed=f"1/(N*(N-1)) * sum(i=1..|{letter}|) (f - s)**2",
            ),
        )
    ),
    Claim(
        "faithful/sec-2-1/variance-of-mean",
        "section 2.1",
        Kind.SENTENCE,
        "What eq. 5 and 6 give is called the variance of a mean result.",
        _estimate_or_variance,
    ),
    Claim(
        "faithful/eq-7",
        "eq. 7",
        Kind.DEFINITION,
        r"The hypotheses of the test are $\bar f_C=\bar f_T$ and $\bar f_C\ne\bar f_T$, about the observed means.",
        _hypotheses,
        printed="mean(f_C) = mean(f_T); mean(f_C) != mean(f_T)",
    ),
)
