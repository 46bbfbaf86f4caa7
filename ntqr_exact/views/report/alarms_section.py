"""Alarms with their proofs: which assumption the votes refute, and whether all judges could be safe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import comb

from ntqr_exact.alarms.alarm import Alarm, AlarmKind, alarm_lines
from ntqr_exact.alarms.misalignment import Misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.evaluators.independent.independent_solution import KeyExistence
from ntqr_exact.exact.counted import counted
from ntqr_exact.views.key_runs import KeyRun, key_runs
from ntqr_exact.views.plots.safe_keys import plot_safe_keys
from ntqr_exact.views.plots.safe_simplex import plot_safe_region
from ntqr_exact.views.report.blocks import (
    Section,
    box,
    bullets,
    count,
    data_table,
    facts,
    heading,
    sentence,
    verdict,
    words,
)
from ntqr_exact.views.report.picture import figure
from ntqr_exact.views.report.study import Study
from ntqr_exact.views.rich.markup import Markup, fold, tag

LOOKED_AT = ("each judge by itself", "every pair", "every trio")

_MOST_STEPS = (100_000, 50_000, 20_000)
"""Key counts times groups of judges that are gone through one by one, for judges, pairs and trios."""


def alarms_section(found: Study) -> Section:
    """Return the self-alarms of both hypotheses, and the logical alarms with the safe key counts."""
    parts: list[Markup] = []
    if found.solution is not None:
        parts.append(heading("Did the judges err independently on each label?"))
        parts += _self_alarms(found)
    if found.agreement is not None:
        parts.append(heading("Do the error rates of every pair multiply?"))
        parts.append(
            _proofs(
                found.agreement.alarms, "No alarm: the error rates are shares of the questions of this test."
            )
        )
    parts.append(heading("Could all judges be safe, whatever the key?"))
    parts.append(sentence(asked(found.specification)))
    parts += _logical(found)
    return Section("alarms", "Alarms, with their proofs", tuple(parts))


def asked(specification: SafetySpecification) -> str:
    """Return in words what is asked of every judge.

    >>> asked(SafetySpecification("3/2"))
    'A judge is safe if on every label 3/2 × its right answers > questions.'
    """
    grade = specification.minimum_grade
    factor = specification.factor
    told = (
        factor
        if not hasattr(factor, "items")
        else "(" + ", ".join(f"{one} on {label}" for label, one in factor.items()) + ")"
    )
    overall = f", and at least {grade} of all its answers are right" if grade else ""
    return f"A judge is safe if on every label {told} × its right answers > questions{overall}."


def self_verdict(found: Study) -> Markup:
    """Return in a sentence whether independent errors are refuted."""
    solution = found.solution
    if solution is None:
        return Markup("")
    if solution.existence is KeyExistence.UNDECIDED:
        return words(f"Undecided: {solution.existence.value}.")
    lines = list(alarm_lines(solution.alarms))
    if not lines:
        return verdict(f"No alarm: {solution.existence.value}.", fires=False)
    return verdict(lines[0] + ".", fires=True)


def _self_alarms(found: Study) -> Iterator[Markup]:
    solution = found.solution
    if solution is None:
        return
    if solution.existence is KeyExistence.UNDECIDED:
        yield box(
            tag(
                "p",
                f"Undecided: {solution.existence.value}; the search ended after {solution.undecided_at} steps.",
            ),
            bullets(map(str, solution.findings)),
        )
        return
    yield _proofs(solution.alarms, f"No alarm: {solution.existence.value}.")
    for place, key in enumerate(solution.keys, start=1):
        rows = [
            (", ".join(pattern), *(key.by_label[label].counts[pattern] for label in key.labels))
            for pattern in key.observed().counts
        ]
        shown = data_table(
            "Questions of each pattern, by true label",
            ["pattern", *(f"true {label}" for label in key.labels)],
            rows,
            unit="patterns",
        )
        yield fold(f"such an answer key, {place} of {len(solution.keys)}", shown)


def _proofs(alarms: Iterable[Alarm], otherwise: str) -> Markup:
    by_kind: dict[AlarmKind, list[Alarm]] = {}
    for alarm in alarms:
        by_kind.setdefault(alarm.kind, []).append(alarm)
    if not by_kind:
        return box(tag("p", verdict(otherwise, fires=False)), fires=False)
    return Markup("".join(_proof(kind, same) for kind, same in by_kind.items()))


def _proof(kind: AlarmKind, alarms: list[Alarm]) -> Markup:
    first, *others = alarms
    parts = [
        tag("p", verdict(f"ALARM, {kind.title}", fires=True), f": {kind.value}."),
        tag("p", f"Proof: {first.words}."),
    ]
    if first.proof:
        numbers = [(name.replace("_", " "), value) for name, value in first.proof.items()]
        parts.append(fold("the numbers of the proof", facts("The numbers of the proof", numbers)))
    if others:
        parts.append(fold(f"{len(others)} more of this kind", bullets(alarm.words for alarm in others)))
    return box(*parts, fires=True)


def _logical(found: Study) -> Iterator[Markup]:
    runs = {one.group_size: key_runs(one) if is_traced(one) else None for one in found.verdicts}
    first = found.votes.labels[0]
    yield data_table(
        "Could all judges be safe?",
        ["looked at", "verdict", f"safe numbers of {first}" if found.is_binary else "safe key counts"],
        [
            (
                LOOKED_AT[one.group_size - 1],
                words(
                    verdict("ALARM" if one.is_misaligned else "no alarm", fires=one.is_misaligned),
                    f": {one.words}",
                ),
                _safe(one, runs[one.group_size]),
            )
            for one in found.verdicts
        ],
    )
    yield data_table(
        "The most questions of each label on which every judge, by itself, could be safe; fewer than "
        f"{found.votes.size} in all would be a proof",
        ["label", "most questions"],
        list(found.verdicts[0].most_questions.items()),
    )
    for one in found.verdicts:
        traced = runs[one.group_size]
        if traced is not None:
            yield fold(
                f"the proof key by key, looking at {LOOKED_AT[one.group_size - 1]}", _trace(one, traced)
            )
    yield from _pictures(found, [one for one in found.verdicts if runs[one.group_size] is not None])


def is_traced(one: Misalignment) -> bool:
    """Return whether the key counts are gone through one by one: for two labels, while it takes seconds."""
    votes = one.votes
    steps = (votes.size + 1) * comb(len(votes.judges), one.group_size)
    if one.group_size == 3:
        steps *= 1 + votes.size // 1000
    return len(votes.labels) == 2 and steps <= _MOST_STEPS[one.group_size - 1]


def _safe(one: Misalignment, runs: list[KeyRun] | None) -> Markup:
    if runs is not None:
        safe = [run for run in runs if run.is_safe]
        number = sum(run.last - run.first + 1 for run in safe)
        told = ", ".join(
            str(run.first) if run.first == run.last else f"{run.first} to {run.last}" for run in safe[:4]
        )
        more = f", … in {len(safe)} runs" if len(safe) > 4 else ""
        return words(f"{told}{more} ({counted(number, 'key count')})") if safe else words("none")
    if one.is_misaligned:
        return words("none")
    if len(one.votes.labels) > 2 and not one.specification.minimum_grade:
        return words(count(one.safe_region.count()), " key counts")
    return words("not listed: there are too many key counts to go through")


def _trace(one: Misalignment, runs: list[KeyRun]) -> Markup:
    a, b = one.votes.labels
    rows = [
        (
            f"{run.first}" if run.first == run.last else f"{run.first} to {run.last}",
            _then(run),
        )
        for run in runs
    ]
    return data_table(
        f"If so many questions are {a}, and the others {b}", [f"questions of {a}", "then"], rows
    )


def _then(run: KeyRun) -> str:
    if run.is_safe:
        return "all judges could be safe"
    alone = len(run.excluded_by) == 1
    return f"{'not safe' if alone else 'not all safe together'}: {', '.join(run.excluded_by)}"


def _pictures(found: Study, traced: list[Misalignment]) -> Iterator[Markup]:
    key = found.key_counts
    if traced:
        true = None if key is None else key.key_counts[found.votes.labels[0]]
        yield figure(
            "safe",
            "Key counts at which all judges could be safe (open bars), and at which some judge is not (hatched)",
            lambda axes: plot_safe_keys(traced, true_key=true, axes=axes),
            height=1.7 + 0.5 * len(traced),
        )
    elif len(found.votes.labels) == 3 and not found.specification.minimum_grade:
        counts = None if key is None else dict(key.key_counts)
        yield figure(
            "safe",
            "Key counts of three labels at which all judges could be safe",
            lambda axes: plot_safe_region(found.verdicts[0].safe_region, true_key=counts, axes=axes),
            height=5,
        )


def meaning_section() -> Section:
    """Return what an alarm proves, what it does not, and what its silence means."""
    points = [
        "An alarm of independence proves that no answer key makes the errors of the judges on this test exactly "
        "independent. It does not say how far from independent they are, nor which judge is at fault: on a large test "
        "even judges who err independently by nature rarely do so to the last question.",
        "Its silence proves that such a key exists, not that it is the true one. Correlated judges may fit an "
        "independent key by chance, and copies of one judge always agree, which looks like knowledge.",
        "A logical alarm assumes nothing of the judges. It proves that under every answer key at least one of them "
        "fails what is asked. It does not name that judge.",
        "Its silence comes with the key counts at which all judges could be safe. Whoever knows that the true key "
        "counts are not among these knows that some judge is not safe.",
        "Pairs and trios see more than single judges, as their joint answers must fit one key; an alarm of any of them "
        "is a proof.",
    ]
    return Section("meaning", "What an alarm proves, and what it does not", (bullets(points),))
