"""What a reader in a hurry should know of a test, and what every trio of many judges says."""

from __future__ import annotations

from ntqr_exact.evaluators.independent.independent_solution import KeyExistence
from ntqr_exact.exact.counted import counted
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.views.plots.prevalence_quadratic import plot_prevalence_quadratic
from ntqr_exact.views.report.alarms_section import LOOKED_AT, asked, self_verdict
from ntqr_exact.views.report.blocks import Section, bullets, count, data_table, sentence, verdict, words
from ntqr_exact.views.report.picture import figure
from ntqr_exact.views.report.study import Study
from ntqr_exact.views.rich.markup import Markup, tag


def summary_section(found: Study) -> Section:
    """Return the size of the test and the verdict of every alarm, a line each."""
    votes = found.votes
    key = "There is no answer key."
    if found.key_counts is not None:
        told = ", ".join(f"{n} of {label}" for label, n in found.key_counts.key_counts.items())
        key = f"The answer key is known: {told}."
    points: list[object] = [
        f"{counted(votes.size, 'question')}; judges {', '.join(votes.judges)}; labels {', '.join(votes.labels)}. {key}",
        tag(
            "span",
            "The votes leave ",
            count(ConsistentSet(votes).count()),
            " consistent evaluations of the group.",
        ),
    ]
    own = self_verdict(found)
    if own:
        points.append(tag("span", "Independent errors: ", own))
    if found.verdicts:
        points.append(asked(found.specification))
    for one in found.verdicts:
        name = "ALARM" if one.is_misaligned else "No alarm"
        points.append(
            tag(
                "span",
                f"Safety, looking at {LOOKED_AT[one.group_size - 1]}: ",
                verdict(name, fires=one.is_misaligned),
                f": {one.words}." if one.is_misaligned else f"; for example, {one.words}.",
            )
        )
    if found.trios:
        fired = sum(1 for _, one in found.trios if one.existence is KeyExistence.NONE)
        points.append(f"Of {len(found.trios)} trios, {fired} cannot have erred independently.")
    return Section("summary", "In short", (bullets(points),))


def trios_section(found: Study) -> Section:
    """Return for every trio of more than three judges whether it could have erred independently, and why not."""
    rows = []
    for names, solution in found.trios:
        if solution.existence is KeyExistence.UNDECIDED:
            rows.append((", ".join(names), words("undecided"), words(f"after {solution.undecided_at} steps")))
            continue
        kinds = ", ".join(dict.fromkeys(alarm.kind.title for alarm in solution.alarms))
        first = solution.alarms[0].words if solution.alarms else solution.existence.value
        rows.append((", ".join(names), _verdict(kinds), words(first)))
    parts = [
        sentence(
            "Each trio is looked at by itself. If all judges together erred independently, so did every trio; the "
            "converse fails."
        ),
        data_table("Every trio of judges", ["judges", "alarms of independence", "why"], rows, unit="trios"),
    ]
    if found.is_binary:
        parts.append(_most_telling(found))
    return Section("trios", "Every trio", tuple(parts))


def _most_telling(found: Study) -> Markup:
    """Return the picture of the first trio with the most kinds of alarms."""
    names, solution = max(found.trios, key=lambda trio: len({alarm.kind for alarm in trio[1].alarms}))
    return figure(
        "trio",
        f"The prevalence quadratic of judges {', '.join(names)}, the first trio with the most kinds of alarms",
        lambda axes: plot_prevalence_quadratic(solution, axes=axes),
        height=5,
    )


def _verdict(kinds: str) -> Markup:
    return words(verdict(kinds, fires=True) if kinds else verdict("none", fires=False))
