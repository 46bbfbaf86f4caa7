"""Many labels: one each, or any number each; averages, population rates, the report of ORES."""

import json
import pickle

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadSamples, UndefinedMetric
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.multiclass import Average, LabelMatrices, MulticlassConfusion
from ntqr_exact.metrics.ores_report import REPORTED, ores_report
from ntqr_exact.metrics.undefined import WhenUndefined

CONFUSION = MulticlassConfusion({"a": {"a": 5, "b": 1, "c": 2}, "b": {"a": 1, "b": 3}, "c": {"c": 4}})
SETS = LabelMatrices.from_label_sets(
    [{"foo", "bar"}] * 10 + [{"foo", "baz"}] * 20 + [{"bar"}] * 30 + [{"bar", "baz"}] * 40,
    [{"foo"}] * 10 + [{"foo", "bar", "baz"}] * 20 + [{"bar"}] * 30 + [{"baz"}] * 40,
    labels=["foo", "bar", "baz"],
)


def test_each_label_against_the_rest_adds_up_to_all():
    assert CONFUSION.matrices["a"] == ConfusionMatrix(tp=5, fp=1, fn=3, tn=7)
    assert CONFUSION.matrices["b"] == ConfusionMatrix(tp=3, fp=1, fn=1, tn=11)
    assert CONFUSION.matrices["c"] == ConfusionMatrix(tp=4, fp=2, fn=0, tn=10)
    assert {CONFUSION.matrices[label].total for label in CONFUSION.labels} == {16}
    assert CONFUSION.rates == {"a": mpq(1, 2), "b": mpq(1, 4), "c": mpq(1, 4)}


def test_micro_averages_are_the_accuracy_and_macro_averages_are_means():
    matrices = CONFUSION.matrices
    assert CONFUSION.accuracy == mpq(12, 16)
    assert {matrices.average(name, Average.MICRO) for name in ("recall", "precision", "f1")} == {mpq(3, 4)}
    assert matrices.average("recall", Average.MACRO) == (mpq(5, 8) + mpq(3, 4) + 1) / 3
    # Recall weighted by label is the accuracy, too: Σ (n_l/n)·(TP_l/n_l).
    assert matrices.average("recall", Average.WEIGHTED) == mpq(3, 4)
    assert matrices.average("precision", Average.WEIGHTED) == mpq(5, 6) / 2 + mpq(3, 4) / 4 + mpq(4, 6) / 4


def test_labels_from_samples_are_those_that_occur_or_those_named():
    confusion = MulticlassConfusion.from_labels("aabc", "abbc", ["1/2", 1, 1, 2])
    assert confusion.counts["a"] == {"a": mpq(1, 2), "b": 1, "c": 0}
    assert MulticlassConfusion.from_labels("ab", "ab", labels="abc").labels == ("a", "b", "c")
    with pytest.raises(BadSamples):
        MulticlassConfusion.from_labels("abc", "aba", labels="ab")
    with pytest.raises(BadSamples):
        MulticlassConfusion.from_labels("ab", "az", labels="ab")
    with pytest.raises(BadSamples):
        MulticlassConfusion.from_labels("ab", "a")


def test_a_mean_over_labels_is_undefined_where_a_label_is_unless_a_policy_says_otherwise():
    matrices = MulticlassConfusion.from_labels("aab", "aab", labels="abc").matrices
    assert matrices.average("recall", Average.MACRO) is Undefined.PART_UNDEFINED
    assert matrices.average("recall", Average.MICRO) == 1
    assert matrices.average("recall", Average.MACRO, undefined=WhenUndefined.ZERO) == mpq(2, 3)
    assert matrices.average("recall", Average.MACRO, undefined=WhenUndefined.ONE) == 1
    assert matrices.average("recall", Average.WEIGHTED, undefined=WhenUndefined.ZERO) == 1
    with pytest.raises(UndefinedMetric):
        matrices.average("recall", Average.MACRO, undefined=WhenUndefined.ERROR)
    nobody = LabelMatrices({"a": ConfusionMatrix(tp=0, fp=1, fn=0, tn=1)})
    assert nobody.average("precision", Average.WEIGHTED) is Undefined.NO_POSITIVES
    assert nobody.average("recall", Average.MICRO) is Undefined.NO_POSITIVES
    assert nobody.average("recall", Average.MICRO, undefined=WhenUndefined.ONE) == 1


def test_population_rates_scale_the_row_of_each_label():
    scaled = CONFUSION.at_population_rates({"a": "1/4", "b": "1/4", "c": "1/2"})
    assert scaled.total == CONFUSION.total
    assert scaled.counts["a"] == {"a": mpq(5, 2), "b": mpq(1, 2), "c": 1}
    assert scaled.counts["c"]["c"] == 8
    assert CONFUSION.at_population_rates(CONFUSION.rates) == CONFUSION


def test_a_label_that_neither_the_sample_nor_the_population_has_needs_no_rows():
    lacking = MulticlassConfusion({"a": {"a": 2, "b": 1}, "b": {"a": 3}, "c": {}})
    assert lacking.at_population_rates({"a": "1/2", "b": "1/2", "c": 0}) == lacking


def test_with_two_labels_rows_and_one_against_the_rest_scale_alike_and_with_three_they_differ():
    binary = ConfusionMatrix(tp=30, fp=10, fn=5, tn=55)
    by_row = MulticlassConfusion.from_binary(binary).at_population_rates({"false": "0.9", "true": "0.1"})
    assert by_row.matrices["true"] == binary.at_population_rate("0.1")
    rates = {"a": "1/4", "b": "1/4", "c": "1/2"}
    rows, rest = CONFUSION.at_population_rates(rates).matrices, CONFUSION.matrices.at_population_rates(rates)
    assert rows["a"].recall == rest["a"].recall
    assert rows["a"].precision != rest["a"].precision


def test_bad_rates_counts_and_labels_are_refused():
    with pytest.raises(BadSamples):
        CONFUSION.at_population_rates({"a": "1/4", "b": "1/4", "c": "1/4"})
    with pytest.raises(BadSamples):
        CONFUSION.at_population_rates({"a": 1})
    with pytest.raises(BadSamples):
        CONFUSION.matrices.at_population_rates({"a": 1})
    with pytest.raises(BadNumber):
        CONFUSION.at_population_rates({"a": 2, "b": -1, "c": 0})
    with pytest.raises(BadSamples):
        MulticlassConfusion.from_labels("ab", "ab", labels="abc").at_population_rates(
            {"a": 0, "b": 0, "c": 1}
        )
    with pytest.raises(BadSamples):
        MulticlassConfusion({"a": {"a": -1}, "b": {}})
    with pytest.raises(BadSamples):
        MulticlassConfusion({"a": {"z": 1}, "b": {}})
    with pytest.raises(BadSamples):
        MulticlassConfusion({})
    with pytest.raises(BadSamples):
        LabelMatrices({})
    with pytest.raises(BadSamples):
        LabelMatrices(
            {"a": ConfusionMatrix(tp=1, fp=0, fn=0, tn=0), "b": ConfusionMatrix(tp=0, fp=0, fn=0, tn=2)}
        )
    with pytest.raises(BadSamples):
        CONFUSION.matrices["z"]
    with pytest.raises(BadSamples):
        LabelMatrices.from_label_sets([{"z"}], [{"a"}], labels="a")
    with pytest.raises(BadSamples):
        LabelMatrices.from_label_sets([{"a"}], [], labels="a")


def test_values_can_be_sent_to_other_processes_and_pasted_back():
    for value in (CONFUSION, SETS):
        assert pickle.loads(pickle.dumps(value)) == value == eval(repr(value))


def test_multi_label_counts_are_those_documented_by_revscoring():
    report = ores_report(SETS)
    assert report["counts"]["n"] == 100
    assert report["counts"]["labels"] == {"foo": 30, "bar": 80, "baz": 60}
    assert report["counts"]["predictions"]["foo"]["true"] == {"false": 0, "true": 30}
    assert report["counts"]["predictions"]["bar"]["false"]["true"] == 20
    assert (
        report["rates"]["population"]
        == report["rates"]["sample"]
        == {"foo": "3/10", "bar": "4/5", "baz": "3/5"}
    )
    assert len(SETS) == 3
    assert list(SETS) == ["foo", "bar", "baz"]


def test_weighted_label_sets_count_their_weights():
    matrices = LabelMatrices.from_label_sets(
        [{"a"}, set()], [set(), {"a"}], labels="a", sample_weight=["1/3", 2]
    )
    assert matrices["a"] == ConfusionMatrix(tp=0, fp=2, fn="1/3", tn=0)


def test_the_report_of_two_labels_tells_both_sides():
    matrix = ConfusionMatrix(tp=30, fp=10, fn=5, tn=55)
    report = ores_report(matrix, population_rate="0.1")
    assert report["counts"] == json.loads(write_json(report["counts"]))
    assert report["counts"]["predictions"]["false"]["true"] == 10
    assert report["rates"] == {
        "population": {"false": "9/10", "true": "1/10"},
        "sample": {"false": "13/20", "true": "7/20"},
    }
    scaled = matrix.at_population_rate("0.1")
    for name in REPORTED:
        by_label = report[name]["labels"]
        assert by_label["true"] == str(scaled[name])
        assert by_label["false"] == str(scaled.negated[name])
        mean = (scaled[name] + scaled.negated[name]) / 2
        assert report[name]["macro"] == str(mean)
        assert report[name]["micro"] == str(scaled[name] / 10 + scaled.negated[name] * 9 / 10)
        assert report[name]["pooled"] == str((scaled + scaled.negated)[name])
    json.loads(write_json(report))


def test_the_report_says_why_a_value_is_undefined_and_keeps_weights_exact():
    report = ores_report(ConfusionMatrix(tp=0, fp=0, fn="1/2", tn=1))
    assert report["precision"]["labels"]["true"] == {"undefined": "no sample is predicted to be positive"}
    assert report["precision"]["macro"] == {"undefined": "the metric is undefined for at least one label"}
    assert report["counts"]["labels"] == {"false": 1, "true": "1/2"}
    nothing = ores_report(ConfusionMatrix(tp=0, fp=0, fn=0, tn=0))
    assert nothing["rates"]["sample"]["true"] == {"undefined": "there are no samples"}
    assert nothing["rates"]["population"]["true"] == {"undefined": "there are no samples"}


def test_the_report_of_many_labels_takes_a_rate_for_each():
    rates = {"a": "1/4", "b": "1/4", "c": "1/2"}
    report = ores_report(CONFUSION, population_rates=rates)
    assert report["rates"]["population"] == rates
    assert report["rates"]["scaling"] == "each label against the rest, as revscoring does"
    # Label a by hand, as the tool does it: TP and FN times ρ/r, FP and TN times (1−ρ)/(1−r).
    against_rest = CONFUSION.matrices["a"]
    rate = against_rest.positives / against_rest.total
    tp, fp = against_rest.tp * mpq(1, 4) / rate, against_rest.fp * mpq(3, 4) / (1 - rate)
    assert report["precision"]["labels"]["a"] == str(tp / (tp + fp))
    at_once = ores_report(CONFUSION, population_rates=rates, scaling="all-labels")
    assert at_once["rates"]["scaling"] == "all labels at once"
    assert at_once["precision"]["labels"]["a"] == str(
        CONFUSION.at_population_rates(rates).matrices["a"].precision
    )
    assert at_once["precision"]["labels"]["a"] != report["precision"]["labels"]["a"]
    sets = ores_report(SETS, population_rates={"foo": "1/2", "bar": "1/2", "baz": "1/2"})
    assert sets["precision"]["labels"]["bar"] == str(SETS["bar"].at_population_rate("1/2").precision)


@pytest.mark.parametrize("odd", [float("nan"), None, ["b"], 1])
def test_a_label_that_is_missing_or_of_another_kind_is_refused(odd):
    with pytest.raises(BadSamples):
        MulticlassConfusion.from_labels(["a", odd], ["a", "b"])


def test_a_weighted_mean_over_no_positives_follows_the_policy():
    empty = LabelMatrices({"a": ConfusionMatrix(tp=0, fp=1, fn=0, tn=1)})
    assert empty.average("precision", Average.WEIGHTED) is Undefined.NO_POSITIVES
    assert empty.average("precision", Average.WEIGHTED, undefined=WhenUndefined.ONE) == 1
