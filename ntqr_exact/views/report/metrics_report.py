"""The report of a classifier's scores: confusion, thresholds, curves, areas and queries, in one page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.columns.whole_numbers import as_list
from ntqr_exact.exact.counted import counted
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.surd import Surd
from ntqr_exact.metrics.areas import Anchor, ranking_average_precision, ranking_pr_auc, ranking_roc_auc
from ntqr_exact.metrics.classes import BINARY, Classes
from ntqr_exact.metrics.curves import Curve
from ntqr_exact.metrics.distribution import LoanThreshold, loan_threshold
from ntqr_exact.metrics.formulas import metric
from ntqr_exact.metrics.ores_report import REPORTED
from ntqr_exact.metrics.ranking import Ranking, Rule
from ntqr_exact.metrics.threshold_queries import NoThreshold, Query, ask
from ntqr_exact.metrics.undefined import Undefined
from ntqr_exact.views.plots.loan_threshold import plot_loan_threshold
from ntqr_exact.views.plots.score_curves import plot_precision_recall, plot_roc
from ntqr_exact.views.report.blocks import Section, bullets, data_table, facts, rate, sentence, words
from ntqr_exact.views.report.page import page
from ntqr_exact.views.report.picture import figure
from ntqr_exact.views.report.reproduce import reproduce_section
from ntqr_exact.views.rich.markup import Markup

QUERIES = (
    "maximum recall @ precision >= 9/10",
    "maximum precision @ recall >= 9/10",
    "minimum match_rate @ recall >= 9/10",
)
"""What is asked unless something else is."""

_FILE = "scores.csv"
_THRESHOLDS = 40
_MOST_SCORES = 20_000
_COLUMNS = ("precision", "recall", "f1", "fpr", "accuracy", "match_rate")


@dataclass(frozen=True, slots=True)
class _Scored:
    """What the sections are made of."""

    ranking: Ranking
    view: LoanThreshold
    classes: Classes
    samples: int | None


def metrics_report(
    ranking: Ranking,
    *,
    title: str = "Report on a classifier's scores",
    threshold: RationalLike | Surd = "1/2",
    rule: Rule = Rule.AT_LEAST,
    edges: Iterable[RationalLike | Surd] | None = None,
    queries: Sequence[Query | str] = QUERIES,
    thresholds: int = _THRESHOLDS,
    classes: Classes = BINARY,
    samples: int | None = None,
    made_by: Sequence[str] = (),
) -> str:
    """Return a self-contained HTML page on ranked scores, the same bytes every time.

    `thresholds` is how many of them the table shows, evenly from the highest to the lowest; `edges` are those of the
    bins of scores; `classes` names the negative and the positive label; `samples` is how many there were.

    >>> from ntqr_exact.metrics.ranking import rank
    >>> metrics_report(rank([1, 0, 1, 0], ["0.9", "0.6", "0.4", "0.1"])).count("<svg ")
    3

    Raises `MissingExtra` without matplotlib, `BadQuery` for a text that is no query.
    """
    asked = [Query.parse(query) if isinstance(query, str) else query for query in queries]
    found = _Scored(ranking, loan_threshold(ranking, threshold, edges=edges, rule=rule), classes, samples)
    sections = [
        _summary(found),
        _confusion(found),
        _curves(found),
        _queries(found, asked),
        _table(found, thresholds),
        _meaning(),
        _reproduce(found, asked, made_by),
    ]
    lead = (
        "Scores against the answer key, in exact numbers. Decimals are for reading; long exact numbers fold out by a "
        "click."
    )
    return page(title, lead, sections)


def _summary(found: _Scored) -> Section:
    ranking, (negative, positive) = found.ranking, found.classes
    unit = ranking.unit
    scores = counted(len(ranking), "different score")
    points = [
        f"{counted(found.samples, 'sample')} at {scores}."
        if found.samples is not None
        else f"{scores.capitalize()}.",
        f"Positive is {positive}, negative {negative}.",
    ]
    numbers = [
        ("weight of positives", ranking.positives * unit),
        ("weight of negatives", ranking.negatives * unit),
        ("threshold", found.view.threshold),
        *((name, _told(found.view.confusion[name])) for name in ("precision", "recall", "f1", "accuracy")),
        ("area under ROC", _told(ranking_roc_auc(ranking))),
        ("average precision", _told(ranking_average_precision(ranking))),
    ]
    return Section("summary", "In short", (bullets(points), facts("The main numbers", numbers)))


def _confusion(found: _Scored) -> Section:
    matrix, sign = found.view.confusion, found.view.rule.value
    negative, positive = found.classes
    parts = [
        data_table(
            f"Predicted positive if score {sign} {found.view.threshold}",
            ["", f"truly {positive}", f"truly {negative}"],
            [("predicted positive", matrix.tp, matrix.fp), ("predicted negative", matrix.fn, matrix.tn)],
        ),
        data_table(
            "Metrics; ! is the metric of the negative label",
            ["metric", "value", "formula"],
            [(name, _told(matrix[name]), words(repr(metric(name)).partition(" = ")[2])) for name in REPORTED],
            unit="metrics",
        ),
        figure(
            "distribution",
            "Scores of both labels on both sides of the threshold",
            lambda axes: plot_loan_threshold(found.view, axes=axes),
            height=4.4,
        ),
    ]
    return Section("confusion", "At the threshold", tuple(parts))


def _curves(found: _Scored) -> Section:
    ranking = found.ranking
    roc = Curve(ranking, metric("fpr"), metric("recall"), starts_empty=True)
    precision = Curve(ranking, metric("recall"), metric("precision"), starts_empty=False)
    threshold = found.view.threshold if found.view.rule is Rule.AT_LEAST else None
    areas = [
        ("ROC, ties counted half", _told(ranking_roc_auc(ranking))),
        ("average precision: precision in steps", _told(ranking_average_precision(ranking))),
        *(
            (f"precision by trapezoids from {anchor.value}", _told(ranking_pr_auc(ranking, anchor=anchor)))
            for anchor in Anchor
        ),
    ]
    parts = [data_table("Areas under the curves", ["area", "value"], areas)]
    if ranking.positives and ranking.negatives:
        parts.append(
            figure(
                "roc",
                "Receiver operating characteristic: recall over the false positive rate",
                lambda axes: plot_roc(roc, threshold=threshold, axes=axes),
                height=4.6,
            )
        )
    if ranking.positives:
        parts.append(
            figure(
                "precision",
                "Precision over recall",
                lambda axes: plot_precision_recall(precision, threshold=threshold, axes=axes),
                height=5.6,
            )
        )
    return Section("curves", "Curves and areas", tuple(parts))


def _queries(found: _Scored, asked: Sequence[Query]) -> Section:
    rows: list[tuple[object, ...]] = []
    for query in asked:
        answer = ask(found.ranking, query, rule=found.view.rule)
        if isinstance(answer, NoThreshold):
            rows.append((str(query), words(f"none: {answer.reason}"), "–", "–"))
            continue
        condition = answer.confusion.measure(query.condition)
        rows.append((str(query), answer.threshold, answer.value, _told(condition)))
    table = data_table(
        "Thresholds that answer questions", ["question", "threshold", "best value", "condition is"], rows
    )
    return Section("queries", "Which threshold to take", (table if rows else sentence("Nothing was asked."),))


def _table(found: _Scored, thresholds: int) -> Section:
    ranking = found.ranking
    last = len(ranking) - 1
    shown = min(thresholds, len(ranking))
    places = sorted({last * step // max(shown - 1, 1) for step in range(shown)})
    rows = []
    for place in places:
        matrix = ranking.confusion(place, rule=found.view.rule)
        cells = (matrix.tp, matrix.fp, matrix.fn, matrix.tn)
        rows.append((ranking.threshold(place), *cells, *(_told(matrix[name]) for name in _COLUMNS)))
    caption = f"Thresholds, evenly chosen from {len(ranking)} different scores"
    table = data_table(caption, ["threshold", "TP", "FP", "FN", "TN", *_COLUMNS], rows, unit="thresholds")
    return Section("thresholds", "Confusion at thresholds", (table,))


def _meaning() -> Section:
    points = [
        "Thresholds are the different scores; ties move together.",
        "A metric whose denominator is 0 is undefined, and says why; it is never silently 0.",
        "Where the curve of precision begins at recall 0 is a convention, and each one is another area.",
        "These are numbers of these samples. That another sample would give others is for a bootstrap to tell.",
    ]
    return Section("meaning", "What the numbers mean", (bullets(points),))


def _reproduce(found: _Scored, asked: Sequence[Query], made_by: Sequence[str]) -> Section:
    options = [
        "--label",
        "label",
        "--score",
        "score",
        "--weight",
        "weight",
        "--threshold",
        str(found.view.threshold),
    ]
    options += [] if found.view.rule is Rule.AT_LEAST else ["--rule", found.view.rule.value]
    for query in asked:
        options += ["--query", str(query)]
    sign = "" if found.view.rule is Rule.AT_LEAST else ", rule=Rule.ABOVE"
    queries = "\n".join(f"    {str(query)!r}," for query in asked)
    program = f"""
from ntqr_exact.metrics.areas import ranking_average_precision, ranking_roc_auc
from ntqr_exact.metrics.ranking import Rule, rank
from ntqr_exact.metrics.score_file import read_scores
from ntqr_exact.metrics.threshold_queries import ask

samples = read_scores("{_FILE}", label="label", score="score", weight="weight")
ranking = rank(samples.labels, samples.scores, samples.weights, classes=samples.classes)
print(ranking.at("{found.view.threshold}"{sign}))
print(ranking_roc_auc(ranking), ranking_average_precision(ranking))
queries = [
{queries}
]
for query in queries:
    print(ask(ranking, query{sign}))
"""
    return reproduce_section(
        made_by=made_by,
        commands=[["metrics", _FILE, *options], ["report", "metrics", _FILE, *options, "-o", "report.html"]],
        program=program,
        data=(_FILE, _csv(found.ranking)) if len(found.ranking) <= _MOST_SCORES else None,
    )


def _csv(ranking: Ranking) -> str:
    """Return the ranking as weighted samples, one of each label for each score: it ranks the same."""
    lines = ["label,score,weight"]
    before = (0, 0)
    pairs = zip(as_list(ranking.true_positives), as_list(ranking.false_positives), strict=True)
    for place, (tp, fp) in enumerate(pairs):
        for label, step in ((1, int(tp) - before[0]), (0, int(fp) - before[1])):
            if step:
                lines.append(f"{label},{ranking.threshold(place)},{mpq(step) * ranking.unit}")
        before = int(tp), int(fp)
    return "\n".join(lines) + "\n"


def _told(value: object) -> Markup:
    return words(f"undefined: {value.value}") if isinstance(value, Undefined) else rate(value)
