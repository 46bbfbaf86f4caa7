"""The registry of claims: each by its id, read from the files of the sources."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ntqr_exact.citation import SOURCES
from ntqr_exact.errors import NtqrExactError
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.ledger.claim import Claim
from ntqr_exact.ledger.source_file import source_file


class UnknownClaim(NtqrExactError, ValueError):
    """An id that no claim has."""


def claims_of(source: str) -> Mapping[str, Claim]:
    """Return the claims of one source by id, in the order of the text; no other source is loaded."""
    return source_file(source).claims


@cache
def claims() -> Mapping[str, Claim]:
    """Return all claims by id, source after source, in the order of the text.

    >>> claims()["ntqr/eq-1"].kind.value
    'identity'
    """
    return FrozenMapping({name: each for source in SOURCES for name, each in claims_of(source).items()})


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
