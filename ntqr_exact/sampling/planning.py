"""Sample sizes: how many outputs show a difference, how many questions to grade, and what the graded ones prove.

The power at N outputs of each model is the probability that two samples of that size show the difference, if the
observed shares are the true ones. It saw-tooths in N, as counts are whole. A requirement is proven if every number in
the interval of `PartialKey` meets it, and refuted if none does: a gate and a report never contradict each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from math import lcm

from gmpy2 import bincoef, mpq, mpz

from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadChoice, BadNumber, EmptyTest, TooMuchWork
from ntqr_exact.exact.enclosure import Enclosure, decide_sign, enclose_normal_quantile
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.exact.show import counted, fixed_text, short_decimal
from ntqr_exact.sampling.comparison import READINGS, Comparison, Decision, Ends
from ntqr_exact.sampling.designs import Hypergeometric, check_level, last_kept, run_around
from ntqr_exact.sampling.graded_ranges import right_where, who_is_right
from ntqr_exact.sampling.intervals import Critical, central_intervals
from ntqr_exact.sampling.metric_model import Performance, VarianceParts, VarianceReading
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_HALF = mpq(1, 2)
_SMALLEST_SIZE = 2
_LARGEST = 1 << 256
_SCANNED, _TRIED_BELOW = 64, 8
"""Up to the first size every smaller one is tried; above it, this many below the one found by bisection."""

_EXACT = 1000
"""Up to this size probabilities are whole numbers of ways; above, whole numbers of 2^−128, rounded down."""

_LARGEST_SUMMED = 100_000
"""Beyond this size the normal approximation is used, and the plan says so."""

_BITS, _CUT = 128, 1 << 40
_BACKSTEP = 2
"""One more grade can widen the widest interval, by two questions at most in every case tried."""


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """The smallest N of each model at which a difference is shown with a power; `None` if no N is large enough.

    `attained` encloses the power at that N. It is `None` where the size rests on a normal approximation: for paired
    samples, for metric models of more than two classes, and beyond 100,000 outputs.
    """

    reading: VarianceReading
    smallest_size: int | None
    decision: Decision
    power: mpq
    attained: Enclosure | None

    def __str__(self) -> str:
        if self.smallest_size is None:
            return f"no N shows a difference with a power of {self.power}"
        exact = self.attained
        how = "by the normal approximation" if exact is None else f"power {fixed_text(exact.lower, 3)}"
        return f"{self.decision.value}, with a power of {self.power} at N = {self.smallest_size} ({how})"


def plan(
    comparison: Comparison,
    reading: VarianceReading | str = VarianceReading.ESTIMATED_RATES,
    *,
    power: RationalLike = "0.8",
) -> SamplePlan:
    """Return the smallest N, the same for both models, at which the difference is shown with this power.

    For two independent samples of two classes the power is exact. Up to N = 64 every smaller size is tried; above, the
    size is found by bisection, and none of the 8 sizes below it has the power.

    >>> from ntqr_exact import MetricModel, compare
    >>> print(plan(compare(control=(1, 2), treatment=(1, 4), metric=MetricModel(1, 0)), "deterministic"))
    the treatment is lower, with a power of 4/5 at N = 58 (power 0.806)

    The observed shares are held fixed, whether or not they make whole numbers of outputs at that N. Raises `BadNumber`
    for a power below 1/2, or of 1 and more.
    """
    kind, often = VarianceReading(reading), rational(power)
    if not _HALF <= often < 1:
        raise BadNumber(power, "power must be from 1/2 on and below 1", "write 0.8 for 80 %")
    difference, parts = comparison.difference(READINGS[kind]), comparison.parts(kind)
    guess, decision = size_shown(difference, parts, comparison.critical, comparison.ends, often)
    two_classes = comparison.control.metric.is_binary and comparison.treatment.metric.is_binary
    if guess is None or guess > _LARGEST_SUMMED or comparison.joint is not None or not two_classes:
        return SamplePlan(kind, guess, decision, often, None)
    size = _smallest(lambda size: power_at(comparison, kind, size).lower >= often, guess)
    return SamplePlan(kind, size, decision, often, power_at(comparison, kind, size))


def _smallest(enough: Callable[[int], bool], guess: int) -> int:
    size = guess
    while not enough(size):
        size += 1 + size // 64
    size = last_kept(enough, size, _SMALLEST_SIZE - 1)
    below = range(max(_SMALLEST_SIZE, size - (size if size <= _SCANNED else _TRIED_BELOW)), size)
    return next((smaller for smaller in below if enough(smaller)), size)


def size_shown(
    difference: mpq, parts: VarianceParts, critical: Critical, ends: Ends, power: mpq = _HALF
) -> tuple[int | None, Decision]:
    """Return the smallest N with f² > (z + z_power)²V(N), and what it shows; `None` if no N is large enough.

    With a power of 1/2 it is the smallest N at which f ± z√V(N) excludes 0. V falls in N to its fixed part.
    """

    def sign(variance: mpq) -> int:
        def gap(bits: int) -> Enclosure:
            z = critical.enclose(bits) + enclose_normal_quantile(power, bits)
            return difference**2 - z * z * variance

        return decide_sign(gap)

    def shows(size: int) -> bool:
        found = sign(parts.at(size))
        return found > 0 or (found == 0 and ends is Ends.OPEN)

    size, shrinks = _SMALLEST_SIZE, bool(parts.per_degree or parts.per_output)
    # A falling V stays above its fixed part, so that a tie there does not help.
    if difference == 0 or (sign(parts.fixed) <= 0 if shrinks else not shows(size)):
        return None, Decision.NOT_SHOWN
    while not shows(size):
        size *= 2
        if size > _LARGEST:
            raise TooMuchWork(size, "the size at which the difference is shown is beyond this")
    smallest = last_kept(shows, size, size // 2) if size > _SMALLEST_SIZE else size
    return smallest, Decision.HIGHER if difference > 0 else Decision.LOWER


def power_at(comparison: Comparison, reading: VarianceReading, size: int) -> Enclosure:
    """Enclose the probability that two independent samples of this size show a difference; exactly up to 1000."""
    models = comparison.control, comparison.treatment
    (k, left, of_left), (j, right, of_right) = (_weights(size, one.observed_rate) for one in models)
    check_work(f"the power of {size} outputs", 40 * len(left))
    runs, sums, total = _runs(comparison, reading, size), list(accumulate(right, initial=mpz(0))), mpz(0)
    for place, weight in enumerate(left, start=k):
        inside, run = runs(place)
        first, last = (min(max(end - j, 0), len(right)) for end in (run.start, run.stop))
        within = sums[last] - sums[first]
        total += weight * (within if inside else sums[-1] - within)
    whole = of_left * of_right
    return Enclosure(mpq(total, whole), mpq(total + whole - sum(left) * sums[-1], whole))


def _weights(n: int, share: mpq) -> tuple[int, list[mpz], mpz]:
    """Return the first number of positives that matters, the weights from it on, and a bound of the sum of all."""
    hits, misses = share.numerator, share.denominator - share.numerator
    mode = min(int((n + 1) * share), n)
    is_exact = n <= _EXACT
    highest = bincoef(n, mode) * hits**mode * misses ** (n - mode) if is_exact else mpz(1) << _BITS

    def side(step: int) -> list[mpz]:
        weight, k, found = highest, mode, []
        while 0 <= k + step <= n and weight > (0 if is_exact else _CUT):
            odds = ((n - k) * hits, (k + 1) * misses) if step > 0 else (k * misses, (n - k + 1) * hits)
            weight, k = weight * odds[0] // odds[1], k + step
            found.append(weight)
        return found

    down, up = side(-1), side(1)
    weights = [*reversed(down), highest, *up]
    # A weight loses less than 1 in each step, and those left out are not greater than the last ones.
    return mode - len(down), weights, sum(weights, mpz(0 if is_exact else (n + 1) * (_CUT + n)))


def _runs(comparison: Comparison, reading: VarianceReading, n: int) -> Callable[[int], tuple[bool, range]]:
    """Return for each k the neighbouring j that differ from all others, and whether they show a difference.

    The difference f is linear in both numbers of positives, k and j, and its variance V quadratic. For a given k,
    f² − z²V is a quadratic in j: those j are next to its vertex.
    """

    def at(k: int, j: int) -> Comparison:
        models = (comparison.control.metric, k), (comparison.treatment.metric, j)
        control, treatment = (Performance((n - count, count), metric) for metric, count in models)
        return replace(comparison, control=control, treatment=treatment)

    corners = {(k, j): at(k, j) for k, j in ((0, 0), (1, 0), (n, 0), (0, 1), (0, n), (n, n))}
    f = {corner: one.difference(READINGS[reading]) for corner, one in corners.items()}
    line = f[0, 0], f[1, 0] - f[0, 0], f[0, 1] - f[0, 0]
    variance = _quadratic({corner: one.variance(reading) for corner, one in corners.items()}, n)
    scale = lcm(*(int(number.denominator) for number in (*line, *variance)))
    f0, fk, fj = (mpz(scale * number) for number in line)
    c, ck, cj, ckk, ckj, cjj = (mpz(scale**2 * number) for number in variance)
    z = comparison.critical.enclose(_BITS)
    z_low, z_high = mpz(z.lower**2 * (1 << _BITS)), mpz(z.upper**2 * (1 << _BITS)) + 1

    def shows(k: int, j: int) -> bool:
        square, spread = (f0 + fk * k + fj * j) ** 2, c + k * (ck + k * ckk) + j * (cj + j * cjj + k * ckj)
        if square << _BITS > z_high * spread:
            return True
        if square == 0 or square << _BITS < z_low * spread:
            return False
        sign = comparison.critical.compare_square(mpq(square), mpq(spread))
        return sign > 0 or (sign == 0 and comparison.ends is Ends.OPEN)

    def run(k: int) -> tuple[bool, range]:
        bend = (fj**2 << _BITS) - z_low * cjj
        slope = (2 * (f0 + fk * k) * fj << _BITS) - z_low * (cj + ckj * k)
        vertex = -slope // (2 * bend) if bend else -slope * n
        inside = bend < 0
        return inside, run_around(lambda j: shows(k, j) is inside, min(max(int(vertex), 0), n), n)

    return run


def _quadratic(values: dict[tuple[int, int], mpq], n: int) -> tuple[mpq, ...]:
    """Return c, c_k, c_j, c_kk, c_kj, c_jj of the quadratic in k and j with these values at six corners."""
    c = values[0, 0]

    def along(near: mpq, far: mpq) -> tuple[mpq, mpq]:
        bend = (far - c - n * (near - c)) / (n * (n - 1))
        return near - c - bend, bend

    ck, ckk = along(values[1, 0], values[n, 0])
    cj, cjj = along(values[0, 1], values[0, n])
    ckj = (values[n, n] - c - n * (ck + cj) - n**2 * (ckk + cjj)) / n**2
    return c, ck, cj, ckk, ckj, cjj


def questions_to_grade(size: RationalLike, *, width: RationalLike, level: RationalLike = "0.95") -> int:
    """Return how many random questions to grade, so that every central interval is at most `width` wide.

    The width of an interval is its greatest minus its smallest number of right answers. That many grades suffice,
    whatever they show, and one grade less does not.

    >>> questions_to_grade(2000, width=200)
    332
    """
    share, questions, wanted = check_level(level), whole_number(size), rational(width)
    if wanted < 0:
        raise BadNumber(width, "width must be >= 0")

    def widest(graded: int) -> int:
        return max(high - low for low, high in central_intervals(Hypergeometric(questions, graded), share))

    enough = last_kept(lambda graded: widest(graded) <= wanted, questions, -1)
    # The widest interval narrows with every grade but for a step back now and then: fewer may do, just below.
    fewer = enough - 1
    while fewer >= 0 and (found := widest(fewer)) <= wanted + _BACKSTEP:
        enough = fewer if found <= wanted else enough
        fewer -= 1
    return enough


# -- what is required of a judge --------------------------------------------------------------------------

MAX_PLANNED, _POWER = 20_000, mpq(4, 5)
"""Questions up to which the number of further grades is computed, and with which probability these decide."""

_VERDICTS = {Answer.YES: "proven", Answer.NO: "refuted", Answer.UNDECIDED: "not proven"}


@dataclass(frozen=True, slots=True)
class RequirementProof(Value):
    """Whether a requirement is proven at a level (`Answer.YES`), refuted (`NO`), or open.

    `lower` and `upper` are the ends of the interval, and `seen` describes the sample. `more_grades` of further random
    questions decide it with a probability of 4/5, if their share is that of the sample: of all questions, or for a
    difference of those on which the judges differ. It is `None` where that is not computed.
    """

    requirement: str
    measure: str
    level: mpq
    answer: Answer
    seen: str
    lower: mpq | None
    upper: mpq | None
    more_grades: int | None

    @property
    def line(self) -> str:
        """The one line that a log needs."""
        return "".join(map(str, self.blocks()))

    def blocks(self) -> Iterator[Sentence]:
        """Yield the verdict and its reason."""
        ends = "no interval"
        if self.lower is not None and self.upper is not None:
            ends = f"interval {_number(self.lower)} to {_number(self.upper)}"
        text = f"{self.requirement} at the level {_number(self.level)} ({self.seen}; {ends})"
        if self.more_grades:
            where = " where they differ" if self.measure == "difference" else ""
            text += f"; about {counted(self.more_grades, 'more grade')}{where} would decide"
        elif self.answer is Answer.UNDECIDED:
            text += "; how many more grades would decide is not computed for such a sample or claim"
        yield Sentence(text, _VERDICTS[self.answer], fires=self.answer is not Answer.YES)


def _number(value: mpq) -> str:
    return short_decimal(value).removeprefix("≈ ")


def read_requirement(text: str, votes: VoteCounts) -> tuple[str, tuple[str, ...], mpq, bool]:
    """Return what a text requires: a measure of one or two judges, the bound, and whether it must be exceeded."""
    form = re.fullmatch(r"(.+)(>=|≥|>)(.+)", text.strip(), re.DOTALL)
    if form:
        left, sign, right = (part.strip() for part in form.groups())
        if {left, right} <= {*votes.judges} and left != right:
            return "difference", (left, right), mpq(0), sign == ">"
        for measure, judges in _measures(left):
            if {*judges} <= {*votes.judges} and len({*judges}) == len(judges):
                with suppress(BadNumber):
                    return measure, judges, rational(right), sign == ">"
    rule = "requirement must be 'J >= 0.85', 'J > K', 'J - K >= 0.05' or 'kappa(J) >= 0.6'"
    raise BadChoice(text, rule, f"judges: {', '.join(votes.judges)}")


def _measures(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what a text may mean; names of judges may have signs in them."""
    yield "accuracy", (text,)
    if kappa := re.fullmatch(r"kappa\((.*)\)", text, re.DOTALL):
        yield "kappa", (kappa[1].strip(),)
    for found in re.finditer(r"\s-\s", text):
        yield "difference", (text[: found.start()].strip(), text[found.end() :].strip())


def prove_requirement(key: PartialKey, requirement: str, *, level: RationalLike = "0.95") -> RequirementProof:
    """Return whether the graded questions prove a requirement at a level, and how many more grades would decide.

    `J >= 0.85` is of the share of right answers among all questions that J answered; `J - K >= 0.05` and `J > K` of the
    difference of these shares among those that both answered; `kappa(J) >= 0.6` of Cohen's κ with the answer key.

    >>> votes = VoteCounts({"aa": 60, "ab": 15, "bb": 25})
    >>> key = PartialKey(votes, {"a": {"aa": 11, "ab": 2}, "b": {"ab": 1, "bb": 6}}, drawn="at_random")
    >>> print(prove_requirement(key, "J1 >= 0.7").line)
    proven: J1 >= 0.7 at the level 0.95 (19 of 20 right; interval 0.78 to 0.99)
    >>> prove_requirement(key, "J1 >= 0.9").more_grades
    48

    Raises `BadChoice` for a text that is not a requirement, `BadSamples` for questions that were not drawn at random.
    """
    share, more = check_level(level), None
    measure, judges, bound, strict = read_requirement(requirement, key.votes)
    i, j = (key.votes.place(judge) for judge in (judges[0], judges[-1]))
    if measure == "kappa":
        ends = key.kappa(i, share)
        lower, upper = (end if isinstance(end, mpq) else None for end in (ends.lower, ends.upper))
        answer = _decided(lower, upper, bound, strict=strict)
        answer = answer if ends.undefined is None else Answer.UNDECIDED
        seen = f"{key.graded_size} of {key.size} questions graded"
    else:
        size = key.votes.common(*{i, j}).size
        if size == 0:
            raise EmptyTest(judges, "judges must have a question that they answered")
        others = (None, None) if i == j else (j, i)
        mine, theirs = (key.cells(*right_where(*pair)) for pair in zip((i, j), others, strict=True))
        right, other = (sum(cell.right for cell in cells) for cells in (mine, theirs))
        graded = sum(cell.design.graded for cell in mine)
        seen = f"where they differ {right} and {other} of {graded} right"
        seen = f"{right} of {graded} right" if i == j else seen
        low, high = key.right_answers(i, share) if i == j else key.difference(i, j, share)
        lower, upper = mpq(low, size), mpq(high, size)
        answer = _decided(lower, upper, bound, strict=strict)
        if len(mine) == 1 and (i == j or len(key.votes.labels) == 2):
            # With two labels the lead is twice the right answers where they differ, minus their number.
            number = bound * size if i == j else (bound * size + mine[0].design.size) / 2
            required = int(number // 1) + 1 if strict else -int(-number // 1)
            more = _more_grades(mine[0].design, right, required, share)
    more = 0 if answer is not Answer.UNDECIDED else more
    return RequirementProof(requirement, measure, share, answer, seen, lower, upper, more)


def grades_to_separate(
    key: LabeledVoteCounts, first: Judge, second: Judge, level: RationalLike = "0.95"
) -> int | None:
    """Return about how many random grades show which of two judges is better if the key is the truth.

    Only questions on which one of the two is right count. `None` if both are right as often.

    >>> key = LabeledVoteCounts({"a": VoteCounts({"aa": 60, "ab": 30, "ba": 10})})
    >>> grades_to_separate(key, "J1", "J2")
    50
    """
    known = who_is_right(key, first, second)
    only = known[True, False], known[False, True]
    differ, truth = sum(only), max(only)
    if 2 * truth == differ or differ > MAX_PLANNED:
        return None
    more = _more_grades(Hypergeometric(differ, 0), 0, differ // 2 + 1, check_level(level), truth)
    return None if more is None else -(-more * key.size // differ)


def _decided(lower: mpq | None, upper: mpq | None, bound: mpq, *, strict: bool) -> Answer:
    if lower is None or upper is None:
        return Answer.UNDECIDED
    if lower > bound or (lower == bound and not strict):
        return Answer.YES
    return Answer.NO if upper < bound or (upper == bound and strict) else Answer.UNDECIDED


def _more_grades(
    design: Hypergeometric, right: int, required: int, level: mpq, truth: int | None = None
) -> int | None:
    """Return the fewest further grades after which the interval decides with the power, if the truth is as seen.

    With m grades and r right ones in all, the interval lies above M − 1 iff P_{M−1}(X ≥ r) is at most α/2, and below M
    iff P_M(X ≤ r) is.
    """
    size, graded = design.size, design.graded
    if not graded < size <= MAX_PLANNED or (truth is None and not graded):
        return None
    if truth is None:
        truth = min(max((2 * right * size + graded) // (2 * graded), right), size - graded + right)
    if truth < required:  # the mirror image: that many wrong answers refute it
        right, truth, required = graded - right, size - truth, size - required + 1

    def decides(more: int) -> bool:
        whole, further = Hypergeometric(size, graded + more), Hypergeometric(size - graded, more)
        limit = whole.limit((1 - level) / 2)
        enough = last_kept(lambda r: whole.at_least(required - 1, r) <= limit, graded + more + 1, -1)
        return further.at_least(truth - right, enough - right) >= _POWER * further.samples()

    most, step = size - graded, 1
    while step < most and not decides(step):
        step *= 2
    return last_kept(decides, min(step, most), step // 2)
