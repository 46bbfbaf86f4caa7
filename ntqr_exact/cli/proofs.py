"""`ntqr-exact proofs`: what a proof assistant accepts."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from ntqr_exact.cli import options
from ntqr_exact.cli.exit_codes import CHECK_FAILED
from ntqr_exact.cli.groups import HelpfulGroup
from ntqr_exact.cli.terminal import progress_stream
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.proofs.check import MODULES, check_proofs, source_of, theorems_of
from ntqr_exact.proofs.export import derivations_to_coq, theorem_name


@click.group(cls=HelpfulGroup)
def proofs() -> None:
    """Theorems about votes and keys, checked by the kernel of Coq.

    The library proves the postulates, the alarms of independence, and the soundness of safety certificates.
    `derive --coq` and `evaluate --coq` write files that go with it.
    """


@proofs.command()
@click.argument("paths", nargs=-1, metavar="[FILE.v]...", type=click.Path(path_type=Path))
@options.flag("--derivations", "Also check every equation that can be derived (minutes).")
@options.json_option
def check(*, paths: tuple[Path, ...], derivations: bool, as_json: bool) -> int:
    """Check the library, and further files, with coqc; fails on any axiom.

    The library is compiled once, into the cache of the user; later checks take seconds.

    \b
    Example:
      ntqr-exact evaluate example:two-norm --coq > two_norm.v
      ntqr-exact proofs check two_norm.v
    """
    with tempfile.TemporaryDirectory() as folder:
        given = list(paths)
        for derivation in map(derive, derivation_names() if derivations else ()):
            given.append(Path(folder) / f"{theorem_name(derivation)}.v")
            given[-1].write_text(derivations_to_coq([derivation]), encoding="utf-8")
        length = len(MODULES) + len(given)
        with click.progressbar(length=length, label="compiling", file=progress_stream()) as bar:
            found = check_proofs(given, progress=lambda: bar.update(1))
    if as_json:
        options.show_json(
            [
                {"file": one.name, "theorems": list(one.theorems), "problems": list(one.problems)}
                for one in found
            ]
        )
    else:
        for one in found:
            accepted = f"{len(one.theorems)} theorems accepted by coqc, no axioms"
            click.echo(f"{one.name}: {'; '.join(one.problems) or accepted}")
    return CHECK_FAILED if any(each.problems for each in found) else 0


@proofs.command(name="list")
def list_theorems() -> None:
    """Print the theorems of each file of the library."""
    for module in MODULES:
        click.echo(f"{module}: {', '.join(theorems_of(source_of(module)))}")
