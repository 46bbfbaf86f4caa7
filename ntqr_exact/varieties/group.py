"""Group evaluations as splits: for each pattern, how its questions are divided over the true labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern

Split: TypeAlias = tuple[int, ...]
"""How many questions of one pattern have each true label."""


def from_splits(
    labels: tuple[str, ...], judges: tuple[str, ...], patterns: Iterable[Pattern], splits: Sequence[Split]
) -> LabeledVoteCounts:
    """Return the group evaluation in which each pattern is split as given.

    >>> from_splits(("a", "b"), ("J1",), [("a",), ("b",)], [(2, 1), (0, 3)]).key_counts
    {'a': 2, 'b': 4}
    """
    seen = list(patterns)
    return LabeledVoteCounts(
        {
            label: VoteCounts(
                {pattern: split[place] for pattern, split in zip(seen, splits, strict=True) if split[place]},
                labels,
                judges,
            )
            for place, label in enumerate(labels)
        }
    )


def individual(graded: LabeledVoteCounts) -> CountEvaluation:
    """Return the individual evaluations of the judges in a group evaluation: their confusions alone.

    >>> individual(LabeledVoteCounts({"a": VoteCounts({"ab": 2}), "b": VoteCounts({"bb": 1})}))
    CountEvaluation.from_correct({'a': 2, 'b': 1}, [{'a': 2, 'b': 1}, {'a': 0, 'b': 1}])
    """
    return CountEvaluation(
        graded.key_counts, [graded.confusion(place) for place in range(len(graded.judges))]
    )
