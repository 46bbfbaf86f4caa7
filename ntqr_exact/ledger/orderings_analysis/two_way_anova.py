"""The two-way analysis of variance of a balanced table, with exact sums of squares and F.

With a dimensions, b methods and n runs in each cell, the total sum of squares splits exactly into those of the
dimensions, the methods, their interaction and the rest. Source: Maaz et al. 2023, section 3.2. Probabilities need the
extra `statistics`, which is scipy, and are `InexactNumber`s without arithmetic: nothing exact is made from them.

>>> cells = {(3, "x"): [1, 2], (3, "y"): [3, 4], (4, "x"): [1, 4], (4, "y"): [5, 6]}
>>> table = two_way_anova(cells)
>>> table.methods.sum_of_squares, table.methods.f
(mpq(25,2), mpq(25,3))
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Any, TypeAlias, TypeVar

from gmpy2 import mpq

from ntqr_exact.errors import BadSamples, module_of_extra
from ntqr_exact.exact.rational import RationalLike, rational

_Dimension = TypeVar("_Dimension", bound=Hashable)
_Method = TypeVar("_Method", bound=Hashable)


class Model(Enum):
    """Which effects the analysis knows."""

    INTERACTION = "with interaction"
    ADDITIVE = "additive"
    """The interaction counts among the rest."""


class NoRatio(Enum):
    """Why there is no F."""

    NO_DEGREES = "the rest has no degree of freedom"
    NO_VARIATION = "the rest does not vary"
    IS_THE_REST = "the rest is compared with nothing"


Ratio: TypeAlias = "mpq | NoRatio"


@dataclass(frozen=True, slots=True)
class AnovaRow:
    """One line of the table: an effect, its sum of squares, its degrees of freedom and its F."""

    effect: str
    sum_of_squares: mpq
    degrees: int
    f: Ratio


@dataclass(frozen=True, slots=True)
class AnovaTable:
    """The lines of the analysis; `rest` is what the effects leave unexplained.

    In the additive model the line of the interaction has no degrees of freedom and no squares of its own.
    """

    model: Model
    dimensions: AnovaRow
    methods: AnovaRow
    interaction: AnovaRow
    rest: AnovaRow
    method_means: Mapping[Hashable, mpq]
    per_method: int

    @property
    def rows(self) -> tuple[AnovaRow, ...]:
        """All lines."""
        return (self.dimensions, self.methods, self.interaction, self.rest)

    @property
    def total(self) -> mpq:
        """The total sum of squares."""
        return sum((row.sum_of_squares for row in self.rows), mpq(0))


def two_way_anova(
    cells: Mapping[tuple[_Dimension, _Method], Sequence[RationalLike]], *, model: Model = Model.INTERACTION
) -> AnovaTable:
    """Return the analysis of the errors of each dimension and method.

    Raises `BadSamples` unless each pair of them has the same number of runs, and there are two of each at least.
    """
    numbers = {cell: [rational(value) for value in values] for cell, values in cells.items()}
    first = list(dict.fromkeys(dimension for dimension, _ in numbers))
    second = list(dict.fromkeys(method for _, method in numbers))
    a, b = len(first), len(second)
    sizes = {len(values) for values in numbers.values()}
    if len(numbers) != a * b or len(sizes) != 1 or 0 in sizes or a < 2 or b < 2:
        raise BadSamples(
            (a, b, sorted(sizes)),
            "the analysis needs two dimensions and two methods at least, and as many runs for each pair of them",
        )
    n = sizes.pop()
    # Sums of squares about the mean as Σx² − (Σx)²/N, which exact numbers lose nothing by.
    sums = {cell: sum(values, mpq(0)) for cell, values in numbers.items()}
    by_dimension = [sum((sums[d, m] for m in second), mpq(0)) for d in first]
    by_method = [sum((sums[d, m] for d in first), mpq(0)) for m in second]
    correction = sum(by_method, mpq(0)) ** 2 / (a * b * n)
    squares = sum((value * value for values in numbers.values() for value in values), mpq(0))
    of_dimensions = _squares(by_dimension) / (b * n) - correction
    of_methods = _squares(by_method) / (a * n) - correction
    of_cells = _squares(list(sums.values())) / n - correction
    of_interaction = of_cells - of_dimensions - of_methods
    between, rest, degrees = (a - 1) * (b - 1), squares - correction - of_cells, a * b * (n - 1)
    if model is Model.ADDITIVE:
        rest, degrees, of_interaction, between = rest + of_interaction, degrees + between, mpq(0), 0
    return AnovaTable(
        model,
        AnovaRow("dimension", of_dimensions, a - 1, _f(of_dimensions, a - 1, rest, degrees)),
        AnovaRow("method", of_methods, b - 1, _f(of_methods, b - 1, rest, degrees)),
        AnovaRow("interaction", of_interaction, between, _f(of_interaction, between, rest, degrees)),
        AnovaRow("rest", rest, degrees, NoRatio.IS_THE_REST),
        {method: total / (a * n) for method, total in zip(second, by_method, strict=True)},
        a * n,
    )


def _squares(sums: Sequence[mpq]) -> mpq:
    return sum((value * value for value in sums), mpq(0))


def _f(squares: mpq, own: int, rest: mpq, degrees: int) -> Ratio:
    if degrees == 0 or own == 0:
        return NoRatio.NO_DEGREES
    if rest == 0:
        return NoRatio.NO_VARIATION
    return (squares / own) / (rest / degrees)


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
