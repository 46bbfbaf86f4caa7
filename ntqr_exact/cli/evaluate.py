"""`ntqr-exact evaluate`: every way to grade, side by side, with the alarms."""

from __future__ import annotations

from typing import Any

from ntqr_exact.cli import options
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.proofs.export import solution_to_coq
from ntqr_exact.study.votes_study import GRADING, study_votes


@options.votes_command
@options.drawn_option
@options.ties_option
@options.flag("--coq", "Print the verdict on independence as a theorem for Coq.", "as_coq")
@options.html_option
@options.json_option
def evaluate(votes_path: options.Paths, *, ties: str, as_coq: bool, as_json: bool, **reading: Any) -> None:
    """Grade the judges every way there is: by the key, by majority, by independent errors.

    VOTES is a votes file or a decisions CSV; --truth names the column of the answer key, if there is one. Where some
    of its cells are empty, --drawn says how the others were chosen.
    Alarms say which assumptions the votes refute, and why. With more than three judges every trio is looked at.

    \b
    Example:
      ntqr-exact evaluate example:uci-adult
      ntqr-exact evaluate example:uci-adult --coq > adult.v && ntqr-exact proofs check adult.v
    """
    options.only_one_of(coq=as_coq, json=as_json)
    case = options.load_case(votes_path, **reading)
    if as_coq:
        options.show_coq(solution_to_coq(solve_independent(case.observed)))
        return
    options.show(study_votes(case.votes, case.known, ties=ties, parts=GRADING), as_json=as_json)
