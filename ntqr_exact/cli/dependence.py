"""`ntqr-exact dependence`: how much the errors depend on each other, and what follows if only so much."""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.dependence.panel import checker_source
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.study.dependence_part import study_dependence


@options.votes_command
@click.option(
    "--budget",
    "budgets",
    multiple=True,
    metavar="δ",
    help="Show ranges over all keys with no correlation above this, such as 0.02; may be given more than once.",
)
@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="CLAIM",
    help="Find when a claim breaks down: 'gpt > claude', 'gpt > claude on a', 'gpt on a > 0.8', 'share of a > 1/2'.",
)
@options.flag("--quick", "Show quick ranges for the budgets: wider, in a moment, two labels.")
@click.option(
    "--certificate", metavar="FILE", help="Write the certificates of everything proven here, as a JSON list."
)
@click.option(
    "--checker", metavar="FILE", help="Write the checker of certificates, one file for plain Python."
)
@options.flag("--coq", "Print what is proven as theorems for Coq.", "as_coq")
@options.html_option
@options.json_option
def dependence(
    votes_path: str,
    *,
    budgets: tuple[str, ...],
    claims: tuple[str, ...],
    quick: bool,
    certificate: str | None,
    checker: str | None,
    as_coq: bool,
    as_json: bool,
    **reading: Any,
) -> None:
    """Tell how much dependence of errors the votes prove, whatever the answer key.

    Without a budget: the largest error correlation that no key avoids, and a key that comes near. With --budget:
    proven ranges of every share and accuracy. With --claim: how large a correlation must be before it can fail.
    The file that --checker writes checks certificates and needs nothing but Python.

    \b
    Example:
      ntqr-exact dependence example:uci-adult-imaginary --budget 0.02 --claim "3 > 1"
      ntqr-exact dependence example:uci-adult-imaginary --coq > adult.v && ntqr-exact proofs check adult.v
    """
    options.check_outputs(votes_path, certificate, checker)
    found = study_dependence(
        options.load_votes(votes_path, **reading), budgets=budgets, claims=claims, quick=quick
    )
    if certificate is not None:
        options.write_output(certificate, write_json(found.certificates()), votes_path)
    if checker is not None:
        options.write_output(checker, checker_source(), votes_path)
    if as_coq:
        theorem = found.to_coq()  # first of all, for it may be refused
        if found.least.certificate_with_theorem is not found.least.certificate:
            told = (
                "The least dependence is that of the closed form: so many whole numbers are not tried in Coq."
            )
            click.echo(told, err=True)
        options.show_coq(theorem)
        return
    options.show(found, as_json=as_json)
