"""The family `importance-weights`: weights of samples drawn from strata, and the matrix that they adjust."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS
from ntqr_exact.metrics.weighting import Strata, bias_adjusted
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import MATRIX, cells_of, is_word, metric_value, told
from ntqr_exact.vectors.fragments import NUMBER_INPUT, RATIONAL, WHOLE, described, list_of, mapping, record
from ntqr_exact.vectors.specification import Case, Document, declared

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


def random_case(draws: Draws, index: int) -> Case:
    """Return two to four strata whose samples and populations grow with the index."""
    names = ("B", "rest", "c", "d")[: 2 + index % 3]
    matrices = {name: draws.counts(1 + draws.below(3 + index), 4) for name in names}
    populations = {
        name: sum(counts) + draws.below(1 + index**2 * (1 + place))
        for place, (name, counts) in enumerate(matrices.items())
    }
    return Case({"populations": populations, "matrices": matrices}, f"{len(names)} strata")


def _matrices(document: Document) -> dict[str, ConfusionMatrix]:
    return {
        name: ConfusionMatrix(**dict(zip(CELLS, cells, strict=True)))
        for name, cells in document["matrices"].items()
    }


def _strata(document: Document) -> Strata:
    samples: dict[str, mpq] = {name: matrix.total for name, matrix in _matrices(document).items()}
    return Strata(populations=document["populations"], samples=samples)


def _is_small(document: Document, _: Any) -> bool:
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
    *declared("importance-weights"),
    input=record(
        populations=described(mapping(NUMBER_INPUT), "how large each stratum is"),
        matrices=described(mapping(list_of(NUMBER_INPUT, exactly=4)), "tp, fp, fn, tn of its samples"),
    ),
    expected=record(
        {"samples": WHOLE, "population": WHOLE, "weights": mapping(RATIONAL), "matrix": MATRIX, **_METRICS}
    ),
    flags={
        "undefined": lambda _, found: any(is_word(found[name]) for name in _METRICS),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": _is_small},
)
