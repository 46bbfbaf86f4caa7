"""What could be true of the judges: possible before the votes, consistent with them after."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ntqr_exact.blocks.markup import Markup
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.linear_range import right_answers
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.views.plots.consistent_planes import plot_consistent_lines, plot_consistent_planes
from ntqr_exact.views.plots.evaluation_counts import plot_evaluation_counts
from ntqr_exact.views.report.blocks import Section, count, data_table, sentence
from ntqr_exact.views.report.picture import figure
from ntqr_exact.views.report.study import Study

_MOST_DRAWN = 20_000
"""Questions up to which evaluations are counted and drawn key by key."""

_MOST_JUDGES = 6
"""Judges up to which a picture can tell them apart."""


def consistent_section(found: Study) -> Section:
    """Return how many evaluations there are, how often each judge can be right, and pictures of both."""
    parts = [
        sentence(
            "Nothing is assumed of the judges here. An evaluation is possible if some votes could go with it, and "
            "consistent if these votes do. What is the same in all consistent evaluations is proven."
        ),
        _counts(found),
        _right_answers(found),
        *_pictures(found),
    ]
    return Section("consistent", "What is possible, and what the votes leave", tuple(parts))


def _counts(found: Study) -> Markup:
    votes = found.votes
    group = PossibleSet(questions=votes.size, judges=len(votes.judges), labels=votes.labels)
    rows = [("the whole group", count(group.count()), count(ConsistentSet(votes).count()))]
    sizes = (1, 2) if found.is_binary and len(votes.judges) > 1 and votes.size <= _MOST_DRAWN else (1,)
    for size in sizes:
        possible = PossibleSet(questions=votes.size, judges=size, labels=votes.labels).individual_count()
        rows += [
            (
                f"{'judge' if size == 1 else 'judges'} {', '.join(names)}",
                count(possible),
                count(ConsistentSet(votes.marginal(*names)).projection().count()),
            )
            for names in combinations(votes.judges, size)
        ]
    return data_table(
        "Numbers of evaluations: of the group, how each pattern's questions split over the true labels; of one or two "
        "judges, the key counts with their right and wrong answers",
        ["evaluations of", "possible", "consistent"],
        rows,
        unit="groups of judges",
    )


def _right_answers(found: Study) -> Markup:
    votes = found.votes
    at = None if found.key_counts is None else dict(found.key_counts.key_counts)
    key = "" if at is None else ", ".join(f"{n} of {label}" for label, n in at.items())
    rows: list[tuple[object, ...]] = []
    for judge in votes.judges:
        alone = ConsistentSet(votes.marginal(judge))
        for label in (None, *((at or {}) if at else ())):
            asked = votes.size if label is None or at is None else at[label]
            ends = alone.range_of(right_answers(alone.votes, 0, label), at=at)
            rows.append(
                (
                    judge,
                    "all labels" if label is None else label,
                    asked,
                    int(ends.minimum),
                    int(ends.maximum),
                    *((end / asked if asked else "undefined") for end in (ends.minimum, ends.maximum)),
                )
            )
    caption = "How often each judge can be right" + (f", with the true key counts ({key})" if key else "")
    return data_table(caption, ["judge", "on", "questions", "least", "most", "share, from", "to"], rows)


def _pictures(found: Study) -> Iterator[Markup]:
    votes = found.votes
    if not found.is_binary:
        yield sentence("Planes and counts are drawn for two labels.")
        return
    if len(votes.judges) > _MOST_JUDGES:
        votes = votes.marginal(*range(_MOST_JUDGES))
        yield sentence(f"The pictures show the first {_MOST_JUDGES} judges.")
    if votes.size <= _MOST_DRAWN:
        yield figure(
            "counts",
            "Evaluations of each judge at each number of questions of the first label: possible before its votes, and "
            "consistent after",
            lambda axes: plot_evaluation_counts(votes, axes=axes),
        )
    counts = found.key_counts if len(votes.judges) == len(found.votes.judges) else None
    yield figure(
        "planes",
        "The plane of consistent evaluations of each judge: questions of the first label against right answers on both "
        "labels" + ("; a star is the true one" if counts else ""),
        lambda axes: plot_consistent_planes(votes, evaluation=counts, axes=axes),
        height=5.8,
        in_space=True,
    )
    key = dict(found.reference.key_counts)
    if all(key.values()):
        yield figure(
            "lines",
            f"The same, cut at the key counts of {found.reference_name}: right answers on the two labels",
            lambda axes: plot_consistent_lines(votes, key, evaluation=counts, axes=axes),
            height=4.6,
        )
