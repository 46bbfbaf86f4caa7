"""crowd-kit: majority vote, and how often each worker agrees with given labels.

Votes go in as it wants them, a row for each answer. It has no accuracy by label, but the share of all questions on
which a worker is right; this follows from what the vectors expect.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

from benchmarks.peers.conformance import ACCEPTED, Derived, NotAsked, Peer, Quantity
from ntqr_exact.vectors.files import Test

LARGEST = 2000
"""The largest test that is put to it: each answer is a row."""

POLICIES = {"refuse", "first-label", "last-label", "first-judge"}


def _rows(labels: list[str], judges: int, counts: list[Any]) -> list[tuple[str, ...]]:
    """The answers to each question; a missing or negative count has no rows."""
    patterns = list(product(labels, repeat=judges))
    if len(counts) != len(patterns) or min(map(int, counts)) < 0 or sum(map(int, counts)) > LARGEST:
        raise NotAsked
    return [pattern for pattern, count in zip(patterns, counts, strict=True) for _ in range(count)]


def _answers(rows: list[tuple[str, ...]]) -> Any:
    import pandas as pd

    records = [(task, f"J{judge}", label) for task, row in enumerate(rows) for judge, label in enumerate(row)]
    return pd.DataFrame(records, columns=["task", "worker", "label"])


# -- majority vote -----------------------------------------------------------------------------------


def _voted(document: dict[str, Any]) -> tuple[Any, Any]:
    """The fitted vote. A tie goes to the label that it met first in the data, which is none of the policies."""
    from crowdkit.aggregation import MajorityVote

    rows = _rows(document["labels"], document["judges"], document["counts"])
    if document["ties"] not in POLICIES or _tied(rows):
        raise NotAsked
    data = _answers(rows)
    vote = MajorityVote()
    return vote, vote.fit_predict(data)


def _tied(rows: list[tuple[str, ...]]) -> bool:
    votes = (sorted(Counter(row).values()) for row in set(rows))
    return any(len(counts) > 1 and counts[-1] == counts[-2] for counts in votes)


def _key_counts(document: dict[str, Any]) -> list[int]:
    found = Counter(_voted(document)[1])
    return [found[label] for label in document["labels"]]


def _majority_accuracy(document: dict[str, Any]) -> list[float]:
    vote, _ = _voted(document)
    return [float(vote.skills_[f"J{judge}"]) for judge in range(document["judges"])]


def _of_majority(expected: Any) -> list[Fraction]:
    graded = expected["if_right"]
    return [_overall(graded["prevalence"], rates) for rates in graded["accuracies"]]


def _overall(prevalence: list[str], rates: list[str]) -> Fraction:
    """The share of all questions with a right answer: Σ_l P_l·x_l, labels without questions left out."""
    pairs = zip(prevalence, rates, strict=True)
    return sum((Fraction(p) * Fraction(x) for p, x in pairs if x != "undefined"), Fraction(0))


# -- given labels ------------------------------------------------------------------------------------


def _accuracy(document: dict[str, Any]) -> list[float]:
    import pandas as pd
    from crowdkit.metrics.workers import accuracy_on_aggregates

    labels, judges, by_key = document["labels"], document["judges"], document["counts_by_key"]
    if len(by_key) != len(labels):
        raise NotAsked
    keyed = [
        (label, row)
        for label, counts in zip(labels, by_key, strict=True)
        for row in _rows(labels, judges, counts)
    ]
    truth = pd.Series([label for label, _ in keyed], dtype=object)
    found = accuracy_on_aggregates(_answers([row for _, row in keyed]), aggregates=truth, by="worker")
    return [float(found[f"J{judge}"]) for judge in range(judges)]


def _of_grade(expected: Any) -> list[Fraction]:
    rates = expected["response_rates"]
    return [
        _overall(expected["prevalence"], [row[place] for place, row in enumerate(judge)]) for judge in rates
    ]


def _error_rates(document: dict[str, Any]) -> list[float]:
    """Error rates over all questions exist also where a label has none, and the family refuses for its other parts."""
    empty = [not any(counts) for counts in document["counts_by_key"]]
    if any(empty) and not all(empty):
        raise NotAsked
    return [1 - accuracy for accuracy in _accuracy(document)]


ASKED: dict[str, dict[str, Quantity]] = {
    "majority": {
        "key_counts": _key_counts,
        "accuracy over all labels": Derived(
            _majority_accuracy, lambda expected: [str(x) for x in _of_majority(expected)]
        ),
    },
    "grade": {
        "accuracy over all labels": Derived(_accuracy, lambda expected: [str(x) for x in _of_grade(expected)])
    },
    "independence-defect": {"error_rates": _error_rates},
}


def _cause(test: Test, quantity: str, kind: str) -> str:
    family = test.id.partition("/")[0]
    if kind == ACCEPTED and family == "majority":
        return "Without any question there is an empty vote, which is not an error."
    return f"{family}, `{quantity}`: {kind}."


PEER = Peer(
    "crowd-kit",
    ASKED,
    _cause,
    (
        "Asked are `MajorityVote` (the key, and its `skills_`) and `accuracy_on_aggregates` with the true labels. Both "
        "accuracies are over all questions, Σ P_l·x_l, and are compared with this sum of the expected values. Each "
        f"answer is a row, so that tests beyond {LARGEST} questions are not put to it. Tied questions are not "
        "compared: a tie goes to the label that comes first in the data, which is not a policy of the vectors.",
        "Not the same thing, and hence not asked: `DawidSkene` and its kin estimate rates by expectation maximization "
        "from a start at the majority. An estimate depends on the start and on the number of steps; "
        "`independent-binary` asks for all rates that fit the votes exactly, and for a proof where there are none. "
        "`consistency`, `uncertainty` and `alpha_krippendorff` have no family.",
    ),
)
