"""Every formula of the derivation of bias-adjusted metrics, and the published study behind it."""

from itertools import pairwise

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import Anchor, pr_auc
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.curves import precision_recall_curve
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.weighting import Strata, bias_adjusted

POPULATIONS = {"B": 13526, "rest": 1117184 - 13526}
POSITIVES = 949


@st.composite
def labeled(draw):
    """Draw samples (stratum, label, prediction, score) with both strata, and populations that hold them."""
    rows = draw(
        st.lists(
            st.tuples(st.sampled_from("BC"), st.integers(0, 1), st.integers(0, 1), st.integers(0, 5)),
            min_size=2,
            max_size=12,
        ).filter(lambda rows: {row[0] for row in rows} == {"B", "C"})
    )
    sizes = {name: sum(row[0] == name for row in rows) + draw(st.integers(0, 50)) for name in "BC"}
    return rows, sizes


@given(labeled())
def test_error_rate_is_the_law_of_total_probability_with_plugin_estimates(data):
    rows, sizes = data
    b = mpq(sizes["B"], sum(sizes.values()))
    share = {}
    for name in "BC":
        own = [row for row in rows if row[0] == name]
        share[name] = mpq(sum(label != guess for _, label, guess, _ in own), len(own))
    conditional = share["B"] * b + share["C"] * (1 - b)
    strata = Strata.of([row[0] for row in rows], sizes)
    w, n = strata.weights, len(rows)
    # The source multiplies and divides by the number of samples: the same number.
    wrong = {name: sum(label != guess for s, label, guess, _ in rows if s == name) for name in "BC"}
    averaged = (w["B"] * wrong["B"] + w["C"] * wrong["C"]) / n
    weights = strata.sample_weights([row[0] for row in rows])
    matrix = ConfusionMatrix.from_labels([row[1] for row in rows], [row[2] for row in rows], weights)
    assert conditional == averaged == matrix.error_rate


@given(labeled())
def test_weights_are_as_printed_average_to_one_and_are_one_for_proportional_samples(data):
    rows, sizes = data
    names = [row[0] for row in rows]
    n_b, n_c = names.count("B"), names.count("C")
    b = mpq(sizes["B"], sizes["B"] + sizes["C"])
    strata = Strata.of(names, sizes)
    assert strata.weights["B"] == mpq(n_b + n_c, n_b) * b
    assert strata.weights["C"] == mpq(n_b + n_c, n_c) * (1 - b)
    assert sum(strata.sample_weights(names).values()) == len(names)
    assert (set(strata.weights.values()) == {1}) == (b == mpq(n_b, n_b + n_c))


def test_training_and_test_data_have_each_their_own_weights():
    sizes = {"B": 100, "C": 900}
    train, test = Strata.of("BBBC", sizes), Strata.of("BC", sizes)
    assert train.weights == {"B": mpq(4, 3) / 10, "C": mpq(36, 10)}
    assert test.weights == {"B": mpq(2, 10), "C": mpq(18, 10)}


@given(labeled())
def test_precision_recall_and_f1_are_the_printed_weighted_sums(data):
    rows, sizes = data
    names = [row[0] for row in rows]
    weights = Strata.of(names, sizes).sample_weights(names).values()
    weighted = list(zip(weights, (row[1] for row in rows), (row[2] for row in rows), strict=True))
    matrix = ConfusionMatrix.from_labels([row[1] for row in rows], [row[2] for row in rows], weights)
    predicted = sum(w for w, _, guess in weighted if guess)
    actual = sum(w for w, label, _ in weighted if label)
    both = sum(w for w, label, guess in weighted if label and guess)
    precision = both / predicted if predicted else Undefined.NO_PREDICTED_POSITIVES
    recall = both / actual if actual else Undefined.NO_POSITIVES
    assert (matrix.precision, matrix.recall) == (precision, recall)
    if predicted and actual and both:
        assert matrix.f1 == 2 * precision * recall / (precision + recall)


@given(labeled())
def test_recall_never_falls_along_the_points_and_the_area_is_the_printed_sum(data):
    rows, sizes = data
    if not any(row[1] for row in rows):
        return
    names, labels, _, scores = map(list, zip(*rows, strict=True))
    weights = Strata.of(names, sizes).sample_weights(names)
    points = list(precision_recall_curve(labels, scores, weights).points())
    assert all(left[0] <= right[0] for left, right in pairwise(points))
    printed = sum((r2 - r1) * (p1 + p2) / 2 for (r1, p1), (r2, p2) in pairwise(points))
    assert pr_auc(labels, scores, weights, anchor=Anchor.NONE) == printed


def test_the_printed_interval_of_thresholds_is_meant_from_one_down_to_zero():
    # (1, 0] read as an interval holds no number; read from the top down it leaves out the threshold 1,
    # at which a score of exactly 1 would be positive by "at least".
    assert not [t for t in (0, mpq(1, 2), 1) if 1 < t <= 0]
    assert rank([1, 0], [1, 0]).at(1).tp == 1


def test_the_area_as_printed_misses_what_lies_before_the_first_point():
    labels, scores = [1, 0, 1], ["0.9", "0.9", "0.1"]
    by_anchor = {anchor: pr_auc(labels, scores, anchor=anchor) for anchor in Anchor}
    assert by_anchor == {
        Anchor.NONE: mpq(7, 24),
        Anchor.FIRST_PRECISION: mpq(13, 24),
        Anchor.ONE: mpq(2, 3),
    }
    assert pr_auc([1, 0], ["0.9", "0.1"], anchor=Anchor.NONE) == 0  # a perfect classifier


# -- the published study -------------------------------------------------------------------------------


def study(tp, fp_biased, fp_rest):
    return bias_adjusted(
        {
            "B": ConfusionMatrix(tp=tp, fp=fp_biased, fn=POSITIVES - tp, tn=1975 - POSITIVES - fp_biased),
            "rest": ConfusionMatrix(tp=0, fp=fp_rest, fn=0, tn=1000 - fp_rest),
        },
        POPULATIONS,
    )


def test_weights_of_the_study():
    weights = Strata(populations=POPULATIONS, samples={"B": 1975, "rest": 1000}).weights
    assert weights == {"B": mpq(804797, 44128768), "rest": mpq(65667651, 22343680)}
    assert (1975 * weights["B"] + 1000 * weights["rest"]) / 2975 == 1


@pytest.mark.parametrize(("counts", "f1"), [((833, 171, 0), "0.853047"), ((894, 202, 102), "0.096741")])
def test_f1_of_the_study_for_training_on_gold_and_on_biased_data(counts, f1):
    adjusted = study(*counts)
    assert fixed_text(adjusted.f1, 6) == f1
    assert adjusted.total == 2975


def test_without_false_positives_outside_the_biased_set_the_weights_cancel_in_f1():
    assert study(833, 171, 0).f1 == ConfusionMatrix(tp=833, fp=171, fn=116, tn=0).f1 == mpq(238, 279)


def test_unadjusted_f1_hides_the_difference_that_the_study_found():
    plain = ConfusionMatrix(tp=894, fp=304, fn=55, tn=1722)
    assert fixed_text(plain.f1, 3) == "0.833"
    assert study(894, 202, 102).f1 < plain.f1 / 8
