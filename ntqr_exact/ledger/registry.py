"""The registry of claims: which modules hold them, and each claim by its id."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from ntqr_exact.citation import SOURCES
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.ledger.claim import Claim
from ntqr_exact.ledger.source_file import source_file

MODULES: dict[str, tuple[str, ...]] = {
    "ntqr": (
        "opening",
        "possible_evaluations",
        "single_judge",
        "agreement",
        "joint_errors",
        "pair_postulates",
        "pair_sentences",
        "trio",
        "independent_evaluator",
        "generating_set",
        "graded_tables",
        "synthetic_tables",
        "figures",
        "sentences",
    ),
    "orderings": (
        "definitions",
        "lemmas",
        "score_list",
        "binary_theorem",
        "many_labels",
        "norm_theorem",
        "experiment",
        "result_tables",
        "win_table",
        "sentences",
        "significance",
        "conclusions",
    ),
}
"""Each source and its modules in `ntqr_exact.ledger`, in the order of the text; each has a tuple `CLAIMS`."""


class UnknownClaim(NtqrExactError, ValueError):
    """An id that no claim has."""


@cache
def claims_of(source: str) -> Mapping[str, Claim]:
    """Return the claims of one source by id, in the order of the text; no other source is loaded."""
    found = dict(source_file(source).claims)
    for module in MODULES.get(source, ()):
        held: tuple[Claim, ...] = importlib.import_module(f"ntqr_exact.ledger.{source}.{module}").CLAIMS
        for each in held:
            if each.id in found or each.source != source:
                raise BadDocument(each.id, "an id is used once, in a module of its source")
            found[each.id] = each
    return MappingProxyType(found)


@cache
def claims() -> Mapping[str, Claim]:
    """Return all claims by id, source after source, in the order of the text.

    >>> claims()["ntqr/eq-1"].kind.value
    'identity'
    """
    return MappingProxyType({name: each for source in SOURCES for name, each in claims_of(source).items()})


def printed(identity: str) -> Any:
    """Return what the source prints at another claim, for a check that compares places."""
    return claim(identity).printed


def claim(identity: str) -> Claim:
    """Return a claim by its id; raise `UnknownClaim` with the nearest ids if there is none."""
    source = identity.partition("/")[0]
    known = claims_of(source) if source in SOURCES else {}
    if identity not in known:
        raise UnknownClaim(identity, "no claim has this id", _nearest(identity))
    return known[identity]


def _nearest(identity: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(identity, list(claims()), n=4)
    hint = f"perhaps {', '.join(near)}; " if near else ""
    return f"{hint}sources are {', '.join(SOURCES)}, and `ntqr-exact ledger --list` lists all ids"
