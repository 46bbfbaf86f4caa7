"""`ntqr-exact graded`: what a few graded questions tell of all."""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.errors import BadVotes
from ntqr_exact.sampling.choosing import TRUTH, differing, read_sheet
from ntqr_exact.sampling.graded_votes import Drawn
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.study.graded_part import study_graded
from ntqr_exact.study.screen import Evaluated, study_screen
from ntqr_exact.votes.labeled import LabeledVoteCounts

between_option = click.option(
    "--between",
    type=options.NameList(),
    help="Two judges, if only questions on which they differ were drawn.",
)


@click.command()
@options.votes_options
@options.drawn_option
@between_option
@click.option(
    "--grades", metavar="SHEET", help="A sheet written by `choose` and filled in; --truth is its column."
)
@options.level_option
@options.html_option
@options.json_option
def graded(
    votes_path: options.Paths,
    *,
    truth: str | None,
    drawn: str,
    between: tuple[str, ...] | None,
    grades: str | None,
    level: str,
    as_json: bool,
    **reading: Any,
) -> None:
    """Estimate accuracy on all questions from a graded sample.

    VOTES is a decisions CSV whose column --truth is empty where a question is not graded, or a votes file with a
    partial key. With --grades, the key is the sheet that `ntqr-exact choose` wrote, and no other. What is certain holds
    however the questions were chosen; intervals need --drawn at_random or by_strata.

    \b
    Example:
      ntqr-exact graded decisions.csv --truth key --drawn at_random
    """
    if grades is not None:
        votes = options.load_observed(votes_path, **reading)
        strata = None if between is None else differing(votes, *_two(between))
        how = Drawn.BY_STRATA if between is not None else drawn
        key = read_sheet(votes, grades, drawn=how, strata=strata, truth=truth or TRUTH)
        _show(key, level, as_json=as_json)
        return
    found = options.load_test(votes_path, truth=truth, drawn=drawn, **reading)
    if isinstance(found, LabeledVoteCounts):
        found = PartialKey(found.observed(), found, drawn=drawn)
    if not isinstance(found, PartialKey):
        raise BadVotes(votes_path, "no question is graded", "name the column of the key by --truth")
    if between is not None:
        strata = differing(found.votes, *_two(between))
        found = PartialKey(found.votes, found.graded, drawn=Drawn.BY_STRATA, strata=strata)
    _show(found, level, as_json=as_json)


def _show(key: PartialKey, level: str, *, as_json: bool) -> None:
    """Print the first screen with the intervals, then everything that the grades show."""
    grades = study_graded(key, level=level)
    options.show(Evaluated(study_screen(key, level=level, grades=grades), grades), as_json=as_json)


def _two(names: tuple[str, ...]) -> tuple[str, str]:
    if len(names) != 2:
        raise BadVotes(names, "--between names two judges")
    return names[0], names[1]
