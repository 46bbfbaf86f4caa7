"""Pinned verdicts: what each claim's verdict was when somebody last reviewed it.

They decide nothing. A verdict that differs from its pin is reported, so that no change goes unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from ntqr_exact.exact.json_text import read_json, write_json
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.ledger.finding import Verdict

_PINS_FILE = "verdicts.json"


@cache
def pinned_verdicts() -> Mapping[str, Verdict]:
    """Return the pinned verdict of each claim that has one."""
    path = files("ntqr_exact.data.ledger").joinpath(_PINS_FILE)
    document = read_json(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return FrozenMapping({name: Verdict(value) for name, value in document.items()})


def pins_text(verdicts: Mapping[str, Verdict]) -> str:
    """Return the file of pins for verdicts that were looked through."""
    return write_json({name: verdict.value for name, verdict in verdicts.items()})
