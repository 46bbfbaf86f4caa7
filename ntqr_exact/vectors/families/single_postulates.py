"""The family `single-postulates`: what the postulates of one judge come to at points on and off the variety."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import Evaluation, Rate, Undefined
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.exact.json_text import decode_number, encode_number
from ntqr_exact.exact.surd import Surd
from ntqr_exact.postulates.postulate import PostulateSet, Space
from ntqr_exact.postulates.single import single
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import (
    NULL,
    NUMBER,
    TEXT,
    TRUTH,
    Fragment,
    described,
    either,
    list_of,
    one_of,
    record,
)
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, WORDS, counts_of, votes_from, votes_input
from ntqr_exact.votes.labeled import LabeledVoteCounts

UNDEFINED = "undefined"
RESIDUAL: Fragment = either(NUMBER, one_of(UNDEFINED))
_RATE = either(TEXT, NUMBER, NULL)

POINT_PARTS: dict[str, Fragment] = {
    **PARTS,
    "key": described(
        list_of(list_of({"type": "integer"})),
        "a point as an answer key: for each true label the counts of all patterns, in the order of the counts",
    ),
    "rates": described(
        record(
            prevalence=described(list_of(_RATE), "P_a, P_b"),
            accuracies=described(list_of(list_of(_RATE)), "for each judge x = P^a_a and y = P^b_b"),
            correlations=described(
                list_of(list_of(_RATE)),
                "for each true label Γ of every two judges, in the order 12, 13, 23, and then of all three",
            ),
        ),
        "a point as rates, null where one is undefined",
    ),
}
"""Votes, and a point in one of two forms."""

POINT = record(POINT_PARTS, optional=("key", "rates"))

KEY_WORDS = (
    "The point is given in one of two forms. rates: the prevalences P_a and P_b, for each judge the accuracies x and y "
    "on a and on b, and the error correlations; they need not fit together. A number is a rational or a surd a + b√d; "
    "null stands for a rate that is undefined.",
    "key: for each true label l how many of its questions got each pattern, which need not add up to the votes. With "
    "Q_l the sum of the counts of l: P_l = Q_l/(Q_a + Q_b); the accuracy of a judge on l is the share of the Q_l "
    "questions that it answered l; Γ^l of some judges is the mean over the Q_l questions of the product over these "
    "judges of (1 if it answered l else 0) − accuracy. If Q_l = 0, accuracies and correlations on l are undefined.",
)
"""Sentences on the two forms of a point."""

UNDEFINED_WORDS = (
    "Where rates are undefined, multiply the polynomial out and collect its terms by the powers of the undefined rates "
    "in them. If the coefficients of all powers but the constant one vanish (as with P_l = 0), the residual is the "
    "constant part; otherwise it is the word undefined."
)
"""The sentence on residuals where a label has no questions."""

REFUSALS = (
    "Refuse as bad-votes a number of counts that is not R^N, in the votes or in a key; as bad-number a count that is "
    "negative; as empty-test votes or a key without questions."
)

ERRORS = {
    "bad-votes": "the number of counts is not R^N",
    "bad-number": "a count is negative",
    "empty-test": "there is no question in the votes or in the key, so that no rate exists",
}
POINT_FLAGS = {
    "on": "every residual is zero: the point is on the variety of the votes",
    "off": "some residual is not zero",
    UNDEFINED: "some residual depends on a rate of a label without questions",
    "rates": "the point is given in rates",
    "refused": "the input is refused",
}


def subsets(judges: int) -> list[tuple[int, ...]]:
    """Return the two or more judges who have a correlation, in the order of an input."""
    return [subset for size in range(2, judges + 1) for subset in combinations(range(judges), size)]


def truth_from(document: Document) -> LabeledVoteCounts | Evaluation:
    """Return the point of an input, as an answer key or as rates."""
    labels, judges = document["labels"], document["judges"]
    if "key" in document:
        parts = [votes_from({**document, "counts": counts}) for counts in document["key"]]
        if len(parts) != len(labels):
            raise BadVotes(document["key"], "a key has counts for each label")
        return LabeledVoteCounts(dict(zip(labels, parts, strict=True)))
    rates = document["rates"]
    prevalence = [_read(rate) for rate in rates["prevalence"]]
    return Evaluation.from_accuracies(
        dict(zip(labels, prevalence, strict=True)),
        [dict(zip(labels, map(_read, row), strict=True)) for row in rates["accuracies"]],
        {
            (label, subset): _read(rate)
            for label, row in zip(labels, rates["correlations"], strict=True)
            for subset, rate in zip(subsets(judges), row, strict=True)
        },
    )


def residuals(postulates: PostulateSet, document: Document, *, spaces: Iterable[Space]) -> dict[str, Any]:
    """Return the residual of each postulate of some spaces, and whether all are zero."""
    votes, truth = votes_from(document), truth_from(document)
    wanted = tuple(spaces)
    found = {
        postulate.name: _told(postulate.residual(truth, votes))
        for postulate in postulates
        if postulate.space in wanted
    }
    return {"residuals": found, "on": all(value == 0 for value in found.values())}


def residual_steps(postulates: PostulateSet, document: Document, found: Mapping[str, Any]) -> Iterator[str]:
    """Tell each postulate, with the numbers of the votes put in, and what it comes to."""
    votes, truth = votes_from(document), truth_from(document)
    for label, count in zip(document["labels"], document.get("key", ()), strict=False):
        yield f"the key has the counts {count} on {label}"
    if isinstance(truth, LabeledVoteCounts):
        truth = grade(truth)
    yield f"P: {', '.join(f'P_{label} = {_shown(rate)}' for label, rate in truth.prevalence.items())}"
    for judge, right in enumerate(truth.accuracy, start=1):
        yield f"judge {judge}: {', '.join(f'P^{label}_{label} = {_shown(rate)}' for label, rate in right.items())}"
    for (label, subset), rate in truth.correlations.items():
        yield f"Γ^{label}_{','.join(str(place + 1) for place in subset)} = {_shown(rate)}"
    for name, value in found.items():
        yield f"{postulates[name].specialise(votes)}".removesuffix(" = 0")
        yield f"  comes to {_shown(value)}"


def point_case(
    compute: Callable[[Document], dict[str, Any]], document: Document, comment: str, *flags: str
) -> Case:
    """Return a case whose flags also tell whether the point is on the variety."""
    found = compute(document)
    values = found["residuals"].values()
    outcome = ["on" if found["on"] else "off"]
    outcome += [UNDEFINED] if UNDEFINED in values else []
    outcome += ["rates"] if "rates" in document else []
    return Case(document, comment, (*flags, *outcome))


def with_key(counts: Sequence[int], *key: Sequence[int], judges: int) -> Document:
    """Return an input with the point as an answer key."""
    return {**votes_input(counts, judges=judges), "key": [list(part) for part in key]}


def with_rates(
    counts: Sequence[int], prevalence: Sequence[Any], accuracies: Sequence[Any], correlations: Sequence[Any]
) -> Document:
    """Return an input with the point in rates, given as texts, numbers or None."""
    return {
        **votes_input(counts, judges=len(accuracies)),
        "rates": {
            "prevalence": list(map(_written, prevalence)),
            "accuracies": [list(map(_written, row)) for row in accuracies],
            "correlations": [list(map(_written, row)) for row in correlations],
        },
    }


def with_graded(counts: Sequence[int], key: Sequence[Sequence[int]], judges: int) -> Document:
    """Return an input with the rates and correlations of an answer key."""
    graded = grade(_labeled(key, judges))
    return with_evaluation(counts, graded)


def with_evaluation(counts: Sequence[int], evaluation: Evaluation) -> Document:
    """Return an input with the point that an evaluation in rates is; a correlation that is not given is 0."""
    labels, judges = evaluation.labels, len(evaluation.accuracy)
    return with_rates(
        counts,
        [evaluation.prevalence[label] for label in labels],
        [[right[label] for label in labels] for right in evaluation.accuracy],
        [
            [evaluation.correlations.get((label, subset), mpq(0)) for subset in subsets(judges)]
            for label in labels
        ],
    )


def random_point(draws: Draws, index: int, judges: int, *, size: int) -> tuple[Document, str]:
    """Return in turn a key with its votes, its rates, the same with one vote moved, and with one rate changed."""
    width = 2**judges
    cells = draws.counts(size, 2 * width)
    key = [cells[:width], cells[width:]]
    counts = counts_of(_labeled(key, judges).observed())
    match index % 4:
        case 0:
            return with_key(counts, *key, judges=judges), f"a key of {size} questions"
        case 1:
            return with_graded(counts, key, judges), f"the rates of a key of {size} questions"
        case 2:
            old = draws.pick([place for place in range(width) if counts[place]])
            counts[old] -= 1
            counts[draws.below(width)] += 1
            return with_key(counts, *key, judges=judges), f"a key of {size} questions, one vote moved"
    document = with_graded(counts, key, judges)
    rates = document["rates"]
    rows = [rates["prevalence"], *rates["accuracies"], *(row for row in rates["correlations"] if row)]
    row = draws.pick(rows)
    row[draws.below(len(row))] = str(draws.share(size + 2))
    return document, f"the rates of a key of {size} questions, one of them replaced"


def _labeled(key: Sequence[Sequence[int]], judges: int) -> LabeledVoteCounts:
    parts = [votes_from(votes_input(counts, judges=judges)) for counts in key]
    return LabeledVoteCounts(dict(zip("ab", parts, strict=True)))


def _read(rate: Any) -> Rate:
    return Undefined.NO_QUESTIONS if rate is None else decode_number(rate)


def _written(rate: Any) -> Any:
    if isinstance(rate, mpq | Surd):
        return encode_number(rate)
    return None if isinstance(rate, Undefined) else rate


def _told(value: Rate) -> mpq | Surd | str:
    return UNDEFINED if isinstance(value, Undefined) else value


def _shown(value: Any) -> str:
    return UNDEFINED if isinstance(value, Undefined) else str(value)


# -- one judge --------------------------------------------------------------------------------------


@cache
def _postulates() -> PostulateSet:
    named = ("1", "11", "12", "16R", "5", "14", "15", "16")
    found = single()
    return PostulateSet(found[name] for name in named)


def compute(document: Document) -> dict[str, Any]:
    """Return the residuals in rates, and those in responses where the point is an answer key."""
    return residuals(_postulates(), document, spaces=tuple(Space) if "key" in document else (Space.RATES,))


def steps(document: Document) -> Iterator[str]:
    """Tell what each postulate comes to."""
    return residual_steps(_postulates(), document, compute(document)["residuals"])




def random_case(draws: Draws, index: int) -> Case:
    """Return a point of a key with a number of questions growing with the index, on or off the variety."""
    document, comment = random_point(draws, index, 1, size=2 + index * index // 8 + draws.below(3))
    return point_case(compute, document, comment)


def _key(counts: list[int], key: list[list[int]], comment: str, *flags: str) -> Case:
    return point_case(compute, with_key(counts, *key, judges=1), comment, *flags)


def _rates(counts: list[int], prevalence: list[str], accuracies: list[str | None], comment: str) -> Case:
    return point_case(compute, with_rates(counts, prevalence, [accuracies], [[], []]), comment)


FAMILY = Family(
    *declared("single-postulates"),
    input=POINT,
    expected=record(
        residuals=record(
            dict.fromkeys(("1", "11", "12", "16R", "5", "14", "15", "16"), RESIDUAL),
            optional=("1", "11", "12", "16R"),
        ),
        on=TRUTH,
    ),
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={
        "brute-force": lambda document: "key" in document and max(map(sum, document["key"])) <= 3000,
    },
)
