"""The consistent individual evaluation that is nearest to a given point, exactly.

The point gives Q_a, R^a_{a_i} and R^b_{b_i} for each judge as real numbers q*, x_i, y_i, rational or in one
quadratic field, such as the irrational solution for independent judges times Q. On consistent evaluations
R^b_{b_i} = s_i − Q_a + R_{b_i}, so the squared distance is

    D(q, s) = (q − q*)² + Σ_i D_i(q, s_i),    D_i = (s_i − x_i)² + (s_i − q + R_{b_i} − y_i)².

`nearest_search` finds its least value. Among the nearest evaluations the answer is the lexicographically
smallest (Q_a, s_1, s_2, s_3).
"""

from __future__ import annotations

from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes, NotSupported
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.exact.surd import Surd
from ntqr_exact.varieties.from_rates import confusion_numbers
from ntqr_exact.varieties.nearest_search import CommonField, NearestSearch
from ntqr_exact.varieties.projection import individual_from_right
from ntqr_exact.votes.counts import VoteCounts

_MAX_JUDGES = 3


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest consistent evaluation and its squared distance from the point, in counts."""

    evaluation: CountEvaluation
    squared_distance: mpq | Surd


def nearest(votes: VoteCounts, target: Evaluation | CountEvaluation, key: tuple[int, ...] | None) -> Nearest:
    """Return the consistent evaluation nearest to a target, among those at key counts if given.

    >>> far = CountEvaluation.from_correct({"a": 2, "b": 0}, [{"a": 2, "b": 0}])
    >>> nearest(VoteCounts({"a": 1, "b": 1}), far, None)
    Nearest(evaluation=CountEvaluation.from_correct({'a': 2, 'b': 0}, [{'a': 1, 'b': 0}]), \
squared_distance=mpq(1,1))

    Raises `NotSupported` for three or more labels or four or more judges.
    """
    if len(votes.labels) != 2 or len(votes.judges) > _MAX_JUDGES:
        raise NotSupported(
            f"{len(votes.judges)} judges and {len(votes.labels)} labels",
            f"the nearest evaluation is found for two labels and up to {_MAX_JUDGES} judges",
            "take some of the judges with marginal",
        )
    if target.labels != votes.labels:
        raise BadVotes(target.labels, f"the labels of the votes are {votes.labels}")
    point = _coordinates(votes, target)
    if len(point) != 1 + 2 * len(votes.judges):
        raise BadVotes(target, f"the votes are those of {len(votes.judges)} judges")
    keys = range(votes.size + 1) if key is None else range(key[0], key[0] + 1)
    q, *right = NearestSearch(votes, CommonField.of(point), point, keys).run()
    evaluation = individual_from_right(votes, q, tuple(right))
    distance: mpq | Surd = mpq(0)
    for here, there in zip(_coordinates(votes, evaluation), point, strict=True):
        distance = distance + (here - there) * (here - there)
    return Nearest(evaluation, distance)


def _coordinates(votes: VoteCounts, target: Evaluation | CountEvaluation) -> list[mpq | Surd]:
    """Return Q_a and for each judge R^a_a and R^b_b."""
    a, b = votes.labels
    if isinstance(target, CountEvaluation):
        counts = [target.key_counts[a], *(right[label] for right in target.correct for label in (a, b))]
        return [mpq(count) for count in counts]
    key, confusion = confusion_numbers(target, votes.size)
    return [key[a], *(rows[label][label] for rows in confusion for label in (a, b))]
