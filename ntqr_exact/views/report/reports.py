"""The reports of votes, of scores and of a comparison: the page of each study, and how to make it again."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, product
from typing import Any

from gmpy2 import mpq

from ntqr_exact import __version__
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.block import Block, Code, Fold, Heading, Section, Sentence
from ntqr_exact.budget import accounted
from ntqr_exact.columns.whole_numbers import as_list
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.evaluators.majority import TiePolicy
from ntqr_exact.metrics.ranking import Ranking, Rule
from ntqr_exact.metrics.score_file import ScoredSamples
from ntqr_exact.sampling.comparison import Comparison
from ntqr_exact.sampling.metric_model import Performance
from ntqr_exact.sampling.normal_interval import RationalCritical
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.study.score_study import ScoreStudy, study_scores
from ntqr_exact.study.significance_study import SignificanceStudy, study_significance
from ntqr_exact.study.votes_study import VotesStudy, study_votes
from ntqr_exact.views.report.page import page
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

QUERIES = (
    "maximum recall @ precision >= 9/10",
    "maximum precision @ recall >= 9/10",
    "minimum match_rate @ recall >= 9/10",
)
"""What a report of scores asks unless something else is asked."""

THRESHOLDS = 40
"""Thresholds that a report of scores shows unless told otherwise."""

_VOTES, _SCORES = "votes.json", "scores.csv"
_MOST_SCORES = 20_000
_EXACT = "Decimals are for reading; long exact numbers fold out by a click."


# -- votes -----------------------------------------------------------------------------------------


def votes_report(
    votes: VoteCounts | LabeledVoteCounts | PartialKey | AbstainingVotes | VotesStudy,
    *,
    title: str = "Report on a test",
    known: Evaluation | CountEvaluation | None = None,
    specification: SafetySpecification | None = None,
    ties: TiePolicy | str = TiePolicy.FIRST_LABEL,
    made_by: Sequence[str] = (),
    interactive: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> str:
    """Return a self-contained HTML page with everything about a test, the same bytes every time.

    `interactive` adds pictures to turn and to slide, drawn by plotly inside the page, which is then some 5 MB large.
    `known` are grades by a key where the votes have none of their own; `made_by` is the command to print as the one
    that made the page; `progress` is told what comes next. A study that was made before is shown as it is. Raises
    `EmptyTest` for a test without questions, `MissingExtra` without matplotlib (or plotly).

    >>> text = votes_report(VoteCounts({"aab": 2, "bbb": 1}, judges=["<A>", "B", "C"]))
    >>> text.startswith("<!DOCTYPE html>"), "&lt;A&gt;" in text, "<A>" in text
    (True, True, False)
    """
    asked = SafetySpecification() if specification is None else specification
    options: dict[str, Any] = {"factor": asked, "ties": ties, "progress": progress}
    found = votes if isinstance(votes, VotesStudy) else study_votes(votes, known, funnel=True, **options)
    progress("pictures")
    lead = f"What the answers of judges say about the judges, in exact numbers. {_EXACT}"
    with accounted():  # what was found is shown, however much finding it took
        return page(title, lead, [*found.sections(), _votes_again(found, made_by)], interactive=interactive)


def _votes_again(found: VotesStudy, made_by: Sequence[str]) -> Section:
    told = None if found.abstentions is None else found.abstentions.told
    abstain = [] if told is None else ["--abstain", told.abstain]
    options: list[str] = []
    arguments = []
    if found.grades is not None and found.grades.policy is not TiePolicy.FIRST_LABEL:
        policy = found.grades.policy.value
        options += ["--ties", policy]
        arguments.append(f'ties="{policy}"')
    asked: list[str] = []
    if found.safety is not None and found.safety.specification != SafetySpecification():
        factor, grade = found.safety.specification.factor, found.safety.specification.minimum_grade
        asked += [] if isinstance(factor, Mapping) else ["--factor", str(factor)]
        asked += ["--minimum-grade", str(grade)] if grade else []
        each = {name: str(one) for name, one in factor.items()} if isinstance(factor, Mapping) else None
        factors = str(factor) if each is None else each
        arguments.append(f"factor=SafetySpecification({factors!r}, minimum_grade={str(grade)!r})")
    partial = None if found.graded is None else found.graded.key
    read = "read_votes" if partial is None else "read_test"
    loaded = f"{read}({_VOTES!r})"
    loaded = loaded if told is None else f"AbstainingVotes({loaded}, {told.abstain!r})"
    program = [
        f"from ntqr_exact import AbstainingVotes, SafetySpecification, {read}, study_votes",
        "",
        f"found = study_votes({', '.join([loaded, *arguments])})",
        "print(found)",
        "exact = found.to_json()",
    ]
    return _again(
        made_by=made_by,
        commands=[
            ["votes", "show", _VOTES],
            ["consistent", _VOTES, *abstain],
            ["evaluate", _VOTES, *abstain, *options],
            *([] if partial is None else [["graded", _VOTES]]),
            ["alarm", _VOTES, *abstain, *asked],
            ["report", _VOTES, *abstain, *asked, *options, "-o", "report.html"],
        ],
        program="\n".join(program),
        data=(_VOTES, (told.votes if told else partial or found.labeled or found.votes).to_json()),
    )


# -- scores ----------------------------------------------------------------------------------------


def metrics_report(
    scores: Ranking | ScoredSamples | ScoreStudy,
    *,
    title: str = "Report on a classifier's scores",
    queries: Sequence[Any] = QUERIES,
    thresholds: int = THRESHOLDS,
    made_by: Sequence[str] = (),
    **options: Any,
) -> str:
    """Return a self-contained HTML page on scores, the same bytes every time; options are those of `study_scores`.

    >>> from ntqr_exact.metrics.ranking import rank
    >>> metrics_report(rank([1, 0, 1, 0], ["0.9", "0.6", "0.4", "0.1"])).count("<svg ")
    3

    Raises `MissingExtra` without matplotlib, `BadQuery` for a text that is no query.
    """
    options |= {"queries": queries, "thresholds": thresholds}
    found = scores if isinstance(scores, ScoreStudy) else study_scores(scores, **options)
    lead = f"Scores against the answer key, in exact numbers. {_EXACT}"
    return page(title, lead, [*found.sections(), _scores_again(found, made_by)])


def _scores_again(found: ScoreStudy, made_by: Sequence[str]) -> Section:
    view, is_above = found.view, found.view.rule is Rule.ABOVE
    queries = [str(answer.query) for answer in found.answers]
    options = ["--label", "label", "--score", "score", "--weight", "weight"]
    options += ["--threshold", str(view.threshold), *(["--rule", view.rule.value] if is_above else [])]
    for query in queries:
        options += ["--query", query]
    rows = ["--table", str(len(found.rows))] if found.rows else []
    sign = ", rule=Rule.ABOVE" if is_above else ""
    program = f"""
from ntqr_exact import study_scores
from ntqr_exact.metrics.ranking import Rule
from ntqr_exact.metrics.score_file import read_scores

samples = read_scores({_SCORES!r}, label="label", score="score", weight="weight")
found = study_scores(samples, threshold="{view.threshold}"{sign}, queries={queries!r})
print(found)
"""
    return _again(
        made_by=made_by,
        commands=[
            ["metrics", _SCORES, *options],
            ["report", "metrics", _SCORES, *options, *rows, "-o", "report.html"],
        ],
        program=program,
        data=(_SCORES, _csv(found.ranking)) if len(found.ranking) <= _MOST_SCORES else None,
    )


def _csv(ranking: Ranking) -> str:
    """Return the ranking as weighted samples, one of each label for each score: it ranks the same."""
    lines = ["label,score,weight"]
    before = (0, 0)
    pairs = zip(as_list(ranking.true_positives), as_list(ranking.false_positives), strict=True)
    for place, (tp, fp) in enumerate(pairs):
        for label, step in ((1, int(tp) - before[0]), (0, int(fp) - before[1])):
            if step:
                lines.append(f"{label},{ranking.threshold(place)},{mpq(step) * ranking.unit}")
        before = int(tp), int(fp)
    return "\n".join(lines) + "\n"


# -- a comparison ----------------------------------------------------------------------------------


def significance_report(
    comparison: Comparison | SignificanceStudy,
    *,
    title: str = "Report on a comparison",
    arguments: Sequence[str] = (),
) -> str:
    """Return a self-contained HTML page on two models that a fallible metric model has judged.

    `arguments` are those of `ntqr-exact significance` that give the same comparison, to be printed.

    >>> from ntqr_exact import MetricModel, compare
    >>> found = compare(control=(108, 23679), treatment=(56, 23679), metric=MetricModel("0.8897", "0.22769"))
    >>> significance_report(found).count("<svg ")
    1

    Raises `MissingExtra` without matplotlib.
    """
    found = comparison if isinstance(comparison, SignificanceStudy) else study_significance(comparison)
    lead = (
        "Two models, judged by a metric model that errs, under every reading of the variance. All decisions are exact; "
        "decimals are for reading."
    )
    again = _again(
        made_by=["report", "significance", *arguments, "-o", "report.html"] if arguments else [],
        commands=[["significance", *arguments]] if arguments else [["significance", "--help"]],
        program=_comparison_program(found.comparison),
    )
    return page(title, lead, [*found.sections(), again])


def _comparison_program(comparison: Comparison) -> str:
    lines = ["from ntqr_exact import MetricModel, compare, compare_paired, study_significance"]
    critical = comparison.critical
    if isinstance(critical, RationalCritical):
        z = f'"{critical.z}"'
    else:
        lines.append("from ntqr_exact.sampling.normal_interval import NormalCritical")
        z = f'NormalCritical("{critical.of_level}")'
    lines += ["from ntqr_exact.sampling.normal_interval import Ends", ""]
    models = [_model(comparison.control), _model(comparison.treatment)]
    one = models[0] if comparison.same_labelled_set else f"(\n    {models[0]},\n    {models[1]},\n)"
    lines.append(f"metric = {one}")
    options = f"metric=metric, critical={z}, ends=Ends.{comparison.ends.name}"
    if comparison.joint is None:
        both = {"control": comparison.control, "treatment": comparison.treatment}
        samples = ",\n    ".join(f"{who}={_counts(model)!r}" for who, model in both.items())
        lines.append(f"found = compare(\n    {samples},\n    {options},\n)")
    else:
        names = product(_counts(comparison.control), _counts(comparison.treatment))
        pairs = dict(zip(names, chain.from_iterable(comparison.joint), strict=True))
        lines.append(f"pairs = {pairs!r}\nfound = compare_paired(pairs, {options})")
    return "\n".join([*lines, "print(study_significance(found))"])


def _counts(model: Performance) -> dict[str, int]:
    return {observed.name: n for observed, n in zip(model.metric.classes, model.counts, strict=True)}


def _model(model: Performance) -> str:
    classes = model.metric.classes
    rates = {observed.name: str(observed.rate) for observed in classes}
    positive = [observed.name for observed in classes if observed.counts_as]
    variances = {observed.name: str(observed.rate_variance) for observed in classes if observed.rate_variance}
    told = f", variances={variances!r}" if variances else ""
    return f"MetricModel.of_classes({rates!r}, positive={positive!r}{told})"


# -- how to get every number again -----------------------------------------------------------------


def _again(
    *,
    made_by: Sequence[str],
    commands: Sequence[Sequence[str]],
    program: str,
    data: tuple[str, str] | None = None,
) -> Section:
    """Return the section that tells how to do it again.

    `made_by` is the command that made the report, if one did; `commands` and `program` work on `data`, the name of a
    file and what stands in it.
    """
    blocks: list[Block] = [
        Sentence(
            f"Exact results are the same on every machine. Version {__version__} of ntqr-exact made this; in a "
            "clone of its repository at that version:"
        ),
        Code("pip install '.[plots]'"),
    ]
    if made_by:
        blocks += [Sentence("This report was made by"), Code(command_line(made_by), "wrapped")]
    if data is not None:
        name, content = data
        blocks.append(Sentence(f"All data are in this report. Save what is folded here as {name}:"))
        blocks.append(Fold(name, (Code(content, "long"),)))
    blocks += [
        Heading("On the command line"),
        Code("\n".join(command_line(one) for one in commands), "wrapped"),
        Heading("In Python"),
        Code(program.strip()),
    ]
    return Section("reproduce", "How to reproduce it", tuple(blocks))


def command_line(arguments: Sequence[str]) -> str:
    """Return a command as it is typed, its arguments quoted where they must be.

    >>> command_line(["evaluate", "my votes.json"])
    "ntqr-exact evaluate 'my votes.json'"
    """
    return shlex.join(["ntqr-exact", *arguments])
