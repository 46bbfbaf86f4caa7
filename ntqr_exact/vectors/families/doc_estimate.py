"""The family `doc-estimate`: the accuracy on unlabelled data, from the difference of mean confidences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.scores import DATA, DATA_FLAGS, VECTOR, shares
from ntqr_exact.vectors.fragments import (
    NULL,
    NUMBER_INPUT,
    RATIONAL,
    TEXT,
    Fragment,
    described,
    either,
    list_of,
    record,
)
from ntqr_exact.vectors.specification import Case, Document, declared

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


def random_case(draws: Draws, index: int) -> Case:
    """Return growing source and target; in turn with the plain line, one through points, and one from data sets."""
    labels, below = draws.between(2, 4), 4 + index // 5

    def drawn(size: int) -> list[list[str]]:
        return [shares(draws.counts(below, labels)) for _ in range(size)]

    source, target = drawn(1 + index // 30), drawn(1 + index // 40)
    document: Document = {
        "sign": draws.pick([sign.value for sign in DropSign]),
        "line": None,
        **dict.fromkeys(DATA),
        "source": source,
        "target": target,
    }
    if index % 4 == 3:
        document["labels"] = [draws.below(labels) for _ in source]
    else:
        document[draws.pick(("error", "accuracy"))] = str(draws.share(9 + index))
    if index % 5 == 4:
        document["source_weights"] = [draws.between(0, 4) for _ in source[1:]] + [1]
        document["target_weights"] = [draws.between(0, 4) for _ in target[1:]] + [2]
    count = 2 + index // 75
    if index % 3 == 1:
        points = [
            [str(draws.share(9 + place) + place), str(draws.share(9 + index))] for place in range(count)
        ]
        document["line"] = {"points": [["-1", "0"], *points]}
    if index % 3 == 2:
        sure, even = shares([1] + [0] * (labels - 1)), shares([1] * labels)
        sets = [{"vectors": drawn(2), "accuracy": str(draws.share(9))} for _ in range(count - 2)]
        sets += [{"vectors": [one], "accuracy": str(draws.share(9))} for one in (sure, even)]
        document["line"] = {"data_sets": sets}
    return Case(document, f"{len(source)} and {len(target)} vectors over {below}")


FAMILY = Family(
    *declared("doc-estimate"),
    input=record(DATA, sign=TEXT, line=_LINE),
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
        **DATA_FLAGS,
        "published-code": lambda given, _: given["sign"] == "added",
        "regression": lambda given, _: given["line"] is not None,
        "outside": lambda _, found: not 0 <= rational(found["accuracy"]) <= 1,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
)
