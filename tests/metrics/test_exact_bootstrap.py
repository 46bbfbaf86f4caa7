"""The exact bootstrap: equal to brute enumeration, agreed with by seeded resampling, honest about its limits."""

import itertools
from fractions import Fraction
from math import comb, factorial

import pytest
from gmpy2 import mpq, mpz

from ntqr_exact.errors import BadNumber, BadQuery, BadSamples, NotSupported, UndefinedMetric
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics import exact_bootstrap as bootstrap_cells
from ntqr_exact.metrics.bootstrap import QuantileDefinition, bootstrap
from ntqr_exact.metrics.exact_bootstrap import CellStratum, exact_bootstrap, exact_weighted_bootstrap
from ntqr_exact.metrics.formulas import WhenUndefined

NAMES = ("tp", "fp", "fn", "tn")
FORMULAS = {
    "precision": ((1, 0, 0, 0), (1, 1, 0, 0)),
    "recall": ((1, 0, 0, 0), (1, 0, 1, 0)),
    "f1": ((2, 0, 0, 0), (2, 1, 1, 0)),
    "error_rate": ((0, 1, 1, 0), (1, 1, 1, 1)),
    "accuracy": ((1, 0, 0, 1), (1, 1, 1, 1)),
    "!f1": ((0, 0, 0, 2), (0, 1, 1, 2)),
}
"""How often tp, fp, fn, tn enter above and below; written down again, to hold the library against it."""

MATRICES = [
    (3, 1, 0, 2),
    (1, 1, 1, 1),
    (0, 2, 1, 2),
    (5, 0, 0, 0),
    (0, 0, 1, 3),
    (4, 2, 1, 5),
    (2, 4, 6, 0),
    (3, 3, 3, 3),
]


def measured(name, cells):
    above, below = (sum(a * cell for a, cell in zip(row, cells, strict=True)) for row in FORMULAS[name])
    return Fraction(above) / below if below else None


def add(law, value, weight):
    law[value] = law.get(value, 0) + weight


def by_compositions(name, cells):
    """The law by enumerating every multinomial outcome; `None` stands for undefined."""
    size, law = sum(cells), {}
    for drawn in itertools.product(range(size + 1), repeat=3):
        if sum(drawn) > size:
            continue
        counts = (*drawn, size - sum(drawn))
        weight = factorial(size)
        for count, cell in zip(counts, cells, strict=True):
            weight = weight // factorial(count) * cell**count
        if weight:
            add(law, measured(name, counts), Fraction(weight, size**size))
    return law


def by_resamples(name, items, draws):
    """The law by enumerating every list of draws; an item is (cell, weight)."""
    law = {}
    for places in draws:
        sums = [0] * 4
        for place in places:
            cell, weight = items[place]
            sums[cell] += weight
        add(law, measured(name, sums), 1)
    total = sum(law.values())
    return {value: Fraction(count, total) for value, count in law.items()}


def law_of(distribution):
    law = {Fraction(str(value)): Fraction(str(chance)) for value, chance in distribution.outcomes()}
    if distribution.undefined_probability:
        law[None] = Fraction(str(distribution.undefined_probability))
    return law


def exact(name, cells):
    return exact_bootstrap(name, **dict(zip(NAMES, cells, strict=True)))


@pytest.mark.parametrize("cells", MATRICES)
@pytest.mark.parametrize("name", FORMULAS)
def test_the_distribution_is_that_of_brute_enumeration_to_n_12(name, cells):
    distribution = exact(name, cells)
    assert law_of(distribution) == by_compositions(name, cells)
    estimate = measured(name, cells)
    assert (
        isinstance(distribution.estimate, Undefined)
        if estimate is None
        else distribution.estimate == estimate
    )
    values = [value for value, _ in distribution.values]
    assert values == sorted(set(values))


WEIGHTED = {"1/3": (1, 1, 1, 0), "2": (0, 0, 0, 1), "0": (0, 1, 0, 0)}
STRATA = [CellStratum(**dict(zip(NAMES, cells, strict=True)), weight=w) for w, cells in WEIGHTED.items()]
ITEMS = [(cell, Fraction(w)) for w, cells in WEIGHTED.items() for cell in range(4) if cells[cell]]


@pytest.mark.parametrize("name", FORMULAS)
def test_weighted_strata_resampled_together_or_each_by_itself(name):
    plain = exact_weighted_bootstrap(name, STRATA)
    assert law_of(plain) == by_resamples(name, ITEMS, itertools.product(range(5), repeat=5))
    stratified = exact_weighted_bootstrap(name, STRATA, stratified=True)
    draws = itertools.product(*[range(3)] * 3, [3], [4])
    assert law_of(stratified) == by_resamples(name, ITEMS, draws)
    assert plain.estimate == stratified.estimate


def test_accuracy_is_binomial():
    distribution = exact("accuracy", (170, 40, 29, 61))
    size, right = 300, 231
    for k, (value, weight) in enumerate(distribution.outcomes()):
        assert value == Fraction(k, size)
        if k % 25 == 0:
            assert weight == mpq(comb(size, k) * 77**k * 23 ** (size - k), mpz(100) ** size)
    assert k == size
    assert distribution.mean == mpq(right, size)


def items_of(cells):
    return [cell for cell, count in enumerate(cells) for _ in range(count)]


def statistic(name):
    def measure(items):
        value = measured(name, [items.count(cell) for cell in range(4)])
        return Undefined.NO_SAMPLES if value is None else value

    return measure


@pytest.mark.parametrize("name", ["precision", "recall", "f1", "error_rate"])
def test_seeded_resampling_agrees_within_its_error(name):
    cells, resamples = (6, 3, 2, 14), 1500
    distribution = exact(name, cells)
    sampled = bootstrap(items_of(cells), statistic(name), resamples=resamples, seed=11)
    assert sampled.estimate == distribution.estimate
    # Dvoretzky, Kiefer, Wolfowitz and Massart: the distance exceeds ε with probability at most 2exp(−2nε²),
    # here 10⁻⁶ at ε = √(log(2·10⁶)/3000) < 0.07.
    chances, seen, furthest = mpq(0), 0, mpq(0)
    for value, chance in distribution.outcomes():
        chances += chance
        seen += dict(sampled.values).get(value, 0)
        furthest = max(furthest, abs(chances - mpq(seen, resamples)))
    assert furthest < mpq(7, 100)
    assert seen == resamples - sampled.undefined_weight


def test_undefined_resamples_follow_the_named_policy():
    distribution = exact(
        "precision", (1, 0, 0, 1)
    )  # from tp and tn: 1 with weight 3, undefined with weight 1
    assert distribution.undefined_probability == mpq(1, 4)
    levels = ["1/8", "1/4", "3/8"]
    assert distribution.quantiles(levels) == (1, 1, 1)
    assert distribution.quantiles(levels, undefined=WhenUndefined.ZERO) == (0, 0, 1)
    assert distribution.quantiles(levels, undefined=WhenUndefined.ONE) == (1, 1, 1)
    averaged = QuantileDefinition.AVERAGED_INVERSE_CDF
    assert distribution.quantiles(levels, undefined=WhenUndefined.ZERO, definition=averaged) == (
        0,
        mpq(1, 2),
        1,
    )
    with pytest.raises(UndefinedMetric):
        distribution.quantiles(levels, undefined=WhenUndefined.ERROR)
    low, high = exact("precision", (1, 1, 0, 1)).quantiles(["1/3", "1"], undefined=WhenUndefined.ONE)
    assert (low, high) == (mpq(1, 3), 1)


def test_a_metric_that_is_never_defined_has_a_distribution_but_no_quantile():
    distribution = exact("precision", (0, 0, 2, 3))
    assert distribution.estimate is Undefined.NO_PREDICTED_POSITIVES
    assert distribution.undefined_probability == 1
    assert distribution.mean is Undefined.NO_SAMPLES
    with pytest.raises(UndefinedMetric):
        distribution.interval()


def test_the_limits_stop_the_work_before_it_begins(monkeypatch):
    monkeypatch.setattr(bootstrap_cells, "MAX_OUTCOMES", 66)
    assert exact("f1", (4, 2, 1, 3)).estimate == mpq(8, 11)  # (10+1)(10+2)/2 = 66 outcomes
    with pytest.raises(NotSupported):
        exact("f1", (4, 2, 1, 4))
    monkeypatch.setattr(bootstrap_cells, "MAX_BITS", 66 * (10**10).bit_length() - 1)
    with pytest.raises(NotSupported):
        exact("f1", (4, 2, 1, 3))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: exact("precision", (0, 0, 0, 0)), BadSamples),
        (lambda: exact_weighted_bootstrap("precision", []), BadSamples),
        (lambda: exact_weighted_bootstrap("f1", [CellStratum(tp=1, fp=1, fn=1, tn=1, weight=0)]), BadSamples),
        (lambda: CellStratum(tp=1, fp=1, fn=1, tn=1, weight=-1), BadSamples),
        (lambda: exact("accuracyy", (1, 1, 1, 1)), BadQuery),
        (lambda: exact("accuracy", (1, -1, 1, 1)), BadNumber),
        (lambda: exact("accuracy", (1, "1/2", 1, 1)), BadNumber),
        (lambda: exact("accuracy", (1, 1, 1, 1)).interval("95"), BadNumber),
    ],
)
def test_bad_input_is_refused(call, error):
    with pytest.raises(error):
        call()
