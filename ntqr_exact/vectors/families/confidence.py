"""Probability vectors and their scores: comparisons, inversions, and estimates on unlabelled data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gmpy2 import mpq

from ntqr_exact.confidence.atc import atc, atc_curve
from ntqr_exact.confidence.atc_values import AtcReading, TieRule
from ntqr_exact.confidence.doc import (
    PLAIN,
    DocEstimate,
    DropLine,
    DropSign,
    calibrated_drop_line,
    doc,
    fit_drop_line,
)
from ntqr_exact.confidence.ordering import InversionSearch, smallest_inversion
from ntqr_exact.confidence.probability_vector import ProbabilityVector, probability_vector
from ntqr_exact.confidence.scores import SIX, ScoreLike, compare_scores, distance_score, score_function
from ntqr_exact.exact.log_sum_key import LogSumKey
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family, Predicate
from ntqr_exact.vectors.specification import Case, Document, declared

_SCORE_NAMES = (*SIX, "jensen-shannon-printed")
_DATA = ("source", "target", "error", "accuracy", "labels", "source_weights", "target_weights")
_DATA_FLAGS: dict[str, Predicate] = {
    "labels": lambda given, _: given["labels"] is not None,
    "weights": lambda given, _: bool(given["source_weights"] or given["target_weights"]),
}


def _shares(counts: Sequence[int]) -> list[str]:
    """Return counts as the probabilities that they are in proportion to, in lowest terms."""
    return [str(mpq(count, sum(counts))) for count in counts]


_SIGNS = {-1: "less", 0: "equal", 1: "greater"}
_PLACES = 12


def _comparison(document: Document) -> dict[str, Any]:
    score = document["score"]
    return {
        "comparison": _SIGNS[compare_scores(score, document["left"], document["right"])],
        "left": _value(score, document["left"]),
        "right": _value(score, document["right"]),
    }


def _value(score: str, vector: Sequence[int | str]) -> mpq | Surd | str:
    value = score_function(score).value(vector)
    if not isinstance(value, LogSumKey):
        return value
    return "infinite" if value.infinite else rational(value.decimal(_PLACES))


def _comparison_steps(document: Document) -> Iterator[str]:
    function = score_function(document["score"])
    found = _comparison(document)
    yield f"{function.name}: {function.formula}"
    for side in ("left", "right"):
        vector = probability_vector(document[side])
        key = function.key(vector)
        square = "" if str(key) == str(function.value(vector)) else "the square of "
        yield f"{side}: {vector}, {square}the score is {key}, the score {found[side]}"
    yield f"left is {found['comparison']}{'' if found['comparison'] == 'equal' else ' than right'}"


def _comparison_case(draws: Draws, index: int) -> Case:
    """Return two vectors over a growing denominator, of two to six labels, one score after the other."""
    score = _SCORE_NAMES[index % len(_SCORE_NAMES)]
    labels, below = draws.between(2, 3 + index // 50), 3 + index // 2
    left = draws.counts(below, labels)
    match draws.below(4):
        case 0:
            right, comment = draws.shuffled(left), f"a permutation, over {below}"
        case 1:
            # One unit moved between the two largest: near neighbours.
            right = sorted(left)
            right[-1] += 1
            right[-2] -= 1 if right[-2] else 0
            comment = f"a neighbour, over {below}"
        case _:
            other = draws.between(2, below)
            right, comment = draws.counts(other, labels), f"over {below} and {other}"
    return Case({"score": score, "left": _shares(left), "right": _shares(right)}, comment)


def _is_permutation(document: Document, _: Any) -> bool:
    return sorted(document["left"]) == sorted(document["right"])


def _is_infinite(_: Document, found: Any) -> bool:
    return "infinite" in found.values()


def _is_rounded(document: Document, found: Any) -> bool:
    """Tell whether both vectors have a finite score that has to be rounded."""
    return (
        document["score"] in _SCORE_NAMES[4:] and "error" not in found and not _is_infinite(document, found)
    )


def _inversion(document: Document) -> dict[str, Any]:
    search = _search(document)
    pairs = sorted((inversion.over(search.denominator) for inversion in search.inversions), reverse=True)
    first = [list(vector) for vector in pairs[0]] if pairs else [None, None]
    return {
        "denominator": search.denominator if search.found else "none",
        "vectors": [count for _, count in search.examined],
        "inversions": len(pairs),
        "higher_left": first[0],
        "higher_right": first[1],
    }


def _search(document: Document) -> InversionSearch:
    left, right = (_score(document[side]) for side in ("left", "right"))
    return smallest_inversion(
        left, right, labels=document["labels"], max_denominator=document["max_denominator"]
    )


def _score(given: str | Sequence[int | str]) -> ScoreLike:
    return given if isinstance(given, str) else distance_score(given)


def _inversion_steps(document: Document) -> Iterator[str]:
    search, found = _search(document), _inversion(document)
    for denominator, count in search.examined:
        last = search.found and denominator == search.denominator
        told = f"{found['inversions']} inversions" if last else "no inversion"
        yield f"over {denominator}: {count} vectors, {told}"
    if search.found:
        for side in ("left", "right"):
            function = score_function(_score(document[side]))
            keys = [
                function.key(ProbabilityVector(found[name], search.denominator))
                for name in ("higher_left", "higher_right")
            ]
            yield f"{side}, {function.formula}, orders by {keys[0]} and {keys[1]}"
        yield f"left puts {found['higher_left']} above {found['higher_right']}, right puts it below"


def _inversion_case(draws: Draws, index: int) -> Case:
    """Return, in turn, a score and the distance to a vector, two such distances, and two scores by name."""
    labels = 2 + (index % 5 > 0) + (index % 10 == 9)
    largest = {2: 14, 3: 8, 4: 5}[labels]
    kind = index % 3
    if kind == 2 and labels > 2:
        left, right = draws.shuffled(_SCORE_NAMES)[:2]
        largest = draws.between(4, 2 * largest)
        return Case(_input(labels, left, right, largest), "two scores by name")
    below = 2 + index // 6
    centres = [_shares(draws.counts(below + labels, labels)) for _ in range(2)]
    if kind == 0:
        document = _input(labels, draws.pick(SIX), centres[0], largest)
        return Case(document, "a score and the distance to a vector")
    return Case(_input(labels, centres[0], centres[1], largest), "the distances to two vectors")


def _input(labels: int, left: Any, right: Any, largest: int) -> Document:
    return {"labels": labels, "left": left, "right": right, "max_denominator": largest}


def _atc(document: Document) -> dict[str, Any]:
    found = atc(**document)
    names = ("reading", "gamma", "threshold_vector", "source_share", "estimate", "error", "accuracy")
    parts = {name: getattr(found, name) for name in names}
    return {**parts, "reading": found.reading.value, "threshold_vector": list(found.threshold_vector)}


def _atc_steps(document: Document) -> Iterator[str]:
    found = atc(**document)
    yield f"reading {found.reading.value}: Γ = {found.gamma}"
    names = ("source", "target", "score", "source_weights", "target_weights")
    for point in atc_curve(**{name: document[name] for name in names}):
        below = found.reading.share(point.source_below), found.reading.share(point.target_below)
        yield (
            f"t = score of {point.threshold_vector}: {below[0]} of the source, off by {abs(found.gamma - below[0])}; "
            f"{below[1]} of the target"
        )
    yield f"the nearest, of two the {found.tie_rule.value}: {found.threshold_vector}; the estimate is {found.estimate}"


def _atc_case(draws: Draws, index: int) -> Case:
    """Return growing source and target over one denominator, with every reading, tie rule and score in turn."""
    labels, below = draws.between(2, 4), 4 + index // 10
    sizes = 2 + index // 25, 1 + index // 30
    source, target = ([_shares(draws.counts(below, labels)) for _ in range(size)] for size in sizes)
    document: Document = {
        "score": _SCORE_NAMES[index % len(_SCORE_NAMES)],
        "reading": draws.pick((None, *(reading.value for reading in AtcReading))),
        "tie_rule": draws.pick([rule.value for rule in TieRule]),
        **dict.fromkeys(_DATA),
        "source": source,
        "target": target,
    }
    if index % 4 == 3:
        document["labels"] = [draws.below(labels) for _ in source]
    else:
        # Halves of a share below are where two thresholds tie.
        name = draws.pick(("error", "accuracy"))
        document[name] = f"{draws.between(0, 2 * len(source))}/{2 * len(source)}"
    if index % 5 == 4:
        document["source_weights"] = [draws.between(index % 2, 4) for _ in source[1:]] + [1]
        document["target_weights"] = [draws.between(0, 4) for _ in target[1:]] + [2]
    return Case(document, f"{len(source)} and {len(target)} vectors over {below}")


def _depends_on_rule(document: Document, part: str) -> bool:
    """Tell whether the rules for ties find different thresholds, or different estimates."""
    return len({getattr(atc(**{**document, "tie_rule": rule}), part) for rule in TieRule}) > 1


def _doc(document: Document) -> dict[str, Any]:
    found = _doc_estimate(document)
    names = ("source_accuracy", "difference", "intercept", "slope", "drop", "accuracy", "error")
    return {name: getattr(found.line if name in ("intercept", "slope") else found, name) for name in names}


def _doc_estimate(document: Document) -> DocEstimate:
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


def _doc_steps(document: Document) -> Iterator[str]:
    found = _doc_estimate(document)
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


def _doc_case(draws: Draws, index: int) -> Case:
    """Return growing source and target; in turn with the plain line, one through points, and one from data sets."""
    labels, below = draws.between(2, 4), 4 + index // 5

    def drawn(size: int) -> list[list[str]]:
        return [_shares(draws.counts(below, labels)) for _ in range(size)]

    source, target = drawn(1 + index // 30), drawn(1 + index // 40)
    document: Document = {
        "sign": draws.pick([sign.value for sign in DropSign]),
        "line": None,
        **dict.fromkeys(_DATA),
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
        sure, even = _shares([1] + [0] * (labels - 1)), _shares([1] * labels)
        sets = [{"vectors": drawn(2), "accuracy": str(draws.share(9))} for _ in range(count - 2)]
        sets += [{"vectors": [one], "accuracy": str(draws.share(9))} for one in (sure, even)]
        document["line"] = {"data_sets": sets}
    return Case(document, f"{len(source)} and {len(target)} vectors over {below}")


FAMILIES = (
    Family(
        *declared("score-comparison", _comparison, _comparison_steps, _comparison_case),
        flags={
            "tie": lambda given, found: found["comparison"] == "equal" and not _is_permutation(given, found),
            "permutation": _is_permutation,
            "infinite": _is_infinite,
        },
        witnesses={"mpmath": _is_rounded},
    ),
    Family(
        *declared("smallest-inversion", _inversion, _inversion_steps, _inversion_case),
        flags={
            "none": lambda _, found: found["denominator"] == "none",
            "not-symmetric": lambda given, _: (
                isinstance(given["left"], list) or isinstance(given["right"], list)
            ),
        },
        witnesses={"brute-force": lambda *_: True},
    ),
    Family(
        *declared("atc-estimate", _atc, _atc_steps, _atc_case),
        flags={
            **_DATA_FLAGS,
            "tie": lambda given, _: _depends_on_rule(given, "threshold_vector"),
            "tie-matters": lambda given, _: _depends_on_rule(given, "estimate"),
            "published-code": lambda _, found: found["reading"] == AtcReading.ACCURACY_BELOW.value,
        },
        witnesses={"brute-force": lambda *_: True},
    ),
    Family(
        *declared("doc-estimate", _doc, _doc_steps, _doc_case),
        flags={
            **_DATA_FLAGS,
            "published-code": lambda given, _: given["sign"] == "added",
            "regression": lambda given, _: given["line"] is not None,
            "outside": lambda _, found: not 0 <= rational(found["accuracy"]) <= 1,
        },
    ),
)
