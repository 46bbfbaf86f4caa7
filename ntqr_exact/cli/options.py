"""Commands are functions with options declared as data; this module runs them and reads the votes they name."""

from __future__ import annotations

import csv
import inspect
import shlex
from collections.abc import Callable
from contextlib import nullcontext
from enum import Enum
from functools import wraps
from importlib.resources import as_file
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias, cast

import click

from ntqr_exact import budget
from ntqr_exact.cli.terminal import STANDARD_OUTPUT, counter, show, status, write_output
from ntqr_exact.examples import EXAMPLES, PANELS, Example, example
from ntqr_exact.sampling.partial_key import Drawn, PartialKey, read_test
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import AbstainingVotes, LabeledVoteCounts, from_level_on
from ntqr_exact.votes.names import rating_levels
from ntqr_exact.votes.read_votes import Answers, read_answers
from ntqr_exact.votes.shapes import Reading, note
from ntqr_exact.votes.table import Document
from ntqr_exact.whole_file import check_output

VotesOrKey: TypeAlias = VoteCounts | LabeledVoteCounts | PartialKey
_EXAMPLE = "example:"
_OUTPUTS = ("html", "output", "out", "key_out", "certificate", "checker")


def option(names: str, words: str, default: Any = None, **more: Any) -> click.Option:
    """Return an option; a word without dashes in `names` is its parameter, and a default is printed in the help."""
    if default is not None:
        more |= {"default": default, "show_default": True}
    return click.Option(names.split(), help=words, **more)


def flag(names: str, words: str) -> click.Option:
    """Return an option without a value."""
    return option(names, words, is_flag=True)


def one_of(values: type[Enum]) -> click.Choice[str]:
    """Return the type of an option with the values of an enum."""
    return click.Choice([member.value for member in values])


def split_names(text: str | tuple[str, ...]) -> tuple[str, ...]:
    """Split names at commas; a name that contains a comma is in double quotes."""
    if isinstance(text, tuple):
        return text
    try:
        return tuple(next(csv.reader([text], strict=True), []))
    except csv.Error as error:
        raise click.BadParameter(f"must be a list of names, got {text!r}: {error}") from None


COUNT, WHOLE = click.IntRange(min=0), click.IntRange(min=1)
NAMES = click.types.FuncParamType(split_names)
DIRECTORY = click.Path(file_okay=False, path_type=Path)
_READING = (
    option("--truth", "Answer key: a column, or a file of questions and labels.", metavar="COLUMN|FILE"),
    option("--judges", "Judges to read, by their columns (default: all).", type=NAMES, metavar="A,B,…"),
    option("--labels", "All labels that could occur (default: those that do).", type=NAMES, metavar="A,B,…"),
    option("--long", "Columns of question, judge, answer (one answer a row).", type=NAMES, metavar="Q,J,A"),
    option("--delimiter", "Field delimiter: a character or its name (default: detected)."),
    click.Option(["--header/--no-header"], default=None, help="Whether row 1 has names (default: detected)."),
    option("--missing", "Keep (default), skip or label missing answers.", metavar="keep|drop|label:NAME"),
    option("--abstain", "Answer that means an abstention: a missing answer.", metavar="LABEL"),
    option("--ordinal", "Ratings, lowest first: 1..5, or names.", metavar="1..5"),
    option("--at-least", "Turn ratings into two labels: below this level, and from it on.", metavar="LEVEL"),
)
_SHARED = (
    click.Argument(["votes_path"], metavar="VOTES...", nargs=-1, required=True),
    *_READING,
    option("--drawn", "How questions were chosen (default: at_random for a sheet).", type=one_of(Drawn)),
    option("--between", "Draw only where these two judges differ.", nargs=2, metavar="A B"),
    option("--level", "Level of each interval.", "0.95"),
    option("--resamples", "Number of bootstrap resamples.", type=WHOLE),
    option("--seed", "Seed of the random draws.", 1, type=COUNT),
    option("--workers", "Number of processes on this machine.", type=WHOLE),
    option("--dask", "Use the dask cluster with this scheduler.", metavar="ADDRESS"),
    flag("--details", "Also print all parts of the study: grades on each label, alarms, ranges, proofs."),
    flag("--exact", "Print fractions on the screen, not decimals."),
    click.Argument(["families"], nargs=-1, metavar="[FAMILY]..."),
    option("--vectors", "Set made by `vectors make` (default: the set that ships).", type=DIRECTORY),
    option("--tolerance", "Error of a float, times max(1, |expected|).", "0"),
    option("--certificate", "Write what proves the result to this file, as JSON.", metavar="FILE"),
    flag("--coq as_coq", "Print theorems for the proof assistant Coq."),
    option("-o --output", "Write to this file instead of standard output.", metavar="FILE"),
    option("--html", "Write one HTML page with pictures.", metavar="FILE"),
    flag("--json as_json", "Print exact JSON instead of text."),
    option("--work-limit", f"Refuse longer work (default: {budget.LIMIT}).", type=COUNT, metavar="STEPS"),
)
_NAMED = {one.opts[-1]: (one,) for one in _SHARED} | {"VOTES": _SHARED[: 1 + len(_READING)]}


def _parameters(of: click.Parameter | str) -> list[click.Parameter]:
    """Return shared options by their names; VOTES are the files of votes and how they are read."""
    return [each for name in of.split() for each in _NAMED[name]] if isinstance(of, str) else [of]


def command(
    *params: click.Parameter | str,
    parent: click.Group | None = None,
    kind: type[click.Command] = click.Command,
    is_long: bool = False,
    examples: str | tuple[str, ...] = (),
) -> Callable[[Callable[[Any], Any]], Any]:
    """Return a decorator that makes a command of a function whose result is printed as text, --json or --html.

    A text among the parameters names shared ones, such as "VOTES --html". The function takes what is `Given`, and
    returns a value with `to_json`, `None`, or a pair of one of these and an exit code. Output files are checked before
    it starts. Work is held to one budget unless `is_long`.
    """
    every = [each for one in (*params, "--json --work-limit") for each in _parameters(one)]

    def decorate(function: Callable[[Any], Any]) -> click.Command:
        @wraps(function)
        def run(*, work_limit: int | None, **options: Any) -> Any:
            if work_limit is not None:
                click.get_current_context().with_resource(budget.work_limit(work_limit))
            paths = [one for name, one in options.items() if name.endswith("path")]
            given = Given(**options, inputs=[each for one in paths for each in _as_tuple(one)])
            for path in map(options.get, _OUTPUTS):
                if path not in (None, STANDARD_OUTPUT):
                    check_output(path, given.inputs)
            with nullcontext() if is_long else budget.accounted(), status() as given.progress:
                result = function(given)
            result, code = result if isinstance(result, tuple) else (result, 0)
            if result is not None:
                show(result, as_json=given.as_json, html=options.get("html"), inputs=given.inputs)
            return code

        lines = "".join(f"\n  ntqr-exact {one}" for one in _as_tuple(examples))
        files = "\n\nIn place of a file: " + ", ".join(map(_EXAMPLE.__add__, (*PANELS, *EXAMPLES)))
        made = kind(
            function.__name__.removesuffix("_command").replace("_", "-"),
            callback=run,
            params=every,
            help=inspect.cleandoc(function.__doc__ or ""),
            epilog=(f"\b\nExample:{lines}" if lines else "") + (files if _SHARED[0] in every else ""),
        )
        if parent is not None:
            parent.add_command(made)
        return made

    return decorate


def _as_tuple(value: Any) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (value,)


def only_one_of(**given: object) -> None:
    """Refuse options that exclude each other."""
    names = [f"--{name.replace('_', '-')}" for name, value in given.items() if value]
    if len(names) > 1:
        raise click.UsageError(f"{' and '.join(names)} exclude each other: give one of them")


class Given(SimpleNamespace):
    """All options and arguments of a command by their names, and what is read and written as they say.

    `inputs` are the files that are read, and `progress` says on a terminal what is being done.
    """

    def write(self, path: str | None, text: Callable[[], str]) -> None:
        """Write a text to a file, if one is named."""
        if path is not None:
            write_output(path, text(), self.inputs)

    @property
    def example(self) -> Example | None:
        """The example that is read in place of a file."""
        name = self.votes_path[0].removeprefix(_EXAMPLE)
        return example(name) if (_EXAMPLE + name,) == self.votes_path else None

    def _path(self) -> Any:
        """Return the path of the votes, or the paths."""
        if self.example is not None:
            return str(click.get_current_context().with_resource(as_file(self.example.path)))
        return self.votes_path[0] if len(self.votes_path) == 1 else self.votes_path

    def words(self) -> str:
        """Return the paths and the reading options as they are typed in a shell."""
        typed = list(self.votes_path)
        for each in _READING:
            value = getattr(self, str(each.name))
            if isinstance(value, bool):
                typed.append("--header" if value else "--no-header")
            elif isinstance(value, tuple):
                names = (f'"{name}"' if "," in name else name for name in value)
                typed += [each.opts[0], ",".join(names)]
            elif value is not None:
                typed += [each.opts[0], value]
        return shlex.join(typed)

    def _how(self) -> dict[str, Any]:
        """Return options for the reader, with all labels that can occur."""
        labels = self.labels
        if self.ordinal is None and self.at_least is not None:
            raise click.UsageError("--at-least needs ratings; name their levels with --ordinal")
        if self.ordinal is not None:
            if labels is not None:
                raise click.UsageError("--ordinal names the labels: leave --labels out")
            labels = rating_levels(self.ordinal)
        if labels is not None and self.abstain is not None and self.abstain not in labels:
            labels = (*labels, self.abstain)
        names = ("truth", "judges", "long", "delimiter", "header", "missing")
        return {name: getattr(self, name) for name in names} | {"labels": labels, "progress": self.rows()}

    def rows(self) -> Callable[[int], None]:
        """Return a function that counts the rows that are read."""
        return counter(self.progress, "{:,} rows counted")

    def read(self) -> VotesOrKey:
        """Return the votes with what is known of their key; an abstention is an answer like any other."""
        drawn = getattr(self, "drawn", None) or Drawn.NOT_AT_RANDOM
        votes = read_test(self._path(), drawn=drawn, **self._how())
        if self.at_least is not None:
            votes = _without_abstentions(votes, self.abstain)
            return _changed(votes, lambda one: from_level_on(one, self.at_least))
        if self.ordinal is not None and click.get_current_context().info_name != "agreement":
            ignored = "this command ignores the order of ratings"
            note(f"{ignored}; see --at-least, and `ntqr-exact agreement --ordinal`")
        return votes

    def answers(self) -> Answers | Document:
        """Return the answers to each question as they are in the file, or the document of a votes file."""
        return read_answers(self._path(), Reading(in_part=True, with_questions=True, **self._how()))

    def test(self) -> VotesOrKey:
        """Return the votes with what is known of their key; an abstention is a missing answer."""
        votes = self.read()
        budget.check_work("a comparison of all pairs of judges", 8 * len(all_votes(votes).judges) ** 2)
        return _without_abstentions(votes, self.abstain)

    def votes(self) -> VoteCounts | LabeledVoteCounts:
        """Return the votes, and their key if it is complete."""
        votes = self.test()
        if isinstance(votes, PartialKey):
            note(
                f"{votes.graded_size} of {votes.size} questions have a key; only `ntqr-exact graded` uses it"
            )
        return all_votes(votes)

    def observed(self) -> VoteCounts:
        """Return the votes without a key."""
        votes = self.votes()
        return votes.observed() if isinstance(votes, LabeledVoteCounts) else votes


def all_votes(votes: VotesOrKey) -> VoteCounts | LabeledVoteCounts:
    """Return the votes on all questions, with their key if it is complete."""
    return votes.votes if isinstance(votes, PartialKey) else votes


def _without_abstentions(votes: VotesOrKey, abstain: str | None) -> VotesOrKey:
    """Return votes in which an abstention is a missing answer."""
    labels = all_votes(votes).labels
    if abstain is None or abstain not in labels:
        if abstain is not None:
            note(f"no answer is {abstain!r}, so nothing counts as an abstention")
        return votes
    kept = tuple(label for label in labels if label != abstain)

    def change(one: Any) -> Any:
        AbstainingVotes(one, abstain)  # raises if the key has it
        if isinstance(one, VoteCounts):
            return one.relabeled({abstain: None}, kept)
        return LabeledVoteCounts(
            {label: one.by_label[label].relabeled({abstain: None}, kept) for label in kept}
        )

    return _changed(votes, change)


def _changed(votes: VotesOrKey, change: Callable[[Any], Any]) -> VotesOrKey:
    if not isinstance(votes, PartialKey):
        return cast("VotesOrKey", change(votes))
    if votes.drawn is Drawn.BY_STRATA:
        raise click.UsageError("--at-least and --abstain cannot be used with --drawn by_strata")
    return PartialKey(change(votes.votes), change(votes.graded), drawn=votes.drawn)
