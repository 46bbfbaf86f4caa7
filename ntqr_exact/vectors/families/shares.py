"""Positives among outputs: exact tests, intervals and their coverage, and decisions by normal intervals."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.rational import rational, whole_number
from ntqr_exact.sampling.exact_tests import Alternative, McNemarTail, fisher_test, mcnemar_test
from ntqr_exact.sampling.normal_interval import Ends, NormalCritical, NormalInterval, RationalCritical
from ntqr_exact.sampling.share_intervals import (
    DifferenceMethod,
    ShareInterval,
    ShareMethod,
    binomial_probabilities,
    coverage,
    difference_decision,
    difference_interval,
    holding,
    share_interval,
)
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import word
from ntqr_exact.vectors.specification import Case, Document, declared

_LARGE = 500
_SAMPLES = ("control", "treatment")


def _sample_from(pair: list[int | str]) -> tuple[int, int]:
    """Return k and n as whole numbers."""
    positives, size = map(whole_number, pair)
    return positives, size


def _drawn_sample(draws: Draws, index: int, *, size: int | None = None) -> list[int]:
    """Return a sample that grows with the index, or one of a size."""
    outputs = 1 + index // 8 + draws.below(8) if size is None else size
    return [draws.below(outputs + 1), outputs]


def _is_large(given: Document, _: Any) -> bool:
    """Tell whether a sample has so many outputs that binomials leave the range of doubles."""
    return any(whole_number(given[name][1]) > _LARGE for name in _SAMPLES)


def _is_nothing(given: Document, _: Any) -> bool:
    """Tell whether a sample has no outputs."""
    return any(whole_number(given[name][1]) == 0 for name in _SAMPLES)


_LEVEL = mpq(1, 20)


def _fisher(document: Document) -> dict[str, Any]:
    control, treatment = map(_sample_from, (document["control"], document["treatment"]))
    found = {one.name.lower(): fisher_test(control, treatment, alternative=one) for one in Alternative}
    apart = treatment[0] * control[1] - control[0] * treatment[1]
    shown = "not-shown" if found["two_sided"] > _LEVEL or not apart else "higher" if apart > 0 else "lower"
    return {**found, "decision": shown}


def _fisher_steps(document: Document) -> Iterator[str]:
    (a, n_1), (b, n_2) = map(_sample_from, (document["control"], document["treatment"]))
    for x, ways in _tables(document).items():
        yield f"T({x}) = C({a + b}, {x})·C({n_1 + n_2 - a - b}, {n_2 - x}) = {ways}" + (
            ", the observed one" if x == b else ""
        )
    yield f"of C({n_1 + n_2}, {n_2}) = {comb(n_1 + n_2, n_2)} in all"
    yield from (f"{name} = {value}" for name, value in _fisher(document).items())


def _tables(document: Document) -> dict[int, int]:
    """Return T(x) for all x."""
    (a, n_1), (b, n_2) = map(_sample_from, (document["control"], document["treatment"]))
    positives, others = a + b, n_1 + n_2 - a - b
    return {
        x: comb(positives, x) * comb(others, n_2 - x)
        for x in range(max(0, n_2 - others), min(positives, n_2) + 1)
    }


def _has_tie(given: Document, _: Any) -> bool:
    ways, observed = _tables(given), _sample_from(given["treatment"])[0]
    return list(ways.values()).count(ways[observed]) > 1


def _fisher_case(draws: Draws, index: int) -> Case:
    """Return two samples that grow with the index, in turn alike in size."""
    control = _drawn_sample(draws, index)
    treatment = _drawn_sample(draws, index, size=control[1] if index % 2 else None)
    return Case({"control": control, "treatment": treatment}, f"{control[1]} outputs against {treatment[1]}")


_COUNTS = ("control_only", "treatment_only")
_MCNEMAR_LARGE = 500


def _mcnemar(document: Document) -> dict[str, Any]:
    counts = [document[name] for name in _COUNTS]
    return {
        tail.name.lower(): {
            one.name.lower(): mcnemar_test(*counts, alternative=one, tail=tail) for one in Alternative
        }
        for tail in McNemarTail
    }


def _mcnemar_steps(document: Document) -> Iterator[str]:
    less, more = _counts(document)
    yield f"c = {less}, t = {more}, n = {less + more}: 2ⁿ = {2 ** (less + more)} equally likely outcomes"
    for form, values in _mcnemar(document).items():
        yield f"{form}: " + ", ".join(f"{name} = {value}" for name, value in values.items())


def _mcnemar_case(draws: Draws, index: int) -> Case:
    """Return two counts that grow with the index; now and then equal, or one of them 0."""
    one, other = draws.below(2 + index // 3), draws.below(2 + index // 3)
    match index % 10:
        case 8:
            one = other = 1 + one
        case 9:
            one, other = 0, 1 + other
    return Case(dict(zip(_COUNTS, (one, other), strict=True)), f"{one + other} pairs differ")


def _counts(given: Document) -> tuple[int, int]:
    less, more = (whole_number(given[name]) for name in _COUNTS)
    return less, more


_PLACES = 9

_SHARES_LARGE = 100
_TINY = mpq(1, 10**6)


def _shares(document: Document) -> dict[str, Any]:
    pair = tuple(_sample_from(document[name]) for name in ("control", "treatment"))
    level = document["level"]
    shares = {
        method.name.lower(): [_ends(share_interval(*one, method=method, level=level)) for one in pair]
        for method in ShareMethod
    }
    return {
        **shares,
        "difference_wald": _ends(difference_interval(*pair, method=DifferenceMethod.WALD, level=level)),
        "newcombe": _ends(difference_interval(*pair, level=level)),
        "decision": word(difference_decision(*pair, level=level)),
    }


def _shares_steps(document: Document) -> Iterator[str]:
    for name in ("control", "treatment"):
        positives, size = _sample_from(document[name])
        yield f"{name}: p = {positives}/{size}"
    for name, value in _shares(document).items():
        yield f"{name}: {value}" if isinstance(value, str) else f"{name}: {write_json(value).strip()}"


def _shares_case(draws: Draws, index: int) -> Case:
    """Return two samples that grow with the index, at one of four levels."""
    samples = {name: _drawn_sample(draws, index) for name in ("control", "treatment")}
    level = draws.pick(("0.95", "0.9", "0.99", "2/3"))
    return Case({**samples, "level": level}, f"{samples['control'][1]} outputs and {samples['treatment'][1]}")


def _ends(interval: ShareInterval) -> list[mpq]:
    return [rational(end) for end in interval.decimals(_PLACES)]


def _disagree(_: Document, found: Any) -> bool:
    lower, upper = map(rational, found["difference_wald"])
    decision: str = found["decision"]
    return decision != ("higher" if lower > 0 else "lower" if upper < 0 else "not-shown")


def _coverage(document: Document) -> dict[str, Any]:
    n, p, level = (document[name] for name in ("n", "p", "level"))
    return {
        method.name.lower(): {
            "held": holding(method, n, p, level=level),
            "coverage": coverage(method, n, p, level=level),
        }
        for method in ShareMethod
    }


def _coverage_steps(document: Document) -> Iterator[str]:
    for positives, share in enumerate(_probabilities(document)):
        yield f"P(X = {positives}) = {share}"
    for name, found in _coverage(document).items():
        yield f"{name} holds p at k = {', '.join(map(str, found['held']))}: {found['coverage']}"


def _coverage_case(draws: Draws, index: int) -> Case:
    """Return numbers of outputs that grow with the index, and a share over a growing denominator."""
    n, p = 1 + index // 6 + draws.below(4), draws.share(3 + index // 4)
    level = draws.pick(("0.95", "0.9", "0.99", "2/3"))
    return Case({"n": n, "p": str(p), "level": level}, f"{n} outputs, p = {p}")


def _probabilities(given: Document) -> list[mpq]:
    return binomial_probabilities(int(rational(given["n"])), rational(given["p"]))


def _coverage_has_tie(given: Document, _: Any) -> bool:
    tail, masses = (1 - rational(given["level"])) / 2, _probabilities(given)
    return any(tail in (sum(masses[: k + 1]), sum(masses[k:])) for k in range(len(masses)))


def _decision(document: Document) -> dict[str, Any]:
    interval = _interval(document)
    return {"decision": word(interval.decision()), "lower": interval.lower, "upper": interval.upper}


def _decision_steps(document: Document) -> Iterator[str]:
    interval, z = _interval(document), rational(document["z"])
    square, reach = interval.centre**2, z**2 * interval.variance
    sign = ("=", ">", "<")[interval.critical.compare_square(square, interval.variance)]
    yield f"f² = {square} {sign} z²V = {reach}, ends {interval.ends.value}"
    yield f"from {interval.lower} to {interval.upper}"
    yield f"decision: {_decision(document)['decision']}"


def _decision_case(draws: Draws, index: int) -> Case:
    """Return numbers of growing size, a third of them with an end at 0 or near it."""
    ends, size = draws.pick(("open", "closed")), 3 + index
    z = mpq(draws.pick(("49/25", "2", "1", "5/3", "2.5758")))
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
        RationalCritical(document["z"]) if "z" in document else NormalCritical(document["level"]),
        chosen(document["ends"], Ends),
    )


def _ends_at_zero(document: Document, _: Any) -> bool:
    interval = _interval(document)
    return interval.critical.compare_square(interval.centre**2, interval.variance) == 0


_NORMAL_PLACES = 15
_BITS = 128


def _normal(document: Document) -> dict[str, Any]:
    interval = _interval(document)
    return {
        "z": rational(interval.critical.enclose(_BITS).decimal(_NORMAL_PLACES)),
        "decision": word(interval.decision()),
    }


def _normal_steps(document: Document) -> Iterator[str]:
    interval = _interval(document)
    z = interval.critical.enclose(_BITS)
    yield f"Φ(z) = (1 + {rational(document['level'])})/2 at z = {z.decimal(_NORMAL_PLACES)}…"
    reach = z * z * interval.variance
    yield f"f² = {interval.centre**2}, z²V = {reach.decimal(_NORMAL_PLACES)}…"
    yield f"decision: {_normal(document)['decision']}"


def _normal_case(draws: Draws, index: int) -> Case:
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


FAMILIES = (
    Family(
        *declared("fisher-test", _fisher, _fisher_steps, _fisher_case),
        flags={
            "tie": _has_tie,
            "shown": lambda _, found: found["decision"] != "not-shown",
            "extreme": lambda _, found: "1" in (found["higher"], found["lower"]),
            "empty": _is_nothing,
            "large": _is_large,
        },
        witnesses={
            "scipy": lambda given, found: (
                "error" not in found and not _is_large(given, found) and not _is_nothing(given, found)
            )
        },
    ),
    Family(
        *declared("mcnemar-test", _mcnemar, _mcnemar_steps, _mcnemar_case),
        flags={
            "equal": lambda given, _: len(set(_counts(given))) == 1,
            "one-sided": lambda given, _: min(_counts(given)) == 0 < max(_counts(given)),
            "none": lambda given, _: max(_counts(given)) == 0,
            "large": lambda given, _: max(_counts(given)) > _MCNEMAR_LARGE,
        },
        witnesses={"scipy": lambda given, found: "error" not in found and sum(_counts(given)) <= 40},
    ),
    Family(
        *declared("share-intervals", _shares, _shares_steps, _shares_case),
        flags={
            "none-or-all": lambda given, _: any(
                _sample_from(given[name])[0] in (0, _sample_from(given[name])[1])
                for name in ("control", "treatment")
            ),
            "leaves-the-range": lambda _, found: any(
                rational(lower) < 0 or rational(upper) > 1 for lower, upper in found["wald"]
            ),
            "shown": lambda _, found: found["decision"] != "not-shown",
            "disagree": _disagree,
            "high-level": lambda given, _: 1 - rational(given["level"]) < _TINY,
            "large": lambda given, _: any(
                _sample_from(given[name])[1] >= _SHARES_LARGE for name in ("control", "treatment")
            ),
        },
    ),
    Family(
        *declared("share-coverage", _coverage, _coverage_steps, _coverage_case),
        flags={
            "below-the-level": lambda given, found: any(
                rational(found[name]["coverage"]) < rational(given["level"]) for name in ("wald", "wilson")
            ),
            "certain": lambda given, _: rational(given["p"]) in (0, 1),
            "tie": _coverage_has_tie,
            "large": lambda given, _: len(str(given["p"])) > 12,
        },
    ),
    Family(
        *declared("interval-decision", _decision, _decision_steps, _decision_case),
        flags={
            "end-at-zero": _ends_at_zero,
            "no-variance": lambda given, _: rational(given["variance"]) == 0,
        },
    ),
    Family(
        *declared("normal-decision", _normal, _normal_steps, _normal_case),
        flags={"no-variance": lambda given, _: rational(given["variance"]) == 0},
        witnesses={"mpmath": lambda *_: True},
    ),
)
