"""Values of the library as HTML: a form for a class that deserves one, and for any other a table of its fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import singledispatch
from itertools import islice

from gmpy2 import mpq, mpz

from ntqr_exact.alarms.alarm import Alarm
from ntqr_exact.alarms.misalignment import Misalignment
from ntqr_exact.alarms.safe_region import SafeRegion
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.html import Markup, card, fold, listed, number, study_html, table, tag, text
from ntqr_exact.confidence.atc_values import AtcEstimate
from ntqr_exact.confidence.ordering import InversionSearch
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import ScoreFunction
from ntqr_exact.errors import shown
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.evaluators.agreement_solution import AgreementSolution
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution, PrevalenceQuadratic
from ntqr_exact.evaluators.majority import MajorityEvaluation
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.metrics.areas import ranking_average_precision, ranking_roc_auc
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.curves import Curve
from ntqr_exact.metrics.exact_bootstrap import BootstrapDistribution
from ntqr_exact.metrics.formulas import METRICS
from ntqr_exact.metrics.multiclass import LabelMatrices, MulticlassConfusion
from ntqr_exact.metrics.ranking import Ranking
from ntqr_exact.postulates.derivation import Derivation
from ntqr_exact.sampling.comparison import Comparison
from ntqr_exact.sampling.metric_model import MetricModel
from ntqr_exact.sampling.normal_interval import NormalInterval
from ntqr_exact.study.independent_part import AgreementStudy, IndependentStudy
from ntqr_exact.study.safety_part import SafetyStudy
from ntqr_exact.study.significance_study import study_significance
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.varieties.projection import Projection
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_ROWS = 200
"""Rows of a ranking or a distribution that are shown; the summary says how many there are."""

_DEEPEST = 3
_NUMBERS = (int, type(mpz()), type(mpq()), Surd, Enclosure)


@singledispatch
def form(value: object) -> Markup:
    """Return the form of a value: that of its class, or its fields, an enum's meaning, or a short `repr`.

    >>> from ntqr_exact import WhenUndefined
    >>> form(WhenUndefined.ZERO)
    '<div><strong>WhenUndefined.ZERO</strong><div>0</div></div>'
    """
    return _fields(value, 0)


def _fields(value: object, depth: int) -> Markup:
    if isinstance(value, Enum):
        return card(f"{type(value).__name__}.{value.name}", str(getattr(value, "meaning", value.value)))
    if not is_dataclass(value) or isinstance(value, type) or depth >= _DEEPEST:
        return text(shown(value))
    rows = [(one.name.replace("_", " "), _part(getattr(value, one.name), depth + 1)) for one in fields(value)]
    return card(type(value).__name__, table([], rows))


def _part(value: object, depth: int) -> Markup:  # noqa: PLR0911
    match value:
        case str():
            return text(value)
        case Enum():
            return text(value.name.lower().replace("_", " "))
        case Mapping():
            rows = [(str(key), _part(part, depth)) for key, part in value.items()]
            return table([], rows) if rows else text("none")
        case tuple() | list():
            return listed(_part(part, depth) for part in value) or text("none")
    if is_dataclass(value) and not isinstance(value, type):
        own = form.dispatch(type(value))
        made = _fields(value, depth) if own is form.dispatch(object) else own(value)
        return made if depth < 2 else fold(type(value).__name__, made)
    if callable(value):
        return text(getattr(value, "__qualname__", type(value).__name__))  # its repr would tell an address
    return number(value) if isinstance(value, _NUMBERS) else text(shown(value))


# -- votes and evaluations ---------------------------------------------------------------------------


@form.register
def _(votes: VoteCounts) -> Markup:
    shares = votes.frequencies().items() if votes.size else ()
    rows = [(*pattern, votes.counts[pattern], share) for pattern, share in shares]
    answers = [(judge, *votes.responses(place).values()) for place, judge in enumerate(votes.judges)]
    return card(
        f"Votes of {len(votes.judges)} judges on {grouped(votes.size)} questions",
        table([*votes.judges, "count", "share"], rows, unit="patterns"),
        fold("answers of each judge", table(["judge", *votes.labels], answers)),
    )


@form.register
def _(votes: LabeledVoteCounts) -> Markup:
    rows = [
        (*pattern, *(part.counts.get(pattern, 0) for part in votes.by_label.values()))
        for pattern, count in votes.observed().counts.items()
        if count
    ]
    total = ", ".join(f"{count} of {label}" for label, count in votes.key_counts.items())
    header = [*votes.judges, *(f"true {label}" for label in votes.labels)]
    return card(f"Votes with an answer key: {total}", table(header, rows, unit="patterns"))


@form.register
def _(votes: AbstainingVotes) -> Markup:
    rows = [(judge, votes.abstentions(judge)) for judge in votes.judges]
    abstained = fold(f"abstentions ({votes.abstain})", table(["judge", "abstained"], rows))
    return Markup(form(votes.votes) + abstained)


@form.register
def _(evaluation: Evaluation) -> Markup:
    parts = _graded(
        "share of questions", evaluation.prevalence, evaluation.accuracy, evaluation.response_rates
    )
    if evaluation.correlations:
        correlated = [
            (label, ", ".join(str(judge + 1) for judge in subset), value)
            for (label, subset), value in evaluation.correlations.items()
        ]
        parts.append(fold("error correlations", table(["label", "judges", "correlation"], correlated)))
    return card("Evaluation", *parts)


@form.register
def _(evaluation: CountEvaluation) -> Markup:
    parts = _graded("questions", evaluation.key_counts, evaluation.correct, evaluation.confusion)
    return card("Evaluation in counts", *parts)


def _graded(
    asked: str,
    key: Mapping[str, object],
    right: Iterable[Mapping[str, object]],
    answers: Iterable[Mapping[str, Mapping[str, object]]],
) -> list[Markup]:
    """Return the questions and right answers of each label, and of three labels or more all answers, folded."""
    rows = [(f"judge {place} right", *one.values()) for place, one in enumerate(right, start=1)]
    parts = [table(["", *key], [(asked, *key.values()), *rows])]
    for place, rates in enumerate(answers, start=1):
        if len(key) > 2:
            own = [(label, *row.values()) for label, row in rates.items()]
            parts.append(fold(f"all answers of judge {place}", table(["true label", *rates], own)))
    return parts


@form.register
def _(consistent: ConsistentSet) -> Markup:
    title = f"{grouped(consistent.count())} consistent group evaluations"
    return card(title, fold("the votes", form(consistent.votes)))


@form.register
def _(projection: Projection) -> Markup:
    """Return the votes alone: counting their consistent individual evaluations may take long."""
    return card("The consistent individual evaluations", fold("of these votes", form(projection.votes)))


@form.register
def _(possible: PossibleSet) -> Markup:
    facts = [
        ("questions", possible.questions),
        ("judges", possible.judges),
        ("labels", ", ".join(possible.labels)),
    ]
    return card(f"{grouped(possible.count())} possible group evaluations", table([], facts))


# -- solutions, alarms and derivations ---------------------------------------------------------------


@form.register
def _(alarm: Alarm) -> Markup:
    proof = table([], list(alarm.proof.items())) if alarm.proof else ""
    proven = fold("what it proves", alarm.kind.value, proof)
    return card(f"ALARM, {alarm.kind.title}", alarm.words, proven)


@form.register
def _(quadratic: PrevalenceQuadratic) -> Markup:
    rows = [("P²", quadratic.leading), ("P", quadratic.linear), ("1", quadratic.constant)]
    return card("The prevalence quadratic", table(["power", "coefficient"], rows))


@form.register
def _(solution: IndependentSolution) -> Markup:
    return study_html([IndependentStudy(solution).section()])


@form.register
def _(solution: AgreementSolution) -> Markup:
    return study_html([AgreementStudy(solution, ()).section()])


@form.register
def _(found: Misalignment) -> Markup:
    return study_html([SafetyStudy(found.specification, None, found).section()])


@form.register
def _(comparison: Comparison) -> Markup:
    return study_html(study_significance(comparison).sections())


@form.register
def _(result: MajorityEvaluation) -> Markup:
    parts = [form(result.evaluation)]
    if result.reversed_evaluation is not None:
        parts.append(fold("if the majority is always wrong", form(result.reversed_evaluation)))
    return card(f"Graded by majority vote, {result.ties} ties", *parts, fold("the key", form(result.key)))


@form.register
def _(specification: SafetySpecification) -> Markup:
    factor = specification.factor
    rows = list(factor.items()) if isinstance(factor, Mapping) else [("every label", factor)]
    return card(
        "Every judge: factor · right answers > questions, on each label",
        table(["label", "factor"], rows),
        table([], [("minimum grade", specification.minimum_grade)]),
    )


@form.register
def _(region: SafeRegion) -> Markup:
    parts = [table(["label", "at most, each judge alone"], list(region.most_questions.items()))]
    votes = fold("the votes", form(region.votes))
    return card("Key counts at which all judges could be safe", *parts, votes)


@form.register
def _(derivation: Derivation) -> Markup:
    claim = derivation.claim
    given = [(one.name, str(one.polynomial), str(one.citation)) for one in derivation.given]
    steps = []
    for place, step in enumerate(derivation.steps, start=1):
        terms = zip(step.certificate.names, map(str, step.certificate.cofactors), strict=True)
        target = tag("code", str(step.certificate.target))
        steps.append(fold(f"step {place}: {step.words}", target, table(["generator", "cofactor"], terms)))
    return card(
        f"Equation {claim.name}, {claim.citation}, {claim.status.value}",
        tag("code", f"{claim.polynomial} = 0"),
        fold("given", table(["name", "vanishes", "source"], given)),
        *steps,
    )


# -- numbers, metrics and curves ---------------------------------------------------------------------


@form.register
def _(value: Surd) -> Markup:
    return number(value)


@form.register
def _(value: Enclosure) -> Markup:
    return card("a number that is enclosed", number(value))


@form.register
def _(matrix: ConfusionMatrix) -> Markup:
    cells = table(
        ["", "labeled positive", "labeled negative"],
        [("predicted positive", matrix.tp, matrix.fp), ("predicted negative", matrix.fn, matrix.tn)],
    )
    metrics = table(["metric", "value"], [(name, matrix[name]) for name in METRICS])
    return card("Confusion matrix", cells, fold("metrics", metrics))


@form.register
def _(confusion: MulticlassConfusion) -> Markup:
    rows = [(str(label), *row.values()) for label, row in confusion.counts.items()]
    counts = table(["true label", *map(str, confusion.labels)], rows)
    return card("Confusion of labels", counts, fold("accuracy", number(confusion.accuracy)))


@form.register
def _(matrices: LabelMatrices) -> Markup:
    parts = [fold(str(label), form(matrices[label])) for label in matrices]
    return card(f"A confusion matrix for each of {len(matrices)} labels", *parts)


@form.register
def _(ranking: Ranking) -> Markup:
    rows = ((row.threshold, row.confusion) for row in islice(ranking, _ROWS))
    cells = ((score, cell.tp, cell.fp, cell.fn, cell.tn) for score, cell in rows)
    unit = f"the first {_ROWS} of {len(ranking)} thresholds" if len(ranking) > _ROWS else "thresholds"
    made = table(["score ≥", "TP", "FP", "FN", "TN"], cells, unit=unit)
    return card(f"Ranking with {len(ranking)} thresholds", made)


@form.register
def _(curve: Curve) -> Markup:
    ranking = curve.ranking
    areas = [
        ("area under ROC", ranking_roc_auc(ranking)),
        ("average precision", ranking_average_precision(ranking)),
    ]
    points = table([curve.across.name, curve.up.name], islice(curve.points(), _ROWS), unit="points")
    title = f"Curve of {curve.up.name} over {curve.across.name}, {len(curve)} points"
    return card(title, table([], areas), points)


@form.register
def _(distribution: BootstrapDistribution) -> Markup:
    facts = [("estimate", distribution.estimate), ("undefined", distribution.undefined_probability)]
    if distribution.undefined_weight != distribution.total:
        interval = distribution.interval()
        facts += [("95 % percentile interval, from", interval.lower), ("to", interval.upper)]
    outcomes = table(["value", "probability"], islice(distribution.outcomes(), _ROWS), unit="values")
    return card("Exact bootstrap distribution", table([], facts), outcomes)


@form.register
def _(interval: NormalInterval) -> Markup:
    facts = [
        ("centre", interval.centre),
        ("variance", interval.variance),
        ("critical value", str(interval.critical)),
        ("decision", interval.decision().value),
    ]
    return card(str(interval), fold("exactly", table([], facts)))


@form.register
def _(model: MetricModel) -> Markup:
    rows = [
        (one.name, one.rate, one.rate_variance, "positive" if one.counts_as else "negative")
        for one in model.classes
    ]
    header = ["observed", "really positive", "variance of this rate", "taken as"]
    return card("Metric model", table(header, rows))


# -- confidences -------------------------------------------------------------------------------------


@form.register
def _(vector: ProbabilityVector) -> Markup:
    return card(str(vector), table(range(1, len(vector) + 1), [tuple(vector)]))


@form.register
def _(score: ScoreFunction) -> Markup:
    facts = [("formula", score.formula or "not given"), ("symmetric", "yes" if score.symmetric else "no")]
    if score.citation is not None:
        facts.append(("source", str(score.citation)))
    return card(f"Score {score.name}", table([], facts))


@form.register
def _(found: AtcEstimate) -> Markup:
    facts = [
        ("estimated error on the target", found.error),
        ("estimated accuracy on the target", found.accuracy),
        ("threshold", found.threshold),
        ("first source vector with this score", str(found.threshold_vector)),
        ("Γ of the source", found.gamma),
        ("what the threshold makes of it", found.source_share),
        ("reading", found.reading.value),
        ("rule for ties", found.tie_rule.value),
    ]
    return card(f"Average thresholded confidence by {found.score.name}", table([], facts))


@form.register
def _(search: InversionSearch) -> Markup:
    rows = [(str(one.higher_left), str(one.higher_right)) for one in search.inversions]
    title = f"{search.left.name} and {search.right.name}, {search.labels} labels: {search.end.value}"
    found = table([f"higher by {search.left.name}", f"higher by {search.right.name}"], rows) if rows else ""
    return card(title, f"denominators up to {search.denominator}", found)
