"""Sections 1 and 2 of the paper on model-based metrics: samples, the metric model, variances and intervals.

Names in formulas: s is the share of positives among N results of rate p, f one of the results; pi is the precision, phi the
false omission rate; q with the observed and then the real label are the probabilities of one output.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from math import comb

from gmpy2 import mpq

from ntqr_exact.exact.enclosure import enclose_normal_quantile
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.book import Book
from ntqr_exact.ledger.equations import alike, formula, mean, same
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided
from ntqr_exact.ledger.printed_value import read_printed
from ntqr_exact.postulates.polynomial import Polynomial

BOOK = Book("faithful", r"""
Most formulas of the paper are right, and all cells of table 1 can be recomputed from the counts behind them. What matters:

- Eq. 13 is not unbiased. Its bias is $[p\pi(1-\pi)+(1-p)\varphi(1-\varphi)]/(N(N-1))$, with $\pi$ the precision, $\varphi$ the
  false omission rate and $p=p^O$. It is small for large $N$.
- Eq. 14 lies around the observed difference $\bar f_d$, while its variance is one of real shares. It is an interval for
  neither difference. An estimate of the real difference is $(\pi-\varphi)\bar f_d$; with the variance of that estimate
  $\pi-\varphi$ cancels, and the conclusion is always that of eq. 8. The conclusions of both tables that errors of the metric
  model change the result rest on eq. 14.
- Appendix A.3 has the wrong sign: $\mathrm{Var}(T-C)=\mathrm{Var}(C)+\mathrm{Var}(T)-2\,\mathrm{Cov}(C,T)$. The last line of
  eq. 19, and with it eq. 20, needs a second assumption, which is not stated.
- Table 2: in Exp5 the upper end of $CI^M$ should be 0.00057; in Exp3 $CI^D$ does not fit its variances. Table 1: two cells of
  BOLD are one unit off in the last digit. No conclusion of the paper changes by these.
""")  # fmt: skip


Z = mpq(49, 25)
_ONE, _ZERO = mpq(1), mpq(0)


@dataclass(frozen=True, slots=True)
class Interval:
    """middle ∓ 1.96·√variance."""

    middle: mpq
    variance: mpq

    def end(self, sign: int) -> Surd:
        """Return the lower end for -1, the upper for 1."""
        square = self.variance.numerator * self.variance.denominator
        return Surd(self.middle, sign * Z / self.variance.denominator, square)

    @property
    def decision(self) -> str:
        """What the interval shows of treatment less control; decided without a root."""
        if self.middle**2 <= Z**2 * self.variance:
            return "no difference shown"
        return "higher" if self.middle > 0 else "lower"

    def __str__(self) -> str:
        return f"({fixed_text(self.end(-1), 6)}, {fixed_text(self.end(1), 6)})"


@dataclass(frozen=True, slots=True)
class Models:
    """Positives of control and treatment among their results, with precision and false omission rate of the metric."""

    control: tuple[int, int]
    treatment: tuple[int, int]
    pi: mpq = _ONE
    phi: mpq = _ZERO

    @property
    def difference(self) -> mpq:
        """The observed difference f_d."""
        return mpq(*self.treatment) - mpq(*self.control)

    def variance(self, kind: str, side: tuple[int, int]) -> mpq:
        """Return eq. 5 for kind d, eq. 13 for m, and the variance of the estimate φ + δp for e."""
        rate, size = mpq(*side), side[1]
        if kind == "m":
            rate = self.phi + (self.pi - self.phi) * rate
        result = rate * (1 - rate) / (size - 1)
        return (self.pi - self.phi) ** 2 * result if kind == "e" else result

    def interval(self, kind: str, *, real: bool = False) -> Interval:
        """Return the interval with this variance around f_d, or around the real difference δ·f_d."""
        middle = (self.pi - self.phi) * self.difference if real else self.difference
        return Interval(middle, self.variance(kind, self.control) + self.variance(kind, self.treatment))


_SHARE = {"s": "p", "s s": "p**2 + p*(1 - p)/N", "f": "p", "f f": "p", "f s": "p**2 + p*(1 - p)/N"}
_VARIANCE_OF_MEAN = "p*(1 - p)/N"


@BOOK.table
def _unbiased(printed: tuple[str, int, str, str], of: str) -> Finding:
    r"""
    eq-1 | eq. 1 and 2 | 1/N; 1; N; f | rate
        The results of control and treatment are $f_1, \dots, f_N$, each 0 or 1; their mean estimates the rate.
        garbled: The commas of the indices of eq. 2 were read as full stops.
    eq-3 | eq. 3 and 4, and appendix A.1 before eq. 16 | 1/N; 0; N; f | rate | verdict=misprint
        The performance of control and treatment is the mean of its results, printed as $\sum_{i=0}^N f_i/N$.
        quote: $\bar{f}_C = \frac{\sum_{i=0}^{N_C} f_{C,i}}{N_C}$
        right: 1/N; 1; N; f
        instead: $\bar{f}_C = \frac{\sum_{i=1}^{N_C} f_{C,i}}{N_C}$, and likewise for $T$
        why: The results are numbered from 1 to $N$ in eq. 1 and 2, so that a sum from $i=0$ has one term too many.
    eq-5 | eq. 5 and 6; eq. 16, line 1 | 1/(N*(N - 1)); 1; |C|; (f - s)**2 | variance of the mean
        The variance of the mean of control and treatment is $\frac1{N(N-1)}\sum_i (f_i-\bar f)^2$, without bias.
    """
    factor, first, last, term = printed
    terms = formula(last.replace("|C|", "N")) - formula(str(first)) + formula("1")
    average = formula(factor) * terms * mean(formula(term), _SHARE)
    true = formula("p" if of == "rate" else _VARIANCE_OF_MEAN)
    return as_printed(
        alike(average, true),
        f"the sum has {terms} terms; its mean over all samples is {average}, the {of} is {true}",
        arose="indices from 0 as in programs, while the results are numbered from 1" if first == 0 else "",
    )


@BOOK.claim
def _(printed: tuple[str, str, str]) -> Finding:
    r"""eq-8 | eq. 8, and after it | f_d - z*s; f_d + z*s; f_T - f_C
    The symmetric interval for the difference is $\bar f_d \mp z\sqrt{\mathrm{Var}^D(d)}$, with $\bar f_d=\bar f_T-\bar f_C$.
    """
    lower, upper, difference = (formula(text) for text in printed)
    middle, width = (lower + upper) / formula("2"), upper - lower
    example = difference.evaluate({"f_T": mpq(3, 4), "f_C": mpq(1, 4)}) == Models((1, 4), (3, 4)).difference
    right = alike(middle, "f_d") and alike(width, "2*z*s") and example
    return as_printed(right, f"middle {middle}, width {width}, with s for √Var^D(d) and {difference} for f_d")


@BOOK.claim
def _(printed: mpq, size: int, tolerance: mpq) -> Finding:
    """sec-2-1/central-limit | section 2.1 | 0.05 | 60 | 1/200
    By the central limit theorem the interval errs, for large samples and without a difference, with a
    probability near $0.05$.
    """
    counts = range(size + 1)
    shown = [
        (left, right)
        for left, right in itertools.product(counts, counts)
        if Models((left, size), (right, size)).interval("d").decision != "no difference shown"
    ]
    chance = mpq(sum(comb(size, left) * comb(size, right) for left, right in shown), 4**size)
    return as_printed(
        abs(chance - printed) < tolerance,
        f"{size} results each and both rates 1/2: the means are called different with probability "
        f"{fixed_text(chance, 6)}, near {printed}; this is the theorem's limit, not so for a few results",
    )


@BOOK.claim
def _(printed: tuple[str, str]) -> Finding:
    r"""eq-8/alpha | section 2.1, after eq. 8 | 0.95; 1.96 | verdict=misprint
    In $z_{\alpha/2}$, $\alpha$ is the confidence level, and $z=1.96$ at a level of 95 %.
    quote: $z_{\frac{\alpha}{2}}$ is the critical value and $\alpha$ is the confidence level
    right: 0.05; 1.96
    instead: $\alpha$ is the significance level, 0.05 at a confidence level of 0.95
    why: At a confidence level of 0.95, $z_{\alpha/2}=1.96$ belongs to $\alpha=0.05$, which is the significance level, 1
    minus the confidence level. With $\alpha=0.95$ it would be 0.0627.
    """
    alpha, z = (read_printed(text) for text in printed)
    result, other = (enclose_normal_quantile(1 - each / 2) for each in (alpha.value, 1 - alpha.value))
    return as_printed(
        z.low <= result.lower and result.upper <= z.high,
        f"with α = {fixed_text(alpha.value, 2)}, z at α/2 is {result.decimal(4)}",
        f"with α = {fixed_text(1 - alpha.value, 2)}, z at α/2 is {other.decimal(4)}",
    )


def of_difference(printed: str, dependence: str) -> Finding:
    """Compare a printed Var(T − C), in VC, VT and Cov, with the one by first and second moments."""
    both = "c1*t1" if dependence == "independent" else "ct"
    known = {"c": "c1", "t": "t1", "c c": "c2", "t t": "t2", "c t": both}
    claimed = formula(printed, {"VC": "c2 - c1**2", "VT": "t2 - t1**2", "Cov": f"{both} - c1*t1"})
    true = mean(formula("(t - c)**2"), known) - mean(formula("t - c"), known) ** 2
    # T = C: all moments of T are those of C, and T − C is 0.
    same_model = {"t1": formula("c1"), "t2": formula("c2"), "ct": formula("c2")}
    equal = f"for T = C it is {true.substitute(same_model)}; printed: {claimed.substitute(same_model)}"
    is_sum = alike(formula("VC + VT + 2*Cov"), printed)
    return as_printed(
        alike(claimed, true),
        f"in moments, Var(T − C) = {true}; printed: {claimed}",
        "" if dependence == "independent" else equal,
        arose="this is the variance of the sum T + C" if is_sum else "",
    )


BOOK.table(
    of_difference,
    r"""
    eq-8/variance | sections 2.1 and 2.2, after eq. 8 and 14 | VC + VT | independent
        For independent samples $\mathrm{Var}(T-C)=\mathrm{Var}(C)+\mathrm{Var}(T)$, for $\mathrm{Var}^D$ and $\mathrm{Var}^M$.
    """,
)


def _law(rate: Polynomial, size: int) -> list[Polynomial]:
    """Return the probabilities of 0 … size successes, summed over all outcomes of independent trials."""
    law = [formula("0")] * (size + 1)
    for outcome in itertools.product((0, 1), repeat=size):
        weight = formula("1")
        for one in outcome:
            weight = weight * (rate if one else formula("1") - rate)
        law[sum(outcome)] = law[sum(outcome)] + weight
    return law


@BOOK.table
def _binomial(printed: tuple[str, str], true: str) -> Finding:
    r"""
    eq-9 | eq. 9, and before eq. 11 | p; N*r*(1 - r) | q10 + q11
        The number of observed positives is binomial, $N^O_+\sim\mathrm{Bin}(N,p^O)$, of variance $Np(1-p)$.
        note: a sum of N independent 0/1 values of one rate is binomial; both assumptions are stated
    sec-2-2/real-binomial | section 2.2, before eq. 10 | pi*p + phi*q; N*r*(1 - r) | q01 + q11
        The number of real positives is binomial, $N^R_+\sim\mathrm{Bin}(N,p^R)$, of variance $Np(1-p)$.
    """
    claimed = formula(printed[0], {"p": "q10 + q11", "q": "1 - p", "pi": "q11/p", "phi": "q01/q"})
    right = True
    for size in range(1, 5):
        first = second = formula("0")
        for k, chance in enumerate(_law(formula(true), size)):
            power = claimed**k * (formula("1") - claimed) ** (size - k)
            right = right and alike(chance, formula(str(comb(size, k))) * power)
            first, second = first + formula(str(k)) * chance, second + formula(str(k * k)) * chance
        variance = formula(printed[1]).substitute({"N": formula(str(size)), "r": claimed})
        right = right and alike(second - first**2, variance)
    return as_printed(
        right,
        "probabilities and variance for N = 1 to 4, summed over the labels of N outputs of any one joint law of observed and "
        f"real label, {'are' if right else 'are not'} those of Bin(N, {printed[0]})",
    )


_LABELS = "p: q10 + q11; q: 1 - p; pi: q11/p; phi: q01/q | q01 + q11 is P(R = 1)"
BOOK.table(
    same,
    rf"""
    eq-10 | eq. 10 | pi*p + phi*q = pi*p + phi*(1 - p) | q01 + q11 | {_LABELS}
        $p^R=P(R=1|O=1)P(O=1)+P(R=1|O=0)P(O=0)=p^{{R|O}}p^O+p^{{R|O'}}p^{{O'}}$, with $p^{{O'}}=1-p^O$.
    eq-11 | eq. 11 | N*(p*pi + phi*q)*(1 - p*pi - phi*q) | N*(q01 + q11)*(1 - q01 - q11) | {_LABELS}
        $\mathrm{{Var}}^M(N^R_+)=N(p^Op^{{R|O}}+p^{{R|O'}}p^{{O'}})(1-p^Op^{{R|O}}-p^{{R|O'}}p^{{O'}})$.
    eq-12 | eq. 12; appendix A.2 | V/N**2 = pR*(1 - pR)/N | pR*(1 - pR)/N | V: N*pR*(1 - pR)
        $\mathrm{{Var}}^M(N^R_+/N)=\mathrm{{Var}}^M(N^R_+)/N^2=p^R(1-p^R)/N$, with two classes or more.
    """,
)


@BOOK.claim
def _(printed: tuple[str, str]) -> Finding:
    """eq-10/names | section 2.2, after eq. 10 | TP/(TP + FP); FN/(FN + TN)
    $p^{R|O}$ is the precision and $p^{R|O'}$ the false omission rate of the metric model.
    """
    result = [formula(text).evaluate({"TP": mpq(3), "FP": mpq(1), "FN": mpq(2), "TN": mpq(5)}) for text in printed]
    return as_printed(
        result == [mpq(3, 4), mpq(2, 7)],
        f"TP, FP, FN, TN = 3, 1, 2, 5: P(R=1|O=1) = 3/4, P(R=1|O=0) = 2/7; printed: {result[0]} and {result[1]}",
    )


@BOOK.claim
def _() -> Finding:
    """eq-10/estimated | section 2.2 after eq. 10, and appendix A.3 after eq. 19 | verdict=depends | essential
    Precision and false omission rate can be taken from the testing data of the metric model, or from a held-out set.
    quote: precision and false omission rate, respectively, which can be estimated from the metric model M's
    performance on its testing data
    instead: say that the testing data must be distributed as the outputs, or carry over sensitivity and specificity instead
    why: Precision and false omission rate change with the share of positives. They may be taken from testing data only if
    these are distributed as the outputs that are judged.
    by hand: Bayes' rule for a classifier that finds 3/4 of the positives and wrongly 1/4 of the negatives, with half and with
    a tenth of positives.
    """
    hit, false_alarm, tested = mpq(3, 4), mpq(1, 4), mpq(1, 2)

    def seen(share: mpq) -> mpq:
        return share * hit + (1 - share) * false_alarm

    precision = tested * hit / seen(tested)
    omission = tested * (1 - hit) / (1 - seen(tested))
    readings = {}
    for name, share in (
        ("the testing data are distributed as the outputs that are judged", tested),
        ("the testing data have another share of positives", mpq(1, 10)),
    ):
        result = precision * seen(share) + omission * (1 - seen(share))
        readings[name] = decided(
            result == share,
            "a classifier that finds 3/4 of the positives and wrongly 1/4 of the negatives, tested where half are "
            f"positive: on outputs of which {share} are, eq. 10 gives {result}",
        )
    return by_reading(readings)


_REAL = "(phi + (pi - phi)*{})"


@BOOK.table
def _estimate(printed: str, kind: str) -> Finding:
    r"""
    sec-2-2/plug-in-biased | section 2.2, after eq. 12 | pR*(1 - pR)/N | biased
        With the observed share put in for $p^O$, eq. 12 is a biased estimate.
    eq-13 | eq. 13 | pR*(1 - pR)/(N - 1) | unbiased | verdict=wrong | essential
        With Bessel's correction, $p^R(1-p^R)/(N-1)$ is an unbiased estimate of $\mathrm{Var}^M(N^R_+/N)$.
        quote: $\operatorname{Var}^M\left(\frac{N_+^R}{N}\right) = \frac{p^R * (1 - p^R)}{N - 1}$
        right: (pi - phi)**2*s*(1 - s)/(N - 1) + (s*pi*(1 - pi) + (1 - s)*phi*(1 - phi))/N
        instead: $\frac{(\pi-\varphi)^2p^O(1-p^O)}{N-1}+\frac{p^O\pi(1-\pi)+(1-p^O)\varphi(1-\varphi)}{N}$, with the observed
        share for $p^O$
        why: Bessel's correction mends an estimate $\bar f(1-\bar f)/N$. Here the share enters as
        $p^R=\varphi+(\pi-\varphi)p^O$, and the mean of the printed estimate exceeds eq. 12 by
        $[p\pi(1-\pi)+(1-p)\varphi(1-\varphi)]/(N(N-1))$, with $p=p^O$. It is unbiased only if $\pi$ and $\varphi$ are each 0
        or 1.
        by hand: Let $\pi=\varphi=1/2$ and $N=2$: then $p^R$ is 1/2, whatever was observed, and eq. 13 is 1/4; the variance
        is 1/8.
    """
    true = formula("pR*(1 - pR)/N", {"pR": _REAL.format("p")})
    gap = mean(formula(printed, {"pR": _REAL.format("s")}), _SHARE) - true
    known = {
        "−δ²p(1−p)/N², with δ = π − φ": "0 - (pi - phi)**2*p*(1 - p)/N**2",
        "[pπ(1−π) + (1−p)φ(1−φ)]/(N(N−1))": "(p*pi*(1 - pi) + (1 - p)*phi*(1 - phi))/(N*(N - 1))",
        "0": "0",
    }
    text = next((words for words, each in known.items() if alike(gap, each)), str(gap))
    evidence = f"its mean less the variance is {text}, as formulas"
    if kind == "biased":
        is_eq_12 = alike(formula(printed, {"pR": _REAL.format("p")}), true)
        return decided(is_eq_12 and text != "0", evidence, "without bias only if δ = 0 or p is 0 or 1")
    half = mpq(1, 2) * mpq(1, 2)
    case = f"smallest case: N = 2, π = φ = 1/2: p^R is 1/2 and eq. 13 always {half}, the variance is {half / 2}"
    return decided(alike(gap, "0"), evidence, case)


@BOOK.claim
def _(printed: tuple[str, str]) -> Finding:
    r"""eq-14 | eq. 14 | f_d - 1.96*sM; f_d + 1.96*sM | verdict=wrong | essential
    The 95 % interval for model-based metrics is $\bar f_d\mp1.96\sqrt{\mathrm{Var}^M(d)}$.
    quote: $(\bar{f}_d - 1.96\sqrt{\operatorname{Var}^M(d)}, \bar{f}_d + 1.96\sqrt{\operatorname{Var}^M(d)})$
    right: (pi - phi)*f_d - 1.96*(pi - phi)*sD; (pi - phi)*f_d + 1.96*(pi - phi)*sD
    instead: for the real difference, $(\pi-\varphi)\bar f_d\mp1.96\sqrt{(\pi-\varphi)^2\operatorname{Var}^D(d)}$, with $\pi$
    and $\varphi$ taken as known
    why: The middle $\bar f_d$ estimates the difference of observed rates, and the width is made from the variance of real
    shares. For the real difference the middle must be $(\pi-\varphi)\bar f_d$. For the observed difference the variance is
    $\mathrm{Var}^D(d)$, and $\mathrm{Var}^M(d)$ may even be smaller.
    by hand: With $\pi=3/4$, $\varphi=1/4$ and 10 and 50 of 100 observed, the real rates are estimated as 3/10 and 1/2; the
    interval from 0.266 to 0.534 misses their difference 1/5.
    """
    lower, upper = (formula(text) for text in printed)
    middle, width = (lower + upper) / formula("2"), upper - lower
    real, aimed = formula("(pi - phi)*(pT - pC)"), middle.substitute({"f_d": formula("pT - pC")})
    example = Models((10, 100), (50, 100), mpq(3, 4), mpq(1, 4))
    built, delta = example.interval("m"), example.pi - example.phi
    shares = [example.phi + delta * mpq(*side) for side in (example.control, example.treatment)]
    coin = Models((50, 100), (50, 100), mpq(1, 2), mpq(0))
    return decided(
        alike(aimed, real) and alike(width, "2*1.96*(pi - phi)*sD"),
        f"for the difference of real rates: the middle is {aimed} on average, the difference is {real}; with π = 3/4, "
        f"φ = 1/4, 10 and 50 of 100 observed, the estimates are {shares[0]} and {shares[1]}, and the interval from "
        f"{fixed_text(built.end(-1), 3)} to {fixed_text(built.end(1), 3)} misses {delta * example.difference}",
        "for the difference of observed rates: its variance is Var^D(d), and Var^M(d) may be smaller; with π = 1/2, "
        f"φ = 0 and 50 of 100 observed twice, {coin.interval('m').variance} in place of {coin.interval('d').variance}",
        "sM and sD are the roots of Var^M(d) and Var^D(d)",
    )


@BOOK.claim
def _(printed: str) -> Finding:
    """eq-14/perfect | section 2.2, after eq. 14 | pR*(1 - pR)/(N - 1)
    With a perfect metric model, variance and interval are those of eq. 5, 6 and 8.
    """
    limit = formula(printed, {"pR": _REAL.format("s")}).substitute({"pi": formula("1"), "phi": formula("0")})
    pairs = [Models((left, 4), (right, 5)) for left in range(5) for right in range(6)]
    same_intervals = all(each.interval("d") == each.interval("m") for each in pairs)
    return as_printed(
        alike(limit, "s*(1 - s)/(N - 1)") and same_intervals,
        f"at π = 1, φ = 0 it becomes {limit}; eq. 5 is s(1 − s)/(N − 1) by eq. 16",
        f"the intervals of eq. 8 and 14 agree on all {len(pairs)} pairs of samples of 4 and 5 results",
    )
