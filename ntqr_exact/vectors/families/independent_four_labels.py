"""The family `independent-four-labels`: three judges between four labels, if their errors were independent."""

from __future__ import annotations

from ntqr_exact.vectors.forms.independent import independent_family

_ALARMS = (
    "complex-roots",
    "irrational-roots",
    "not-commuting",
    "not-diagonalisable",
    "not-whole",
    "out-of-range",
)

FAMILY = independent_family("independent-four-labels", _ALARMS, labels="abcd", judges=3, any_from=None)
