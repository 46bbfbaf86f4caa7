"""Options and arguments that several commands share, and what they read."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import as_file
from typing import Any, TypeVar

import click

from ntqr_exact.cli.terminal import progress_stream
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.independent.solve import EFFORT
from ntqr_exact.evaluators.majority import TiePolicy
from ntqr_exact.examples import EXAMPLES, example
from ntqr_exact.graded.drawing import Drawn
from ntqr_exact.graded.partial_key import PartialKey
from ntqr_exact.graded.reading import read_test
from ntqr_exact.study.study import Part, Study
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_Function = TypeVar("_Function", bound=Callable[..., Any])

_EXAMPLE = "example:"
_FEW_QUESTIONS = 5

json_option = click.option("--json", "as_json", is_flag=True, help="Print exact JSON instead of words.")


ties_option = click.option(
    "--ties",
    type=click.Choice([policy.value for policy in TiePolicy]),
    default=TiePolicy.FIRST_LABEL.value,
    show_default=True,
    help="What the majority says where several labels have the most votes.",
)

effort_option = click.option(
    "--effort",
    type=click.IntRange(min=1),
    default=EFFORT,
    show_default=True,
    help="Steps of the search for an answer key where independent judges are not identified.",
)


factor_option = click.option(
    "--factor",
    default="2",
    show_default=True,
    help="On each label, factor × right answers must exceed the questions; 2 is better than half.",
)

grade_option = click.option(
    "--minimum-grade", default="0", show_default=True, help="Least share of right answers in all."
)


def show(found: Study | Part, *, as_json: bool) -> None:
    """Print a study: its document as JSON, or its sections as text."""
    click.echo(found.to_json() if as_json else str(found), nl=not as_json)


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


def votes_options(function: _Function) -> _Function:
    """Add the argument VOTES and the options that say how a CSV is counted."""
    for decorate in (
        click.option("--delimiter", help="The character between cells of a CSV (default: the comma)."),
        click.option(
            "--labels", type=NameList(), help="All labels that could occur (default: those that do)."
        ),
        click.option(
            "--judges", type=NameList(), help="The columns of a CSV that are judges (default: all)."
        ),
        click.option("--truth", metavar="COLUMN", help="The column of a CSV that holds the answer key."),
        click.argument("votes_path", metavar="VOTES"),
    ):
        function = decorate(function)
    return function


drawn_option = click.option(
    "--drawn",
    type=click.Choice([kind.value for kind in Drawn]),
    default=Drawn.NOT_AT_RANDOM.value,
    show_default=True,
    help="How the questions with a key were chosen, where only some have one.",
)

level_option = click.option(
    "--level", default="0.95", show_default=True, help="The level of each interval, exact."
)


def load_test(
    votes_path: str,
    *,
    truth: str | None = None,
    drawn: str = Drawn.NOT_AT_RANDOM.value,
    judges: tuple[str, ...] | None = None,
    labels: tuple[str, ...] | None = None,
    delimiter: str | None = None,
) -> VoteCounts | LabeledVoteCounts | PartialKey:
    """Return the votes that a user named, with the part of the key that is there.

    They are in a file, or `example:NAME` for data that ships with us.
    """
    options: dict[str, Any] = {"truth": truth, "judges": judges, "labels": labels, "delimiter": delimiter}
    if votes_path.startswith(_EXAMPLE):
        with as_file(example(votes_path.removeprefix(_EXAMPLE)).path) as path:
            return read_test(path, drawn=drawn, **options)
    with RowCounter() as counter:
        found = read_test(votes_path, drawn=drawn, progress=counter.add, **options)
    if judges is None:
        _warn_of_numbering(found.votes if isinstance(found, PartialKey) else found)
    return found


def load_votes(votes_path: str, **options: Any) -> VoteCounts | LabeledVoteCounts:
    """Return the votes that a user named, without a key that is only there in part, and say so."""
    found = load_test(votes_path, **options)
    if not isinstance(found, PartialKey):
        return found
    click.echo(
        f"note: {found.graded_size} of {found.size} questions have a key; this command looks at the votes alone, and "
        "`ntqr-exact graded` at the key, too",
        err=True,
    )
    return found.votes


def _warn_of_numbering(found: VoteCounts | LabeledVoteCounts) -> None:
    """Say so where a column taken for a judge is rather the number of the question: all its answers differ."""
    votes = found.observed() if isinstance(found, LabeledVoteCounts) else found
    for place, judge in enumerate(votes.judges):
        answers = votes.responses(place).values()
        if votes.size >= _FEW_QUESTIONS and max(answers) == 1:
            click.echo(
                f"warning: all answers of {judge!r} are different; if it is no judge, name the judges by --judges",
                err=True,
            )


@dataclass(frozen=True, slots=True)
class NamedVotes:
    """Votes that a user named, and what is known of their grades where the votes have no key of their own."""

    votes: VoteCounts | LabeledVoteCounts | PartialKey
    known: Evaluation | None

    @property
    def observed(self) -> VoteCounts:
        """The votes without what is known of their key."""
        match self.votes:
            case PartialKey(votes=votes):
                return votes
            case LabeledVoteCounts():
                return self.votes.observed()
            case VoteCounts():
                return self.votes


def load_case(votes_path: str, **options: Any) -> NamedVotes:
    """Return the votes that a user named; of an example, with the grades that its source tells."""
    known = (
        example(votes_path.removeprefix(_EXAMPLE)).evaluation.rates()
        if votes_path.startswith(_EXAMPLE)
        else None
    )
    return NamedVotes(load_test(votes_path, **options), known)


def example_names() -> str:
    """Return how the examples may be named in place of a file."""
    return ", ".join(f"{_EXAMPLE}{name}" for name in EXAMPLES)


class RowCounter:
    """A line on the terminal that tells how many rows of a long file have been counted."""

    _EVERY = 1_000_000

    def __init__(self) -> None:
        """Start at none."""
        self._rows = 0
        self._shown = 0
        self._stream = progress_stream()

    def __enter__(self) -> RowCounter:
        """Begin."""
        return self

    def add(self, rows: int) -> None:
        """Count more rows, and say so now and then if somebody is looking."""
        self._rows += rows
        if self._rows - self._shown >= self._EVERY:
            self._shown = self._rows
            click.echo(f"\r{self._rows:,} rows counted", file=self._stream, nl=False)

    def __exit__(self, *exception: object) -> None:
        """End the line, if there is one."""
        if self._shown:
            click.echo(file=self._stream)
