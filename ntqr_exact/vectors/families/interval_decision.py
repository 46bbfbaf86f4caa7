"""The family `interval-decision`: does the interval f ± z√V exclude 0, decided without a square root?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.exact.rational import rational
from ntqr_exact.significance.interval import Ends, NormalInterval, RationalCritical
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.decisions import DECISION, ENDS_INPUT, TEXTBOOK, decision_word
from ntqr_exact.vectors.fragments import NUMBER, NUMBER_INPUT, described, record
from ntqr_exact.vectors.specification import Case, Document, declared


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
        document = {"z": str(z), "ends": ends, "centre": str(centre), "variance": str(variance)}
        return Case(document, f"any numbers, {ends}")
    centre, moved = sign * z * variance, draws.pick((mpq(0), mpq(1, 10**20), mpq(-1, 10**20)))
    document = {"z": str(z), "ends": ends, "centre": str(centre + moved), "variance": str(variance**2)}
    return Case(document, f"an end {'near' if moved else 'at'} 0, {ends}", ("hair",) if moved else ())


def _interval(document: Document) -> NormalInterval:
    return NormalInterval(
        rational(document["centre"]),
        rational(document["variance"]),
        RationalCritical(document["z"]),
        chosen(document["ends"], Ends),
    )


def _ends_at_zero(document: Document, _: Any) -> bool:
    interval = _interval(document)
    return interval.critical.compare_square(interval.centre**2, interval.variance) == 0


FAMILY = Family(
    *declared("interval-decision"),
    input=record(
        z=described(NUMBER_INPUT, "the critical value"),
        ends=ENDS_INPUT,
        centre=described(NUMBER_INPUT, "the difference f"),
        variance=described(NUMBER_INPUT, "its variance V"),
    ),
    expected=record(decision=DECISION, lower=NUMBER, upper=NUMBER),
    flags={
        "end-at-zero": _ends_at_zero,
        "no-variance": lambda given, _: rational(given["variance"]) == 0,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
)
