"""How much judges agree beyond chance: eight coefficients as exact rationals, with missing answers.

Question u has r_uk answers k and r_u in all. With weights w_kl (1 on the diagonal), its agreement is
Σ_k r_uk(Σ_l w_kl·r_ul − 1) / (r_u(r_u − 1)). All coefficients but Krippendorff's are (o − e)/(1 − e): o is the mean
agreement, and e what chance would give, about which they differ. Krippendorff's α is 1 − D_o/D_e, the observed and
expected disagreement of pairs of answers. Where that is 0/0, the coefficient has no value, and the reason is told.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from itertools import product
from typing import assert_never

from gmpy2 import mpq

from ntqr_exact.budget import spend
from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadChoice, BadNumber, BadVotes, NotVotes, NtqrExactError
from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics.formulas import MetricValue, Undefined
from ntqr_exact.sampling.answer_table import AnswerTable
from ntqr_exact.votes.counts import VoteCounts


class Coefficient(Enum):
    """Which coefficient of agreement."""

    PERCENT_POOLED = "percent_pooled"
    PERCENT_BY_QUESTION = "percent_by_question"
    COHEN = "cohen"
    SCOTT = "scott"
    FLEISS = "fleiss"
    KRIPPENDORFF = "krippendorff"
    GWET = "gwet"
    BRENNAN_PREDIGER = "brennan_prediger"


class Weights(Enum):
    """How much two different answers agree, or differ.

    Linear and quadratic weights fall with the distance of the labels' places; ordinal, interval and ratio are
    Krippendorff's differences, the latter two of labels that are numbers.
    """

    NOMINAL = "nominal"
    LINEAR = "linear"
    QUADRATIC = "quadratic"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


_DIFFERENCES = (Weights.NOMINAL, Weights.ORDINAL, Weights.INTERVAL, Weights.RATIO)
_BY_PLACE = (Weights.NOMINAL, Weights.LINEAR, Weights.QUADRATIC)
_Row = tuple[list[int], int]
"""How often each label was given to a question, and how many questions are like it."""


def agreement(
    votes: VoteCounts | AnswerTable,
    coefficient: Coefficient | str = Coefficient.KRIPPENDORFF,
    *,
    weights: Weights | str = Weights.NOMINAL,
) -> MetricValue:
    """Return how much the judges agree, exactly; `Undefined` with its reason where it would be 0/0.

    Gwet's coefficient with nominal weights is AC1, with others AC2. Cohen's and Scott's are of two judges.

    >>> votes = VoteCounts({"aa": 20, "ab": 5, "ba": 10, "bb": 15})
    >>> agreement(votes, "cohen"), agreement(votes, "percent_pooled"), agreement(VoteCounts({"aa": 3}), "scott")
    (mpq(2,5), mpq(7,10), <Undefined.ONE_LABEL: 'only one label occurs'>)

    Raises `BadVotes` where the coefficient is not made for these answers, `BadChoice` for weights it does not have.
    """
    if isinstance(votes, VoteCounts):
        votes = AnswerTable.from_votes(votes)
    if not isinstance(votes, AnswerTable):
        raise NotVotes(votes, "agreement is told of VoteCounts or an AnswerTable")
    kind, weighting = chosen(coefficient, Coefficient), chosen(weights, Weights)
    spend(
        "coefficients of agreement", 60 + len(votes.rows) * (len(votes.judges) + len(votes.labels) ** 2) // 4
    )
    allowed = _DIFFERENCES if kind is Coefficient.KRIPPENDORFF else _BY_PLACE
    if weighting not in allowed:
        rule = f"{kind.value} has the weights {', '.join(w.value for w in allowed)}"
        raise BadChoice(weighting.value, rule)
    if kind is Coefficient.KRIPPENDORFF:
        return _krippendorff(votes, weighting)
    if kind in (Coefficient.COHEN, Coefficient.SCOTT) and len(votes.judges) != 2:
        raise BadVotes(votes.judges, f"{kind.value} is of two judges", "take two of them by marginal")
    rows = _rows(votes)
    paired = [(row, count) for row, count in rows if sum(row) > 1]
    if not paired:
        return Undefined.NO_PAIRS
    table = _weights(len(votes.labels), weighting)
    if kind is Coefficient.PERCENT_POOLED:
        pairs = sum(count * sum(row) * (sum(row) - 1) for row, count in paired)
        return sum((count * _agreeing(row, table) for row, count in paired), mpq(0)) / pairs
    observed = _mean([(_agreeing(row, table) / (sum(row) * (sum(row) - 1)), count) for row, count in paired])
    if kind is Coefficient.PERCENT_BY_QUESTION:
        return observed
    expected = _expected(kind, votes, rows, paired, table)
    return Undefined.ONE_LABEL if expected == 1 else (observed - expected) / (1 - expected)


def _expected(
    kind: Coefficient, votes: AnswerTable, rows: list[_Row], paired: list[_Row], table: list[list[mpq]]
) -> mpq:
    labels = range(len(votes.labels))
    every = sum((sum(line, mpq(0)) for line in table), mpq(0))
    match kind:
        case Coefficient.COHEN:
            both = [(answers, count) for answers, count in votes.rows if None not in answers]
            total = sum(count for _, count in both)
            given = (
                [sum(n for a, n in both if a[judge] == label) for label in votes.labels] for judge in (0, 1)
            )
            first, second = ([mpq(number, total) for number in numbers] for numbers in given)
        case Coefficient.SCOTT | Coefficient.FLEISS:
            if len({sum(row) for row, _ in rows}) > 1 and kind is Coefficient.FLEISS:
                rule = "fleiss needs as many answers to each question"
                raise BadVotes(votes.judges, rule, "use krippendorff")
            first = second = [
                _mean([(mpq(row[k], sum(row)), count) for row, count in paired]) for k in labels
            ]
        case Coefficient.GWET:
            shares = [_mean([(mpq(row[k], sum(row)), count) for row, count in rows]) for k in labels]
            spread = sum((share * (1 - share) for share in shares), mpq(0))
            return every * spread / (len(labels) * (len(labels) - 1))
        case Coefficient.BRENNAN_PREDIGER:
            return every / len(labels) ** 2
        case Coefficient.PERCENT_POOLED | Coefficient.PERCENT_BY_QUESTION | Coefficient.KRIPPENDORFF:
            raise BadChoice(kind.value, "this coefficient is not made of observed and expected agreement")
        case _:
            assert_never(kind)
    return sum((table[k][j] * first[k] * second[j] for k in labels for j in labels), mpq(0))


def _krippendorff(votes: AnswerTable, weights: Weights) -> MetricValue:
    """Return α = 1 − (n − 1)·Σ o_ck·δ_ck / Σ n_c·n_k·δ_ck over the answers to questions with two or more."""
    paired = [(row, count) for row, count in _rows(votes) if sum(row) > 1]
    labels = range(len(votes.labels))
    totals = [sum(count * row[k] for row, count in paired) for k in labels]
    difference = _difference(votes.labels, totals, weights)
    if not paired:
        return Undefined.NO_PAIRS
    together: dict[tuple[int, int], mpq] = {}
    for row, count in paired:
        given = [k for k in labels if row[k]]
        for c, k in product(given, repeat=2):
            together[c, k] = together.get((c, k), mpq(0)) + mpq(count * row[c] * row[k], sum(row) - 1)
    observed = expected = mpq(0)
    for c in labels:
        for k in labels:
            if c == k or not totals[c] or not totals[k]:
                continue  # no difference, or no such answer
            delta = difference(c, k)
            observed += delta * together.get((c, k), mpq(0))
            expected += delta * totals[c] * totals[k]
    return Undefined.ONE_LABEL if expected == 0 else 1 - (sum(totals) - 1) * observed / expected


def _difference(labels: tuple[str, ...], totals: list[int], weights: Weights) -> Callable[[int, int], mpq]:
    """Return Krippendorff's squared difference of two labels, by their places."""
    if weights is Weights.NOMINAL:
        return lambda _, __: mpq(1)
    if weights is Weights.ORDINAL:
        return lambda c, k: (sum(totals[min(c, k) : max(c, k) + 1]) - mpq(totals[c] + totals[k], 2)) ** 2
    numbers = [_number(label) for label in labels]
    if len({*numbers}) < len(numbers):
        raise BadNumber(labels, "interval and ratio weights need labels that are different numbers")
    if weights is Weights.INTERVAL:
        return lambda c, k: (numbers[c] - numbers[k]) ** 2
    if min(numbers) < 0:
        raise BadNumber(labels, "ratios are of labels that are not negative numbers")
    return lambda c, k: ((numbers[c] - numbers[k]) / (numbers[c] + numbers[k])) ** 2


def _number(label: str) -> mpq:
    try:
        return rational(label)
    except NtqrExactError:
        raise BadNumber(label, "interval and ratio weights need labels that are numbers") from None


def _rows(votes: AnswerTable) -> list[_Row]:
    counted = [([answers.count(label) for label in votes.labels], count) for answers, count in votes.rows]
    return [(row, count) for row, count in counted if any(row)]


def _agreeing(row: list[int], weights: list[list[mpq]]) -> mpq:
    agreeing = mpq(0)
    for given, line in zip(row, weights, strict=True):
        agreeing += given * (sum((w * n for w, n in zip(line, row, strict=True)), mpq(0)) - 1)
    return agreeing


def _weights(labels: int, weights: Weights) -> list[list[mpq]]:
    def weight(k: int, j: int) -> mpq:
        apart = mpq(abs(k - j), labels - 1)
        if weights is Weights.NOMINAL:
            return mpq(k == j)
        return 1 - (apart if weights is Weights.LINEAR else apart**2)

    return [[weight(k, j) for j in range(labels)] for k in range(labels)]


def _mean(values: list[tuple[mpq, int]]) -> mpq:
    return sum((value * count for value, count in values), mpq(0)) / sum(count for _, count in values)
