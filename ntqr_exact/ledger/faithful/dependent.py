"""Goyal, Hu and Gupta 2023, appendix A.3: dependent samples (eq. 18 to 20)."""

from __future__ import annotations

import itertools
import re

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, constant, read_formula
from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.faithful.interval import variance_of_difference
from ntqr_exact.ledger.faithful.model_based import transfer
from ntqr_exact.ledger.faithful.moments import mean, paired_moments
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided

Law = dict[tuple[int, int, int, int], mpq]


_BITS = (0, 1)


def _sign_of_covariance(printed: str) -> Finding:
    holds, claimed, true = variance_of_difference(printed, independent=False)
    # C = T: all moments of T are those of C.
    same = {"t1": read_formula("c1"), "t2": read_formula("c2"), "ct": read_formula("c2")}
    of_sum = read_formula("VC + VT + 2*Cov").equals(read_formula(printed))
    return decided(
        holds,
        f"in moments, Var(T − C) = {true}; printed: {claimed}",
        f"smallest case: T = C, so T − C = 0: Var = {true.substitute(same)}; printed: {claimed.substitute(same)}",
        right="VC + VT - 2*Cov",
        slip=True,
        arose="this is the variance of the sum T + C" if of_sum else "",
    )


def _covariance_of_means(printed: str) -> Finding:
    """E[c t] − E[c]E[t] of the shares of N paired results."""
    known = paired_moments()
    true = mean(read_formula("c*t"), known) - mean(read_formula("c"), known) * mean(read_formula("t"), known)
    claimed = read_formula(printed, {"cov": read_formula("p11 - pC*pT")})
    return decided(
        claimed.equals(true),
        f"of the N² pairs of results only the N of one question covary: Cov of the means is {true}",
        "it needs one result of each model per question, so N_C = N_T",
        right="cov/N",
        slip=True,
    )


_EXPECTATION = re.compile(r"E\[([^\]]*)\]")


def _definition_of_covariance(printed: str) -> Finding:
    means = {"fC*fT": "(p11)", "fC": "(pC)", "fT": "(pT)"}
    text = _EXPECTATION.sub(lambda match: means[match[1]], printed)
    bare = re.findall(r"\[([^\]]*)\]", text)
    value = read_formula(re.sub(r"\[([^\]]*)\]", r"(\1)", text))
    true = read_formula("p11 - pC*pT")
    return decided(
        value.equals(true),
        f"Cov = E[f_C f_T] − E[f_C]E[f_T] = {true}; printed: {value}"
        + (f", in which {', '.join(bare)} is still random" if bare else ""),
        right="E[fC*fT] - E[fC]*E[fT]",
        slip=True,
        arose="one E before a bracket is missing" if bare else "",
    )


def _sum_of_products(printed: str) -> Finding:
    """Σ xy P(f_T = x, f_C = y) − p_C p_T, term by term; `printed` is the summand and what is taken off."""
    summand, _, rest = printed.partition("; ")
    total = constant(0)
    chances = {
        (0, 0): "1 - pC - pT + p11",
        (1, 0): "pT - p11",
        (0, 1): "pC - p11",
        (1, 1): "p11",
    }
    for (x, y), chance in chances.items():
        values = {"x": constant(x), "y": constant(y), "P": read_formula(chance)}
        total = total + read_formula(summand, values)
    claimed = total - read_formula(rest)
    return decided(
        claimed.equals(read_formula("p11 - pC*pT")),
        f"of the four terms only x = y = 1 is left: {claimed}",
        "x belongs to T and y to C here, and the other way round in eq. 19; the product xy does not mind",
        right="x*y*P; pC*pT",
        slip=True,
    )


def _last_of_18(printed: str) -> Finding:
    claimed = read_formula(printed)
    return decided(
        claimed.equals(read_formula("(p11 - pC*pT)/N")),
        f"printed: {claimed}; the covariance of the means is (P(1, 1) − p_C p_T)/N",
        right="(p11 - pC*pT)/N",
        slip=True,
    )


# A law in which the real labels are independent given both observed ones, yet C's follows what was observed of T.
LEANING: Law = {(0, 0, 0, 0): mpq(1, 2), (1, 1, 0, 1): mpq(1, 2)}


def _chance(law: Law, **fixed: int) -> mpq:
    names = ("rc", "rt", "oc", "ot")
    return sum(
        (
            weight
            for outcome, weight in law.items()
            if all(outcome[names.index(name)] == value for name, value in fixed.items())
        ),
        mpq(0),
    )


def _given(law: Law, event: dict[str, int], condition: dict[str, int]) -> mpq:
    below = _chance(law, **condition)
    return _chance(law, **event, **condition) / below if below else mpq(0)


def lines_of_19(law: Law) -> dict[str, mpq]:
    """Return the left side of eq. 19 and its four right sides for a law of one question."""
    lines = dict.fromkeys("abcd", mpq(0))
    for x, y in itertools.product(_BITS, repeat=2):
        both, weight = {"oc": x, "ot": y}, _chance(law, oc=x, ot=y)
        lines["a"] += _chance(law, rc=1, rt=1, **both)
        lines["b"] += _given(law, {"rc": 1, "rt": 1}, both) * weight
        lines["c"] += _given(law, {"rc": 1}, both) * _given(law, {"rt": 1}, both) * weight
        lines["d"] += _given(law, {"rc": 1}, {"oc": x}) * _given(law, {"rt": 1}, {"ot": y}) * weight
    return {"left": _chance(law, rc=1, rt=1), **lines}


def conditionally_independent(law: Law) -> bool:
    """Return whether the real labels are independent given both observed ones, as eq. 19 assumes."""
    return all(
        _given(law, {"rc": 1, "rt": 1}, both) == _given(law, {"rc": 1}, both) * _given(law, {"rt": 1}, both)
        for both in ({"oc": x, "ot": y} for x, y in itertools.product(_BITS, repeat=2))
    )


def _laws(parts: int) -> list[Law]:
    """Return all laws with probabilities that are multiples of 1/parts, in order."""
    outcomes = list(itertools.product(_BITS, _BITS, _BITS, _BITS))
    laws = []
    for chosen in itertools.combinations_with_replacement(outcomes, parts):
        law: Law = {}
        for outcome in chosen:
            law[outcome] = law.get(outcome, mpq(0)) + mpq(1, parts)
        laws.append(law)
    return laws


def _line_of_19(printed: str) -> Finding:
    letter, assumed = printed.split(": ")
    laws = _laws(1) + _laws(2)
    kept = [law for law in laws if assumed == "any law" or conditionally_independent(law)]
    failing = [law for law in kept if lines_of_19(law)[letter] != lines_of_19(law)["left"]]
    if failing:
        # Of the laws of fewest outcomes, the one in which T is observed as it is, if there is one.
        law = LEANING if LEANING in failing else failing[0]
        shown = lines_of_19(law)
        outcomes = "; ".join(f"R_C, R_T, O_C, O_T = {key} with {weight}" for key, weight in law.items())
        return decided(
            False,
            f"smallest counterexample: {outcomes}",
            f"given O_C and O_T both real labels are certain, hence independent; left side {shown['left']}, "
            f"line {letter}: {shown[letter]}",
            f"the line fails in {len(failing)} of {len(kept)} laws of at most 2 equally likely outcomes",
            right="assume also that each real label depends on its own observed label only: "
            "P(R_C | O_C, O_T) = P(R_C | O_C) and P(R_T | O_C, O_T) = P(R_T | O_T)",
        )
    why = {"a": "the law of total probability", "b": "the definition of conditional probability"}
    return decided(
        True,
        why.get(letter, "the definition of conditional independence, term by term"),
        f"line {letter} equals the left side in all {len(kept)} laws of at most 2 equally likely outcomes",
    )


def _covariance_estimate(printed: str) -> Formula:
    """Return eq. 20 with the joint shares b, c − b, t − b, 1 − c − t + b for what is observed."""
    total = constant(0)
    chances = {(0, 0): "1 - c - t + b", (0, 1): "t - b", (1, 0): "c - b", (1, 1): "b"}
    match = re.fullmatch(r"(.+) \* sum (\S+) ([-+] .+)", printed)
    if match is None:
        raise BadDocument(printed, "eq. 20 is written factor * sum term - product")
    rate = {0: read_formula("phi"), 1: read_formula("pi")}
    for (x, y), chance in chances.items():
        total = total + read_formula(match[2], {"rC": rate[x], "rT": rate[y], "P": read_formula(chance)})
    real = {"pRC": read_formula("phi + (pi - phi)*c"), "pRT": read_formula("phi + (pi - phi)*t")}
    return read_formula(f"{match[1]} * total {match[3]}", {"total": total} | real)


def _equation_20(printed: str) -> Finding:
    average = mean(_covariance_estimate(printed), paired_moments())
    true = read_formula("(pi - phi)**2*(p11 - pC*pT)/N")
    law = LEANING
    real = _chance(law, rc=1, rt=1) - _chance(law, rc=1) * _chance(law, rt=1)
    told = lines_of_19(law)["d"] - _chance(law, rc=1) * _chance(law, rt=1)
    return by_reading(
        {
            "each real label depends on its own observed label only": decided(
                average.equals(true),
                "E of eq. 20 is δ²·Cov(O_C, O_T)/N = Cov(R_C, R_T)/N, as formulas: unbiased"
                if average.equals(true)
                else f"E of eq. 20 is {average}",
                right="1/(N - 1) * sum rC*rT*P - pRC*pRT/(N - 1)",
                slip=True,
            ),
            "independence given both observed labels, as stated, and no more": decided(
                conditionally_independent(law) and real == told,
                f"the counterexample to the last line of eq. 19: Cov(R_C, R_T) = {real}, by eq. 20 on average {told}",
                right="state the second assumption",
            ),
        }
    )


_LINES_19 = (
    ("a", "any law", "is the sum over what is observed of all four labels together"),
    ("b", "any law", "is the sum of conditional probabilities times that of what is observed"),
    (
        "c",
        "independent given both",
        "splits into a product, as the real labels are independent given both observed",
    ),
    ("d", "independent given both", r"has $P(R_C=1|O_C=x)P(R_T=1|O_T=y)$ for that product"),
)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "faithful/sec-a-3/variance",
        "appendix A.3, before eq. 18",
        Kind.IDENTITY,
        r"For dependent samples $\mathrm{Var}(T-C)=\mathrm{Var}(C)+\mathrm{Var}(T)+2\,\mathrm{Cov}(C,T)$.",
        _sign_of_covariance,
        printed="VC + VT + 2*Cov",
        by_hand="Take T = C.",
    ),
    Claim(
        "faithful/eq-18a",
        "eq. 18, line 1",
        Kind.IDENTITY,
        r"$\mathrm{Cov}(C,T)=\frac1N\mathrm{Cov}(f_C,f_T)$.",
        _covariance_of_means,
        printed="1/N*cov",
    ),
    Claim(
        "faithful/eq-18b",
        "eq. 18, line 2",
        Kind.IDENTITY,
        r"$\mathrm{Cov}(f_C,f_T)=E[f_Cf_T]-E[f_C][f_T]$.",
        _definition_of_covariance,
        printed="E[fC*fT] - E[fC]*[fT]",
        garbled="an E before the last bracket may have been lost",
    ),
    Claim(
        "faithful/eq-18c",
        "eq. 18, line 3",
        Kind.IDENTITY,
        r"$E[f_Cf_T]-E[f_C]E[f_T]=\sum_{x,y}xy\,P(f_T=x,f_C=y)-p_Cp_T$.",
        _sum_of_products,
        printed="x*y*P; pC*pT",
    ),
    Claim(
        "faithful/eq-18d",
        "eq. 18, line 4",
        Kind.IDENTITY,
        r"$\mathrm{Cov}(C,T)=\frac1N(P(f_T=1,f_C=1)-p_Cp_T)$.",
        _last_of_18,
        printed="(p11 - pC*pT)/N",
    ),
    *(
        Claim(
            f"faithful/eq-19{letter}",
            f"eq. 19, line {number}",
            Kind.IDENTITY,
            f"The probability that both are really positive {text}.",
            _line_of_19,
            printed=f"{letter}: {assumed}",
        )
        for number, (letter, assumed, text) in enumerate(_LINES_19, 1)
    ),
    Claim(
        "faithful/sec-a-3/held-out",
        "appendix A.3, after eq. 19",
        Kind.SENTENCE,
        "The rates $P(R_C=1|O_C)$ and $P(R_T=1|O_T)$ can be taken from a held-out set.",
        transfer,
    ),
    Claim(
        "faithful/eq-20",
        "eq. 20",
        Kind.THEOREM,
        r"With Bessel's correction $\frac1{N-1}\left(\sum_{x,y}P(R_C|x)P(R_T|y)P(x,y)-p^R_Cp^R_T\right)$ "
        "is the covariance.",
        _equation_20,
        printed="1/(N - 1) * sum rC*rT*P - pRC*pRT/(N - 1)",
    ),
)
