"""The family `trio-postulates`: what the complete postulates of three judges come to, on and off the variety."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.postulates.postulate import PostulateSet, Space
from ntqr_exact.postulates.trio import trio
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.single_postulates import (
    ERRORS,
    KEY_WORDS,
    POINT,
    POINT_FLAGS,
    REFUSALS,
    RESIDUAL,
    UNDEFINED_WORDS,
    point_case,
    random_point,
    residual_steps,
    residuals,
    with_evaluation,
    with_graded,
    with_key,
    with_rates,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import TRUTH, record
from ntqr_exact.vectors.forms.votes import SHARED, WORDS, counts_of, pattern_names, votes_from, votes_input

_PATTERNS = tuple(f"f({','.join(name)})" for name in pattern_names("ab", 3))
_NAMES = ("5", *_PATTERNS, "38")


@cache
def _postulates() -> PostulateSet:
    found = trio()
    return PostulateSet(found[name] for name in _NAMES)


def compute(document: Document) -> dict[str, Any]:
    """Return the residuals of the complete set, and whether all are zero."""
    return residuals(_postulates(), document, spaces=[Space.RATES])


def steps(document: Document) -> Iterator[str]:
    """Tell what each postulate comes to."""
    return residual_steps(_postulates(), document, compute(document)["residuals"])




def _irrational() -> Iterator[Case]:
    """Yield the independent solutions of votes that no independent judges gave: on the variety, over Q(√A)."""
    tests: dict[str, Sequence[int]] = {
        "two-norm": counts_of(EXAMPLES["two-norm"].votes),
        "Q = 6, A > 0": (0, 1, 1, 0, 1, 0, 0, 3),
        "Q = 6, A < 0: imaginary rates": (0, 1, 1, 1, 1, 1, 1, 0),
    }
    for name, counts in tests.items():
        for evaluation in solve_independent(votes_from(votes_input(counts))).solutions:
            yield _case(with_evaluation(counts, evaluation), f"{name}: an independent solution", "surd")
        document = with_evaluation(counts, evaluation)
        document["rates"]["accuracies"][0][0] = "1/2"
        yield _case(document, f"{name}: an accuracy replaced by 1/2", "surd")


def random_case(draws: Draws, index: int) -> Case:
    """Return a point of a key with a number of questions growing with the index, on or off the variety."""
    document, comment = random_point(draws, index, 3, size=4 + index * index // 24 + draws.below(5))
    return _case(document, comment)


def _case(document: Document, comment: str, *flags: str) -> Case:
    return point_case(compute, document, comment, *flags)


def _key(counts: Sequence[int], of_a: Sequence[int], of_b: Sequence[int], comment: str, *flags: str) -> Case:
    return _case(with_key(counts, of_a, of_b, judges=3), comment, *flags)


def _rates(
    counts: Sequence[int], prevalence: list[str], accuracies: list[Any], correlations: list[Any], comment: str
) -> Case:
    return _case(with_rates(counts, prevalence, accuracies, correlations), comment)


FAMILY = Family(
    *declared("trio-postulates"),
    input=POINT,
    expected=record(residuals=record(dict.fromkeys(_NAMES, RESIDUAL)), on=TRUTH),
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={
        "brute-force": lambda document: "key" in document and len(document["counts"]) == 8,
    },
)
