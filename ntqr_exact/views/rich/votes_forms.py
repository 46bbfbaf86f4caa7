"""Votes and evaluations as HTML."""

from __future__ import annotations

from collections.abc import Mapping

from ntqr_exact.blocks.markup import Markup, card, fold, table
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.varieties.projection import Projection
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def votes_html(votes: VoteCounts) -> Markup:
    """Return the patterns seen, with counts and shares, and how often each judge gave each label."""
    rows = [(*pattern, votes.counts[pattern], share) for pattern, share in _shares(votes)]
    answers = [(judge, *votes.responses(place).values()) for place, judge in enumerate(votes.judges)]
    return card(
        f"Votes of {len(votes.judges)} judges on {grouped(votes.size)} questions",
        table([*votes.judges, "count", "share"], rows, unit="patterns"),
        fold("answers of each judge", table(["judge", *votes.labels], answers)),
    )


def labeled_votes_html(votes: LabeledVoteCounts) -> Markup:
    """Return the patterns seen, with their counts on the questions of each true label."""
    observed = votes.observed()
    rows = [
        (*pattern, *(votes.by_label[label].counts.get(pattern, 0) for label in votes.labels))
        for pattern in observed.counts
        if observed.counts[pattern]
    ]
    total = ", ".join(f"{count} of {label}" for label, count in votes.key_counts.items())
    header = [*votes.judges, *(f"true {label}" for label in votes.labels)]
    return card(f"Votes with an answer key: {total}", table(header, rows, unit="patterns"))


def abstaining_votes_html(votes: AbstainingVotes) -> Markup:
    """Return the votes, and how often each judge abstained."""
    inner = votes.votes
    shown = labeled_votes_html(inner) if isinstance(inner, LabeledVoteCounts) else votes_html(inner)
    rows = [(judge, votes.abstentions(judge)) for judge in votes.judges]
    return Markup(shown + fold(f"abstentions ({votes.abstain})", table(["judge", "abstained"], rows)))


def evaluation_html(evaluation: Evaluation) -> Markup:
    """Return prevalence, how often each judge is right on each label, and the correlations, folded."""
    labels = evaluation.labels
    rows = [("share of questions", *evaluation.prevalence.values())]
    rows += [
        (f"judge {place} right", *right.values()) for place, right in enumerate(evaluation.accuracy, start=1)
    ]
    parts = [table(["", *labels], rows)]
    if len(labels) > 2:
        parts += [
            fold(f"all answers of judge {place}", _confusion(rates))
            for place, rates in enumerate(evaluation.response_rates, start=1)
        ]
    if evaluation.correlations:
        correlated = [
            (label, ", ".join(str(judge + 1) for judge in subset), value)
            for (label, subset), value in evaluation.correlations.items()
        ]
        parts.append(fold("error correlations", table(["label", "judges", "correlation"], correlated)))
    return card("Evaluation", *parts)


def count_evaluation_html(evaluation: CountEvaluation) -> Markup:
    """Return the key counts and how often each judge is right on each label, in counts."""
    rows = [("questions", *evaluation.key_counts.values())]
    rows += [
        (f"judge {place} right", *right.values()) for place, right in enumerate(evaluation.correct, start=1)
    ]
    parts = [table(["", *evaluation.labels], rows)]
    if len(evaluation.labels) > 2:
        parts += [
            fold(f"all answers of judge {place}", _confusion(counts))
            for place, counts in enumerate(evaluation.confusion, start=1)
        ]
    return card("Evaluation in counts", *parts)


def consistent_html(consistent: ConsistentSet) -> Markup:
    """Return how many group evaluations the votes allow, and the votes, folded."""
    return card(
        f"{grouped(consistent.count())} consistent group evaluations",
        fold("the votes", votes_html(consistent.votes)),
    )


def projection_html(projection: Projection) -> Markup:
    """Return the votes whose consistent individual evaluations these are; counting them may take long."""
    return card("The consistent individual evaluations", fold("of these votes", votes_html(projection.votes)))


def possible_html(possible: PossibleSet) -> Markup:
    """Return how many evaluations are possible before any vote is seen."""
    facts = [
        ("questions", possible.questions),
        ("judges", possible.judges),
        ("labels", ", ".join(possible.labels)),
    ]
    return card(f"{grouped(possible.count())} possible group evaluations", table([], facts))


def _shares(votes: VoteCounts) -> list[tuple[tuple[str, ...], object]]:
    return list(votes.frequencies().items()) if votes.size else []


def _confusion(rates: Mapping[str, Mapping[str, object]]) -> Markup:
    labels = list(rates)
    return table(["true label", *labels], [(label, *rates[label].values()) for label in labels])
