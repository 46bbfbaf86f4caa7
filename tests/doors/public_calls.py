"""A valid call of every public name, so that each of its arguments can be replaced by a wrong thing."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy
import pandas

import ntqr_exact as exact
from ntqr_exact.confidence.probability_file import read_vectors
from ntqr_exact.confidence.scores import score_function
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.sampling.planning import Centre

VOTES = exact.VoteCounts({"aaa": 5, "aab": 2, "aba": 1, "baa": 1, "abb": 1, "bab": 1, "bba": 2, "bbb": 4})
LABELED = exact.count_rows(["aaa", "abb", "bbb", "aab"], truth="abba")
MATRIX = exact.ConfusionMatrix(tp=3, fp=1, fn=2, tn=4)
SOURCE = [["0.9", "0.1"], ["0.7", "0.3"], ["0.6", "0.4"]]
TARGET = [["0.65", "0.35"]]
MODEL = exact.MetricModel("0.9", "0.2")
COMPARISON = exact.compare(control=(10, 100), treatment=(20, 100), metric=MODEL)
FLOATS = [0.5, 0.25]


def calls(folder: Path) -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]]:
    """Yield the name, the function, and arguments with which it works."""
    csv = folder / "votes.csv"
    csv.write_text("A,B,key\na,b,a\nb,b,b\na,a,\n")
    scores = folder / "source.csv"
    scores.write_text("p,q,truth\n0.5,0.5,p\n0.9,0.1,p\n")
    vectors = read_vectors(scores, truth="truth")
    graded = exact.read_test(csv, truth="key", drawn="not_at_random")
    for name, args, kwargs in (
        ("balanced_accuracy", (MATRIX,), {}),
        ("cohen_kappa", (MATRIX,), {}),
        ("dawid_skene", (VOTES,), {}),
        ("matthews", (MATRIX,), {}),
        ("lift", (MATRIX,), {}),
        ("many_label_roc_auc", (["a", "b"], [["0.9", "0.1"], ["0.2", "0.8"]]), {"label_names": ["a", "b"]}),
        (
            "top_k_accuracy",
            (["a", "b"], [["0.9", "0.1"], ["0.2", "0.8"]]),
            {"k": 1, "label_names": ["a", "b"]},
        ),
        *(
            (name, ([True, False], ["0.9", "0.1"]), {"sample_weight": None, "classes": (False, True)})
            for name in ("rank", "det_curve", "calibration", "brier_score", "log_loss")
        ),
        ("bootstrap_area", ([True, False], ["0.9", "0.1"]), {"resamples": 2, "seed": 1, "strata": None}),
        ("mcnemar_test", (3, 5), {"alternative": "two-sided", "tail": "exact"}),
        ("fisher_test", ((1, 5), (2, 5)), {"alternative": "two-sided"}),
        ("share_interval", (3, 10), {"method": "wilson", "level": "0.9"}),
        ("difference_interval", ((1, 5), (2, 5)), {"method": "newcombe", "level": "0.9"}),
        ("t_test", ([1, 2, 4], [2, 3, 5]), {"variances": "pooled"}),
        ("measure", ("recall", [True, False], [True, True]), {"labels": None, "average": None}),
        ("coverage", (exact.Binomial(4), "wilson", "1/2"), {"level": "0.9"}),
        ("interval", (exact.Binomial(4), 1, "wilson"), {"level": "0.9"}),
        ("Binomial", (4,), {}),
        ("Hypergeometric", (9, 4), {}),
        (
            "ask",
            (exact.rank([True, False], ["0.9", "0.1"]), "maximum recall @ precision >= 0.5"),
            {"rule": ">="},
        ),
        (
            "from_level_on",
            (exact.VoteCounts({"12": 1, "21": 1, "13": 1}, ["1", "2", "3"]), "2"),
            {"levels": None},
        ),
        ("AbstainingVotes", (exact.VoteCounts({"aa": 1, "b?": 1}, ["?", "a", "b"]), "?"), {}),
        ("AnswerTable", ([("a", "b"), ("b", None)],), {"labels": ["a", "b"], "judges": ["A", "B"]}),
        ("ConfusionMatrix", (), {"tp": 1, "fp": 2, "fn": 3, "tn": 4}),
        ("ConsistentSet", (VOTES,), {}),
        ("CountEvaluation", ({"a": 1, "b": 1}, [{"a": {"a": 1, "b": 0}, "b": {"a": 0, "b": 1}}]), {}),
        (
            "Evaluation",
            ({"a": "1/2", "b": "1/2"}, [{"a": {"a": 1, "b": 0}, "b": {"a": 0, "b": 1}}]),
            {"correlations": None},
        ),
        ("MetricFunction", ("f1", {"average": "macro"}), {}),
        ("LabelMatrices", ({"a": MATRIX, "b": MATRIX},), {}),
        ("LabeledVoteCounts", ({"a": VOTES, "b": VOTES},), {}),
        ("MetricModel", ("0.9", "0.2"), {"precision_variance": 0, "false_omission_variance": 0}),
        ("MulticlassConfusion", ({"a": {"a": 1, "b": 2}, "b": {"a": 0, "b": 1}},), {}),
        ("PartialKey", (graded.votes, graded.graded), {"drawn": "not_at_random", "strata": None}),
        ("PossibleSet", (3, 1), {"labels": ("a", "b")}),
        ("ProbabilityVector", ([1, 2], 3), {}),
        ("SafeRegion", (VOTES, exact.SafetySpecification()), {"group_size": 1}),
        ("SafetySpecification", (2,), {"minimum_grade": 0}),
        ("Strata", (), {"populations": {"a": 5}, "samples": {"a": 2}}),
        ("Surd", (1, 2, 3), {}),
        ("VoteCounts", ({"ab": 3},), {"labels": ("a", "b"), "judges": ("A", "B")}),
        ("agreement", (VOTES,), {"coefficient": "krippendorff", "weights": "nominal"}),
        (
            "atc",
            (SOURCE, TARGET),
            {
                "labels": [0, 0, 1],
                "score": "max",
                "reading": None,
                "tie_rule": "smallest",
                "source_weights": None,
                "target_weights": None,
            },
        ),
        ("atc", (SOURCE, TARGET), {"error": "1/3", "accuracy": None}),
        ("atc_curve", (SOURCE, TARGET), {"score": "max", "source_weights": None, "target_weights": None}),
        (
            "average_precision",
            ([True, False], ["0.9", "0.1"]),
            {"sample_weight": None, "digits": 20, "classes": (False, True)},
        ),
        ("best_level", (VOTES,), {"minimum_grade": 0, "budget": 5000}),
        ("bias_adjusted", ({"a": MATRIX},), {"populations": {"a": 100}}),
        (
            "bootstrap",
            ([0, 1, 1], _first),
            {"resamples": 3, "seed": 1, "strata": None, "progress": None, "executor": None},
        ),
        (
            "bootstrap_atc",
            (SOURCE, TARGET),
            {"resamples": 2, "seed": 1, "labels": [0, 0, 1], "score": "max", "reading": None},
        ),
        ("breakdown_point", (VOTES, "J1 > J2"), {"better_than_chance": True, "orders": (2,)}),
        ("check_dependence_certificate", ({},), {}),
        ("check_safety_certificate", ({},), {}),
        ("choose_questions", (VOTES, 2), {"strata": None, "between": None, "seed": 1}),
        ("closest_to_independence", (VOTES,), {}),
        (
            "compare",
            (),
            {
                "control": (10, 100),
                "treatment": (20, 100),
                "metric": MODEL,
                "both": None,
                "critical": "1.96",
                "ends": "closed",
                "same_labelled_set": None,
            },
        ),
        (
            "compare_paired",
            (
                {
                    ("positive", "positive"): 1,
                    ("positive", "negative"): 2,
                    ("negative", "positive"): 3,
                    ("negative", "negative"): 9,
                },
            ),
            {"metric": MODEL, "critical": "1.96", "ends": "closed"},
        ),
        ("compare_scores", ("max", ["0.9", "0.1"], ["0.6", "0.4"]), {}),
        ("corrected_share", ((5, 10),), {"sensitivity": (8, 10), "specificity": (9, 10), "level": "0.9"}),
        (
            "read_votes",
            (csv,),
            {"judges": ["A", "B"], "labels": ["a", "b"], "truth": None, "delimiter": ",", "progress": None},
        ),
        ("read_votes", (_frame(),), {"judges": ["A"], "labels": ["a", "b"], "truth": None}),
        (
            "count_rows",
            ([("a", "b"), ("b", "b")],),
            {"labels": ("a", "b"), "judges": ["A", "B"], "truth": None},
        ),
        ("coverage_of", ("wald",), {"size": 10, "graded": 4, "level": "0.9"}),
        ("doc", (SOURCE, TARGET), {"labels": [0, 0, 1], "source_weights": None, "target_weights": None}),
        ("exact_json", (exact.Surd(1, 2, 3),), {}),
        ("evaluate_within", (VOTES, "1/10"), {"better_than_chance": True, "orders": (2,), "effort": 1}),
        ("exact_bootstrap", ("precision",), {"tp": 1, "fp": 1, "fn": 1, "tn": 1}),
        ("example", ("two-norm",), {}),
        ("find_misalignment", (VOTES, exact.SafetySpecification()), {"group_size": 1, "budget": 5}),
        ("float_scores", (FLOATS,), {}),
        ("float_weights", (FLOATS,), {}),
        ("grade", (LABELED,), {"order": None}),
        ("impossible_groups", (VOTES, exact.SafetySpecification()), {"largest": 1, "budget": 5}),
        ("independence_defect", (grade(LABELED), 0, 1), {}),
        ("least_dependence", (VOTES, (2,)), {"effort": 1000}),
        ("majority_vote", (VOTES,), {"ties": "first-label"}),
        (
            "read_test",
            (csv,),
            {
                "truth": "key",
                "drawn": "not_at_random",
                "strata": None,
                "judges": ["A"],
                "labels": ["a", "b"],
                "delimiter": ",",
            },
        ),
        (
            "read_test",
            (_frame(),),
            {"truth": "key", "drawn": "not_at_random", "strata": None, "judges": ["A"], "labels": ["a", "b"]},
        ),
        ("plan", (COMPARISON, next(iter(exact.VarianceReading)), next(iter(Centre))), {}),
        (
            "shown_probability",
            (COMPARISON, next(iter(exact.VarianceReading)), next(iter(Centre))),
            {"size": 2},
        ),
        (
            "pr_auc",
            ([True, False], ["0.9", "0.1"]),
            {"sample_weight": None, "digits": 20, "classes": (False, True)},
        ),
        (
            "precision_recall_curve",
            ([True, False], ["0.9", "0.1"]),
            {"sample_weight": None, "classes": (False, True)},
        ),
        ("questions_to_grade", (20,), {"width": 4, "level": "0.9"}),
        ("rational", ("1/2",), {}),
        ("rational_from_float", (0.5,), {}),
        (
            "read_test",
            (csv,),
            {
                "truth": "key",
                "drawn": "not_at_random",
                "judges": ["A"],
                "labels": ["a", "b"],
                "delimiter": ",",
            },
        ),
        ("read_votes", (csv,), {"truth": None, "judges": ["A"], "labels": ["a", "b"], "delimiter": ","}),
        ("roc_auc", ([True, False], ["0.9", "0.1"]), {"sample_weight": None, "classes": (False, True)}),
        ("roc_curve", ([True, False], ["0.9", "0.1"]), {"sample_weight": None, "classes": (False, True)}),
        (
            "smallest_inversion",
            ("max", "l2"),
            {"labels": 3, "max_denominator": 4, "progress": None, "executor": None},
        ),
        ("solve_agreement", (VOTES,), {}),
        ("solve_independent", (VOTES,), {"relabelings": False}),
        ("study_confidence", (vectors, vectors), {"interval": None, "error": "1/3"}),
        ("study_consistent", (VOTES,), {"at": None, "pairs_up_to": 2}),
        ("study_safety", (VOTES, exact.SafetySpecification()), {"true_key": None, "ranges": True}),
        (
            "study_scores",
            (rank([True, False], ["0.9", "0.1"]),),
            {
                "threshold": "1/2",
                "queries": (),
                "thresholds": 0,
                "populations": None,
                "population_rate": None,
                "digits": 20,
                "edges": None,
                "samples": None,
            },
        ),
        ("study_significance", (COMPARISON,), {}),
        (
            "study_votes",
            (VOTES,),
            {
                "key": None,
                "ties": "first-label",
                "level": "0.95",
                "factor": 2,
                "budgets": (),
                "parts": ("answers",),
            },
        ),
        (
            "take_census",
            (2,),
            {
                "executor": None,
                "progress": None,
            },
        ),
        ("tetrad_bound", (VOTES,), {}),
        ("vectors_from_counts", ([[1, 2], [3, 4]],), {}),
        ("vectors_from_floats", ([[0.5, 0.5]],), {"total": "normalise"}),
        ("register_score", (score_function("max"),), {}),
        ("work_limit", (10,), {}),
    ):
        yield name, getattr(exact, name), args, kwargs


def _first(items: list[int]) -> int:
    return items[0]


def _frame() -> Any:
    import polars

    return polars.DataFrame({"A": ["a", "b"], "B": ["b", "b"], "key": ["a", None]})


class _Index:
    def __index__(self) -> int:
        return 2


class _Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError("this is never shown")


def wrong_things() -> dict[str, Any]:
    """Return what people and programs pass by mistake."""
    closed = io.StringIO("A,B\na,b\n")
    closed.close()
    itself: list[Any] = []
    itself.append(itself)
    nested: list[Any] = []
    for _ in range(2000):
        nested = [nested]
    return {
        "None": None,
        "an int": 7,
        "a negative int": -3,
        "a huge int": 10**5000,
        "a float": 0.5,
        "nan": float("nan"),
        "a text": "nonsense",
        "an empty text": "",
        "a path with NUL": "a\0b",
        "half a surrogate": "\ud800",
        "bytes": b"ab",
        "a list": [1, "x", None],
        "an empty list": [],
        "a dictionary": {"x": None},
        "an empty dictionary": {},
        "a set": {3},
        "an object": object(),
        "a class": int,
        "a function": len,
        "a closed file": closed,
        "a generator": (one for one in (1, 2)),
        "a tuple of lists": ([], []),
        "votes": VOTES,
        "true": True,
        "complex": 1j,
        "zero": 0,
        "no decimal": Decimal("NaN"),
        "a whole number of numpy": numpy.int64(2),
        "an array without a dimension": numpy.array(3),
        "a table of numpy": numpy.array([[1, 2], [3, 4]]),
        "an empty array": numpy.array([]),
        "a series": pandas.Series(["a", "b"]),
        "a frame": pandas.DataFrame({"A": ["a", "b"], "B": ["b", None]}),
        "what pandas does not know": pandas.NA,
        "a list of itself": itself,
        "a deep nest": nested,
        "what is used up": iter(()),
        "a queue of texts": deque(["ab"]),
        "an array of bytes": bytearray(b"ab"),
        "a pair of huge counts": (10**30, 10**31),
        "what can only be an index": _Index(),
        "what cannot be shown": _Unshowable(),
    }
