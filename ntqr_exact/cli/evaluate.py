"""`ntqr-exact evaluate`: every way to grade, side by side, with the alarms."""

from __future__ import annotations

import csv
import io
import warnings
from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.evaluators.dawid_skene import dawid_skene
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.majority import majority_vote
from ntqr_exact.proofs.export import solution_to_coq
from ntqr_exact.study.screen import Evaluated, study_screen
from ntqr_exact.study.votes_study import GRADING, study_votes
from ntqr_exact.votes.answers import Answers
from ntqr_exact.votes.read_votes import read_answers
from ntqr_exact.votes.shapes import Reading


@options.votes_command
@options.drawn_option
@options.ties_option
@options.flag("--details", "Print the grades on each label, the independent solution and its alarms, too.")
@options.flag("--coq", "Print the verdict on independence as a theorem for Coq.", "as_coq")
@click.option(
    "--key-out", metavar="FILE", help="Write a CSV with the label that each evaluator gives to each question."
)
@options.html_option
@options.json_option
def evaluate(
    votes_path: options.Paths,
    *,
    ties: str,
    details: bool,
    as_coq: bool,
    key_out: str | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Evaluate judges without an answer key: estimates, whether to trust them, what is proven, what to do next.

    VOTES are files of votes, decisions or logs. --truth names the column of the answer key, or a key file, if there is
    one; where some of its cells are empty, --drawn says how the others were chosen.

    \b
    Example:
      ntqr-exact evaluate example:breast-cancer
      ntqr-exact evaluate example:uci-adult --details
      ntqr-exact evaluate example:uci-adult --coq > adult.v && ntqr-exact proofs check adult.v
    """
    options.only_one_of(coq=as_coq, json=as_json)
    options.check_outputs(votes_path, key_out)
    case = options.load_case(votes_path, **reading)
    if as_coq:
        options.show_coq(solution_to_coq(solve_independent(case.observed)))
        return
    names = " ".join(votes_path) if isinstance(votes_path, tuple) else votes_path
    screen = study_screen(case.votes, case.known, source=names)
    rest = None
    if details or as_json or options.html_file() is not None:
        rest = study_votes(case.votes, case.known, ties=ties, parts=GRADING)
    options.show(Evaluated(screen, rest), as_json=as_json)
    if key_out is not None:
        options.write_output(key_out, _keys(votes_path, ties, **reading), votes_path)


def _keys(votes_path: options.Paths, ties: str, **reading: Any) -> str:
    """Return a CSV row for each question: the number of answers, whether all agree, and the label by each evaluator."""
    names = {name: reading[name] for name in ("judges", "labels", "truth", "long", "missing")}
    with options.source_path(votes_path) as path, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it was read before
        how = {name: reading[name] for name in ("delimiter", "header")}
        answers = read_answers(path, Reading(**names, in_part=True, with_questions=True), **how)
    if not isinstance(answers, Answers):
        raise click.UsageError("--key-out needs the questions, and a votes file has none")
    votes = answers.observed()
    keys = {"majority": majority_vote(votes, ties=ties).key, "dawid_skene": dawid_skene(votes).key}
    label_of = {
        name: {pattern: label for label, part in key.by_label.items() for pattern in part.counts}
        for name, key in keys.items()
    }
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["question", "answers", "unanimous", *keys])
    for question, row in answers.questions:
        pattern = row[: len(answers.judges)]
        given = [label for label in pattern if label is not None]
        unanimous = "yes" if len(set(given)) == 1 else "no"
        writer.writerow(
            [question, len(given), unanimous, *(label_of[name].get(pattern, "") for name in keys)]
        )
    return text.getvalue()
