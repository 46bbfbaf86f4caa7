"""The registry of claims: each by its id, read from the TOML file of its source.

    summary = \"\"\"What matters, for the authors.\"\"\"

    [[group]]                           # one fact behind several claims
    id = "copied-row"
    place = "tables 5 and 7"
    why = "The rows are those of table 3."

    [[claim]]
    id = "ntqr/eq-1"
    place = "eq. 1"
    kind = "identity"
    statement = "Every question is an $a$ or a $b$ question: $Q_a + Q_b = Q$."
    printed = "Qa + Qb = Q"
    check = "identities.identity"
    with = { derivation = "1" }         # keyword parameters of the check

    [[claim]]                           # many claims of one form, as the cells of a table
    over = ["judge", "label"]
    id = "ntqr/table-8/accuracy-<label>/<judge>"
    place = "table 8, judge <judge>"
    kind = "number"
    statement = "The accuracy of judge <judge> on <label>."
    check = "synthetic_tables.given"
    with = { digits = 3 }
    words = { label = { a = "the first label", b = "the second" } }
    printed = { 1 = { a = "18/25", b = "11/100" }, 2 = { a = "41/50", b = "19/50" } }
    but = { "2/b" = { garbled = "The cell is torn." } }

The keys of `over` are parameters of the check, too. `<label>` in a text is the key, or its word. A field may be a
table by the last key (`by_hand = { gt = "…", mv = "…" }`), and `but` changes fields of single cells.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from ntqr_exact.citation import SOURCES
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.ledger.claim import Claim, ErrataSection, Group, Kind

_FAMILY = {"over", "words", "but"}
_ALLOWED = {each.name for each in fields(Claim)} - {"parameters"} | {"with"}


@dataclass(frozen=True, slots=True)
class SourceFile:
    """What one file holds: claims by id in the order of the source, groups by id, and a summary."""

    claims: Mapping[str, Claim]
    groups: Mapping[str, Group]
    summary: str


@cache
def source_file(source: str) -> SourceFile:
    """Read the file of a source; raises `BadDocument` for what does not belong there."""
    path = files("ntqr_exact.data.ledger").joinpath(f"{source}.toml")
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    if not set(document) <= {"summary", "group", "claim"}:
        raise BadDocument(sorted(document), "a file of claims holds summary, group and claim")
    groups = {each["id"]: Group(**_placed(each)) for each in document.get("group", [])}
    claims: dict[str, Claim] = {}
    for table in document["claim"]:
        for each in _expanded(table):
            claim = _claim(each)
            if claim.id in claims or claim.source != source:
                raise BadDocument(claim.id, "an id is used once, in the file of its source")
            if claim.group and claim.group not in groups:
                raise BadDocument(claim.group, f"{claim.id} belongs to a group that the file does not have")
            claims[claim.id] = claim
    return SourceFile(FrozenMapping(claims), FrozenMapping(groups), document.get("summary", ""))


def _claim(table: Mapping[str, Any]) -> Claim:
    unknown = set(table) - _ALLOWED
    if unknown:
        raise BadDocument(sorted(unknown), f"not a field of a claim, in {table.get('id')}")
    data = {key: value for key, value in table.items() if key != "with"}
    parameters = FrozenMapping(dict(table.get("with", {})))
    return Claim(**{**_placed(data), "kind": Kind(data["kind"]), "parameters": parameters})


def _placed(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields with the section as a value."""
    return {key: ErrataSection(value) if key == "section" else value for key, value in table.items()}


def _expanded(table: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a claim as it is, or each claim of a family."""
    if "over" not in table:
        yield table
        return
    names: list[str] = table["over"]
    common = {key: value for key, value in table.items() if key not in _FAMILY}
    changes = dict(table.get("but", {}))
    for keys, printed in _leaves(table["printed"], len(names)):
        chosen = dict(zip(names, keys, strict=True))
        fields_ = {
            key: value[keys[-1]] if key not in ("with", "printed") and isinstance(value, Mapping) else value
            for key, value in common.items()
            if not (key not in ("with", "printed") and isinstance(value, Mapping) and keys[-1] not in value)
        }
        fields_ |= changes.pop("/".join(keys), {})
        words = {name: table.get("words", {}).get(name, {}).get(key, key) for name, key in chosen.items()}
        filled = {key: _filled(value, chosen if key == "id" else words) for key, value in fields_.items()}
        yield {**filled, "printed": printed, "with": {**common.get("with", {}), **chosen}}
    if changes:
        raise BadDocument(sorted(changes), f"no such cells in the claims {table['id']}")


def _leaves(value: Any, depth: int) -> Iterator[tuple[tuple[str, ...], Any]]:
    if depth == 0:
        yield (), value
        return
    for key, part in value.items():
        for keys, leaf in _leaves(part, depth - 1):
            yield (key, *keys), leaf


def _filled(value: Any, words: Mapping[str, str]) -> Any:
    if not isinstance(value, str):
        return value
    return re.sub(r"<(\w+)>", lambda match: words.get(match[1], match[0]), value)


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
