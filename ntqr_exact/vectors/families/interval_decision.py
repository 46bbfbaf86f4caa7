"""The family `interval-decision`: does the interval f ± z√V exclude 0, decided without a square root?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.citation import Citation
from ntqr_exact.exact.rational import rational
from ntqr_exact.significance.critical import RationalCritical
from ntqr_exact.significance.interval import Decision, Ends, NormalInterval
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import NUMBER, TEXT, Fragment, described, one_of, record

TEXTBOOK = "49/25"
DECISION: Fragment = one_of("lower", "higher", "not-shown")
ENDS_INPUT: Fragment = described(TEXT, "open or closed: whether the ends belong to the interval")
ENDS_WORDS = "ends is open or closed; refuse any other as bad-choice."


def decision_word(decision: Decision) -> str:
    """Return the word that stands for a decision in a file of vectors."""
    return decision.name.lower().replace("_", "-")


def compute(document: Document) -> dict[str, Any]:
    """Return the decision and both ends of the interval."""
    interval = _interval(document)
    return {
        "decision": decision_word(interval.decision()),
        "lower": interval.lower,
        "upper": interval.upper,
    }


def steps(document: Document) -> Iterator[str]:
    """Tell both sides of f² > z²V, and what follows."""
    interval, z = _interval(document), rational(document["z"])
    square, reach = interval.centre**2, z**2 * interval.variance
    sign = ("=", ">", "<")[interval.critical.compare_square(square, interval.variance)]
    yield f"f² = {square} {sign} z²V = {reach}, ends {interval.ends.value}"
    yield f"from {interval.lower} to {interval.upper}"
    yield f"decision: {compute(document)['decision']}"


def random_case(draws: Draws, index: int) -> Case:
    """Return numbers of growing size, a third of them with an end at 0 or near it."""
    ends, size = draws.pick(("open", "closed")), 3 + index
    z = mpq(draws.pick((TEXTBOOK, "2", "1", "5/3", "2.5758")))
    sign = draws.pick((1, -1))
    variance = mpq(draws.between(1, size), draws.between(1, size))
    if index % 3:
        centre = sign * mpq(draws.between(0, 3 * size), size)
        return _case(str(centre), str(variance), str(z), ends, "any numbers")
    centre, moved = sign * z * variance, draws.pick((mpq(0), mpq(1, 10**20), mpq(-1, 10**20)))
    comment = "an end at 0" if not moved else "an end near 0"
    return _case(str(centre + moved), str(variance**2), str(z), ends, comment, *(["hair"] if moved else []))


def _interval(document: Document) -> NormalInterval:
    return NormalInterval(
        rational(document["centre"]),
        rational(document["variance"]),
        RationalCritical(document["z"]),
        chosen(document["ends"], Ends),
    )


def _input(centre: int | str, variance: int | str, z: int | str, ends: str) -> Document:
    return {"z": z, "ends": ends, "centre": centre, "variance": variance}


def _case(centre: int | str, variance: int | str, z: int | str, ends: str, comment: str, *flags: str) -> Case:
    document = _input(centre, variance, z, ends)
    interval = _interval(document)
    if interval.critical.compare_square(interval.centre**2, interval.variance) == 0:
        flags = (*flags, "end-at-zero")
    return Case(
        document, f"{comment}, {ends}", (*flags, *(["no-variance"] if interval.variance == 0 else []))
    )


FAMILY = Family(
    *declared("interval-decision"),
    input=record(
        z=described(NUMBER_INPUT, "the critical value"),
        ends=ENDS_INPUT,
        centre=described(NUMBER_INPUT, "the difference f"),
        variance=described(NUMBER_INPUT, "its variance V"),
    ),
    expected=record(decision=DECISION, lower=NUMBER, upper=NUMBER),
    random_case=random_case,
    compute=compute,
    steps=steps,
)
