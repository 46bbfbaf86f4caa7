"""Goyal, Hu and Gupta 2023, appendix A.1 and A.2: a perfect metric model, and more classes (eq. 15 to 17)."""

from __future__ import annotations

from ntqr_exact.algebra.formula import constant, read_formula
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.faithful.background import mean_of_results, variance_of_mean
from ntqr_exact.ledger.faithful.model_based import variance_of_share
from ntqr_exact.ledger.faithful.moments import REAL_ESTIMATE
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided

"""Probabilities of (real C, real T, observed C, observed T) of one question."""


# -- A.1: a perfect metric model --------------------------------------------------------------------------


def _no_errors(printed: str) -> Finding:
    precision, omission = (read_formula(text) for text in printed.split("; "))
    without = {"FP": constant(0), "FN": constant(0)}
    found = (
        read_formula("TP/(TP + FP)").substitute(without),
        read_formula("FN/(FN + TN)").substitute(without),
    )
    return decided(
        found[0].equals(precision) and found[1].equals(omission),
        f"with FP = FN = 0: TP/(TP + FP) = TP/TP and FN/(FN + TN) = 0/TN; printed are {precision} and {omission}",
        "either is 0/0 if its label is never given",
        right="1; 0",
        slip=True,
    )


def _at_perfect(printed: str) -> Finding:
    """p^R at π = 1, φ = 0."""
    found = read_formula(REAL_ESTIMATE.replace("s", "p")).substitute({"pi": constant(1), "phi": constant(0)})
    return decided(
        found.equals(read_formula(printed)),
        f"eq. 10 at precision 1 and false omission rate 0: p^R = {found}",
        right=str(found),
        slip=True,
    )


def _variance_at_perfect(printed: str) -> Finding:
    real = read_formula("phi + (pi - phi)*p").substitute({"pi": constant(1), "phi": constant(0)})
    found = read_formula("pR*(1 - pR)/(N - 1)", {"pR": real})
    return decided(
        found.equals(read_formula(printed)),
        f"eq. 13 at precision 1 and false omission rate 0: {found}",
        right=str(found),
        slip=True,
    )


_ONES = {"N1": read_formula("N*p")}


def _line_of_16(printed: str) -> Finding:
    """Every line of eq. 16, with N_1 = N p, must be the sum over N_1 ones and N − N_1 zeros."""
    squares = read_formula("N1*(1 - p)**2 + (N - N1)*(0 - p)**2", _ONES)
    true = squares / read_formula("N*(N - 1)")
    claimed = read_formula(printed, _ONES)
    return decided(
        claimed.equals(true),
        f"N_1 = Np ones deviate by 1 − p, N − N_1 zeros by −p; the line and that sum agree: {claimed.equals(true)}",
        f"the line as a formula in N and p: {claimed}",
        right="p*(1 - p)/(N - 1)",
        slip=True,
    )


# -- A.2: more classes --------------------------------------------------------------------------------------


def _classes_of_17(printed: str) -> Finding:
    first, _, last = printed.partition("..")
    number = read_formula(last) - constant(int(first)) + constant(1)
    count = read_formula("N_O")
    highest = decided(
        int(first) == 0,
        f"the values are {printed}: {number} of them, the law of total probability over all",
        right="0..N_O",
        slip=True,
    )
    size = decided(
        number.equals(count),
        f"{printed} has {number} values; with N_O = 2 classes it would be 0, 1 and 2",
        right="0..N_O - 1",
        slip=True,
    )
    return by_reading({"N_O is the highest label": highest, "N_O is the number of classes": size})


def _total_17(printed: str) -> Finding:
    """With three classes and any joint law, Σ P(R=1|O=o)P(O=o) = P(R=1)."""
    seen = {f"p{k}": read_formula(f"a{k} + b{k}") for k in range(3)}
    rates = {f"r{k}": read_formula(f"a{k}") / seen[f"p{k}"] for k in range(3)}
    found = read_formula(printed, seen | rates)
    true = read_formula("a0 + a1 + a2")
    return decided(
        found.equals(true),
        f"three classes, a_k and b_k the probabilities of class k with R = 1 and R = 0: "
        f"the sum is {'a0 + a1 + a2 = P(R = 1)' if found.equals(true) else found}",
        right="r0*p0 + r1*p1 + r2*p2",
        slip=True,
    )


# -- A.3: dependent samples ---------------------------------------------------------------------------------


_A1 = "appendix A.1"
_LINES_16 = (
    ("a", "1/(N*(N-1)) * sum(i=1..N) (f - s)**2", r"eq. 5 with $N_C$ for $|C|$"),
    ("b", "(N1*(1 - p)**2 + (N - N1)*(0 - p)**2)/(N*(N - 1))", "that sum, split by $f_i=1$ and $f_i=0$"),
    ("c", "(N1*(1 - p)**2 + (N - N1)*p**2)/(N*(N - 1))", r"$(N_1(1-p)^2+(N-N_1)p^2)/(N(N-1))$"),
    ("d", "(N1 - 2*N1*p + N*p**2)/(N*(N - 1))", r"$(N_1-2N_1p+Np^2)/(N(N-1))$"),
    ("e", "(p*N - 2*N*p**2 + N*p**2)/(N*(N - 1))", r"$(pN-2Np^2+Np^2)/(N(N-1))$"),
    ("f", "p*(1 - p)/(N - 1)", "$p(1-p)/(N-1)$"),
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "faithful/sec-a-1/no-errors",
        _A1,
        Kind.SENTENCE,
        "A metric model without errors has precision 1 and false omission rate 0.",
        _no_errors,
        printed="1; 0",
    ),
    Claim(
        "faithful/sec-a-1/real-rate",
        _A1,
        Kind.IDENTITY,
        "With a metric model without errors $p^R=p^O$.",
        _at_perfect,
        printed="p",
    ),
    Claim(
        "faithful/eq-15",
        "eq. 15",
        Kind.IDENTITY,
        r"With a metric model without errors eq. 13 is $p^O(1-p^O)/(N-1)$.",
        _variance_at_perfect,
        printed="p*(1 - p)/(N - 1)",
    ),
    Claim(
        "faithful/sec-a-1/share",
        "appendix A.1, before eq. 16",
        Kind.DEFINITION,
        r"The observed share is $\sum_{i=0}^{N} f_i/N=N_1/N$.",
        mean_of_results,
        printed="sum(i=0..N) f / N",
    ),
    *(
        Claim(
            f"faithful/eq-16{letter}",
            f"eq. 16, line {number}",
            Kind.IDENTITY,
            f"Line {number} of the rewriting of eq. 5 is {text}.",
            variance_of_mean if letter == "a" else _line_of_16,
            printed=printed,
        )
        for number, (letter, printed, text) in enumerate(_LINES_16, 1)
    ),
    Claim(
        "faithful/sec-a-1/equals",
        "appendix A.1, after eq. 16",
        Kind.THEOREM,
        "Eq. 15 equals eq. 5 and 6, so that eq. 13 generalizes them.",
        _line_of_16,
        printed="p*(1 - p)/(N - 1)",
    ),
    Claim(
        "faithful/eq-17",
        "eq. 17",
        Kind.IDENTITY,
        r"With more classes $p^R=\sum_o P(R=1|O=o)P(O=o)$.",
        _total_17,
        printed="r0*p0 + r1*p1 + r2*p2",
    ),
    Claim(
        "faithful/eq-17/classes",
        "eq. 17",
        Kind.COUNT,
        r"The sum runs over the classes $0,1,\dots,N_O$.",
        _classes_of_17,
        printed="0..N_O",
    ),
    Claim(
        "faithful/sec-a-2/variance",
        "appendix A.2",
        Kind.SENTENCE,
        r"With more classes the variance follows from $p^R$ as before, $p^R(1-p^R)/N$.",
        variance_of_share,
        printed="pR*(1 - pR)/N",
    ),
)
