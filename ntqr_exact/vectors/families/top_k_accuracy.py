"""The family `top-k-accuracy`: is the label among the k highest scores, and what is made of ties?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics.probability_losses import TopTies, top_k_accuracy
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.samples import ROWS, drawn_rows, weight_flags
from ntqr_exact.vectors.fragments import NUMBER_INPUT, RATIONAL, record
from ntqr_exact.vectors.specification import Case, Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return the share for each way to put equal scores in order."""
    return {
        ties.name.lower(): top_k_accuracy(
            document["labels"],
            document["scores"],
            document["weights"],
            k=document["k"],
            label_names=document["names"],
            ties=ties,
        )
        for ties in TopTies
    }


def steps(document: Document) -> Iterator[str]:
    """Tell for each sample how many scores are higher than or equal to that of its label."""
    for label, row in zip(document["labels"], document["scores"], strict=True):
        place = document["names"].index(label)
        scores = [rational(score) for score in row]
        equal = [other for other, score in enumerate(scores) if score == scores[place]]
        higher = sum(score > scores[place] for score in scores)
        yield f"{label}: h = {higher}, e = {len(equal)}, b = {equal.index(place)}"
    yield from (f"{name} = {value}" for name, value in compute(document).items())


def random_case(draws: Draws, index: int) -> Case:
    """Return samples of several labels and a k that is mostly below their number."""
    drawn = drawn_rows(draws, index)
    k = 1 + draws.below(len(drawn["names"]) - (index % 6 > 0))
    return Case({**drawn, "k": k}, f"{len(drawn['labels'])} samples, k = {k}")


FAMILY = Family(
    *declared("top-k-accuracy"),
    input=record(ROWS, k=NUMBER_INPUT),
    expected=record({ties.name.lower(): RATIONAL for ties in TopTies}),
    flags={
        **weight_flags(),
        "ties": lambda _, found: len(set(found.values())) > 1,
        "all-labels": lambda given, _: given["k"] >= len(given["names"]),
        "close": lambda given, _: any(len(str(score)) > 12 for row in given["scores"] for score in row),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("names",),
    witnesses={
        "scikit-learn": lambda given, found: (
            "error" not in found
            and given["weights"] is None
            and set(given["labels"]) == set(given["names"])
            and 0 < given["k"] < len(given["names"])
        )
    },
)
