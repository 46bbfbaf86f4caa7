"""What was voted: the patterns, how often each judge gave each label, agreements and moments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ntqr_exact.blocks.markup import Markup
from ntqr_exact.exact.counted import counted
from ntqr_exact.views.report.blocks import Section, data_table, facts, heading, sentence
from ntqr_exact.views.report.study import Study
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def votes_section(found: Study) -> Section:
    """Return the table of patterns, and the answers of each judge; with a key, by true label."""
    votes = found.votes
    parts = [
        sentence(
            f"{counted(votes.size, 'question')}, {counted(len(votes.judges), 'judge')}, "
            f"{counted(len(votes.labels), 'label')}. A pattern is what the judges answered to one question; all else "
            "in this report follows from how often each pattern was seen."
        ),
        _patterns(votes, found.labeled),
        data_table(
            "How often each judge gave each label",
            ["judge", *votes.labels, *(f"share of {label}" for label in votes.labels)],
            [
                (
                    judge,
                    *votes.responses(place).values(),
                    *(votes.response_rate(place, label) for label in votes.labels),
                )
                for place, judge in enumerate(votes.judges)
            ],
        ),
    ]
    if found.key_counts is not None:
        shares = found.key_counts.key_counts
        parts += [
            heading("The answer key"),
            data_table("Questions of each true label", ["label", "questions"], list(shares.items())),
            data_table(
                "Answers of each judge by true label",
                ["judge", "true label", *(f"answered {label}" for label in votes.labels)],
                [
                    (judge, true, *row.values())
                    for judge, table in zip(votes.judges, found.key_counts.confusion, strict=True)
                    for true, row in table.items()
                ],
            ),
        ]
    return Section("votes", "The votes", tuple(parts))


def moments_section(found: Study) -> Section:
    """Return the statistics of pairs and trios of judges."""
    return Section("moments", "Agreements and moments", tuple(_statistics(found.votes)))


def _patterns(votes: VoteCounts, labeled: LabeledVoteCounts | None) -> Markup:
    true = [] if labeled is None else [f"of them true {label}" for label in votes.labels]
    rows = [
        (
            ", ".join(pattern),
            count,
            votes.frequency(pattern),
            *([] if labeled is None else (part.counts[pattern] for part in labeled.by_label.values())),
        )
        for pattern, count in votes.counts.items()
    ]
    unseen = len(votes.labels) ** len(votes.judges) - len(rows)
    caption = f"How often each pattern of answers was seen (judges in the order {', '.join(votes.judges)}"
    caption += f"; {unseen} possible patterns were not)" if unseen else ")"
    return data_table(caption, ["pattern", "count", "share", *true], rows, unit="patterns")


def _statistics(votes: VoteCounts) -> Iterator[Markup]:
    pairs, trios = (list(combinations(votes.judges, size)) for size in (2, 3))
    if not pairs:
        yield sentence("One judge alone has nobody to agree with.")
        return
    yield facts("Share of questions on which all judges agree", [("all judges", votes.agreement())])
    if len(votes.labels) > 2:
        yield data_table(
            "Share of questions on which a pair agrees",
            ["judges", "agreement"],
            [(", ".join(pair), votes.agreement(*pair)) for pair in pairs],
            unit="pairs",
        )
        return
    b = votes.labels[1]
    yield sentence(
        f"Moments are those of answering {b}: Δ is the covariance of two judges, f_bb − f_b·f_b, and T the third "
        "central moment of three. For independent errors Δ_ij = P_a·P_b·d_i·d_j, with d = accuracy on both labels "
        "together minus 1."
    )
    yield data_table(
        "Every pair of judges",
        ["judges", "agreement", "Δ"],
        [(", ".join(pair), votes.agreement(*pair), votes.pair_moment(*pair)) for pair in pairs],
        unit="pairs",
    )
    if trios:
        yield data_table(
            "Every trio of judges",
            ["judges", "T"],
            [(", ".join(trio), votes.trio_moment(*trio)) for trio in trios],
            unit="trios",
        )
