"""Sample sizes at which a decision would change, exactly, with the observed shares held fixed.

As a function of one size N for both models the variance is V(N) = a/(N−1) + b/N + c with a, b ≥ 0, so that it
falls strictly as N grows unless a = b = 0. The interval f ± z√V(N) therefore excludes 0 from some smallest N on,
and never before; that N is found by doubling and halving with exact decisions.
"""

from __future__ import annotations

from dataclasses import dataclass

from ntqr_exact.choice import chosen
from ntqr_exact.errors import Undecided
from ntqr_exact.exact.arguments import checked
from ntqr_exact.significance.comparison import Centre, Comparison
from ntqr_exact.significance.interval import Decision, NormalInterval
from ntqr_exact.significance.variance import VarianceReading

SMALLEST_SIZE = 2
_LARGEST_DOUBLING = 1 << 200


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """The smallest N per model at which a difference is shown; `None` if no N is large enough."""

    reading: VarianceReading
    centre: Centre
    smallest_size: int | None
    decision: Decision

    def __str__(self) -> str:
        """Return the plan in words."""
        if self.smallest_size is None:
            return "no difference is shown at any N"
        if self.smallest_size == SMALLEST_SIZE:
            return f"{self.decision.value} at every N"
        return f"{self.decision.value} from N = {self.smallest_size} on"


@checked
def plan(comparison: Comparison, reading: VarianceReading, centre: Centre) -> SamplePlan:
    """Return the smallest N, the same for both models, at which the difference would be shown.

    >>> from ntqr_exact.significance.comparison import compare
    >>> from ntqr_exact.significance.metric_model import MetricModel
    >>> comparison = compare(control=(1, 2), treatment=(1, 4), metric=MetricModel(1, 0))
    >>> print(plan(comparison, VarianceReading.DETERMINISTIC, Centre.OBSERVED))
    the treatment is lower from N = 28 on

    The observed shares are held fixed, whether or not they make whole numbers of outputs at that N.
    """
    reading, centre = chosen(reading, VarianceReading), chosen(centre, Centre)
    difference, parts = comparison.difference(centre), comparison.parts(reading)

    def decision(size: int) -> Decision:
        return NormalInterval(difference, parts.at(size), comparison.critical, comparison.ends).decision()

    # In the limit only the fixed part is left; a falling V stays above it, so that a tie there does not help.
    shrinks = parts.per_degree > 0 or parts.per_output > 0
    if not shrinks:
        found = SMALLEST_SIZE if decision(SMALLEST_SIZE) is not Decision.NOT_SHOWN else None
        return SamplePlan(reading, centre, found, decision(SMALLEST_SIZE))
    if difference == 0 or comparison.critical.compare_square(difference**2, parts.fixed) <= 0:
        return SamplePlan(reading, centre, None, Decision.NOT_SHOWN)
    shown = SMALLEST_SIZE
    while decision(shown) is Decision.NOT_SHOWN:
        shown *= 2
        if shown > _LARGEST_DOUBLING:
            raise Undecided(shown, "the size at which the difference is shown is beyond this")
    hidden = shown // 2 if shown > SMALLEST_SIZE else SMALLEST_SIZE - 1
    while shown - hidden > 1:
        middle = (shown + hidden) // 2
        if decision(middle) is Decision.NOT_SHOWN:
            hidden = middle
        else:
            shown = middle
    return SamplePlan(reading, centre, shown, decision(shown))
