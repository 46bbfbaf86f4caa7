"""The family `doc-estimate`: the accuracy on unlabelled data, from the difference of mean confidences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.confidence.doc import (
    PLAIN,
    DocEstimate,
    DropLine,
    DropSign,
    calibrated_drop_line,
    doc,
    fit_drop_line,
)
from ntqr_exact.exact.rational import rational
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.atc_estimate import GAMMA_ERRORS, GAMMA_PARTS, GAMMA_WORDS
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.families.score_comparison import VECTOR, shares
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import NULL, RATIONAL, TEXT, Fragment, described, either, list_of, record

_Vectors = Sequence[Sequence[int | str]]
_LINE: Fragment = either(
    NULL,
    record(points=described(list_of(list_of(NUMBER_INPUT, exactly=2)), "pairs of DoC and drop in accuracy")),
    record(data_sets=list_of(record(vectors=list_of(VECTOR), accuracy=NUMBER_INPUT))),
)


def compute(document: Document) -> dict[str, Any]:
    """Return the line, the difference of confidences, the drop, and the estimated accuracy."""
    found = _estimate(document)
    return {
        "source_accuracy": found.source_accuracy,
        "difference": found.difference,
        "intercept": found.line.intercept,
        "slope": found.line.slope,
        "drop": found.drop,
        "accuracy": found.accuracy,
        "error": found.error,
    }


def _estimate(document: Document) -> DocEstimate:
    given = {name: value for name, value in document.items() if name not in ("line", "sign")}
    return doc(**given, line=_line(document, given), sign=document["sign"])


def _line(document: Document, given: Document) -> DropLine:
    line = document["line"]
    if line is None:
        return PLAIN
    if "points" in line:
        return fit_drop_line([(x, y) for x, y in line["points"]])
    known = [(one["vectors"], one["accuracy"]) for one in line["data_sets"]]
    return calibrated_drop_line(document["source"], doc(**given).source_accuracy, known)


def steps(document: Document) -> Iterator[str]:
    """Tell the accuracy, the difference of mean confidences, the line, and the estimate."""
    found = _estimate(document)
    yield f"the accuracy of the source is {found.source_accuracy}"
    for name in ("source", "target"):
        largest = ", ".join(str(max(map(rational, vector))) for vector in document[name])
        weights = document[f"{name}_weights"]
        told = "" if weights is None else f", with the weights {', '.join(map(str, weights))}"
        yield f"the largest probabilities of the {name}: {largest}{told}"
    yield f"the mean of those of the source less that of the target: DoC = {found.difference}"
    line = found.line
    yield f"the drop is α + β·DoC = {line.intercept} + {line.slope}·{found.difference} = {found.drop}"
    yield f"{found.sign.value}: the estimated accuracy is {found.accuracy}"


def edge_cases() -> Iterator[Case]:
    """Yield the plain form, both signs, lines through points and data sets, labels, weights, refusals."""
    plain: dict[str, Any] = {"source": _pairs(9, 7), "target": _pairs(6)}
    yield _case("less confidence, less accuracy", **plain, accuracy="9/10")
    yield _case("the same, the drop added as the published code does", **plain, accuracy="9/10", sign="added")
    yield _case("the error given", **plain, error="1/10")
    yield _case("more confidence, more accuracy", source=_pairs(6), target=_pairs(9, 7), accuracy="7/10")
    yield _case("an accuracy above 1 is left as it is", source=_pairs(5), target=_pairs(10), accuracy=1)
    yield _case("an accuracy below 0 is left as it is", source=_pairs(10), target=_pairs(5), accuracy=0)
    yield _case("the same data: no drop", source=_pairs(9, 7), target=_pairs(7, 9), accuracy="4/5")
    yield _case(
        "the largest probability may stand anywhere", source=_pairs(1, 3), target=_pairs(4), accuracy="9/10"
    )
    yield _case("labels: one of two is wrong", **plain, labels=[0, 1])
    yield _case(
        "labels, in a tie the first label is predicted", source=_pairs(5, 5), target=_pairs(5), labels=[0, 1]
    )
    yield _case("weights of the source", **plain, accuracy="9/10", source_weights=[1, 3])
    yield _case("a source vector without weight", **plain, accuracy="9/10", source_weights=[1, 0])
    yield _case(
        "weights of the target",
        source=_pairs(9),
        target=_pairs(6, 8),
        accuracy="9/10",
        target_weights=["1/3", 1],
    )
    yield _case("weighted labels", **plain, labels=[0, 1], source_weights=[1, 3])
    three = {"source": [shares([5, 3, 2]), shares([1, 1, 1])], "target": [shares([0, 4, 6])]}
    yield _case("three labels", **three, accuracy="1/2")
    for points, comment in (
        ([["0.1", "0.1"], ["0.2", "0.3"], ["0.3", "0.2"]], "three points: 1/10 + DoC/2"),
        ([[0, 0], [1, 1]], "two points: the plain line"),
        ([[0, "1/10"], ["1/2", "1/10"]], "a flat line"),
        ([["1/10", "1/5"], ["1/5", "1/10"]], "a falling line"),
        ([["1/10", "1/5"], ["1/10", "2/5"], ["1/5", "1/10"]], "two points in one place"),
        ([["1/10", "1/5"], ["1/10", "1/5"], ["1/5", "1/10"]], "a point that stands twice counts twice"),
        ([["-1/7", "-1/3"], ["1/11", 0], ["1/13", "1/2"], ["2/17", "1/19"]], "four points"),
        ([["1e-20", 0], ["2e-20", "1e-20"]], "points that are very near"),
        ([["0.1", "0.3"], ["0.1000000000000000000001", "0.3"]], "points that doubles take for one"),
    ):
        yield _case(comment, **plain, accuracy="9/10", line={"points": points})
    sets = [
        {"vectors": _pairs(8, 6), "accuracy": "3/4"},
        {"vectors": _pairs(6, 5), "accuracy": "1/2"},
        {"vectors": _pairs(9), "accuracy": "19/20"},
    ]
    yield _case("a line from two data sets", **plain, accuracy="9/10", line={"data_sets": sets[:2]})
    yield _case("a line from three data sets", **plain, accuracy="9/10", line={"data_sets": sets})
    yield _case("the same, added", **plain, accuracy="9/10", line={"data_sets": sets}, sign="added")
    yield _case("data sets, and the accuracy from labels", **plain, labels=[0, 1], line={"data_sets": sets})
    weighted = {**plain, "source_weights": [1, 3]}
    yield _case(
        "weights count for DoC, not for the line", **weighted, accuracy="9/10", line={"data_sets": sets}
    )
    for changes, comment in (
        ({"accuracy": None}, "no accuracy is given"),
        ({"error": "1/10"}, "accuracy and error are given"),
        ({"accuracy": "11/10"}, "an accuracy above 1"),
        ({"accuracy": "good"}, "an accuracy that is no number"),
        ({"accuracy": None, "labels": [0]}, "a label is missing"),
        ({"accuracy": None, "labels": [0, 2]}, "a label beyond the vectors"),
        ({"sign": "ignored"}, "an unknown sign"),
        ({"source": []}, "no source"),
        ({"target": []}, "no target"),
        ({"target": [["1/3", "1/3", "1/3"]]}, "another number of labels in the target"),
        ({"target": [["1/2", "1/3"]]}, "a vector whose sum is not 1"),
        ({"target_weights": [0]}, "weights that are all zero"),
        ({"source_weights": [1, -1]}, "a negative weight"),
        ({"line": {"points": [["1/10", "1/5"]]}}, "one point makes no line"),
        ({"line": {"points": []}}, "no point"),
        ({"line": {"points": [["1/10", "1/5"], ["0.1", "1/4"]]}}, "all points in one place"),
        ({"line": {"points": [["1/10", "1/5"], ["x", "1/4"]]}}, "a point that is no number"),
        ({"line": {"data_sets": [sets[0]]}}, "one data set makes no line"),
        ({"line": {"data_sets": [sets[0], {"vectors": [], "accuracy": "1/2"}]}}, "an empty data set"),
    ):
        yield Case({**_input(**plain, accuracy="9/10"), **changes}, comment, ("refused",))


def _pairs(*tenths: int) -> list[list[str]]:
    return [shares([tenth, 10 - tenth]) for tenth in tenths]


def random_case(draws: Draws, index: int) -> Case:
    """Return growing source and target; in turn with the plain line, one through points, and one from data sets."""
    labels, below = draws.between(2, 4), 4 + index // 5

    def drawn(size: int) -> list[list[str]]:
        return [shares(draws.counts(below, labels)) for _ in range(size)]

    source, target = drawn(1 + index // 30), drawn(1 + index // 40)
    options: dict[str, Any] = {"sign": draws.pick([sign.value for sign in DropSign])}
    if index % 4 == 3:
        options["labels"] = [draws.below(labels) for _ in source]
    else:
        options[draws.pick(("error", "accuracy"))] = str(draws.share(9 + index))
    if index % 5 == 4:
        options["source_weights"] = [draws.between(0, 4) for _ in source[1:]] + [1]
        options["target_weights"] = [draws.between(0, 4) for _ in target[1:]] + [2]
    count = 2 + index // 75
    if index % 3 == 1:
        points = [
            [str(draws.share(9 + place) + place), str(draws.share(9 + index))] for place in range(count)
        ]
        options["line"] = {"points": [["-1", "0"], *points]}
    if index % 3 == 2:
        sure, even = shares([1] + [0] * (labels - 1)), shares([1] * labels)
        sets = [{"vectors": drawn(2), "accuracy": str(draws.share(9))} for _ in range(count - 2)]
        sets += [{"vectors": [one], "accuracy": str(draws.share(9))} for one in (sure, even)]
        options["line"] = {"data_sets": sets}
    return _case(
        f"{len(source)} and {len(target)} vectors over {below}", source=source, target=target, **options
    )


def _input(
    *,
    source: _Vectors,
    target: _Vectors,
    error: int | str | None = None,
    accuracy: int | str | None = None,
    labels: Sequence[int] | None = None,
    line: Document | None = None,
    sign: str = "subtracted",
    source_weights: Sequence[int | str] | None = None,
    target_weights: Sequence[int | str] | None = None,
) -> Document:
    return {
        "sign": sign,
        "line": line,
        "source": [list(vector) for vector in source],
        "target": [list(vector) for vector in target],
        "error": error,
        "accuracy": accuracy,
        "labels": labels,
        "source_weights": source_weights,
        "target_weights": target_weights,
    }


def _case(comment: str, **parts: Any) -> Case:
    document = _input(**parts)
    found = compute(document)
    outcome = {
        "published-code": document["sign"] == "added",
        "regression": document["line"] is not None,
        "outside": not 0 <= found["accuracy"] <= 1,
        "labels": document["labels"] is not None,
        "weights": bool(document["source_weights"] or document["target_weights"]),
    }
    return Case(document, comment, tuple(name for name, holds in outcome.items() if holds))


FAMILY = Family(
    name="doc-estimate",
    version=1,
    title="Difference of confidences",
    citations=(Citation("orderings", "section 3.1"),),
    algorithm=(
        *GAMMA_WORDS,
        "source_accuracy: 1 − e. difference: DoC, the mean over the source of the largest probability of a vector "
        "less the same mean over the target; both means use the weights.",
        "line is one of: null, then intercept α = 0 and slope β = 1; an object with points, a list of pairs [x, y]; "
        "or an object with data_sets, each with vectors and an accuracy. A data set makes the point [x, y] with x = "
        "the mean over the source of the largest probability less the same mean over the vectors of the data set, "
        "both without weights, and y = 1 − e − its accuracy.",
        "Through the points goes the line of least squares: α and β make the sum of (y − α − βx)² least. Refuse as "
        "bad-samples points that have fewer than two different x among them, and a data set that is no list of "
        "vectors like source; as bad-number what is no number.",
        "intercept: α. slope: β. drop: α + β·DoC.",
        "sign is subtracted or added; refuse any other as bad-choice. accuracy: 1 − e less the drop if it is "
        "subtracted, plus the drop if it is added; it may lie outside [0, 1]. error: 1 less the accuracy.",
    ),
    input=record(GAMMA_PARTS, sign=TEXT, line=_LINE),
    expected=record(
        source_accuracy=RATIONAL,
        difference=RATIONAL,
        intercept=RATIONAL,
        slope=RATIONAL,
        drop=RATIONAL,
        accuracy=RATIONAL,
        error=RATIONAL,
    ),
    flags={
        "published-code": "the drop is added, as the published code does",
        "regression": "the line is fitted to known drops",
        "outside": "the estimated accuracy lies outside [0, 1], as a line does",
        "labels": "the error is counted from labels",
        "weights": "vectors have weights",
        "refused": "the input makes no estimate",
    },
    errors=GAMMA_ERRORS,
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
)
