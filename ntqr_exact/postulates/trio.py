"""`trio()`: three judges between two labels, eq. 38 and the eight postulates that the paper announces."""

from __future__ import annotations

from collections.abc import Sequence

from ntqr_exact.postulates.complete import complete
from ntqr_exact.postulates.construction import two_labels
from ntqr_exact.postulates.postulate import PostulateSet


def trio(labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return the complete postulates of three judges, with all six pair and both trio correlations.

    >>> correlations = [n for n in trio()["f(a,b,b)"].polynomial.variables() if n.startswith("correlation")]
    >>> len(correlations), trio()["f(a,b,b)"].polynomial.degree
    (8, 4)
    """
    return complete(3, two_labels(labels))
