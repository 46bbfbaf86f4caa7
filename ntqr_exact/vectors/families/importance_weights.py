"""The family `importance-weights`: weights of samples drawn from strata, and the matrix that they adjust."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS
from ntqr_exact.metrics.undefined import Undefined
from ntqr_exact.metrics.weighting import Strata, bias_adjusted
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import MATRIX, NUMBER_INPUT, cells_of, metric_value, told
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, WHOLE, described, list_of, mapping, record

_METRICS = {
    "error_rate": RATIONAL,
    "precision": metric_value(Undefined.NO_PREDICTED_POSITIVES),
    "recall": metric_value(Undefined.NO_POSITIVES),
    "f1": metric_value(Undefined.NOTHING_POSITIVE),
}


def compute(document: Document) -> dict[str, Any]:
    """Return the weight of each stratum, the adjusted matrix and its metrics."""
    matrices, strata = _matrices(document), _strata(document)
    adjusted = bias_adjusted(matrices, document["populations"])
    return {
        "samples": str(strata.size),
        "population": str(strata.population),
        "weights": {str(name): weight for name, weight in strata.weights.items()},
        "matrix": cells_of(adjusted),
        **{name: told(adjusted[name]) for name in _METRICS},
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the factors of each weight, and the cells as sums."""
    found, strata = compute(document), _strata(document)
    size, population = strata.size, strata.population
    yield f"n = {size} samples stand for a population of |U| = {population}"
    for name, weight in strata.weights.items():
        drawn, there = strata.samples[name], strata.populations[name]
        yield f"{name}: ({size}/{drawn}) · ({there}/{population}) = {weight}"
    for place, cell in enumerate(CELLS):
        terms = (f"{weight} · {document['matrices'][name][place]}" for name, weight in strata.weights.items())
        yield f"{cell} = {' + '.join(terms)} = {found['matrix'][cell]}"
    yield ", ".join(f"{name} = {found[name]}" for name in _METRICS)


def edge_cases() -> Iterator[Case]:
    """Yield a rare stratum, one and many strata, whole populations, empty strata, and refusals."""
    sizes = {"B": 13526, "rest": 1103658}
    yield _case(
        sizes,
        {"B": [833, 171, 116, 855], "rest": [0, 0, 0, 1000]},
        "a small stratum of interest, and the rest",
        "rare",
    )
    yield _case(
        sizes, {"B": [833, 171, 116, 855], "rest": [1, 2, 3, 994]}, "rare errors with a large weight", "rare"
    )
    yield _case({"a": 10}, {"a": [1, 2, 3, 4]}, "one stratum, all of it drawn: the weight is 1")
    yield _case({"a": 1000}, {"a": [1, 2, 3, 4]}, "one stratum: the weight is 1 again")
    yield _case({"a": 10, "b": 30}, {"a": [1, 0, 1, 0], "b": [0, 1, 0, 0]}, "two of ten, and one of thirty")
    yield _case(
        {"a": 4, "b": 4}, {"a": [1, 1, 1, 1], "b": [2, 0, 0, 2]}, "two strata, all drawn: all weights are 1"
    )
    yield _case(
        {"a": 8, "b": 12}, {"a": [1, 1, 0, 0], "b": [0, 1, 1, 1]}, "drawn in proportion: all weights are 1"
    )
    yield _case(
        {"a": 5, "b": 7, "c": 11}, {"a": [1, 2, 0, 1], "b": [3, 0, 1, 0], "c": [0, 0, 0, 2]}, "three strata"
    )
    yield _case(
        {"c": 9, "a": 8, "b": 7}, {"b": [1, 0, 0, 0], "c": [0, 1, 0, 0], "a": [0, 0, 0, 1]}, "in other orders"
    )
    yield _case(
        {"a": 6, "b": 0}, {"a": [1, 0, 2, 0], "b": [0, 0, 0, 0]}, "a stratum without population", "empty"
    )
    yield _case({"a": 6, "b": 0}, {"a": [1, 0, 2, 0]}, "the same, and no samples are given for it", "empty")
    yield _case({"a": 6, "b": 9}, {"a": [0, 0, 0, 2], "b": [0, 0, 0, 1]}, "nothing is positive")
    yield _case({"a": 6, "b": 9}, {"a": [0, 0, 1, 2], "b": [0, 0, 0, 1]}, "nothing is predicted")
    yield _case({"a": 6, "b": 9}, {"a": [0, 1, 0, 2], "b": [0, 2, 0, 1]}, "no positives")
    yield _case({"a": 6, "b": 9}, {"a": [0, 1, 2, 1], "b": [0, 2, 1, 1]}, "no true positives: F1 is 0")
    yield _case(
        {"a": str(10**20 + 1), "b": 10**6}, {"a": [1, 2, 3, 4], "b": [5, 6, 7, 8]}, "beyond doubles", "large"
    )
    yield _case({"a": 2**53 - 1, "b": 1}, {"a": [1, 0, 0, 0], "b": [0, 1, 0, 0]}, "one of very many", "large")
    yield _case({"a": 3}, {"a": [1, 1, 1, 1]}, "more samples than there are", "refused")
    yield _case({"a": 3, "b": 4}, {"a": [1, 0, 0, 1]}, "a stratum that nothing was drawn from", "refused")
    yield _case(
        {"a": 3, "b": 4}, {"a": [1, 0, 0, 1], "b": [0, 0, 0, 0]}, "the same, with empty counts", "refused"
    )
    yield _case({"a": 3}, {"a": [1, 0, 0, 1], "b": [1, 0, 0, 0]}, "a stratum of unknown size", "refused")
    yield _case({"a": 0}, {"a": [0, 0, 0, 0]}, "no population", "refused")
    yield _case({}, {}, "no strata", "refused")
    yield _case(
        {"a": 0, "b": 4}, {"a": [1, 0, 0, 0], "b": [1, 0, 0, 0]}, "samples of an empty stratum", "refused"
    )
    yield _case({"a": -3}, {"a": [1, 0, 0, 0]}, "a negative population", "refused")
    yield _case({"a": "7/2"}, {"a": [1, 0, 0, 0]}, "a population that is not whole", "refused")
    yield _case({"a": "many"}, {"a": [1, 0, 0, 0]}, "a population that is no number", "refused")
    yield _case({"a": 5}, {"a": [1, -1, 2, 0]}, "a negative count", "refused")
    yield _case({"a": 5}, {"a": ["1/2", 1, 2, 0]}, "samples that are not whole", "refused")


def random_case(draws: Draws, index: int) -> Case:
    """Return two to four strata whose samples and populations grow with the index."""
    names = ("B", "rest", "c", "d")[: 2 + index % 3]
    matrices = {name: draws.counts(1 + draws.below(3 + index), 4) for name in names}
    populations = {
        name: sum(counts) + draws.below(1 + index**2 * (1 + place))
        for place, (name, counts) in enumerate(matrices.items())
    }
    return _case(populations, matrices, f"{len(names)} strata")


def _matrices(document: Document) -> dict[str, ConfusionMatrix]:
    return {
        name: ConfusionMatrix(**dict(zip(CELLS, cells, strict=True)))
        for name, cells in document["matrices"].items()
    }


def _strata(document: Document) -> Strata:
    samples: dict[str, mpq] = {name: matrix.total for name, matrix in _matrices(document).items()}
    return Strata(populations=document["populations"], samples=samples)


def _case(
    populations: Mapping[str, int | str],
    matrices: Mapping[str, Sequence[int | str]],
    comment: str,
    *flags: str,
) -> Case:
    document = {"populations": dict(populations), "matrices": {name: list(c) for name, c in matrices.items()}}
    if "refused" in flags:
        return Case(document, comment, flags)
    found = compute(document)
    undefined = any(isinstance(found[name], str) for name in _METRICS)
    return Case(document, comment, (*flags, *(["undefined"] if undefined else [])))


def _is_small(document: Document) -> bool:
    """Tell whether a population in which each sample stands for as many members as its weight says can be listed."""
    populations, matrices = document["populations"], document["matrices"]
    if not populations or set(populations) != set(matrices):
        return False
    cells = [cell for row in matrices.values() for cell in row]
    if not all(isinstance(number, int) and number >= 0 for number in (*cells, *populations.values())):
        return False
    drawn = {name: sum(row) for name, row in matrices.items()}
    if any(not 0 < drawn[name] <= populations[name] for name in populations):
        return False
    members: int = sum(populations.values()) * math.lcm(*drawn.values())
    return members <= 20000


FAMILY = Family(
    name="importance-weights",
    version=1,
    title="Importance weights of samples from strata of known size",
    citations=(Citation("bias_adjusted", "Error Rate"), Citation("bias_adjusted", "Testing")),
    algorithm=(
        "The input gives strata by name: how large the population of each is, |s|, and the counts [tp, fp, "
        "fn, tn] of the samples that were drawn from it. Numbers are whole, or texts with whole numbers. A "
        "stratum without samples may be missing from the matrices. The order of the names does not matter.",
        "Refuse as bad-number a population that is negative, not whole or no number, and counts of a stratum "
        "whose sum is not whole; as bad-samples a negative count, counts of a stratum whose population is "
        "not given, more samples than the population has, no samples of a stratum whose population is not "
        "zero, and no population in all.",
        "samples and population: n, the number of all samples, and |U|, the sum of the populations; texts.",
        "weights: for each stratum with a population that is not zero, with n_s samples: (n/n_s)·(|s|/|U|). "
        "Strata without population have no weight and do not occur.",
        "matrix: for each of the four cells, the sum over the strata of the weight times the count. Its sum is n.",
        "error_rate = (fp + fn)/n; precision = tp/(tp + fp), or no-predicted-positives for 0/0; recall = "
        "tp/(tp + fn), or no-positives; f1 = 2tp/(2tp + fp + fn), or nothing-positive; all of the cells of "
        "matrix.",
    ),
    input=record(
        populations=described(mapping(NUMBER_INPUT), "how large each stratum is"),
        matrices=described(mapping(list_of(NUMBER_INPUT, exactly=4)), "tp, fp, fn, tn of its samples"),
    ),
    expected=record(
        {"samples": WHOLE, "population": WHOLE, "weights": mapping(RATIONAL), "matrix": MATRIX, **_METRICS}
    ),
    flags={
        "rare": "a small stratum beside one that is eighty times as large",
        "empty": "a stratum without population",
        "undefined": "a metric is a share of nothing",
        "large": "numbers that doubles do not hold",
        "refused": "the numbers make no strata",
    },
    errors={
        "bad-number": "a population or a number of samples is negative, not whole or no number",
        "bad-samples": "samples and populations do not fit together, or a count is negative",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": _is_small},
)
