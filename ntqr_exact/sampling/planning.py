"""Sample sizes at which a decision would change, exactly, with the observed shares held fixed.

As a function of one size N for both models the variance is V(N) = a/(N−1) + b/N + c with a, b ≥ 0, so that it
falls strictly as N grows unless a = b = 0. The interval f ± z√V(N) therefore excludes 0 from some smallest N on,
and never before; that N is found by doubling and halving with exact decisions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadNumber, Undecided
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.sampling.comparison import Centre, Comparison
from ntqr_exact.sampling.metric_model import Performance
from ntqr_exact.sampling.normal_interval import Decision, NormalInterval, PoweredCritical
from ntqr_exact.sampling.share_intervals import binomial_probabilities
from ntqr_exact.sampling.variance import VarianceReading

_SMALLEST_SIZE = 2
_LARGEST_DOUBLING = 1 << 200


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """The smallest N per model at which a difference is shown with a power; `None` if no N is large enough."""

    reading: VarianceReading
    centre: Centre
    smallest_size: int | None
    decision: Decision
    power: mpq

    def __str__(self) -> str:
        """Return the plan in words."""
        often = f"in {self.power} of all samples"
        if self.smallest_size is None:
            return f"no difference is shown {often} at any N"
        if self.smallest_size == _SMALLEST_SIZE:
            return f"{self.decision.value}, {often} at every N"
        return f"{self.decision.value}, {often} from N = {self.smallest_size} on"


@checked
def plan(
    comparison: Comparison, reading: VarianceReading, centre: Centre, *, power: RationalLike = "0.8"
) -> SamplePlan:
    """Return the smallest N, the same for both models, at which the difference would be shown with this power.

    The estimate is taken as normal around the difference f with variance V(N): it is shown with probability `power`
    where f² ≥ (z + z_power)²V(N). At a power of 1/2, z_power is 0: the difference is then just shown on average, and
    missed in half of all samples. `shown_probability` sums the true power at a size.

    >>> from ntqr_exact.sampling.comparison import compare
    >>> from ntqr_exact.sampling.metric_model import MetricModel
    >>> comparison = compare(control=(1, 2), treatment=(1, 4), metric=MetricModel(1, 0))
    >>> print(plan(comparison, VarianceReading.DETERMINISTIC, Centre.OBSERVED))
    the treatment is lower, in 4/5 of all samples from N = 56 on

    The observed shares are held fixed, whether or not they make whole numbers of outputs at that N. Raises `BadNumber`
    for a power below 1/2, or of 1 and more.
    """
    reading, centre, often = chosen(reading, VarianceReading), chosen(centre, Centre), rational(power)
    if not mpq(1, 2) <= often < 1:
        raise BadNumber(power, "a power lies from 1/2 on and below 1", "write 0.8 for 80 %")
    difference, parts = comparison.difference(centre), comparison.parts(reading)
    critical = comparison.critical if often == mpq(1, 2) else PoweredCritical(comparison.critical, often)

    def decision(size: int) -> Decision:
        return NormalInterval(difference, parts.at(size), critical, comparison.ends).decision()

    # In the limit only the fixed part is left; a falling V stays above it, so that a tie there does not help.
    shrinks = parts.per_degree > 0 or parts.per_output > 0
    if not shrinks:
        found = _SMALLEST_SIZE if decision(_SMALLEST_SIZE) is not Decision.NOT_SHOWN else None
        return SamplePlan(reading, centre, found, decision(_SMALLEST_SIZE), often)
    if difference == 0 or critical.compare_square(difference**2, parts.fixed) <= 0:
        return SamplePlan(reading, centre, None, Decision.NOT_SHOWN, often)
    shown = _SMALLEST_SIZE
    while decision(shown) is Decision.NOT_SHOWN:
        shown *= 2
        if shown > _LARGEST_DOUBLING:
            raise Undecided(shown, "the size at which the difference is shown is beyond this")
    hidden = shown // 2 if shown > _SMALLEST_SIZE else _SMALLEST_SIZE - 1
    while shown - hidden > 1:
        middle = (shown + hidden) // 2
        if decision(middle) is Decision.NOT_SHOWN:
            hidden = middle
        else:
            shown = middle
    return SamplePlan(reading, centre, shown, decision(shown), often)


@checked
def shown_probability(
    comparison: Comparison, reading: VarianceReading, centre: Centre, *, size: RationalLike
) -> mpq:
    """Return the exact probability that independent samples of this size show a difference: the power.

    The observed shares of the comparison are taken for the true ones; all (N+1)² pairs of counts are gone through.

    >>> from ntqr_exact.sampling.comparison import compare
    >>> from ntqr_exact.sampling.metric_model import MetricModel
    >>> comparison = compare(control=(1, 2), treatment=(1, 4), metric=MetricModel(1, 0))
    >>> f"{float(shown_probability(comparison, 'deterministic', 'observed', size=28)):.3f}"
    '0.520'

    Raises `BadNumber` for metric models of more than two classes, and for paired samples.
    """
    count = whole_number(size)
    if count == 0:
        raise BadNumber(size, "a sample has at least one output")
    models = (comparison.control, comparison.treatment)
    if comparison.joint is not None or not all(model.metric.is_binary for model in models):
        raise BadNumber(comparison, "the power is summed for two independent samples of two classes")
    check_work("the power of samples of so many outputs", 100 * (count + 1) ** 2)
    weights = [binomial_probabilities(count, model.observed_rate) for model in models]
    found = mpq(0)
    for left, weight in enumerate(weights[0]):
        control = Performance((count - left, left), models[0].metric)
        for right, other in enumerate(weights[1]):
            treatment = Performance((count - right, right), models[1].metric)
            drawn = replace(comparison, control=control, treatment=treatment)
            if drawn.result(reading, centre).decision is not Decision.NOT_SHOWN:
                found += weight * other
    return found
