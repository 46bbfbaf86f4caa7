"""Goyal, Hu and Gupta 2023, section 2.2: what is real, and its variance (eq. 9 to 12)."""

from __future__ import annotations

import itertools

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, constant, read_formula
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.significance.comparison import compare
from ntqr_exact.significance.metric_model import MetricModel
from ntqr_exact.significance.variance import VarianceReading

LARGEST_ENUMERATED = 4

# The probabilities of one output: q with the observed and then the real label; q00 is 1 less the others.
OBSERVED = read_formula("q10 + q11")
REAL = read_formula("q01 + q11")
RATES = {
    "pi": read_formula("q11") / OBSERVED,
    "phi": read_formula("q01") / (constant(1) - OBSERVED),
    "p": OBSERVED,
    "q": constant(1) - OBSERVED,
}


def binomial_law(success: Formula, others: Formula, size: int) -> list[Formula]:
    """Return the probabilities of 0 … size successes, summed over all outcomes of independent trials."""
    law = [constant(0)] * (size + 1)
    for outcome in itertools.product((0, 1), repeat=size):
        weight = constant(1)
        for one in outcome:
            weight = weight * (success if one else others)
        law[sum(outcome)] = law[sum(outcome)] + weight
    return law


def _is_binomial(printed: str) -> Finding:
    """`printed` is the success probability; the count of real or observed labels is summed over all outcomes."""
    kind, claimed_text = printed.split(": ")
    true = OBSERVED if kind == "observed" else REAL
    claimed = read_formula(claimed_text, RATES)
    cases = []
    for size in range(1, LARGEST_ENUMERATED + 1):
        law = binomial_law(true, constant(1) - true, size)
        for count, probability in enumerate(law):
            ways = sum(1 for each in itertools.product((0, 1), repeat=size) if sum(each) == count)
            formula = constant(ways) * claimed**count * (constant(1) - claimed) ** (size - count)
            cases.append(probability.equals(formula))
    return decided(
        all(cases),
        f"all {len(cases)} probabilities for N = 1 to {LARGEST_ENUMERATED}, summed over the labels of N outputs of "
        "any one joint law of observed and real label, are those of Bin(N, p)",
        "a sum of N independent 0/1 values of one rate is binomial; both assumptions are stated",
        right=f"Bin(N, {true})",
        slip=True,
    )


def _total_probability(printed: str) -> Finding:
    found = read_formula(printed, RATES)
    return decided(
        found.equals(REAL),
        "with q_or the probability of observed label o and real label r: the right side is q_01 + q_11 = P(R = 1)"
        if found.equals(REAL)
        else f"with q_or the probability of observed o and real r: {found} is not q_01 + q_11",
        "where one label is never observed its conditional rate does not exist, and the term counts as 0",
        right="pi*p + phi*q",
        slip=True,
    )


def _rate_names(printed: str) -> Finding:
    """Precision = TP/(TP+FP) and false omission rate = FN/(FN+TN) by the counts of a matrix."""
    matrix = ConfusionMatrix(tp=3, fp=1, fn=2, tn=5)
    claimed = [read_formula(text) for text in printed.split("; ")]
    counts = {"TP": matrix.tp, "FP": matrix.fp, "FN": matrix.fn, "TN": matrix.tn}
    found = [formula.evaluate(counts) for formula in claimed]
    metric = MetricModel.from_counts(tp=3, fp=1, fn=2, tn=5)
    return decided(
        found == [metric.precision, metric.false_omission],
        f"TP, FP, FN, TN = 3, 1, 2, 5: P(R=1|O=1) = {metric.precision}, P(R=1|O=0) = {metric.false_omission}",
        f"the printed names give {found[0]} and {found[1]}",
        right="TP/(TP + FP); FN/(FN + TN)",
        slip=True,
    )


def transfer(_: str) -> Finding:
    """Check whether the rates of a classifier can be carried over to data with another share of positives."""
    test_share, used_share = mpq(1, 2), mpq(1, 10)
    hit, false_alarm = mpq(3, 4), mpq(1, 4)

    def seen(share: mpq) -> mpq:
        return share * hit + (1 - share) * false_alarm

    def rates(share: mpq) -> tuple[mpq, mpq]:
        return share * hit / seen(share), share * (1 - hit) / (1 - seen(share))

    def by_eq_10(share: mpq) -> mpq:
        """The share of positives that eq. 10 tells of outputs with this true share, by the rates of the test."""
        precision, omission = rates(test_share)
        return precision * seen(share) + omission * (1 - seen(share))

    first, second = rates(test_share), rates(used_share)
    return by_reading(
        {
            "the testing data are distributed as the outputs that are judged": decided(
                by_eq_10(test_share) == test_share,
                f"precision {first[0]}, false omission rate {first[1]}: eq. 10 gives the true share {test_share}",
            ),
            "the testing data have another share of positives": decided(
                by_eq_10(used_share) == used_share,
                f"a classifier that finds 3/4 of the positives and wrongly 1/4 of the negatives: share {test_share} "
                f"gives precision and false omission rate {first[0]}, {first[1]}; "
                f"share {used_share} gives {second[0]}, {second[1]}, and eq. 10 with the rates of the former "
                f"tells {by_eq_10(used_share)} for it",
                right="the rates must come from data with the same distribution",
            ),
        }
    )


def _binomial_variance(printed: str) -> Finding:
    one = read_formula("p - p**2")
    claimed = read_formula(printed)
    return decided(
        claimed.equals(read_formula("N") * one),
        f"one 0/1 value has E[f²] − E[f]² = {one}; N independent ones have N times it: {claimed}",
        right="N*p*(1 - p)",
        slip=True,
    )


def _variance_of_count(printed: str) -> Finding:
    claimed = read_formula(printed, RATES)
    true = read_formula("N") * REAL * (constant(1) - REAL)
    return decided(
        claimed.equals(true),
        "with the four probabilities of one output for its parts, it is N·P(R=1)·(1 − P(R=1)) identically"
        if claimed.equals(true)
        else "it is not N·P(R=1)·(1 − P(R=1))",
        right="N*(p*pi + phi*q)*(1 - p*pi - phi*q)",
        slip=True,
    )


def variance_of_share(printed: str) -> Finding:
    """Check eq. 12: the variance of the real share of N outputs."""
    claimed = read_formula(printed, {"V": read_formula("N*pR*(1 - pR)")})
    true = read_formula("pR*(1 - pR)/N")
    return decided(
        claimed.equals(true),
        f"Var(N_+/N) = Var(N_+)/N² = {true}; printed: {claimed}",
        right=str(true),
        slip=True,
    )


def _variance_of_values(_: str) -> Finding:
    values = [mpq(0), mpq(1)]
    size = len(values)
    average = sum(values, mpq(0)) / size
    squares = sum(((value - average) ** 2 for value in values), mpq(0))
    of_mean, of_values = squares / (size * (size - 1)), squares / (size - 1)
    return decided(
        of_mean == of_values,
        f"results {', '.join(map(str, values))}: eq. 5 gives {of_mean}; that of the values is {of_values}",
        f"eq. 5 estimates the variance of their mean, {size} times less",
        right="eq. 5 and 6 are variances of the mean of the observed values",
    )


def _influence(_: str) -> Finding:
    precision, omission = mpq(1, 2), mpq(0)
    metric = MetricModel(precision, omission)
    falls = compare(control=(1, 2), treatment=(1, 2), metric=metric)
    deterministic, model_based = (
        falls.variance(reading) / 2 for reading in (VarianceReading.DETERMINISTIC, VarianceReading.PRINTED)
    )
    return decided(
        model_based != deterministic,
        f"1 of 2 observed as positive, π = {precision}, φ = {omission}: eq. 5 gives {deterministic}, "
        f"eq. 13 gives {model_based}",
        "errors of the metric model may lower the variance as well as raise it",
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "faithful/sec-2-2/variance-of-values",
        "sections 1 and 2.2",
        Kind.SENTENCE,
        "The variances by eq. 5 and 6 are variances of the observed values.",
        _variance_of_values,
    ),
    Claim(
        "faithful/sec-2-2/influence",
        "sections 1 and 2.2",
        Kind.SENTENCE,
        "Errors of the metric model change the variance of what was evaluated.",
        _influence,
    ),
    Claim(
        "faithful/eq-9",
        "eq. 9",
        Kind.THEOREM,
        r"The number of observed positives is binomial, $N^O_+\sim\mathrm{Bin}(N,p^O)$.",
        _is_binomial,
        printed="observed: p",
    ),
    Claim(
        "faithful/sec-2-2/real-binomial",
        "section 2.2, before eq. 10",
        Kind.THEOREM,
        r"The number of real positives is binomial, $N^R_+\sim\mathrm{Bin}(N,p^R)$.",
        _is_binomial,
        printed="real: pi*p + phi*q",
    ),
    *(
        Claim(
            f"faithful/eq-10{letter}",
            f"eq. 10, line {line}",
            Kind.IDENTITY,
            statement,
            _total_probability,
            printed=printed,
        )
        for letter, line, statement, printed in (
            ("a", "1 and 2", r"$p^R=P(R=1|O=1)P(O=1)+P(R=1|O=0)P(O=0)$.", "pi*p + phi*q"),
            ("b", "3", r"$p^R=p^{R|O}p^O+p^{R|O'}p^{O'}$, with $p^{O'}=1-p^O$.", "pi*p + phi*(1 - p)"),
        )
    ),
    Claim(
        "faithful/eq-10/names",
        "section 2.2, after eq. 10",
        Kind.DEFINITION,
        r"$p^{R|O}$ is the precision and $p^{R|O'}$ the false omission rate of the metric model.",
        _rate_names,
        printed="TP/(TP + FP); FN/(FN + TN)",
    ),
    Claim(
        "faithful/eq-10/estimated",
        "section 2.2, after eq. 10",
        Kind.SENTENCE,
        "Precision and false omission rate can be taken from the testing data of the metric model.",
        transfer,
        by_hand="Bayes' rule with another share of positives.",
    ),
    Claim(
        "faithful/sec-2-2/binomial-variance",
        "section 2.2, before eq. 11",
        Kind.IDENTITY,
        "The variance of a binomial number is $Np(1-p)$.",
        _binomial_variance,
        printed="N*p*(1 - p)",
    ),
    Claim(
        "faithful/eq-11",
        "eq. 11",
        Kind.IDENTITY,
        r"$\mathrm{Var}^M(N^R_+)=N(p^Op^{R|O}+p^{R|O'}p^{O'})(1-p^Op^{R|O}-p^{R|O'}p^{O'})$.",
        _variance_of_count,
        printed="N*(p*pi + phi*q)*(1 - p*pi - phi*q)",
    ),
    *(
        Claim(
            f"faithful/eq-12{letter}",
            f"eq. 12, {which} equality",
            Kind.IDENTITY,
            statement,
            variance_of_share,
            printed=printed,
        )
        for letter, which, statement, printed in (
            ("a", "first", r"$\mathrm{Var}^M(N^R_+/N)=\mathrm{Var}^M(N^R_+)/N^2$.", "V/N**2"),
            ("b", "second", r"$\mathrm{Var}^M(N^R_+)/N^2=p^R(1-p^R)/N$.", "pR*(1 - pR)/N"),
        )
    ),
)
