"""The family `normal-decision`: the decision of an interval with the true normal quantile of a level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.exact.rational import rational
from ntqr_exact.significance.interval import Ends, NormalCritical, NormalInterval
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.decisions import DECISION, ENDS_INPUT, decision_word
from ntqr_exact.vectors.fragments import NUMBER_INPUT, RATIONAL, described, record
from ntqr_exact.vectors.specification import Case, Document, declared

_PLACES = 15
_BITS = 128


def compute(document: Document) -> dict[str, Any]:
    """Return the quantile to 15 places, and the decision."""
    interval = _interval(document)
    return {
        "z": rational(interval.critical.enclose(_BITS).decimal(_PLACES)),
        "decision": decision_word(interval.decision()),
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the quantile, and both sides of f² > z²V."""
    interval = _interval(document)
    z = interval.critical.enclose(_BITS)
    yield f"Φ(z) = (1 + {rational(document['level'])})/2 at z = {z.decimal(_PLACES)}…"
    reach = z * z * interval.variance
    yield f"f² = {interval.centre**2}, z²V = {reach.decimal(_PLACES)}…"
    yield f"decision: {compute(document)['decision']}"


def random_case(draws: Draws, index: int) -> Case:
    """Return any level and numbers; every third time f is the quantile to some places."""
    level = mpq(draws.between(1, 9 + index), 10 + index)
    ends, sign = draws.pick(("open", "closed")), draws.pick((1, -1))
    if index % 3:
        centre = sign * mpq(draws.between(0, 30 + index), 10)
        variance = mpq(draws.between(1, 9 + index), draws.between(1, 9))
        document = {"level": str(level), "ends": ends, "centre": str(centre), "variance": str(variance)}
        return Case(document, "any numbers")
    places = 3 + index // 6
    near = rational(NormalCritical(level).enclose(_BITS + 4 * places).decimal(places))
    deviation = draws.between(1, 9)
    comment = f"f is the quantile, rounded to {places} places, times √V"
    centre, variance = sign * near * deviation, mpq(deviation**2)
    document = {"level": str(level), "ends": ends, "centre": str(centre), "variance": str(variance)}
    return Case(document, comment, ("hair",) if places > 16 else ())


def _interval(document: Document) -> NormalInterval:
    return NormalInterval(
        rational(document["centre"]),
        rational(document["variance"]),
        NormalCritical(document["level"]),
        chosen(document["ends"], Ends),
    )


FAMILY = Family(
    *declared("normal-decision"),
    input=record(
        level=described(NUMBER_INPUT, "the probability inside the interval"),
        ends=ENDS_INPUT,
        centre=described(NUMBER_INPUT, "the difference f"),
        variance=described(NUMBER_INPUT, "its variance V"),
    ),
    expected=record(z=described(RATIONAL, "a multiple of 10^−15"), decision=DECISION),
    flags={
        "no-variance": lambda given, _: rational(given["variance"]) == 0,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"mpmath": lambda *_: True},
)
