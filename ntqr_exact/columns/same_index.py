"""Columns of pandas carry an index: two columns belong together row by row only if their indices are the same."""

from __future__ import annotations

from typing import Any

from ntqr_exact.errors import BadSamples


def refuse_other_index(*columns: Any) -> None:
    """Raise `BadSamples` if two of the columns have indices that differ; what has no index is taken in its order.

    >>> refuse_other_index([1, 0], [0, 1])
    """
    indices = [column.index for column in columns if hasattr(getattr(column, "index", None), "equals")]
    for other in indices[1:]:
        if not indices[0].equals(other):
            raise BadSamples(
                (list(indices[0][:3]), list(other[:3])),
                "the columns have different indices, so that their rows are not the same samples",
                "align them, or give .to_numpy() if the order is right",
            )
