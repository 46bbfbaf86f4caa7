"""The report of a comparison: every reading of the variance, its interval and its decision, in one page."""

from __future__ import annotations

from collections.abc import Sequence

from ntqr_exact.significance.comparison import Comparison, Result
from ntqr_exact.significance.critical import RationalCritical
from ntqr_exact.significance.interval import Decision
from ntqr_exact.significance.performance import Performance
from ntqr_exact.significance.planning import plan
from ntqr_exact.significance.reading_agreement import decisions, explain, name
from ntqr_exact.significance.variance import VarianceReading
from ntqr_exact.views.plots.variance_readings import plot_variance_readings
from ntqr_exact.views.report.blocks import Section, bullets, data_table, facts, rate, sentence, verdict, words
from ntqr_exact.views.report.page import page
from ntqr_exact.views.report.picture import figure
from ntqr_exact.views.report.reproduce import reproduce_section
from ntqr_exact.views.rich.markup import fold, tag


def significance_report(
    comparison: Comparison, *, title: str = "Report on a comparison", arguments: Sequence[str] = ()
) -> str:
    """Return a self-contained HTML page on two models that a fallible metric model has judged.

    `arguments` are those of `ntqr-exact significance` that give the same comparison, to be printed.

    >>> from ntqr_exact import MetricModel, compare
    >>> found = compare(control=(108, 23679), treatment=(56, 23679), metric=MetricModel("0.8897", "0.22769"))
    >>> significance_report(found).count("<svg ")
    1

    Raises `MissingExtra` without matplotlib.
    """
    sections = [_summary(comparison), _samples(comparison), _readings(comparison), _meanings()]
    sections.append(_reproduce(comparison, arguments))
    lead = (
        "Two models, judged by a metric model that errs, under every reading of the variance. All decisions are exact; "
        "decimals are for reading."
    )
    return page(title, lead, sections)


def _summary(comparison: Comparison) -> Section:
    lines = [
        tag(
            "span",
            verdict(decision.value, fires=decision is not Decision.NOT_SHOWN),
            ": ",
            ", ".join(map(name, same)),
        )
        for decision, same in decisions(comparison).items()
    ]
    first, *remarks = explain(comparison).split("\n")
    told = [line for line in remarks if not line.startswith(" ")]
    return Section("summary", "In short", (sentence(first), bullets(lines), *map(sentence, told)))


def _samples(comparison: Comparison) -> Section:
    metric = comparison.control.metric
    rows = [
        (observed.name, observed.rate, observed.rate_variance, "yes" if observed.counts_as else "no")
        for observed in metric.classes
    ]
    parts = [
        data_table(
            "What the metric model observed",
            ["model", "outputs", *(f"observed {observed.name}" for observed in metric.classes), "p^O", "p^R"],
            [_row("control", comparison.control), _row("treatment", comparison.treatment)],
        ),
        data_table(
            "The metric model: how often an output is really positive, by what was observed",
            ["observed", "really positive", "variance of this rate", "counts as positive"],
            rows,
        ),
        facts(
            "How they are compared",
            [
                ("samples", "independent" if comparison.joint is None else "paired"),
                ("critical value", words(comparison.critical)),
                ("ends of intervals", comparison.ends.value),
            ],
        ),
    ]
    if comparison.joint is not None:
        names = [observed.name for observed in comparison.treatment.metric.classes]
        rows_of_pairs = [
            (f"control {observed.name}", *counts)
            for observed, counts in zip(metric.classes, comparison.joint, strict=True)
        ]
        parts.append(
            data_table(
                "Questions by both observed labels", ["", *(f"treatment {n}" for n in names)], rows_of_pairs
            )
        )
    return Section("samples", "The samples and the metric model", tuple(parts))


def _row(who: str, model: Performance) -> tuple[object, ...]:
    return (who, model.size, *model.counts, rate(model.observed_rate), rate(model.real_rate))


def _readings(comparison: Comparison) -> Section:
    parts = [
        data_table(
            "Treatment − control under each reading of the variance",
            ["reading", "around", "interval", "decision", "shown from N", "difference", "variance"],
            [_result(comparison, result) for result in comparison.results],
        ),
        sentence(
            '"Shown from N" is the smallest number of outputs of each model at which the difference would be shown, at '
            "the same shares."
        ),
    ]
    if isinstance(comparison.critical, RationalCritical):
        ends = [
            (name(result), rate(result.interval.lower), rate(result.interval.upper))
            for result in comparison.results
        ]
        parts.append(
            fold("the ends exactly", data_table("Ends of the intervals", ["reading", "from", "to"], ends))
        )
    parts.append(
        figure(
            "readings",
            "The interval of treatment − control under each reading; full markers leave out 0",
            lambda axes: plot_variance_readings(comparison, axes=axes),
            height=4.6,
        )
    )
    return Section("readings", "Intervals and decisions", tuple(parts))


def _result(comparison: Comparison, result: Result) -> tuple[object, ...]:
    smallest = plan(comparison, result.reading, result.centre).smallest_size
    shown = result.decision is not Decision.NOT_SHOWN
    return (
        result.reading.value,
        result.centre.value,
        str(result.interval),
        verdict(result.decision.value, fires=shown),
        "never" if smallest is None else smallest,
        rate(result.interval.centre),
        rate(result.interval.variance),
    )


def _meanings() -> Section:
    rows = [(reading.value, words(reading.formula), words(reading.meaning)) for reading in VarianceReading]
    parts = (
        data_table("The readings", ["reading", "formula", "the variance of"], rows),
        sentence(
            "p is the observed share, p^R the estimated real one, π the precision of the metric model, φ its false "
            "omission rate, δ = π − φ. The readings answer different questions; which one is meant must be said before "
            "it is used. That no difference is shown does not prove that there is none."
        ),
    )
    return Section("meanings", "What the readings mean", parts)


def _reproduce(comparison: Comparison, arguments: Sequence[str]) -> Section:
    made_by = ["report", "significance", *arguments, "-o", "report.html"] if arguments else []
    return reproduce_section(
        made_by=made_by,
        commands=[["significance", *arguments]] if arguments else [["significance", "--help"]],
        program=_program(comparison),
    )


def _program(comparison: Comparison) -> str:
    lines = ["from ntqr_exact import MetricModel, compare, compare_paired"]
    critical = comparison.critical
    if isinstance(critical, RationalCritical):
        z = f'"{critical.z}"'
    else:
        lines.append("from ntqr_exact.significance.critical import NormalCritical")
        z = f'NormalCritical("{critical.of_level}")'
    lines += ["from ntqr_exact.significance.interval import Ends", ""]
    models = [_model(comparison.control), _model(comparison.treatment)]
    one = models[0] if comparison.same_labelled_set else f"(\n    {models[0]},\n    {models[1]},\n)"
    lines.append(f"metric = {one}")
    options = f"metric=metric, critical={z}, ends=Ends.{comparison.ends.name}"
    if comparison.joint is None:
        samples = ",\n    ".join(
            f"{who}={_counts(model)!r}"
            for who, model in (("control", comparison.control), ("treatment", comparison.treatment))
        )
        lines.append(f"found = compare(\n    {samples},\n    {options},\n)")
    else:
        names = [
            [observed.name for observed in model.metric.classes]
            for model in (comparison.control, comparison.treatment)
        ]
        pairs = {
            (names[0][x], names[1][y]): n for x, row in enumerate(comparison.joint) for y, n in enumerate(row)
        }
        lines.append(f"pairs = {pairs!r}\nfound = compare_paired(pairs, {options})")
    lines += [
        "for result in found.results:",
        "    print(result.reading.value, result.interval, result.decision.value)",
    ]
    return "\n".join(lines)


def _counts(model: Performance) -> dict[str, int]:
    return {observed.name: n for observed, n in zip(model.metric.classes, model.counts, strict=True)}


def _model(model: Performance) -> str:
    classes = model.metric.classes
    rates = {observed.name: str(observed.rate) for observed in classes}
    positive = [observed.name for observed in classes if observed.counts_as]
    variances = {observed.name: str(observed.rate_variance) for observed in classes if observed.rate_variance}
    told = f", variances={variances!r}" if variances else ""
    return f"MetricModel.of_classes({rates!r}, positive={positive!r}{told})"
