"""The registry of derivations: each identity of the paper, proven when it is asked for.

Nothing is stored: `derive("33d")` builds the postulates, divides, and returns the cofactors it found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from ntqr_exact.algebra.notation import Quantity, accuracy, correlation, frequency, of_judges, prevalence
from ntqr_exact.algebra.polynomial import sum_of
from ntqr_exact.citation import Citation
from ntqr_exact.postulates.agreement import agreement, agreement_solution
from ntqr_exact.postulates.complete import complete, marginal_definition
from ntqr_exact.postulates.construction import polynomial
from ntqr_exact.postulates.derivation import Derivation, prove
from ntqr_exact.postulates.independent import independent
from ntqr_exact.postulates.pair import pair
from ntqr_exact.postulates.postulate import Postulate, Role, Space, Status, UnknownName
from ntqr_exact.postulates.single import excess, single
from ntqr_exact.postulates.solution import OTHERS, informedness, solution

AB = ("a", "b")

_ACCURACIES = {f"by x_{judge}": (f"d_{judge} defined", f"accuracy_a_{judge}") for judge in (1, 2, 3)}
"""d_i = x_i + y_i − 1 used to replace x_i, which keeps the cofactors short."""

_Lemma: TypeAlias = tuple[Postulate, str, list[str]]
"""What is proven, in words, and the names of what it is divided by, in this order."""


def derivation_names() -> tuple[str, ...]:
    """Return the names of the equations that can be derived, in the order of the paper."""
    return tuple(_REGISTRY)


@cache
def derive(equation: str) -> Derivation:
    """Return the derivation of an equation.

    >>> derive("16").problems()
    []

    Raises `UnknownName` for an equation that is not in the registry.
    """
    if equation not in _REGISTRY:
        raise UnknownName(equation, f"equations that can be derived are {', '.join(derivation_names())}")
    return _REGISTRY[equation](equation)


# -- one judge --------------------------------------------------------------------------------------


def _single_in_responses(name: str) -> Derivation:
    known = single().responses
    given = [known[other] for other in ("11", "12", "1", "Q(a)", "Q(b)")]
    return prove(known[name], given, words="Each answer is counted under one true label; count both ways.")


def _single_in_rates(name: str) -> Derivation:
    known = single().rates
    given = [known[other] for other in ("14", "15", "5")]
    return prove(known[name], given, words="Put 14 and 15 in place of the frequencies, and 1 − P_a for P_b.")


# -- two judges -------------------------------------------------------------------------------------

_PAIR_FREQUENCIES = ("26a", "26b", "26c", "26d")
_PAIR_MARGINALS = ("f_{a_1}", "f_{b_1}", "f_{a_2}", "f_{b_2}")


def _completeness(name: str) -> Derivation:
    judges = 2 if name == "18" else 3
    known = complete(judges).rates
    given = [postulate for postulate in known if postulate.name.startswith(("26", "f(", "5"))]
    ordered = [*given[1:], given[0]]
    return prove(known[name], ordered, words="The postulates of all patterns add up to P_a + P_b.")


def _two_forms_of_the_moment(_name: str) -> Derivation:
    """Derive 35 from the definition 34."""
    known = pair().rates
    given = [known[other] for other in ("18", *_PAIR_MARGINALS, "34")]
    return prove(
        known["35"],
        given,
        words="Put 34 for Δ, write all in the frequencies of patterns, and use that these add up to 1.",
        using=("34", *_PAIR_MARGINALS, "18"),
    )


def _basis(name: str) -> Derivation:
    known, forms = pair().rates, solution()
    given = [known[other] for other in ("5", *_PAIR_FREQUENCIES, *_PAIR_MARGINALS, "34")]
    given += [forms["d_1 defined"], forms["d_2 defined"]]
    lemmas = [_excess_lemma(judge, label, _PAIR_FREQUENCIES) for judge in (0, 1) for label in AB]
    excesses = [lemma.name for lemma, _, _ in lemmas]
    lemmas.append(_moment_lemma_with_correlations(["34", *excesses, "26d", "by x_1", "by x_2", "5"]))
    return prove(
        known[name],
        given,
        lemmas,
        words="Put the lemmas in place of all that is observed.",
        using=(lemmas[-1][0].name, *excesses, "5"),
        turned=_ACCURACIES,
    )


def _excess_lemma(judge: int, label: str, patterns: Sequence[str]) -> _Lemma:
    """Return that an accuracy exceeds the share of such answers by P_other·d_i."""
    other = "b" if label == "a" else "a"
    seen = frequency({judge: label})
    lemma = Postulate(
        f"{accuracy(label, judge).symbol} − {seen.symbol}",
        excess(label, judge) - polynomial(prevalence(other)) * informedness(judge),
        Space.RATES,
        Citation("ntqr", "eqs. 14 and 15"),
        Status.DERIVED,
        solved_for=seen.name,
    )
    words = "Add up the patterns with this answer: the other judges and the correlations drop out."
    return lemma, words, [seen.symbol, *patterns, f"by x_{judge + 1}", "5"]


def _moment_lemma_with_correlations(used: list[str]) -> _Lemma:
    """Return Δ_{1,2} = P_a·Γ^a + P_b·Γ^b + P_a·P_b·d_1·d_2."""
    share = {label: polynomial(prevalence(label)) for label in AB}
    correlated = sum_of(share[label] * polynomial(correlation(label, (0, 1))) for label in AB)
    mixed = share["a"] * share["b"] * informedness(0) * informedness(1)
    seen = of_judges(Quantity.PAIR_MOMENT, 0, 1)
    lemma = Postulate(
        seen.symbol,
        polynomial(seen) - correlated - mixed,
        Space.RATES,
        Citation("ntqr", "eq. 34"),
        Status.DERIVED,
        solved_for=seen.name,
    )
    return lemma, "Covariance within the labels, and between them.", used


# -- agreement --------------------------------------------------------------------------------------


def _error_two_ways(name: str) -> Derivation:
    known = agreement()
    definition = known["29" if name == "28" else "29(2)"]
    given = [pair().rates["5"], definition]
    return prove(known[name], given, words="Not right is wrong.", using=(definition.name, "5"))


def _agreement_equation(_name: str) -> Derivation:
    """Derive 27; 20 is the same equation, misprinted."""
    known, postulates = agreement(), pair().rates
    together = replace(known["30"], role=Role.DEFINITION, name="e_{1,2}")
    given = [
        *(postulates[other] for other in ("5", "26a", "26d")),
        known["19"],
        known["29"],
        known["29(2)"],
        together,
    ]
    return prove(
        known["27"],
        given,
        words="Both agree where both are right or both are wrong.",
        using=("19", "29", "29(2)", "e_{1,2}", "26a", "26d", "5"),
    )


def _joint_error(name: str) -> Derivation:
    known, postulates = agreement(), pair().rates
    together = of_judges(Quantity.JOINT_ERROR, 0, 1).name
    platanios = replace(known["27"], role=Role.DEFINITION, solved_for=together)
    given = [
        *(postulates[other] for other in ("5", "26a", "26d")),
        known["19"],
        known["29"],
        known["29(2)"],
        platanios,
    ]
    return prove(
        known[name],
        given,
        words="Take e_{1,2} from 27, as the paper does, and put in what agreement and errors are.",
        using=("27", "19", "29", "29(2)", "26a", "26d", "5"),
    )


def _product_rule_defect(name: str) -> Derivation:
    known = agreement()
    together = replace(known["30"], role=Role.DEFINITION)
    given = [pair().rates["5"], known["29"], known["29(2)"], together]
    return prove(
        known[name],
        given,
        words="How far errors of two judges are from being independent over the whole test.",
        using=("30", "29", "29(2)", "5"),
    )


def _agreement_solution(name: str) -> Derivation:
    known = agreement_solution()
    hypotheses = [postulate for postulate in known if postulate.name.startswith("21")]
    equations = [postulate for postulate in known if postulate.name.startswith("27")]
    given = [*hypotheses, *equations, known["c defined"]]
    used = [postulate.name for postulate in (known["c defined"], *equations, *hypotheses)]
    return prove(
        known[name], given, words="If e_ij = e_i·e_j, then 2a_ij − 1 = (1 − 2e_i)(1 − 2e_j).", using=used
    )


# -- three independent judges -----------------------------------------------------------------------

_PATTERNS = ("41", "42", "43", "47", "44", "46", "45", "48")
_PAIRS = ((0, 1), (0, 2), (1, 2))
_DEFINITIONS = ("34", "34(1,3)", "34(2,3)", "T defined")
_MOMENTS = ("Delta_12", "Delta_13", "Delta_23", "T")


def _trio_givens() -> list[Postulate]:
    known, forms = independent(3), solution()
    return [
        known["5"],
        *(known[name] for name in _PATTERNS),
        *(marginal_definition({i: "b", j: "b"}, 3, AB) for i, j in _PAIRS),
        *(postulate for postulate in known if postulate.name.startswith("f_{")),
        *(
            forms[name]
            for name in (*_DEFINITIONS, *(f"d_{judge + 1} defined" for judge in range(3)), "s defined")
        ),
    ]


def _trio_lemmas() -> tuple[list[_Lemma], list[str]]:
    """Return the lemmas from answers to moments, and the names of those on single answers."""
    forms = solution()
    lemmas = [_excess_lemma(judge, label, _PATTERNS) for judge in range(3) for label in AB]
    excesses = [lemma.name for lemma, _, _ in lemmas]
    to_rates = [*excesses, *(f"f_{{b_{i + 1},b_{j + 1}}}" for i, j in _PAIRS), *_PATTERNS, *_ACCURACIES, "5"]
    words = "The covariance of two judges comes from the mixture of two kinds of questions alone."
    for lemma, moment in zip(_MOMENTS[:3], _DEFINITIONS[:3], strict=True):
        lemmas.append((forms[lemma], words, [moment, *to_rates]))
    words = "The third central moment of the mixture, with the lemmas in place of the three Δ."
    lemmas.append((forms["T"], words, ["T defined", *_MOMENTS[:3], *to_rates]))
    return lemmas, excesses


def _moment_lemma(name: str) -> Derivation:
    lemmas, _ = _trio_lemmas()
    place = [lemma.name for lemma, _, _ in lemmas].index(name)
    claim, words, used = lemmas[place]
    return prove(claim, _trio_givens(), lemmas[:place], words=words, using=used, turned=_ACCURACIES)


def _closed_form(name: str) -> Derivation:
    lemmas, _ = _trio_lemmas()
    words = {
        "39": "With the lemmas A = (P_a·P_b·d_1·d_2·d_3)², and P_a² − P_a = −P_a·P_b.",
        "s^2": "The discriminant is a square: this is the test of the square root.",
        "40": "The moments differ by the factor P_a − P_b = 2P_a − 1.",
    }.get(name, "Put the lemmas for the moments and the definition for s.")
    return prove(
        solution()[name],
        _trio_givens(),
        lemmas,
        words=words,
        using=["s defined", *_MOMENTS, "5"],
        turned=_ACCURACIES,
    )


def _rate_form(name: str) -> Derivation:
    lemmas, excesses = _trio_lemmas()
    return prove(
        solution()[name],
        _trio_givens(),
        lemmas,
        words="An accuracy exceeds the share of such answers by P_b·d_i, or P_a·d_i for label b.",
        using=["s defined", *_MOMENTS, *excesses, "5"],
        turned=_ACCURACIES,
    )


_REGISTRY: dict[str, Callable[[str], Derivation]] = {
    "13": _single_in_responses,
    "16": _single_in_rates,
    "16R": _single_in_responses,
    "18": _completeness,
    "20": _agreement_equation,
    "22": _agreement_solution,
    "23": _agreement_solution,
    "27": _agreement_equation,
    "28": _error_two_ways,
    "30": _joint_error,
    "32": _product_rule_defect,
    **dict.fromkeys(("33a", "33b", "33c", "33d", "33e", "33f"), _basis),
    "34": _two_forms_of_the_moment,
    "35": _two_forms_of_the_moment,
    "37": _basis,
    "38": _completeness,
    **dict.fromkeys(_MOMENTS, _moment_lemma),
    "39": _closed_form,
    "s^2": _closed_form,
    "40": _closed_form,
    **{f"d_{judge + 1}": _closed_form for judge in OTHERS},
    **{f"{letter}_{judge + 1}": _rate_form for judge in OTHERS for letter in "xy"},
}
