"""The family `normal-decision`: the decision of an interval with the true normal quantile of a level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.citation import Citation
from ntqr_exact.exact.rational import rational
from ntqr_exact.significance.critical import NormalCritical
from ntqr_exact.significance.interval import Ends, NormalInterval
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.families.interval_decision import DECISION, ENDS_INPUT, ENDS_WORDS, decision_word
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, described, record

_PLACES = 15
_BITS = 128
_Given = int | str


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


def edge_cases() -> Iterator[Case]:
    """Yield usual and extreme levels, differences a hair from the quantile, no variance, refusals."""
    for level, comment in (
        ("0.95", "95 %"),
        ("0.9", "90 %"),
        ("0.99", "99 %"),
        ("1/2", "the middle half"),
        ("2/3", "about one deviation"),
        ("0.000001", "next to nothing"),
        ("0.999999", "nearly all"),
        ("0.999999999999999999", "so near to 1 that doubles take it for 1"),
    ):
        for f in (2, -1):
            yield _case(level, f, 1, "closed", f"{comment}, f = {f}, V = 1")
    for digits, comment in (
        ("1.96", "the textbooks' z is too large for 95 %"),
        ("1.959963984540054", "the quantile of 95 %, 15 places: just below"),
        ("1.959963984540055", "the next: just above"),
        ("1.9599639845400542355245944305205515279555787789", "46 places"),
        ("1.9599639845400542355245944305205515279555787790", "46 places, one more in the last"),
    ):
        flags = ("hair",) if len(digits) > 4 else ()
        yield _case("0.95", digits, 1, "closed", comment, *flags)
        yield _case("0.95", f"-{digits}", 1, "open", f"{comment}, below 0", *flags)
    for ends in ("open", "closed"):
        yield _case("0.95", "1e-40", 0, ends, "no variance: any difference is shown")
        yield _case("0.95", 0, 0, ends, "no difference and no variance")
        yield _case("0.95", 0, 1, ends, "no difference")
    yield _case(
        "0.95", "-52/23679", "1.496e-5", "open", "the source's BOLD difference, its printed variance rounded"
    )
    yield _case("0.95", "-52/23679", "2.914e-7", "open", "the same with the deterministic variance, rounded")
    for bad, centre, variance, ends, comment in (
        (0, 1, 1, "open", "a level of 0"),
        (1, 1, 1, "open", "a level of 1"),
        ("95", 1, 1, "open", "per cent"),
        ("-1/2", 1, 1, "open", "a negative level"),
        ("high", 1, 1, "open", "a level that is no number"),
        ("0.95", 1, -1, "open", "a negative variance"),
        ("0.95", "x", 1, "open", "a difference that is no number"),
        ("0.95", 1, 1, "ajar", "ends of another kind"),
    ):
        yield Case(_input(bad, centre, variance, ends), comment, ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return any level and numbers; every third time f is the quantile to some places."""
    level = mpq(draws.between(1, 9 + index), 10 + index)
    ends, sign = draws.pick(("open", "closed")), draws.pick((1, -1))
    if index % 3:
        centre = sign * mpq(draws.between(0, 30 + index), 10)
        variance = mpq(draws.between(1, 9 + index), draws.between(1, 9))
        return _case(str(level), str(centre), str(variance), ends, "any numbers")
    places = 3 + index // 6
    near = rational(NormalCritical(level).enclose(_BITS + 4 * places).decimal(places))
    deviation = draws.between(1, 9)
    comment = f"f is the quantile, rounded to {places} places, times √V"
    flags = ["hair"] if places > 16 else []
    return _case(str(level), str(sign * near * deviation), str(deviation**2), ends, comment, *flags)


def _interval(document: Document) -> NormalInterval:
    return NormalInterval(
        rational(document["centre"]),
        rational(document["variance"]),
        NormalCritical(document["level"]),
        chosen(document["ends"], Ends),
    )


def _input(level: _Given, centre: _Given, variance: _Given, ends: str) -> Document:
    return {"level": level, "ends": ends, "centre": centre, "variance": variance}


def _case(level: _Given, centre: _Given, variance: _Given, ends: str, comment: str, *flags: str) -> Case:
    document = _input(level, centre, variance, ends)
    return Case(document, comment, (*flags, *(["no-variance"] if rational(variance) == 0 else [])))


FAMILY = Family(
    name="normal-decision",
    version=1,
    title="Whether an interval with the true normal quantile excludes 0",
    citations=(Citation("faithful", "eq. 8"), Citation("faithful", "eq. 14")),
    algorithm=(
        "level is a probability L, centre a difference f, variance its variance V. Numbers are JSON integers, or texts "
        "like 3/8, 0.375 or 4e-7, which mean just what they say. Refuse as bad-number what is no number, V < 0, and a "
        "level that is not strictly between 0 and 1. " + ENDS_WORDS,
        "The critical value z is the number beyond which, on both sides of 0 together, a standard normal number lies "
        "with probability 1 − L: Φ(z) = (1 + L)/2.",
        "z: this number, rounded to the nearest multiple of 10^−15.",
        "decision: not-shown if f = 0. Otherwise, if V = 0 or f² > z²V with the true z, lower for f < 0 and higher for "
        "f > 0. In all other cases not-shown. Ends make no difference here, as no test has f² = z²V for V > 0.",
        "An exact way: f² > z²V if and only if erf(|f|/√(2V)) > L. Bounds of erf from its series, with more terms and "
        "digits as long as L lies between them, decide it.",
    ),
    input=record(
        level=described(NUMBER_INPUT, "the probability inside the interval"),
        ends=ENDS_INPUT,
        centre=described(NUMBER_INPUT, "the difference f"),
        variance=described(NUMBER_INPUT, "its variance V"),
    ),
    expected=record(z=described(RATIONAL, "a multiple of 10^−15"), decision=DECISION),
    flags={
        "hair": "f is nearer to an end of the interval than doubles tell",
        "no-variance": "V = 0",
        "refused": "the numbers make no interval",
    },
    errors={
        "bad-number": "a number is none, V is negative, or the level is not between 0 and 1",
        "bad-choice": "ends are neither open nor closed",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"mpmath": lambda _: True},
)
