"""Ranges at several budgets: a key within a budget is within every larger one, so that ranges lie in each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ntqr_exact.dependence.ranges import EvaluationWithin, RangeEnd


def nested(found: Sequence[EvaluationWithin]) -> tuple[EvaluationWithin, ...]:
    """Return ranges of the same votes, none wider than that at a larger budget, in the order given.

    An end that proves less than that of a larger budget is replaced by it, with its proof: it excludes more keys than
    it has to. Only ranges with the same orders and the same judges no worse than chance are compared.

    >>> nested(())
    ()
    """
    return tuple(replace(one, ends=tuple(_narrowest(end, one, found) for end in one.ends)) for one in found)


def _narrowest(end: RangeEnd, within: EvaluationWithin, found: Sequence[EvaluationWithin]) -> RangeEnd:
    best = end
    for other in found:
        comparable = (other.votes, other.orders, other.better) == (within.votes, within.orders, within.better)
        if not comparable or other.correlation <= within.correlation:
            continue
        for wider in other.ends:
            is_same = wider.goal == end.goal and wider.is_upper == end.is_upper
            if is_same and (wider.proven < best.proven if end.is_upper else wider.proven > best.proven):
                best = replace(end, proof=wider.proof, proven=wider.proven, certificate=wider.certificate)
    return best
