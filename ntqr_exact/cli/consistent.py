"""`ntqr-exact consistent`: what could be true of the judges, before and after their votes are seen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import click
from gmpy2 import mpq

from ntqr_exact.cli.options import NameList, example_names, json_option, load_votes, votes_options
from ntqr_exact.cli.words import table, with_decimal
from ntqr_exact.errors import BadKeyCounts
from ntqr_exact.exact.counted import counted
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.key_counts import check_key_counts
from ntqr_exact.varieties.linear_range import Range, right_answers
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


@click.command(epilog=f"In place of a file: {example_names()}.")
@votes_options
@click.option(
    "--key",
    type=NameList(),
    metavar="N,N,…",
    help="How many questions have each true label, in the order of the labels.",
)
@json_option
def consistent(votes_path: str, *, key: tuple[str, ...] | None, as_json: bool, **options: Any) -> None:
    """Count the evaluations that votes allow, and bound how often each judge is right.

    VOTES is a votes file or a decisions CSV; an answer key in it is not looked at. Nothing is assumed
    of the judges: what is counted and bounded here is what pure logic leaves.

    \b
    Example:
      ntqr-exact consistent example:two-norm --key 400,600
    """
    loaded = load_votes(votes_path, **options)
    votes = loaded.observed() if isinstance(loaded, LabeledVoteCounts) else loaded
    document = _document(votes, None if key is None else _key_counts(votes, key))
    click.echo(write_json(document) if as_json else _words(votes, document), nl=not as_json)


def _key_counts(votes: VoteCounts, given: tuple[str, ...]) -> dict[str, int]:
    if len(given) != len(votes.labels):
        names = ", ".join(votes.labels)
        raise BadKeyCounts(",".join(given), f"--key takes {len(votes.labels)} counts, for the labels {names}")
    at = dict(zip(votes.labels, given, strict=True))
    return dict(zip(votes.labels, check_key_counts(at, votes.labels, votes.size), strict=True))


def _document(votes: VoteCounts, at: dict[str, int] | None) -> dict[str, Any]:
    """Compute everything; `_words` only says it."""
    document: dict[str, Any] = {
        "questions": votes.size,
        "labels": list(votes.labels),
        "judges": list(votes.judges),
        "group": _group_counts(votes, at),
        "single": [_individual_counts(votes, (judge,), at) for judge in votes.judges],
    }
    if at is not None:
        document["key_counts"] = at
    if len(votes.labels) == 2:
        document["pairs"] = [
            _individual_counts(votes, judges, at) for judges in combinations(votes.judges, 2)
        ]
    document["right_answers"] = [row for judge in votes.judges for row in _right_answers(votes, judge, at)]
    return document


def _group_counts(votes: VoteCounts, at: dict[str, int] | None) -> dict[str, int]:
    possible = PossibleSet(questions=votes.size, judges=len(votes.judges), labels=votes.labels)
    counts = {"possible": possible.count(), "consistent": ConsistentSet(votes).count()}
    if at is not None:
        counts["possible_at_key"] = possible.count_at(at)
        counts["consistent_at_key"] = ConsistentSet(votes).count_at(at)
    return counts


def _individual_counts(
    votes: VoteCounts, judges: tuple[str, ...], at: dict[str, int] | None
) -> dict[str, Any]:
    projection = ConsistentSet(votes.marginal(*judges)).projection()
    possible = PossibleSet(questions=votes.size, judges=len(judges), labels=votes.labels)
    counts = {
        "judges": list(judges),
        "possible": possible.individual_count(),
        "consistent": projection.count(),
    }
    if at is not None:
        counts["consistent_at_key"] = projection.count_at(at)
    return counts


def _right_answers(votes: VoteCounts, judge: str, at: dict[str, int] | None) -> Iterator[dict[str, Any]]:
    """Yield how often a judge can be right: on all questions, and at key counts on each label."""
    alone = votes.marginal(judge)
    yield {"judge": judge, "questions": votes.size} | _ends(_range(alone, None, at))
    for label, count in (at or {}).items():
        yield {"judge": judge, "label": label, "questions": count} | _ends(_range(alone, label, at))


def _range(votes: VoteCounts, label: str | None, at: dict[str, int] | None) -> Range:
    return ConsistentSet(votes).range_of(right_answers(votes, 0, label), at=at)


def _ends(found: Range) -> dict[str, int]:
    return {"least": int(found.minimum.numerator), "most": int(found.maximum.numerator)}


def _words(votes: VoteCounts, document: dict[str, Any]) -> str:
    group, at = document["group"], document.get("key_counts")
    key = "" if at is None else ", ".join(f"{count} {label}" for label, count in at.items())
    parts = [
        f"{counted(votes.size, 'question')}, {counted(len(votes.judges), 'judge')} ({', '.join(votes.judges)}), "
        f"labels {', '.join(votes.labels)}.",
        "",
        "Evaluations of the whole group: every answer key, told apart by what it says of the votes",
        f"  possible before the votes are seen: {group['possible']}",
        f"  consistent with the votes:          {group['consistent']}",
    ]
    if at is not None:
        parts += [
            f"  possible with {key}: {group['possible_at_key']}",
            f"  consistent with {key}: {group['consistent_at_key']}",
        ]
    for name, title in (("single", "Grades of each judge alone"), ("pairs", "Grades of each pair of judges")):
        if document.get(name):
            parts += ["", f"{title}: key counts and confusions", _counts_table(document[name], key)]
    parts += [
        "",
        "How often each judge can be right:" if not key else f"How often each can be right, with {key}:",
    ]
    parts += [_right_answers_table(document["right_answers"])]
    return "\n".join(parts)


def _counts_table(rows: list[dict[str, Any]], key: str) -> str:
    header = ["judge", "possible", "consistent", *([f"with {key}"] if key else [])]
    columns = ["possible", "consistent", *(["consistent_at_key"] if key else [])]
    return table(header, [[", ".join(row["judges"]), *(str(row[c]) for c in columns)] for row in rows])


def _right_answers_table(rows: list[dict[str, Any]]) -> str:
    return table(
        ["judge", "on", "questions", "least", "most", "accuracy"],
        [
            [
                row["judge"],
                row.get("label", "all"),
                str(row["questions"]),
                str(row["least"]),
                str(row["most"]),
                _accuracy(row),
            ]
            for row in rows
        ],
    )


def _accuracy(row: dict[str, Any]) -> str:
    if not row["questions"]:
        return "undefined"
    least, most = (with_decimal(mpq(row[end], row["questions"])) for end in ("least", "most"))
    return f"{least} to {most}"
