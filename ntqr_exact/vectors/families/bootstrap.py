"""The distribution of a metric over all resamples, and the intervals from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.metrics.bootstrap_interval import (
    BootstrapMethod,
    QuantileDefinition,
    UndefinedResamples,
    tails,
)
from ntqr_exact.metrics.exact_bootstrap import CellStratum, exact_weighted_bootstrap
from ntqr_exact.metrics.formulas import CELLS, metric
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import NAMES
from ntqr_exact.vectors.specification import Case, Document, declared

_DEFINITIONS = {"lower": QuantileDefinition.INVERSE_CDF, "averaged": QuantileDefinition.AVERAGED_INVERSE_CDF}


def _bootstrap(document: Document) -> dict[str, Any]:
    strata = [
        CellStratum(**dict(zip((*CELLS, "weight"), cells, strict=True))) for cells in document["strata"]
    ]
    distribution = exact_weighted_bootstrap(document["metric"], strata, stratified=document["stratified"])
    undefined, quantiles = UndefinedResamples(document["undefined"]), _DEFINITIONS[document["quantiles"]]
    percentile, basic = (
        distribution.interval(document["level"], method=method, quantiles=quantiles, undefined=undefined)
        for method in BootstrapMethod
    )
    return {
        "estimate": distribution.estimate,
        "outcomes": [[value, probability] for value, probability in distribution.outcomes()],
        "undefined_probability": distribution.undefined_probability,
        "mean": distribution.mean(),
        "percentile": [percentile.lower, percentile.upper],
        "basic": [basic.lower, basic.upper],
    }


def _bootstrap_steps(document: Document) -> Iterator[str]:
    found = _bootstrap(document)
    sizes = [sum(map(int, cells[:4])) for cells in document["strata"]]
    drawn = sizes if document["stratified"] else [sum(sizes)]
    ways = " · ".join(f"{size}^{size}" for size in drawn)
    yield f"{metric(document['metric'])}, {ways} resamples, all equally likely"
    yield f"the estimate is {found['estimate']}"
    cumulated = 0
    for value, probability in found["outcomes"]:
        cumulated += probability
        yield f"value {value} with probability {probability}, up to here {cumulated}"
    share = found["undefined_probability"]
    yield f"undefined with probability {share}; policy: {document['undefined']}"
    yield f"the mean where it is defined: {found['mean']}"
    lower, upper = tails(document["level"])
    yield f"quantiles ({document['quantiles']}) at {lower} and {upper}: {', '.join(map(str, found['percentile']))}"
    yield f"twice the estimate without them: {', '.join(map(str, found['basic']))}"


def _bootstrap_case(draws: Draws, index: int) -> Case:
    """Return few items, up to seven, or two small strata with weights."""
    name = draws.pick(NAMES)
    size = 1 + index // 50 + draws.below(3)
    level = draws.pick(("0.95", "0.9", "4/5", "1/2"))
    undefined = draws.pick(("omit", "0", "1"))
    quantiles = draws.pick(tuple(_DEFINITIONS))
    strata = [draws.counts(size, 4)]
    if index % 4 == 3:
        strata = [
            draws.counts(draws.below(2), 4),
            [*draws.counts(1 + draws.below(2), 4), draws.between(1, 3)],
        ]
    # Every metric has one of these two cells in its lower sum for each of its labels, so that it has an estimate.
    strata[0][0] += 1
    strata[0][3] += 1
    items = sum(sum(cells[:4]) for cells in strata)
    document = {
        "quantiles": quantiles,
        "metric": name,
        "strata": [[*cells, 1][:5] for cells in strata],
        "stratified": index % 8 == 7,
        "undefined": undefined,
        "level": level,
    }
    return Case(document, f"{items} items")


def _is_small(document: Document, _: Any) -> bool:
    """Tell whether there are at most 256 resamples."""
    cells = [count for stratum in document["strata"] for count in stratum[:4]]
    return all(isinstance(count, int) and count >= 0 for count in cells) and 0 < sum(cells) <= 4


FAMILIES = (
    Family(
        *declared("exact-bootstrap", _bootstrap, _bootstrap_steps, _bootstrap_case),
        flags={
            "undefined": lambda _, found: found["undefined_probability"] != "0",
            "weights": lambda given, _: any(cells[4] != 1 for cells in given["strata"]),
            "stratified": lambda given, _: given["stratified"],
            "outside": lambda _, found: mpq(found["basic"][0]) < 0 or mpq(found["basic"][1]) > 1,
        },
        witnesses={"brute-force": _is_small},
    ),
)
