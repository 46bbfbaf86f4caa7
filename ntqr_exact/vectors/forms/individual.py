"""Votes with an individual evaluation of their judges in whole numbers, as an input."""

from __future__ import annotations

from collections.abc import Sequence

from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.vectors.forms.votes import PARTS as VOTES
from ntqr_exact.vectors.forms.votes import pattern_names, votes_from, votes_input
from ntqr_exact.vectors.fragments import Fragment, described, list_of
from ntqr_exact.vectors.specification import Document

_INTEGER: Fragment = {"type": "integer"}

PARTS: dict[str, Fragment] = {
    **VOTES,
    "key_counts": described(list_of(_INTEGER, exactly=2), "Q_a, Q_b"),
    "right": described(
        list_of(list_of(_INTEGER, exactly=2)),
        "for each judge how often it is right on the questions of a, R^a_a, and of b, R^b_b",
    ),
}


def evaluation_from(document: Document) -> CountEvaluation:
    """Return the individual evaluation of an input."""
    labels = document["labels"]
    return CountEvaluation.from_correct(
        dict(zip(labels, document["key_counts"], strict=True)),
        [dict(zip(labels, right, strict=True)) for right in document["right"]],
    )


def graded_counts(counts: Sequence[int], of_a: Sequence[int], judges: int) -> Document:
    """Return votes with the evaluation under the key that has this many questions of a in each pattern.

    The postulate of one judge gives the right answers on b: R^b_b = Q_b − R_a + R^a_a.
    """
    document = votes_input(counts, judges=judges)
    votes, key = votes_from(document), list(zip(pattern_names("ab", judges), of_a, strict=True))
    of_b = votes.size - sum(of_a)
    right = []
    for judge in range(judges):
        on_a = sum(count for name, count in key if name[judge] == "a")
        right.append([on_a, of_b - votes.responses(judge)["a"] + on_a])
    return {**document, "key_counts": [sum(of_a), of_b], "right": right}
