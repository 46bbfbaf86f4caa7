"""Every public value has a form in a notebook, and names from the data stay text in it."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from enum import Enum
from html import escape
from html.parser import HTMLParser
from typing import Any

import pytest
from gmpy2 import mpq

import ntqr_exact as nx
from ntqr_exact import ConsistentSet, VarianceReading, VoteCounts, example, solve_independent
from ntqr_exact.confidence.scores import SCORES
from ntqr_exact.errors import BadChoice
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.threshold_queries import ask
from ntqr_exact.postulates.derivations import derive
from ntqr_exact.sampling.comparison import Centre
from ntqr_exact.views.plots import printed_in_figure
from ntqr_exact.views.rich import html, load_ipython_extension
from ntqr_exact.views.rich.forms import form
from ntqr_exact.views.rich.html_forms import SHOWN

A, B = "<script>alert(1)</script>", '"><img src=x>'
JUDGES = ("<b>one</b>", "two & co", "'three'")
COUNTS = dict(
    zip(("aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb"), (4, 2, 1, 3, 2, 3, 2, 5), strict=True)
)
VOTES = VoteCounts(COUNTS, labels=("a", "b"), judges=JUDGES).with_labels((A, B))
GRADED = ConsistentSet(VOTES).sample(seed=1)
GRADES = nx.CountEvaluation.from_correct({A: 4, B: 6}, [{A: 3, B: 5}])
THREE = VoteCounts({(A, A): 3, (B, B): 2, ("c", "c"): 2}, labels=(A, B, "c"))
MODEL = nx.MetricModel.of_classes({A: "1/10", B: "9/10"}, positive=[B])
VECTORS = [["1/2", "1/2"], ["3/4", "1/4"]]
MATRIX = nx.ConfusionMatrix(tp=3, fp=1, fn=2, tn=5)
RANKING = rank([1, 0, 1], ["0.9", "0.9", "0.1"])
COMPARISON = nx.compare(control={A: 90, B: 10}, treatment={A: 70, B: 30}, metric=MODEL)

VALUES: dict[str, Any] = {
    "VoteCounts": VOTES,
    "LabeledVoteCounts": GRADED,
    "Evaluation": nx.Evaluation.from_accuracies(
        {A: "2/5", B: "3/5"}, [{A: "1/2", B: "3/4"}] * 2, {(A, (0, 1)): "1/10"}
    ),
    "CountEvaluation": GRADES,
    "ConsistentSet": ConsistentSet(VOTES),
    "PossibleSet": nx.PossibleSet(questions=3, labels=(A, B)),
    "SafetySpecification": nx.SafetySpecification({A: 2, B: 3}),
    "MetricModel": MODEL,
    "Strata": nx.Strata(populations={A: 10, B: 20}, samples={A: 2, B: 3}),
    "ConfusionMatrix": MATRIX,
    "MulticlassConfusion": nx.MulticlassConfusion.from_labels([A, B, B], [A, A, B]),
    "LabelMatrices": nx.LabelMatrices({A: MATRIX, B: MATRIX}),
    "ProbabilityVector": nx.ProbabilityVector.of_counts([3, 2]),
    "Surd": nx.Surd.sqrt(2),
    "VarianceReading": VarianceReading.ESTIMATOR,
    "WhenUndefined": nx.WhenUndefined.ZERO,
    "Anchor": nx.Anchor.ONE,
    "Average": nx.Average.MACRO,
    "MetricFunction": nx.MetricFunction("f1"),
    "IndependentSolution": solve_independent(VOTES),
    "AgreementSolution": nx.solve_agreement(VOTES),
    "MajorityEvaluation": nx.majority_vote(VOTES),
    "Misalignment": nx.find_misalignment(VOTES),
    "Misalignment of three labels": nx.find_misalignment(THREE),
    "SafeRegion": nx.SafeRegion(THREE),
    "Alarm": solve_independent(VOTES).alarms[0],
    "PrevalenceQuadratic": solve_independent(VOTES).quadratic,
    "TrioMoments": solve_independent(VOTES).moments,
    "Projection": ConsistentSet(VOTES).projection(),
    "Refused": ConsistentSet(VOTES).explain(GRADED.swapped_labels()),
    "Accepted": ConsistentSet(VOTES).explain(GRADED),
    "Derivation": derive("33d"),
    "Enclosure": Enclosure("1/4", "1/2"),
    "Curve, ROC": nx.roc_curve([1, 0, 1], [3, 3, 1]),
    "Curve, PR": nx.precision_recall_curve([1, 0, 1], [3, 3, 1]),
    "Ranking": RANKING,
    "Answer": ask(RANKING, "maximum recall @ precision >= 0.1"),
    "NoThreshold": ask(RANKING, "maximum recall @ precision > 0.9"),
    "BootstrapDistribution": nx.exact_bootstrap("f1", tp=3, fp=1, fn=2, tn=5),
    "BootstrapInterval": nx.exact_bootstrap("f1", tp=3, fp=1, fn=2, tn=5).interval(),
    "Comparison": COMPARISON,
    "Result": COMPARISON.results[0],
    "NormalInterval": COMPARISON.results[0].interval,
    "AtcEstimate": nx.atc(VECTORS, VECTORS, error="1/2"),
    "DocEstimate": nx.doc(VECTORS, VECTORS, accuracy="1/2"),
    "InversionSearch": nx.smallest_inversion("max", "entropy", labels=3, max_denominator=6),
    "Inversion": nx.smallest_inversion("max", "entropy", labels=3, max_denominator=6).inversions[0],
    "ScoreFunction": SCORES["entropy"],
    "Example": example("two-norm"),
    "Printed": printed_in_figure(8)[0],
}


class Tags(HTMLParser):
    """Collects the tags of a text, and whether each is closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= HARMLESS, f"{tag} has attributes {attrs}"
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


HARMLESS = {"class", "scope", "tabindex", "role", "aria-label"}
TABLES = {"table", "caption", "thead", "tbody", "tr", "th", "td"}
OURS = TABLES | {"p", "h3", "div", "strong", "details", "summary", "ul", "li", "code", "span"}


def parsed(markup: str) -> Tags:
    tags = Tags()
    tags.feed(markup)
    tags.close()
    assert tags.open == []
    return tags


def test_a_score_tells_its_formula_if_it_has_one() -> None:
    assert escape(SCORES["entropy"].formula) in html(SCORES["entropy"])
    assert "not given" in html(replace(SCORES["entropy"], formula=""))


@pytest.mark.parametrize("name", VALUES)
def test_a_value_has_a_well_made_form_in_which_names_stay_text(name: str) -> None:
    tags = parsed(html(VALUES[name]))
    assert tags.seen <= OURS
    assert tags.words.strip()
    assert " at 0x" not in tags.words, "an address would differ from run to run"


@pytest.mark.parametrize("name", VALUES)
def test_a_form_is_the_same_every_time(name: str) -> None:
    assert html(VALUES[name]) == html(VALUES[name])


@pytest.mark.parametrize(
    "name",
    [
        "VoteCounts",
        "LabeledVoteCounts",
        "Evaluation",
        "CountEvaluation",
        "SafetySpecification",
        "MetricModel",
    ],
)
def test_a_hostile_label_is_shown_as_it_is_written(name: str) -> None:
    words = parsed(html(VALUES[name])).words
    assert A in words
    assert B in words


LISTED = [(module, name) for module, names in SHOWN.items() for name in names.split()]


def home(kind: type) -> tuple[str, str]:
    return kind.__module__.removeprefix("ntqr_exact."), kind.__qualname__


def classes() -> dict[str, type]:
    found = {name: getattr(nx, name) for name in nx.__all__}
    return {name: value for name, value in found.items() if inspect.isclass(value)}


@pytest.mark.parametrize("name", classes())
def test_every_public_class_has_a_latex_or_html_form(name: str) -> None:
    kind = classes()[name]
    own = hasattr(kind, "_repr_latex_") or hasattr(kind, "_repr_html_")
    assert own or home(kind) in LISTED, f"{name} needs a line in html_forms"


@pytest.mark.parametrize(("module", "name"), LISTED)
def test_every_class_with_a_form_exists_and_is_a_value(module: str, name: str) -> None:
    kind = getattr(importlib.import_module(f"ntqr_exact.{module}"), name)
    assert home(kind) == (module, name), "a class is registered by the module that defines it"
    assert is_dataclass(kind) or issubclass(kind, Enum) or kind in form.registry


def test_a_class_with_a_form_of_its_own_is_registered() -> None:
    assert {home(kind) for kind in form.registry if kind is not object} <= set(LISTED)


def test_only_values_of_the_library_have_a_form() -> None:
    for value in ("text", 3, mpq(1, 2), None):
        with pytest.raises(BadChoice):
            html(value)


def test_a_notebook_that_loaded_the_extension_shows_html() -> None:
    from IPython.core.formatters import DisplayFormatter

    class Shell:
        display_formatter = DisplayFormatter()

    assert "text/html" not in Shell.display_formatter.format(GRADES)[0]
    load_ipython_extension(Shell())
    for value in (GRADES, VOTES, VarianceReading.ESTIMATOR, COMPARISON):
        assert Shell.display_formatter.format(value)[0]["text/html"] == html(value)
    assert "text/html" not in Shell.display_formatter.format("a text")[0]


def test_votes_show_counts_shares_and_answers() -> None:
    words = parsed(html(VoteCounts({"ab": 3, "bb": 1}))).words
    assert words.startswith("Votes of 2 judges on 4 questions")
    assert "ab33/4 = 0.75" in words
    assert "J131" in words, "judge J1 answered a three times and b once"
    assert "J204" in words, "judge J2 answered b four times"


def test_votes_without_questions_have_a_form() -> None:
    assert "0 questions" in html(VoteCounts({}, labels=("a", "b"), judges=("x",)))


def test_labeled_votes_stand_beside_each_other_by_true_label() -> None:
    key = nx.LabeledVoteCounts({"a": VoteCounts({"ab": 3, "bb": 1}), "b": VoteCounts({"bb": 5})})
    words = parsed(html(key)).words
    assert words.startswith("Votes with an answer key: 4 of a, 5 of b")
    assert "ab30" in words
    assert "bb15" in words


def test_a_solution_shows_its_alarms_and_says_if_there_is_none() -> None:
    assert html(solve_independent(VoteCounts({"abb": 1, "baa": 1}))).count("No alarm") == 1
    assert html(solve_independent(example("two-norm").votes)).count("ALARM, irrational") == 1


def test_a_comparison_has_a_row_for_every_reading() -> None:
    words = parsed(html(COMPARISON)).words
    for result in COMPARISON.results:
        assert f"{result.interval}{result.decision.value}" in words


def test_a_confusion_matrix_shows_predictions_by_row() -> None:
    words = parsed(html(MATRIX)).words
    assert "predicted positive31" in words
    assert "predicted negative25" in words
    assert "recall3/5 = 0.6" in words


def test_samples_and_plans_have_forms() -> None:
    drawn = nx.bootstrap([0, 1, 1], lambda resample: mpq(sum(resample), len(resample)), resamples=20, seed=1)
    parsed(html(drawn))
    planned = nx.plan(COMPARISON, VarianceReading.DETERMINISTIC, Centre.OBSERVED)
    assert "SamplePlan" in parsed(html(planned)).words


# -- any other value -----------------------------------------------------------------------------


THIRD, ROOT, PAIR = mpq(1, 3), nx.Surd.sqrt(2), VoteCounts({"ab": 1})


def twice(number: int) -> int:
    return 2 * number


@dataclass(frozen=True)
class Inner:
    depth: object = None


@dataclass(frozen=True)
class Sample:
    some_share: mpq = THIRD
    root: nx.Surd = ROOT
    name: str = "<i>"
    work: Callable[[int], int] = twice
    parts: tuple[object, ...] = ()
    table: Mapping[str, int] = field(default_factory=dict)
    votes: VoteCounts = PAIR
    unknown: object = None


def test_fields_are_shown_in_words_with_exact_numbers() -> None:
    made = form(Sample(table={"<x>": 4}, parts=(1, "two")))
    assert "<td>some share</td><td>1/3 ≈ 0.333333</td>" in made
    assert "<td>root</td><td>√2 ≈ 1.414214</td>" in made
    assert "&lt;i&gt;" in made
    assert "<td>&lt;x&gt;</td><td>4</td>" in made
    assert "<ul><li>1</li><li>two</li></ul>" in made
    assert "<td>unknown</td><td>None</td>" in made


def test_a_function_is_shown_by_its_name_not_by_its_address() -> None:
    assert "<td>work</td><td>twice</td>" in form(Sample())


def test_empty_collections_are_said_to_be_so() -> None:
    made = form(Sample())
    assert "<td>parts</td><td>none</td>" in made
    assert "<td>table</td><td>none</td>" in made


def test_a_part_with_a_form_of_its_own_keeps_it() -> None:
    assert "Votes of 2 judges on 1 questions" in form(Sample())


def test_depth_ends_in_a_short_text() -> None:
    deep = Inner(Inner(Inner(Inner(Inner("x" * 1000)))))
    made = form(deep)
    assert made.count("<strong>Inner</strong>") == 3
    assert len(made) < 1500
