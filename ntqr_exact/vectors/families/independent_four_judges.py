"""The family `independent-four-judges`: four judges between two labels, if their errors were independent."""

from __future__ import annotations

from ntqr_exact.vectors.forms.independent import independent_family

_ALARMS = (
    "complex-roots",
    "contradiction",
    "irrational-roots",
    "not-commuting",
    "not-diagonalisable",
    "not-reproduced",
    "not-whole",
    "out-of-range",
    "singular",
    "unidentified",
)

FAMILY = independent_family("independent-four-judges", _ALARMS, labels="ab", judges=4, any_from=6)
