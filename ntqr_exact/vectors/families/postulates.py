"""Points on and off the variety of some votes: an answer key or rates, and what postulates come to at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import Evaluation, Rate, Undefined
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.exact.json_text import decode_number, encode_number
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.postulates.equations import pair, single, trio
from ntqr_exact.postulates.postulate import PostulateSet, Space
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family, Predicate
from ntqr_exact.vectors.forms.votes import counts_of, pattern_names, votes_from, votes_input
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.labeled import LabeledVoteCounts

_UNDEFINED = "undefined"


_POINT_FLAGS: dict[str, Predicate] = {
    "on": lambda _, found: found["on"],
    "off": lambda _, found: not found["on"],
    _UNDEFINED: lambda _, found: _UNDEFINED in found["residuals"].values(),
    "rates": lambda given, _: "rates" in given,
}
"""Flags of every family of postulates."""


def _subsets(judges: int) -> list[tuple[int, ...]]:
    """Return the two or more judges who have a correlation, in the order of an input."""
    return [subset for size in range(2, judges + 1) for subset in combinations(range(judges), size)]


def _truth_from(document: Document) -> LabeledVoteCounts | Evaluation:
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
            for subset, rate in zip(_subsets(judges), row, strict=True)
        },
    )


def _residuals(postulates: PostulateSet, document: Document) -> dict[str, Any]:
    """Return the residuals in rates, and those in responses where the point is an answer key; and if all are zero."""
    votes, truth = votes_from(document), _truth_from(document)
    found = {
        postulate.name: _told(postulate.residual(truth, votes))
        for postulate in postulates
        if postulate.space is Space.RATES or "key" in document
    }
    return {"residuals": found, "on": all(value == 0 for value in found.values())}


def _residual_steps(postulates: PostulateSet, document: Document, found: Mapping[str, Any]) -> Iterator[str]:
    """Tell each postulate, with the numbers of the votes put in, and what it comes to."""
    votes, truth = votes_from(document), _truth_from(document)
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


def _random_point(judges: int, draws: Draws, index: int) -> Case:
    """Return in turn a key with its votes, its rates, the same with one vote moved, and with one rate changed."""
    width, size = 2**judges, judges + 1 + index * index // (8, 12, 24)[judges - 1] + draws.below(judges + 2)
    cells = draws.counts(size, 2 * width)
    key = [cells[:width], cells[width:]]
    counts = counts_of(_labeled(key).observed())
    match index % 4:
        case 0:
            return Case({**votes_input(counts, judges=judges), "key": key}, f"a key of {size} questions")
        case 1:
            return Case(_with_graded(counts, key), f"the rates of a key of {size} questions")
        case 2:
            old = draws.pick([place for place in range(width) if counts[place]])
            counts[old] -= 1
            counts[draws.below(width)] += 1
            document = {**votes_input(counts, judges=judges), "key": key}
            return Case(document, f"a key of {size} questions, one vote moved")
    document = _with_graded(counts, key)
    rates = document["rates"]
    rows = [rates["prevalence"], *rates["accuracies"], *(row for row in rates["correlations"] if row)]
    row = draws.pick(rows)
    row[draws.below(len(row))] = str(draws.share(size + 2))
    return Case(document, f"the rates of a key of {size} questions, one of them replaced")


def _with_graded(counts: Sequence[int], key: Sequence[Sequence[int]]) -> Document:
    """Return an input with the rates and correlations of an answer key."""
    graded = grade(_labeled(key))
    labels, judges = graded.labels, len(graded.accuracy)
    return {
        **votes_input(counts, judges=judges),
        "rates": {
            "prevalence": [_written(graded.prevalence[label]) for label in labels],
            "accuracies": [[_written(right[label]) for label in labels] for right in graded.accuracy],
            "correlations": [
                [_written(graded.correlations[label, subset]) for subset in _subsets(judges)]
                for label in labels
            ],
        },
    }


def _labeled(key: Sequence[Sequence[int]]) -> LabeledVoteCounts:
    judges = len(key[0]).bit_length() - 1
    parts = [votes_from(votes_input(counts, judges=judges)) for counts in key]
    return LabeledVoteCounts(dict(zip("ab", parts, strict=True)))


def _read(rate: Any) -> Rate:
    return Undefined.NO_QUESTIONS if rate is None else decode_number(rate)


def _written(rate: Rate) -> Any:
    return None if isinstance(rate, Undefined) else encode_number(rate)


def _told(value: Rate) -> mpq | Surd | str:
    return _UNDEFINED if isinstance(value, Undefined) else value


def _shown(value: Any) -> str:
    return _UNDEFINED if isinstance(value, Undefined) else str(value)


_PATTERNS = tuple(f"f({','.join(name)})" for name in pattern_names("ab", 3))
_SETS: dict[int, tuple[Callable[[], PostulateSet], tuple[str, ...]]] = {
    1: (single, ("1", "11", "12", "16R", "5", "14", "15", "16")),
    2: (pair, ("5", "26a", "26b", "26c", "26d", "34", "35", "33a", "33b", "33c", "33d", "33e", "33f")),
    3: (trio, ("5", *_PATTERNS, "38")),
}
"""The postulates of so many judges, and the names of those that are asked for."""
_MOMENT = "D12"


@cache
def _postulates(judges: int) -> PostulateSet:
    made, names = _SETS[judges]
    found = made()
    return PostulateSet(found[name] for name in names)


def _point(judges: int, document: Document) -> dict[str, Any]:
    return _residuals(_postulates(judges), document)


def _point_steps(judges: int, document: Document) -> Iterator[str]:
    return _residual_steps(_postulates(judges), document, _point(judges, document)["residuals"])


def _at_moment(moment: mpq) -> PostulateSet:
    """Return the postulates of two judges with a number for Δ."""
    return PostulateSet(
        replace(postulate, text=postulate.polynomial.substitute({_MOMENT: moment}).text())
        for postulate in _postulates(2)
    )


def _pair(document: Document) -> dict[str, Any]:
    observed = votes_from(document).pair_moment(0, 1)
    moment = rational(document["moment"]) if "moment" in document else observed
    return {"moment": moment, **_residuals(_at_moment(moment), document)}


def _pair_steps(document: Document) -> Iterator[str]:
    found = _pair(document)
    given = "as given" if "moment" in document else "f_bb − f_b1·f_b2 of the votes"
    yield f"Δ = {found['moment']}, {given}"
    yield from _residual_steps(_at_moment(found["moment"]), document, found["residuals"])


def _pair_case(draws: Draws, index: int) -> Case:
    """Return any point; now and then with a wrong moment."""
    case = _random_point(2, draws, index)
    if index % 7 == 6:
        document = {**case.input, "moment": str(draws.share(20) / 4)}
        return Case(document, f"{case.comment}, and a moment that need not be that of the votes")
    return case


FAMILIES = (
    Family(
        *declared(
            "single-postulates", partial(_point, 1), partial(_point_steps, 1), partial(_random_point, 1)
        ),
        flags=_POINT_FLAGS,
        witnesses={
            "brute-force": lambda document, _: "key" in document and max(map(sum, document["key"])) <= 3000
        },
    ),
    Family(
        *declared("pair-postulates", _pair, _pair_steps, _pair_case),
        flags={**_POINT_FLAGS, "moment": lambda given, _: "moment" in given},
        witnesses={"python-flint": lambda document, _: sum(document["counts"]) > 0},
    ),
    Family(
        *declared("trio-postulates", partial(_point, 3), partial(_point_steps, 3), partial(_random_point, 3)),
        flags=_POINT_FLAGS,
        witnesses={"brute-force": lambda document, _: "key" in document and len(document["counts"]) == 8},
    ),
)
