"""Commands on votes: evaluate judges, grade a sample, count failing judges, bound dependence."""

from __future__ import annotations

import csv
import inspect
import io
from typing import TYPE_CHECKING, Any

import click

import ntqr_exact as nt
from ntqr_exact.cli import CHECK_FAILED, options
from ntqr_exact.cli.main import HelpfulGroup
from ntqr_exact.cli.options import DRAWN, HTML, JSON, LEVEL, VOTES, VotesSource, command, flag, option
from ntqr_exact.cli.terminal import STANDARD_OUTPUT, Printed, write_output
from ntqr_exact.errors import BadKeyCounts, BadVotes
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.show import counted
from ntqr_exact.examples import FILES, example, write_files
from ntqr_exact.sampling.chance_agreement import Coefficient, Weights, relabeled
from ntqr_exact.sampling.partial_key import Drawn, PartialKey
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.answers import Answers
from ntqr_exact.votes.labeled import LabeledVoteCounts

if TYPE_CHECKING:
    from ntqr_exact.votes.counts import VoteCounts

# -- first steps --------------------------------------------------------------------------------------------


@command(JSON)
def demo() -> Printed:
    """Show a real panel on one screen, and a published test with its exact solution.

    Four language models answered 300 multiple-choice questions; three classifiers answered 1000 of the two-norm data.
    """
    from ntqr_exact.study.screen import study_screen

    panel, test = example("medqa"), example("two-norm")
    screen = study_screen(panel.labeled or panel.votes, source="example:medqa")
    solution = nt.solve_independent(test.votes)
    parts = [
        f"{one.title[0].upper()}{one.title[1:]} ({one.citation})\n\n{value}\n\n"
        for one, value in ((panel, screen), (test, solution))
    ]
    document = {"medqa": screen.to_document(), "two-norm": solution.to_document()}
    return Printed("".join([*parts, "Your own judges: ntqr-exact evaluate FILE.csv"]), document)


@command(click.Argument(["directory"], metavar="DIR", type=click.Path(file_okay=False)), JSON)
def examples(directory: str) -> Printed:
    """Write an example file of each kind into DIR.

    The data are made up. Existing files are never replaced. Published votes need no file: use `example:two-norm`.

    \b
    Example:
      ntqr-exact examples . && ntqr-exact evaluate decisions.csv --judges ada,bo,cyd
    """
    written = {str(path): FILES[path.name] for path in write_files(directory)}
    return Printed("\n".join(f"{path}: {words}" for path, words in written.items()), written)


votes = HelpfulGroup(
    "votes",
    help="Count decisions into a votes file, and show votes.\n\nA decisions file is a CSV with a row for each question "
    "and a column for each judge; a votes file is JSON with the number of questions for each pattern of answers.",
)


@command(
    *VOTES, DRAWN, option("-o --output", "Write to this file instead of standard output."), JSON, parent=votes
)
def count(source: VotesSource, *, output: str | None) -> None:
    """Count decisions into a votes file (JSON).

    The file is read once, in constant memory. An error names the line and column of a cell that cannot be counted.

    \b
    Example:
      ntqr-exact votes count decisions.csv --truth key -o votes.json
    """
    given = _without_abstaining(source)
    write_output(output or STANDARD_OUTPUT, given.to_json(), source.paths)
    if output not in (None, STANDARD_OUTPUT):
        of = given.votes if isinstance(given, PartialKey) else given
        graded = f" ({given.graded_size} with a key)" if isinstance(given, PartialKey) else ""
        size = f"{counted(given.size, 'question')}{graded}"
        names = f"{counted(len(of.judges), 'judge')}, {counted(len(of.labels), 'label')}"
        click.echo(f"{size}, {names} -> {output}", err=True)


@command(*VOTES, JSON, parent=votes)
def show(source: VotesSource) -> Any:
    """Show votes: counts, each judge's answers, agreements and moments.

    With two labels, moments are those of the second label: Δ for each pair of judges, T for each trio.

    \b
    Example:
      ntqr-exact votes show example:two-norm
    """
    from ntqr_exact.study.answers_part import study_answers

    given = _without_abstaining(source)
    return study_answers(given.votes if isinstance(given, PartialKey) else given)


def _without_abstaining(source: VotesSource) -> options.VotesOrKey:
    """Return votes in which an abstention is an answer like any other."""
    given = source.read()
    return given.votes if isinstance(given, AbstainingVotes) else given


# -- evaluation ---------------------------------------------------------------------------------------------


@command(
    *VOTES,
    DRAWN,
    flag("--details", "Also print the grades on each label, the independent solution and its alarms."),
    flag("--coq as_coq", "Print the verdict on independence as a theorem for Coq."),
    option(
        "--key-out", "Write a CSV with the label that each estimate gives to each question.", metavar="FILE"
    ),
    HTML,
    JSON,
)
def evaluate(source: VotesSource, *, details: bool, as_coq: bool, key_out: str | None) -> Any:
    """Evaluate judges without an answer key: estimates, whether to trust them, what is proven, what to do next.

    VOTES are files of votes, decisions or logs. --truth names the column of the answer key, or a key file, if there is
    one; if some of its cells are empty, --drawn says how the others were chosen.

    \b
    Example:
      ntqr-exact evaluate example:breast-cancer
      ntqr-exact evaluate example:uci-adult --details
      ntqr-exact evaluate example:uci-adult --coq > adult.v && ntqr-exact proofs check adult.v
    """
    from ntqr_exact.study.screen import Evaluated, study_screen
    from ntqr_exact.study.votes_study import GRADING

    options.only_one_of(coq=as_coq, json=options.requested("as_json"))
    given, known = source.case()
    if as_coq:
        from ntqr_exact.proofs.export import solution_to_coq

        return coq_text(solution_to_coq(nt.solve_independent(options.observed(given))))
    if key_out is not None:
        write_output(key_out, _keys(source), source.paths)
    screen = study_screen(given, known, source=source.words())
    in_full = details or options.requested("as_json", "html")
    return Evaluated(screen, nt.study_votes(given, known, parts=GRADING) if in_full else None)


def coq_text(text: str) -> Printed:
    """Return theorems for Coq, and print how to check them."""
    click.echo("Check it with: ntqr-exact proofs check FILE.v", err=True)
    return Printed(text, None)


def _keys(source: VotesSource) -> str:
    """Return a CSV row for each question: the number of answers, whether all agree, and the label of each estimate."""
    answers = source.answers(with_questions=True)
    if not isinstance(answers, Answers):
        raise click.UsageError("--key-out needs a file with questions, not a votes file")
    given = answers.observed()
    keys = {"majority": nt.majority_vote(given).key, "dawid_skene": nt.dawid_skene(given).key}
    label_of = {
        name: {pattern: label for label, part in key.by_label.items() for pattern in part.counts}
        for name, key in keys.items()
    }
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["question", "answers", "unanimous", *keys])
    for question, row in answers.questions:
        pattern = row[: len(answers.judges)]
        labels = [label for label in pattern if label is not None]
        unanimous = "yes" if len(set(labels)) == 1 else "no"
        writer.writerow(
            [question, len(labels), unanimous, *(each.get(pattern, "") for each in label_of.values())]
        )
    return text.getvalue()


@command(
    *VOTES,
    option("--key", "Number of questions of each true label.", type=options.NameList(), metavar="N,N,…"),
    HTML,
    JSON,
)
def consistent(source: VotesSource, *, key: tuple[str, ...] | None) -> Any:
    """Count the evaluations that votes allow, and bound how often each judge is right.

    Nothing is assumed about the judges, and an answer key in the file is not used.

    \b
    Example:
      ntqr-exact consistent example:two-norm --key 400,600
    """
    given = source.observed()
    if key is not None and len(key) != len(given.labels):
        rule = f"--key must have {len(given.labels)} counts, for the labels {', '.join(given.labels)}"
        raise BadKeyCounts(",".join(key), rule)
    return nt.study_consistent(given, None if key is None else dict(zip(given.labels, key, strict=True)))


@command(
    *VOTES,
    option(
        "--budget budgets",
        "Print ranges over all answer keys without an error covariance above this; repeatable.",
        multiple=True,
        metavar="δ",
    ),
    option(
        "--claim claims",
        "Find when a claim breaks down: 'gpt > claude', 'gpt > claude on a', 'gpt on a > 0.8', 'share of a > 1/2'.",
        multiple=True,
        metavar="CLAIM",
    ),
    option("--certificate", "Write the certificates of everything proven, as a JSON list.", metavar="FILE"),
    option("--checker", "Write the checker of certificates, one file of plain Python.", metavar="FILE"),
    HTML,
    JSON,
)
def dependence(
    source: VotesSource,
    *,
    budgets: tuple[str, ...],
    claims: tuple[str, ...],
    certificate: str | None,
    checker: str | None,
) -> Any:
    """Show how much dependence of errors the votes prove.

    Without options: an error covariance that no answer key avoids, and a key that comes close. With --budget: ranges of
    every share and accuracy if no covariance exceeds the budget. With --claim: how large a covariance must be before
    the claim can fail. Ranges and claims assume that one judge, whose name is printed, is no worse than chance,
    because the two labels of every key could be swapped.

    \b
    Example:
      ntqr-exact dependence example:uci-adult-imaginary --budget 0.02 --claim "3 > 1"
    """
    from ntqr_exact.dependence import budget_checker
    from ntqr_exact.study.dependence_part import study_dependence

    result = study_dependence(source.votes(), budgets=budgets, claims=claims)
    if certificate is not None:
        write_output(certificate, write_json(result.certificates()), source.paths)
    if checker is not None:
        write_output(checker, inspect.getsource(budget_checker), source.paths)
    return result


@command(
    *VOTES,
    option("--level", "Count the judges that fail at this level, such as 4/5.", metavar="NUMBER"),
    option(
        "--measure",
        "Require the level on every label, or overall.",
        "every-label",
        type=click.Choice(["every-label", "overall"]),
    ),
    option("--trust", "Assume that this judge passes; repeatable.", multiple=True, metavar="JUDGE"),
    options.positive("--at-most", "Exit with code 1 only if more judges than this must fail.", minimum=0),
    option(
        "--factor",
        "On each label, factor × right answers must exceed the questions; 2 is better than half.",
        "2",
    ),
    option("--minimum-grade", "Require this share of right answers overall.", "0"),
    flag("--best-level level_only", "Print the largest accuracy that all judges could have on every label."),
    flag("--ranges", "Print how many questions of each label a safe key can have."),
    option("--certificate", "Write the proof, or the safe key, to this file.", metavar="FILE"),
    JSON,
)
def alarm(
    source: VotesSource,
    *,
    level: str | None,
    measure: Any,
    trust: tuple[str, ...],
    at_most: int | None,
    factor: str,
    minimum_grade: str,
    level_only: bool,
    ranges: bool,
    certificate: str | None,
) -> tuple[Any, int]:
    """Count the judges that must fail, whatever the answer key, and decide whether all could be safe.

    With --level, --trust or --at-most, counts at one level (1/2 unless given); exit code 1 if more judges than
    --at-most (0 unless given) must fail. Without them, counts at three levels, then checks the judges one by one and
    their joint answers; exit code 1 if an alarm fires.

    \b
    Example:
      ntqr-exact alarm example:uci-adult
      ntqr-exact alarm example:uci-adult --level 2/3 --at-most 1
      ntqr-exact alarm example:uci-adult --factor 3/2 --certificate proof.json
    """
    options.only_one_of(best_level=level_only, ranges=ranges, level=level)
    given = source.observed()
    result: Any
    if level is not None or trust or at_most is not None:
        result = nt.failing_judges(given, level or "1/2", measure=measure.replace("-", "_"), trust=trust)
        proof, fires = result, result.proven > (at_most or 0)
    elif level_only:
        result = nt.best_level(given, minimum_grade=minimum_grade)
        proof, fires = result.proof, False
    else:
        result = nt.study_safety(
            given, nt.SafetySpecification(factor, minimum_grade=minimum_grade), ranges=ranges
        )
        proof, fires = result.together, result.fires
    if certificate is not None and proof is not None:
        write_output(certificate, proof.to_json(), source.paths)
    return result, CHECK_FAILED if fires else 0


@command(
    *VOTES,
    options.choice("--coefficient", Coefficient, "Coefficient; repeatable (default: all that fit)."),
    options.choice("--weights", Weights, "Weights of partial agreement; repeatable (default: nominal)."),
    HTML,
    JSON,
)
def agreement(source: VotesSource, *, coefficient: tuple[str, ...], weights: tuple[str, ...]) -> Any:
    """Measure how much judges agree beyond chance (kappa, alpha and others), in exact numbers.

    For a CSV, name all labels by --labels, because their number changes several coefficients. With --ordinal the
    answers are ratings: near misses agree in part, and each level gives a view with two labels. An answer that
    --abstain names is a missing one.

    \b
    Example:
      ntqr-exact agreement ratings.csv --ordinal 1..5
    """
    from ntqr_exact.study.chance_part import study_chance, study_ratings
    from ntqr_exact.votes.ordinal import two_labels

    kinds, by = tuple(map(Coefficient, coefficient)) or tuple(Coefficient), tuple(map(Weights, weights))
    table, at_least = _answer_table(source), source.options["at_least"]
    if at_least is not None:
        names, label_of = two_labels(table.labels, at_least)
        table = relabeled(table, label_of, names)
    elif source.levels is not None:
        return study_ratings(table, coefficients=kinds, weights=by)
    result = study_chance(table, coefficients=kinds, weights=by or (Weights.NOMINAL,))
    if not result.values:
        raise click.UsageError("none of the requested coefficients is defined for these answers and weights")
    return result


def _answer_table(source: VotesSource) -> VoteCounts:
    """Return the answers, where missing ones stay missing and an abstention is a missing answer."""
    from ntqr_exact.sampling.partial_key import votes_or_key

    labels, abstain = source.levels or source.options["labels"], source.options["abstain"]
    answers = source.answers()
    if isinstance(answers, Answers):
        if labels is None:
            rule = "agreement depends on how many labels there are"
            raise BadVotes(" ".join(source.paths), rule, "name them by --labels")
        votes = answers.observed()
    else:
        votes = options.observed(votes_or_key(answers.value, source.options["judges"]))
    kept = [label for label in labels or votes.labels if label != abstain]
    for label in votes.labels:
        if label not in (*kept, abstain):
            raise BadVotes(label, f"a label must be one of {', '.join(map(repr, kept))}")
    return relabeled(votes, {label: label for label in kept} | {str(abstain): None}, kept)


# -- a graded sample ----------------------------------------------------------------------------------------

_BETWEEN = option(
    "--between", "Two judges, if only questions on which they differ are drawn.", type=options.NameList()
)


@command(
    *VOTES,
    option("--number", "Number of questions to grade."),
    option("--width", "Grade enough to make every interval of right answers at most this wide."),
    LEVEL,
    flag("--by-pattern", "Draw in each answer pattern, in proportion to its size."),
    _BETWEEN,
    option("--seed", "The same seed draws the same questions.", "0"),
    option("-o --output", "Write the sheet to this file instead of standard output.", metavar="SHEET"),
    JSON,
)
def choose(
    source: VotesSource,
    *,
    number: str | None,
    width: str | None,
    level: str,
    by_pattern: bool,
    between: tuple[str, ...] | None,
    seed: str,
    output: str | None,
) -> Printed | None:
    """Draw questions to grade at random, and write a sheet to fill in.

    The sheet is a CSV with the questions in the order in which they were drawn, and an empty column `truth`. Fill it
    in from the top; you may stop at any line. Then run the `ntqr-exact graded` command that is printed. From a
    decisions CSV the sheet has all its columns.

    \b
    Example:
      ntqr-exact choose decisions.csv --number 50 -o sheet.csv
    """
    from ntqr_exact.sampling.choosing import PATTERNS, write_sheet

    if (number is None) == (width is None):
        raise click.UsageError("give --number or --width")
    given = source.observed()
    how_many = (
        number if number is not None else nt.questions_to_grade(given.size, width=str(width), level=level)
    )
    pair = None if between is None else _two(between)
    strata = PATTERNS if by_pattern else None
    chosen = nt.choose_questions(given, how_many, strata=strata, between=pair, seed=seed)
    if options.requested("as_json"):
        return Printed("", chosen.to_document())
    sheet = io.StringIO()
    path, questions = _origin(source)
    write_sheet(chosen, sheet, source=path, delimiter=source.options["delimiter"], questions=questions)
    write_output(output or STANDARD_OUTPUT, sheet.getvalue(), source.paths)
    how = f"--between {','.join(pair)}" if pair is not None else f"--drawn {chosen.drawn.value}"
    words = f"{len(chosen.questions)} of {given.size} questions to grade; then run "
    click.echo(f"{words}`ntqr-exact graded {source.words()} --grades {output or 'SHEET'} {how}`", err=True)
    return None


def _origin(source: VotesSource) -> tuple[str | None, tuple[tuple[str, Any], ...]]:
    """Return the file whose columns the sheet can have, or else the names of the questions."""
    from ntqr_exact.votes.tables import STANDARD_INPUT, TextTable, open_source

    path, how = source.paths[0], source.options
    if source.paths == (STANDARD_INPUT,) or path.startswith("example:") or how["at_least"] is not None:
        return None, ()
    answers = source.answers(with_questions=True)
    if not isinstance(answers, Answers):
        return None, ()
    keeps_rows = not (how["missing"] or "").startswith("label:") and how["header"] is not False
    if len(source.paths) == 1 and keeps_rows:
        table = open_source(path, delimiter=how["delimiter"], header=how["header"])
        if isinstance(table, TextTable) and table.has_header and {*answers.judges} <= {*table.columns}:
            return path, ()
    width = len(answers.judges)
    return None, tuple((name, pattern[:width]) for name, pattern in answers.questions)


@command(
    *VOTES,
    DRAWN,
    _BETWEEN,
    option("--grades", "Sheet written by `choose` and filled in; --truth is its column.", metavar="SHEET"),
    LEVEL,
    HTML,
    JSON,
)
def graded(source: VotesSource, *, between: tuple[str, ...] | None, grades: str | None, level: str) -> Any:
    """Estimate accuracy on all questions from a graded sample.

    The grades are the column --truth of VOTES, empty for a question without a grade, or the sheet that
    `ntqr-exact choose` wrote (--grades). Intervals need --drawn at_random or by_strata; what is certain holds however
    the questions were chosen.

    \b
    Example:
      ntqr-exact graded decisions.csv --truth key --drawn at_random
    """
    from ntqr_exact.sampling.choosing import TRUTH, differing, read_sheet
    from ntqr_exact.study.graded_part import study_graded
    from ntqr_exact.study.screen import Evaluated, study_screen

    drawn = Drawn.BY_STRATA if between is not None else source.options["drawn"]
    if grades is not None:
        truth = source.options["truth"] or TRUTH
        given = VotesSource(source.paths, {**source.options, "truth": None}).observed()
        strata = None if between is None else differing(given, *_two(between))
        key = read_sheet(given, grades, drawn=drawn, strata=strata, truth=truth)
    else:
        key = _partial_key(source)
        if between is not None:
            strata = differing(key.votes, *_two(between))
            key = PartialKey(key.votes, key.graded, drawn=drawn, strata=strata)
    result = study_graded(key, level=level)
    return Evaluated(study_screen(key, level=level, grades=result), result)


def _partial_key(source: VotesSource) -> PartialKey:
    given = source.test()
    if isinstance(given, LabeledVoteCounts):
        given = PartialKey(given.observed(), given, drawn=source.options["drawn"])
    if not isinstance(given, PartialKey):
        rule = "no question is graded"
        raise BadVotes(" ".join(source.paths), rule, "name the column of the key by --truth")
    return given


def _two(names: tuple[str, ...]) -> tuple[str, str]:
    if len(names) != 2:
        raise click.UsageError("--between must name two judges")
    return names[0], names[1]
