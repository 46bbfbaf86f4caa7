"""`ntqr-exact report`: one HTML file to send, with exact numbers, proofs and pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.budget import check_work
from ntqr_exact.cli import metrics as metrics_command
from ntqr_exact.cli import options
from ntqr_exact.cli import significance as significance_command
from ntqr_exact.cli.groups import HelpfulGroup
from ntqr_exact.cli.terminal import progress_stream

_HELP = {"-h", "--help"}
_TYPED = "ntqr_exact.typed"
"""Where the context keeps the words after the name of a command."""

_output_option = click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="The HTML file to write, or to replace; - is standard output.",
)
_title_option = click.option("--title", help="The title of the page.")


class _VotesUnlessNamed(HelpfulGroup):
    """A group that takes what is none of its commands for the VOTES of the first."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `votes` before what does not begin with a command."""
        if args and args[0] not in self.commands and args[0] not in _HELP:
            args = ["votes", *args]
        ctx.meta[_TYPED] = tuple(args[1:])
        return super().parse_args(ctx, args)


@click.group(cls=_VotesUnlessNamed)
def report() -> None:
    """Write one HTML file to send: exact numbers, proofs, pictures.

    `report VOTES -o FILE` is short for `report votes VOTES -o FILE`. The file loads nothing from the network and
    runs nothing (unless it is --interactive); the same input gives the same bytes.

    \b
    Example:
      ntqr-exact report example:two-norm -o report.html
    """


@report.command(epilog=options.IN_PLACE_OF_A_FILE)
@options.votes_options
@options.drawn_option
@options.factor_option
@options.grade_option
@options.ties_option
@_title_option
@options.flag("--interactive", "Add pictures to turn and to slide: a file of some 5 MB.")
@_output_option
@options.json_option
@click.pass_context
def votes(
    ctx: click.Context,
    /,
    votes_path: str,
    *,
    factor: str,
    minimum_grade: str,
    ties: str,
    title: str | None,
    interactive: bool,
    output: str,
    as_json: bool,
    **reading: Any,
) -> None:
    """Report on a test: everything that its votes say of the judges.

    VOTES is a votes file or a decisions CSV; --truth names the column of the answer key, if there is one. An alarm
    in the report is no failure of the command: the exit code is 0.

    \b
    Example:
      ntqr-exact report decisions.csv --truth key --factor 3/2 -o report.html
    """
    options.check_outputs(votes_path, output)
    specification = SafetySpecification(factor, minimum_grade=minimum_grade)
    case = options.load_case(votes_path, **reading)
    check_work("pictures of so many judges", 1000 * len(case.observed.judges) ** 2)
    from ntqr_exact.views.report import votes_report

    text = votes_report(
        case.votes,
        title=title or f"Report on {Path(votes_path).name}",
        known=case.known,
        specification=specification,
        ties=ties,
        made_by=["report", *_typed(ctx)],
        interactive=interactive,
        progress=_progress(),
    )
    _write(text, output, votes_path, as_json=as_json)


def _metrics(
    ctx: click.Context, /, scores_path: str, *, title: str | None, output: str, **given: Any
) -> None:
    """Report on a classifier's scores: confusion, curves, areas, thresholds.

    The options are those of `ntqr-exact metrics`; --table says how many thresholds are shown.

    \b
    Example:
      ntqr-exact report metrics scores.csv --label y --score s -o report.html
    """
    options.check_outputs(scores_path, output)
    from ntqr_exact.views.report.reports import QUERIES, THRESHOLDS, metrics_report

    as_json = given.pop("as_json")
    given["queries"] = given["queries"] or QUERIES
    given["rows"] = given["rows"] or THRESHOLDS
    text = metrics_report(
        metrics_command.score_study(scores_path, **given),
        title=title or f"Report on {Path(scores_path).name}",
        made_by=["report", "metrics", *_typed(ctx)],
    )
    _write(text, output, scores_path, as_json=as_json)


def _significance(
    ctx: click.Context, /, *, title: str | None, output: str, as_json: bool, **given: Any
) -> None:
    """Report on a comparison of two models under every reading of the variance.

    The options are those of `ntqr-exact significance`.

    \b
    Example:
      ntqr-exact report significance --control 108/23679 --treatment 56/23679 \\
        --precision 0.8897 --false-omission 0.22769 -o report.html
    """
    found = significance_command.significance_study(**given)
    from ntqr_exact.views.report import significance_report

    left_out = frozenset({"output", "title", "as_json"})
    text = significance_report(
        found, arguments=_typed(ctx, left_out), **({"title": title} if title is not None else {})
    )
    _write(text, output, as_json=as_json)


def _like(command: click.Command, name: str, callback: Callable[..., None]) -> click.Command:
    """Return a command of a report with the options of the command that it reports on, and its own."""

    @click.pass_context
    def called(ctx: click.Context, /, **given: Any) -> None:
        callback(ctx, **given)

    made = click.Command(name, callback=called, params=list(command.params), help=callback.__doc__)
    return _title_option(_output_option(made))


def _typed(ctx: click.Context, left_out: frozenset[str] = frozenset()) -> list[str]:
    """Return the words that were typed, paths by their names only: a report is sent to others.

    An option that is left out goes with the word after it, unless it is a flag.
    """
    paths = {ctx.params.get(name) for name in ("votes_path", "scores_path", "output")}
    skipped = {
        word: 1 if getattr(parameter, "is_flag", False) else 2
        for parameter in ctx.command.params
        if parameter.name in left_out
        for word in parameter.opts
    }
    words: list[str] = []
    typed = list(ctx.meta[_TYPED])
    while typed:
        if typed[0] in skipped:
            del typed[: skipped[typed[0]]]
            continue
        word = typed.pop(0)
        words.append(Path(word).name if word in paths and word != options.STANDARD_OUTPUT else word)
    return words


def _progress() -> Callable[[str], None]:
    stream = progress_stream()
    return lambda step: click.echo(f"report: {step}", file=stream)


def _write(text: str, output: str, *inputs: str, as_json: bool) -> None:
    """Write all or nothing: a file that is being read by others is replaced at once."""
    data = text.encode("utf-8", errors="backslashreplace")
    if output == options.STANDARD_OUTPUT:
        click.echo(data, nl=False)
        return
    options.write_output(output, data.decode(), *inputs)
    if as_json:
        options.show_json({"output": output, "bytes": len(data)})
    else:
        click.echo(f"{len(data) // 1000 + 1} kB -> {output}", err=True)


report.add_command(_like(metrics_command.metrics, "metrics", _metrics))
report.add_command(_like(significance_command.significance, "significance", _significance))
