"""Points on and off the variety of some votes: an answer key or rates, and what postulates come to at them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

from gmpy2 import mpq

from ntqr_exact.algebra.notation import Quantity, of_judges
from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import Evaluation, Rate, Undefined
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.exact.json_text import decode_number, encode_number
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.postulates.pair import pair
from ntqr_exact.postulates.postulate import PostulateSet, Space
from ntqr_exact.postulates.single import single
from ntqr_exact.postulates.trio import trio
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


def _residuals(postulates: PostulateSet, document: Document, *, spaces: Iterable[Space]) -> dict[str, Any]:
    """Return the residual of each postulate of some spaces, and whether all are zero."""
    votes, truth = votes_from(document), _truth_from(document)
    wanted = tuple(spaces)
    found = {
        postulate.name: _told(postulate.residual(truth, votes))
        for postulate in postulates
        if postulate.space in wanted
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


def _random_point(draws: Draws, index: int, judges: int, *, size: int) -> Case:
    """Return in turn a key with its votes, its rates, the same with one vote moved, and with one rate changed."""
    width = 2**judges
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


@cache
def _postulates() -> PostulateSet:
    named = ("1", "11", "12", "16R", "5", "14", "15", "16")
    found = single()
    return PostulateSet(found[name] for name in named)


def _single(document: Document) -> dict[str, Any]:
    return _residuals(_postulates(), document, spaces=tuple(Space) if "key" in document else (Space.RATES,))


def _single_steps(document: Document) -> Iterator[str]:
    return _residual_steps(_postulates(), document, _single(document)["residuals"])


def _single_case(draws: Draws, index: int) -> Case:
    """Return a point of a key with a number of questions growing with the index, on or off the variety."""
    return _random_point(draws, index, 1, size=2 + index * index // 8 + draws.below(3))


_SINGLE_POSTULATES = Family(
    *declared("single-postulates", _single, _single_steps, _single_case),
    flags=_POINT_FLAGS,
    witnesses={
        "brute-force": lambda document, _: "key" in document and max(map(sum, document["key"])) <= 3000
    },
)


_NAMES = ("5", "26a", "26b", "26c", "26d", "34", "35", "33a", "33b", "33c", "33d", "33e", "33f")
_MOMENT = of_judges(Quantity.PAIR_MOMENT, 0, 1).name


@cache
def _pair_postulates() -> PostulateSet:
    found = pair()
    return PostulateSet(found[name] for name in _NAMES)


def _at_moment(moment: mpq) -> PostulateSet:
    """Return the postulates with a number for Δ."""
    return PostulateSet(
        replace(postulate, polynomial=postulate.polynomial.substitute({_MOMENT: moment}))
        for postulate in _pair_postulates()
    )


def _moment(document: Document) -> mpq:
    observed = votes_from(document).pair_moment(0, 1)
    return rational(document["moment"]) if "moment" in document else observed


def _pair(document: Document) -> dict[str, Any]:
    moment = _moment(document)
    return {"moment": moment, **_residuals(_at_moment(moment), document, spaces=[Space.RATES])}


def _pair_steps(document: Document) -> Iterator[str]:
    found = _pair(document)
    given = "as given" if "moment" in document else "f_bb − f_b1·f_b2 of the votes"
    yield f"Δ = {found['moment']}, {given}"
    yield from _residual_steps(_at_moment(found["moment"]), document, found["residuals"])


def _pair_case(draws: Draws, index: int) -> Case:
    """Return a point of a key with a number of questions growing with the index; now and then a wrong moment."""
    case = _random_point(draws, index, 2, size=3 + index * index // 12 + draws.below(4))
    if index % 7 == 6:
        document = {**case.input, "moment": str(draws.share(20) / 4)}
        return Case(document, f"{case.comment}, and a moment that need not be that of the votes")
    return case


_PAIR_POSTULATES = Family(
    *declared("pair-postulates", _pair, _pair_steps, _pair_case),
    flags={**_POINT_FLAGS, "moment": lambda given, _: "moment" in given},
    witnesses={"python-flint": lambda document, _: sum(document["counts"]) > 0},
)


_PATTERNS = tuple(f"f({','.join(name)})" for name in pattern_names("ab", 3))
_TRIO_NAMES = ("5", *_PATTERNS, "38")


@cache
def _trio_postulates() -> PostulateSet:
    found = trio()
    return PostulateSet(found[name] for name in _TRIO_NAMES)


def _trio(document: Document) -> dict[str, Any]:
    return _residuals(_trio_postulates(), document, spaces=[Space.RATES])


def _trio_steps(document: Document) -> Iterator[str]:
    return _residual_steps(_trio_postulates(), document, _trio(document)["residuals"])


def _trio_case(draws: Draws, index: int) -> Case:
    """Return a point of a key with a number of questions growing with the index, on or off the variety."""
    return _random_point(draws, index, 3, size=4 + index * index // 24 + draws.below(5))


_TRIO_POSTULATES = Family(
    *declared("trio-postulates", _trio, _trio_steps, _trio_case),
    flags=_POINT_FLAGS,
    witnesses={"brute-force": lambda document, _: "key" in document and len(document["counts"]) == 8},
)

FAMILIES = (_SINGLE_POSTULATES, _PAIR_POSTULATES, _TRIO_POSTULATES)
