"""`ntqr`, the package of the paper's author: data sketches, evaluators, sets of evaluations and axioms.

Its results are exact, as sympy numbers, and are compared exactly; two of its counts are floats. It speaks of the labels
a and b only, where it evaluates, and of three judges. Sets are counted by listing them, hence of small tests only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from benchmarks.peers.conformance import (
    ACCEPTED,
    ITEMS,
    MISSING,
    NAN,
    REFUSED,
    VALUE,
    NotAsked,
    Peer,
    Quantity,
    exactly,
)
from benchmarks.peers.ntqr_alarms import ALARMS
from benchmarks.peers.ntqr_postulates import POSTULATES
from benchmarks.peers.ntqr_sets import LONGEST, SETS
from benchmarks.peers.sympy_numbers import surd_from_sympy
from ntqr_exact.exact.json_text import as_document
from ntqr_exact.vectors.files import Test

PAIRS = ((0, 1), (0, 2), (1, 2))
TRIO = tuple(product("ab", repeat=3))


def exact(value: Any) -> Any:
    """Return one of its numbers as JSON; nan and the infinities of sympy are nan."""
    import sympy

    number = sympy.sympify(value)
    if number.has(sympy.nan, sympy.zoo, sympy.oo):
        return NAN
    return as_document(surd_from_sympy(sympy.radsimp(number)))


def _counts(document: dict[str, Any], counts: list[Any]) -> dict[tuple[str, ...], Any]:
    """Three judges, the labels a and b, and a count for each pattern: nothing else can be put to it."""
    if document["labels"] != ["a", "b"] or document["judges"] != 3 or len(counts) != len(TRIO):
        raise NotAsked
    return dict(zip(TRIO, map(_whole, counts), strict=True))


def _whole(count: Any) -> Any:
    import sympy

    number = exactly(count)
    return (
        number.numerator if number.denominator == 1 else sympy.Rational(number.numerator, number.denominator)
    )


def _votes(document: dict[str, Any]) -> Any:
    from ntqr import TrioVoteCounts

    return TrioVoteCounts(_counts(document, document["counts"]))


# -- moments and the independent evaluation ----------------------------------------------------------


def _trio_moment(votes: Any) -> Any:
    return votes.to_frequencies_exact()["b", "b", "b"] - votes.trio_frequency_moment()


def _independent(document: dict[str, Any]) -> Any:
    return _independent_of(tuple(_counts(document, document["counts"]).items()))


@lru_cache(maxsize=1)  # one evaluation answers several questions in a row, and takes long
def _independent_of(counts: tuple[tuple[tuple[str, ...], Any], ...]) -> Any:
    from ntqr import ErrorIndependentEvaluation, TrioVoteCounts

    return ErrorIndependentEvaluation(TrioVoteCounts(dict(counts)))


def _quadratic(document: dict[str, Any]) -> list[Any]:
    terms = _independent(document).alpha_prevalence_quadratic_terms()
    return [exact(terms[power]) for power in (2, 1, 0)]


def _solutions(document: dict[str, Any]) -> list[Any]:
    """Its two solutions in the order of the vectors, which put the one with +√A first; it puts P_a < 1/2 first."""
    found = _independent(document)
    moment, leading = _trio_moment(found.vote_counts), found.alpha_prevalence_quadratic_terms()[2]
    solutions = found.evaluation_exact
    return list(reversed(solutions)) if (moment > 0) == (leading > 0) else list(solutions)


def _accuracies(evaluation: Any) -> list[Any]:
    return [[exact(rates[label]) for label in "ab"] for rates in evaluation["accuracy"]]


# -- grading by majority and by key ------------------------------------------------------------------


def _majority(place: int, part: str) -> Quantity:
    def ask(document: dict[str, Any]) -> Any:
        from ntqr import MajorityVotingEvaluation

        if document["ties"] == "coin":  # it has no policies, and three judges have no ties
            raise NotAsked
        evaluation = MajorityVotingEvaluation(_votes(document)).evaluation_exact[place]
        if part == "accuracies":
            return _accuracies(evaluation)
        return [exact(evaluation["prevalence"][label]) for label in "ab"]

    return ask


def _graded(document: dict[str, Any]) -> Any:
    from ntqr import SupervisedEvaluation, TrioLabelVoteCounts

    if len(document["counts_by_key"]) != 2:
        raise NotAsked
    by_key = [_counts(document, counts) for counts in document["counts_by_key"]]
    evaluator = SupervisedEvaluation(TrioLabelVoteCounts(dict(zip("ab", by_key, strict=True))))
    return evaluator.evaluation_exact


def _response_rates(document: dict[str, Any]) -> list[Any]:
    def both(right: Any, *, first: bool) -> list[Any]:
        rates = [exact(right), exact(1 - right)]
        return rates if first else rates[::-1]

    return [[both(r["a"], first=True), both(r["b"], first=False)] for r in _graded(document)["accuracy"]]


def _correlations(name: str, subsets: tuple[tuple[int, ...], ...]) -> Quantity:
    def ask(document: dict[str, Any]) -> Any:
        found = _graded(document)[name]
        return [[exact(found[subset][label]) for subset in subsets] for label in "ab"]

    return ask


ASKED: dict[str, dict[str, Quantity]] = {
    "vote-moments": {
        "frequencies": lambda d: [exact(f) for f in _votes(d).to_frequencies_exact().values()],
        "rates": lambda d: [exact(_votes(d).classifier_label_frequency(judge, "b")) for judge in range(3)],
        "pair_moments": lambda d: [exact(_votes(d).pair_frequency_moment(pair, "b")) for pair in PAIRS],
        "trio_moment": lambda d: exact(_trio_moment(_votes(d))),
    },
    "independent-binary": {
        "quadratic": _quadratic,
        "solutions/*/prevalence": lambda d: [exact(s["prevalence"]["a"]) for s in _solutions(d)],
        "solutions/*/accuracies": lambda d: [_accuracies(s) for s in _solutions(d)],
    },
    "majority": {
        "if_right/prevalence": _majority(0, "prevalence"),
        "if_right/accuracies": _majority(0, "accuracies"),
        "if_wrong/prevalence": _majority(1, "prevalence"),
        "if_wrong/accuracies": _majority(1, "accuracies"),
    },
    "grade": {
        "prevalence": lambda d: [exact(_graded(d)["prevalence"][label]) for label in "ab"],
        "response_rates": _response_rates,
        "pair_correlations": _correlations("pair_correlation", PAIRS),
        "trio_correlations": _correlations("3_way_correlation", ((0, 1, 2),)),
    },
    **SETS,
    **ALARMS,
    **POSTULATES,
}


@dataclass(frozen=True)
class Failure:
    """A test that fails, in which quantity and in which way."""

    test: Test
    quantity: str
    kind: str

    @property
    def family(self) -> str:
        return self.test.id.partition("/")[0]


Condition = Callable[[Failure], bool]

CAUSES: tuple[tuple[str, Condition], ...] = (
    ("A count that is not whole is taken.", lambda f: f.kind == ACCEPTED and f.family == "vote-moments"),
    ("A negative count by true label is taken.", lambda f: f.kind == ACCEPTED and f.family == "grade"),
    (
        "The alarm checks neither factors, which must be above 1, nor that answers are not negative and that there "
        "are any.",
        lambda f: f.kind == ACCEPTED and f.family.startswith("logical-alarm"),
    ),
    (
        "Sets of evaluations check neither labels, judges, counts nor key counts, and count on.",
        lambda f: f.kind == ACCEPTED,
    ),
    (
        "At T = 0 accuracies are computed by a division by T and come out as nan; P_a = 1/2 is right.",
        lambda f: f.kind == MISSING and "t-zero" in f.test.body["flags"],
    ),
    (
        "The moment of a pair vanishes in a way that contradicts independence: there is no evaluation, yet "
        "prevalences of 0 and 1 are returned.",
        lambda f: f.kind == ITEMS and "contradiction" in f.test.body["flags"],
    ),
    (
        "The polynomial of the pattern b, a, b has Γ^a_12 in a place where Γ^a_13 belongs.",
        lambda f: f.quantity == "residuals/f(b,a,b)",
    ),
    (
        "The formula for three labels has one factor too many: C(Q + 9, 9) in place of C(Q + 8, 8).",
        lambda f: (
            f.quantity == "possible" and f.family == "possible-single" and len(f.test.input["labels"]) == 3
        ),
    ),
    (
        "`ConsistentSet.correct_cuboid_generator` raises a TypeError as soon as there is an evaluation to project.",
        lambda f: (
            f.kind == REFUSED and (f.test.input.get("evaluations") == "individual" or "right" in f.test.input)
        ),
    ),
    (
        "A test without questions is refused; it has one evaluation.",
        lambda f: f.kind == REFUSED and f.test.input.get("responses") == [0, 0],
    ),
    (
        "`ConsistentSet.set_generator` leaves evaluations out with three labels or more: of a pattern's questions no "
        "more go to the other labels together than the label with the largest key count has.",
        lambda f: f.kind == VALUE and f.quantity.startswith("consistent") and len(f.test.input["labels"]) > 2,
    ),
)
"""What is behind a failure: the first sentence whose condition holds."""


def _cause(test: Test, quantity: str, kind: str) -> str:
    failure = Failure(test, quantity, kind)
    unexplained = f"{failure.family}, `{quantity}`: {kind}."
    return next((cause for cause, holds in CAUSES if holds(failure)), unexplained)


PEER = Peer(
    "ntqr",
    ASKED,
    _cause,
    (
        "Its exact results, sympy numbers, are compared exactly, floats within the tolerance; nan and the infinities "
        "of sympy count as its word for undefined. Its evaluators know three judges and the labels a and b. Sets of "
        f"evaluations are counted by listing them: of sets beyond {LONGEST} it is not asked. Polynomials are "
        "compared by their values; where its sign is the other one, the value is negated. It returns the two "
        "independent solutions in another order, which is not counted against it.",
        "Its logical alarm goes through all errors, so that it is asked at small sizes only; it looks at each judge by "
        "itself and has no minimum grade.",
        "Not the same thing, and hence not asked: `PosteriorSingleEvaluations.find_k_nearest_at_prevalence` measures "
        "distances in rates, and `nearest-evaluation` in counts. It returns no alarms of the independent "
        "solution: its users have to look at the roots.",
    ),
)
