"""The registry of derivations: each identity of the paper, proven when it is asked for.

Nothing is stored: `derive("33d")` builds the postulates, divides, and returns the cofactors it found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations, product
from typing import TypeAlias

from ntqr_exact.algebra.notation import accuracy, frequency
from ntqr_exact.citation import Citation
from ntqr_exact.postulates.complete import complete, independent, marginal_definition
from ntqr_exact.postulates.derivation import Derivation, prove
from ntqr_exact.postulates.equations import (
    agreement,
    agreement_solution,
    pair,
    read_equation,
    single,
    solution,
)
from ntqr_exact.postulates.postulate import Postulate, Role, Space, Status, UnknownName

_AB = ("a", "b")

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


# -- what one division proves -----------------------------------------------------------------------


def _divided(name: str, *, given: str, words: str, using: str = "", claim: str = "") -> Derivation:
    """Divide a claim, which is the equation named if none is given, by what is given, in the order of `using`."""
    known = _named_equations()
    givens = [known[each] for each in given.split("; ")]
    return prove(known[claim or name], givens, words=words, using=using.split("; ") if using else None)


@cache
def _named_equations() -> dict[str, Postulate]:
    """Return the equations of one, two and three judges by name, and three of them as definitions of e_{1,2}."""
    sets = (single(), pair().rates, agreement(), agreement_solution(), complete(3).rates)
    known = {each.name: each for some in reversed(sets) for each in some}
    together = replace(known["30"], role=Role.DEFINITION)
    by_agreement = replace(known["27"], role=Role.DEFINITION, solved_for=together.solved_for)
    return known | {
        "30 defines": together,
        "e_{1,2} defined": replace(together, name="e_{1,2}"),
        "27 defines": by_agreement,
    }


_IN_RESPONSES = partial(
    _divided,
    given="11; 12; 1; Q(a); Q(b)",
    words="Each answer is counted under one true label; count both ways.",
)
_MARGINALS = "f_{a_1}; f_{b_1}; f_{a_2}; f_{b_2}"
_TWO_FORMS_OF_THE_MOMENT = partial(
    _divided,
    claim="35",
    given=f"18; {_MARGINALS}; 34",
    words="Put 34 for Δ, write all in the frequencies of patterns, and use that these add up to 1.",
    using=f"34; {_MARGINALS}; 18",
)
_ALL_PATTERNS = partial(_divided, words="The postulates of all patterns add up to P_a + P_b.")
_AGREEMENT_EQUATION = partial(  # 20 is the same equation, misprinted
    _divided,
    claim="27",
    given="5; 26a; 26d; 19; 29; 29(2); e_{1,2} defined",
    words="Both agree where both are right or both are wrong.",
    using="19; 29; 29(2); e_{1,2}; 26a; 26d; 5",
)
_JOINT_ERROR = partial(
    _divided,
    given="5; 26a; 26d; 19; 29; 29(2); 27 defines",
    words="Take e_{1,2} from 27, as the paper does, and put in what agreement and errors are.",
    using="27; 19; 29; 29(2); 26a; 26d; 5",
)
_PRODUCT_RULE_DEFECT = partial(
    _divided,
    given="5; 29; 29(2); 30 defines",
    words="How far errors of two judges are from being independent over the whole test.",
    using="30; 29; 29(2); 5",
)
_RULES, _PRODUCTS = "27; 27(1,3); 27(2,3)", "21; 21(1,3); 21(2,3)"
_AGREEMENT_SOLUTION = partial(
    _divided,
    given=f"{_PRODUCTS}; {_RULES}; c defined",
    words="If e_ij = e_i·e_j, then 2a_ij − 1 = (1 − 2e_i)(1 − 2e_j).",
    using=f"c defined; {_RULES}; {_PRODUCTS}",
)


# -- two judges -------------------------------------------------------------------------------------


def _basis(name: str) -> Derivation:
    known, forms, patterns = pair().rates, solution(), ("26a", "26b", "26c", "26d")
    given = [known[other] for other in ("5", *patterns, *_MARGINALS.split("; "), "34")]
    lemmas = [_excess_lemma(judge, label, patterns) for judge in (1, 2) for label in _AB]
    excesses = [lemma.name for lemma, _, _ in lemmas]
    moment = _lemma("Δ_{1,2}", "D12 - (Pa*Ga12 + Pb*Gb12 + Pa*Pb*d1*d2)", "eq. 34", "pair_moment_1_2")
    used = ["34", *excesses, "26d", "by x_1", "by x_2", "5"]
    lemmas.append((moment, "Covariance within the labels, and between them.", used))
    return prove(
        known[name],
        [*given, forms["d_1 defined"], forms["d_2 defined"]],
        lemmas,
        words="Put the lemmas in place of all that is observed.",
        using=(moment.name, *excesses, "5"),
        turned=_ACCURACIES,
    )


def _excess_lemma(judge: int, label: str, patterns: Sequence[str]) -> _Lemma:
    """Return that an accuracy exceeds the share of such answers by P_other·d_i."""
    form = f"u{judge} - Pb*d{judge}" if label == "a" else f"v{judge} - Pa*d{judge}"
    right, seen = accuracy(label, judge - 1), frequency({judge - 1: label})
    lemma = _lemma(f"{right.symbol} − {seen.symbol}", form, "eqs. 14 and 15", seen.name)
    words = "Add up the patterns with this answer: the other judges and the correlations drop out."
    return lemma, words, [seen.symbol, *patterns, f"by x_{judge}", "5"]


def _lemma(name: str, form: str, place: str, solved_for: str) -> Postulate:
    citation = Citation("ntqr", place)
    return Postulate(name, read_equation(form), Space.RATES, citation, Status.DERIVED, solved_for=solved_for)


# -- three independent judges -----------------------------------------------------------------------

_PATTERNS = ("41", "42", "43", "47", "44", "46", "45", "48")
_DEFINITIONS = ("34", "34(1,3)", "34(2,3)", "T defined")
_MOMENTS = ("Delta_12", "Delta_13", "Delta_23", "T")


def _trio_givens() -> list[Postulate]:
    known, forms = independent(3), solution()
    defined = (*_DEFINITIONS, "d_1 defined", "d_2 defined", "d_3 defined", "s defined")
    return [
        *(known[name] for name in ("5", *_PATTERNS)),
        *(marginal_definition({i: "b", j: "b"}, 3, _AB) for i, j in combinations(range(3), 2)),
        *(postulate for postulate in known if postulate.name.startswith("f_{")),
        *(forms[name] for name in defined),
    ]


def _trio_lemmas() -> tuple[list[_Lemma], list[str]]:
    """Return the lemmas from answers to moments, and the names of those on single answers."""
    forms = solution()
    lemmas = [_excess_lemma(judge, label, _PATTERNS) for judge in (1, 2, 3) for label in _AB]
    excesses = [lemma.name for lemma, _, _ in lemmas]
    pairs = [f"f_{{b_{i},b_{j}}}" for i, j in combinations((1, 2, 3), 2)]
    to_rates = [*excesses, *pairs, *_PATTERNS, *_ACCURACIES, "5"]
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
    lemmas, excesses = _trio_lemmas()
    words = {
        "39": "With the lemmas A = (P_a·P_b·d_1·d_2·d_3)², and P_a² − P_a = −P_a·P_b.",
        "s^2": "The discriminant is a square: this is the test of the square root.",
        "40": "The moments differ by the factor P_a − P_b = 2P_a − 1.",
        "d": "Put the lemmas for the moments and the definition for s.",
    }.get(name[0] if name[0] in "dxy" else name)
    used = ["s defined", *_MOMENTS, "5"]
    if words is None:
        words = "An accuracy exceeds the share of such answers by P_b·d_i, or P_a·d_i for label b."
        used[-1:] = [*excesses, "5"]
    return prove(solution()[name], _trio_givens(), lemmas, words=words, using=used, turned=_ACCURACIES)


_REGISTRY: dict[str, Callable[[str], Derivation]] = {
    "13": _IN_RESPONSES,
    "16": partial(
        _divided,
        given="14; 15; 5",
        words="Put 14 and 15 in place of the frequencies, and 1 − P_a for P_b.",
    ),
    "16R": _IN_RESPONSES,
    "18": partial(_ALL_PATTERNS, given="26a; 26b; 26c; 26d; 5"),
    "20": _AGREEMENT_EQUATION,
    **dict.fromkeys(("22", "23"), _AGREEMENT_SOLUTION),
    "27": _AGREEMENT_EQUATION,
    "28": partial(_divided, given="5; 29", words="Not right is wrong.", using="29; 5"),
    "30": _JOINT_ERROR,
    "32": _PRODUCT_RULE_DEFECT,
    **dict.fromkeys(("33a", "33b", "33c", "33d", "33e", "33f"), _basis),
    **dict.fromkeys(("34", "35"), _TWO_FORMS_OF_THE_MOMENT),
    "37": _basis,
    "38": partial(
        _ALL_PATTERNS, given="; ".join(f"f({','.join(each)})" for each in product("ab", repeat=3)) + "; 5"
    ),
    **dict.fromkeys(_MOMENTS, _moment_lemma),
    **dict.fromkeys(("39", "s^2", "40", "d_1", "d_2", "d_3"), _closed_form),
    **{f"{letter}_{judge}": _closed_form for judge in (1, 2, 3) for letter in "xy"},
}
