"""The family `paired-decision`: two models on the same questions, with the covariance that comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadNumber
from ntqr_exact.significance.comparison import READINGS, Centre, Comparison, compare_paired
from ntqr_exact.significance.variance import VarianceReading, covariance_parts
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.families.interval_decision import (
    DECISION,
    ENDS_INPUT,
    ENDS_WORDS,
    TEXTBOOK,
    decision_word,
)
from ntqr_exact.vectors.families.real_rate import (
    METRIC,
    METRIC_ERRORS,
    METRIC_WORDS,
    PAPER,
    drawn_metric,
    known,
    labelled,
    metric_from,
)
from ntqr_exact.vectors.families.variance_readings import READING_WORDS
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import NULL, RATIONAL, TRUTH, described, either, list_of, record

READING_KEYS = {f"{reading.value}/{centre.value}": (reading, centre) for reading, centre in READINGS}
"""The seven questions of a comparison: a reading of the variance, and the difference it stands around."""

_Joint = Sequence[Sequence[int | str]]


def compute(document: Document) -> dict[str, Any]:
    """Return both differences, the covariance and the variance under each reading, and all decisions."""
    comparison = _comparison(document)
    return {
        "observed_difference": comparison.difference(Centre.OBSERVED),
        "real_difference": comparison.difference(Centre.REAL),
        "covariances": {reading.value: _covariance(comparison, reading) for reading in VarianceReading},
        "variances": {reading.value: comparison.variance(reading) for reading in VarianceReading},
        "decisions": {
            key: decision_word(comparison.result(*question).decision)
            for key, question in READING_KEYS.items()
        },
    }


def _comparison(document: Document) -> Comparison:
    metrics = [metric_from(one) for one in document["metrics"]]
    if len(metrics) not in (1, 2):
        raise BadNumber(len(metrics), "there is one metric model for both, or one for each")
    control, treatment = metrics[0], metrics[-1]
    rows = document["joint"]
    if len(rows) != len(control.classes) or any(len(row) != len(treatment.classes) for row in rows):
        raise BadNumber(rows, "there is a count for each pair of classes")
    joint = {
        (left.name, right.name): count
        for left, row in zip(control.classes, rows, strict=True)
        for right, count in zip(treatment.classes, row, strict=True)
    }
    return compare_paired(
        joint,
        metric=control if len(metrics) == 1 else (control, treatment),
        critical=document["z"],
        ends=document["ends"],
        same_labelled_set=document["same_labelled_set"],
    )


def _covariance(comparison: Comparison, reading: VarianceReading) -> Any:
    return covariance_parts(
        comparison.control,
        comparison.treatment,
        reading,
        joint=comparison.joint,
        same_labelled_set=comparison.same_labelled_set,
    ).at(comparison.control.size)


def steps(document: Document) -> Iterator[str]:
    """Tell the covariance, the variance of the difference, and the decision of each reading."""
    comparison, found = _comparison(document), compute(document)
    yield f"N = {comparison.control.size}; classes of the control: {list(comparison.control.counts)}"
    yield f"classes of the treatment: {list(comparison.treatment.counts)}"
    yield f"observed difference {found['observed_difference']}, real difference {found['real_difference']}"
    for key, (reading, centre) in READING_KEYS.items():
        covariance, variance = found["covariances"][reading.value], found["variances"][reading.value]
        f = comparison.difference(centre)
        yield (
            f"{key}: Cov = {covariance}, Var(T − C) = Var(T) + Var(C) − 2Cov = {variance}; f² = {f**2} against z²V, "
            f"z = {document['z']}: {found['decisions'][key]}"
        )


def edge_cases() -> Iterator[Case]:
    """Yield positive and negative covariances, equal answers, ties, two metric models, labelled sets, refusals."""
    half = known(["1/4", "3/4"], [0, 1])
    yield _case([PAPER], [[23526, 45], [97, 11]], "the source's BOLD counts, paired as if 11 were in common")
    yield _case([PAPER], [[23571, 0], [52, 56]], "the same, paired as if all 56 were in common")
    yield _case([half], [[81, 0], [9, 10]], "positive covariance: what the treatment does the control does")
    yield _case([half], [[70, 11], [19, 0]], "negative covariance: never both")
    yield _case([half], [[9, 3], [3, 1]], "no covariance: independent by counts")
    yield _case([half], [[9, 3], [3, 1]], "the same with open ends", ends="open")
    yield _case([half], [[5, 0], [0, 5]], "always the same answer: no difference and no variance")
    yield _case([half], [[0, 5], [5, 0]], "always opposite answers")
    yield _case([half], [[0, 7], [0, 0]], "the treatment is always positive, the control never")
    yield _case([half], [[0, 0], [7, 0]], "the same the other way round")
    yield _case([half], [[1, 0], [1, 0]], "the smallest sample")
    for ends in ("open", "closed"):
        yield _case(
            [known([0, 1], [0, 1])],
            [[3, 0], [1, 0]],
            "an end at exactly 0: f = −1/4, V = 1/16",
            z=1,
            ends=ends,
        )
    for z in ("0.99999999999999999999", "1.00000000000000000001"):
        yield _case([known([0, 1], [0, 1])], [[3, 0], [1, 0]], "an end a hair from 0", z=z)
    yield _case(
        [known([1, 0], [0, 1])], [[7, 3], [0, 2]], "a metric model that is always wrong: the sides change"
    )
    yield _case([known(["1/3", "1/3"], [0, 1])], [[7, 3], [0, 2]], "δ = 0: real differences vanish")
    yield _case([known(["1/4", "3/4"], [1, 0])], [[7, 3], [0, 2]], "the first class is the positive one")
    three = known(["0.1", "0.5", "0.9"], [0, 0, 1])
    yield _case([three], [[9, 2, 1], [0, 4, 2], [0, 0, 3]], "three classes")
    yield _case([three], [[9, 0, 0], [2, 4, 0], [1, 2, 3]], "three classes, exchanged")
    yield _case([three, half], [[9, 2], [4, 3], [0, 5]], "three classes of the control, two of the treatment")
    yield _case([half, three], [[9, 4, 0], [2, 3, 5]], "two classes of the control, three of the treatment")
    yield _case([half, known(["1/5", "9/10"], [0, 1])], [[70, 11], [5, 14]], "two metric models")
    guessed = known(["1/4", "3/4"], [0, 1], ["1/100", "1/50"])
    yield _case([guessed], [[60, 21], [5, 14]], "estimated rates, one labelled set: errors in common")
    yield _case([guessed], [[60, 21], [5, 14]], "the same, said", same=True)
    yield _case([guessed, guessed], [[60, 21], [5, 14]], "equal rates from two labelled sets")
    yield _case([guessed, guessed], [[60, 21], [5, 14]], "the same, said", same=False)
    yield _case([guessed, guessed], [[60, 21], [5, 14]], "equal rates from one labelled set", same=True)
    yield _case([guessed, half], [[60, 21], [5, 14]], "only the control's rates are estimated")
    yield _case([labelled(30, 10, 5, 55)], [[60, 21], [5, 14]], "rates from a labelled set")
    yield _case(
        [labelled(30, 10, 5, 55), labelled(8, 2, 1, 9)], [[60, 21], [5, 14]], "from two labelled sets"
    )
    for joint, comment in (
        ([[0, 0], [0, 0]], "no question"),
        ([[1, 0], [0, 0]], "one question"),
        ([[5, -1], [3, 3]], "a negative count"),
        ([[5, 1], [3]], "a count is missing"),
        ([[5, 1]], "a row is missing"),
        ([[5, 1, 1], [3, 3, 1]], "a column too many"),
    ):
        yield Case(_input([half], joint), comment, ("refused",))
    counts = [[5, 1], [3, 3]]
    yield Case(
        _input([half, guessed], counts, same=True), "different rates from one labelled set", ("refused",)
    )
    yield Case(_input([half], counts, same=False), "one metric model has one labelled set", ("refused",))
    yield Case(_input([], counts), "no metric model", ("refused",))
    yield Case(_input([half] * 3, counts), "three metric models", ("refused",))
    yield Case(_input([half], counts, z=0), "z = 0", ("refused",))
    yield Case(_input([half], counts, ends="ajar"), "ends of another kind", ("refused",))
    yield Case(_input([known(["1/4", 2], [0, 1])], counts), "a rate above 1", ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return one metric model or two, of two or three classes, and a growing number of questions."""
    classes = [2, draws.between(2, 3)] if index % 4 else [3, 3]
    metrics = [drawn_metric(draws, index, classes=classes[0])]
    if index % 2:
        metrics.append(drawn_metric(draws, index, classes=classes[1]))
    else:
        classes[1] = classes[0]
    size = 2 + draws.below(6 + index * 2)
    cells = draws.counts(size, classes[0] * classes[1])
    joint = [cells[row * classes[1] : (row + 1) * classes[1]] for row in range(classes[0])]
    z, ends = draws.pick((TEXTBOOK, "1", "2.5758")), draws.pick(("open", "closed"))
    return _case(metrics, joint, f"{size} questions, {classes[0]} × {classes[1]} classes", z=z, ends=ends)


def _input(
    metrics: Sequence[Document],
    joint: _Joint,
    *,
    z: int | str = TEXTBOOK,
    ends: str = "closed",
    same: bool | None = None,
) -> Document:
    return {
        "z": z,
        "ends": ends,
        "metrics": list(metrics),
        "same_labelled_set": same,
        "joint": [list(row) for row in joint],
    }


def _case(
    metrics: Sequence[Document],
    joint: _Joint,
    comment: str,
    *,
    z: int | str = TEXTBOOK,
    ends: str = "closed",
    same: bool | None = None,
) -> Case:
    document = _input(metrics, joint, z=z, ends=ends, same=same)
    found = compute(document)
    decided = {word for word in found["decisions"].values() if word != "not-shown"}
    deterministic = found["covariances"][VarianceReading.DETERMINISTIC.value]
    outcome = {
        "two-metric-models": len(metrics) == 2,
        "readings-differ": len(set(found["decisions"].values())) > 1,
        "shown": bool(decided),
        "negative-covariance": deterministic < 0,
    }
    return Case(document, comment, tuple(name for name, holds in outcome.items() if holds))


FAMILY = Family(
    name="paired-decision",
    version=1,
    title="Two models compared on the same questions",
    citations=(Citation("faithful", "eq. 14"), Citation("faithful", "eq. 18 to 20")),
    algorithm=(
        *METRIC_WORDS,
        "metrics holds one metric model for control and treatment, or one for the control and one for the treatment. "
        "same_labelled_set is true, false or null. Refuse as bad-number any other number of metric models; one metric "
        "model with false; and two that differ in rates, labels or variances with true. The rates come from one "
        "labelled set if there is one metric model, or if same_labelled_set is true; otherwise not.",
        "joint[x][y] counts the questions on which the control's output is in class x and the treatment's in class y. "
        "Refuse as bad-number a table that has not a row for each class of the control and in it a count for each "
        "class of the treatment, a count that is not whole or negative, and N = 1, where N is the sum; N = 0 as "
        "empty-test. The outputs of the control in class x are row x of the table, those of the treatment in class y "
        "are column y.",
        "z is a critical value; refuse as bad-number one that is not positive. " + ENDS_WORDS,
        *READING_WORDS,
        "observed_difference: p of the treatment less p of the control. real_difference: the same of m.",
        "covariances, for each reading. For deterministic, give a class the value 1 if its label says positive, "
        "otherwise 0; for printed, real-share, estimator and estimated-rates give it the value r_o. With these values "
        "the covariance is (the mean over the questions of the product of both outputs' values, less the product of "
        "the two means)/(N − 1). For estimated-rates add, if the rates come from one labelled set, the sum of s_o "
        "(control) · s_o (treatment) · v_o. For given-labels it is 0.",
        "variances, for each reading: the variance of the treatment plus that of the control less twice the "
        "covariance.",
        "decisions: the key reading/observed stands for f = observed_difference, reading/real for f = "
        "real_difference, V is the variance of that reading. not-shown if f = 0, or f² < z²V, or f² = z²V with closed "
        "ends; otherwise lower if f < 0, higher if f > 0.",
    ),
    input=record(
        z=NUMBER_INPUT,
        ends=ENDS_INPUT,
        metrics=described(list_of(METRIC), "of both, or of control and treatment"),
        same_labelled_set=either(TRUTH, NULL),
        joint=described(list_of(list_of(NUMBER_INPUT)), "a row for each class of the control"),
    ),
    expected=record(
        observed_difference=RATIONAL,
        real_difference=RATIONAL,
        covariances=record({reading.value: RATIONAL for reading in VarianceReading}),
        variances=record({reading.value: RATIONAL for reading in VarianceReading}),
        decisions=record(dict.fromkeys(READING_KEYS, DECISION)),
    ),
    flags={
        "two-metric-models": "control and treatment have a metric model each",
        "readings-differ": "not all readings decide alike",
        "shown": "some reading shows a difference",
        "negative-covariance": "the observed labels of both are negatively correlated",
        "refused": "the input makes no paired comparison",
    },
    errors={**METRIC_ERRORS, "bad-choice": "ends are neither open nor closed"},
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
)
