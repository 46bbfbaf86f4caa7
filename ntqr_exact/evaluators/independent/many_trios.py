"""`solve_independent_many`: the classes, alarms and keys of many trios of judges at once, from arrays of counts.

The whole moments of a test of Q questions are columns of `int64` as long as Q ≤ 2214, by this proof. Let X, Y, Z be
the votes for b as numbers 0 and 1, centred at their means.

* D = Q²Δ = Q²·E[XY]. By Cauchy and Schwarz |Δ| ≤ 1/4, since a variance of 0 and 1 is at most 1/4.
* Q³T = Q³·E[XYZ]. By Hölder |T|³ is at most the product of the three E|X|³ = u(1 − 2u) with u = p(1 − p) ≤ 1/4,
  and u(1 − 2u) grows up to u = 1/4: |T| ≤ 1/8.
* So |Q⁶Π| ≤ Q⁶/64 and |Q⁶A| = |Q⁶(T² + 4Π)| ≤ 5Q⁶/64, which is below 2⁶³ − 2⁵⁴ up to Q = 2214 and not beyond. The
  root s of Q⁶A is below 3.04·10⁹, and (s + 2)² exceeds s² by less than 2³⁴.
* Everything else is smaller: counts of one label times moments, 2Q·Q²/4, and what is divided to find the key,
  Q(s + Q³T) and (s + Q³T)F + 2DD, are below Q⁴.
* Products of key counts are only formed of numbers below 2³¹.

Rows beyond any of these bounds take the same steps with Python's integers, which have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING, Any, cast

from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.errors import BadVotes, EmptyTest, FloatRefused, NotANumber, NotVotes, module_of_extra
from ntqr_exact.evaluators.independent.independence_class import (
    TRIO_ALARMS,
    IndependenceClass,
    alarm_mask,
    alarms_of_mask,
)
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.evaluators.independent.whole_moments import PAIRS, WholeMoments, moments_of
from ntqr_exact.exact.arguments import checked
from ntqr_exact.votes.counts import VoteCounts

if TYPE_CHECKING:
    from ntqr_exact.columns.whole_numbers import Array

PATTERNS = tuple(product("ab", repeat=3))
"""The order of the eight counts in a row: aaa aab aba abb baa bab bba bbb."""

LARGEST_SIZE = 2214
"""The most questions for which 64 bits hold every number: the largest Q with 5Q⁶/64 < 2⁶³."""

_SEEN = tuple(product((False, True), repeat=3))
_BLOCK = 32_768
_HALF_WORD = 1 << 31
_INT64 = (1 << 63) - 1

_BIT = {kind: alarm_mask([kind]) for kind in TRIO_ALARMS}


@dataclass(frozen=True, slots=True, eq=False)
class IndependentMany:
    """The verdicts on many votes: for each row the code of its class, and its alarms as a mask of bits.

    `codes` are those of `IndependenceClass`, `alarms` those of `alarms_of_mask`. `keys`, where asked for, hold for
    each independent row how many questions of each pattern are truly a in the first solution, and −1 elsewhere;
    the second solution gives them to b.
    """

    counts: Array
    codes: Array
    alarms: Array
    keys: Array | None = None

    def __len__(self) -> int:
        """How many votes there are."""
        return len(self.codes)

    def totals(self) -> dict[IndependenceClass, int]:
        """Return how many rows there are of each class."""
        import numpy

        found = numpy.bincount(self.codes, minlength=len(IndependenceClass))
        return {kind: int(found[kind]) for kind in IndependenceClass}

    def kind(self, row: int) -> IndependenceClass:
        """Return the class of a row."""
        return IndependenceClass(int(self.codes[row]))

    def alarm_kinds(self, row: int) -> tuple[AlarmKind, ...]:
        """Return the kinds of alarm that fire for a row."""
        return alarms_of_mask(int(self.alarms[row]))

    def solution(self, row: int) -> IndependentSolution:
        """Return all that independent errors mean for a row: exact rates, alarms with their proofs, keys."""
        return solve_independent(votes_of_row(self.counts[row].tolist()))


@checked
def solve_independent_many(counts: Any, *, keys: bool = False) -> IndependentMany:
    """Return the class and the alarms of each row of eight counts, as `solve_independent` has them.

    >>> many = solve_independent_many([[0, 1, 1, 0, 1, 0, 0, 3], [1, 0, 1, 0, 1, 0, 1, 1]], keys=True)
    >>> [many.kind(row).title for row in range(2)], many.keys.tolist()[1]
    (['irrational', 'independent'], [1, 0, 1, 0, 1, 0, 1, 0])

    A row holds how often aaa, aab, aba, abb, baa, bab, bba and bbb were seen. `keys=True` adds the answer keys of
    independent rows. Unidentified rows raise no alarm: see `IndependenceClass` for their key.

    Raises `MissingExtra` without numpy, `FloatRefused` or `NotANumber` for counts that are no whole numbers,
    `BadVotes` for a wrong shape or a negative count, `EmptyTest` for a row without questions.
    """
    numpy = _numpy()
    table = _table(counts)
    n = len(table)
    clip = n > 0 and int(table.max()) > LARGEST_SIZE
    codes, alarms = numpy.empty(n, dtype=numpy.int8), numpy.empty(n, dtype=numpy.uint8)
    found = numpy.full((n, len(PATTERNS)), -1, dtype=table.dtype) if keys else None
    for start in range(0, n, _BLOCK):
        columns = numpy.ascontiguousarray(table[start : start + _BLOCK].T)
        # A sum that cannot overflow: one count beyond the bound is enough to be beyond it.
        clipped = (numpy.minimum(columns, LARGEST_SIZE + 1) if clip else columns).sum(axis=0)
        if not clipped.all():
            row = start + int(numpy.flatnonzero(clipped == 0)[0])
            raise EmptyTest(table[row].tolist(), f"a test without questions cannot be solved (row {row})")
        small = clipped <= LARGEST_SIZE
        for chosen, dtype in ((small, numpy.int64), (~small, object)):
            places = start + numpy.flatnonzero(chosen)
            if len(places) == 0:
                continue
            part = _Part(
                (columns if len(places) == len(chosen) else columns[:, chosen]).astype(dtype, copy=False)
            )
            part.decide()
            codes[places], alarms[places] = part.codes, part.alarms
            if found is not None:
                at, values = part.keys()
                found[places[at]] = values
    for array in (table, codes, alarms, found):
        if array is not None:
            array.setflags(write=False)
    return IndependentMany(table, codes, alarms, found)


def votes_of_row(row: Sequence[int]) -> VoteCounts:
    """Return a row of eight counts as votes.

    >>> votes_of_row([2, 0, 0, 0, 0, 0, 0, 1])
    VoteCounts({'aaa': 2, 'bbb': 1}, labels=('a', 'b'), judges=('J1', 'J2', 'J3'))
    """
    return VoteCounts(dict(zip(PATTERNS, row, strict=True)), ("a", "b"))


# -- the steps, on columns of int64 or of Python integers ---------------------------------------------


class _Part:
    """Rows that are worked on with one kind of integers, and what has been found of them."""

    def __init__(self, columns: Array) -> None:
        numpy = self._numpy = _numpy()
        # The formulas of the moments stand in one place; they are sums and products, of columns as of numbers.
        self.whole: Any = moments_of(dict(zip(_SEEN, columns, strict=True)))
        self.codes = numpy.full(columns.shape[1], IndependenceClass.CONTRADICTORY, dtype=numpy.int8)
        self.alarms = numpy.zeros(columns.shape[1], dtype=numpy.uint8)
        self._whole_places = numpy.empty(0, dtype=numpy.intp)
        self._key_sums: tuple[Array, ...] = ()

    def decide(self) -> None:
        """Find class and alarms of every row."""
        whole = self.whole
        vanishing = sum((whole.pair[pair] == 0).view(self._numpy.int8) for pair in PAIRS)
        regular = vanishing == 0
        self._fire(AlarmKind.NEGATIVE_PRODUCT, regular & (whole.pair_product < 0))
        self._fire(AlarmKind.NO_ROOT, regular & (whole.discriminant == 0))
        family = (vanishing >= 2) & (whole.trio == 0)
        self._fire(AlarmKind.CONTRADICTION, ~(regular | family))
        self._mark(family, IndependenceClass.UNIDENTIFIED)
        imaginary = regular & (whole.discriminant < 0)
        self._mark(imaginary, IndependenceClass.IMAGINARY)
        self._fire(AlarmKind.IMAGINARY, imaginary)
        self._real(regular & (whole.discriminant > 0))

    def keys(self) -> tuple[Array, Array]:
        """Return the places of the independent rows, and their counts of truly a questions by pattern."""
        chosen = self.codes[self._whole_places] == IndependenceClass.INDEPENDENT
        questions, *right = (column[chosen] for column in self._key_sums)
        values = self._numpy.empty((len(questions), len(PATTERNS)), dtype=questions.dtype)
        for place, pattern in enumerate(PATTERNS):
            one, two, three = (
                answers if label == "a" else questions - answers
                for label, answers in zip(pattern, right, strict=True)
            )
            values[:, place] = one * two // questions * three // questions
        return self._whole_places[chosen], values

    def _mark(self, rows: Array, code: IndependenceClass) -> None:
        self._numpy.copyto(self.codes, code, where=rows)

    def _fire(self, kind: AlarmKind, rows: Array) -> None:
        self.alarms |= rows.view(self.alarms.dtype) * self.alarms.dtype.type(_BIT[kind])

    def _real(self, real: Array) -> None:
        """Find out about the rows in which no Δ vanishes and A > 0."""
        whole = self.whole
        root, square = _whole_root(whole.discriminant * real)
        ceiling = root + ~square
        outside = whole.pair_product < 0  # that is |T| > s, and then the shares are outside
        for judge, pair in enumerate(reversed(PAIRS)):
            # With e = |D_jk|, t = T·sign(D_jk) and s > 0, both x_i and y_i are in range, that is
            # −(2eF_a − t) ≤ s ≤ 2eF_b + t and −(2eF_b + t) ≤ s ≤ 2eF_a − t, just if s is at most both right sides.
            # A whole number is at least s just if it is at least the ceiling of s.
            moment = whole.pair[pair]
            tilt = self._numpy.sign(moment) * whole.trio
            twice = abs(moment + moment)
            outside |= twice * whole.first[judge] < ceiling + tilt
            outside |= twice * whole.second[judge] < ceiling - tilt
        outside &= real
        square &= real
        irrational = real & ~square
        self._mark(irrational, IndependenceClass.IRRATIONAL)
        self._fire(AlarmKind.IRRATIONAL, irrational)
        at = self._numpy.flatnonzero(square)
        self._rational(at, _taken(whole, at), root[at])
        self._mark(square & outside, IndependenceClass.OUT_OF_RANGE)
        self._fire(AlarmKind.OUT_OF_RANGE, outside)

    def _rational(self, places: Array, whole: Any, root: Array) -> None:
        """Find the rows all of whose counts by label are whole, in range or not.

        With s = √(Q⁶A) the key has Q_a = Q(s + T)/2s, and judge i answers a on R_i = ((s + T)F_i + 2D_ijD_ik)/2s of
        these questions: the closed form, by (s − T)(s + T) = 4Π. The other counts follow from R_ij = R_iR_j/Q_a and
        R_123 = R_12R_3/Q_a, where Q_a is not 0, as Π is not. What these counts leave of whole votes is whole.
        """
        self.codes[places] = IndependenceClass.NOT_WHOLE
        self.alarms[places] |= _BIT[AlarmKind.NOT_WHOLE]
        lifted, twice = root + whole.trio, 2 * root
        d12, d13, d23 = (whole.pair[pair] for pair in PAIRS)
        tops = [whole.size * lifted]
        for judge, two in enumerate((d12 * d13, d12 * d23, d13 * d23)):
            tops.append(lifted * whole.first[judge] + 2 * two)
        sums, divides = _quotients(tops, twice)
        at = self._numpy.flatnonzero(divides)
        sums = [column[at] for column in sums]
        if len(at) and max(abs(column).max() for column in sums) >= _HALF_WORD:
            sums = [column.astype(object) for column in sums]  # only where rates are far out of range
        questions, *right = sums
        (of_two, _, _), fits = _quotients([right[i] * right[j] for i, j in PAIRS], questions)
        # Residues instead of the numbers, so that their product fits, too.
        fits &= of_two % questions * (right[2] % questions) % questions == 0
        self._whole_places = places[at[fits]]
        self._key_sums = tuple(column[fits] for column in sums)
        self.codes[self._whole_places] = IndependenceClass.INDEPENDENT
        self.alarms[self._whole_places] &= 255 ^ _BIT[AlarmKind.NOT_WHOLE]


def _taken(whole: Any, places: Array) -> Any:
    """Return the moments of some rows."""
    return WholeMoments(
        size=whole.size[places],
        first=tuple(column[places] for column in whole.first),
        second=tuple(column[places] for column in whole.second),
        pair={pair: column[places] for pair, column in whole.pair.items()},
        trio=whole.trio[places],
        pair_product=whole.pair_product[places],
        discriminant=whole.discriminant[places],
    )


def _quotients(columns: Sequence[Array], divisor: Array) -> tuple[list[Array], Array]:
    """Return each column divided, and where nothing is left over in any of them."""
    quotients = [column // divisor for column in columns]
    nothing_left = quotients[0] * divisor == columns[0]
    for quotient, column in zip(quotients[1:], columns[1:], strict=True):
        nothing_left &= quotient * divisor == column
    return quotients, nothing_left


def _whole_root(numbers: Array) -> tuple[Array, Array]:
    """Return ⌊√n⌋ of whole numbers that are not negative, and where n is a square; whole numbers alone decide both."""
    import numpy

    if numbers.dtype == object:
        root = numpy.array([isqrt(number) for number in numbers], dtype=object)
        return root, (root * root == numbers).astype(bool)
    root = numpy.sqrt(numbers).astype(numpy.int64)  # somewhere near: the loop below does not trust it
    while True:
        rest = numbers - root * root
        low, high = rest > root + root, rest < 0
        if not (low.any() or high.any()):
            return root, rest == 0
        root += low
        root -= high


# -- what is let in -----------------------------------------------------------------------------------


def _numpy() -> Any:
    return module_of_extra("numpy", "many votes are solved in arrays of numpy", "arrays")


def _table(counts: Any) -> Array:
    """Return a copy of the counts as n rows of eight whole numbers, `int64` or Python's."""
    numpy = _numpy()
    if isinstance(counts, VoteCounts):
        rule = "many votes are rows of eight counts"
        raise NotVotes(counts, rule, "solve_independent takes one VoteCounts")
    if isinstance(counts, numpy.ma.MaskedArray):
        if numpy.ma.is_masked(counts):
            rule = "a count that is masked is not known"
            raise NotANumber("a masked array", rule, "fill it, or drop its row")
        counts = counts.data
    try:
        # From lists, every number as it is: otherwise True or 1/2 beside whole numbers would become one of them.
        given = counts if hasattr(counts, "dtype") else numpy.array(counts, dtype=object)
        table = numpy.asarray(given)
    except (ValueError, TypeError):
        raise BadVotes(counts, "the counts do not make up rows of eight") from None
    if table.ndim != 2 or table.shape[1] != len(PATTERNS):
        rule = "many votes are n rows of eight counts: aaa aab aba abb baa bab bba bbb"
        raise BadVotes(table.shape, rule, "one row alone is [[…]]")
    if table.dtype == object:
        table = _whole_objects(table)
    elif table.dtype.kind == "f":
        raise FloatRefused(
            str(table.dtype),
            "a count is a whole number, not a float",
            "count with integers: astype(int) would cut off fractions unseen",
        )
    elif table.dtype.kind not in "iu":
        raise NotANumber(str(table.dtype), "a count is a whole number")
    if table.size and int(table.min()) < 0:
        row = int(numpy.flatnonzero((table < 0).any(axis=1))[0])
        raise BadVotes(table[row].tolist(), f"a count is not negative (row {row})")
    fits = not table.size or int(table.max()) <= _INT64
    return cast("Array", table.astype(numpy.int64 if fits else object))


def _whole_objects(table: Array) -> Array:
    """Return an array of objects with each of them a Python integer."""
    numpy = _numpy()
    for value in table.flat:
        if isinstance(value, (bool, numpy.bool_)) or not hasattr(value, "__index__"):
            refusal = FloatRefused if isinstance(value, (float, numpy.floating)) else NotANumber
            raise refusal(value, f"a count is a whole number, not {type(value).__name__}")
    whole = [[int(value) for value in row] for row in table]
    return cast("Array", numpy.array(whole, dtype=object).reshape(table.shape))
