"""Score functions as they are printed, evaluated exactly and compared with those of the library."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.confidence.ordering import vectors_over
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES, ScoreFunction, compare_scores
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.log_sum_key import LogSumKey
from ntqr_exact.exact.logsum import log_sum_sign
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.equations import FormulaText, formula
from ntqr_exact.ledger.judgement import Finding, as_printed, counterexample, decided
from ntqr_exact.postulates.polynomial import Formula

Terms = list[tuple[mpq, mpq]]


def at(function: Formula, **values: mpq | int) -> mpq:
    """Return the value of a formula at rational values of its variables."""
    return rational(str(function.evaluate({name: mpq(value) for name, value in values.items()})))


def vertex(k: int) -> ProbabilityVector:
    """Return the surest vector of k labels."""
    return ProbabilityVector([1] + [0] * (k - 1), 1)


def uniform(k: int) -> ProbabilityVector:
    """Return the centre of the simplex of k labels."""
    return ProbabilityVector([1] * k, k)


@dataclass(frozen=True, slots=True)
class PrintedScore:
    """A score as printed: how the terms in p and k are put together, and what their logarithm is taken of, if any."""

    form: Literal["max", "sum", "minus sum", "sum of absolute values", "root of sum"]
    term: str
    log: str = ""

    def logs(self, vector: ProbabilityVector) -> Terms:
        """Return coefficients and arguments of the logarithms."""
        if not self.log:
            raise BadDocument(self.form, "this score has no logarithms")
        sign, k = (-1 if self.form == "minus sum" else 1), vector.labels
        terms = [(sign * at(formula(self.term), p=p, k=k), p) for p in vector]
        return [(c, at(formula(self.log), p=p, k=k)) for c, p in terms if c != 0]

    def key(self, vector: ProbabilityVector) -> mpq:
        """Return the value without logarithms; a root is left off."""
        values = [at(formula(self.term), p=p, k=vector.labels) for p in vector]
        if self.form == "sum of absolute values":
            values = [abs(value) for value in values]
        return max(values) if self.form == "max" else sum(values, mpq(0))

    def compare(self, left: ProbabilityVector, right: ProbabilityVector) -> int:
        """Return the sign of s(left) − s(right)."""
        if self.log:
            return log_sum_sign([*self.logs(left), *((-c, m) for c, m in self.logs(right))])
        one, other = self.key(left), self.key(right)
        return (one > other) - (one < other)

    def is_at(self, vector: ProbabilityVector, score: ScoreFunction) -> bool:
        """Tell whether a score of the library has the same value at a vector (squared, if both are roots)."""
        if self.log:
            return same_logs(self.logs(vector), score, vector)
        return self.key(vector) == score.key(vector)

    def text(self) -> str:
        """Return the score in a line."""
        body = f"{self.term} log {self.log}" if self.log else self.term
        return f"√ of the sum of {body}" if self.form == "root of sum" else f"{self.form} of {body}"

    def latex(self) -> str:
        r"""Return the score in LaTeX, with p_i for a component."""
        body = f"{self.term} \\log {self.log}" if self.log else self.term
        body = body.replace("**", "^").replace("1/k", r"\frac{1}{k}").replace("p", "p_i")
        forms = {
            "max": rf"\max {body}",
            "sum": rf"\sum {body}",
            "minus sum": rf"-\sum {body}",
            "sum of absolute values": rf"\sum |{body}|",
            "root of sum": rf"\sqrt{{\sum {body}}}",
        }
        return forms[self.form]


def same_logs(terms: Terms, score: ScoreFunction, vector: ProbabilityVector) -> bool:
    """Tell whether a sum of logarithms is the score of the library at a vector."""
    key = score.key(vector)
    if not isinstance(key, LogSumKey):
        return False
    return log_sum_sign([*terms, *((mpq(-c, key.divisor), mpq(m)) for c, m in key.terms)]) == 0


def _small_vectors(largest: int) -> list[ProbabilityVector]:
    """Return the vectors of 2 to 4 labels with denominators up to the largest."""
    return [
        vector
        for k in (2, 3, 4)
        for denominator in range(1, largest + 1)
        for vector in vectors_over(denominator, labels=k)
    ]


def is_score(printed: PrintedScore, *, score: str) -> Finding:
    """Compare a printed formula with the score of the library on all vectors of small denominator."""
    known = SCORES[score]
    wrong = next((vector for vector in _small_vectors(6) if not printed.is_at(vector, known)), None)
    rooted = (printed.form == "root of sum") == known.formula.startswith("√")
    return as_printed(
        wrong is None and rooted,
        f"{printed.text()} is {known.formula} at all vectors of 2 to 4 labels with denominators to 6"
        if wrong is None
        else f"{printed.text()} is not {known.formula} at {wrong}",
    )


def least_at_centre(printed: PrintedScore) -> Finding:
    """Compare the centre with a vertex: a score is larger at the vertex."""
    sign = printed.compare(uniform(2), vertex(2))
    return as_printed(
        sign < 0,
        f"s(1/2, 1/2) is {'greater' if sign > 0 else 'less'} than s(1, 0): log 2 against 0"
        if sign > 0
        else "s(1/2, 1/2) is less than s(1, 0)",
        arose="the sign of the entropy was kept; section 2.3 prints the sum without it" if sign > 0 else "",
    )


def extremes(*, score: str) -> Finding:
    """Compare every vector of small denominator with the centre and with a vertex."""
    cases = (
        (
            f"{vector}",
            compare_scores(score, vector, uniform(k)) == (vector != uniform(k))
            and compare_scores(score, vertex(k), vector) == (max(vector) != 1),
        )
        for vector in _small_vectors(7)
        for k in [vector.labels]
    )
    return counterexample(
        cases,
        checked="vectors of 2 to 4 labels, denominators to 7: least at the centre only, largest at vertices only",
        proof=f"{SCORES[score].formula} is symmetric and convex, so least at the centre and largest at vertices",
    )


def total_variation(printed: mpq) -> Finding:
    """Compare a multiple of the L1 distance with the largest difference over all events."""

    def largest(vector: ProbabilityVector) -> mpq:
        shares, k = list(vector), vector.labels
        events = (event for size in range(k + 1) for event in combinations(range(k), size))
        return max(sum((shares[i] - mpq(1, k) for i in event), mpq(0)) for event in events)

    distance = PrintedScore("sum of absolute values", "p - 1/k")
    wrong = next((v for v in _small_vectors(6) if printed * distance.key(v) != largest(v)), None)
    return as_printed(
        wrong is None,
        f"{printed} of the distance {'is' if wrong is None else 'is not'} the largest P(A) − U(A) over all events A, "
        "for vectors of 2 to 4 labels with denominators to 6",
    )


def chi_squared(printed: FormulaText) -> Finding:
    """Compare the printed statistic of counts with Σ (observed − expected)²/expected, on small counts."""
    wrong = None
    for vector in _small_vectors(6):
        n, k = vector.denominator, vector.labels
        expected = mpq(n, k)
        true = sum(((count - expected) ** 2 / expected for count in vector.numerators), mpq(0))
        squares = sum((p**2 for p in vector), mpq(0))
        if at(formula(printed), n=n, k=k, S2=squares) != true:
            wrong = vector
    return as_printed(
        wrong is None,
        f"χ² of counts against uniform ones {'is' if wrong is None else 'is not'} {printed}, with S2 = Σ p², for all "
        "counts of 2 to 4 labels and up to 6 items",
    )


def concentration() -> Finding:
    """Compare Σ p² of one kind with that of several of equal share."""
    key = SCORES["l2"].key
    values = [key(vertex(3)), key(ProbabilityVector((1, 1, 0), 2)), key(uniform(3))]
    return decided(
        values == sorted(values, reverse=True) and len(set(values)) == 3,
        f"Σ p² is {', '.join(map(str, values))} for one, two and three equal kinds: it falls as diversity rises",
    )
