"""Grade classifiers, and the metrics used on them, in exact arithmetic.

Everything public can be imported from here; each name loads its module on first use, so that
`import ntqr_exact` itself costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from ntqr_exact.exact.rational import rational as rational
    from ntqr_exact.exact.rational import rational_from_float as rational_from_float
    from ntqr_exact.exact.surd import Surd as Surd

_HOMES = {
    "rational": "exact.rational",
    "rational_from_float": "exact.rational",
    "Surd": "exact.surd",
}

__all__ = ["Surd", "rational", "rational_from_float"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ntqr_exact' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"ntqr_exact.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
