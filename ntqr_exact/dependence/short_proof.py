"""Certificates of the closed form: one inequality that a checker evaluates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ntqr_exact.dependence.closed_bounds import TetradBound
from ntqr_exact.dependence.panel import votes_part
from ntqr_exact.dependence.tree_checker import MOMENTS, checksum
from ntqr_exact.votes.counts import VoteCounts


def moments_certificate(votes: VoteCounts, closed: TetradBound, orders: Sequence[int]) -> dict[str, Any]:
    """Return the certificate of the best bound of a closed form; if there is none, or trios alone count, of zero."""
    document: dict[str, Any] = {
        "format": MOMENTS,
        "votes": votes_part(votes),
        "orders": list(orders),
        "kind": "nothing",
        "judges": [],
        "correlation": "0",
    }
    if closed.bounds and 2 in orders:
        best = closed.bounds[0]
        document |= {"kind": best.kind, "judges": list(best.judges), "correlation": str(best.value)}
        if best.matrices is not None:
            for side, rows in zip(("left", "right"), best.matrices, strict=True):
                document[side] = [[str(entry) for entry in row] for row in rows]
    return {**document, "checksum": checksum(document)}
