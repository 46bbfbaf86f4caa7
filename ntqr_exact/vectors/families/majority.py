"""The family `majority`: the judges graded by what most of them say, if the crowd is right and if it is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.grade import RATE, written
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import NULL, RATIONAL, TEXT, WHOLE, described, either, list_of, record
from ntqr_exact.vectors.votes_input import PARTS, SHARED, WORDS, counts_of, votes_from, votes_input

_POLICIES = tuple(policy.value for policy in TiePolicy)


def compute(document: Document) -> dict[str, Any]:
    """Return the grades by the majority's key and, for two labels, by its opposite."""
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


def edge_cases() -> Iterator[Case]:
    """Yield trios, ties under every policy, more labels, one judge, the source's tests, and refusals."""
    yield _case([3, 0, 0, 0, 0, 0, 0, 2], "all agree")
    yield _case([1, 0, 0, 0, 0, 0, 0, 0], "one question: nothing is of the other label")
    yield _case([1, 1, 1, 1, 1, 1, 1, 1], "every pattern once")
    yield _case([0, 2, 0, 0, 0, 0, 0, 1], "a judge who always stands alone")
    yield _case([0, 1, 1, 1, 1, 1, 1, 0], "never all agree")
    yield _case([5, 4, 3, 2, 1, 2, 3, 4], "three judges: no ties", ties="last-label")
    for example in EXAMPLES.values():
        yield _case(counts_of(example.votes), example.title, "source")
    for policy in _POLICIES:
        yield _case([3, 1, 0, 2], f"two judges who disagree, {policy}", ties=policy, judges=2)
        yield _case([3, 0, 0, 2], f"two judges who agree, {policy}", ties=policy, judges=2)
        yield _case(list(range(1, 17)), f"four judges, {policy}", ties=policy, judges=4)
        yield _case(
            list(range(1, 28)), f"three labels: tied if all differ, {policy}", ties=policy, labels="abc"
        )
        once = [int(place in (0, 5, 7, 11, 19)) for place in range(27)]  # aaa abc acb bac cab
        yield _case(once, f"three labels, small, {policy}", ties=policy, labels="abc")
        some = [place % 3 for place in range(81)]
        comment = f"three labels: two lead in aabb, one in aabc, {policy}"
        yield _case(some, comment, ties=policy, labels="abc", judges=4)
    yield _case([4, 1], "one judge is always right, or always wrong", judges=1)
    large = [10**17 * count + place for place, count in enumerate((7, 3, 2, 5, 1, 1, 4, 9))]
    yield _case(large, "counts beyond doubles", "large")
    yield Case({**votes_input([0] * 8), "ties": "refuse"}, "no question at all", ("refused",))
    yield Case({**votes_input([1] * 9), "ties": "refuse"}, "a count too many", ("refused",))
    yield Case({**votes_input([1] * 7 + [-1]), "ties": "refuse"}, "a negative count", ("refused",))
    yield Case({**votes_input([1] * 8), "ties": "coin"}, "a policy that is none", ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return any votes of two to four judges between two or three labels, with a policy for ties."""
    labels, judges = (("ab", 3), ("ab", 4), ("abc", 3), ("ab", 2), ("ab", 3))[index % 5]
    size = 2 + index // 2 + draws.below(6)
    policy = draws.pick(_POLICIES[1:]) if index % 5 in {1, 2, 3} else draws.pick(_POLICIES)
    counts = draws.counts(size, len(labels) ** judges)
    return _case(counts, f"any votes on {size} questions", ties=policy, labels=labels, judges=judges)


def _case(
    counts: Sequence[int],
    comment: str,
    *flags: str,
    ties: str = "refuse",
    labels: str = "ab",
    judges: int = 3,
) -> Case:
    document = {**votes_input(counts, labels=labels, judges=judges), "ties": ties}
    first_of_two = {**document, "ties": "first-label"}
    tied = compute(first_of_two)["tied_questions"] != "0"
    outcome = [
        *(["ties"] if tied else []),
        *(["refused"] if tied and ties == "refuse" else []),
        *(["many-labels"] if len(labels) > 2 else []),
    ]
    return Case(document, comment, (*flags, *outcome))


_GRADES = record(
    prevalence=list_of(RATIONAL), accuracies=list_of(list_of(RATE)), pair_correlations=list_of(list_of(RATE))
)

FAMILY = Family(
    name="majority",
    version=1,
    title="Grading by majority vote",
    citations=(Citation("ntqr", "section 5"), Citation("ntqr", "eq. 24")),
    algorithm=(
        WORDS,
        "ties names what happens where several labels have the most votes: refuse, first-label, last-label or "
        "first-judge. An input has one fault at most.",
        "Refuse as bad-votes unless there is a count for each pattern and ties is one of these four words; as "
        "bad-number a negative count; as empty-test if all counts are zero; and as bad-votes if ties is refuse and a "
        "pattern with a count above zero has a tie.",
        "The key gives each pattern the label that most judges gave. Where several labels have the most votes, the "
        "questions of this pattern are tied, and the key gives the first of these labels in the order of the labels "
        "(first-label), the last of them (last-label), or the one among them that comes first in the pattern, judges "
        "in order (first-judge).",
        "tied_questions: how many questions are tied. key_counts: how many questions the key gives each label, in "
        "order. Both are whole numbers written as texts.",
        "if_right: the judges graded by this key. prevalence: the share of the questions of "
        "each label. accuracies: for each judge and each label l the share of the questions of l to which it "
        "answered l. pair_correlations: for each label l, for each pair of judges i < j in the order 12, 13, …, 23, "
        "…: the share of the questions of l on which both answered l, less the product of their accuracies on l. "
        "Where the key has no questions of a label, its accuracies and correlations are the word undefined.",
        "if_wrong: with two labels, the same grades by the opposite key, that gives every question the other label; "
        "with more labels, null.",
    ),
    input=record(PARTS, ties=described(TEXT, "refuse, first-label, last-label or first-judge")),
    expected=record(
        tied_questions=WHOLE, key_counts=list_of(WHOLE), if_right=_GRADES, if_wrong=either(_GRADES, NULL)
    ),
    flags={
        "ties": "some questions are tied",
        "many-labels": "more than two labels: there is no opposite key",
        "source": "votes of a test in the source",
        "large": "counts that doubles do not hold",
        "refused": "the counts make no votes, or a tie is not to be decided",
    },
    errors={
        "bad-votes": "a count is missing or too many, the policy is none, or a tie is to be refused",
        "bad-number": "a count is negative",
        "empty-test": "there is no question, so that no rate exists",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
