"""Named choices given by text mean what they say, or are refused: never the other choice."""

from __future__ import annotations

from enum import Enum

import pytest

from ntqr_exact import (
    ConfusionMatrix,
    MetricModel,
    atc,
    bootstrap_atc,
    compare,
    doc,
    exact_bootstrap,
    plan,
    pr_auc,
)
from ntqr_exact.confidence.atc import AtcReading, DropSign, TieRule
from ntqr_exact.errors import BadChoice
from ntqr_exact.metrics.areas import Anchor
from ntqr_exact.metrics.bootstrap import BootstrapMethod, QuantileDefinition
from ntqr_exact.metrics.formulas import WhenUndefined
from ntqr_exact.metrics.ranking import Rule, rank
from ntqr_exact.metrics.threshold_queries import ask, loan_threshold
from ntqr_exact.sampling.comparison import Centre, Ends
from ntqr_exact.sampling.metric_model import VarianceReading

SOURCE, TARGET = [["1/2", "1/2"], ["7/10", "3/10"]], [["6/10", "4/10"]]
RANKING = rank([1, 0, 1, 0], ["0.9", "0.9", "0.1", "0.5"])
METRIC = MetricModel(1, 0)
PAIR = {"control": (0, 2), "treatment": (1, 2), "metric": METRIC}
EXACT = exact_bootstrap("precision", tp=1, fp=1, fn=1, tn=1)

CASES = {
    "atc tie rule": (TieRule, lambda x: atc(SOURCE, TARGET, error="1/4", tie_rule=x).estimate),
    "atc reading": (AtcReading, lambda x: atc(SOURCE, TARGET, error="1/4", reading=x).estimate),
    "bootstrap_atc reading": (
        AtcReading,
        lambda x: bootstrap_atc(SOURCE, TARGET, error="1/4", reading=x, resamples=5, seed=1).values,
    ),
    "doc sign": (DropSign, lambda x: doc(SOURCE, TARGET, accuracy="4/5", sign=x).accuracy),
    "interval ends": (Ends, lambda x: compare(**PAIR, critical=1, ends=x).results[0].decision),
    "difference centre": (Centre, lambda x: compare(**PAIR).difference(x)),
    "variance reading": (VarianceReading, lambda x: compare(**PAIR).variance(x)),
    "plan reading": (VarianceReading, lambda x: plan(compare(**PAIR), x)),
    "matrix at a threshold": (Rule, lambda x: RANKING.at("0.9", rule=x)),
    "matrix at a place": (Rule, lambda x: RANKING.confusion(1, rule=x)),
    "query": (Rule, lambda x: ask(RANKING, "maximum recall @ precision >= 0.5", rule=x)),
    "loan threshold": (Rule, lambda x: loan_threshold(RANKING, "0.5", rule=x).rule),
    "anchor": (Anchor, lambda x: pr_auc([1, 0, 1], ["0.9", "0.9", "0.1"], anchor=x)),
    "quantiles": (
        QuantileDefinition,
        lambda x: EXACT.interval("1/2", quantiles=x),
    ),
    "method": (BootstrapMethod, lambda x: EXACT.interval("1/2", method=x)),
    "undefined": (
        WhenUndefined,
        lambda x: x and ConfusionMatrix(tp=1, fp=1, fn=1, tn=1).value("recall", undefined=x),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_text_means_the_member_of_that_value_or_name(name: str) -> None:
    kind, use = CASES[name]
    for member in kind:
        expected = use(member)
        assert use(member.name) == use(member.name.lower().replace("_", "-")) == expected
        if isinstance(member.value, str):
            assert use(member.value) == expected


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("junk", ["junk", 7, ("x",)])
def test_unknown_choice_is_refused_with_the_valid_names(name: str, junk: object) -> None:
    kind, use = CASES[name]
    with pytest.raises(BadChoice, match=f"{kind.__name__} must be one of {next(iter(kind)).name}"):
        use(junk)


def test_member_of_another_enum_is_refused() -> None:
    class Other(Enum):
        SMALLEST = "smallest"

    with pytest.raises(BadChoice):
        TieRule(Other.SMALLEST)
