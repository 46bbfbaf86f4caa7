"""Every formula, number and checkable sentence of the ORES metrics documentation, proven or refuted."""

import pytest
from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import roc_auc
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.curves import precision_recall_curve, roc_curve
from ntqr_exact.metrics.formulas import METRICS, metric
from ntqr_exact.metrics.ores_report import ores_report
from ntqr_exact.metrics.ranking import Rule, rank

DISEASE = ConfusionMatrix(tp=30, fp=10, fn=5, tn=55)
ENWIKI = ConfusionMatrix(tp=431, fp=719, fn=320, tn=17958)
SOME = [
    DISEASE,
    ENWIKI,
    ConfusionMatrix(tp="1/2", fp=3, fn="7/5", tn=2),
    ConfusionMatrix(tp=1, fp=0, fn=0, tn=1),
]


@pytest.mark.parametrize("m", SOME)
def test_table_of_metrics_formulas(m):
    total = m.tp + m.fp + m.fn + m.tn
    recall, precision = m.tp / (m.tp + m.fn), m.tp / (m.tp + m.fp)
    not_recall, not_precision = m.tn / (m.tn + m.fp), m.tn / (m.tn + m.fn)
    assert m.recall == recall
    assert m.precision == precision
    assert m.f1 == 2 * recall * precision / (recall + precision)
    assert m.fpr == m.fp / (m.fp + m.tn)
    assert m.accuracy == (m.tp + m.tn) / total
    assert m.match_rate == (m.tp + m.fp) / total
    assert m.filter_rate == 1 - m.match_rate == (m.tn + m.fn) / total
    assert m["!recall"] == not_recall
    assert m["!precision"] == not_precision
    assert m["!f1"] == 2 * not_recall * not_precision / (not_recall + not_precision)


def test_every_formula_of_the_table_says_where_it_comes_from():
    ores = {name for name, formula in METRICS.items() if formula.citation.source == "ores"}
    assert ores == {"recall", "precision", "f1", "fpr", "accuracy", "match_rate", "filter_rate"}
    others = {name: metric(name).citation.source for name in ("error_rate", "for", "jaccard", "f2")}
    assert others == {
        "error_rate": "bias_adjusted",
        "for": "faithful",
        "jaccard": "jaccard",
        "f2": "van_rijsbergen",
    }


def test_example_scenario_counts():
    assert (DISEASE.total, DISEASE.positives, DISEASE.negatives) == (100, 35, 65)
    assert DISEASE.rates["true"] == mpq(35, 100)


@pytest.mark.parametrize(
    ("name", "exact", "printed"),
    [
        ("recall", mpq(6, 7), "0.86"),
        ("precision", mpq(3, 4), "0.75"),
        ("f1", mpq(4, 5), "0.8"),
        ("fpr", mpq(2, 13), "0.15"),
        ("accuracy", mpq(17, 20), "0.85"),
        ("match_rate", mpq(2, 5), "0.4"),
        ("filter_rate", mpq(3, 5), "0.6"),
        ("!recall", mpq(11, 13), None),
        ("!precision", mpq(11, 12), None),
        ("!f1", mpq(22, 25), None),
    ],
)
def test_worked_numbers_of_sections_1_1_to_1_9(name, exact, printed):
    assert DISEASE[name] == exact
    if printed is not None:
        assert fixed_text(exact, len(printed) - 2) == printed


def test_1_3_f1_punishes_extremes_where_the_mean_does_not():
    # The printed example, precision 1 and recall 0, is no confusion matrix: precision 1 needs TP > 0.
    for positives in range(1, 30):
        nearly = ConfusionMatrix(tp=1, fp=0, fn=positives, tn=0)
        assert nearly.precision == 1
        assert nearly.f1 == mpq(2, positives + 2)
        assert (nearly.precision + nearly.recall) / 2 > mpq(1, 2)
    limit = 2 * mpq(1) * 0 / (mpq(1) + 0)
    assert limit == 0


def test_1_3_f1_as_printed_is_undefined_where_both_are_zero_and_ours_is_zero():
    worst = ConfusionMatrix(tp=0, fp=100, fn=100, tn=0)
    assert worst.recall == worst.precision == 0
    with pytest.raises(ZeroDivisionError):
        2 * worst.recall * worst.precision / (worst.recall + worst.precision)
    assert worst.f1 == 0
    # And where nothing is predicted, the printed formula has no precision to work with.
    silent = ConfusionMatrix(tp=0, fp=0, fn=3, tn=1)
    assert silent.precision is Undefined.NO_PREDICTED_POSITIVES
    assert silent.f1 == 0


def test_1_3_f1_of_the_enwiki_counts_is_below_the_highest_that_is_printed():
    assert ENWIKI.f1 == mpq(862, 1901)
    assert ENWIKI.f1 < mpq(461, 1000)
    assert ENWIKI.at_population_rate("0.034").f1 < mpq(461, 1000)


def test_1_5_roc_auc_is_the_probability_of_ranking_only_if_ties_count_half():
    labels, scores = [1, 1, 0, 0], ["0.8", "0.5", "0.5", "0.1"]
    strictly_higher, ties = mpq(3, 4), mpq(1, 4)
    assert roc_auc(labels, scores) == strictly_higher + ties / 2 != strictly_higher


def test_1_5_roc_auc_is_not_bounded_by_one_half_below():
    assert roc_auc([1, 0], ["0.1", "0.9"]) == 0


def test_1_5_roc_auc_of_one_means_some_threshold_without_false_positives_and_negatives():
    labels, scores = [1, 1, 0], ["0.9", "0.8", "0.7"]
    assert roc_auc(labels, scores) == 1
    assert rank(labels, scores).at("0.8") == ConfusionMatrix(tp=2, fp=0, fn=0, tn=1)
    # No false positives at a threshold is not enough for it, as the words in brackets could be read.
    assert rank([1, 0, 1], ["0.9", "0.8", "0.7"]).at("0.9").fp == 0
    assert roc_auc([1, 0, 1], ["0.9", "0.8", "0.7"]) == mpq(1, 2)


def test_1_5_all_scores_tied_is_worthless_not_perfect():
    assert roc_auc([1, 0, 1, 0], ["0.5"] * 4) == mpq(1, 2)


def test_1_5_a_higher_threshold_moves_to_the_lower_left_not_to_the_top_right():
    labels, scores = [1, 0, 1, 0], ["0.9", "0.6", "0.4", "0.1"]
    rows = list(rank(labels, scores))
    lowest_first = [(row.confusion.fpr, row.confusion.recall) for row in reversed(rows)]
    assert lowest_first[0] == (1, 1)
    assert lowest_first == sorted(lowest_first, reverse=True)
    # All is predicted positive at threshold 0; at 1, nothing is (unless a score reaches it).
    assert rank(labels, scores).at(0).match_rate == 1
    assert rank(labels, scores).at(1).match_rate == 0


def test_1_5_the_usual_threshold_of_one_half_is_meant_as_strictly_above():
    ranking = rank([1, 0], ["0.5", "0.4"])
    assert ranking.at("1/2", rule=Rule.ABOVE).tp == 0
    assert ranking.at("1/2", rule=Rule.AT_LEAST).tp == 1


def test_1_5_and_1_6_points_of_the_example_on_both_curves():
    labels = [1] * 30 + [1] * 5 + [0] * 10 + [0] * 55
    scores = ["0.8"] * 30 + ["0.2"] * 5 + ["0.8"] * 10 + ["0.2"] * 55
    assert (mpq(2, 13), mpq(6, 7)) in list(roc_curve(labels, scores).points())
    assert [fixed_text(value, 2) for value in (mpq(2, 13), mpq(6, 7))] == ["0.15", "0.86"]
    # The point is printed as (precision, recall); the curve has recall across and precision up.
    assert (mpq(6, 7), mpq(3, 4)) in list(precision_recall_curve(labels, scores).points())


def test_1_6_a_million_documents():
    relevant, documents = 100, 1_000_000
    a = ConfusionMatrix(tp=90, fp=10, fn=10, tn=documents - relevant - 10)
    b = ConfusionMatrix(tp=90, fp=1910, fn=10, tn=documents - relevant - 1910)
    assert (a.tn, b.tn) == (999890, 997990)
    assert a.recall == b.recall == mpq(9, 10)
    assert a.fpr == mpq(10, 999900)
    assert fixed_text(a.fpr, 5) == "0.00001"
    assert fixed_text(b.fpr, 5) == "0.00191"
    assert fixed_text(b.fpr - a.fpr, 4) == "0.0019"
    assert (a.precision, b.precision) == (mpq(9, 10), mpq(45, 1000))
    assert a.precision - b.precision == mpq(855, 1000)


def test_1_6_precision_and_recall_make_no_use_of_true_negatives():
    for name in ("precision", "recall", "f1"):
        assert METRICS[name].numerator.tn == METRICS[name].denominator.tn == 0
    assert METRICS["fpr"].denominator.tn == 1


def test_1_10_counts_and_1_11_rates_of_the_example():
    assert DISEASE.counts["labels"] == {"false": 65, "true": 35}
    assert DISEASE.counts["predictions"] == {
        "false": {"false": 55, "true": 10},
        "true": {"false": 5, "true": 30},
    }
    # The source describes both rates as the share of infected people; false is the share of the others.
    assert DISEASE.rates == {"false": mpq(65, 100), "true": mpq(35, 100)}


def test_1_10_counts_of_enwiki_as_printed():
    report = ores_report(ENWIKI, population_rate="0.034")
    assert report["counts"] == {
        "labels": {"false": 18677, "true": 751},
        "n": 19428,
        "predictions": {"false": {"false": 17958, "true": 719}, "true": {"false": 320, "true": 431}},
    }
    assert report["rates"]["population"] == {"false": "483/500", "true": "17/500"}
    assert report["rates"]["sample"]["false"] == "18677/19428"


def test_1_11_printed_rates_are_roundings():
    assert fixed_text(ENWIKI.rates["false"], 3) == "0.961"
    assert fixed_text(ENWIKI.rates["true"], 3) == "0.039"
    assert ENWIKI.rates["false"] != mpq(961, 1000)
    assert 1 - mpq(34, 1000) == mpq(966, 1000)


def test_enwiki_at_the_population_rate():
    scaled = ENWIKI.at_population_rate("0.034")
    assert fixed_text(scaled.precision, 6) == "0.344137"
    assert fixed_text(scaled.f1, 6) == "0.430266"
    assert fixed_text(scaled.accuracy, 6) == "0.948325"
    assert scaled.recall == ENWIKI.recall == mpq(431, 751)


@pytest.mark.parametrize("name", METRICS)
def test_1_12_an_exclamation_mark_is_the_metric_of_the_negative_class(name):
    assert DISEASE[f"!{name}"] == DISEASE.negated[name]
    assert metric(f"!{name}").denominator == METRICS[name].denominator.swapped


# -- values documented by revscoring, the software behind ORES -----------------------------------------


@pytest.mark.parametrize(
    ("cells", "rate", "scaled", "values"),
    [
        ((50, 50, 50, 50), None, (50, 50, 50, 50), {"match_rate": "1/2", "f1": "1/2", "!f1": "1/2"}),
        (
            (50, 50, 50, 50),
            "0.05",
            (5, 95, 5, 95),
            {
                "precision": "5/100",
                "!precision": "95/100",
                "recall": "1/2",
                "!recall": "95/190",
                "f1": "1/11",
            },
        ),
        (
            (95, 5, 5, 95),
            "0.05",
            ("9.5", "9.5", "0.5", "180.5"),
            {"match_rate": "19/200", "precision": "1/2", "!precision": "361/362", "fpr": "1/20"},
        ),
        (
            (100, 0, 0, 100),
            "0.05",
            (10, 0, 0, 190),
            {"f1": "1", "!f1": "1", "fpr": "0", "match_rate": "1/20"},
        ),
        ((0, 100, 100, 0), "0.05", (0, 190, 10, 0), {"precision": "0", "fpr": "1", "filter_rate": "1/20"}),
    ],
)
def test_documented_values_of_scaled_predictions(cells, rate, scaled, values):
    tp, fp, fn, tn = cells
    matrix = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    if rate is not None:
        matrix = matrix.at_population_rate(rate)
    assert matrix == ConfusionMatrix(**dict(zip(("tp", "fp", "fn", "tn"), scaled, strict=True)))
    assert {name: str(matrix[name]) for name in values} == {
        name: str(mpq(value)) for name, value in values.items()
    }


def revscoring_pool():
    first = [(mpq(i, 100), not ((i < 50 and i % 10 != 3) or i % 10 == 5)) for i in range(101)]
    return first + [(mpq(i, 100), False) for i in range(51)] * 39


def test_documented_classification_of_a_skewed_sample():
    pool = revscoring_pool()
    skewed = [row for row in pool if row[1]][:51] + [row for row in pool if not row[1]][:1949]
    scores, labels = zip(*skewed, strict=True)
    ranking = rank(labels, scores)
    report = ores_report(ranking.at("1/2"), population_rate="0.05")
    assert report["counts"]["n"] == 2000
    assert report["counts"]["labels"]["true"] == 51
    assert report["counts"]["predictions"]["true"]["true"] == 46
    assert fixed_text(mpq(report["rates"]["sample"]["true"]), 3) == "0.026"
    assert fixed_text(mpq(report["accuracy"]["macro"]), 3) == "0.975"
    assert fixed_text(mpq(report["accuracy"]["micro"]), 3) == "0.975"
