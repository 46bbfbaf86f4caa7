"""Commands on the theory: postulates, derivations, the ledger of claims, proofs, the census."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from math import comb
from pathlib import Path
from typing import Any

import click

from ntqr_exact import postulates as theory
from ntqr_exact.blocks.text import table_text
from ntqr_exact.census import PATTERNS, take_census
from ntqr_exact.citation import SOURCES
from ntqr_exact.cli import CHECK_FAILED
from ntqr_exact.cli.main import HelpfulGroup
from ntqr_exact.cli.options import NAMES, WHOLE, command, flag, one_of, only_one_of, option
from ntqr_exact.cli.terminal import Printed, counter
from ntqr_exact.cli.votes_commands import coq_text
from ntqr_exact.exact.show import counted
from ntqr_exact.ledger.book import claim
from ntqr_exact.ledger.judgement import Verdict
from ntqr_exact.ledger.report import Entry, entry_text, matching, summary
from ntqr_exact.ledger.report import errata as errata_text
from ntqr_exact.ledger.report import ledger as checked_entries
from ntqr_exact.postulates import Space
from ntqr_exact.postulates.derivations import derivation_names, refute_misprint
from ntqr_exact.postulates.derivations import derive as derivation_of
from ntqr_exact.postulates.equations import misprints
from ntqr_exact.postulates.postulate import Status
from ntqr_exact.proofs.check import MODULES, check_proofs
from ntqr_exact.proofs.export import derivations_to_coq, theorem_name
from ntqr_exact.sweep import engine

# -- postulates and derivations -----------------------------------------------------------------------------


@command(
    option("--judges", "Number of judges.", 1, type=int),
    option("--labels", "Labels.", "a,b", type=NAMES, metavar="A,B,…"),
    option(
        "--form", "Rates with error correlations, for two labels, or counts.", "rates", type=one_of(Space)
    ),
    flag("--independent are_independent", "Assume that judges err independently."),
    option("--format notation", "Notation.", "text", type=click.Choice(["text", "latex"])),
    examples=(
        "postulates --judges 3 --form rates --format latex",
        "postulates --judges 2 --labels yes,no,unsure --form responses",
    ),
)
def postulates(given: Any) -> Printed:
    """Print the postulates that judges and their votes obey; each polynomial is 0.

    One judge and two judges come with the paper's other forms (eqs. 16, 33 to 37).
    """
    space = Space(given.form)
    if given.are_independent and space is not Space.RATES:
        raise click.UsageError("independent judges are described in rates: leave out --form responses")
    if given.are_independent:
        chosen = theory.independent(given.judges, given.labels)
    elif len(given.labels) == 2 and given.judges in (1, 2):
        printed = (theory.single if given.judges == 1 else theory.pair)(given.labels)
        chosen = printed.rates if space is Space.RATES else printed.responses
    else:
        chosen = theory.complete(given.judges, given.labels, spaces=[space])
    lines = [f"{one.latex()} % {one.name}" if given.notation == "latex" else str(one) for one in chosen]
    documents = [{**one.to_document(), "text": one.statement()} for one in chosen]
    parts = {"judges": given.judges, "labels": list(given.labels), "form": given.form}
    return Printed("\n".join(lines), parts | {"postulates": documents})


@command(
    click.Argument(["equations"], nargs=-1, metavar="[EQUATION]..."),
    flag("--all every", "Derive every equation that can be derived."),
    flag("--check is_checked", "Only check, with the independent checker."),
    "--coq",
    flag("--latex as_latex", "Print LaTeX, for amsmath."),
    is_long=True,
    examples=(
        "derive 33d",
        "derive 33e --latex",
        "derive --all --check",
        "derive 33d --coq > eq33d.v && ntqr-exact proofs check eq33d.v",
    ),
)
def derive(given: Any) -> tuple[Printed, int]:
    """Derive equations of the paper from the postulates, with cofactors that anybody can expand.

    Without an equation, lists the statements that can be derived. A misprinted equation is derived in its right form,
    and the printed one is refuted by the smallest test on which it fails.
    """
    only_one_of(coq=given.as_coq, latex=given.as_latex, json=given.as_json)
    only_one_of(check=given.is_checked, coq=given.as_coq, latex=given.as_latex)
    every = given.every or (given.is_checked and not given.equations)
    derivations = {name: derivation_of(name) for name in (derivation_names() if every else given.equations)}
    if not derivations:
        claims = {name: derivation_of(name).claim for name in derivation_names()}
        notes = {Status.CORRECTED: "   (misprinted in the paper)"}
        lines = [f"{name:10}{one.statement()} = 0{notes.get(one.status, '')}" for name, one in claims.items()]
        rows = [{"equation": name, "statement": f"{one.statement()} = 0"} for name, one in claims.items()]
        return Printed("\n".join(lines), rows), 0
    if given.as_latex:
        return Printed("\n\n".join(each.latex() for each in derivations.values())), 0
    if given.as_coq:
        return coq_text(derivations_to_coq(derivations.values())), 0
    parts, documents, fails = [], [], False
    for name, derivation in derivations.items():
        refuted = refute_misprint(name) if name in misprints().names else None
        problems, document = derivation.problems(), derivation.to_document()
        fails |= bool(problems) or (name in misprints().names and refuted is None)
        if given.is_checked:
            verdict = f"FAILED: {'; '.join(problems)}" if problems else "proven"
            if refuted is not None:
                size = counted(refuted.test.size, "question")
                verdict += f"; as printed, refuted by a test of {size}, residual {refuted.residual}"
            parts.append(f"{name}: {verdict}")
        else:
            parts.append("\n\n".join(str(each) for each in (derivation, refuted) if each is not None))
        if refuted is not None:
            document["refuted_as_printed"] = {
                "claim": refuted.claim.polynomial.to_document(),
                "test": refuted.test.to_document(),
                "residual": refuted.residual,
            }
        documents.append(document | ({"problems": problems} if given.is_checked else {}))
    text = ("\n" if given.is_checked else "\n\n").join(parts)
    alone = len(documents) == 1 and not given.every
    return Printed(text, documents[0] if alone else documents), CHECK_FAILED if fails else 0


# -- the ledger ---------------------------------------------------------------------------------------------

_SOURCE = click.Choice(list(SOURCES))

ledger = HelpfulGroup(
    "ledger",
    help="""Check the claims of the five sources: equations, theorems, table cells, sentences.

\b
Example:
  ntqr-exact ledger
  ntqr-exact ledger --source ntqr --verdict misprint
  ntqr-exact ledger show ntqr/eq-33e""",
)
ledger.default = "check"
_in_ledger = partial(command, parent=ledger, is_long=True)


@_in_ledger(
    option("--source sources", "Only this source; repeatable.", multiple=True, type=_SOURCE),
    option("--verdict", "Print claims with this verdict; repeatable.", multiple=True, type=one_of(Verdict)),
    option("--id patterns", "List ids like ntqr/table-2/*; repeatable.", multiple=True, metavar="PATTERN"),
    "--workers --dask",
)
def check(given: Any) -> tuple[Printed, int]:
    """Check the claims and count those that hold, are misprints or wrong, or depend on a reading (the default).

    Exit code 1 if a verdict differs from the one in its book.
    """
    entries = [*_checked(matching(sources=given.sources, patterns=given.patterns), given)]
    wanted = [entry for entry in entries if not given.verdict or entry.verdict.value in given.verdict]
    counts = summary(entries)
    document = {
        "summary": {source: {kind.value: n for kind, n in row.items()} for source, row in counts.items()},
        "claims": [entry.to_document() for entry in wanted],
    }
    rows = [[source, *row.values(), sum(row.values())] for source, row in counts.items()]
    if len(rows) > 1:
        rows.append(["all", *map(sum, zip(*(row[1:] for row in rows), strict=True))])
    table = table_text(["source", *(kind.value for kind in Verdict), "claims"], rows, indent=0)
    lines = [*map(_claim_line, wanted), ""] if given.verdict or given.patterns else []
    return Printed("\n".join([*lines, table]), document), _differences(entries)


@_in_ledger(click.Argument(["identities"], nargs=-1, required=True, metavar="ID..."))
def show(given: Any) -> tuple[Printed, int]:
    """Show claims in full: statement, evidence, proof or counterexample, and how to check by hand."""
    entries = [Entry(claim(identity), claim(identity).find()) for identity in given.identities]
    documents = [entry.to_document() for entry in entries]
    text = "\n\n".join(map(entry_text, entries))
    return Printed(text, documents if len(documents) > 1 else documents[0]), _differences(entries)


@_in_ledger(click.Argument(["source"], type=_SOURCE), "--workers --dask")
def errata(given: Any) -> tuple[Printed, int]:
    """Print the note on a source for its authors: place, printed, right, evidence."""
    entries = [*_checked(matching(sources=[given.source]), given)]
    return Printed(errata_text(given.source, entries)), _differences(entries)


def _checked(names: Sequence[str], given: Any) -> Iterator[Entry]:
    with engine(workers=given.workers, dask=given.dask) as executor:
        progress = counter(given.progress, f"{{}} of {len(names)} claims checked")
        for entry in checked_entries(names, executor=executor):
            yield entry
            progress()


def _claim_line(entry: Any) -> str:
    right = entry.finding.right and f"right {entry.finding.right}"
    tail = " ".join((right or "".join(entry.finding.evidence[:1])).split())
    return f"{entry.verdict.value:<13} {entry.claim.id}  {tail[:160]}"


def _differences(entries: Sequence[Any]) -> int:
    different = [entry for entry in entries if entry.differs]
    for entry in different:
        expected = entry.claim.verdict.value
        click.echo(f"{entry.claim.id}: {entry.verdict.value}, but the book says {expected}", err=True)
    return CHECK_FAILED if different else 0


# -- proofs and the census ----------------------------------------------------------------------------------

proofs = HelpfulGroup(
    "proofs",
    help="Check theorems about votes and keys with the kernel of Coq.\n\nThe library proves the postulates, the alarms "
    "of independence, and the soundness of safety certificates. `derive --coq` and `evaluate --coq` write files that "
    "use it.",
)


@command(
    click.Argument(["paths"], nargs=-1, metavar="[FILE.v]...", type=click.Path(path_type=Path)),
    flag("--derivations", "Also check every equation that can be derived (minutes)."),
    parent=proofs,
    is_long=True,
    examples=("evaluate example:two-norm --coq > two_norm.v", "proofs check two_norm.v"),
)
def check_command(given: Any) -> tuple[Printed, int]:
    """Check the library, and further files, with coqc; fails on any axiom.

    The library is compiled once, into the cache of the user; later checks take seconds.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = list(given.paths)
        for derivation in map(derivation_of, derivation_names() if given.derivations else ()):
            paths.append(Path(folder) / f"{theorem_name(derivation)}.v")
            paths[-1].write_text(derivations_to_coq([derivation]), encoding="utf-8")
        total = len(MODULES) + len(paths)
        checked = check_proofs(paths, progress=counter(given.progress, f"{{}} of {total} files compiled"))
    documents = [{"file": one.name, "theorems": one.theorems, "problems": one.problems} for one in checked]
    accepted = (f"{counted(len(one.theorems), 'theorem')} accepted by coqc, no axioms" for one in checked)
    lines = [
        f"{one.name}: {'; '.join(one.problems) or each}" for one, each in zip(checked, accepted, strict=True)
    ]
    return Printed("\n".join(lines), documents), CHECK_FAILED if any(one.problems for one in checked) else 0


@command(
    option("--questions", "Number of questions.", required=True, type=WHOLE),
    "--workers --dask",
    is_long=True,
    examples="census --questions 12",
)
def census(given: Any) -> Any:
    """Classify all votes of three judges between two labels by the solution for independent errors.

    With the moments Δ_ij and T of the votes, Π = Δ_12Δ_13Δ_23 and A = T² + 4Π. An independent key exists for the
    independent votes and for the unidentified ones.
    """
    total = comb(given.questions + PATTERNS - 1, PATTERNS - 1)
    with engine(workers=given.workers, dask=given.dask) as executor:
        progress = counter(given.progress, f"{{:,}} of {total:,} votes classified")
        return take_census(given.questions, executor=executor, progress=progress)
