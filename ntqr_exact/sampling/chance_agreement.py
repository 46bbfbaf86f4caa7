"""How much judges agree beyond chance: eight coefficients as exact rationals, with gaps.

Question u has r_uk answers k and r_u in all. With weights w_kl (1 on the diagonal), its agreement is
Σ_k r_uk(Σ_l w_kl·r_ul − 1) / (r_u(r_u − 1)). All coefficients but Krippendorff's are (o − e)/(1 − e): o is the mean
agreement, and e what chance would give, about which they differ. Krippendorff's α is 1 − D_o/D_e, the observed and
expected disagreement of pairs of answers. Where that is 0/0, the coefficient has no value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from enum import Enum

from gmpy2 import mpq

from ntqr_exact.budget import spend
from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadChoice, BadNumber, BadVotes, NotVotes, NtqrExactError
from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics.formulas import MetricValue, Undefined
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.names import Pattern


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
    votes: VoteCounts,
    coefficient: Coefficient | str = Coefficient.KRIPPENDORFF,
    *,
    weights: Weights | str = Weights.NOMINAL,
) -> MetricValue:
    """Return how much the judges agree, exactly; `Undefined` with its reason where it would be 0/0.

    Gwet's coefficient with nominal weights is AC1, with others AC2. Cohen's and Scott's are of two judges. Several
    coefficients depend on how many labels are declared.

    >>> votes = VoteCounts({"aa": 20, "ab": 5, "ba": 10, "bb": 15})
    >>> agreement(votes, "cohen"), agreement(votes, "percent_pooled"), agreement(VoteCounts({"aa": 3}), "scott")
    (mpq(2,5), mpq(7,10), <Undefined.ONE_LABEL: 'only one label occurs'>)

    Raises `BadVotes` where the coefficient is not made for these answers, `BadChoice` for weights it does not have.
    """
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts")
    kind, weighting = chosen(coefficient, Coefficient), chosen(weights, Weights)
    spend(
        "coefficients of agreement",
        60 + len(votes.counts) * (len(votes.judges) + len(votes.labels) ** 2) // 4,
    )
    allowed = _DIFFERENCES if kind is Coefficient.KRIPPENDORFF else _BY_PLACE
    if weighting not in allowed:
        rule = f"weights of {kind.value} must be one of {', '.join(w.value for w in allowed)}"
        raise BadChoice(weighting.value, rule)
    rows = [([pattern.count(label) for label in votes.labels], n) for pattern, n in votes.counts.items()]
    paired = [(row, count) for row, count in rows if sum(row) > 1]
    if kind is Coefficient.KRIPPENDORFF:
        return _krippendorff(votes.labels, paired, weighting)
    if kind in (Coefficient.COHEN, Coefficient.SCOTT) and len(votes.judges) != 2:
        raise BadVotes(votes.judges, f"{kind.value} must have two judges", "take two of them by marginal")
    if not paired:
        return Undefined.NO_PAIRS
    table = _weights(len(votes.labels), weighting)
    agreeing = [(_agreeing(row, table), sum(row) * (sum(row) - 1), count) for row, count in paired]
    if kind is Coefficient.PERCENT_POOLED:
        return sum((count * one for one, _, count in agreeing), mpq(0)) / sum(n * c for _, n, c in agreeing)
    observed = _mean([(one / pairs, count) for one, pairs, count in agreeing])
    if kind is Coefficient.PERCENT_BY_QUESTION:
        return observed
    expected = _expected(kind, votes, rows, paired, table)
    return Undefined.ONE_LABEL if expected == 1 else (observed - expected) / (1 - expected)


def relabeled(votes: VoteCounts, seen_as: Mapping[str, str | None], labels: Iterable[str]) -> VoteCounts:
    """Return the votes under other labels, several of which may become one, or a gap.

    >>> relabeled(VoteCounts({"a?": 1}, ["a", "b", "?"]), {"a": "a", "b": "b", "?": None}, ["a", "b"])
    VoteCounts({('a', None): 1}, labels=('a', 'b'), judges=('J1', 'J2'))
    """
    counts: Counter[Pattern] = Counter()
    for pattern, count in votes.counts.items():
        counts[tuple(None if answer is None else seen_as[answer] for answer in pattern)] += count
    kept = {pattern: n for pattern, n in counts.items() if any(one is not None for one in pattern)}
    return VoteCounts(kept, labels, votes.judges)


def _expected(
    kind: Coefficient, votes: VoteCounts, rows: list[_Row], paired: list[_Row], table: list[list[mpq]]
) -> mpq:
    labels = range(len(votes.labels))
    every = sum((sum(line, mpq(0)) for line in table), mpq(0))
    if kind is Coefficient.BRENNAN_PREDIGER:
        return every / len(labels) ** 2
    if kind is Coefficient.GWET:
        spread = sum((share * (1 - share) for share in _shares(rows)), mpq(0))
        return every * spread / (len(labels) * (len(labels) - 1))
    if kind is Coefficient.COHEN:
        both = votes.common(0, 1)
        first, second = ([mpq(n, both.size) for n in both.responses(judge).values()] for judge in (0, 1))
    else:
        if kind is Coefficient.FLEISS and len({sum(row) for row, _ in rows}) > 1:
            rule = "every question must have the same number of answers for fleiss"
            raise BadVotes(votes.judges, rule, "use krippendorff")
        first = second = _shares(paired)
    return sum((table[k][j] * first[k] * second[j] for k in labels for j in labels), mpq(0))


def _krippendorff(labels: tuple[str, ...], paired: list[_Row], weights: Weights) -> MetricValue:
    """Return α = 1 − (n − 1)·Σ o_ck·δ_ck / Σ n_c·n_k·δ_ck over the answers to questions with two or more."""
    totals = [sum(count * row[k] for row, count in paired) for k in range(len(labels))]
    difference = _difference(labels, totals, weights)
    if not paired:
        return Undefined.NO_PAIRS
    given = [k for k, total in enumerate(totals) if total]
    deltas = {(c, k): difference(c, k) for c in given for k in given if c != k}
    expected = sum((delta * totals[c] * totals[k] for (c, k), delta in deltas.items()), mpq(0))
    observed = mpq(0)
    for row, count in paired:
        own = [k for k in given if row[k]]
        apart = sum((deltas[c, k] * row[c] * row[k] for c in own for k in own if c != k), mpq(0))
        observed += count * apart / (sum(row) - 1)
    return Undefined.ONE_LABEL if expected == 0 else 1 - (sum(totals) - 1) * observed / expected


def _difference(labels: tuple[str, ...], totals: list[int], weights: Weights) -> Callable[[int, int], mpq]:
    """Return Krippendorff's squared difference of two labels, by their places."""
    if weights is Weights.NOMINAL:
        return lambda _, __: mpq(1)
    if weights is Weights.ORDINAL:
        return lambda c, k: (sum(totals[min(c, k) : max(c, k) + 1]) - mpq(totals[c] + totals[k], 2)) ** 2
    try:
        numbers = [rational(label) for label in labels]
    except NtqrExactError:
        raise BadNumber(labels, f"labels must be numbers for {weights.value} weights") from None
    if len({*numbers}) < len(numbers):
        raise BadNumber(labels, f"labels must be different numbers for {weights.value} weights")
    if weights is Weights.INTERVAL:
        return lambda c, k: (numbers[c] - numbers[k]) ** 2
    if min(numbers) < 0:
        raise BadNumber(labels, "labels must not be negative for ratio weights")
    return lambda c, k: ((numbers[c] - numbers[k]) / (numbers[c] + numbers[k])) ** 2


def _agreeing(row: list[int], weights: list[list[mpq]]) -> mpq:
    agreeing = mpq(0)
    for given, line in zip(row, weights, strict=True):
        agreeing += given * (sum((w * n for w, n in zip(line, row, strict=True)), mpq(0)) - 1)
    return agreeing


def _weights(labels: int, weights: Weights) -> list[list[mpq]]:
    if weights is Weights.NOMINAL:
        return [[mpq(k == j) for j in range(labels)] for k in range(labels)]
    power = 1 if weights is Weights.LINEAR else 2
    return [[1 - mpq(abs(k - j), labels - 1) ** power for j in range(labels)] for k in range(labels)]


def _shares(rows: list[_Row]) -> list[mpq]:
    """Return the mean share of each label over the questions."""
    return [_mean([(mpq(row[k], sum(row)), count) for row, count in rows]) for k in range(len(rows[0][0]))]


def _mean(values: list[tuple[mpq, int]]) -> mpq:
    return sum((value * count for value, count in values), mpq(0)) / sum(count for _, count in values)
