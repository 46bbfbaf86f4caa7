"""Maaz et al. 2023, section 2.5: counterexamples on three labels and more, theorem 2 and its remark."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.confidence.inversions import Inversion, InversionSearch, smallest_inversion
from ntqr_exact.confidence.ordering import OrderRelation, compare_orders
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES, SIX, compare_scores
from ntqr_exact.confidence.simplex import (
    identity_holds_for_all_labels,
)
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, decided, equal
from ntqr_exact.ledger.orderings.lemmas import differing_estimates

TWINS = ("l2", "l2-uniform")
PAIRS = [pair for pair in combinations(SIX, 2) if pair != TWINS]
LARGEST = 16
"""The largest denominator that the searches need on three labels."""


def number_groups(printed: str, sizes: tuple[int, ...]) -> list[list[mpq]]:
    """Return groups of numbers, parted by semicolons, of given sizes."""
    parts = [[rational(word) for word in re.findall(r"[\d.]+", part)] for part in printed.split(";")]
    if tuple(map(len, parts)) != sizes:
        raise BadDocument(printed, f"groups of {sizes} numbers, parted by ;")
    return parts


def _counterexample(printed: str) -> Finding:
    """Recompute both norms of both vectors, and compare."""
    first, second, squares, tops = number_groups(printed, (3, 3, 2, 2))
    p, q = ProbabilityVector.of(first), ProbabilityVector.of(second)
    parts = {}
    for name, vector, square, top in (("p", p, squares[0], tops[0]), ("q", q, squares[1], tops[1])):
        parts[f"l2 {name}"] = equal(square, rational_key("l2", vector), f"squared L2 norm of {name}")
        parts[f"max {name}"] = equal(top, rational_key("max", vector), f"maximum of {name}")
    parts["order"] = decided(
        compare_scores("l2", p, q) < 0 and compare_scores("max", p, q) == 0,
        "L2 puts p below q, and the maximum ties them",
        f"a strict inversion of smallest denominator: {_pair_text('max', 'l2')}",
    )
    return all_of(parts)


def rational_key(score: str, vector: ProbabilityVector) -> mpq:
    """Return the key of a score that is a rational number."""
    key = SCORES[score].key(vector)
    return key if isinstance(key, type(mpq(0))) else mpq(0)


@cache
def _search(left: str, right: str, labels: int) -> InversionSearch:
    return smallest_inversion(left, right, labels=labels, max_denominator=LARGEST)


def _inversion(left: str, right: str, labels: int = 3) -> Inversion | None:
    found = _search(left, right, labels)
    return found.inversions[0] if found.found else None


def _pair_text(left: str, right: str, labels: int = 3) -> str:
    inversion = _inversion(left, right, labels)
    if inversion is None:
        return "none"
    n = _search(left, right, labels).denominator
    one, other = inversion.over(n)
    return f"{one}/{n} and {other}/{n}"


def _pair(left: str, right: str, _: str) -> Finding:
    """Find the inversion of smallest denominator on three labels, by going through all smaller ones."""
    search = _search(left, right, 3)
    return decided(
        search.found and search.holds(),
        f"{_pair_text(left, right)}: {left} puts the first higher, {right} the second",
        f"no pair of vectors of a smaller common denominator is inverted ({sum(n for _, n in search.examined)} seen)",
    )


def _padded(inversion: Inversion, labels: int) -> bool:
    """Tell whether an inversion stays one when zeros are added to both vectors."""
    longer = [
        ProbabilityVector([*vector.numerators, *[0] * (labels - vector.labels)], vector.denominator)
        for vector in (inversion.higher_left, inversion.higher_right)
    ]
    return compare_scores(inversion.left, *longer) == 1 and compare_scores(inversion.right, *longer) == -1


def _subspace(_: str) -> Finding:
    """Add a zero to the counterexamples on three labels: the uniform vector moves, so distances to it change."""
    kept: list[str] = []
    lost: list[str] = []
    for left, right in PAIRS:
        inversion = _inversion(left, right)
        if inversion is not None:
            (kept if _padded(inversion, 4) else lost).append(f"{left}/{right}")
    p, q = (ProbabilityVector((5, 2, 3, 0), 10), ProbabilityVector((5, 5, 0, 0), 10))
    norms = compare_orders("l2", "max", [p, q]).relation is OrderRelation.TIES_DIFFER
    anew = all(_search(left, right, 4).found for left, right in PAIRS)
    return by_reading(
        {
            "for the norms L2 and L∞ of the counterexample": decided(
                norms,
                "(0.5, 0.2, 0.3, 0) and (0.5, 0.5, 0, 0): zeros change neither norm, so theorem 1 fails",
            ),
            "for the other scores, distances to uniform among them": decided(
                not lost,
                f"with a zero added, the smallest inversions are none any more for {', '.join(lost)}",
                f"on four labels {'all' if anew else 'not all'} {len(PAIRS)} pairs have inversions of their own",
                right="distances to uniform change with k; each k needs its own counterexample"
                if anew
                else "",
            ),
        }
    )


def _only_pair(_: str) -> Finding:
    inverted = [pair for pair in PAIRS if all(_search(*pair, k).found for k in (3, 4))]
    twins = any(_search(*TWINS, k).found for k in (3, 4))
    return decided(
        len(inverted) == len(PAIRS) and not twins and identity_holds_for_all_labels(),
        f"all {len(inverted)} other pairs of the six have strict inversions on 3 and on 4 labels",
        "L2 norm and L2 distance to uniform: ‖p − 1/k‖² = ‖p‖² − 1/k for every k",
    )


def _no_guarantee(_: str) -> Finding:
    text, found = differing_estimates()
    return decided(len(set(found.values())) == len(found), text)


def _claim(
    key: str, where: tuple[str, Kind], statement: str, check: Callable[[str], Finding], printed: str = ""
) -> Claim:
    return Claim(f"orderings/{key}", *where, statement, check, printed)


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "sec-2-5/counterexample",
        ("section 2.5", Kind.NUMBER),
        r"$p=(0.5,0.2,0.3)$ and $q=(0.5,0.5,0)$ have $\|p\|_2^2=0.38$, $\|q\|_2^2=0.5$ and both maximum 0.5.",
        _counterexample,
        "0.5 0.2 0.3; 0.5 0.5 0; 0.38 0.5; 0.5 0.5",
    ),
    *(
        _claim(
            f"sec-2-5/others/{left}-and-{right}",
            ("section 2.5", Kind.SENTENCE),
            f"There are vectors of three labels that {left} and {right} order differently.",
            partial(_pair, left, right),
        )
        for left, right in PAIRS
    ),
    _claim(
        "sec-2-5/subspace",
        ("section 2.5", Kind.SENTENCE),
        r"As $\mathbb R^3$ is a subspace, theorem 1 fails for all larger dimensions too.",
        _subspace,
    ),
    _claim(
        "sec-2-5/only-pair",
        ("section 2.5", Kind.SENTENCE),
        "On three labels and more one pair of the six scores orders alike: L2 norm and L2 to uniform.",
        _only_pair,
    ),
    _claim(
        "sec-2-5/no-guarantee",
        ("section 2.5, end", Kind.SENTENCE),
        "With more labels, scores that order differently need not have the same estimate.",
        _no_guarantee,
    ),
)
