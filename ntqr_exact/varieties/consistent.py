"""`ConsistentSet`: all evaluations that the votes allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import overload

from ntqr_exact.errors import BadVotes, NotAnEvaluation
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.seeded_draws import bits_from
from ntqr_exact.varieties.compositions import (
    KeyCounts,
    Split,
    check_key_counts,
    compositions,
    count_compositions,
    from_splits,
)
from ntqr_exact.varieties.correlations import PairPoint, correlation_range, pair_correlations
from ntqr_exact.varieties.explanation import (
    Refused,
    Verdict,
    counts_from_rates,
    explain_group,
    explain_individual,
)
from ntqr_exact.varieties.linear_range import Range, Statistic, linear_range
from ntqr_exact.varieties.nearest import Nearest, nearest
from ntqr_exact.varieties.projection import Projection
from ntqr_exact.varieties.sampling import (
    GroupSampler,
    count_splits,
    group_sampler,
    index_of,
    split_tables,
)
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


@dataclass(frozen=True, slots=True)
class ConsistentSet:
    """The group evaluations consistent with votes: each pattern's questions split over the true labels.

    >>> consistent = ConsistentSet(VoteCounts({"aa": 2, "bb": 1}))
    >>> consistent.count(), consistent.count_at({"a": 1, "b": 2})
    (6, 2)

    Its elements are the `LabeledVoteCounts` whose observed votes are the votes.
    """

    votes: VoteCounts

    def __post_init__(self) -> None:
        if isinstance(self.votes, LabeledVoteCounts):
            raise BadVotes(self.votes, "votes must not have an answer key", "take their observed()")
        if not isinstance(self.votes, VoteCounts):
            raise BadVotes(self.votes, f"votes must be VoteCounts, not {type(self.votes).__name__}")

    def _repr_latex_(self) -> str:
        """Return how many evaluations there are for a notebook."""
        return rf"${self.count()}\text{{ evaluations consistent with }}{self.votes.size}\text{{ questions}}$"

    # -- counting -------------------------------------------------------------------------------

    def count(self) -> int:
        """Return the number of consistent group evaluations, Π_v C(c_v + R − 1, R − 1)."""
        return prod(count_compositions(count, len(self.votes.labels)) for count in self._counts)

    def count_at(self, at: KeyCounts) -> int:
        """Return how many have the key counts.

        >>> counts = dict(zip("aaa aab aba abb baa bab bba bbb".split(), (269, 88, 88, 60, 81, 74, 64, 276)))
        >>> ConsistentSet(VoteCounts(counts)).count_at({"a": 400, "b": 600})
        33259347089633
        """
        return count_splits(self._counts, self._key(at))

    def counts_by_key(self) -> dict[tuple[int, ...], int]:
        """Return how many have each key counts, given in the order of the labels; O(2^N Q) if R = 2.

        >>> ConsistentSet(VoteCounts({"aa": 2, "bb": 1})).counts_by_key()
        {(0, 3): 1, (1, 2): 2, (2, 1): 2, (3, 0): 1}
        """
        size, labels = self.votes.size, len(self.votes.labels)
        limits = [size] * labels
        *_, table = split_tables(self._counts, limits)
        return {key: table[index_of(key, limits)] for key in compositions(size, labels)}

    # -- membership -----------------------------------------------------------------------------

    def explain(self, evaluation: LabeledVoteCounts | CountEvaluation | Evaluation) -> Verdict:
        """Return yes with a witness, or no with the postulates that fail and by how much.

        A group evaluation must give the votes; an individual one, or one in rates, must have a group
        evaluation that does.
        """
        match evaluation:
            case LabeledVoteCounts():
                return explain_group(self.votes, evaluation)
            case CountEvaluation():
                return explain_individual(self.votes, evaluation)
            case Evaluation():
                counts = counts_from_rates(self.votes, evaluation)
                return counts if isinstance(counts, Refused) else self.explain(counts)
        raise NotAnEvaluation(
            evaluation,
            "an evaluation is LabeledVoteCounts, a CountEvaluation or an Evaluation, "
            f"not {type(evaluation).__name__}",
        )

    def __contains__(self, evaluation: LabeledVoteCounts | CountEvaluation | Evaluation) -> bool:
        return bool(self.explain(evaluation))

    # -- enumeration and sampling ---------------------------------------------------------------

    def __iter__(self) -> Iterator[LabeledVoteCounts]:
        return self._groups(None)

    def at(self, key_counts: KeyCounts) -> Iterator[LabeledVoteCounts]:
        """Iterate over those at key counts, in the same order.

        >>> groups = ConsistentSet(VoteCounts({"a": 1, "b": 1})).at({"a": 1, "b": 1})
        >>> [group.by_label["a"] for group in groups]
        [VoteCounts({'b': 1}, labels=('a', 'b'), judges=('J1',)),
         VoteCounts({'a': 1}, labels=('a', 'b'), judges=('J1',))]
        """
        return self._groups(self._key(key_counts))

    def sample(self, *, seed: RationalLike, at: KeyCounts | None = None) -> LabeledVoteCounts:
        """Return a uniform group evaluation, at key counts if given; the same for the same seed."""
        return self.sampler(at=at).draw(bits_from(seed))

    def sampler(self, *, at: KeyCounts | None = None) -> GroupSampler:
        """Return what draws again and again, with the tables that it needs made once.

        >>> draws = ConsistentSet(VoteCounts({"aa": 2, "bb": 1})).sampler(at={"a": 1, "b": 2}).draws(seed=1)
        >>> next(draws).key_counts, next(draws).key_counts
        ({'a': 1, 'b': 2}, {'a': 1, 'b': 2})
        """
        return group_sampler(self.votes, self._key(at))

    # -- ranges, shadow, nearest ----------------------------------------------------------------

    def range_of(self, statistic: Statistic, *, at: KeyCounts | None = None) -> Range:
        """Return the exact range of a linear statistic, with a group evaluation that attains each end.

        >>> result = ConsistentSet(VoteCounts({"aa": 2, "ab": 1})).range_of({("a", "aa"): 1, ("b", "ab"): -1})
        >>> result.minimum, result.maximum
        (mpq(-1,1), mpq(2,1))
        """
        return linear_range(self.votes, statistic, self._key(at))

    def correlation_range(
        self, label: str, first: Judge, second: Judge, *, at: KeyCounts | None = None
    ) -> Range:
        """Return the exact range of the error correlation Γ^label of two judges."""
        if label not in self.votes.labels:
            raise BadVotes(label, f"a label is one of {', '.join(map(repr, self.votes.labels))}")
        return correlation_range(self.votes, label, (first, second), self._key(at))

    def pair_correlations(
        self, evaluation: CountEvaluation, first: Judge, second: Judge
    ) -> tuple[PairPoint, ...]:
        """Return all (Γ^a, Γ^b) of two judges that go with individual evaluations of all judges."""
        return pair_correlations(self.votes, evaluation, first, second)

    def projection(self) -> Projection:
        """Return the set of the consistent individual evaluations."""
        return Projection(self.votes)

    def nearest(self, target: Evaluation | CountEvaluation, *, at: KeyCounts | None = None) -> Nearest:
        """Return the consistent individual evaluation nearest to a target; ties go to the smallest."""
        return nearest(self.votes, target, self._key(at))

    # -- parts ----------------------------------------------------------------------------------

    @property
    def _counts(self) -> tuple[int, ...]:
        return tuple(self.votes.counts.values())

    @overload
    def _key(self, at: KeyCounts) -> tuple[int, ...]: ...
    @overload
    def _key(self, at: KeyCounts | None) -> tuple[int, ...] | None: ...
    def _key(self, at: KeyCounts | None) -> tuple[int, ...] | None:
        return None if at is None else check_key_counts(at, self.votes.labels, self.votes.size)

    def _groups(self, key: tuple[int, ...] | None) -> Iterator[LabeledVoteCounts]:
        limits = [self.votes.size] * len(self.votes.labels) if key is None else list(key)
        for splits in _all_splits(self._counts, limits):
            yield from_splits(self.votes.labels, self.votes.judges, self.votes.counts, splits)


def _all_splits(counts: tuple[int, ...], limits: list[int]) -> Iterator[tuple[Split, ...]]:
    """Iterate over splits of all patterns with at most `limits` questions of each true label.

    There is no dead end: as long as the limits hold, the room that is left holds the patterns that are.
    """
    if not counts:
        yield ()
        return
    for split in compositions(counts[0], len(limits), limits=limits):
        left = [limit - part for limit, part in zip(limits, split, strict=True)]
        for others in _all_splits(counts[1:], left):
            yield (split, *others)
