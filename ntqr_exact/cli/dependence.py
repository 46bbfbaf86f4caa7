"""`ntqr-exact dependence`: how much the errors depend on each other, and what follows if only so much."""

from __future__ import annotations

import inspect
from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.dependence import budget_checker
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.study.dependence_part import study_dependence


@options.votes_command
@click.option(
    "--budget",
    "budgets",
    multiple=True,
    metavar="δ",
    help="Show ranges over all answer keys with no error covariance above this, such as 0.02; may be repeated.",
)
@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="CLAIM",
    help="Find when a claim breaks down: 'gpt > claude', 'gpt > claude on a', 'gpt on a > 0.8', 'share of a > 1/2'.",
)
@click.option(
    "--certificate", metavar="FILE", help="Write the certificates of everything proven here, as a JSON list."
)
@click.option(
    "--checker", metavar="FILE", help="Write the checker of certificates, one file for plain Python."
)
@options.html_option
@options.json_option
def dependence(
    votes_path: options.Paths,
    *,
    budgets: tuple[str, ...],
    claims: tuple[str, ...],
    certificate: str | None,
    checker: str | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Show how much dependence of errors the votes prove.

    Without options: an error covariance that no answer key avoids, and a key that comes near. With --budget: ranges of
    every share and accuracy if no covariance exceeds the budget. With --claim: how large a covariance must be before
    the claim can fail. Ranges and claims assume that one judge, which is named, is no worse than chance: the two
    labels of every key could be swapped. The file that --checker writes checks certificates and needs nothing but
    Python.

    \b
    Example:
      ntqr-exact dependence example:uci-adult-imaginary --budget 0.02 --claim "3 > 1"
    """
    options.check_outputs(votes_path, certificate, checker)
    result = study_dependence(options.load_votes(votes_path, **reading), budgets=budgets, claims=claims)
    if certificate is not None:
        options.write_output(certificate, write_json(result.certificates()), votes_path)
    if checker is not None:
        options.write_output(checker, inspect.getsource(budget_checker), votes_path)
    options.show(result, as_json=as_json)
