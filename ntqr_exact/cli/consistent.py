"""`ntqr-exact consistent`: what could be true of the judges, before and after their votes are seen."""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.errors import BadKeyCounts
from ntqr_exact.study.consistent_part import study_consistent
from ntqr_exact.votes.counts import VoteCounts


@options.votes_command
@click.option(
    "--key",
    type=options.NameList(),
    metavar="N,N,…",
    help="How many questions have each true label, in the order of the labels.",
)
@options.html_option
@options.json_option
def consistent(
    votes_path: options.Paths, *, key: tuple[str, ...] | None, as_json: bool, **reading: Any
) -> None:
    """Count the evaluations that votes allow, and bound how often each judge is right.

    VOTES is a votes file or a decisions CSV; an answer key in it is not looked at. Nothing is assumed
    of the judges: what is counted and bounded here is what pure logic leaves.

    \b
    Example:
      ntqr-exact consistent example:two-norm --key 400,600
    """
    votes = options.load_observed(votes_path, **reading)
    options.show(study_consistent(votes, None if key is None else _key_counts(votes, key)), as_json=as_json)


def _key_counts(votes: VoteCounts, given: tuple[str, ...]) -> dict[str, str]:
    if len(given) != len(votes.labels):
        names = ", ".join(votes.labels)
        raise BadKeyCounts(",".join(given), f"--key takes {len(votes.labels)} counts, for the labels {names}")
    return dict(zip(votes.labels, given, strict=True))
