"""The family `sample-size-plan`: the smallest number of outputs at which a difference would be shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.exact.rational import rational
from ntqr_exact.significance.comparison import Comparison, compare
from ntqr_exact.significance.planning import SamplePlan, plan
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.families.interval_decision import (
    DECISION,
    ENDS_INPUT,
    ENDS_WORDS,
    TEXTBOOK,
    decision_word,
)
from ntqr_exact.vectors.families.paired_decision import READING_KEYS
from ntqr_exact.vectors.families.real_rate import (
    METRIC,
    METRIC_ERRORS,
    METRIC_WORDS,
    PAPER,
    class_counts,
    drawn_metric,
    known,
    labelled,
    metric_from,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import NULL, WHOLE, described, either, list_of, one_of, record

_LARGEST_WITNESSED = 300
_Counts = Sequence[int | str]


def compute(document: Document) -> dict[str, Any]:
    """Return for each reading the smallest size and the decision from there on."""
    comparison = _comparison(document)
    plans = {key: plan(comparison, *question) for key, question in READING_KEYS.items()}
    return {
        key: {"smallest_size": _size(found), "decision": decision_word(found.decision)}
        for key, found in plans.items()
    }


def _size(found: SamplePlan) -> str:
    return "none" if found.smallest_size is None else str(found.smallest_size)


def _comparison(document: Document) -> Comparison:
    return compare(
        control=class_counts(document["control"]),
        treatment=class_counts(document["treatment"]),
        metric=metric_from(document["metric"]),
        both=document["both"],
        critical=document["z"],
        ends=document["ends"],
    )


def steps(document: Document) -> Iterator[str]:
    """Tell the parts of each variance, and where its fall meets the square of the difference."""
    comparison, found = _comparison(document), compute(document)
    square = rational(document["z"]) ** 2
    for key, (reading, centre) in READING_KEYS.items():
        parts, f = comparison.parts(reading), comparison.difference(centre)
        yield f"{key}: V(N) = ({parts.per_degree})/(N − 1) + ({parts.per_output})/N + {parts.fixed}"
        size = found[key]["smallest_size"]
        where = "no N shows it" if size == "none" else f"shown from N = {size} on"
        yield f"  f = {f}, f² = {f**2} against z²·V(N): {where}, {found[key]['decision']}"
        if size != "none" and int(size) > 2:
            yield f"  z²·V({size}) = {square * parts.at(int(size))}, z²·V({int(size) - 1}) = " + str(
                square * parts.at(int(size) - 1)
            )


def edge_cases() -> Iterator[Case]:
    """Yield small and large sizes, ties at a size, no size at all, no variance, paired samples, refusals."""
    perfect, half = known([0, 1], [0, 1]), known(["1/4", "3/4"], [0, 1])
    yield _case(perfect, [1, 1], [3, 1], "shares of 1/2 and 1/4: from N = 28 on")
    yield _case(perfect, [3, 1], [1, 1], "the same the other way round")
    yield _case(perfect, [1, 1], [3, 1], "the same with open ends", ends="open")
    yield _case(PAPER, [23571, 108], [23623, 56], "the source's BOLD counts")
    yield _case(PAPER, [90369, 9073], [90336, 9106], "the source's RealToxicityPrompts counts")
    yield _case(half, [9, 1], [1, 9], "a large difference")
    yield _case(half, [1, 1], [1, 1], "no difference: no size shows it")
    yield _case(half, [499, 501], [500, 500], "a small difference: large sizes")
    yield _case(perfect, [2, 0], [0, 2], "no variance: shown at once")
    yield _case(perfect, [2, 0], [2, 0], "no variance and no difference")
    yield _case(known([1, 0], [0, 1]), [1, 1], [3, 1], "a metric model that is always wrong")
    yield _case(known(["1/3", "1/3"], [0, 1]), [1, 1], [3, 1], "δ = 0: real differences vanish")
    yield _case(known(["3/4", "1/4"], [0, 1]), [1, 1], [3, 1], "δ < 0: the sides change")
    for ends in ("open", "closed"):
        yield _case(perfect, [9, 1], [9, 9], "a tie at a whole size: f² = z²V(N)", z=2, ends=ends)
        yield _case(perfect, [2, 0], [3, 1], "f² = 1/16, V = 3/16/(N − 1): a tie at N = 13", z=2, ends=ends)
        yield _case(known([0, 1], [0, 1], ["1/16", 0]), [4, 0], [2, 2], "a tie in the limit", z=2, ends=ends)
    yield _case(perfect, [2, 0], [3, 1], "just below the tie", z="1.99999999999999999999")
    yield _case(perfect, [2, 0], [3, 1], "just above the tie", z="2.00000000000000000001")
    three = known(["0.1", "0.5", "0.9"], [0, 0, 1])
    yield _case(three, [5, 3, 2], [2, 3, 5], "three classes")
    yield _case(three, [5, 3, 2], [3, 5, 2], "three classes, observed shares are equal")
    guessed = known(["1/4", "3/4"], [0, 1], ["1/100", "1/50"])
    yield _case(guessed, [7, 3], [3, 7], "estimated rates: the variance does not fall to 0")
    yield _case(
        known(["1/4", "3/4"], [0, 1], ["1/9", "1/9"]), [6, 4], [5, 5], "so uncertain rates that no size helps"
    )
    yield _case(guessed, [3, 2], [9, 1], "estimated rates, samples of different sizes")
    large = [str(10**20), str(10**20 + 1)]
    yield _case(half, large, large[::-1], "a difference beyond doubles")
    yield _case(labelled(30, 10, 5, 55), [70, 30], [50, 50], "rates from a labelled set")
    yield _case(half, [81, 19], [90, 10], "paired, as many in common as can be", both=10)
    yield _case(half, [81, 19], [90, 10], "paired, none in common", both=0)
    yield _case(perfect, [81, 19], [90, 10], "paired, perfect metric model", both=5)
    yield _case(perfect, [1, 1], [1, 1], "paired, always the same answer", both=1)
    yield _case(half, [3, 2], [5, 5], "samples of different sizes")
    for changes, comment in (
        ({"both": 11}, "more in common than there are"),
        ({"control": [3, 2], "both": 1}, "paired samples of different sizes"),
        ({"metric": three, "control": [1, 2, 3], "treatment": [3, 2, 1], "both": 1}, "paired, three classes"),
        ({"control": [0, 0]}, "no output"),
        ({"treatment": [1, 0]}, "one output"),
        ({"treatment": [1, 2, 3]}, "a count too many"),
        ({"both": "1/2"}, "half a question in common"),
        ({"z": 0}, "z = 0"),
        ({"ends": "ajar"}, "ends of another kind"),
        ({"metric": known(["1/4", "5/4"], [0, 1])}, "a rate above 1"),
    ):
        yield Case({**_input(half, [81, 19], [90, 10]), **changes}, comment, ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return growing samples, every fourth time paired."""
    metric = drawn_metric(draws, index)
    classes = 2 if "tp" in metric else len(metric["rates"])
    size = 4 + draws.below(6 + index * 2)
    control, treatment = draws.counts(size, classes), draws.counts(size, classes)
    z, ends = draws.pick((TEXTBOOK, "1", "2.5758")), draws.pick(("open", "closed"))
    both = None
    if index % 2 == 0 and classes == 2:
        least = max(0, control[1] + treatment[1] - size)
        both = draws.between(least, min(control[1], treatment[1]))
    return _case(metric, control, treatment, f"{size} outputs of each", z=z, ends=ends, both=both)


def _input(
    metric: Document,
    control: _Counts,
    treatment: _Counts,
    *,
    z: int | str = TEXTBOOK,
    ends: str = "closed",
    both: int | str | None = None,
) -> Document:
    return {
        "z": z,
        "ends": ends,
        "metric": metric,
        "control": list(control),
        "treatment": list(treatment),
        "both": both,
    }


def _case(
    metric: Document,
    control: _Counts,
    treatment: _Counts,
    comment: str,
    *,
    z: int | str = TEXTBOOK,
    ends: str = "closed",
    both: int | str | None = None,
) -> Case:
    document = _input(metric, control, treatment, z=z, ends=ends, both=both)
    sizes = [found["smallest_size"] for found in compute(document).values()]
    outcome = {
        "paired": both is not None,
        "no-size": "none" in sizes,
        "at-once": "2" in sizes,
        "large-size": any(size != "none" and int(size) > 10**6 for size in sizes),
    }
    return Case(document, comment, tuple(name for name, holds in outcome.items() if holds))


def _is_small(document: Document) -> bool:
    """Tell whether every reading shows the difference at a size to which one can count."""
    answer = FAMILY.answer(document)
    if answer.result != "valid":
        return False
    sizes = [found["smallest_size"] for found in answer.expected.values()]
    return all(size != "none" and int(size) <= _LARGEST_WITNESSED for size in sizes)


FAMILY = Family(
    name="sample-size-plan",
    version=1,
    title="The smallest sample that would show a difference",
    citations=(Citation("faithful", "eq. 7 and 8"), Citation("faithful", "eq. 13 and 14")),
    algorithm=(
        *METRIC_WORDS,
        "control and treatment tell how many outputs of each model were put into each class. Refuse as bad-number "
        "another number of counts than of classes, a count that is not whole or negative, and a sample of one output; "
        "a sample of none as empty-test.",
        "both is null for independent samples. Otherwise the samples are paired, an output of each model on every "
        "question, and both counts the questions on which both outputs are in the second class. Refuse as bad-number, "
        "if both is given: more or fewer than two classes, samples of different sizes, and a number that is not "
        "whole, negative, or impossible with the two samples.",
        "z is a critical value; refuse as bad-number one that is not positive. " + ENDS_WORDS,
        "For each model: s_o the share of outputs in class o, p the share in classes with a positive label, m the sum "
        "of s_o·r_o, A the sum of s_o·(r_o − m)², and B the sum of s_o·r_o·(1 − r_o). For both models together, where "
        "Δs_o is s_o of the treatment less s_o of the control: C is the sum of Δs_o²·v_o. For paired samples, E is "
        "the share of the questions that both counts less the product of the shares s_2 of both models; for "
        "independent samples E = 0. With g_o = 1 for a class with a positive label and 0 for the other, K_g = (g_2 − "
        "g_1)²·E and K_r = (r_2 − r_1)²·E.",
        "The variance of the difference, as a function of one size N for both models, is V(N) = a/(N − 1) + b/N + c. "
        "With sums over the two models: deterministic: a is the sum of p·(1 − p), less 2K_g. printed: a is the sum of "
        "m·(1 − m), less 2K_r. real-share: a is the sum of A, less 2K_r, and b the sum of B. estimator: a is the sum "
        "of A, less 2K_r. given-labels: b is the sum of B. estimated-rates: a is the sum of A, less 2K_r, and c = C. "
        "All others of a, b, c are 0.",
        "The result has a key for each question: reading/observed with f = p of the treatment less p of the control, "
        "reading/real with f = m of the treatment less m of the control.",
        "A size N ≥ 2 shows the difference if f ≠ 0 and either f² > z²·V(N), or f² = z²·V(N) with open ends. "
        "smallest_size: the smallest N that does (then all larger ones do, too), or the word none if none does. The "
        "shares are held fixed, whether or not they make whole numbers of outputs.",
        "decision: not-shown if smallest_size is none, otherwise lower if f < 0 and higher if f > 0.",
    ),
    input=record(
        z=NUMBER_INPUT,
        ends=ENDS_INPUT,
        metric=METRIC,
        control=described(list_of(NUMBER_INPUT), "outputs in each class"),
        treatment=described(list_of(NUMBER_INPUT), "outputs in each class"),
        both=either(NUMBER_INPUT, NULL),
    ),
    expected=record(
        dict.fromkeys(READING_KEYS, record(smallest_size=either(WHOLE, one_of("none")), decision=DECISION))
    ),
    flags={
        "paired": "both models answered the same questions",
        "no-size": "under some reading no size shows the difference",
        "at-once": "under some reading two outputs of each show the difference",
        "large-size": "under some reading more than a million outputs are needed",
        "refused": "the input makes no comparison",
    },
    errors={**METRIC_ERRORS, "bad-choice": "ends are neither open nor closed"},
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": _is_small},
)
