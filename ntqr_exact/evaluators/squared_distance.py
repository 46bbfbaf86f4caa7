"""Which of several evaluations is closer to the truth: exact squared distances between their rates."""

from __future__ import annotations

from collections.abc import Iterator

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import Evaluation, Rate
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined


def squared_distance(left: Evaluation, right: Evaluation) -> mpq | Surd:
    """Return the sum of the squared differences of all shares and accuracies that both define.

    >>> half = Evaluation.from_accuracies({"a": "1/2", "b": "1/2"}, [{"a": 1, "b": 1}])
    >>> third = Evaluation.from_accuracies({"a": "1/3", "b": "2/3"}, [{"a": 1, "b": "1/2"}])
    >>> squared_distance(half, third)
    mpq(11,36)

    Raises `BadVotes` for evaluations of different labels or numbers of judges.
    """
    if left.labels != right.labels or len(left.accuracy) != len(right.accuracy):
        rule = "only evaluations of the same labels and judges can be compared"
        raise BadVotes((left.labels, right.labels), rule)
    total: mpq | Surd = mpq(0)
    for mine, theirs in zip(_rates(left), _rates(right), strict=True):
        if isinstance(mine, Undefined) or isinstance(theirs, Undefined):
            continue
        difference = mine - theirs
        total = total + difference * difference
    return total


def _rates(evaluation: Evaluation) -> Iterator[Rate]:
    yield from evaluation.prevalence.values()
    for right in evaluation.accuracy:
        yield from right.values()
