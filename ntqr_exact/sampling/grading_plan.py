"""How many questions to grade: for an interval of a given width, and for showing which of two judges is better."""

from __future__ import annotations

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.sampling.designs import Design
from ntqr_exact.sampling.intervals import central_intervals, last_kept
from ntqr_exact.sampling.level import check_level

_BACKSTEP = 2
"""One more grade can widen the widest interval, by two questions at most in every case tried."""


@checked
def questions_to_grade(size: RationalLike, *, width: RationalLike, level: RationalLike = "0.95") -> int:
    """Return how many random questions to grade, so that every central interval is at most `width` wide.

    The width of an interval is its greatest minus its least number of right answers. That many grades suffice,
    whatever they show, and one grade less does not.

    >>> questions_to_grade(2000, width=200)
    332
    """
    share, questions = check_level(level), whole_number(size)
    wanted = rational(width)
    if wanted < 0:
        raise BadNumber(width, "a width must not be negative")

    def widest(graded: int) -> int:
        return max(high - low for low, high in central_intervals(Design(questions, graded), share))

    enough = last_kept(lambda graded: widest(graded) <= wanted, questions, -1)
    # The widest interval narrows with every grade but for a step back now and then: fewer may do, just below.
    fewer = enough - 1
    while fewer >= 0 and (found := widest(fewer)) <= wanted + _BACKSTEP:
        enough = fewer if found <= wanted else enough
        fewer -= 1
    return enough


def chance_to_show_lead(
    differ: RationalLike,
    lead: RationalLike,
    graded: RationalLike,
    *,
    size: RationalLike | None = None,
    level: RationalLike = "0.95",
) -> mpq:
    """Return the probability that the interval for the difference of two judges lies above 0.

    With two labels they differ on D questions, and the first judge leads by `lead` right answers. `graded` random
    questions are graded among these D, or among all `size` questions if told.

    >>> round(chance_to_show_lead(63, 19, 45), 3), round(chance_to_show_lead(63, 19, 45, size=500), 3)
    (mpq(119,125), mpq(31,500))
    """
    questions, share = whole_number(differ), check_level(level)
    twice = questions + rational(lead)
    if not 0 <= twice <= 2 * questions or (twice / 2).denominator != 1:
        raise BadNumber(lead, f"on {questions} questions a lead is {questions} minus an even number")
    truth = int(twice / 2)
    if size is None:
        return _shown(Design(questions, graded), truth, share)
    everywhere = Design(size, graded)
    if everywhere.size < questions:
        raise BadNumber(size, f"there are at least {questions} questions")
    hits = ((d, everywhere.at(questions, d)) for d in range(everywhere.most(questions) + 1))
    return sum(
        (
            mpq(ways, everywhere.samples) * _shown(Design(questions, d), truth, share)
            for d, ways in hits
            if ways
        ),
        mpq(0),
    )


def _shown(design: Design, truth: int, level: mpq) -> mpq:
    lows = (low for low, _ in central_intervals(design, level))
    shown = sum(int(design.at(truth, r)) for r, low in enumerate(lows) if 2 * low > design.size)
    return mpq(shown, design.samples)
