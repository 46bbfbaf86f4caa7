"""The family `share-intervals`: intervals of Wald, Wilson, Clopper and Pearson, and Newcombe, to nine places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.rational import rational
from ntqr_exact.significance.share_intervals import (
    DifferenceMethod,
    ShareInterval,
    ShareMethod,
    difference_decision,
    difference_interval,
    share_interval,
)
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.decisions import DECISION, decision_word
from ntqr_exact.vectors.forms.shares import SAMPLE, drawn_sample, sample_from
from ntqr_exact.vectors.fragments import NUMBER_INPUT, RATIONAL, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_PLACES = 9

_LARGE = 100
_TINY = mpq(1, 10**6)


def compute(document: Document) -> dict[str, Any]:
    """Return all intervals, and what that of Newcombe decides."""
    pair = tuple(sample_from(document[name]) for name in ("control", "treatment"))
    level = document["level"]
    shares = {
        method.name.lower(): [_ends(share_interval(*one, method=method, level=level)) for one in pair]
        for method in ShareMethod
    }
    return {
        **shares,
        "difference_wald": _ends(difference_interval(*pair, method=DifferenceMethod.WALD, level=level)),
        "newcombe": _ends(difference_interval(*pair, level=level)),
        "decision": decision_word(difference_decision(*pair, level=level)),
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the shares, and all intervals."""
    for name in ("control", "treatment"):
        positives, size = sample_from(document[name])
        yield f"{name}: p = {positives}/{size}"
    for name, value in compute(document).items():
        yield f"{name}: {value}" if isinstance(value, str) else f"{name}: {write_json(value).strip()}"


def random_case(draws: Draws, index: int) -> Case:
    """Return two samples that grow with the index, at one of four levels."""
    samples = {name: drawn_sample(draws, index) for name in ("control", "treatment")}
    level = draws.pick(("0.95", "0.9", "0.99", "2/3"))
    return Case({**samples, "level": level}, f"{samples['control'][1]} outputs and {samples['treatment'][1]}")


def _ends(interval: ShareInterval) -> list[mpq]:
    return [rational(end) for end in interval.decimals(_PLACES)]


def _disagree(_: Document, found: Any) -> bool:
    lower, upper = map(rational, found["difference_wald"])
    decision: str = found["decision"]
    return decision != ("higher" if lower > 0 else "lower" if upper < 0 else "not-shown")


_INTERVAL = list_of(RATIONAL, exactly=2)

FAMILY = Family(
    *declared("share-intervals"),
    input=record(control=SAMPLE, treatment=SAMPLE, level=NUMBER_INPUT),
    expected=record(
        {method.name.lower(): list_of(_INTERVAL, exactly=2) for method in ShareMethod},
        difference_wald=_INTERVAL,
        newcombe=_INTERVAL,
        decision=DECISION,
    ),
    flags={
        "none-or-all": lambda given, _: any(
            sample_from(given[name])[0] in (0, sample_from(given[name])[1])
            for name in ("control", "treatment")
        ),
        "leaves-the-range": lambda _, found: any(
            rational(lower) < 0 or rational(upper) > 1 for lower, upper in found["wald"]
        ),
        "shown": lambda _, found: found["decision"] != "not-shown",
        "disagree": _disagree,
        "high-level": lambda given, _: 1 - rational(given["level"]) < _TINY,
        "large": lambda given, _: any(
            sample_from(given[name])[1] >= _LARGE for name in ("control", "treatment")
        ),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
)
