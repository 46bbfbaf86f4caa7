"""The experiment of algorithm 1 on small data, and what its analysis says."""

import sys
from itertools import islice

import numpy as np
import pytest
from gmpy2 import mpq

from ntqr_exact.confidence.atc import atc
from ntqr_exact.confidence.atc_values import AtcReading
from ntqr_exact.confidence.doc import DropLine, doc
from ntqr_exact.errors import BadNumber, BadSamples, MissingExtra
from ntqr_exact.exact.seeded_draws import below, bits_from
from ntqr_exact.ledger.orderings_analysis.trials import (
    METHODS,
    LabelledVectors,
    Method,
    Round,
    Trial,
    atc_method,
    count_wins,
    doc_method,
    means_of,
    rounds_of,
    run_experiment,
    summarise,
    winners,
)
from ntqr_exact.ledger.orderings_analysis.two_way_anova import (
    InexactNumber,
    Model,
    NoRatio,
    effect_probabilities,
    tukey,
    two_way_anova,
)


def data(seed, size, labels=4):
    generator = np.random.default_rng(seed)
    rows = generator.integers(0, 9, size=(size, labels)) + 1
    truth = [
        int(row.argmax()) if generator.random() < 0.7 else int(generator.integers(labels)) for row in rows
    ]
    return LabelledVectors.of([[mpq(int(x), int(row.sum())) for x in row] for row in rows], truth)


VALIDATION, TEST = data(1, 40), data(2, 30)


@pytest.fixture(scope="module")
def trials():
    return list(run_experiment(rounds_of(VALIDATION, TEST), runs=12, seed=5))


def test_every_dimension_method_and_run_is_there_once_in_the_order_of_the_algorithm(trials):
    names = [method.name for method in METHODS]
    assert [(trial.dimension, trial.method, trial.run) for trial in trials] == [
        (d, name, run) for d in (2, 3, 4) for name in names for run in range(1, 13)
    ]
    assert all(trial.error >= 0 for trial in trials)
    assert trials == list(run_experiment(rounds_of(VALIDATION, TEST), runs=12, seed=5))
    assert trials != list(run_experiment(rounds_of(VALIDATION, TEST), runs=12, seed=6))


def test_in_two_dimensions_all_scores_agree_run_by_run_and_l2_twins_always(trials):
    errors = {(t.dimension, t.method, t.run): t.error for t in trials}
    for run in range(1, 13):
        assert len({errors[2, name, run] for _, name, _ in errors if name != "doc"}) == 1
        for d in (2, 3, 4):
            assert errors[d, "atc-l2", run] == errors[d, "atc-l2-uniform", run]


def test_a_trial_is_the_distance_of_an_estimate_to_the_accuracy(trials):
    d = 3
    validation, test = VALIDATION.first(d), TEST.first(d)
    bits = bits_from((5 << 20) + d)
    n = len(validation.vectors)
    places = [below(bits, n) for _ in range(n)]
    source = [validation.vectors[place] for place in places]
    labels = [validation.labels[place] for place in places]
    wrong = test.wrong()
    accuracy = 1 - mpq(sum(wrong), len(wrong))
    first = {trial.method: trial.error for trial in trials if trial.dimension == d and trial.run == 1}
    for score in ("max", "entropy", "jensen-shannon"):
        estimate = atc(source, test.vectors, labels=labels, score=score).accuracy
        assert first[f"atc-{score}"] == abs(accuracy - estimate)
    assert first["doc"] == abs(accuracy - doc(source, test.vectors, labels=labels).accuracy)


def test_other_readings_and_lines_are_methods_too():
    rounds = {2: Round(VALIDATION.first(2), TEST.first(2))}
    published = Method("published", atc_method("max", reading=AtcReading.ACCURACY_BELOW).prepare)
    methods = [atc_method("max"), published, doc_method(DropLine(mpq(0), mpq(2)), name="doc-2")]
    found = list(run_experiment(rounds, runs=5, seed=1, methods=methods))
    assert [trial.method for trial in found[::5]] == ["atc-max", "published", "doc-2"]
    assert {trial.error for trial in found[:5]} != {trial.error for trial in found[5:10]}


def test_a_run_can_be_interrupted_without_loss():
    seen = []
    everything = run_experiment(rounds_of(VALIDATION, TEST), runs=3, seed=5, progress=seen.append)
    kept = list(islice(everything, 7))
    assert len(kept) == 7
    assert seen == [1] * 6


def test_labels_below_the_dimension_are_kept():
    cut = VALIDATION.first(2)
    assert set(cut.labels) <= {0, 1}
    assert all(len(vector) == 2 for vector in cut.vectors)
    assert len(cut.labels) == sum(label < 2 for label in VALIDATION.labels)


def test_bad_experiments_are_refused():
    rounds = rounds_of(VALIDATION, TEST, dimensions=[2])
    for options in ({"runs": 0}, {"methods": []}, {"methods": [METHODS[0], METHODS[0]]}):
        with pytest.raises(BadSamples):
            run_experiment(rounds, **{"runs": 1, "seed": 1, **options})
    with pytest.raises(BadSamples):
        run_experiment({}, runs=1, seed=1)
    with pytest.raises(BadNumber):
        rounds_of(VALIDATION, TEST, dimensions=[5])
    with pytest.raises(BadSamples, match="have 2 and 4"):
        Round(VALIDATION, TEST.first(2))
    with pytest.raises(BadSamples, match="no trials"):
        summarise([])


def test_means_intervals_and_wins():
    trials = [Trial(3, "a", run, mpq(run)) for run in range(1, 41)]
    trials += [Trial(3, "b", run, mpq(41, 2)) for run in range(1, 41)]
    trials += [Trial(2, "b", 1, mpq(0)), Trial(2, "a", 1, mpq(1))]
    summaries = summarise(trials, "0.9")
    first = summaries[0]
    assert (first.dimension, first.method, first.runs, first.mean) == (3, "a", 40, mpq(41, 2))
    assert (first.interval.lower, first.interval.upper) == (2, 38)
    means = means_of(summaries)
    assert winners(means) == {3: ("a", "b"), 2: ("b",)}
    assert count_wins(means) == {"a": 1, "b": 1}
    assert count_wins(means, excluded=()) == {"a": 1, "b": 2}


CELLS = {
    (d, m): [mpq(x) for x in values]
    for (d, m), values in {
        (3, "x"): [1, 2, 6],
        (3, "y"): [3, 4, 4],
        (3, "z"): [0, 1, 1],
        (4, "x"): [1, 4, 5],
        (4, "y"): [5, 6, 9],
        (4, "z"): [2, 2, 1],
    }.items()
}


def by_residuals(cells):
    """Sums of squares as they are defined: squared distances of means."""

    def mean(values):
        return sum(values, mpq(0)) / len(values)

    dimensions, methods = {d for d, _ in cells}, {m for _, m in cells}
    grand = mean([x for values in cells.values() for x in values])
    rows = {d: mean([x for (e, _), values in cells.items() if e == d for x in values]) for d in dimensions}
    columns = {m: mean([x for (_, e), values in cells.items() if e == m for x in values]) for m in methods}
    n = 3
    return (
        sum(n * len(methods) * (rows[d] - grand) ** 2 for d in dimensions),
        sum(n * len(dimensions) * (columns[m] - grand) ** 2 for m in methods),
        sum(n * (mean(v) - rows[d] - columns[m] + grand) ** 2 for (d, m), v in cells.items()),
        sum((x - mean(values)) ** 2 for values in cells.values() for x in values),
    )


def test_the_sums_of_squares_are_exact_and_add_up():
    table = two_way_anova(CELLS)
    assert tuple(row.sum_of_squares for row in table.rows) == by_residuals(CELLS)
    assert [row.degrees for row in table.rows] == [1, 2, 2, 12]
    everything = [x for values in CELLS.values() for x in values]
    mean = sum(everything) / len(everything)
    assert table.total == sum((x - mean) ** 2 for x in everything)
    rest = table.rest.sum_of_squares / 12
    assert table.methods.f == table.methods.sum_of_squares / 2 / rest
    assert table.rest.f is NoRatio.IS_THE_REST


def test_the_additive_model_counts_the_interaction_among_the_rest():
    full, additive = two_way_anova(CELLS), two_way_anova(CELLS, model=Model.ADDITIVE)
    assert additive.rest.sum_of_squares == full.rest.sum_of_squares + full.interaction.sum_of_squares
    assert (additive.rest.degrees, additive.interaction.f) == (14, NoRatio.NO_DEGREES)
    assert additive.total == full.total
    single = {cell: values[:1] for cell, values in CELLS.items()}
    assert two_way_anova(single).methods.f is NoRatio.NO_DEGREES
    assert two_way_anova(single, model=Model.ADDITIVE).methods.f > 0
    flat = {cell: [mpq(1), mpq(1)] for cell in CELLS}
    assert two_way_anova(flat).methods.f is NoRatio.NO_VARIATION


def test_an_unbalanced_table_is_refused():
    for cells in (
        {**CELLS, (3, "x"): [mpq(1)]},
        {cell: values for cell, values in CELLS.items() if cell != (3, "x")},
        {cell: values for cell, values in CELLS.items() if cell[0] == 3},
        {},
    ):
        with pytest.raises(BadSamples, match="as many runs"):
            two_way_anova(cells)


@pytest.mark.slow
def test_probabilities_are_those_of_scipy_and_marked_inexact():
    stats = pytest.importorskip("scipy.stats")
    table = two_way_anova(CELLS)
    found = effect_probabilities(table)
    assert set(found) == {"dimension", "method", "interaction"}
    assert found["method"] == InexactNumber(stats.f.sf(float(table.methods.f), 2, 12))
    assert str(found["method"]).startswith("≈ 0.0")
    with pytest.raises(TypeError):
        _ = found["method"] + 1
    flat = two_way_anova({cell: [mpq(1), mpq(1)] for cell in CELLS})
    assert effect_probabilities(flat)["method"] is NoRatio.NO_VARIATION
    assert tukey(flat)[0].probability is NoRatio.NO_VARIATION
    single = two_way_anova({cell: values[:1] for cell, values in CELLS.items()})
    assert tukey(single)[0].probability is NoRatio.NO_DEGREES


def test_tukey_is_the_studentized_range_of_the_rest():
    stats = pytest.importorskip("scipy.stats")
    table = two_way_anova(CELLS)
    rest = float(table.rest.sum_of_squares) / 12
    for pair in tukey(table):
        q = abs(float(pair.difference)) / (rest / 6) ** 0.5
        assert pair.probability.value == pytest.approx(float(stats.studentized_range.sf(q, 3, 12)), rel=1e-9)
    assert [(pair.first, pair.second) for pair in tukey(table)] == [("x", "y"), ("x", "z"), ("y", "z")]


def test_without_scipy_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(MissingExtra, match=r"'scipy': .*\.\[statistics\]' in a clone"):
        effect_probabilities(two_way_anova(CELLS))


def test_the_analysis_of_an_experiment(trials):
    from ntqr_exact.ledger.orderings_analysis.trials import by_cell

    table = two_way_anova(by_cell(trials))
    assert [row.degrees for row in table.rows] == [2, 6, 12, 21 * 11]
    means = means_of(summarise(trials))
    assert table.method_means["doc"] == sum(means[d, "doc"] for d in (2, 3, 4)) / 3
    wins = count_wins(means)
    assert wins["atc-l2"] == wins["atc-l2-uniform"]
