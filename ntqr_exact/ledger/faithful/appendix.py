"""The appendix of the paper on model-based metrics: no errors, more classes, dependent samples."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from gmpy2 import mpq

from ntqr_exact.ledger.equations import alike, formula, mean, same
from ntqr_exact.ledger.faithful.model import of_difference
from ntqr_exact.ledger.faithful.tables import BOOK
from ntqr_exact.ledger.judgement import Finding, all_of, as_printed, by_reading, decided

BOOK.table(
    same,
    r"""
    eq-15 | eq. 15, and appendix A.1 | p*(1 - p)/(N - 1) | pR*(1 - pR)/(N - 1) | pi: 1; phi: 0; pR: pi*p + phi*(1 - p)
        A metric model without errors has precision 1 and false omission rate 0, so that $p^R=p^O$ and eq. 13 is
        $p^O(1-p^O)/(N-1)$.
    eq-16 | eq. 16, lines 2 to 6, and the text after it
        | (N1*(1 - p)**2 + (N - N1)*(0 - p)**2)/(N*(N - 1)) = (N1*(1 - p)**2 + (N - N1)*p**2)/(N*(N - 1))
        = (N1 - 2*N1*p + N*p**2)/(N*(N - 1)) = (p*N - 2*N*p**2 + N*p**2)/(N*(N - 1)) = p*(1 - p)/(N - 1)
        | p*(1 - p)/(N - 1) | N1: N*p | N_1 = Np ones deviate by 1 − p, and N − N_1 zeros by −p
        Eq. 5, split by $f_i=1$ and $f_i=0$, becomes $p(1-p)/(N-1)$, which is eq. 15; so eq. 13 generalizes eq. 5 and 6.
    eq-17 | eq. 17 | r0*p0 + r1*p1 + r2*p2 | a0 + a1 + a2
        | p0: a0 + b0; p1: a1 + b1; p2: a2 + b2; r0: a0/p0; r1: a1/p1; r2: a2/p2
        | a_k and b_k are the probabilities of class k with R = 1 and with R = 0
        With more classes, as after eq. 14, $p^R=\sum_o P(R=1|O=o)P(O=o)$; here with three.
    """,
)
BOOK.table(
    of_difference,
    r"""
    sec-a-3/variance | appendix A.3, before eq. 18, to which section 2.1 refers | VC + VT + 2*Cov | dependent
        | verdict=misprint | essential
        For dependent samples $\mathrm{Var}(T-C)=\mathrm{Var}(C)+\mathrm{Var}(T)+2\,\mathrm{Cov}(C,T)$.
        quote: $\operatorname{Var}^M(d) = \operatorname{Var}^M(T-C) = \operatorname{Var}^M(C) + \operatorname{Var}^M(T) +
        2\operatorname{Cov}^M(C,T)$
        right: VC + VT - 2*Cov
        instead: $\operatorname{Var}^M(T-C) = \operatorname{Var}^M(C) + \operatorname{Var}^M(T) - 2\operatorname{Cov}^M(C,T)$
        why: This is the variance of the sum $T+C$. For the difference the covariance is subtracted twice.
        by hand: Take $T=C$: the difference is 0, and so is its variance.
    """,
)

_PAIRED = {
    "b": "p11", "b b": "p11**2 + p11*(1 - p11)/N", "c": "pC", "t": "pT", "c c": "pC**2 + pC*(1 - pC)/N",
    "t t": "pT**2 + pT*(1 - pT)/N", "c t": "pC*pT + (p11 - pC*pT)/N",
}  # fmt: skip
# The moments of shares of N pairs of rates pC, pT: c and t of positives, b of pairs with both.


@BOOK.claim
def _(printed: str) -> Finding:
    r"""eq-18a | eq. 18, lines 1 and 4 | 1/N*cov = 1/N*(p11 - pC*pT)
    $\mathrm{Cov}(C,T)=\frac1N\mathrm{Cov}(f_C,f_T)=\frac1N(P(f_T=1,f_C=1)-p_Cp_T)$.
    """
    true = mean(formula("c*t"), _PAIRED) - mean(formula("c"), _PAIRED) * mean(formula("t"), _PAIRED)
    sides = [formula(side, {"cov": "p11 - pC*pT"}) for side in printed.split(" = ")]
    text = f"of the N² pairs of results only the N of one question covary: Cov of the means is {true}; printed: {sides[-1]}"
    return as_printed(all(alike(side, true) for side in sides), text)


BOOK.table(
    same,
    r"""
    eq-18b | eq. 18, line 2 | E_CT - E_C*f_T | p11 - pC*pT | E_CT: p11; E_C: pC; E_T: pT | verdict=misprint
        $\mathrm{Cov}(f_C,f_T)=E[f_Cf_T]-E[f_C][f_T]$.
        quote: $\frac{1}{N} (E[f_{C}^{R} * f_{T}^{R}] - E[f_{C}^{R}][f_{T}^{R}])$
        right: E_CT - E_C*E_T
        instead: $\frac{1}{N} (E[f_{C}^{R} * f_{T}^{R}] - E[f_{C}^{R}]E[f_{T}^{R}])$
        why: An $E$ is missing before the last bracket; the next lines have it.
        garbled: The E may have been lost in the extraction of the text.
    """,
)


@BOOK.claim
def _(printed: tuple[str, str]) -> Finding:
    r"""eq-18c | eq. 18, line 3 | x*y*P; pC*pT
    $E[f_Cf_T]-E[f_C]E[f_T]=\sum_{x,y}xy\,P(f_T=x,f_C=y)-p_Cp_T$.
    """
    chances = {(0, 0): "1 - pC - pT + p11", (1, 0): "pT - p11", (0, 1): "pC - p11", (1, 1): "p11"}
    total = formula("0") - formula(printed[1])
    for (x, y), chance in chances.items():
        total = total + formula(printed[0], {"x": str(x), "y": str(y), "P": chance})
    return as_printed(alike(total, "p11 - pC*pT"), f"of the four terms only x = y = 1 is left: {total}")


_Law = dict[tuple[int, int, int, int], mpq]
_NAMES = ("rc", "rt", "oc", "ot")
_PAIRS = tuple(itertools.product((0, 1), repeat=2))
_LEANING: _Law = {(0, 0, 0, 0): mpq(1, 2), (1, 1, 0, 1): mpq(1, 2)}


def _chance(law: _Law, **fixed: int) -> mpq:
    fits = (w for key, w in law.items() if all(key[_NAMES.index(n)] == v for n, v in fixed.items()))
    return sum(fits, mpq(0))


def _given(law: _Law, event: Mapping[str, int], condition: Mapping[str, int]) -> mpq:
    below = _chance(law, **condition)
    return _chance(law, **event, **condition) / below if below else mpq(0)


def _lines(law: _Law) -> dict[str, mpq]:
    """Return the left side of eq. 19 and its four right sides for a law of one question."""
    lines = dict.fromkeys("abcd", mpq(0))
    for x, y in _PAIRS:
        both, weight = {"oc": x, "ot": y}, _chance(law, oc=x, ot=y)
        lines["a"] += _chance(law, rc=1, rt=1, **both)
        lines["b"] += _given(law, {"rc": 1, "rt": 1}, both) * weight
        lines["c"] += _given(law, {"rc": 1}, both) * _given(law, {"rt": 1}, both) * weight
        lines["d"] += _given(law, {"rc": 1}, {"oc": x}) * _given(law, {"rt": 1}, {"ot": y}) * weight
    return {"left": _chance(law, rc=1, rt=1), **lines}


def _obeys(law: _Law, assumption: str) -> bool:
    """Return whether real labels are independent given both observed ones, and each depends on its own one only."""
    if assumption == "any law":
        return True
    seen = [{"oc": x, "ot": y} for x, y in _PAIRS if _chance(law, oc=x, ot=y)]
    independent = all(
        _given(law, {"rc": 1, "rt": 1}, both) == _given(law, {"rc": 1}, both) * _given(law, {"rt": 1}, both) for both in seen
    )
    own = all(
        _given(law, {"rc": 1}, both) == _given(law, {"rc": 1}, {"oc": both["oc"]})
        and _given(law, {"rt": 1}, both) == _given(law, {"rt": 1}, {"ot": both["ot"]})
        for both in seen
    )
    return independent and (own or not assumption.endswith("own label"))


def _small_laws() -> list[_Law]:
    outcomes = list(itertools.product((0, 1), (0, 1), (0, 1), (0, 1)))
    laws: list[_Law] = [{outcome: mpq(1)} for outcome in outcomes]
    return laws + [dict.fromkeys(pair, mpq(1, 2)) for pair in itertools.combinations(outcomes, 2)]


def _line(which: str, assumption: str) -> Finding:
    """Compare a line of eq. 19 with its left side in all small laws that obey what is assumed."""
    kept = [law for law in _small_laws() if _obeys(law, assumption)]
    failing = [law for law in kept if _lines(law)[which] != _lines(law)["left"]]
    text = f"of {len(kept)} laws of at most 2 equally likely outcomes the line fails in {len(failing)}"
    if not failing:
        return decided(True, text)
    law = _LEANING if _LEANING in failing else failing[0]  # in which T is observed as it is
    outcomes = " and ".join(f"R_C, R_T, O_C, O_T = {', '.join(map(str, key))}" for key in law)
    shown = _lines(law)
    chances = " and ".join(f"with probability {weight}" for weight in dict.fromkeys(law.values()))
    return decided(
        False,
        f"{outcomes}, each {chances}: given O_C and O_T both real labels are certain, hence independent; the left side is "
        f"{shown['left']}, line {which} is {shown[which]}",
        text,
    )


@BOOK.claim
def _() -> Finding:
    """eq-19 | eq. 19, lines 1 to 3
    The probability that both are really positive is summed over what is observed, then by conditional probabilities, which
    split into a product, as the real labels are independent given both observed.
    """
    lines = {"a": "any law", "b": "any law", "c": "independent given both"}
    return all_of({f"line {which}": _line(which, assumption) for which, assumption in lines.items()})


@BOOK.claim
def _() -> Finding:
    r"""eq-19d | eq. 19, last line | verdict=depends | essential
    The probability that both are really positive has $P(R_C=1|O_C=x)P(R_T=1|O_T=y)$ for that product.
    quote: $P(f_C^R = 1 | f_C^O = x, f_T^O = y) * P(f_T^R = 1 | f_C^O = x, f_T^O = y) = P(f_C^R = 1 | f_C^O = x)
    P(f_T^R = 1 | f_T^O = y)$
    instead: assume also $P(f_C^R=1|f_C^O,f_T^O)=P(f_C^R=1|f_C^O)$, and likewise for $T$
    why: An assumption is missing. Independence of the real labels given both observed ones allows the product, but not to
    drop the other model's observed label from each factor. The step, and eq. 20 with it, holds if each real label depends on
    its own observed label only.
    by hand: Let both outputs be really negative and observed so with probability 1/2, and else both really positive with
    $f_C^O=0$ and $f_T^O=1$. The left side is 1/2, the last line 1/4.
    """
    return by_reading({
        "each real label depends on its own observed label only": _line("d", "independent given both, each by its own label"),
        "independence given both observed labels, as stated, and no more": _line("d", "independent given both"),
    })  # fmt: skip


@BOOK.claim
def _(printed: tuple[str, str, str]) -> Finding:
    r"""eq-20 | eq. 20 | 1/(N - 1); rC*rT*P; 1/(N - 1)*pRC*pRT | verdict=depends
    With Bessel's correction $\frac1{N-1}\left(\sum_{x,y}P(R_C|x)P(R_T|y)P(x,y)-p^R_Cp^R_T\right)$ is the covariance.
    with: eq-19d
    quote: $\frac1{N-1}\left(\sum_{x,y}P(f_C^R=1|f_C^O=x)P(f_T^R=1|f_T^O=y)P(f_C^O=x,f_T^O=y)-p_C^Rp_T^R\right)$
    """
    factor, term, less = printed
    chances = {(0, 0): "1 - c - t + b", (0, 1): "t - b", (1, 0): "c - b", (1, 1): "b"}
    rate = {0: "phi", 1: "pi"}
    total = formula("0")
    for (x, y), chance in chances.items():
        total = total + formula(term, {"rC": rate[x], "rT": rate[y], "P": chance})
    real = {"pRC": "phi + (pi - phi)*c", "pRT": "phi + (pi - phi)*t"}
    average = mean(formula(factor) * total - formula(less, real), _PAIRED)
    right = alike(average, "(pi - phi)**2*(p11 - pC*pT)/N")
    product = _chance(_LEANING, rc=1) * _chance(_LEANING, rt=1)
    of_labels, result = _chance(_LEANING, rc=1, rt=1) - product, _lines(_LEANING)["d"] - product
    good = "its mean is δ²·Cov(O_C, O_T)/N = Cov(R_C, R_T)/N, as formulas: unbiased"
    return by_reading({
        "each real label depends on its own observed label only": decided(
            right, good if right else f"its mean is {average}"
        ),
        "independence given both observed labels, as stated, and no more": decided(
            right and of_labels == result,
            f"in the counterexample to the last line of eq. 19, Cov(R_C, R_T) = {of_labels}, and eq. 20 is {result} on "
            "average",
        ),
    })  # fmt: skip


BOOK.words(r"""
    eq. 5 and 6 | $\sum_{i=1}^{|C|} (f_{C,i} - \bar{f}_C)^2$ | $\sum_{i=1}^{N_C}$ | $|C|$ and $|T|$ are not defined.
    eq. 7 | $H_0: \bar{f}_C = \bar{f}_T$ | $H_0: p_C=p_T$, for the means of the distributions that were sampled |
        $\bar f_C$ and $\bar f_T$ are means of samples, which are known; the hypotheses are about what they estimate.
    eq. 8 | open ends | closed ends | If both samples are all zeros, or all ones, the variance is 0 and the open interval is
        empty, so that it does not contain 0 though the means are equal.
    sections 1 and 2.2 | eq. 5 and 6 are the variances of the observed evaluation values | variances of the mean of the
        observed evaluation values | Section 2.1 has it right; the variances of the values are $N$ times as large.
    table 1, footnotes 2 and 3 | the variance of of GPT2 model using deterministic metric | eq. 5 on the labels of the classifier
        | Section 1 calls a metric deterministic if it uses labels that people gave.
    section 4 | In their book, Dror et al. (Simpson, 2021) discuss | the reference of the book itself, by Dror,
        Peled-Cohen, Shlomov and Reichart (2020) | Simpson 2021 is a review of that book, under its title.
    limitations | two sample ttest | two-sample z-test | Eq. 8 and 14 take the normal quantile 1.96 whatever the sample
        size; for the large samples of the paper both tests agree.
    eq. 17 | $o_i \in \{0,1,\dots,N_O\}$ | say that $N_O$ is the highest label | $N_O$ is not defined, and the set has $N_O+1$
        values.
    """)
BOOK.missing("""
    sections 1 and 4 | Existing work on significance tests does not consider errors of a metric model | missing: the works
    """)
