"""The report of a test: everything that its votes say, in one page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.independent.solve import EFFORT
from ntqr_exact.evaluators.majority import TiePolicy
from ntqr_exact.views.report.alarms_section import alarms_section, meaning_section
from ntqr_exact.views.report.blocks import Section
from ntqr_exact.views.report.consistent_section import consistent_section
from ntqr_exact.views.report.correlations_section import correlations_section
from ntqr_exact.views.report.grades_section import grades_section
from ntqr_exact.views.report.page import page
from ntqr_exact.views.report.reproduce import reproduce_section
from ntqr_exact.views.report.study import Progress, Study, study
from ntqr_exact.views.report.summary_section import summary_section, trios_section
from ntqr_exact.views.report.votes_sections import moments_section, votes_section
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_FILE = "votes.json"


def votes_report(
    votes: VoteCounts | LabeledVoteCounts,
    *,
    title: str = "Report on a test",
    known: Evaluation | None = None,
    specification: SafetySpecification | None = None,
    ties: TiePolicy | str = TiePolicy.FIRST_LABEL,
    effort: int = EFFORT,
    made_by: Sequence[str] = (),
    progress: Progress = lambda _: None,
) -> str:
    """Return a self-contained HTML page with everything about a test, the same bytes every time.

    `known` are grades by a key where the votes have none of their own; `made_by` is the command to print as the one
    that made the page; `progress` is told what comes next. Raises `EmptyTest` for a test without questions,
    `MissingExtra` without matplotlib.

    >>> text = votes_report(VoteCounts({"aab": 2, "bbb": 1}, judges=["<A>", "B", "C"]))
    >>> text.startswith("<!DOCTYPE html>"), "&lt;A&gt;" in text, "<A>" in text
    (True, True, False)
    """
    found = study(
        votes, known=known, specification=specification, ties=ties, effort=effort, progress=progress
    )
    makers: dict[str, Callable[[Study], Section]] = {
        "in short": summary_section,
        "votes": votes_section,
        "moments": moments_section,
        "what is possible": consistent_section,
        "pictures of grades": grades_section,
        "proofs of alarms": alarms_section,
        "correlations": correlations_section,
    }
    sections = []
    for name, make in makers.items():
        progress(name)
        sections.append(make(found))
    if found.trios:
        sections.append(trios_section(found))
    sections += [meaning_section(), _reproduce(votes, found, made_by)]
    lead = (
        "What the answers of judges say about the judges, in exact numbers. Decimals are for reading; long exact "
        "numbers fold out by a click."
    )
    return page(title, lead, sections)


def _reproduce(votes: VoteCounts | LabeledVoteCounts, found: Study, made_by: Sequence[str]) -> Section:
    factor, grade = found.specification.factor, found.specification.minimum_grade
    asked = [] if isinstance(factor, Mapping) or factor == 2 else ["--factor", str(factor)]
    asked += ["--minimum-grade", str(grade)] if grade else []
    ties = [] if found.ties is TiePolicy.FIRST_LABEL else ["--ties", found.ties.value]
    factors = (
        {label: str(one) for label, one in factor.items()} if isinstance(factor, Mapping) else str(factor)
    )
    safety = f"{factors!r}" + (f", minimum_grade={str(grade)!r}" if grade else "")
    observed = ".observed()" if isinstance(votes, LabeledVoteCounts) else ""
    graded = "\nprint(grade(labeled))" if observed else ""
    lines = [
        "from ntqr_exact import ConsistentSet, SafetySpecification, find_misalignment, grade, majority_vote",
        "from ntqr_exact import read_votes, solve_independent",
        "",
        f'{"labeled" if observed else "votes"} = read_votes("{_FILE}")' + graded,
        *(["votes = labeled.observed()"] if observed else []),
        "print(ConsistentSet(votes).count())",
        f'print(majority_vote(votes, ties="{found.ties.value}").evaluation)',
        *(["print(solve_independent(votes))"] if found.solution is not None else []),
        f"specification = SafetySpecification({safety})",
        f"for size in range(1, {len(found.verdicts)} + 1):",
        "    print(find_misalignment(votes, specification, group_size=size))",
    ]
    return reproduce_section(
        made_by=made_by,
        commands=[
            ["votes", "show", _FILE],
            ["consistent", _FILE],
            ["evaluate", _FILE, *ties],
            ["alarm", _FILE, *asked],
            ["report", _FILE, *asked, *ties, "-o", "report.html"],
        ],
        program="\n".join(lines),
        data=(_FILE, votes.to_json()),
    )
