"""Goyal, Hu and Gupta 2023, section 2.1: results, their mean and variance, and the interval (eq. 1 to 8 and 14).

The share s of positives among N independent results of rate p has E s = p and E s² = p² + p(1−p)/N; that is all
that a formula of degree 2 in s needs, so its mean is again a formula, and "unbiased" is an identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import comb
from types import MappingProxyType
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.normal import enclose_normal_quantile
from ntqr_exact.ledger.equations import FormulaText, formula
from ntqr_exact.ledger.faithful.readings import SourceReading, built, difference_variance, variance
from ntqr_exact.ledger.judgement import Finding, as_printed, decided
from ntqr_exact.ledger.printed_value import read_printed
from ntqr_exact.postulates.polynomial import Formula, Monomial, Polynomial, constant, read_formula
from ntqr_exact.sampling.comparison import TEXTBOOK, Centre, compare
from ntqr_exact.sampling.metric_model import MetricModel, performance
from ntqr_exact.sampling.normal_interval import Decision, NormalInterval

Moments = Mapping[str, Formula]
"""The mean of each product of random names, written as s, s*s or c*t with the names in order."""


def moments(**means: str) -> Moments:
    """Return moments from texts, with names of two letters and more joined: `moments(s="p", ss="p**2")`."""
    return MappingProxyType({name: read_formula(text) for name, text in means.items()})


@cache
def share_moments() -> Moments:
    """Return the moments of the share s of positives among N results of rate p, and of one result f and s."""
    second = "p**2 + p*(1 - p)/N"
    return moments(s="p", ss=second, f="p", ff="p", fs=second)


@cache
def paired_moments() -> Moments:
    """Return the moments of shares of N pairs of rates pC, pT: c and t of positives, b of pairs with both."""
    return moments(
        b="p11",
        c="pC",
        t="pT",
        cc="pC**2 + pC*(1 - pC)/N",
        tt="pT**2 + pT*(1 - pT)/N",
        ct="pC*pT + (p11 - pC*pT)/N",
    )


def mean(formula: Formula, known: Moments) -> Formula:
    """Return E of a formula in random names; raises `BadDocument` for a moment that is not known."""
    random = {letter for name in known for letter in name}
    if random & set(formula.denominator.variables()):
        raise BadDocument(str(formula), "the mean of a quotient of random numbers is no formula")
    total = constant(0)
    for monomial, coefficient in formula.numerator.terms.items():
        name = "".join(sorted(each * exponent for each, exponent in monomial if each in random))
        if name and name not in known:
            raise BadDocument(name, "the mean of this product is not known")
        fixed: Monomial = tuple(pair for pair in monomial if pair[0] not in random)
        term = constant(coefficient)
        for each, exponent in fixed:
            term = term * Polynomial.variable(each) ** exponent
        total = total + (term * known[name] if name else term)
    return total / formula.denominator


def variance_of(formula: Formula, known: Moments) -> Formula:
    """Return E X² − (E X)² of a formula X of degree 1 in random names."""
    return mean(formula**2, known) - mean(formula, known) ** 2


REAL_RATE = "(phi + (pi - phi)*p)"
"""p^R by eq. 10, with the precision π and the false omission rate φ."""

REAL_ESTIMATE = "(phi + (pi - phi)*s)"
"""p^R as it is estimated, with the observed share s in place of p."""


PERFECT = MetricModel(1, 0)


@dataclass(frozen=True, slots=True)
class Sum:
    """A printed sum of equal terms: a factor, both limits, and the term in f, the result, and s, their mean."""

    factor: FormulaText
    first: int
    last: str
    term: FormulaText

    @property
    def terms(self) -> Formula:
        """How many terms it has; |C| and |T|, which eq. 16 writes as numbers of results, are N."""
        last = "N" if self.last in ("|C|", "|T|") else self.last
        return read_formula(last) - constant(self.first) + constant(1)

    @property
    def average(self) -> Formula:
        """Its mean over all samples of N results of rate p."""
        return formula(self.factor) * self.terms * mean(formula(self.term), share_moments())

    def latex(self) -> str:
        """Return the sum as it is printed, with f_i for a result and a bar for the mean."""
        term = self.term.latex().replace("f", "f_i").replace("s", r"\bar f")
        return rf"{self.factor.latex()} \sum_{{i={self.first}}}^{{{self.last}}} {term}"

    def text(self) -> str:
        """Return the sum in a line."""
        return f"{self.factor} times the sum of {self.term} from {self.first} to {self.last}"


def results(printed: tuple[int, str]) -> Finding:
    """Return whether the printed indices are as many as the number that the means divide by."""
    terms = read_formula(printed[1]) - constant(printed[0]) + constant(1)
    return as_printed(
        terms.equals(read_formula("N")),
        f"the indices from {printed[0]} to {printed[1]} are {terms} results, and each is 0 or 1",
    )


def unbiased(printed: Sum, *, of: Literal["rate", "variance of the mean"]) -> Finding:
    """Return whether a printed sum is, on average, the rate p or the variance p(1 − p)/N of the mean."""
    true = read_formula("p") if of == "rate" else variance_of(read_formula("s"), share_moments())
    return as_printed(
        printed.average.equals(true),
        f"the sum has {printed.terms} terms; its mean over all samples is {printed.average}, the {of} is {true}",
        arose="indices from 0 as in programs, while the results are numbered from 1"
        if printed.first == 0
        else "",
    )


def symmetric(printed: tuple[FormulaText, FormulaText]) -> Finding:
    """Return whether the printed ends lie z·s to both sides of the difference, s being √Var(d)."""
    lower, upper = (formula(text) for text in printed)
    middle, width = (lower + upper) / constant(2), upper - lower
    return as_printed(
        middle.equals(formula("f_d")) and width.equals(formula("2*z*s")),
        f"middle {middle}, width {width}, with s for √Var^D(d)",
    )


def rejections(printed: mpq, *, size: int, tolerance: mpq) -> Finding:
    """Sum up how often 0 lies outside the interval though both rates are 1/2, over all samples."""
    spread = [
        variance(performance((k, size), metric=PERFECT), SourceReading.DETERMINISTIC) for k in range(size + 1)
    ]
    total = sum(
        comb(size, left) * comb(size, right)
        for left in range(size + 1)
        for right in range(size + 1)
        if NormalInterval(mpq(right - left, size), spread[left] + spread[right], TEXTBOOK).decision()
        is not Decision.NOT_SHOWN
    )
    chance = mpq(total, 4**size)
    return as_printed(
        abs(chance - printed) < tolerance,
        f"{size} results each and both rates 1/2: the means are called different with probability "
        f"{fixed_text(chance, 6)}, near {printed}; this is the theorem's limit, not so for a few results",
    )


def critical(printed: Mapping[str, str]) -> Finding:
    """Return whether z is the normal quantile at 1 − α/2, with α as it is called, or at the level given."""
    alpha = (
        read_printed(printed["alpha"]).value
        if "alpha" in printed
        else 1 - read_printed(printed["level"]).value
    )
    z = read_printed(printed["z"])
    found, other = (enclose_normal_quantile(1 - each / 2) for each in (alpha, 1 - alpha))
    return as_printed(
        z.low <= found.lower and found.upper <= z.high,
        f"with α = {alpha}, z at α/2 is {found.decimal(4)}",
        f"with α = {1 - alpha}, z at α/2 is {other.decimal(4)}" if "alpha" in printed else "",
    )


def difference(printed: FormulaText) -> Finding:
    """Return whether the printed difference is positive where the treatment is higher."""
    sample = compare(control=(1, 4), treatment=(3, 4), metric=PERFECT)
    value = formula(printed).evaluate(
        {"mean_T": sample.treatment.observed_rate, "mean_C": sample.control.observed_rate}
    )
    return as_printed(
        value == sample.difference(),
        f"control mean 1/4, treatment mean 3/4: {printed} = {value}, the difference is {sample.difference()}",
    )


def of_difference(printed: FormulaText, *, independent: bool) -> Finding:
    """Compare a printed Var(T − C), in VC, VT and Cov, with the one by first and second moments."""
    known = dict(moments(c="c1", t="t1", cc="c2", tt="t2", ct="c1*t1" if independent else "ct"))
    c, t = read_formula("c"), read_formula("t")
    symbols = {
        "VC": variance_of(c, known),
        "VT": variance_of(t, known),
        "Cov": mean(c * t, known) - mean(c, known) * mean(t, known),
    }
    claimed, true = read_formula(printed, symbols), variance_of(t - c, known)
    # T = C: all moments of T are those of C, and T − C is 0.
    same = {"t1": read_formula("c1"), "t2": read_formula("c2"), "ct": read_formula("c2")}
    return as_printed(
        claimed.equals(true),
        f"in moments, Var(T − C) = {true}; printed: {claimed}",
        ""
        if independent
        else f"for T = C it is {true.substitute(same)}; printed: {claimed.substitute(same)}",
        arose="this is the variance of the sum T + C"
        if read_formula("VC + VT + 2*Cov").equals(read_formula(printed))
        else "",
    )


def model_interval(printed: tuple[FormulaText, FormulaText]) -> Finding:
    """Ask what the interval of eq. 14 is one of: its middle on average, and its width against that middle's spread."""
    lower, upper = (formula(text) for text in printed)
    middle = (lower + upper) / constant(2)
    aimed = middle.substitute({"f_d": read_formula("pT - pC")})
    real = read_formula("(phi + (pi - phi)*pT) - (phi + (pi - phi)*pC)")
    example = compare(control=(10, 100), treatment=(50, 100), metric=MetricModel("3/4", "1/4"))
    eq_14 = built(example, SourceReading.PRINTED, Centre.OBSERVED)
    coin = compare(control=(50, 100), treatment=(50, 100), metric=MetricModel("1/2", 0))
    narrow, own = (
        difference_variance(coin, each) for each in (SourceReading.PRINTED, SourceReading.DETERMINISTIC)
    )
    return decided(
        aimed.equals(real),
        f"for the difference of real rates: the middle is {aimed} on average, the difference is {real}; with π = 3/4, "
        f"φ = 1/4, 10 and 50 of 100 observed, {eq_14.interval} misses the estimate {example.difference(Centre.REAL)}",
        "for the difference of observed rates: its variance is Var^D(d), and Var^M(d) may be smaller; with π = 1/2, "
        f"φ = 0 and 50 of 100 observed twice, {narrow} in place of {own}",
    )
