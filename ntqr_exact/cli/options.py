"""Commands are functions with options declared as data; this module runs them and reads the votes they name."""

from __future__ import annotations

import csv
import inspect
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from importlib.resources import as_file
from types import SimpleNamespace
from typing import Any, TypeAlias, cast

import click

from ntqr_exact.budget import accounted, check_work
from ntqr_exact.cli.terminal import STANDARD_OUTPUT, row_counter, show, status
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.examples import EXAMPLES, PANELS, example
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


def choice(
    name: str, values: type[Enum], words: str, default: str | None = None, **more: Any
) -> click.Option:
    """Return an option with the values of an enum."""
    return option(name, words, default, type=click.Choice([member.value for member in values]), **more)


def whole(names: str, words: str, default: int | None = None, minimum: int = 1, **more: Any) -> click.Option:
    """Return an option with a whole number."""
    return option(names, words, default, type=click.IntRange(min=minimum), **more)


def split_names(text: str | tuple[str, ...]) -> tuple[str, ...]:
    """Split names at commas; a name that contains a comma is in double quotes."""
    if isinstance(text, tuple):
        return text
    try:
        return tuple(next(csv.reader([text], strict=True), []))
    except csv.Error as error:
        raise click.BadParameter(f"must be a list of names, got {text!r}: {error}") from None


JSON = flag("--json as_json", "Print exact JSON instead of text.")
HTML = option("--html", "Write one HTML page with pictures.", metavar="FILE")
LEVEL = option("--level", "Level of each interval.", "0.95")
SEED = whole("--seed", "Seed of the random draws.", 1, 0)
RESAMPLES = whole("--resamples", "Number of bootstrap resamples.")
DELIMITER = option("--delimiter", "Field delimiter: a character or its name (default: detected).")
ENGINE = (
    whole("--workers", "Number of processes on this machine."),
    option("--dask", "Use the dask cluster with this scheduler.", metavar="ADDRESS"),
)
DRAWN = choice(
    "--drawn", Drawn, "How graded questions were chosen (default: a sheet at_random, a column not)."
)
NAMES = click.types.FuncParamType(split_names)
READING = (
    option("--truth", "Answer key: a column, or a file of questions and labels.", metavar="COLUMN|FILE"),
    option("--judges", "Judges to read, by their columns (default: all).", type=NAMES, metavar="A,B,…"),
    option("--labels", "All labels that could occur (default: those that do).", type=NAMES, metavar="A,B,…"),
    option(
        "--long",
        "Columns of question, judge and answer, if a row is one answer.",
        type=NAMES,
        metavar="Q,J,A",
    ),
    DELIMITER,
    click.Option(
        ["--header/--no-header"], default=None, help="Whether the first row has names (default: detected)."
    ),
    option(
        "--missing", "Keep missing answers (default), or skip or label them.", metavar="keep|drop|label:NAME"
    ),
    option("--abstain", "Answer that means an abstention: a missing answer.", metavar="LABEL"),
    option("--ordinal", "Ratings, lowest first: 1..5, or names.", metavar="1..5"),
    option("--at-least", "Turn ratings into two labels: below this level, and from it on.", metavar="LEVEL"),
)
VOTES = (click.Argument(["votes_path"], metavar="VOTES...", nargs=-1, required=True), *READING)


def command(
    *params: click.Parameter,
    parent: click.Group | None = None,
    kind: type[click.Command] = click.Command,
    is_long: bool = False,
    examples: str | tuple[str, ...] = (),
) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes a command of a function whose result is printed as text, --json or --html.

    The function takes a `VotesSource` if VOTES are among the parameters, and a namespace of all options and of
    `progress`, which says on a terminal what is being done. It returns a value with `to_json`, `None`, or a pair of one
    of these and an exit code. Output files are checked before it starts. Work is held to one budget unless `is_long`.
    """
    reads_votes = VOTES[0] in params

    def decorate(function: Callable[..., Any]) -> click.Command:
        @wraps(function)
        def run(**given: Any) -> int:
            inputs = [each for name in given if name.endswith("path") for each in _as_tuple(given[name])]
            for path in map(given.get, _OUTPUTS):
                if path not in (None, STANDARD_OUTPUT):
                    check_output(path, inputs)
            namespace = SimpleNamespace(**given)
            source = [VotesSource(given["votes_path"], namespace)] if reads_votes else []
            with nullcontext() if is_long else accounted(), status() as namespace.progress:
                result = function(*source, namespace)
            code = 0
            if isinstance(result, tuple):
                result, code = result
            if result is not None:
                show(result, as_json=given.get("as_json", False), html=given.get("html"), inputs=inputs)
            return code

        lines = "".join(f"\n  ntqr-exact {one}" for one in _as_tuple(examples))
        files = "\n\nIn place of a file: " + ", ".join(map(_EXAMPLE.__add__, (*PANELS, *EXAMPLES)))
        made = kind(
            function.__name__.removesuffix("_command").replace("_", "-"),
            callback=run,
            params=[*params, JSON],
            help=inspect.cleandoc(function.__doc__ or ""),
            epilog=(f"\b\nExample:{lines}" if lines else "") + (files if reads_votes else ""),
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


@dataclass(frozen=True, slots=True)
class VotesSource:
    """The files that a user named, or `example:NAME`, and the options for reading them."""

    paths: tuple[str, ...]
    given: Any

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """Yield the path, or the paths, to read."""
        if len(self.paths) == 1 and self.paths[0].startswith(_EXAMPLE):
            with as_file(example(self.paths[0].removeprefix(_EXAMPLE)).path) as path:
                yield str(path)
        else:
            yield self.paths[0] if len(self.paths) == 1 else self.paths

    def words(self) -> str:
        """Return the paths and the reading options as they are typed in a shell."""
        typed = list(self.paths)
        for each in READING:
            value = getattr(self.given, str(each.name))
            if isinstance(value, bool):
                typed.append("--header" if value else "--no-header")
            elif isinstance(value, tuple):
                names = (f'"{name}"' if "," in name else name for name in value)
                typed += [each.opts[0], ",".join(names)]
            elif value is not None:
                typed += [each.opts[0], value]
        return shlex.join(typed)

    @property
    def levels(self) -> tuple[str, ...] | None:
        """The levels that --ordinal names."""
        ordinal = self.given.ordinal
        if ordinal is None and self.given.at_least is not None:
            raise click.UsageError("--at-least needs ratings; name their levels with --ordinal")
        if ordinal is not None and self.given.labels is not None:
            raise click.UsageError("--ordinal names the labels: leave --labels out")
        return None if ordinal is None else rating_levels(ordinal)

    def _how(self) -> dict[str, Any]:
        """Return options for the reader, with all labels that can occur."""
        labels, abstain = self.levels or self.given.labels, self.given.abstain
        if labels is not None and abstain is not None and abstain not in labels:
            labels = (*labels, abstain)
        names = ("truth", "judges", "long", "delimiter", "header", "missing")
        return {**{name: getattr(self.given, name) for name in names}, "labels": labels}

    def read(self, *, uses_order: bool = False) -> VotesOrKey:
        """Return the votes with what is known of their key; an abstention is an answer like any other."""
        given = self.given
        drawn = getattr(given, "drawn", None) or Drawn.NOT_AT_RANDOM
        with self.opened() as path, row_counter() as progress:
            votes = read_test(path, drawn=drawn, progress=progress, **self._how())
        if given.at_least is not None:
            votes = _without_abstentions(votes, given.abstain)
            return _changed(votes, lambda one: from_level_on(one, given.at_least))
        if given.ordinal is not None and not uses_order:
            ignored = "this command ignores the order of ratings"
            note(f"{ignored}; see --at-least, and `ntqr-exact agreement --ordinal`")
        return votes

    def answers(self, *, with_questions: bool = False) -> Answers | Document:
        """Return the answers as they are in the file, or the document of a votes file."""
        with self.opened() as path, row_counter() as progress:
            reading = Reading(in_part=True, with_questions=with_questions, progress=progress, **self._how())
            return read_answers(path, reading)

    def test(self, *, uses_order: bool = False) -> VotesOrKey:
        """Return the votes with what is known of their key; an abstention is a missing answer."""
        return _without_abstentions(_few_judges(self.read(uses_order=uses_order)), self.given.abstain)

    def votes(self, *, uses_order: bool = False) -> VoteCounts | LabeledVoteCounts:
        """Return the votes, and their key if it is complete."""
        votes = self.test(uses_order=uses_order)
        if not isinstance(votes, PartialKey):
            return votes
        note(f"{votes.graded_size} of {votes.size} questions have a key; only `ntqr-exact graded` uses it")
        return votes.votes

    def observed(self, *, uses_order: bool = False) -> VoteCounts:
        """Return the votes without a key."""
        votes = self.votes(uses_order=uses_order)
        return votes.observed() if isinstance(votes, LabeledVoteCounts) else votes

    def case(self) -> tuple[VotesOrKey, Evaluation | None]:
        """Return the votes, and the grades that the source of an example prints if its key is not there."""
        grades = None
        if len(self.paths) == 1 and self.paths[0].startswith(_EXAMPLE):
            one = example(self.paths[0].removeprefix(_EXAMPLE))
            grades = one.evaluation.rates() if one.labeled is None else None
        return self.test(), grades


def _few_judges(votes: VotesOrKey) -> VotesOrKey:
    judges = votes.votes.judges if isinstance(votes, PartialKey) else votes.judges
    check_work("a comparison of all pairs of judges", 8 * len(judges) ** 2)
    return votes


def _without_abstentions(votes: VotesOrKey, abstain: str | None) -> VotesOrKey:
    """Return votes in which an abstention is a missing answer."""
    labels = (votes.votes if isinstance(votes, PartialKey) else votes).labels
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
