"""Error correlations of pairs of judges: by the key, their whole range, and their interval with given grades."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.blocks.markup import Markup
from ntqr_exact.errors import EmptyTest
from ntqr_exact.evaluation import CountEvaluation, rational_rate
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import PairPoint, pair_correlations
from ntqr_exact.views.plots.pair_correlations import plot_pair_correlations
from ntqr_exact.views.report.blocks import Section, data_table, heading, rate, sentence
from ntqr_exact.views.report.picture import figure
from ntqr_exact.views.report.study import Study
from ntqr_exact.votes.counts import VoteCounts

_MOST_PICTURES = 3
_MOST_QUESTIONS = 20_000
"""Questions of a label up to which ranges are looked for, which takes a step for each."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two judges with the votes and grades among which their correlations are listed, and what was found."""

    votes: VoteCounts
    grades: CountEvaluation
    names: tuple[str, str]
    points: tuple[PairPoint, ...]


def correlations_section(found: Study) -> Section:
    """Return the correlations by the key, what they can be at its key counts, and with everyone's grades fixed."""
    votes = found.votes
    if len(votes.judges) < 2:
        return Section(
            "correlations", "Error correlations", (sentence("One judge alone has no correlations."),)
        )
    parts = [
        sentence(
            "The error correlation Γ of two judges on a label is the mean, over its questions, of the product of (1 if "
            "right else 0) − accuracy: 0 if they err independently there, at most 1/4 in size."
        )
    ]
    if found.labeled is not None:
        parts.append(_by_key(found))
    parts.append(_ranges(found))
    if found.is_binary and all(found.reference.key_counts.values()):
        parts += _intervals(found)
    return Section("correlations", "Error correlations", tuple(parts))


def _by_key(found: Study) -> Markup:
    correlations = found.key.correlations if found.key is not None else {}
    return data_table(
        "Correlations by the answer key",
        ["judges", "label", "Γ"],
        [
            (", ".join(found.votes.judges[place] for place in subset), label, rate(value))
            for (label, subset), value in correlations.items()
        ],
        unit="correlations",
    )


def _ranges(found: Study) -> Markup:
    """Return what Γ of each pair and label can be at the reference's key counts, whatever else is true."""
    consistent = ConsistentSet(found.votes)
    key = dict(found.reference.key_counts)
    rows: list[tuple[object, ...]] = []
    for pair in combinations(found.votes.judges, 2):
        for label, asked in key.items():
            if asked > _MOST_QUESTIONS:
                rows.append((", ".join(pair), label, "not looked for", "not looked for"))
                continue
            try:
                ends = consistent.correlation_range(label, *pair, at=key)
            except EmptyTest as error:
                rows.append((", ".join(pair), label, error.rule, error.rule))
                continue
            rows.append((", ".join(pair), label, ends.minimum, ends.maximum))
    told = ", ".join(f"{count} of {label}" for label, count in key.items())
    caption = f"What Γ can be at the key counts of {found.reference_name} ({told}), whatever the grades"
    return data_table(caption, ["judges", "label", "from", "to"], rows, unit="pairs and labels")


def _intervals(found: Study) -> Iterator[Markup]:
    pairs = [pair for pair in _pairs(found) if pair.points]
    yield heading(f"With the grades of {found.reference_name}")
    yield _grades(found)
    if not pairs:
        yield sentence("The votes do not allow these grades.")
        return
    alone = "" if len(found.votes.judges) <= 3 else " Each pair is looked at by itself."
    yield sentence(
        "Votes and grades do not fix the correlations: only P_a·Γ^a + P_b·Γ^b is the same in all consistent "
        f"evaluations.{alone}"
    )
    a, b = found.votes.labels
    rows = []
    for pair in pairs:
        ends = [tuple(map(rational_rate, point.correlations)) for point in (pair.points[0], pair.points[-1])]
        shares = [mpq(count, pair.votes.size) for count in pair.grades.key_counts.values()]
        fixed = shares[0] * ends[0][0] + shares[1] * ends[0][1]
        rows.append(
            (", ".join(pair.names), len(pair.points), ends[0][0], ends[1][0], ends[1][1], ends[0][1], fixed)
        )
    header = [
        "judges",
        "points",
        f"Γ on {a}, from",
        "to",
        f"Γ on {b}, from",
        "to",
        "P_a·Γ^a + P_b·Γ^b, always",
    ]
    yield data_table("Consistent pairs of correlations", header, rows, unit="pairs")
    for place, pair in enumerate(pairs[:_MOST_PICTURES]):
        yield _picture(pair, place)


def _pairs(found: Study) -> Iterator[_Pair]:
    votes, grades = found.votes, found.reference
    if votes.size > _MOST_QUESTIONS:
        return
    for i, j in combinations(range(len(votes.judges)), 2):
        names = votes.judges[i], votes.judges[j]
        if len(votes.judges) > 3:
            among = votes.marginal(i, j)
            own = CountEvaluation(grades.key_counts, [grades.confusion[i], grades.confusion[j]])
        else:
            among, own = votes, grades
        yield _Pair(among, own, names, pair_correlations(among, own, *names))


def _grades(found: Study) -> Markup:
    grades = found.reference
    rows: list[tuple[object, ...]] = [("questions", *grades.key_counts.values())]
    rows += [
        (f"{judge} right", *right.values())
        for judge, right in zip(found.votes.judges, grades.correct, strict=True)
    ]
    return data_table(f"The grades of {found.reference_name}, in counts", ["", *grades.labels], rows)


def _picture(pair: _Pair, place: int) -> Markup:
    return figure(
        f"correlations-{place + 1}",
        f"All consistent error correlations of judges {pair.names[0]} and {pair.names[1]} with these grades: "
        f"{len(pair.points)} points on a line",
        lambda axes: plot_pair_correlations(pair.votes, pair.grades, *pair.names, axes=axes),
    )
