"""`ntqr-exact derive`: derivations step by step, checked by expansion alone."""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.cli.completion import completing
from ntqr_exact.cli.exit_codes import CHECK_FAILED
from ntqr_exact.cli.terminal import own_words
from ntqr_exact.exact.json_text import encode_number
from ntqr_exact.postulates.derivations import Derivation, derivation_names, derive
from ntqr_exact.postulates.equations import misprints
from ntqr_exact.postulates.postulate import Status
from ntqr_exact.postulates.refutations import Refutation, Survived, refute_misprint
from ntqr_exact.proofs.export import derivations_to_coq


@click.command(name="derive")
@click.argument("equations", nargs=-1, metavar="[EQUATION]...", shell_complete=completing(derivation_names))
@options.flag("--all", "Every equation that can be derived.", "every")
@options.flag("--check", "Only check, with the independent checker.", "is_checked")
@options.flag("--coq", "Print theorems for the proof assistant Coq.", "as_coq")
@options.flag("--latex", "Print LaTeX, for amsmath.", "as_latex")
@options.json_option
def derive_command(
    *,
    equations: tuple[str, ...],
    every: bool,
    is_checked: bool,
    as_coq: bool,
    as_latex: bool,
    as_json: bool,
) -> int:
    """Derive equations of the paper from the postulates, with cofactors that anybody can expand.

    Without an equation, lists the statements that can be derived. An equation that is misprinted is derived in its
    right form, and the printed one is refuted by the smallest test on which it fails.

    \b
    ntqr-exact derive 33d
    ntqr-exact derive 33e --latex
    ntqr-exact derive --all --check
    ntqr-exact derive 33d --coq > eq33d.v && ntqr-exact proofs check eq33d.v
    """
    options.only_one_of(coq=as_coq, latex=as_latex, json=as_json)
    options.only_one_of(check=is_checked, coq=as_coq, latex=as_latex)
    every = every or (is_checked and not equations)
    names = derivation_names() if every else equations
    derivations = {name: derive(name) for name in names}
    if not names:
        _list(as_latex=as_latex, as_json=as_json)
        return 0
    if as_latex:
        click.echo("\n\n".join(each.latex() for each in derivations.values()))
        return 0
    if as_coq:
        options.show_coq(derivations_to_coq(derivations.values()))
        return 0
    found = {name: derivation.problems() for name, derivation in derivations.items()} if is_checked else {}
    wrong = {name: refute_misprint(name) for name in names if name in misprints().names}
    if as_json:
        document = [
            _document(derivation, found.get(name), wrong.get(name))
            for name, derivation in derivations.items()
        ]
        options.show_json(document if every or len(document) > 1 else document[0])
    elif is_checked:
        for name, problems in found.items():
            proven = click.style("proven", fg="green") if not problems else click.style("FAILED", fg="red")
            printed = "" if name not in wrong else f"; as printed, {_verdict(wrong[name])}"
            click.echo(
                f"{name}: {proven}{': ' if problems else ''}{'; '.join(problems)}{printed}", file=own_words()
            )
    else:
        parts = []
        for name, derivation in derivations.items():
            parts.append(str(derivation))
            if name in wrong:
                parts.append(str(wrong[name]))
        click.echo("\n\n".join(parts))
    failed = any(found.values()) or any(isinstance(result, Survived) for result in wrong.values())
    return CHECK_FAILED if failed and is_checked else 0


def _list(*, as_latex: bool, as_json: bool) -> None:
    """Print every statement that can be derived."""
    claims = {name: derive(name).claim for name in derivation_names()}
    if as_json:
        rows = [
            {"equation": name, "statement": f"{one.statement()} = 0", "latex": one.latex()}
            for name, one in claims.items()
        ]
        options.show_json(rows)
        return
    width = max(map(len, claims))
    for name, one in claims.items():
        form = one.latex() if as_latex else f"{one.statement()} = 0"
        corrected = "" if one.status is not Status.CORRECTED else "   (misprinted in the paper)"
        click.echo(f"{form} % {name}" if as_latex else f"{name.ljust(width)}  {form}{corrected}")


def _verdict(result: Refutation | Survived) -> str:
    match result:
        case Refutation():
            questions = "1 question" if result.test.size == 1 else f"{result.test.size} questions"
            return f"refuted by a test of {questions}, residual {result.residual}"
        case Survived():
            return f"not refuted by any test of up to {result.largest} questions"


def _document(
    derivation: Derivation, problems: list[str] | None, wrong: Refutation | Survived | None
) -> dict[str, Any]:
    document = derivation.to_document()
    if problems is not None:
        document["problems"] = problems
    if isinstance(wrong, Refutation):
        document["refuted_as_printed"] = {
            "claim": wrong.claim.polynomial.to_document(),
            "test": wrong.test.to_document(),
            "residual": encode_number(wrong.residual),
        }
    return document
