"""`ntqr-exact metrics`: a classifier's scores against the answer key, in exact numbers."""

from __future__ import annotations

import math
from typing import Any

import click
from gmpy2 import mpq

from ntqr_exact.cli.options import NameList, RowCounter, json_option
from ntqr_exact.cli.words import table, with_decimal
from ntqr_exact.errors import Undecided
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.json_text import encode_number, write_json
from ntqr_exact.metrics.areas import (
    DIGITS,
    Anchor,
    Area,
    ranking_average_precision,
    ranking_pr_auc,
    ranking_roc_auc,
)
from ntqr_exact.metrics.distribution import LoanThreshold, loan_threshold
from ntqr_exact.metrics.ores_report import REPORTED, ores_report, told
from ntqr_exact.metrics.ranking import Ranking, Rule, Score, rank
from ntqr_exact.metrics.score_file import ScoredSamples, read_scores
from ntqr_exact.metrics.threshold_queries import Answer, NoThreshold, Query, ask
from ntqr_exact.metrics.undefined import MetricValue, Undefined
from ntqr_exact.metrics.weighting import Strata

_ANCHORS = {"none": Anchor.NONE, "first": Anchor.FIRST_PRECISION, "one": Anchor.ONE}
_RULES = {rule.value: rule for rule in Rule}
_WIDTH = 40


@click.command()
@click.argument("scores_path", metavar="SCORES.csv")
@click.option("--label", required=True, metavar="COLUMN", help="The column of the true label.")
@click.option("--score", required=True, metavar="COLUMN", help="The column of the score.")
@click.option("--positive", metavar="LABEL", help="The positive label (default: 1, true or yes).")
@click.option("--weight", metavar="COLUMN", help="The column of the sample's weight.")
@click.option("--stratum", metavar="COLUMN", help="The column of the sample's stratum; needs --population.")
@click.option(
    "--population", type=NameList(), metavar="B=13526,…", help="The population of each stratum, by its name."
)
@click.option("--population-rate", metavar="RATE", help="The share of positives in the population.")
@click.option("--threshold", default="1/2", show_default=True, help="Where a score becomes positive.")
@click.option("--rule", type=click.Choice(list(_RULES)), default=">=", show_default=True)
@click.option(
    "--query", "queries", multiple=True, help='For example "maximum recall @ precision >= 0.9"; repeatable.'
)
@click.option(
    "--anchor",
    type=click.Choice(list(_ANCHORS)),
    default="none",
    show_default=True,
    help="Where pr_auc begins at recall 0: nowhere, at the first precision, or at 1.",
)
@click.option("--table", "rows", type=click.IntRange(min=0), default=0, help="Show this many thresholds.")
@click.option(
    "--digits",
    type=click.IntRange(1, 10_000),
    default=DIGITS,
    show_default=True,
    help="Proven digits of areas.",
)
@click.option("--delimiter", default=",", show_default=True, help="The character between cells.")
@json_option
def metrics(
    scores_path: str,
    *,
    label: str,
    score: str,
    positive: str | None,
    weight: str | None,
    stratum: str | None,
    population: tuple[str, ...] | None,
    population_rate: str | None,
    threshold: str,
    rule: str,
    queries: tuple[str, ...],
    anchor: str,
    rows: int,
    digits: int,
    delimiter: str,
    as_json: bool,
) -> None:
    """Measure scores against the true labels: confusion, areas, thresholds.

    A row of the CSV is a sample with its true label and its score; a decimal means the decimal. Samples
    may have weights, or come from strata whose populations are known.

    \b
    Example:
      ntqr-exact metrics scores.csv --label y --score s --query "maximum recall @ precision >= 0.9"
    """
    if weight is not None and stratum is not None:
        raise click.UsageError("give --weight or --stratum, not both: strata make the weights")
    if (stratum is None) != (population is None):
        raise click.UsageError("--stratum and --population belong together")
    asked = [Query.parse(query) for query in queries]
    with RowCounter() as counter:
        samples = read_scores(
            scores_path,
            label=label,
            score=score,
            weight=weight,
            stratum=stratum,
            positive=positive,
            delimiter=delimiter,
            progress=counter.add,
        )
    strata = Strata.of(samples.strata, population_sizes(population)) if population is not None else None
    sample = ranked_samples(samples, strata)
    ranking = sample if population_rate is None else sample.at_population_rate(population_rate)
    chosen = _RULES[rule]
    view = loan_threshold(ranking, threshold, edges=bin_edges(ranking), rule=chosen)
    areas = {
        "roc_auc": ranking_roc_auc(ranking),
        "pr_auc": ranking_pr_auc(ranking, anchor=_ANCHORS[anchor], digits=digits),
        "average_precision": ranking_average_precision(ranking, digits=digits),
    }
    answers = [ask(ranking, query, rule=chosen) for query in asked]
    if as_json:
        document = {
            "threshold": encode_number(view.threshold),
            "rule": rule,
            "classes": list(samples.classes),
            "strata": _strata_document(strata),
            **ores_report(sample.at(threshold, rule=chosen), population_rate=population_rate),
            "anchor": anchor,
            **{name: _area_document(area, digits) for name, area in areas.items()},
            "queries": [_answer_document(answer) for answer in answers],
            "distribution": _distribution_document(view),
            "thresholds": [_row_document(ranking, place, chosen) for place in _places(ranking, rows)],
        }
        click.echo(write_json(document), nl=False)
        return
    click.echo(_summary(samples, strata, ranking))
    click.echo("\n" + _metrics_text(view))
    click.echo("\n" + "\n".join(f"{name}: {_area_text(area, digits)}" for name, area in areas.items()))
    for answer in answers:
        click.echo("\n" + _answer_text(answer))
    click.echo("\n" + _distribution_text(view))
    if rows:
        click.echo("\n" + _table_text(ranking, rows, chosen))


def ranked_samples(samples: ScoredSamples, strata: Strata | None) -> Ranking:
    """Return the samples in the order of their scores, weighted by their strata if there are some."""
    weights = strata.sample_weights(samples.strata) if strata is not None else (samples.weights or None)
    return rank(samples.labels, samples.scores, weights, classes=samples.classes)


def population_sizes(parts: tuple[str, ...] | None) -> dict[str, str]:
    """Return the sizes that STRATUM=SIZE gives, by stratum."""
    found: dict[str, str] = {}
    for part in parts or ():
        name, equals, size = part.rpartition("=")
        if not equals or not name.strip() or name.strip() in found:
            raise click.UsageError(f"{part!r} is not STRATUM=SIZE, once for each stratum")
        found[name.strip()] = size
    return found


def bin_edges(ranking: Ranking) -> list[Score] | None:
    """Return bins for the picture: tenths where the scores are shares, else ten between the ends."""
    low, high = ranking.threshold(len(ranking) - 1), ranking.threshold(0)
    if low >= 0 and high <= 1:
        return None
    width = high - low if high > low else mpq(1)
    return [low + width * mpq(tenth, 10) for tenth in range(11)]


# -- words ---------------------------------------------------------------------------------------


def _value_text(value: MetricValue) -> str:
    return f"undefined: {value.value}" if isinstance(value, Undefined) else _short(value)


def _short(value: mpq) -> str:
    text = with_decimal(value)
    return text if len(text) <= _WIDTH else f"≈ {fixed_text(value, 12)}"


def _area_text(area: Area, digits: int) -> str:
    if isinstance(area, Enclosure):
        return f"≈ {_proven(area, digits)} (proven to {digits} digits: from {area.lower} to {area.upper}, exactly)"
    return _value_text(area)


def _proven(area: Enclosure, digits: int) -> str:
    try:
        return area.decimal(digits)
    except Undecided:  # it lies halfway between two decimals, and so is a decimal with one digit more
        return area.decimal(digits + 1)


def _summary(samples: ScoredSamples, strata: Strata | None, ranking: Ranking) -> str:
    negative, positive = samples.classes
    unit = ranking.unit
    lines = [
        f"{len(samples.labels)} samples at {len(ranking)} different scores; "
        f"positive is {positive!r}, negative {negative!r}.",
        f"Weight of positives {_short(ranking.positives * unit)}, of negatives {_short(ranking.negatives * unit)}.",
    ]
    if strata is not None:
        lines += [f"Weight of stratum {name!r}: {_short(weight)}" for name, weight in strata.weights.items()]
    return "\n".join(lines)


def _metrics_text(view: LoanThreshold) -> str:
    matrix = view.confusion
    cells = ", ".join(f"{name} {_short(getattr(matrix, name))}" for name in ("tp", "fp", "fn", "tn"))
    lines = [f"At score {view.rule.value} {view.threshold}: {cells}"]
    lines += [f"  {name.ljust(12)} {_value_text(matrix[name])}" for name in REPORTED]
    return "\n".join(lines)


def _answer_text(answer: Answer | NoThreshold) -> str:
    if isinstance(answer, NoThreshold):
        return f"{answer.query}: {answer.reason}"
    condition = answer.confusion.measure(answer.query.condition)
    return (
        f"{answer.query}:\n  {_short(answer.value)} at threshold {answer.threshold}, "
        f"where {answer.query.condition.name} is {_value_text(condition)}"
    )


def _distribution_text(view: LoanThreshold) -> str:
    most = max(part.negatives + part.positives for part in view.bins) or mpq(1)
    lines = [
        "Scores by label (- negative, + positive), by the lower end of the bin; "
        f"the threshold is {view.threshold}:"
    ]
    for part in reversed(view.bins):
        bars = [math.floor(_WIDTH * weight / most + mpq(1, 2)) for weight in (part.negatives, part.positives)]
        lines.append(f"  {fixed_text(part.lower, 3).rjust(10)} |{'-' * bars[0]}{'+' * bars[1]}")
        if part.lower <= view.threshold < part.upper:
            lines.append(f"  {'threshold'.rjust(10)} {'=' * (_WIDTH + 1)}")
    return "\n".join(lines)


def _places(ranking: Ranking, rows: int) -> list[int]:
    """Return the places of so many thresholds, evenly from the highest to the lowest."""
    shown, last = min(rows, len(ranking)), len(ranking) - 1
    return [] if not shown else sorted({last * step // max(shown - 1, 1) for step in range(shown)})


def _table_text(ranking: Ranking, rows: int, rule: Rule) -> str:
    columns = ("precision", "recall", "f1", "fpr", "match_rate", "accuracy")
    body = []
    for place in _places(ranking, rows):
        matrix = ranking.confusion(place, rule=rule)
        values = [matrix[name] for name in columns]
        body.append(
            [
                str(ranking.threshold(place)),
                *("undefined" if isinstance(value, Undefined) else fixed_text(value) for value in values),
            ]
        )
    return table(["threshold", *columns], body, indent=0)


# -- JSON ----------------------------------------------------------------------------------------


def _area_document(area: Area, digits: int) -> object:
    if isinstance(area, Enclosure):
        return {
            "lower": encode_number(area.lower),
            "upper": encode_number(area.upper),
            "decimal": _proven(area, digits),
        }
    return told(area)


def _answer_document(answer: Answer | NoThreshold) -> dict[str, Any]:
    if isinstance(answer, NoThreshold):
        return {"query": str(answer.query), "threshold": None, "reason": answer.reason}
    return {
        "query": str(answer.query),
        "threshold": encode_number(answer.threshold),
        "value": encode_number(answer.value),
        "condition": told(answer.confusion.measure(answer.query.condition)),
    }


def _strata_document(strata: Strata | None) -> object:
    if strata is None:
        return None
    return {
        str(name): {
            "population": strata.populations[name],
            "samples": strata.samples[name],
            "weight": encode_number(weight),
        }
        for name, weight in strata.weights.items()
    }


def _distribution_document(view: LoanThreshold) -> list[dict[str, Any]]:
    return [
        {
            "lower": encode_number(part.lower),
            "upper": encode_number(part.upper),
            "negatives": encode_number(part.negatives),
            "positives": encode_number(part.positives),
        }
        for part in view.bins
    ]


def _row_document(ranking: Ranking, place: int, rule: Rule) -> dict[str, Any]:
    matrix = ranking.confusion(place, rule=rule)
    return {
        "threshold": encode_number(ranking.threshold(place)),
        **{name: told(matrix[name]) for name in REPORTED},
    }
