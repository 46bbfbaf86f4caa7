"""Probabilities of the analysis of variance by scipy: inexact numbers, and marked as such.

They need the extra `statistics`, which is scipy. Nothing exact is made from them: an `InexactNumber` has no arithmetic.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import module_of_extra
from ntqr_exact.ledger.orderings_analysis.two_way_anova import AnovaTable, NoRatio


@dataclass(frozen=True, slots=True)
class InexactNumber:
    """A float of another library; for reading only."""

    value: Any

    def __str__(self) -> str:
        """Return it with the sign that it is not exact."""
        return f"≈ {self.value:.6g}"


@dataclass(frozen=True, slots=True)
class PairDifference:
    """Two methods, the exact difference of their means, and Tukey's probability of one as large by chance."""

    first: Hashable
    second: Hashable
    difference: mpq
    probability: InexactNumber | NoRatio


def effect_probabilities(table: AnovaTable) -> dict[str, InexactNumber | NoRatio]:
    """Return, for each effect, the probability of an F as large or larger if there were no effect.

    Raises `MissingExtra` without scipy.
    """
    distributions = _distributions()
    return {
        row.effect: row.f
        if isinstance(row.f, NoRatio)
        else InexactNumber(distributions.f.sf(_double(row.f), row.degrees, table.rest.degrees).item())
        for row in table.rows[:-1]
    }


def tukey(table: AnovaTable) -> list[PairDifference]:
    """Return Tukey's honestly significant differences between all pairs of methods.

    With q = |difference| / √(MS_rest / runs per method), the probability is that of the studentized range.
    """
    distributions = _distributions()
    import numpy

    means, rest = table.method_means, table.rest
    found = []
    for one, other in combinations(means, 2):
        difference = means[one] - means[other]
        probability: InexactNumber | NoRatio
        if rest.degrees == 0:
            probability = NoRatio.NO_DEGREES
        elif rest.sum_of_squares == 0:
            probability = NoRatio.NO_VARIATION
        else:
            squared = difference**2 * table.per_method * rest.degrees / rest.sum_of_squares
            studentized = numpy.sqrt(_double(squared))
            tail = distributions.studentized_range.sf(studentized, len(means), rest.degrees)
            probability = InexactNumber(numpy.asarray(tail).item())
        found.append(PairDifference(one, other, difference, probability))
    return found


def _double(number: mpq) -> Any:
    import numpy

    return numpy.array([number], dtype=numpy.float64)[0]


def _distributions() -> Any:
    return module_of_extra(
        "scipy.stats", "probabilities of F and of the studentized range need scipy", "statistics"
    )
