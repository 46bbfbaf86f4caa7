"""The family `majority`: the judges graded by what most of them say, if the crowd is right and if it is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.rates import RATE, written
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, votes_from, votes_input
from ntqr_exact.vectors.fragments import NULL, RATIONAL, TEXT, WHOLE, described, either, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_POLICIES = tuple(policy.value for policy in TiePolicy)


def compute(document: Document) -> dict[str, Any]:
    """Return the grades by the majority's key and, for two labels, by its opposite."""
    if document["ties"] not in _POLICIES:
        raise BadVotes(document["ties"], f"ties are one of {', '.join(_POLICIES)}")
    found = majority_vote(votes_from(document), ties=document["ties"])
    opposite = found.reversed_evaluation
    return {
        "tied_questions": str(found.ties),
        "key_counts": [str(count) for count in found.key.key_counts.values()],
        "if_right": _graded(found.evaluation),
        "if_wrong": None if opposite is None else _graded(opposite),
    }


def _graded(evaluation: Evaluation) -> dict[str, Any]:
    pairs = list(combinations(range(len(evaluation.accuracy)), 2))
    return {
        "prevalence": [written(evaluation.prevalence[label]) for label in evaluation.labels],
        "accuracies": [
            [written(right[label]) for label in evaluation.labels] for right in evaluation.accuracy
        ],
        "pair_correlations": [
            [written(evaluation.correlations[label, pair]) for pair in pairs] for label in evaluation.labels
        ],
    }


def steps(document: Document) -> Iterator[str]:
    """Tell which label the majority gives each pattern, and the grades."""
    votes, found = votes_from(document), compute(document)
    result = majority_vote(votes, ties=document["ties"])
    yield f"ties: {document['ties']}; {found['tied_questions']} questions are tied"
    for label, part in result.key.by_label.items():
        seen = ", ".join(f"{''.join(pattern)} {count}" for pattern, count in part.counts.items() if count)
        yield f"true label {label}: {seen or 'nothing'}, together {part.size} of {votes.size}"
    for name in ("if_right", "if_wrong"):
        graded = found[name]
        if graded is not None:
            yield f"{name}: prevalence {', '.join(map(str, graded['prevalence']))}"
            for judge, right in enumerate(graded["accuracies"], start=1):
                yield f"  judge {judge}: accuracies {', '.join(map(str, right))}"
            for label, values in zip(votes.labels, graded["pair_correlations"], strict=True):
                yield f"  pair correlations on {label}: {', '.join(map(str, values))}"


def random_case(draws: Draws, index: int) -> Case:
    """Return any votes of two to four judges between two or three labels, with a policy for ties."""
    labels, judges = (("ab", 3), ("ab", 4), ("abc", 3), ("ab", 2), ("ab", 3))[index % 5]
    size = 2 + index // 2 + draws.below(6)
    policy = draws.pick(_POLICIES[1:]) if index % 5 in {1, 2, 3} else draws.pick(_POLICIES)
    counts = draws.counts(size, len(labels) ** judges)
    return Case(
        {**votes_input(counts, labels=labels, judges=judges), "ties": policy},
        f"any votes on {size} questions",
    )


_GRADES = record(
    prevalence=list_of(RATIONAL), accuracies=list_of(list_of(RATE)), pair_correlations=list_of(list_of(RATE))
)

FAMILY = Family(
    *declared("majority"),
    input=record(PARTS, ties=described(TEXT, "refuse, first-label, last-label or first-judge")),
    expected=record(
        tied_questions=WHOLE, key_counts=list_of(WHOLE), if_right=_GRADES, if_wrong=either(_GRADES, NULL)
    ),
    flags={
        "ties": lambda _, found: found["tied_questions"] != "0",
        "many-labels": lambda given, _: len(given["labels"]) > 2,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
