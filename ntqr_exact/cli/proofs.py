"""`ntqr-exact proofs`: what a proof assistant accepts."""

from __future__ import annotations

import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.cli.exit_codes import CHECK_FAILED
from ntqr_exact.cli.groups import HelpfulGroup
from ntqr_exact.cli.terminal import progress_stream
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.proofs.check import CheckedFile, check_proofs
from ntqr_exact.proofs.export import derivations_to_coq
from ntqr_exact.proofs.extraction import compile_checker, compile_library
from ntqr_exact.proofs.library import MODULES
from ntqr_exact.proofs.proven_page import proven_table


@click.group(cls=HelpfulGroup)
def proofs() -> None:
    """Theorems about votes and keys, checked by the kernel of Coq.

    The library says what keys, rates and alarms are, and proves the equations of the paper and every kind of alarm.
    `derive --coq`, `evaluate --coq` and `alarm --coq` write files that go with it.
    """


@proofs.command()
@click.argument("paths", nargs=-1, metavar="[FILE.v]...", type=click.Path(path_type=Path))
@options.flag("--derivations", "Check every equation that can be derived, too (minutes).")
@options.json_option
def check(*, paths: tuple[Path, ...], derivations: bool, as_json: bool) -> int:
    """Check the library, and further files, with coqc and coqchk; fails on any axiom.

    \b
    Example:
      ntqr-exact evaluate example:two-norm --coq > two_norm.v
      ntqr-exact proofs check two_norm.v
    """
    with tempfile.TemporaryDirectory() as folder:
        given = list(paths)
        if derivations:
            given.append(Path(folder) / "derivations.v")
            given[-1].write_text(derivations_to_coq(map(derive, derivation_names())), encoding="utf-8")
        with _bar(len(MODULES) + len(given)) as bar:
            found = check_proofs(given, progress=lambda: bar.update(1))
    if as_json:
        options.show_json([_document(each) for each in found])
    else:
        for each in found:
            click.echo(f"{each.name}: {'; '.join(each.problems) or 'accepted by coqc and coqchk'}")
            for theorem in each.theorems:
                click.echo(f"  {theorem.name}: {theorem.axioms or _unproven(each) or 'no axioms'}")
    return CHECK_FAILED if any(each.problems for each in found) else 0


@proofs.command(name="list")
def list_theorems() -> None:
    """Print which theorem stands behind each equation and each kind of alarm, as a table."""
    click.echo(proven_table(), nl=False)


@proofs.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def extract(*, folder: Path) -> None:
    """Let Coq write the proven functions as OCaml into a folder, and compile them.

    \b
    Example:
      ntqr-exact proofs extract proven
      echo "trio 181 90 86 115 86 109 100 233" | proven/checker
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _bar(len(MODULES)) as bar:
        compile_library(folder, lambda: bar.update(1))
    click.echo(f"The checker is {compile_checker(folder)}; checker.ml says what it reads.")


def _bar(length: int) -> AbstractContextManager[Any]:
    return click.progressbar(length=length, label="compiling", file=progress_stream())


def _unproven(checked: CheckedFile) -> str:
    return "not proven" if checked.problems else ""


def _document(checked: CheckedFile) -> dict[str, object]:
    theorems = [{"name": theorem.name, "axioms": theorem.axioms} for theorem in checked.theorems]
    return {"file": checked.name, "theorems": theorems, "problems": list(checked.problems)}
