"""How much judges agree beyond chance: eight coefficients as exact rationals, with gaps.

Question u has r_uk answers k and r_u in all. With weights w_kl (1 on the diagonal), its agreement is
Σ_k r_uk(Σ_l w_kl·r_ul − 1) / (r_u(r_u − 1)). All coefficients but Krippendorff's are (o − e)/(1 − e): o is the mean
agreement, and e what chance would give, about which they differ. Krippendorff's α is 1 − D_o/D_e, the observed and
expected disagreement of pairs of answers; a squared difference is 1 − w.
"""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from ntqr_exact.budget import spend
from ntqr_exact.choice import Choice
from ntqr_exact.errors import BadChoice, BadNumber, BadVotes, NotVotes, NtqrExactError
from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics.formulas import MetricValue, Undefined
from ntqr_exact.votes.counts import VoteCounts


class Coefficient(Choice):
    """Which coefficient of agreement."""

    PERCENT_POOLED = "percent_pooled"
    PERCENT_BY_QUESTION = "percent_by_question"
    COHEN = "cohen"
    SCOTT = "scott"
    FLEISS = "fleiss"
    KRIPPENDORFF = "krippendorff"
    GWET = "gwet"
    BRENNAN_PREDIGER = "brennan_prediger"


class Weights(Choice):
    """How much two different answers agree: by the distance of places, or by Krippendorff's differences."""

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
    votes: VoteCounts,
    coefficient: Coefficient | str = Coefficient.KRIPPENDORFF,
    *,
    weights: Weights | str = Weights.NOMINAL,
) -> MetricValue:
    """Return how much the judges agree, exactly; `Undefined` with its reason where it would be 0/0.

    With gaps, a question counts with its answers, for most coefficients if two or more; Fleiss's needs equally many.
    Gwet's with nominal weights is AC1, with others AC2. Cohen's and Scott's are of two judges. Several depend on how
    many labels are declared.

    >>> votes = VoteCounts({"aa": 20, "ab": 5, "ba": 10, "bb": 15})
    >>> agreement(votes, "cohen"), agreement(votes, "percent_pooled"), agreement(VoteCounts({"aa": 3}), "scott")
    (mpq(2,5), mpq(7,10), <Undefined.ONE_LABEL: 'only one label occurs'>)

    Raises `BadVotes` where the coefficient is not made for these answers, `BadChoice` for weights it does not have.
    """
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts")
    kind, weighting = Coefficient(coefficient), Weights(weights)
    work = len(votes.counts) * (len(votes.judges) // 8 + len(votes.labels) ** 2)
    spend("coefficients of agreement", 60 + work // 4)
    allowed = _DIFFERENCES if kind is Coefficient.KRIPPENDORFF else _BY_PLACE
    if weighting not in allowed:
        rule = f"weights of {kind.value} must be one of {', '.join(w.value for w in allowed)}"
        raise BadChoice(weighting.value, rule)
    answers = [([x for x in pattern if x is not None], n) for pattern, n in votes.counts.items()]
    rows = [([given.count(label) for label in votes.labels], n) for given, n in answers]
    paired = [(row, count) for row, count in rows if sum(row) > 1]
    if kind in (Coefficient.COHEN, Coefficient.SCOTT) and len(votes.judges) != 2:
        raise BadVotes(votes.judges, f"{kind.value} must have two judges", "take two of them by marginal")
    totals = [sum(count * row[k] for row, count in paired) for k in range(len(votes.labels))]
    table = _weights(votes.labels, totals, weighting)
    if not paired:
        return Undefined.NO_PAIRS
    # Of each question: how many answers it has, by how much their pairs agree, how many questions are like it.
    agreeing = [(sum(row), _form(table, row, row) - sum(row), count) for row, count in paired]
    if kind is Coefficient.KRIPPENDORFF:
        apart = sum((count * (size - one / (size - 1)) for size, one, count in agreeing), mpq(0))
        by_chance = sum(totals) ** 2 - _form(table, totals, totals)
        return 1 - (sum(totals) - 1) * apart / by_chance if by_chance else Undefined.ONE_LABEL
    if kind is Coefficient.PERCENT_POOLED:
        pairs = sum(count * size * (size - 1) for size, _, count in agreeing)
        return sum((count * one for _, one, count in agreeing), mpq(0)) / pairs
    observed = _mean([(one / (size * (size - 1)), count) for size, one, count in agreeing])
    if kind is Coefficient.PERCENT_BY_QUESTION:
        return observed
    expected = _expected(kind, votes, rows, paired, table)
    return Undefined.ONE_LABEL if expected == 1 else (observed - expected) / (1 - expected)


def _form(table: list[list[mpq]], left: Sequence[mpq | int], right: Sequence[mpq | int]) -> mpq:
    """Return Σ_kl w_kl·x_k·y_l."""
    pairs = ((k, x, j, y) for k, x in enumerate(left) if x for j, y in enumerate(right) if y)
    return sum((table[k][j] * x * y for k, x, j, y in pairs), mpq(0))


def _expected(
    kind: Coefficient, votes: VoteCounts, rows: list[_Row], paired: list[_Row], table: list[list[mpq]]
) -> mpq:
    labels, every = len(votes.labels), sum((sum(line, mpq(0)) for line in table), mpq(0))
    if kind is Coefficient.BRENNAN_PREDIGER:
        return every / labels**2
    if kind is Coefficient.GWET:
        squares = sum((share**2 for share in _shares(rows)), mpq(0))
        return every * (1 - squares) / (labels * (labels - 1))
    if kind is Coefficient.COHEN:
        both = votes.common(0, 1)
        first, second = ([mpq(n, both.size) for n in both.responses(judge).values()] for judge in (0, 1))
        return _form(table, first, second)
    if kind is Coefficient.FLEISS and len({sum(row) for row, _ in rows}) > 1:
        rule = "every question must have the same number of answers for fleiss"
        raise BadVotes(votes.judges, rule, "use krippendorff")
    return _form(table, _shares(paired), _shares(paired))


def _weights(labels: tuple[str, ...], totals: list[int], weights: Weights) -> list[list[mpq]]:
    """Return how much two labels agree: 1 on the diagonal, less by their difference elsewhere."""
    numbers = _numbers(labels, weights) if weights in (Weights.INTERVAL, Weights.RATIO) else []

    def difference(k: int, j: int) -> mpq:
        match weights:
            case Weights.NOMINAL:
                return mpq(1)
            case Weights.LINEAR | Weights.QUADRATIC:
                return mpq(abs(k - j), len(labels) - 1) ** (1 if weights is Weights.LINEAR else 2)
            case Weights.ORDINAL:
                return (sum(totals[min(k, j) : max(k, j) + 1]) - mpq(totals[k] + totals[j], 2)) ** 2
        return ((numbers[k] - numbers[j]) / (numbers[k] + numbers[j] if weights is Weights.RATIO else 1)) ** 2

    places = range(len(labels))
    return [[mpq(1) if k == j else 1 - difference(k, j) for j in places] for k in places]


def _numbers(labels: tuple[str, ...], weights: Weights) -> list[mpq]:
    try:
        numbers = [rational(label) for label in labels]
    except NtqrExactError:
        raise BadNumber(labels, f"labels must be numbers for {weights.value} weights") from None
    if len({*numbers}) < len(numbers):
        raise BadNumber(labels, f"labels must be different numbers for {weights.value} weights")
    if weights is Weights.RATIO and min(numbers) < 0:
        raise BadNumber(labels, "labels must not be negative for ratio weights")
    return numbers


def _shares(rows: list[_Row]) -> list[mpq]:
    """Return the mean share of each label over the questions."""
    return [_mean([(mpq(row[k], sum(row)), count) for row, count in rows]) for k in range(len(rows[0][0]))]


def _mean(values: list[tuple[mpq, int]]) -> mpq:
    return sum((value * count for value, count in values), mpq(0)) / sum(count for _, count in values)
