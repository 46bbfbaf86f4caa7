"""The family `pair-postulates`: what the postulates of two judges come to at points on and off the variety."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from gmpy2 import mpq

from ntqr_exact.algebra.notation import Quantity, of_judges
from ntqr_exact.citation import Citation
from ntqr_exact.exact.rational import rational
from ntqr_exact.postulates.pair import pair
from ntqr_exact.postulates.postulate import PostulateSet, Space
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.single_postulates import (
    ERRORS,
    KEY_WORDS,
    POINT_FLAGS,
    POINT_PARTS,
    REFUSALS,
    RESIDUAL,
    UNDEFINED_WORDS,
    point_case,
    random_point,
    residual_steps,
    residuals,
    with_key,
    with_rates,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, TRUTH, described, record
from ntqr_exact.vectors.votes_input import SHARED, WORDS, votes_from

_NAMES = ("5", "26a", "26b", "26c", "26d", "34", "35", "33a", "33b", "33c", "33d", "33e", "33f")
_MOMENT = of_judges(Quantity.PAIR_MOMENT, 0, 1).name


@cache
def _postulates() -> PostulateSet:
    found = pair()
    return PostulateSet(found[name] for name in _NAMES)


def _at_moment(moment: mpq) -> PostulateSet:
    """Return the postulates with a number for Δ."""
    return PostulateSet(
        replace(postulate, polynomial=postulate.polynomial.substitute({_MOMENT: moment}))
        for postulate in _postulates()
    )


def _moment(document: Document) -> mpq:
    observed = votes_from(document).pair_moment(0, 1)
    return rational(document["moment"]) if "moment" in document else observed


def compute(document: Document) -> dict[str, Any]:
    """Return the moment, the residuals of 26, 33 to 35, and whether all are zero."""
    moment = _moment(document)
    return {"moment": moment, **residuals(_at_moment(moment), document, spaces=[Space.RATES])}


def steps(document: Document) -> Iterator[str]:
    """Tell what each postulate comes to."""
    found = compute(document)
    given = "as given" if "moment" in document else "f_bb − f_b1·f_b2 of the votes"
    yield f"Δ = {found['moment']}, {given}"
    yield from residual_steps(_at_moment(found["moment"]), document, found["residuals"])


def edge_cases() -> Iterator[Case]:
    """Yield small keys, correlations that cannot be told apart, wrong moments, empty labels, and refusals."""
    yield _key([1, 1, 1, 1], [1, 0, 0, 1], [0, 1, 1, 0], "Γ^a = 1/4, Γ^b = −1/4")
    yield _key(
        [1, 1, 1, 1], [0, 1, 1, 0], [1, 0, 0, 1], "Γ^a = −1/4, Γ^b = 1/4: the same votes and accuracies"
    )
    yield _key([4, 2, 3, 6], [3, 1, 2, 0], [1, 1, 1, 6], "all counts different")
    yield _key(
        [4, 2, 3, 6], [1, 1, 1, 6], [3, 1, 2, 0], "the labels of the key exchanged: still on the variety"
    )
    yield _key([4, 3, 2, 6], [3, 1, 2, 0], [1, 1, 1, 6], "the judges exchanged in the votes only")
    yield _key([5, 2, 3, 5], [3, 1, 2, 0], [1, 1, 1, 6], "one vote moved from bb to aa")
    yield _key([9, 3, 3, 1], [9, 3, 3, 1], [0, 0, 0, 0], "all questions are a, judges independent")
    yield _key([9, 3, 3, 1], [0, 0, 0, 0], [9, 3, 3, 1], "all questions are b")
    yield _key([8, 4, 3, 1], [9, 3, 3, 1], [0, 0, 0, 0], "all questions are a, and the votes do not fit")
    yield _key([3, 0, 0, 2], [3, 0, 0, 0], [0, 0, 0, 2], "two judges without an error")
    yield _key([3, 0, 0, 2], [0, 0, 0, 2], [3, 0, 0, 0], "two judges who are never right")
    yield _key([1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], "one question")
    yield _key([2, 2, 2, 2], [1, 0, 0, 1], [0, 1, 1, 0], "twice the votes of the key: rates agree")
    # x_1 = 3/4, y_1 = 4/5, x_2 = 1/2, y_2 = 2/5, independent, P_a = 2/5.
    independent = [21, 29, 23, 27]
    accuracies = [["3/4", "4/5"], ["1/2", "2/5"]]
    yield _rates(
        independent,
        ["2/5", "3/5"],
        accuracies,
        ["0", "0"],
        "independent judges, in rates, not on these votes",
    )
    votes = [222, 198, 338, 242]
    yield _rates(votes, ["2/5", "3/5"], accuracies, ["0", "0"], "independent judges on their votes")
    yield _rates(votes, ["2/5", "3/5"], accuracies, ["3/10", "-1/5"], "only P_aΓ^a + P_bΓ^b is determined")
    yield _rates(votes, ["2/5", "3/5"], accuracies, ["-1/5", "3/10"], "Γ^a and Γ^b exchanged")
    yield _rates(votes, ["2/5", "3/5"], accuracies, ["1/10", "1/5"], "both correlations wrong")
    yield _rates(votes, ["3/5", "2/5"], accuracies, ["0", "0"], "prevalences exchanged")
    yield _rates(votes, ["2/5", "3/5"], accuracies[::-1], ["0", "0"], "judges exchanged")
    yield _rates(votes, ["2/5", "3/5"], [["1/2", "4/5"], ["1/2", "2/5"]], ["0", "0"], "33b holds alone")
    yield _rates(votes, ["1/5", "3/10"], accuracies, ["0", "0"], "half of both prevalences: 33a and 33b hold")
    yield _rates(
        votes, ["1", "0"], [["21/50", None], ["14/25", None]], ["-33/2500", None], "P_b = 0, rates undefined"
    )
    yield _rates(
        votes,
        ["1", "0"],
        [["21/50", None], ["14/25", None]],
        ["0", None],
        "P_b = 0, and the correlation is wrong",
    )
    yield _rates(
        votes, ["0", "1"], [[None, "29/50"], [None, "11/25"]], [None, "-33/2500"], "P_a = 0, rates undefined"
    )
    yield _rates(votes, ["2/5", "3/5"], accuracies, ["0", None], "Γ^b undefined though P_b is not 0")
    yield _rates(votes, ["2/5", "3/5"], accuracies, ["0", "0"], "a wrong moment", moment="1/10")
    yield _rates(
        votes, ["2/5", "3/5"], accuracies, ["0", "0"], "the moment of the votes, given", moment="-33/2500"
    )
    yield _rates(
        votes, ["2/5", "3/5"], accuracies, ["0", "0"], "the moment with the other sign", moment="33/2500"
    )
    large = [3 * 10**15 + 1, 10**15, 10**15, 10**15]
    yield _key(
        large,
        [3 * 10**15, 0, 0, 10**15],
        [1, 10**15, 10**15, 0],
        "rates beyond the digits of doubles",
        flag="large",
    )
    yield _key(
        [large[0] + 1, *large[1:]],
        [3 * 10**15, 0, 0, 10**15],
        [1, 10**15, 10**15, 0],
        "one vote more",
        flag="large",
    )
    yield Case(with_key([0] * 4, [0] * 4, [0] * 4, judges=2), "no question at all", ("refused",))
    yield Case(with_key([1] * 4, [0] * 4, [0] * 4, judges=2), "a key without questions", ("refused",))
    yield Case(with_key([1, 1, 1, -1], [1] * 4, [0] * 4, judges=2), "a negative count", ("refused",))
    yield Case(
        with_key([1] * 4, [1, 1, 1, -1], [1] * 4, judges=2), "a negative count in the key", ("refused",)
    )
    yield Case(with_key([1] * 8, [1] * 4, [0] * 4, judges=2), "the counts of three judges", ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return a point of a key with a number of questions growing with the index; now and then a wrong moment."""
    document, comment = random_point(draws, index, 2, size=3 + index * index // 12 + draws.below(4))
    if index % 7 == 6:
        document["moment"] = str(draws.share(20) / 4)
        comment += ", and a moment that need not be that of the votes"
    return _case(document, comment)


def _case(document: Document, comment: str, *flags: str) -> Case:
    given = ["moment"] if "moment" in document else []
    return point_case(compute, document, comment, *flags, *given)


def _key(counts: list[int], of_a: list[int], of_b: list[int], comment: str, *, flag: str = "") -> Case:
    return _case(with_key(counts, of_a, of_b, judges=2), comment, *([flag] if flag else []))


def _rates(
    counts: list[int],
    prevalence: list[str],
    accuracies: Sequence[Sequence[str | None]],
    correlations: list[str | None],
    comment: str,
    *,
    moment: str = "",
) -> Case:
    document = with_rates(counts, prevalence, accuracies, [[value] for value in correlations])
    return _case({**document, "moment": moment} if moment else document, comment)


FAMILY = Family(
    name="pair-postulates",
    version=1,
    title="Residuals of the postulates of two judges between two labels",
    citations=(
        Citation("ntqr", "eqs. 26a to 26d"),
        Citation("ntqr", "eqs. 33a to 33f; 33e and 33f with Γ^a and Γ^b as they must be"),
        Citation("ntqr", "eqs. 34 and 35"),
    ),
    algorithm=(
        WORDS + " Here N = 2, and the patterns are aa, ab, ba, bb.",
        *KEY_WORDS,
        "For two judges the list of correlations of each label holds one number, Γ^a or Γ^b.",
        REFUSALS,
        "Frequencies of the votes: f_v = (count of v)/Q; f_a1 = f_aa + f_ab, f_a2 = f_aa + f_ba, f_bi = 1 − f_ai.",
        "moment: the number Δ that is given as moment, or if none is given Δ = f_bb − f_b1·f_b2 of the votes.",
        "residuals: 5 is P_a + P_b − 1.",
        "26a is f_aa − P_a·(x_1x_2 + Γ^a) − P_b·((1 − y_1)(1 − y_2) + Γ^b). 26b is f_ab − P_a·(x_1(1 − x_2) − Γ^a) − "
        "P_b·((1 − y_1)y_2 − Γ^b). 26c is f_ba − P_a·((1 − x_1)x_2 − Γ^a) − P_b·(y_1(1 − y_2) − Γ^b). 26d is f_bb − "
        "P_a·((1 − x_1)(1 − x_2) + Γ^a) − P_b·(y_1y_2 + Γ^b).",
        "34 is Δ − (f_bb − f_b1·f_b2). 35 is Δ − (f_aa − f_a1·f_a2).",
        "With u_i = x_i − f_ai and v_i = y_i − f_bi: 33a is P_a·u_1 − P_b·v_1. 33b is P_a·u_2 − P_b·v_2. 33c is "
        "u_1v_2 − v_1u_2. 33d is u_1v_2 + P_a(Γ^a − Δ) + P_b(Γ^b − Δ). 33e is u_1v_2(u_1 + v_1) + v_1(Γ^a − Δ) + "
        "u_1(Γ^b − Δ). 33f is u_1v_2(u_2 + v_2) + v_2(Γ^a − Δ) + u_2(Γ^b − Δ).",
        UNDEFINED_WORDS,
        "on: whether all residuals are zero (none is undefined).",
    ),
    input=record(
        {**POINT_PARTS, "moment": described(RATIONAL, "Δ, if it is not that of the votes")},
        optional=("key", "rates", "moment"),
    ),
    expected=record(moment=RATIONAL, residuals=record(dict.fromkeys(_NAMES, RESIDUAL)), on=TRUTH),
    flags={
        **POINT_FLAGS,
        "moment": "Δ is given, and need not be that of the votes",
        "large": "numbers that doubles do not tell apart",
    },
    errors=ERRORS,
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"python-flint": lambda document: sum(document["counts"]) > 0},
)
