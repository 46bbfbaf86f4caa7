"""`Entry`: a claim with its finding, and the ledger as many of them."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.json_text import read_json, write_json
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.ledger.claim import Claim
from ntqr_exact.ledger.judgement import Finding, Verdict
from ntqr_exact.ledger.registry import claim, claims
from ntqr_exact.sweep import sweep


@cache
def pinned_verdicts() -> Mapping[str, Verdict]:
    """Return what each claim's verdict was when somebody last reviewed it, so that no change goes unseen."""
    path = files("ntqr_exact.data.ledger").joinpath("verdicts.json")
    document = read_json(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return FrozenMapping({name: Verdict(value) for name, value in document.items()})


def pins_text(verdicts: Mapping[str, Verdict]) -> str:
    """Return the file of pins for verdicts that were looked through."""
    return write_json({name: verdict.value for name, verdict in verdicts.items()})


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger."""

    claim: Claim
    finding: Finding

    @property
    def verdict(self) -> Verdict:
        """The verdict, as it was computed."""
        return self.finding.verdict

    @property
    def pinned(self) -> Verdict | None:
        """The verdict that the ledger had when it was last looked through, or `None` for a new claim."""
        return pinned_verdicts().get(self.claim.id)

    @property
    def differs(self) -> bool:
        """Whether the verdict is another one than that pinned."""
        return self.pinned is not self.verdict

    def to_document(self) -> dict[str, Any]:
        """Return the entry as a JSON document."""
        claim_, finding = self.claim, self.finding
        document: dict[str, Any] = {
            "id": claim_.id,
            "place": claim_.place,
            "kind": claim_.kind.value,
            "statement": claim_.statement,
            "printed": claim_.printed,
            "verdict": finding.verdict.value,
            "evidence": list(finding.evidence),
        }
        optional = {
            "right": finding.right,
            "arose": finding.arose,
            "garbled": claim_.garbled,
            "by_hand": claim_.by_hand,
            "theorem": claim_.theorem,
            "readings": [
                {"name": each.name, "verdict": each.verdict.value, "evidence": list(each.evidence)}
                for each in finding.readings
            ],
        }
        document |= {key: value for key, value in optional.items() if value}
        if finding.proof is not None:
            document["proof"] = dict(finding.proof)
        return document


def find(identity: str) -> Finding:
    """Check the claim with this id; the part of the work that is sent to other processes."""
    return claim(identity).find()


def ledger(
    identities: Sequence[str] | None = None, *, executor: Executor | Callable[[], Executor] | None = None
) -> Iterator[Entry]:
    """Yield the entries of the claims named, or of all, in order, as their checks finish.

    >>> next(ledger(["ntqr/eq-1"])).verdict
    <Verdict.HOLDS: 'holds'>
    """
    names = list(claims()) if identities is None else list(identities)
    chosen = [claim(name) for name in names]
    for each, finding in zip(chosen, sweep(find, names, executor=executor, chunk=4), strict=True):
        yield Entry(each, finding)


def matching(*, sources: Sequence[str] = (), patterns: Sequence[str] = ()) -> list[str]:
    """Return the ids of given sources that fit one of the patterns (`ntqr/table-*`), in the order of the ledger.

    Raises `BadDocument` for a pattern that fits no claim at all.
    """
    for pattern in patterns:
        if not fnmatch.filter(claims(), pattern):
            raise BadDocument(pattern, "no claim has an id of this form", "as in 'ntqr/table-2/*'")
    return [
        name
        for name, each in claims().items()
        if (not sources or each.source in sources)
        and (not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns))
    ]


def summary(entries: Sequence[Entry]) -> Mapping[str, Mapping[Verdict, int]]:
    """Return how many claims of each source have each verdict."""
    counts: dict[str, dict[Verdict, int]] = {}
    for entry in entries:
        row = counts.setdefault(entry.claim.source, dict.fromkeys(Verdict, 0))
        row[entry.verdict] += 1
    return counts
