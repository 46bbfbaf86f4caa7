"""Scores, estimates by thresholded confidence, and metric models as HTML."""

from __future__ import annotations

from ntqr_exact.alarms.safe_region import SafeRegion
from ntqr_exact.blocks.markup import Markup, card, fold, table
from ntqr_exact.confidence.atc_values import AtcEstimate
from ntqr_exact.confidence.ordering import InversionSearch
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import ScoreFunction
from ntqr_exact.significance.metric_model import MetricModel
from ntqr_exact.views.rich.votes_forms import votes_html


def vector_html(vector: ProbabilityVector) -> Markup:
    """Return a probability vector as its numerators over one denominator, and each probability."""
    return card(str(vector), table(range(1, len(vector) + 1), [tuple(vector)]))


def score_html(score: ScoreFunction) -> Markup:
    """Return a score by name and formula, and where it comes from."""
    facts = [("formula", score.formula or "not given"), ("symmetric", "yes" if score.symmetric else "no")]
    if score.citation is not None:
        facts.append(("source", str(score.citation)))
    return card(f"Score {score.name}", table([], facts))


def atc_html(found: AtcEstimate) -> Markup:
    """Return the estimate first, then the threshold and what it stands on."""
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


def inversions_html(search: InversionSearch) -> Markup:
    """Return the pairs that two scores put in opposite orders."""
    rows = [(str(one.higher_left), str(one.higher_right)) for one in search.inversions]
    title = f"{search.left.name} and {search.right.name}, {search.labels} labels: {search.end.value}"
    found = table([f"higher by {search.left.name}", f"higher by {search.right.name}"], rows) if rows else ""
    return card(title, f"denominators up to {search.denominator}", found)


def metric_model_html(model: MetricModel) -> Markup:
    """Return how often each observed class is really positive."""
    rows = [
        (
            observed.name,
            observed.rate,
            observed.rate_variance,
            "positive" if observed.counts_as else "negative",
        )
        for observed in model.classes
    ]
    return card(
        "Metric model", table(["observed", "really positive", "variance of this rate", "taken as"], rows)
    )


def safe_region_html(region: SafeRegion) -> Markup:
    """Return the most questions of each label, and the corners of the region where there are at most three labels."""
    parts = [table(["label", "at most, each judge alone"], list(region.most_questions.items()))]
    if len(region.votes.labels) <= 3:
        corners = [tuple(corner.values()) for corner in region.vertices()]
        parts.append(
            fold("corners", table(list(region.votes.labels), corners)) if corners else Markup("none")
        )
    parts.append(fold("the votes", votes_html(region.votes)))
    return card("Key counts at which all judges could be safe", *parts)
