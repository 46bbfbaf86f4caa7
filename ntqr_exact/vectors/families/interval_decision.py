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


def edge_cases() -> Iterator[Case]:
    """Yield ends at exactly 0, both signs, no variance, hair's breadths on either side, refusals."""
    for ends in ("closed", "open"):
        for sign in ("", "-"):
            side = "above" if not sign else "below"
            yield _case(f"{sign}49/25", 1, TEXTBOOK, ends, f"one end is exactly 0, f {side} it")
            yield _case(f"{sign}3", 2, 2, ends, f"excluded, with irrational ends, f {side} 0")
            yield _case(f"{sign}2", 2, 2, ends, f"not excluded, with irrational ends, f {side} 0")
            yield _case(
                f"{sign}1.96000000000000000000000000000001", 1, TEXTBOOK, ends, "excluded by a hair", "hair"
            )
            yield _case(
                f"{sign}1.95999999999999999999999999999999", 1, TEXTBOOK, ends, "included by a hair", "hair"
            )
            yield _case(f"{sign}7/50", "1/196", TEXTBOOK, ends, "an end at exactly 0, with small numbers")
            yield _case(f"{sign}1e-40", 0, TEXTBOOK, ends, "no variance: the interval is the point f")
        yield _case(0, 0, TEXTBOOK, ends, "a difference of 0 without variance is not shown to differ")
        yield _case(0, 1, TEXTBOOK, ends, "a difference of 0")
        yield _case(
            "-52/23679",
            "1.496e-5",
            TEXTBOOK,
            ends,
            "the source's BOLD difference, its printed variance rounded",
        )
    yield _case("-1/2", "1/50", 2, "closed", "the ends are −1/2 ± √2/5")
    yield _case("1/3", "1/9", "1", "closed", "z = 1: an end at exactly 0")
    yield _case("1/3", "1/9", "0.999999999999999999999", "closed", "z just below 1", "hair")
    yield _case("1/3", "1/9", "1.000000000000000000001", "open", "z just above 1", "hair")
    yield _case(str(10**20), str(10**40), 1, "closed", "an end at exactly 0, beyond doubles", "hair")
    yield _case(str(10**20 + 1), str(10**40), 1, "closed", "one more", "hair")
    yield _case(1, "1e-200", "1e100", "open", "z² V is exactly 1", "hair")
    for centre, variance, z, ends, comment in (
        (1, "-1/9", 2, "closed", "a negative variance"),
        (1, 1, 0, "closed", "z = 0"),
        (1, 1, "-1.96", "open", "a negative z"),
        ("nan", 1, 2, "open", "f is no number"),
        (1, "1/0", 2, "open", "V is over zero"),
    ):
        yield Case(_input(centre, variance, z, ends), comment, ("refused",))
    yield Case(_input(1, 1, 2, "half-open"), "ends of another kind", ("refused",))


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
    name="interval-decision",
    version=1,
    title="Whether a normal interval excludes 0",
    citations=(Citation("faithful", "eq. 8"), Citation("faithful", "eq. 14")),
    algorithm=(
        "centre is a difference f, variance its variance V, z a critical value. Numbers are JSON integers, or texts "
        "like 3/8, 0.375 or 4e-7, which mean just what they say. Refuse as bad-number what is no number, V < 0, and "
        "z ≤ 0. " + ENDS_WORDS,
        "lower and upper: the ends f − z√V and f + z√V of the interval.",
        "decision: not-shown if f = 0. Otherwise, with closed ends, not-shown if 0 lies between the ends or is one of "
        "them, that is if f² ≤ z²V; with open ends, if 0 lies strictly between them, that is if f² < z²V. In all "
        "other cases lower if f < 0 and higher if f > 0.",
    ),
    input=record(
        z=described(NUMBER_INPUT, "the critical value"),
        ends=ENDS_INPUT,
        centre=described(NUMBER_INPUT, "the difference f"),
        variance=described(NUMBER_INPUT, "its variance V"),
    ),
    expected=record(decision=DECISION, lower=NUMBER, upper=NUMBER),
    flags={
        "end-at-zero": "an end of the interval is exactly 0, so that open or closed ends decide",
        "no-variance": "V = 0",
        "hair": "numbers so near to a tie, or so large, that doubles do not tell",
        "refused": "the numbers make no interval",
    },
    errors={
        "bad-number": "a number is none, V is negative, or z is not positive",
        "bad-choice": "ends are neither open nor closed",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
)
