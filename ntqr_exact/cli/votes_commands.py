"""Commands on votes: evaluate judges, grade a sample, count failing judges, bound dependence."""

from __future__ import annotations

import csv
import inspect
import io
import shlex
from typing import Any

import click

import ntqr_exact as nt
from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Sentence
from ntqr_exact.blocks.text import block_text
from ntqr_exact.cli import CHECK_FAILED
from ntqr_exact.cli.main import HelpfulGroup
from ntqr_exact.cli.options import COUNT, NAMES, Given, all_votes, command, flag, only_one_of, option
from ntqr_exact.cli.terminal import STANDARD_OUTPUT, Printed
from ntqr_exact.dependence import budget_checker
from ntqr_exact.errors import BadKeyCounts, BadVotes
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.show import counted
from ntqr_exact.examples import FILES, example, write_files
from ntqr_exact.sampling.choosing import TRUTH, differing, read_sheet, write_sheet
from ntqr_exact.sampling.partial_key import Drawn, PartialKey
from ntqr_exact.study.answers_study import study_answers, study_chance
from ntqr_exact.study.logic_study import study_dependence
from ntqr_exact.study.screen import study_screen
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.read_votes import Answers
from ntqr_exact.votes.shapes import note
from ntqr_exact.votes.tables import TextTable, open_source

# -- first steps --------------------------------------------------------------------------------------------


@command()
def demo(given: Any) -> Printed:
    """Show a real panel on one screen, and a published test with its exact solution.

    Four language models answered 300 multiple-choice questions; three classifiers answered 1000 of the two-norm data.
    """
    panel, test = example("medqa"), example("two-norm")
    screen = study_screen(panel.labeled or panel.votes, source="example:medqa", progress=given.progress)
    solution = nt.solve_independent(test.votes)
    parts = [
        f"{block_text([Sentence(f'{one.title[0].upper()}{one.title[1:]} ({one.citation})')])}\n\n{value}\n\n"
        for one, value in ((panel, screen), (test, solution))
    ]
    document = {"medqa": screen.to_document(), "two-norm": solution.to_document()}
    return Printed("".join([*parts, "Your own judges: ntqr-exact evaluate FILE.csv"]), document)


@command(
    click.Argument(["directory"], metavar="DIR", type=click.Path(file_okay=False)),
    examples="examples . && ntqr-exact evaluate decisions.csv --judges ada,bo,cyd",
)
def examples(given: Any) -> Printed:
    """Write an example file of each kind into DIR.

    The data are made up. Existing files are never replaced. Published votes need no file: use `example:two-norm`.
    """
    written = {str(path): FILES[path.name] for path in write_files(given.directory)}
    return Printed("\n".join(f"{path}: {words}" for path, words in written.items()), written)


votes = HelpfulGroup(
    "votes",
    help="Count decisions into a votes file, and show votes.\n\nA decisions file is a CSV with a row for each question "
    "and a column for each judge; a votes file is JSON with the number of questions for each pattern of answers.",
)


@command("VOTES --drawn --output", parent=votes, examples="votes count my.csv --truth key -o votes.json")
def count(given: Given) -> None:
    """Count decisions into a votes file (JSON).

    The file is read once, in constant memory. An error names the line and column of a cell that cannot be counted.
    """
    read = given.read()
    given.write(given.output or STANDARD_OUTPUT, read.to_json)
    if given.output not in (None, STANDARD_OUTPUT):
        of = all_votes(read)
        graded = f" ({read.graded_size} with a key)" if isinstance(read, PartialKey) else ""
        names = f"{counted(len(of.judges), 'judge')}, {counted(len(of.labels), 'label')}"
        click.echo(f"{counted(read.size, 'question')}{graded}, {names} -> {given.output}", err=True)


@command("VOTES", parent=votes, examples="votes show example:two-norm")
def show(given: Given) -> Any:
    """Show votes: counts, each judge's answers, agreements and moments.

    With two labels, moments are those of the second label: Δ for each pair of judges, T for each trio.
    """
    return study_answers(all_votes(given.read()))


# -- evaluation ---------------------------------------------------------------------------------------------


@command(
    "VOTES --drawn --details --exact --html --coq",
    option("--key-out", "Write a CSV with each estimate's label of each question.", metavar="FILE"),
    examples=(
        "evaluate example:breast-cancer",
        "evaluate example:uci-adult --details",
        "evaluate example:uci-adult --coq > adult.v && ntqr-exact proofs check adult.v",
    ),
)
def evaluate(given: Given) -> Any:
    """Evaluate judges without an answer key: estimates, whether to trust them, what is proven, what to do next.

    VOTES are files of votes, decisions or logs. --truth names the column of the answer key, or a key file, if there is
    one; if some of its cells are empty, --drawn says how the others were chosen.
    """
    only_one_of(coq=given.as_coq, json=given.as_json)
    if given.as_coq:
        from ntqr_exact.proofs.export import solution_to_coq

        votes = given.observed()
        if (len(votes.judges), len(votes.labels)) != (3, 2):
            judges = shlex.quote(",".join(votes.judges[:3]))
            raise click.UsageError(f"--coq needs three judges and two labels; use --judges {judges}")
        return coq_text(solution_to_coq(nt.solve_independent(votes)))
    given.write(given.key_out, lambda: _keys(given))
    known = None if given.example is None or given.example.labeled else given.example.evaluation.rates()
    return _study(given.test(), known, given)


def _study(votes: Any, known: nt.Evaluation | None, given: Given, **more: Any) -> Any:
    """Return the screen of votes, or their study."""
    only_one_of(exact=given.exact, details=given.details)
    more |= {"source": given.words(), "progress": given.progress}
    if given.details or given.as_json or given.html:
        return nt.study_votes(votes, known, **more)
    screen = study_screen(votes, known, **more)
    return Printed(block_text(screen.blocks(exact=True))) if given.exact else screen


def coq_text(text: str) -> Printed:
    """Return theorems for Coq, and print how to check them."""
    click.echo("Check it with: ntqr-exact proofs check FILE.v", err=True)
    return Printed(text)


def _keys(given: Given) -> str:
    """Return a CSV row for each question: the number of answers, whether all agree, and the label of each estimate."""
    answers = given.answers()
    if not isinstance(answers, Answers):
        raise click.UsageError("--key-out needs a file with questions, not a votes file")
    counts = answers.observed()
    keys = {
        "majority": nt.majority_vote(counts, ties="first-label").key,
        "dawid_skene": nt.dawid_skene(counts).key,
    }
    label_of: dict[str, dict[Any, str | None]] = {
        name: {pattern: label for label, part in key.by_label.items() for pattern in part.counts}
        for name, key in keys.items()
    }
    if len(counts.judges) == 3 and counts.common().size:
        solution = nt.solve_independent(counts)
        likeliest = {each: solution.likeliest_label(each) for each in counts.counts}
        label_of |= {"independent": likeliest} if any(likeliest.values()) else {}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["question", "answers", "unanimous", *label_of])
    for question, row in answers.questions:
        pattern = row[: len(answers.judges)]
        labels = [label for label in pattern if label is not None]
        unanimous = "yes" if len(set(labels)) == 1 else "no"
        writer.writerow(
            [question, len(labels), unanimous, *(each[pattern] or "" for each in label_of.values())]
        )
    return text.getvalue()


@command(
    "VOTES --html",
    option("--key", "Number of questions of each true label.", type=NAMES, metavar="N,N,…"),
    examples="consistent example:two-norm --key 400,600",
)
def consistent(given: Given) -> Any:
    """Count the evaluations that votes allow, and bound how often each judge is right.

    Nothing is assumed about the judges, and an answer key in the file is not used.
    """
    counts, key = given.observed(), given.key
    if key is not None and len(key) != len(counts.labels):
        rule = f"--key must have {len(counts.labels)} counts, for the labels {', '.join(counts.labels)}"
        raise BadKeyCounts(",".join(key), rule)
    return nt.study_consistent(counts, None if key is None else dict(zip(counts.labels, key, strict=True)))


@command(
    "VOTES",
    option("--budget budgets", "Ranges up to this covariance; repeatable.", multiple=True, metavar="δ"),
    option("--claim claims", "Find when a claim breaks down; repeatable.", multiple=True, metavar="CLAIM"),
    "--certificate",
    option("--checker", "Write the checker of certificates, one file of plain Python.", metavar="FILE"),
    "--html",
    examples='dependence example:uci-adult-imaginary --budget 0.02 --claim "3 > 1"',
)
def dependence(given: Given) -> Any:
    """Show how much dependence of errors the votes prove.

    Without options: an error covariance that no answer key avoids, and a key that comes close. With --budget: ranges of
    every share and accuracy if no covariance exceeds the budget. With --claim: how large a covariance must be before
    a claim can fail: 'gpt > claude', 'gpt > claude on a', 'gpt on a > 4/5', 'share of a > 1/2'. Ranges and claims
    assume that one judge, whose name is printed, is no worse than chance: the labels of every key could be swapped.
    All this is about the questions that all judges answered; if there are none, about a group of judges, as printed.
    """
    votes = given.votes()
    if len(votes.labels) != 2 and (given.budgets or given.claims):
        rule = f"--budget and --claim need two labels, not {len(votes.labels)}"
        raise click.UsageError(f"{rule}; for any number: `ntqr-exact alarm {given.words()}`")
    result = study_dependence(votes, budgets=given.budgets, claims=given.claims)
    given.write(given.certificate, lambda: write_json(result.certificates()))
    given.write(given.checker, lambda: inspect.getsource(budget_checker))
    return result


@command(
    "VOTES",
    option("--level", "Count the judges that fail at this level, such as 4/5.", metavar="NUMBER"),
    flag("--overall", "Require the level overall, not on every label."),
    option("--trust", "Assume that this judge passes; repeatable.", multiple=True, metavar="JUDGE"),
    option("--at-most", "Exit with code 1 only if more judges than this must fail.", type=COUNT),
    option("--factor", "Require factor × right answers > questions on each label.", "2"),
    flag("--best-level level_only", "Print the largest accuracy that all judges could have on every label."),
    "--certificate --coq --html",
    examples=(
        "alarm example:uci-adult",
        "alarm example:uci-adult --level 2/3 --at-most 1",
        "alarm example:uci-adult --factor 3/2 --certificate proof.json",
    ),
)
def alarm(given: Given) -> tuple[Any, int]:
    """Count the judges that must fail, whatever the answer key, and decide whether all could be safe.

    With --level, --trust or --at-most, counts at one level (1/2 unless given); exit code 1 if more judges than
    --at-most (0 unless given) must fail. With --at-most it prints one line for a log. Without these options, counts at
    three levels, then checks the judges one by one and their joint answers; exit code 1 if a judge must fail at one of
    these levels or not all judges could be safe.
    """
    only_one_of(best_level=given.level_only, level=given.level)
    only_one_of(at_most=given.at_most is not None, html=given.html)
    counts = given.observed()
    measure: Any = "overall" if given.overall else "every_label"
    result: Any
    if given.level is not None or given.trust or given.at_most is not None or given.as_coq:
        result = nt.failing_judges(counts, given.level or "1/2", measure=measure, trust=given.trust)
        if given.as_coq:
            from ntqr_exact.proofs.export import failing_to_coq

            return coq_text(failing_to_coq(result)), 0
        proof, fires = result, result.proven > (given.at_most or 0)
        if given.at_most is not None:
            text = f"{'failed' if fires else 'passed'}, at most {given.at_most} allowed: {result.sentence().text}"
            result = Printed(text, result.to_document())
    elif given.level_only:
        result = nt.best_level(counts)
        proof, fires = result.proof, False
    else:
        result = nt.study_safety(counts, nt.SafetySpecification(given.factor), measure=measure)
        proof, fires = result.together, result.fires
    if proof is not None:
        given.write(given.certificate, proof.to_json)
    return result, CHECK_FAILED if fires else 0


@command("VOTES --html", examples="agreement ratings.csv --ordinal 1..5")
def agreement(given: Given) -> Any:
    """Measure how much judges agree beyond chance (kappa, alpha and others), in exact numbers.

    Name all labels with --labels, because their number changes several coefficients. With --ordinal the answers are
    ratings, and near misses agree in part. An answer that --abstain names is a missing one.
    """
    if given.labels is None and given.ordinal is None:
        note("several coefficients depend on how many labels could occur; --labels names all of them")
    is_ordinal = given.ordinal is not None and given.at_least is None
    return study_chance(given.observed(), is_ordinal=is_ordinal)


# -- a graded sample ----------------------------------------------------------------------------------------


@command(
    "VOTES",
    option("--number", "Number of questions to grade."),
    option("--width", "Grade enough to make every interval of right answers at most this wide."),
    "--level --between",
    option("--seed", "The same seed draws the same questions.", "0"),
    "--output",
    examples="choose decisions.csv --number 50 -o sheet.csv",
)
def choose(given: Given) -> Printed | None:
    """Draw questions to grade at random, and write a sheet to fill in.

    The sheet is a CSV with the questions in the order in which they were drawn, and an empty column `truth`. Fill it
    in from the top; you may stop at any line. Then run the `ntqr-exact graded` command that is printed. From a
    decisions CSV the sheet has all its columns.
    """
    if (given.number is None) == (given.width is None):
        raise click.UsageError("give --number or --width")
    counts = given.observed()
    if TRUTH in counts.judges:
        rule = "a judge must not have the name of the sheet's column for the key"
        raise nt.errors.BadChoice(TRUTH, rule, f"--truth {TRUTH} takes the column as the key")
    number = given.number or nt.questions_to_grade(counts.size, width=given.width, level=given.level)
    chosen = nt.choose_questions(counts, number, between=given.between, seed=given.seed)
    if given.as_json:
        return Printed("", chosen.to_document())
    sheet = io.StringIO()
    path, questions = _origin(given)
    write_sheet(chosen, sheet, source=path, delimiter=given.delimiter, questions=questions)
    given.write(given.output or STANDARD_OUTPUT, sheet.getvalue)
    how = f" --between {shlex.join(given.between)}" if given.between else ""
    next_step = f"ntqr-exact graded {given.words()} --grades {given.output or 'SHEET'}{how}"
    number = f"{len(chosen.questions)} of {counts.size} questions"
    click.echo(f"{number} to grade; then run `{next_step}`", err=True)
    return None


def _origin(given: Given) -> tuple[str | None, tuple[tuple[str, Any], ...]]:
    """Return the file whose columns the sheet can have, or else the names of the questions."""
    path = given.votes_path[0]
    if given.example is not None or given.at_least is not None:
        return None, ()
    answers = given.answers()
    if not isinstance(answers, Answers):
        return None, ()
    keeps_rows = not (given.missing or "").startswith("label:") and given.header is not False
    if len(given.votes_path) == 1 and keeps_rows:
        table = open_source(path, delimiter=given.delimiter, header=given.header)
        if isinstance(table, TextTable) and table.has_header and {*answers.judges} <= {*table.columns}:
            return path, ()
    width = len(answers.judges)
    return None, tuple((name, pattern[:width]) for name, pattern in answers.questions)


@command(
    "VOTES --drawn --between",
    option("--grades", "Filled-in sheet of `choose` (default: the last of several files).", metavar="SHEET"),
    option("--require claims", "Exit with 1 unless proven; repeatable.", multiple=True, metavar="CLAIM"),
    "--level --details --exact --html",
    examples=(
        "graded decisions.csv sheet.csv",
        "graded decisions.csv --truth key --drawn at_random",
        'graded decisions.csv sheet.csv --require "GPT-4 >= 0.85"',
    ),
)
def graded(given: Given) -> Any:
    """Estimate accuracy on all questions from a graded sample, or gate on it.

    The grades are the sheet that `ntqr-exact choose` wrote, filled in, or the column --truth of VOTES, empty for a
    question without a grade. Intervals need random questions; what is certain holds however they were chosen.
    --require prints one line for a log; a claim is 'J >= 0.85', 'J - K >= 0' or 'kappa(J) >= 0.6'.
    """
    only_one_of(require=given.claims, html=given.html)
    *files, last = given.votes_path
    sheet = given.grades or (last if files and given.truth is None else None)
    if sheet is not None:
        given.votes_path = given.votes_path if given.grades else tuple(files)
        key: Any = read_sheet(given.observed(), sheet, drawn=given.drawn or Drawn.AT_RANDOM)
    else:
        key = given.test()
    if isinstance(key, LabeledVoteCounts):
        key = PartialKey(key.observed(), key, drawn=given.drawn or Drawn.NOT_AT_RANDOM)
    if not isinstance(key, PartialKey):
        rule = "files must have at least one graded question"
        raise BadVotes(" ".join(given.votes_path), rule, "name its column with --truth, or add a sheet")
    if given.between is not None:
        strata = differing(key.votes, *given.between)
        key = PartialKey(key.votes, key.graded, drawn=Drawn.BY_STRATA, strata=strata)
    if given.claims:
        proofs = [nt.prove_requirement(key, each, level=given.level) for each in given.claims]
        printed = Printed("\n".join(one.line for one in proofs), [one.to_document() for one in proofs])
        return printed, 0 if all(one.answer is Answer.YES for one in proofs) else CHECK_FAILED
    return _study(key, None, given, level=given.level)
