"""`ntqr-exact proofs`: what a proof assistant accepts."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from ntqr_exact.cli.groups import HelpfulGroup
from ntqr_exact.cli.options import json_option
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.proofs.check import CheckedFile, check_proofs
from ntqr_exact.proofs.coq_identity import derivation_to_coq

CHECK_FAILED = 1


@click.group(cls=HelpfulGroup)
def proofs() -> None:
    """Theorems about votes and keys, checked by the kernel of Coq.

    The library says what the alarm of three judges means, and proves that it fires exactly where no answer key leaves
    the errors independent. `derive --coq` and `evaluate --coq` write files that go with it.
    """


@proofs.command()
@click.argument("paths", nargs=-1, metavar="[FILE.v]...", type=click.Path(path_type=Path))
@click.option("--derivations", is_flag=True, help="Check every equation that can be derived, too (minutes).")
@json_option
def check(*, paths: tuple[Path, ...], derivations: bool, as_json: bool) -> int:
    """Check the library, and further files, with coqc and coqchk; fails on any axiom.

    \b
    Example:
      ntqr-exact evaluate example:two-norm --coq > two_norm.v
      ntqr-exact proofs check two_norm.v
    """
    with tempfile.TemporaryDirectory() as folder:
        given = list(paths)
        for number, name in enumerate(derivation_names() if derivations else ()):
            given.append(Path(folder) / f"equation_{number}.v")
            given[-1].write_text(derivation_to_coq(derive(name)), encoding="utf-8")
        found = check_proofs(given)
    if as_json:
        click.echo(write_json([_document(each) for each in found]), nl=False)
    else:
        for each in found:
            verdict = "; ".join(each.problems) or "proven, no axioms"
            click.echo(f"{each.name}: {verdict}: {', '.join(each.theorems)}")
    return CHECK_FAILED if any(each.problems for each in found) else 0


def _document(checked: CheckedFile) -> dict[str, object]:
    return {"file": checked.name, "theorems": list(checked.theorems), "problems": list(checked.problems)}
