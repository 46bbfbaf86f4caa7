"""Metrics of confusion matrices, of two labels and of several, rescaled or weighted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.exact.rational import probability, rational
from ntqr_exact.metrics.confusion import ConfusionMatrix, population_factors
from ntqr_exact.metrics.formulas import CELLS, metric
from ntqr_exact.metrics.label_metrics import balanced_accuracy, cohen_kappa, lift, matthews
from ntqr_exact.metrics.multiclass import Average, MulticlassConfusion
from ntqr_exact.metrics.undefined import Undefined, WhenUndefined, defined
from ntqr_exact.metrics.weighting import Strata, bias_adjusted
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import NAMES, cells_of, is_word, told
from ntqr_exact.vectors.specification import Case, Document, declared


def _matrix_from(document: Document) -> ConfusionMatrix:
    """Return the matrix of an input with the four cells."""
    return ConfusionMatrix(**{name: document[name] for name in CELLS})


def _confusion_from(document: Document) -> MulticlassConfusion:
    """Return the table of an input with labels and a row of counts for each true label."""
    labels, rows = document["labels"], document["counts"]
    if any(len(row) != len(labels) for row in (rows, *rows)):
        raise BadSamples(rows, "there is a row for each label, and a count for each label in it")
    return MulticlassConfusion(
        {label: dict(zip(labels, row, strict=True)) for label, row in zip(labels, rows, strict=True)}
    )


def _metrics(document: Document) -> dict[str, Any]:
    matrix = _matrix_from(document)
    return {name: told(matrix[name]) for name in NAMES}


def _metrics_steps(document: Document) -> Iterator[str]:
    found = _metrics(document)
    matrix = _matrix_from(document)
    yield ", ".join(f"{name} = {number}" for name, number in cells_of(matrix).items())
    for name in NAMES:
        formula = metric(name)
        above, below = (
            sum((getattr(part, cell) * getattr(matrix, cell) for cell in CELLS), mpq(0))
            for part in (formula.numerator, formula.denominator)
        )
        yield f"{formula}: {above} / {below} → {found[name]}"


def _metrics_case(draws: Draws, index: int) -> Case:
    """Return counts that grow with the index, at times with an empty cell, or weights."""
    if index % 4 == 3:
        weights = [draws.between(0, 5 + index) * draws.share(9) for _ in CELLS]
        return Case(dict(zip(CELLS, map(str, weights), strict=True)), "weights", ("weights",))
    counts = draws.counts(1 + index * index // 8 + draws.below(5), 4)
    if index % 4 == 1:
        counts[draws.below(4)] = 0
    return Case(dict(zip(CELLS, counts, strict=True)), f"{sum(counts)} samples")


def _is_undefined(_: Document, found: Any) -> bool:
    return any(map(is_word, found.values()))


def _is_plain(document: Document, found: Any) -> bool:
    """Tell whether the counts are small and every metric is a number."""
    cells = [document[name] for name in CELLS]
    return all(isinstance(cell, int) and 0 <= cell < 10**6 for cell in cells) and not _is_undefined(
        document, found
    )


_RATIOS = {
    "jaccard": "jaccard",
    "negated_jaccard": "!jaccard",
    "false_discovery_rate": "false_discovery_rate",
}


def _lift(document: Document) -> dict[str, Any]:
    matrix, f_beta = _matrix_from(document), metric(f"f{document['beta']}")
    return {
        "lift": told(lift(matrix)),
        "f_beta": told(matrix.measure(f_beta)),
        **{name: told(matrix[known]) for name, known in _RATIOS.items()},
    }


def _lift_steps(document: Document) -> Iterator[str]:
    matrix, found = _matrix_from(document), _lift(document)
    yield f"n = {matrix.total}, positives {matrix.positives}, predicted positive {matrix.tp + matrix.fp}"
    yield f"lift = tp·n/((tp + fp)·(tp + fn)) → {found['lift']}"
    yield f"{metric('f' + document['beta'])} → {found['f_beta']}"
    yield from (f"{metric(known)} → {found[name]}" for name, known in _RATIOS.items())


def _lift_case(draws: Draws, index: int) -> Case:
    """Return cells that grow with the index, some of them zero, with a whole beta or a fraction."""
    cells = draws.counts(2 + index, 4)
    if index % 7 == 6:
        cells[index % 4] = 0
    beta = (str(1 + draws.below(4)), f"{1 + draws.below(5)}/{2 + draws.below(4)}")[index % 2]
    given: Document = {
        name: f"{cell}/{2 + index % 5}" if index % 10 == 9 else cell
        for name, cell in zip(CELLS, cells, strict=True)
    }
    return Case({**given, "beta": beta}, f"beta {beta}")


_METRICS = ("recall", "fpr", "precision", "f1", "accuracy", "match_rate", "!precision", "!f1")


def _population(document: Document) -> dict[str, Any]:
    matrix = _matrix_from(document)
    rescaled = matrix.at_population_rate(document["rate"])
    positives, negatives = population_factors(matrix.positives, matrix.negatives, document["rate"])
    return {
        "positive_factor": positives,
        "negative_factor": negatives,
        "matrix": cells_of(rescaled),
        "metrics": {name: told(rescaled[name]) for name in _METRICS},
    }


def _population_steps(document: Document) -> Iterator[str]:
    found = _population(document)
    matrix = _matrix_from(document)
    yield f"P = {matrix.tp} + {matrix.fn} = {matrix.positives}, N = {matrix.fp} + {matrix.tn} = {matrix.negatives}"
    yield f"n = {matrix.total}, rate ρ = {document['rate']}"
    yield f"positives count ρ·n/P = {found['positive_factor']} times (once, if P = 0)"
    yield f"negatives count (1 − ρ)·n/N = {found['negative_factor']} times (once, if N = 0)"
    yield ", ".join(f"{name} = {value}" for name, value in found["matrix"].items())
    yield from (f"{name} = {value}" for name, value in found["metrics"].items())


def _population_case(draws: Draws, index: int) -> Case:
    """Return counts that grow with the index, both labels among them, and a rate."""
    counts = draws.counts(index * index // 10 + draws.below(5), 4)
    counts[draws.pick((0, 2))] += 1
    counts[draws.pick((1, 3))] += 1
    rate = draws.share(10 + index)
    document = {**dict(zip(CELLS, counts, strict=True)), "rate": str(rate)}
    return Case(document, f"{sum(counts)} samples")


def _is_small(document: Document, _: Any) -> bool:
    """Tell whether a population of this rate in which every sample is repeated can be listed."""
    cells = [document[name] for name in CELLS]
    if not all(isinstance(cell, int) and cell >= 0 for cell in cells):
        return False
    tp, fp, fn, tn = cells
    if not tp + fn or not fp + tn:
        return False
    try:
        rate = probability(document["rate"], "a rate")
    except BadNumber:
        return False
    members: int = (tp + fn) * (fp + tn) * int(rate.denominator)
    return members <= 5000


_WEIGHTS_METRICS = ("error_rate", "precision", "recall", "f1")


def _weights(document: Document) -> dict[str, Any]:
    matrices, strata = _matrices(document), _strata(document)
    adjusted = bias_adjusted(matrices, document["populations"])
    return {
        "samples": str(strata.size),
        "population": str(strata.population),
        "weights": {str(name): weight for name, weight in strata.weights.items()},
        "matrix": cells_of(adjusted),
        **{name: told(adjusted[name]) for name in _WEIGHTS_METRICS},
    }


def _weights_steps(document: Document) -> Iterator[str]:
    found, strata = _weights(document), _strata(document)
    size, population = strata.size, strata.population
    yield f"n = {size} samples stand for a population of |U| = {population}"
    for name, weight in strata.weights.items():
        drawn, there = strata.samples[name], strata.populations[name]
        yield f"{name}: ({size}/{drawn}) · ({there}/{population}) = {weight}"
    for place, cell in enumerate(CELLS):
        terms = (f"{weight} · {document['matrices'][name][place]}" for name, weight in strata.weights.items())
        yield f"{cell} = {' + '.join(terms)} = {found['matrix'][cell]}"
    yield ", ".join(f"{name} = {found[name]}" for name in _WEIGHTS_METRICS)


def _weights_case(draws: Draws, index: int) -> Case:
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


def _weights_is_small(document: Document, _: Any) -> bool:
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


_CHANCE_METRICS = {"matthews": matthews, "kappa": cohen_kappa, "balanced_accuracy": balanced_accuracy}


def _chance(document: Document) -> dict[str, Any]:
    confusion = _confusion_from(document)
    return {name: told(metric(confusion)) for name, metric in _CHANCE_METRICS.items()}


def _chance_steps(document: Document) -> Iterator[str]:
    counts = _confusion_from(document).counts
    truly = [sum(row.values()) for row in counts.values()]
    given = [sum(row[label] for row in counts.values()) for label in counts]
    yield f"s = {sum(truly)}, c = {sum(counts[label][label] for label in counts)}"
    yield f"t = {', '.join(map(str, truly))}; p = {', '.join(map(str, given))}"
    yield f"E = Σ t_k·p_k = {sum(t * p for t, p in zip(truly, given, strict=True))}"
    yield from (f"{name} = {value}" for name, value in _chance(document).items())


def _chance_case(draws: Draws, index: int) -> Case:
    """Return a table of two to four labels that grows with the index."""
    labels = 2 + index % 3
    flat = draws.counts(labels + index // 2 + draws.below(6), labels * labels)
    rows = [flat[labels * place : labels * (place + 1)] for place in range(labels)]
    if index % 9 == 8:
        rows = [[0] * labels if place else row for place, row in enumerate(rows)]
    return Case({"labels": list("abcd"[:labels]), "counts": rows}, f"{labels} labels")


_AVERAGES_METRICS = ("recall", "precision", "f1")
_POLICIES = {"word": None, "0": WhenUndefined.ZERO, "1": WhenUndefined.ONE}


def _averages(document: Document) -> dict[str, Any]:
    confusion = _confusion_from(document)
    matrices, policy = confusion.matrices, _POLICIES[document["undefined"]]
    return {
        "matrices": [cells_of(matrices[label]) for label in document["labels"]],
        "accuracy": told(confusion.accuracy),
        "values": {
            name: [
                told(value if policy is None else defined(value, policy))
                for value in matrices.values(name).values()
            ]
            for name in _AVERAGES_METRICS
        },
        "averages": {
            average.name.lower(): {
                name: told(matrices.average(name, average, undefined=policy)) for name in _AVERAGES_METRICS
            }
            for average in Average
        },
    }


def _averages_steps(document: Document) -> Iterator[str]:
    found = _averages(document)
    for label, cells in zip(document["labels"], found["matrices"], strict=True):
        yield f"{label} against the rest: " + ", ".join(f"{name} = {value}" for name, value in cells.items())
    weights = " : ".join(str(cells["tp"] + cells["fn"]) for cells in found["matrices"])
    for name in _AVERAGES_METRICS:
        values = ", ".join(map(str, found["values"][name]))
        micro, macro, weighted = (found["averages"][average][name] for average in found["averages"])
        yield f"{metric(name)} of the labels: {values}"
        yield f"of all cells added up: {micro}; the mean: {macro}; the mean with weights {weights}: {weighted}"
    yield f"accuracy, the share on the diagonal: {found['accuracy']}"


def _averages_case(draws: Draws, index: int) -> Case:
    """Return a table of two to four labels that grows with the index, each policy in turn."""
    labels = 2 + index % 3
    size = labels + index // 2 + draws.below(6)
    flat = draws.counts(size, labels * labels)
    rows = [flat[labels * place : labels * (place + 1)] for place in range(labels)]
    if index % 5 == 4:
        rows[draws.below(labels)] = [0] * labels
    policy = list(_POLICIES)[index // 3 % 3]
    return Case({"labels": list("abcd"[:labels]), "undefined": policy, "counts": rows}, f"{labels} labels")


def _averages_is_undefined(document: Document, _: Any) -> bool:
    """Tell whether a metric of a label is undefined, before the policy gives it a value."""
    matrices = _confusion_from(document).matrices
    return any(
        isinstance(value, Undefined) for name in _AVERAGES_METRICS for value in matrices.values(name).values()
    )


def _averages_is_plain(document: Document, found: Any) -> bool:
    """Tell whether doubles hold all results, which have a common denominator, and all are numbers."""
    cells = [cell for row in document["counts"] for cell in row]
    if not all(isinstance(cell, int) and cell >= 0 for cell in cells) or not any(cells):
        return False
    if len(document["labels"]) < 2 or len(cells) != len(document["labels"]) ** 2:
        return False
    rows = document["counts"]
    margins = [*map(sum, rows), *map(sum, zip(*rows, strict=True))]
    both = [row + column for row, column in zip(margins, margins[len(rows) :], strict=False)]
    if len(rows) * math.lcm(sum(cells), *(size or 1 for size in margins + both)) * sum(cells) > 10**12:
        return False
    parts = [*found["values"].values(), *(part.values() for part in found["averages"].values())]
    return not any(is_word(value) for part in parts for value in part)


FAMILIES = (
    Family(
        *declared("confusion-metrics", _metrics, _metrics_steps, _metrics_case),
        flags={
            "undefined": _is_undefined,
            "both-zero": lambda _, found: (
                found["precision"] == found["recall"] == "0" or found["!precision"] == found["!recall"] == "0"
            ),
        },
        witnesses={"scikit-learn": _is_plain},
    ),
    Family(
        *declared("lift-and-f-beta", _lift, _lift_steps, _lift_case),
        flags={
            "below-chance": lambda _, found: not is_word(found["lift"]) and rational(found["lift"]) < 1,
            "fraction": lambda given, _: not given["beta"].isdigit(),
            "undefined": lambda _, found: any(map(is_word, found.values())),
            "cells-not-counts": lambda given, _: any(set(str(given[cell])) & set("/.e") for cell in CELLS),
        },
    ),
    Family(
        *declared("population-rescaling", _population, _population_steps, _population_case),
        flags={"end": lambda given, _: rational(given["rate"]) in (0, 1)},
        witnesses={"brute-force": _is_small},
    ),
    Family(
        *declared("importance-weights", _weights, _weights_steps, _weights_case),
        flags={"undefined": lambda _, found: any(is_word(found[name]) for name in _WEIGHTS_METRICS)},
        witnesses={"brute-force": _weights_is_small},
    ),
    Family(
        *declared("matthews-and-kappa", _chance, _chance_steps, _chance_case),
        flags={
            "undefined": lambda _, found: any(map(is_word, found.values())),
            "negative": lambda _, found: isinstance(found["kappa"], str) and found["kappa"].startswith("-"),
            "irrational": lambda _, found: isinstance(found["matthews"], dict),
            "many-labels": lambda given, _: len(given["labels"]) > 2,
        },
    ),
    Family(
        *declared("multiclass-averages", _averages, _averages_steps, _averages_case),
        flags={"undefined": _averages_is_undefined},
        witnesses={"scikit-learn": _averages_is_plain},
    ),
)
