"""`ntqr-exact census`: all votes of a test size, classified, with exact totals."""

from __future__ import annotations

import textwrap

import click

from ntqr_exact.blocks.text import table_text
from ntqr_exact.census.alarm_formula import alarm_case, alarm_formula, count_alarms
from ntqr_exact.census.census import RECOUNT, Census, Share, take_census
from ntqr_exact.census.enumeration import votes_count
from ntqr_exact.census.safe_votes import AlarmCase
from ntqr_exact.cli import options
from ntqr_exact.evaluators.independent.independence_class import IndependenceClass
from ntqr_exact.exact.counted import counted
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.varieties.compositions import count_compositions


def _classes() -> str:
    """Return the classes with their meaning, a line or two for each, as they stand in the table."""
    width = max(len(kind.title) for kind in IndependenceClass)
    return "\b\nClasses, which exclude each other:\n" + "\n".join(
        textwrap.fill(
            f"{kind.title:<{width}}  {kind.meaning}",
            78,
            initial_indent="  ",
            subsequent_indent=" " * (width + 4),
        )
        for kind in IndependenceClass
    )


@click.command(epilog=_classes())
@click.option("--judges", type=int, default=3, show_default=True, help="The number of judges.")
@click.option("--questions", type=int, help="The number of questions of the test.")
@options.flag("--symmetry", "Classify votes up to permuted judges and exchanged labels only.")
@options.flag("--alarms", "Also show how often each alarm fires, and with which others.")
@options.flag("--alarm", "Count the votes that raise the logical alarm instead; see --group.")
@click.option("--labels", type=int, default=2, show_default=True, help="With --alarm: the number of labels.")
@click.option(
    "--group", type=int, help="With --alarm: how many judges are looked at together; unless given, all."
)
@options.factor_option
@options.flag("--formula", "With --alarm: the number of alarms as a formula in the number of questions.")
@click.option("--workers", type=click.IntRange(min=1), help="How many processes of this machine to use.")
@options.flag("--loky", "Let the processes be loky's.")
@click.option("--dask", metavar="ADDRESS", help="Use the dask cluster whose scheduler is at this address.")
@click.option(
    "--checkpoint",
    metavar="FILE",
    help="Keep finished chunks in this file, and go on from those that are in it.",
)
@click.option(
    "--recount",
    metavar="N|all",
    default=str(RECOUNT),
    show_default=True,
    help="How many chunks of the checkpoint, drawn at random, are counted again, or all of them.",
)
@options.json_option
def census(
    *,
    judges: int,
    questions: int | None,
    labels: int,
    group: int | None,
    factor: str,
    workers: int | None,
    dask: str | None,
    checkpoint: str | None,
    recount: str,
    symmetry: bool,
    alarms: bool,
    alarm: bool,
    formula: bool,
    loky: bool,
    as_json: bool,
) -> None:
    """Classify all votes of a test by what independent errors make of them.

    Each vote of three judges between two labels is put into one of seven classes, exactly. With the moments Δ_ij and
    T of the votes, Π = Δ_12Δ_13Δ_23 and A = T² + 4Π. An independent key exists for the independent votes and for the
    unidentified ones. The census can be
    interrupted or killed at any moment: started again with the same checkpoint file, it goes on from there.

    \b
    Example:
      ntqr-exact census --judges 3 --questions 12 --symmetry
      ntqr-exact census --alarm --judges 2 --factor 2 --formula
    """
    if alarm and formula:
        found_formula = alarm_formula(judges=judges, labels=labels, group_size=group, factor=factor)
        click.echo(found_formula.to_json() if as_json else str(found_formula), nl=not as_json)
        return
    if questions is None:
        raise click.UsageError("Missing option '--questions'.")
    if alarm:
        case = alarm_case(judges=judges, labels=labels, group_size=group, factor=factor)
        _tell_alarms(case, questions, as_json=as_json)
        return
    with options.working(votes_count(questions), "votes", workers=workers, dask=dask, loky=loky) as (
        executor,
        bar,
    ):
        found = take_census(
            questions,
            judges=judges,
            symmetry=symmetry,
            executor=executor,
            checkpoint=checkpoint,
            recount=recount,
            progress=bar.update,
        )
    if found.trusted:  # the result itself is the same bytes whether it was interrupted or not
        told = f"note: taken from {checkpoint} without being counted again: {counted(found.trusted, 'chunk')}"
        click.echo(f"{told}; whoever can write to that file could have forged them: see --recount", err=True)
    click.echo(found.to_json() if as_json else words(found, alarms=alarms), nl=not as_json)


def _tell_alarms(case: AlarmCase, questions: int, *, as_json: bool) -> None:
    fired, total = count_alarms(case, questions), count_compositions(questions, len(case.patterns))
    document = {"questions": questions, "votes": total, "alarms": fired}
    words_ = f"{fired} of the {total} votes of {questions} questions raise the alarm."
    click.echo(write_json(document) if as_json else words_, nl=not as_json)


def words(found: Census, *, alarms: bool) -> str:
    """Return the census as tables."""
    lines = [f"All votes of 3 judges between 2 labels on {found.questions} questions", ""]
    numbers = ["votes"] if found.total.orbits is None else ["orbits", "votes"]
    rows = [[kind.title, *_cells(share)] for kind, share in found.classes().items()]
    lines.append(table_text(["class", *numbers], [*rows, ["total", *_cells(found.total)]], indent=0))
    with_key = [["an independent key exists", *_cells(found.with_key)]]
    lines += ["", table_text(["", *numbers], with_key, indent=0)]
    if alarms:
        rows = [[kind.title, *_cells(share)] for kind, share in found.alarms().items()]
        lines += ["", table_text(["alarm fires", *numbers], rows, indent=0)]
        rows = [
            [f"{kind.title}: {', '.join(alarm.title for alarm in fired) or 'no alarm'}", *_cells(share)]
            for (kind, fired), share in found.combinations().items()
        ]
        lines += ["", table_text(["class: exactly these alarms", *numbers], rows, indent=0)]
    return "\n".join(lines)


def _cells(share: Share) -> list[int]:
    return [share.votes] if share.orbits is None else [share.orbits, share.votes]
