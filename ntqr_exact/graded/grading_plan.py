"""How many questions to grade for an interval of a given width."""

from __future__ import annotations

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.graded.intervals import central_intervals, last_kept
from ntqr_exact.graded.level import check_level
from ntqr_exact.significance.hypergeometric import Design

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
