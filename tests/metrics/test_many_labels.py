"""Many labels: one each, or any number each; averages, metrics against chance, and `measure`."""

import pickle

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadSamples, UndefinedMetric
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import WhenUndefined, metric
from ntqr_exact.metrics.multiclass import (
    Average,
    LabelMatrices,
    MulticlassConfusion,
    balanced_accuracy,
    cohen_kappa,
    lift,
    matthews,
    measure,
)

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


def test_micro_averages_are_the_accuracy_and_macro_averages_are_means():
    matrices = CONFUSION.matrices
    assert CONFUSION.accuracy == mpq(12, 16)
    assert {matrices.average(name, Average.MICRO) for name in ("recall", "precision", "f1")} == {mpq(3, 4)}
    assert matrices.average("recall", Average.MACRO) == (mpq(5, 8) + mpq(3, 4) + 1) / 3
    # Recall weighted by label is the accuracy, too: Σ (n_l/n)·(TP_l/n_l).
    assert matrices.average("recall", Average.WEIGHTED) == mpq(3, 4)
    assert matrices.average("precision", Average.WEIGHTED) == mpq(5, 6) / 2 + mpq(3, 4) / 4 + mpq(4, 6) / 4


def test_an_undefined_metric_of_a_label_follows_the_policy():
    matrices = MulticlassConfusion.from_labels("aab", "aab", labels="abc").matrices
    assert matrices.average("recall", Average.MACRO) is Undefined.PART_UNDEFINED
    assert matrices.average("recall", Average.MICRO) == 1
    assert matrices.average("recall", Average.MACRO, undefined=WhenUndefined.ZERO) == mpq(2, 3)
    assert matrices.average("recall", Average.WEIGHTED, undefined=WhenUndefined.ZERO) == 1
    with pytest.raises(UndefinedMetric):
        matrices.average("recall", Average.MACRO, undefined=WhenUndefined.ERROR)
    empty = LabelMatrices({"a": ConfusionMatrix(tp=0, fp=1, fn=0, tn=1)})
    assert empty.average("precision", Average.WEIGHTED) is Undefined.NO_POSITIVES
    assert empty.average("precision", Average.WEIGHTED, undefined=WhenUndefined.ONE) == 1
    assert empty.average("recall", Average.MICRO) is Undefined.NO_POSITIVES


@pytest.mark.parametrize(
    "call",
    [
        lambda: MulticlassConfusion({"a": {"a": -1}, "b": {}}),
        lambda: MulticlassConfusion({"a": {"z": 1}, "b": {}}),
        lambda: MulticlassConfusion({}),
        lambda: MulticlassConfusion.from_labels("abc", "aba", labels="ab"),
        lambda: MulticlassConfusion.from_labels("ab", "az", labels="ab"),
        lambda: MulticlassConfusion.from_labels("ab", "a"),
        lambda: MulticlassConfusion.from_labels(["a", float("nan")], ["a", "b"]),
        lambda: MulticlassConfusion.from_labels(["a", None], ["a", "b"]),
        lambda: MulticlassConfusion.from_labels(["a", ["b"]], ["a", "b"]),
        lambda: MulticlassConfusion.from_labels(["a", 1], ["a", "b"]),
        lambda: LabelMatrices({}),
        lambda: LabelMatrices({"a": CONFUSION.matrices["a"], "b": SETS["foo"]}),
        lambda: CONFUSION.matrices["z"],
        lambda: LabelMatrices.from_label_sets([{"z"}], [{"a"}], labels="a"),
        lambda: LabelMatrices.from_label_sets([{"a"}], [], labels="a"),
        lambda: LabelMatrices.from_label_sets([[1, 1, 0]], [[0, 1, 1]], labels=[0, 1, 2]),
        lambda: measure("f1", "abc", "abb"),
        lambda: measure("mcc", "abc", "abb", labels="ab"),
    ],
)
def test_bad_counts_and_labels_are_refused(call):
    with pytest.raises(BadSamples):
        call()


def test_values_can_be_sent_to_other_processes_and_pasted_back():
    for value in (CONFUSION, SETS):
        assert pickle.loads(pickle.dumps(value)) == value == eval(repr(value))


def test_label_sets_are_counted_with_their_weights():
    assert (len(SETS), list(SETS)) == (3, ["foo", "bar", "baz"])
    assert [SETS[label].positives for label in SETS] == [30, 80, 60]
    assert SETS["bar"].fp == 20
    matrices = LabelMatrices.from_label_sets(
        [{"a"}, set()], [set(), {"a"}], labels="a", sample_weight=["1/3", 2]
    )
    assert matrices["a"] == ConfusionMatrix(tp=0, fp=2, fn="1/3", tn=0)


ONE_LABEL = MulticlassConfusion({"a": {"a": 3}, "b": {}})
ONE_GIVEN = MulticlassConfusion({"a": {"a": 3}, "b": {"a": 1}})
NOTHING = MulticlassConfusion({"a": {}, "b": {}})


def test_metrics_against_chance_are_undefined_where_nothing_varies():
    assert (cohen_kappa(ONE_LABEL), matthews(ONE_LABEL)) == (Undefined.ONE_LABEL, Undefined.ONE_LABEL)
    assert (cohen_kappa(ONE_GIVEN), matthews(ONE_GIVEN)) == (0, Undefined.ONE_LABEL)
    assert (balanced_accuracy(ONE_LABEL), balanced_accuracy(ONE_GIVEN)) == (1, mpq(1, 2))
    assert {cohen_kappa(NOTHING), matthews(NOTHING), balanced_accuracy(NOTHING)} == {Undefined.NO_SAMPLES}
    assert lift(ConfusionMatrix(tp=2, fp=1, fn=1, tn=5)) == mpq(2, 3) / mpq(3, 9)
    assert lift(ConfusionMatrix(tp=0, fp=0, fn=2, tn=3)) is Undefined.NO_PREDICTED_POSITIVES
    assert lift(ConfusionMatrix(tp=0, fp=2, fn=0, tn=3)) is Undefined.NO_POSITIVES


@pytest.mark.parametrize("name", ["f0", "f0/3", "f1001"])
def test_a_beta_is_positive_and_no_larger_than_a_thousand(name):
    with pytest.raises(BadNumber):
        metric(name)
    assert metric("f1000").name == "f1000"


@pytest.mark.parametrize("labels", [["a", "b"], ["c"], ["b", "d", "a"], None])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_some_labels_are_averaged_as_in_scikit_learn(labels, average):
    peer = pytest.importorskip("sklearn.metrics")
    truth, guess = list("aabbccddab"), list("abbbcacdda")
    for name in ("precision", "recall", "f1"):
        theirs = getattr(peer, f"{name}_score")(truth, guess, labels=labels, average=average)
        assert abs(float(measure(name, truth, guess, labels=labels, average=average)) - theirs) < 1e-12
    ours = measure("kappa", truth, guess, labels=["a", "b"])
    assert abs(float(ours) - peer.cohen_kappa_score(truth, guess, labels=["a", "b"])) < 1e-12


@pytest.mark.parametrize(("truth", "guess"), [("z", "a"), ("a", "z")])
def test_an_unknown_label_is_named_on_either_side(truth, guess):
    with pytest.raises(BadSamples) as caught:
        MulticlassConfusion.from_labels(["a", truth], ["b", guess], labels=["a", "b"])
    assert caught.value.given == "z"
