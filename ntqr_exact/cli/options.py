"""Options and arguments that several commands share, and what they read."""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from importlib.resources import as_file
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import click

from ntqr_exact.budget import accounted, check_work
from ntqr_exact.cli.completion import completing
from ntqr_exact.cli.terminal import harmless, own_words, progress_stream
from ntqr_exact.errors import DecisionsNote
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.majority import TiePolicy
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.examples import EXAMPLES, PANELS, example
from ntqr_exact.sampling.graded_votes import Drawn
from ntqr_exact.sampling.partial_key import PartialKey, read_test
from ntqr_exact.votes.abstentions import AbstainingVotes, answered
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.ordinal import from_level_on, rating_levels
from ntqr_exact.whole_file import check_output, write_whole

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Decorator = Callable[[Any], Any]

VotesOrKey: TypeAlias = VoteCounts | LabeledVoteCounts | PartialKey
VotesOfAnyKind: TypeAlias = VotesOrKey | AbstainingVotes
Paths: TypeAlias = "str | tuple[str, ...]"
"""A file, `example:NAME`, or several files that are read together."""

_COLOURS = {"ALARM": "red", "UNDECIDED": "yellow"}
_VERDICT = re.compile(r"\b(?:ALARM|UNDECIDED)\b")

_TOLD_EVERY = 1_000_000
_EXAMPLE = "example:"
STANDARD_OUTPUT = "-"
"""The output that is no file of this name."""
IN_PLACE_OF_A_FILE = f"In place of a file: {', '.join(_EXAMPLE + name for name in (*PANELS, *EXAMPLES))}."

json_option = click.option("--json", "as_json", is_flag=True, help="Print exact JSON instead of words.")


def flag(name: str, words: str, *parameter: str) -> _Decorator:
    """Return an option that is given or not; the parameter is named like it unless told otherwise."""
    return click.option(name, *parameter, is_flag=True, help=words)


def setting(name: str, default: object, words: str, kind: click.ParamType | None = None) -> _Decorator:  # type: ignore[type-arg]
    """Return an option with a default, which the help shows."""
    return click.option(name, default=default, show_default=True, help=words, type=kind)


def choice_option(name: str, default: Enum | type[Enum], words: str) -> _Decorator:
    """Return an option that takes the values of an enum, one unless told otherwise, or any number of them."""
    if isinstance(default, Enum):
        return setting(name, default.value, words, click.Choice([member.value for member in type(default)]))
    return click.option(name, type=click.Choice([kind.value for kind in default]), multiple=True, help=words)


ties_option = choice_option(
    "--ties", TiePolicy.FIRST_LABEL, "What the majority says where several labels have the most votes."
)


factor_option = setting(
    "--factor", "2", "On each label, factor × right answers must exceed the questions; 2 is better than half."
)

grade_option = setting("--minimum-grade", "0", "Least share of right answers in all.")


def only_one_of(**given: object) -> None:
    """Refuse options of which each says alone what is printed, so that none is passed over in silence."""
    names = [f"--{name}" for name, value in given.items() if value]
    if len(names) > 1:
        raise click.UsageError(f"{' and '.join(names)} exclude each other: give one of them")


def show_json(document: Any) -> None:
    """Print exact JSON."""
    click.echo(write_json(document), nl=False)


def show_coq(text: str) -> None:
    """Print theorems for Coq, and say how to check them."""
    click.echo(text, nl=False)
    click.echo("Check it with: ntqr-exact proofs check FILE.v", err=True)


_HTML = "ntqr_exact.html"


def _keep_html(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    ctx.meta[_HTML] = value


html_option = click.option(
    "--html",
    metavar="FILE",
    expose_value=False,
    callback=_keep_html,
    help="Write one HTML page with pictures.",
)


def html_file() -> str | None:
    """Return the file that --html names, if any."""
    ctx = click.get_current_context(silent=True)
    return None if ctx is None else ctx.meta.get(_HTML)


def check_html(*inputs: str) -> None:
    """Refuse to write the page over an input, before the work."""
    ctx = click.get_current_context(silent=True)
    if ctx is not None and ctx.meta.get(_HTML) not in (None, STANDARD_OUTPUT):
        check_output(ctx.meta[_HTML], inputs)


def show(result: Any, *, as_json: bool) -> None:
    """Print a result as JSON or as text, and write its page if --html asks for one."""
    ctx = click.get_current_context(silent=True)
    html = None if ctx is None else ctx.meta.get(_HTML)
    if html is not None and ctx is not None:
        from ntqr_exact.views.page import html_page

        inputs = [
            value for name, value in ctx.params.items() if name.endswith("path") and isinstance(value, str)
        ]
        names = " and ".join(Path(name).name for name in inputs)
        text = html_page(result, f"{ctx.info_name}: {names}" if names else str(ctx.info_name))
        if html == STANDARD_OUTPUT:
            click.echo(text.encode("utf-8", errors="backslashreplace"), nl=False)
            return
        write_output(html, text.encode("utf-8", errors="backslashreplace").decode(), *inputs)
        click.echo(f"wrote {html}", err=True)
        if not as_json:
            return
    with accounted():  # the work of printing is not limited by the work of computing
        text = harmless(result.to_json() if as_json else str(result))
    click.echo(text if as_json else coloured(text), nl=not as_json, file=own_words())


def coloured(text: str) -> str:
    """Return text with its verdicts in colour; `click.echo` leaves colours out where nobody sees them.

    >>> coloured("Independent errors: ALARM: no key").replace(chr(27), "<esc>")
    'Independent errors: <esc>[31m<esc>[1mALARM<esc>[0m: no key'
    """
    return _VERDICT.sub(lambda found: click.style(found[0], fg=_COLOURS[found[0]], bold=True), text)


class NameList(click.ParamType):  # type: ignore[type-arg]
    """Names separated by commas; a name with a comma in it stands in double quotes."""

    name = "a,b,…"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split as a line of CSV."""
        if isinstance(value, tuple):
            return value
        try:
            names = next(csv.reader([value], strict=True), [])
        except csv.Error as error:
            self.fail(f"{value!r} is not a list of names: {error}", param, ctx)
        return tuple(names)


delimiter_option = click.option(
    "--delimiter",
    help="Field delimiter: a character, or comma, semicolon, tab, pipe, space (default: detected).",
)


header_option = click.option(
    "--header/--no-header",
    default=None,
    help="Whether the first row names the columns (default: detected); without names they are 1, 2, …",
)


def votes_command(function: Callable[..., Any]) -> click.Command:
    """Make a command of VOTES, which may be those of an example."""
    return click.command(epilog=IN_PLACE_OF_A_FILE)(votes_options(function))


def votes_options(function: _Function) -> _Function:
    """Add the argument VOTES and the options that say how decisions are counted."""
    for decorate in (
        click.option(
            "--at-least",
            metavar="LEVEL",
            help="See ratings as two labels: below this level, and from it on; needs --ordinal.",
        ),
        click.option(
            "--ordinal", metavar="1..5", help="The labels are ratings, lowest first: 1..5, or names."
        ),
        click.option(
            "--abstain",
            metavar="LABEL",
            help="The answer by which judges abstain; it is never the true label.",
        ),
        click.option(
            "--missing",
            metavar="keep|drop|label:NAME",
            help="Keep missing answers as gaps (default), skip their questions, or make them an answer.",
        ),
        header_option,
        delimiter_option,
        click.option(
            "--long",
            type=NameList(),
            metavar="QUESTION,JUDGE,ANSWER",
            help="Columns of a file with a row for each answer, by name or position (default: detected).",
        ),
        click.option(
            "--labels", type=NameList(), help="All labels that could occur (default: those that do)."
        ),
        click.option(
            "--judges", type=NameList(), help="The judges to look at, by their columns (default: all)."
        ),
        click.option(
            "--truth",
            metavar="COLUMN|FILE",
            help="The answer key: a column, or a file of questions and labels.",
        ),
        click.argument(
            "votes_path",
            metavar="VOTES...",
            nargs=-1,
            required=True,
            callback=lambda _context, _parameter, paths: paths[0] if len(paths) == 1 else paths,
            shell_complete=completing(
                lambda: (_EXAMPLE + name for name in (*PANELS, *EXAMPLES)), or_files=True
            ),
        ),
    ):
        function = decorate(function)
    return function


drawn_option = choice_option(
    "--drawn", Drawn.NOT_AT_RANDOM, "How the questions with a key were chosen, where only some have one."
)


def check_outputs(votes_path: Paths, *places: str | None) -> None:
    """Refuse to write over what is read before anything is done."""
    for place in places:
        if place not in (None, STANDARD_OUTPUT):
            check_output(place, [votes_path] if isinstance(votes_path, str) else votes_path)


def write_output(place: str, text: str, *inputs: Paths) -> None:
    """Write a file all or not at all, and never over one that is read."""
    try:
        paths = [path for each in inputs for path in ([each] if isinstance(each, str) else each)]
        write_whole(place, text, inputs=paths)
    except OSError as error:
        raise click.ClickException(f"{place!r} cannot be written: {error.strerror}") from None


def engine_options(function: _Function) -> _Function:
    """Add `--workers N` and `--dask ADDRESS`."""
    dask = click.option("--dask", metavar="ADDRESS", help="Use the dask cluster with this scheduler.")
    workers = click.option(
        "--workers", type=click.IntRange(min=1), help="How many processes of this machine to use."
    )
    return workers(dask(function))


@contextmanager
def working(length: int, label: str, **where: Any) -> Iterator[tuple[Any, Any]]:
    """Hold the executor that the options of the engine ask for, and a bar that is shown where somebody looks."""
    from ntqr_exact.sweep import engine

    with (
        engine(**where) as executor,
        click.progressbar(length=length, label=label, file=progress_stream()) as bar,
    ):
        yield executor, bar


level_option = setting("--level", "0.95", "The level of each interval, exact.")


@contextmanager
def source_path(votes_path: Paths) -> Iterator[Paths]:
    """Yield the path of a file that a user named, or of the example that `example:NAME` means; or several paths."""
    if not isinstance(votes_path, str) or not votes_path.startswith(_EXAMPLE):
        check_html(*([votes_path] if isinstance(votes_path, str) else votes_path))
        yield votes_path
        return
    with as_file(example(votes_path.removeprefix(_EXAMPLE)).path) as path:
        yield str(path)


def levels_of(
    ordinal: str | None, labels: tuple[str, ...] | None, at_least: str | None
) -> tuple[str, ...] | None:
    """Return the levels that --ordinal names; `None` without it."""
    if ordinal is None and at_least is not None:
        raise click.UsageError("--at-least is a level of ratings: say what they are by --ordinal")
    if ordinal is not None and labels is not None:
        raise click.UsageError("--ordinal names the labels: leave --labels out")
    return None if ordinal is None else rating_levels(ordinal)


def load_all(
    votes_path: Paths,
    *,
    drawn: str = Drawn.NOT_AT_RANDOM.value,
    labels: tuple[str, ...] | None = None,
    abstain: str | None = None,
    ordinal: str | None = None,
    at_least: str | None = None,
    **options: Any,
) -> VotesOfAnyKind:
    """Return the votes that a user named, with the part of the key that is there, and with abstentions if told.

    They are in a file, or `example:NAME` for data that ships with us.
    """
    levels = levels_of(ordinal, labels, at_least)
    labels = labels if levels is None else levels
    if labels is not None and abstain is not None and abstain not in labels:
        labels = (*labels, abstain)
    with source_path(votes_path) as path, row_counter() as progress:
        found = read_test(path, drawn=drawn, labels=labels, progress=progress, **options)
    told = found if abstain is None else _abstaining(found, abstain)
    if at_least is not None:
        return _view(_answered(told), at_least, levels)
    if ordinal is not None:
        _note(
            "ratings are taken for names without an order here, so that a near miss is as wrong as any other; "
            "--at-least LEVEL makes two labels of them, and `ntqr-exact agreement --ordinal` uses the order"
        )
    return told


def with_abstentions(
    found: VotesOfAnyKind,
) -> VotesOrKey:
    """Return votes with the abstention as an answer like any other, to be counted and shown."""
    return found.votes if isinstance(found, AbstainingVotes) else found


def load_test(votes_path: Paths, **options: Any) -> VotesOrKey:
    """Return the votes that a user named; where somebody abstained, those that all judges answered, and say so."""
    return _answered(_few_enough(load_all(votes_path, **options)))


def _few_enough(
    found: VotesOfAnyKind,
) -> VotesOfAnyKind:
    """Return votes of as many judges as can be compared with each other, each with each and in several ways."""
    judges = found.votes.judges if isinstance(found, PartialKey) else found.judges
    check_work("a comparison of so many judges", 8 * len(judges) ** 2)
    return found


def load_votes(votes_path: Paths, **options: Any) -> VoteCounts | LabeledVoteCounts:
    """Return the votes that a user named, without a key that is only there in part, and say so."""
    found = load_test(votes_path, **options)
    if not isinstance(found, PartialKey):
        return found
    _note(
        f"{found.graded_size} of {found.size} questions have a key; this command looks at the votes alone, and "
        "`ntqr-exact graded` at the key, too"
    )
    return found.votes


def _note(text: str) -> None:
    warnings.warn(text, DecisionsNote, stacklevel=2)


def _abstaining(found: VotesOrKey, abstain: str) -> VotesOfAnyKind:
    """Return votes with abstentions, or as they are where nobody abstained."""
    if abstain not in (found.votes if isinstance(found, PartialKey) else found).labels:
        _note(f"nobody answered {abstain!r}: there are no abstentions")
        return found
    if not isinstance(found, PartialKey):
        return AbstainingVotes(found, abstain)
    AbstainingVotes(found.graded, abstain)  # the key must not have it
    kept = PartialKey(answered(found.votes, abstain), answered(found.graded, abstain), drawn=found.drawn)
    _tell_left_out(found.size - kept.size, found.size, abstain)
    return kept


def _answered(
    found: VotesOfAnyKind,
) -> VotesOrKey:
    if not isinstance(found, AbstainingVotes):
        return found
    kept = found.answered()
    _tell_left_out(found.size - kept.size, found.size, found.abstain)
    return kept


def _tell_left_out(left_out: int, size: int, abstain: str) -> None:
    _note(
        f"{left_out} of {size} questions are left out, on which somebody answered {abstain!r}: this looks at those "
        "that all judges answered"
    )


def _view(found: VotesOrKey, at_least: str, levels: tuple[str, ...] | None) -> VotesOrKey:
    if not isinstance(found, PartialKey):
        return from_level_on(found, at_least, levels=levels)
    if found.drawn is Drawn.BY_STRATA:
        rule = "questions drawn by their ratings cannot be seen as two labels: leave --at-least out"
        raise click.UsageError(rule)
    votes = from_level_on(found.votes, at_least, levels=levels)
    return PartialKey(votes, from_level_on(found.graded, at_least, levels=levels), drawn=found.drawn)


@dataclass(frozen=True, slots=True)
class NamedVotes:
    """Votes that a user named, and what is known of their grades where the votes have no key of their own."""

    votes: VotesOfAnyKind
    known: Evaluation | None

    @property
    def observed(self) -> VoteCounts:
        """The votes without what is known of their key."""
        match _answered(self.votes):
            case PartialKey(votes=votes) | (VoteCounts() as votes):
                return votes
            case LabeledVoteCounts() as labeled:
                return labeled.observed()


def load_observed(votes_path: Paths, **options: Any) -> VoteCounts:
    """Return the votes that a user named, without a key."""
    found = load_votes(votes_path, **options)
    return found.observed() if isinstance(found, LabeledVoteCounts) else found


def load_case(votes_path: Paths, **options: Any) -> NamedVotes:
    """Return the votes that a user named; of an example, with the grades that its source tells."""
    known = None
    if isinstance(votes_path, str) and votes_path.startswith(_EXAMPLE):
        one = example(votes_path.removeprefix(_EXAMPLE))
        known = one.evaluation.rates() if one.labeled is None else None  # else the file has its key
    return NamedVotes(_few_enough(load_all(votes_path, **options)), known)


@contextmanager
def row_counter() -> Iterator[Callable[[int], None]]:
    """Yield what counts the rows of a long file, and tells how many now and then if somebody is looking."""
    rows = shown = 0
    stream = progress_stream()

    def add(more: int) -> None:
        nonlocal rows, shown
        rows += more
        if rows - shown >= _TOLD_EVERY:
            shown = rows
            click.echo(f"\r{rows:,} rows counted", file=stream, nl=False)

    try:
        yield add
    finally:
        if shown:
            click.echo(file=stream)  # end the line
