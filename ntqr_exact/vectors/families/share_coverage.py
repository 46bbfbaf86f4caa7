"""The family `share-coverage`: for which numbers of positives an interval holds the truth, and how likely that is."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

from gmpy2 import mpq

from ntqr_exact.exact.rational import rational
from ntqr_exact.significance.share_intervals import ShareMethod, coverage, holding
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.fragments import COUNT, NUMBER_INPUT, RATIONAL, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return for each method what is held, and the coverage."""
    n, p, level = (document[name] for name in ("n", "p", "level"))
    return {
        method.name.lower(): {
            "held": holding(method, n, p, level=level),
            "coverage": coverage(method, n, p, level=level),
        }
        for method in ShareMethod
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the probability of each number of positives, and what each method holds."""
    for positives, share in enumerate(_probabilities(document)):
        yield f"P(X = {positives}) = {share}"
    for name, found in compute(document).items():
        yield f"{name} holds p at k = {', '.join(map(str, found['held']))}: {found['coverage']}"


def random_case(draws: Draws, index: int) -> Case:
    """Return numbers of outputs that grow with the index, and a share over a growing denominator."""
    n, p = 1 + index // 6 + draws.below(4), draws.share(3 + index // 4)
    level = draws.pick(("0.95", "0.9", "0.99", "2/3"))
    return Case({"n": n, "p": str(p), "level": level}, f"{n} outputs, p = {p}")


def _probabilities(given: Document) -> list[mpq]:
    n, p = int(rational(given["n"])), rational(given["p"])
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def _has_tie(given: Document, _: Any) -> bool:
    tail, masses = (1 - rational(given["level"])) / 2, _probabilities(given)
    return any(tail in (sum(masses[: k + 1]), sum(masses[k:])) for k in range(len(masses)))


FAMILY = Family(
    *declared("share-coverage"),
    input=record(n=NUMBER_INPUT, p=NUMBER_INPUT, level=NUMBER_INPUT),
    expected=record(
        {method.name.lower(): record(held=list_of(COUNT), coverage=RATIONAL) for method in ShareMethod}
    ),
    flags={
        "below-the-level": lambda given, found: any(
            rational(found[name]["coverage"]) < rational(given["level"]) for name in ("wald", "wilson")
        ),
        "certain": lambda given, _: rational(given["p"]) in (0, 1),
        "tie": _has_tie,
        "large": lambda given, _: len(str(given["p"])) > 12,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
)
