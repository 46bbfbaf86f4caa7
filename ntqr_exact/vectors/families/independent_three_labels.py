"""The family `independent-three-labels`: three judges between three labels, if their errors were independent."""

from __future__ import annotations

from ntqr_exact.vectors.forms.independent import independent_family

_ALARMS = (
    "complex-roots",
    "contradiction",
    "irrational-roots",
    "no-key-in-family",
    "not-commuting",
    "not-diagonalisable",
    "not-whole",
    "out-of-range",
    "singular",
    "unidentified",
    "zero-prevalence",
)

FAMILY = independent_family("independent-three-labels", _ALARMS, labels="abc", judges=3, any_from=12)
