"""The family `exact-bootstrap`: the distribution of a metric over all resamples, and the intervals from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.metrics.bootstrap_interval import BootstrapInterval, IntervalMethod, UndefinedResamples, tails
from ntqr_exact.metrics.bootstrap_quantile import QuantileDefinition
from ntqr_exact.metrics.exact_bootstrap import BootstrapDistribution, CellStratum, exact_weighted_bootstrap
from ntqr_exact.metrics.formulas import CELLS, metric
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NAMES, NUMBER_INPUT
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, TEXT, TRUTH, described, list_of, one_of, record

_DEFINITIONS = {
    "lower": QuantileDefinition.INVERSE_CDF,
    "averaged": QuantileDefinition.AVERAGED_INVERSE_CDF,
}
_Stratum = Sequence[int | str]


def compute(document: Document) -> dict[str, Any]:
    """Return the estimate, every value with its probability, the mean, and the two intervals."""
    distribution = _distribution(document)
    percentile, basic = (_interval(distribution, document, method) for method in IntervalMethod)
    return {
        "estimate": distribution.estimate,
        "outcomes": [[value, probability] for value, probability in distribution.outcomes()],
        "undefined_probability": distribution.undefined_probability,
        "mean": distribution.mean(),
        "percentile": [percentile.lower, percentile.upper],
        "basic": [basic.lower, basic.upper],
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the number of resamples, the cumulated probabilities, and the quantiles."""
    found = compute(document)
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


def edge_cases() -> Iterator[Case]:
    """Yield single items, levels at a jump of the distribution, undefined resamples, strata, weights, refusals."""
    yield _case("precision", [[1, 1, 0, 0]], "two items: 0, 1/2, 1/2, 1")
    yield _case("precision", [[1, 1, 0, 0]], "the level meets a jump exactly: 1/4", level="1/2")
    yield _case("precision", [[1, 1, 0, 0]], "the same, averaged", level="1/2", quantiles="averaged")
    yield _case("precision", [[1, 1, 0, 0]], "just inside the jump", level="0.500000000000000000001")
    yield _case("precision", [[1, 1, 0, 0]], "just outside the jump", level="0.499999999999999999999")
    yield _case("accuracy", [[1, 0, 0, 0]], "one item, right")
    yield _case("accuracy", [[0, 1, 0, 0]], "one item, wrong")
    yield _case("error_rate", [[0, 0, 1, 1]], "the two sides are one another's mirror image")
    yield _case("accuracy", [[2, 1, 0, 0]], "skewed: the two intervals differ")
    yield _case("accuracy", [[3, 1, 1, 2]], "seven items")
    yield _case("recall", [[1, 0, 0, 2]], "recall is undefined or 1")
    for policy in ("omit", "0", "1"):
        yield _case("recall", [[1, 0, 1, 1]], "undefined in one resample of 27", undefined=policy)
        yield _case("precision", [[1, 1, 0, 3]], "undefined in many resamples", undefined=policy, level="0.5")
    yield _case("recall", [[2, 1, 1, 0]], "undefined in one resample of 256", undefined="0", level="127/128")
    yield _case("f1", [[1, 1, 1, 1]], "four cells, three that enter F1")
    yield _case("f1", [[2, 1, 1, 1]], "five items", level="0.9")
    yield _case("!f1", [[1, 0, 1, 2]], "the negative label", level="0.8")
    yield _case("fpr", [[1, 1, 0, 2]], "the false positive rate", quantiles="averaged")
    yield _case("match_rate", [[2, 0, 1, 1]], "the share of predicted positives")
    yield _case("recall", [[2, 0, 1, 0]], "never undefined: there are only positives", undefined="error")
    yield _case("precision", [[1, 1, 0, 0], [0, 1, 0, 1, 3]], "two strata drawn together, weights 1 and 3")
    strata: list[_Stratum] = [[1, 1, 0, 0], [0, 1, 0, 1, 3]]
    yield _case("precision", strata, "two strata drawn apart", stratified=True)
    yield _case("accuracy", [[1, 1, 0, 0], [1, 0, 0, 1, 2]], "a stratum without errors", stratified=True)
    yield _case(
        "accuracy", [[1, 0, 0, 0], [0, 1, 0, 0]], "one item in each stratum: nothing varies", stratified=True
    )
    yield _case("f1", [[1, 1, 0, 0, "1/2"], [0, 0, 1, 1, "2/3"]], "fractions for weights", stratified=True)
    yield _case("f1", [[1, 1, 0, 0, "1/2"], [0, 0, 1, 1, "2/3"]], "the same, drawn together")
    yield _case("recall", [[1, 0, 1, 0, 0], [1, 0, 0, 0, 1]], "a stratum of weight zero")
    yield _case("recall", [[1, 0, 1, 0], [0, 0, 0, 0, 5]], "an empty stratum", stratified=True)
    yield _refused("recall", [[0, 1, 0, 1]], "undefined in every resample")
    yield _refused("recall", [[0, 1, 0, 1]], "undefined in every resample, and no estimate", undefined="0")
    yield _refused("recall", [[1, 0, 1, 1]], "undefined in one resample of 27", undefined="error")
    yield _refused("recall", [[0, 0, 0, 0]], "no items")
    yield _refused("recall", [[1, 0, 1, 0, 0]], "no weight")
    yield _refused("recall", [[1, 0, 1, 0, -1]], "a negative weight")
    yield _refused("recall", [[1, -1, 1, 0]], "a negative count")
    yield _refused("recall", [["1/2", 0, 1, 0]], "a count that is not whole")
    yield _refused("beauty", [[1, 0, 1, 0]], "an unknown metric")
    for level in (0, 1, "3/2", "-0.9", "most"):
        yield _refused("recall", [[1, 0, 1, 0]], "a level that is none", level=level)


def random_case(draws: Draws, index: int) -> Case:
    """Return few items, up to seven, or two small strata with weights."""
    name = draws.pick(NAMES)
    size = 1 + index // 50 + draws.below(3)
    options = {
        "level": draws.pick(("0.95", "0.9", "4/5", "1/2")),
        "undefined": draws.pick(("omit", "0", "1")),
        "quantiles": draws.pick(tuple(_DEFINITIONS)),
    }
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
    return _case(name, strata, f"{items} items", stratified=index % 8 == 7, **options)


def _distribution(document: Document) -> BootstrapDistribution:
    strata = [
        CellStratum(**dict(zip((*CELLS, "weight"), cells, strict=True))) for cells in document["strata"]
    ]
    return exact_weighted_bootstrap(document["metric"], strata, stratified=document["stratified"])


def _interval(
    distribution: BootstrapDistribution, document: Document, method: IntervalMethod
) -> BootstrapInterval:
    return distribution.interval(
        document["level"],
        method=method,
        quantiles=_DEFINITIONS[document["quantiles"]],
        undefined=UndefinedResamples(document["undefined"]),
    )


def _document(
    name: str,
    strata: Sequence[_Stratum],
    *,
    stratified: bool = False,
    level: int | str = "0.95",
    undefined: str = "omit",
    quantiles: str = "lower",
) -> Document:
    return {
        "quantiles": quantiles,
        "metric": name,
        "strata": [[*cells, *([] if len(cells) == 5 else [1])] for cells in strata],
        "stratified": stratified,
        "undefined": undefined,
        "level": level,
    }


def _case(name: str, strata: Sequence[_Stratum], comment: str, **options: Any) -> Case:
    document = _document(name, strata, **options)
    found = compute(document)
    flags = [
        *(["undefined"] if found["undefined_probability"] else []),
        *(["weights"] if any(cells[4] != 1 for cells in document["strata"]) else []),
        *(["stratified"] if document["stratified"] else []),
        *(["outside"] if found["basic"][0] < 0 or found["basic"][1] > 1 else []),
    ]
    return Case(document, comment, tuple(flags))


def _refused(name: str, strata: Sequence[_Stratum], comment: str, **options: Any) -> Case:
    return Case(_document(name, strata, **options), comment, ("refused",))


def _is_small(document: Document) -> bool:
    """Tell whether there are at most 256 resamples."""
    cells = [count for stratum in document["strata"] for count in stratum[:4]]
    return all(isinstance(count, int) and count >= 0 for count in cells) and 0 < sum(cells) <= 4


FAMILY = Family(
    name="exact-bootstrap",
    version=1,
    title="The bootstrap over all resamples: distribution, mean, percentile and basic intervals",
    citations=(Citation("bias_adjusted", "Bootstrap"),),
    algorithm=(
        "The input gives strata of items, each as [tp, fp, fn, tn, weight]: how many items of each kind it "
        "has, and the weight of each of its items; a metric; whether resampling is stratified; a level; what "
        "becomes of undefined resamples (undefined: omit, error, 0 or 1); and how quantiles are defined "
        "(quantiles: lower or averaged). Counts are whole; weight and level may be texts with fractions or "
        "decimals.",
        "Refuse as bad-query an unknown metric; as bad-number a count that is negative or not whole, a "
        "number that is none, and a level that is not strictly between 0 and 1; as bad-samples a negative "
        "weight, no items, and weights that are all zero.",
        "The metrics are ratios of sums of the weights of items of four kinds. recall = tp/(tp + fn), "
        "precision = tp/(tp + fp), f1 = 2tp/(2tp + fp + fn), fpr = fp/(fp + tn), accuracy = (tp + tn)/n, "
        "error_rate = (fp + fn)/n, match_rate = (tp + fp)/n, filter_rate = (fn + tn)/n, n the sum of all. "
        "With an exclamation mark before the name, tp and tn, and fp and fn, change places. A metric is "
        "undefined where its lower sum is 0.",
        "A resample draws n items with replacement from all n, each equally likely; stratified, it draws "
        "from each stratum as many items as it has. Items keep their weights. All resamples are equally "
        "likely.",
        "estimate: the metric of the items themselves. outcomes: the values that the metric has on resamples "
        "where it is defined, in ascending order, each as [value, probability]. undefined_probability: that "
        "it is undefined. mean: the mean of the metric over the resamples on which it is defined.",
        "For the intervals, undefined resamples are left out if undefined is omit, the probabilities of the "
        "others being divided by their sum; they count as 0 or as 1 if it says so; if it is error, and "
        "undefined_probability is not 0, refuse as undefined-metric. Refuse so, too, whenever the estimate "
        "is undefined.",
        "With α = (1 − level)/2, percentile is [q(α), q(1 − α)]. For quantiles = lower, q(p) is the smallest "
        "value v with P(metric ≤ v) ≥ p. For quantiles = averaged, it is the mean of that value and the "
        "smallest value v with P(metric ≤ v) > p. All comparisons are exact.",
        "basic, also called pivotal: [2·estimate − q(1 − α), 2·estimate − q(α)]; it may reach beyond [0, 1].",
    ),
    input=record(
        quantiles=one_of(*_DEFINITIONS),
        metric=TEXT,
        strata=described(list_of(list_of(NUMBER_INPUT, exactly=5)), "tp, fp, fn, tn, weight"),
        stratified=TRUTH,
        undefined=one_of(*(policy.value for policy in UndefinedResamples)),
        level=NUMBER_INPUT,
    ),
    expected=record(
        estimate=RATIONAL,
        outcomes=list_of(list_of(RATIONAL, exactly=2)),
        undefined_probability=RATIONAL,
        mean=RATIONAL,
        percentile=list_of(RATIONAL, exactly=2),
        basic=list_of(RATIONAL, exactly=2),
    ),
    flags={
        "undefined": "the metric is undefined on some resamples",
        "weights": "items with weights other than 1",
        "stratified": "each stratum keeps its size",
        "outside": "the basic interval reaches beyond [0, 1]",
        "refused": "no interval can be made",
    },
    errors={
        "bad-query": "the metric is unknown",
        "bad-number": "a count or the level is none",
        "bad-samples": "no items, no weight, or a negative weight",
        "undefined-metric": "the metric is undefined on every resample, or on one where that is refused",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("quantiles",),
    witnesses={"brute-force": _is_small},
)
