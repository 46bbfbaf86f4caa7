"""The moments of three judges between two labels, as an answer and step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.evaluators.independent.whole_moments import PAIRS, whole_moments
from ntqr_exact.vectors.forms.votes import counts_of
from ntqr_exact.votes.counts import VoteCounts


def moments_document(votes: VoteCounts) -> dict[str, Any]:
    """Return the frequencies of patterns and the moments of giving the second label."""
    _, second = votes.labels
    moments, sixth = whole_moments(votes), mpq(votes.size) ** 6
    return {
        "frequencies": [votes.frequency(pattern) for pattern in votes.patterns()],
        "rates": [votes.response_rate(judge, second) for judge in range(3)],
        "pair_moments": [votes.pair_moment(i, j) for i, j in PAIRS],
        "trio_moment": votes.trio_moment(0, 1, 2),
        "pair_product": moments.pair_product / sixth,
        "discriminant": moments.discriminant / sixth,
    }


def moment_steps(votes: VoteCounts) -> Iterator[str]:
    """Tell how each moment comes about."""
    found, size = moments_document(votes), votes.size
    yield f"Q = {' + '.join(map(str, counts_of(votes)))} = {size}"
    for pattern, share in zip(votes.patterns(), found["frequencies"], strict=True):
        yield f"f_{''.join(pattern)} = {votes.counts[pattern]}/{size} = {share}"
    f1, f2, f3 = found["rates"]
    yield f"f_b1 = f_baa + f_bab + f_bba + f_bbb = {f1}; f_b2 = {f2}; f_b3 = {f3}"
    joint = [votes.marginal(i, j).frequency(votes.labels[1] * 2) for i, j in PAIRS]
    for (i, j), both, value in zip(PAIRS, joint, found["pair_moments"], strict=True):
        left, right = found["rates"][i], found["rates"][j]
        yield f"Δ_{i + 1}{j + 1} = {both} − ({left})·({right}) = {value}"
    d12, d13, d23 = found["pair_moments"]
    yield (
        f"T = f_bbb − (f_b1·f_b2·f_b3 + f_b1·Δ_23 + f_b2·Δ_13 + f_b3·Δ_12) = {found['frequencies'][7]} − "
        f"({f1}·{f2}·{f3} + {f1}·({d23}) + {f2}·({d13}) + {f3}·({d12})) = {found['trio_moment']}"
    )
    yield f"Π = Δ_12·Δ_13·Δ_23 = ({d12})·({d13})·({d23}) = {found['pair_product']}"
    yield f"A = T² + 4Π = {found['discriminant']}"
