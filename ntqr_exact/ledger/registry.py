"""The registry of claims: which modules hold them, and each claim by its id."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ntqr_exact.citation import SOURCES
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.ledger.claim import Claim

MODULES: dict[str, tuple[str, ...]] = {
    "ntqr": (
        "single_judge",
        "agreement",
        "pair_postulates",
        "trio",
        "test_tables",
        "synthetic_tables",
        "figures",
        "sentences",
    ),
    "faithful": ("equations", "public_table", "production_table", "sentences"),
    "bias_adjusted": ("formulas", "curve_and_bootstrap"),
    "ores": ("worked_numbers", "formulas", "sentences"),
    "orderings": ("definitions", "theorems", "result_tables", "win_table", "sentences"),
}
"""Each source and its modules in `ntqr_exact.ledger`, in the order of the text; each has a tuple `CLAIMS`."""


class UnknownClaim(NtqrExactError, ValueError):
    """An id that no claim has."""


@cache
def claims() -> Mapping[str, Claim]:
    """Return all claims by id, source after source, in the order of the text.

    >>> claims()["ntqr/eq-1"].kind.value
    'identity'
    """
    found: dict[str, Claim] = {}
    for source, modules in MODULES.items():
        for module in modules:
            held: tuple[Claim, ...] = importlib.import_module(f"ntqr_exact.ledger.{source}.{module}").CLAIMS
            for claim in held:
                if claim.id in found or claim.source != source:
                    raise BadDocument(claim.id, "an id is used once, in a module of its source")
                found[claim.id] = claim
    return MappingProxyType(found)


def claim(identity: str) -> Claim:
    """Return a claim by its id; raise `UnknownClaim` with the nearest ids if there is none."""
    known = claims()
    if identity not in known:
        raise UnknownClaim(identity, "no claim has this id", _nearest(identity))
    return known[identity]


def _nearest(identity: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(identity, list(claims()), n=4, cutoff=0.5)
    hint = f"perhaps {', '.join(near)}; " if near else ""
    return f"{hint}sources are {', '.join(SOURCES)}, and `ntqr-exact ledger --list` lists all ids"
