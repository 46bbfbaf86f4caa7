"""Claims of sections 4.1 and 4.3: the postulates of two judges, eqs. 24 to 26, 33 to 35 and 37."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from types import MappingProxyType

from gmpy2 import mpq

from ntqr_exact.algebra.ideal import Ideal
from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, decided
from ntqr_exact.ledger.ntqr.counting import definition
from ntqr_exact.ledger.ntqr.identities import Repair, identity, in_parameters
from ntqr_exact.ledger.ntqr.symbols import in_latex, read, symbols
from ntqr_exact.postulates.pair import pair

_LINES: Mapping[str, str] = MappingProxyType(
    {
        "26a": "fa1a2 = Pa*(x1*x2 + Ga12) + Pb*((1 - y1)*(1 - y2) + Gb12)",
        "26b": "fa1b2 = Pa*(x1*(1 - x2) - Ga12) + Pb*((1 - y1)*y2 - Gb12)",
        "26c": "fb1a2 = Pa*((1 - x1)*x2 - Ga12) + Pb*(y1*(1 - y2) - Gb12)",
        "26d": "fb1b2 = Pa*((1 - x1)*(1 - x2) + Ga12) + Pb*(y1*y2 + Gb12)",
        "33a": "Pa*(x1 - fa1) - Pb*(y1 - fb1)",
        "33b": "Pa*(x2 - fa2) - Pb*(y2 - fb2)",
        "33c": "(x1 - fa1)*(y2 - fb2) - (y1 - fb1)*(x2 - fa2)",
        "33d": "(x1 - fa1)*(y2 - fb2) + Pa*(Ga12 - D12) + Pb*(Gb12 - D12)",
        "33e": "(x1 - fa1)*(y2 - fb2)*((x1 - fa1) + (y1 - fb1)) + (x1 - fa1)*(Ga12 - D12) + (y1 - fb1)*(Gb12 - D12)",
        "33f": "(x1 - fa1)*(y2 - fb2)*((x2 - fa2) + (y2 - fb2)) + (x2 - fa2)*(Ga12 - D12) + (y2 - fb2)*(Gb12 - D12)",
    }
)
"""What is printed; the postulates 33 are polynomials whose value is 0."""

_INDIVIDUAL, _CORRELATED = ("33a", "33b", "33c"), ("33d", "33e", "33f")
_EXCHANGED = Repair("Γ^a and Γ^b are interchanged", {"Ga12": "Gb12", "Gb12": "Ga12"})


def _proven_both_ways(printed: str, *, name: str) -> Finding:
    """Judge one of 26 by counting, and by the library's own postulate of that name."""
    claim = read(printed).polynomial()
    return all_of(
        {
            "counted": definition(printed),
            "postulate": decided(
                claim == pair().rates[name].polynomial,
                f"it is the postulate {name} of the library",
                right=str(pair().rates[name]),
                slip=True,
            ),
        }
    )


def _entangled(printed: str) -> Finding:
    """Tell whether each of the postulates named holds accuracies and correlations together."""
    mixed = {
        name: {"accuracy", "correlation"} <= {variable.split("_")[0] for variable in _line(name).variables()}
        for name in printed.split(", ")
    }
    return decided(all(mixed.values()), f"accuracies and correlations stand together in {', '.join(mixed)}")


def _disentangled(printed: str) -> Finding:
    free = [
        name
        for name in (*_INDIVIDUAL, *_CORRELATED)
        if not any(variable.startswith("correlation") for variable in _line(name).variables())
    ]
    return decided(
        free == printed.split(", "),
        f"no correlation stands in {', '.join(free)}",
        right=", ".join(free),
        slip=True,
    )


def _line(name: str) -> Polynomial:
    if name not in _LINES:
        raise BadDocument(name, f"the postulates here are {', '.join(_LINES)}")
    return read(_LINES[name]).polynomial()


def _definitions() -> list[Polynomial]:
    """Return what belongs to every choice of postulates: eqs. 5, 18 and 34, and the single frequencies."""
    known = pair().rates
    return [each.polynomial for each in known if each.name in ("5", "18", "34") or each.name.startswith("f_")]


def _same_basis(printed: str) -> Finding:
    """Compare the ideal of the six postulates, printed and corrected, with that of 26a to 26d."""
    first, second = (names.split() for names in printed.split("="))
    base, known = _definitions(), pair().rates
    complete = Ideal([*base, *(_line(name) for name in first)])
    outside = [name for name in second if in_parameters(_line(name))]
    corrected = Ideal([*base, *(known[name].polynomial for name in second)])
    return decided(
        not outside and complete.equals(corrected),
        f"as printed, {', '.join(outside) or 'none'} does not vanish on all tests that obey {', '.join(first)}",
        "with Γ^a and Γ^b exchanged in 33e and 33f both ideals are equal"
        if complete.equals(corrected)
        else "even the right forms have another ideal",
        right="33a to 33d as printed, 33e and 33f with Γ^a and Γ^b exchanged",
        slip=True,
    )


def _three_independent(printed: str) -> Finding:
    """Judge 'two of the first three and one of the last three' in three senses of independence."""
    (first, some_of), (last, one_of) = (
        (int(number), names.split()) for number, names in (part.split(" of ") for part in printed.split(", "))
    )
    choices = {
        (*some, *one): _generates((*some, *one))
        for some in combinations(some_of, first)
        for one in combinations(one_of, last)
    }
    good = [" ".join(choice) for choice, generates in choices.items() if generates]
    independent = _jacobian_rank()
    return by_reading(
        {
            "some such choice implies all six": decided(
                bool(good), f"these do: {'; '.join(good) or 'none'}", right="33a, 33b and 33d", slip=True
            ),
            "every such choice implies all six": decided(
                all(choices.values()),
                f"{len(good)} of the {len(choices)} choices {'does' if len(good) == 1 else 'do'}",
                "33c adds nothing to one of 33a, 33b where u_1 = v_1 = 0; 33e and 33f do not give back 33d",
                right="only 33a, 33b and 33d",
            ),
            "so many satisfy no polynomial relation (algebraic independence)": decided(
                independent == first + last,
                f"the Jacobian of the six has rank {independent} at a rational point, so that at least {independent} "
                "satisfy no polynomial relation",
                right=f"at least {independent}",
            ),
        }
    )


def _generates(choice: tuple[str, ...]) -> bool:
    """Tell whether postulates chosen from the corrected six imply all of them, over the ring of excesses."""
    forms = _in_excesses()
    unknown = [name for name in choice if name not in forms]
    if unknown:
        raise BadDocument(unknown, f"the postulates here are {', '.join(forms)}")
    return Ideal([forms[name] for name in choice]).equals(Ideal(forms.values()))


def _in_excesses() -> dict[str, Polynomial]:
    """Return the six right forms in P_a, u_i = x_i − f_{a_i}, v_i = y_i − f_{b_i} and Γ − Δ.

    With f and Δ as they are, x, y, Γ can be shifted by them without changing what implies what.
    """
    shift = {name: Polynomial() for name in ("fa1", "fa2", "fb1", "fb2", "D12")}
    images = {symbols()[name].variables()[0]: value for name, value in shift.items()}
    images[symbols()["Pb"].variables()[0]] = 1 - symbols()["Pa"]
    known = pair().rates
    return {name: known[name].polynomial.substitute(images) for name in (*_INDIVIDUAL, *_CORRELATED)}


def _jacobian_rank() -> int:
    """Return the rank of ∂(33a … 33f) at a rational point: a lower bound of the algebraic rank."""
    from ntqr_exact.algebra.rational_matrix import kernel  # loads sympy

    forms = _in_excesses()
    names = sorted({name for form in forms.values() for name in form.variables()})
    point = dict(zip(names, (mpq(1, number) for number in (2, 3, 5, 7, 11, 13, 17)), strict=True))
    rows = tuple(
        tuple(mpq(_derivative(form, name).evaluate(point)) for name in names)  # type: ignore[arg-type]
        for form in forms.values()
    )
    return len(names) - len(kernel(rows))


def _derivative(form: Polynomial, name: str) -> Polynomial:
    """Return ∂form/∂name, term by term."""
    parts = []
    for monomial, coefficient in form.terms.items():
        powers = dict(monomial)
        if name in powers:
            factor = Polynomial.constant(coefficient * powers[name])
            powers[name] -= 1
            for variable, power in powers.items():
                factor = factor * Polynomial.variable(variable) ** power
            parts.append(factor)
    return sum_of(parts)


def _two_definitions(printed: str) -> Finding:
    first, second = (read(part).polynomial() for part in printed.split(";"))
    return decided(
        bool(first) and not in_parameters(first - second),
        "their difference vanishes identically in the parameters: f_{a_i} = 1 − f_{b_i}",
        right="f_bb − f_b·f_b and f_aa − f_a·f_a",
        slip=True,
    )


def _line_claim(name: str, statement: str, garbled: str = "") -> Claim:
    check = partial(identity, name=name, repair=_EXCHANGED if name in ("33e", "33f") else None)
    return Claim(
        f"ntqr/eq-{name}",
        f"eq. {name}",
        Kind.IDENTITY,
        statement,
        check,
        printed=_LINES[name],
        garbled=garbled,
        by_hand=_BY_HAND[name],
    )


_ACCURATE = (
    "P^a_{a_i} − f_{a_i} = P_bd_i and P^b_{b_i} − f_{b_i} = P_ad_i with d_i = P^a_{a_i} + P^b_{b_i} − 1"
)
_MOMENT = f"{_ACCURATE}; and Δ_{{i,j}} = P_aP_bd_id_j + P_aΓ^a_{{i,j}} + P_bΓ^b_{{i,j}}."
_THREE = (
    "Two a questions answered aa and bb, and a b question answered aa: P^a − f_a = −1/6, P^b − f_b = −1/3, Γ^a = 1/4, "
    "Γ^b = 0, Δ = 2/9; so −1/36 − 1/216 + 2/27 = 1/24, and with Γ^a and Γ^b exchanged −1/36 + 1/27 − 1/108 = 0."
)
_BY_HAND = {
    "33a": f"{_ACCURATE}.",
    "33b": f"{_ACCURATE}, and likewise for j.",
    "33c": f"{_ACCURATE}; so both products are P_aP_bd_id_j.",
    "33d": _MOMENT,
    "33e": _THREE,
    "33f": _THREE,
}


_U, _V = r"(\hat P^a_{a_%s} - f_{a_%s})", r"(\hat P^b_{b_%s} - f_{b_%s})"
_REST = {label: r"(\Gamma^" + label + r"_{i,j} - \Delta_{i,j})" for label in "ab"}


def _third_degree(judge: str) -> str:
    u, v = _U % (judge, judge), _V % (judge, judge)
    return f"${_U % ('i', 'i')}{_V % ('j', 'j')}({u} + {v}) + {u}{_REST['a']} + {v}{_REST['b']} = 0$."


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/eq-24",
        "eq. 24",
        Kind.DEFINITION,
        r"$\Gamma^a_{i,j} = R^a_{a_i,a_j}/Q_a - (R^a_{a_i}/Q_a)(R^a_{a_j}/Q_a)$.",
        definition,
        printed="Ga12 = Raa1a2/Qa - Raa1/Qa*(Raa2/Qa)",
    ),
    Claim(
        "ntqr/eq-25",
        "eq. 25",
        Kind.DEFINITION,
        r"$\Gamma^b_{i,j} = R^b_{b_i,b_j}/Q_b - (R^b_{b_i}/Q_b)(R^b_{b_j}/Q_b)$.",
        definition,
        printed="Gb12 = Rbb1b2/Qb - Rbb1/Qb*(Rbb2/Qb)",
        garbled="The upper index of R stands as o in the extracted text; it is read as b, as in eq. 24.",
    ),
    *(
        Claim(
            f"ntqr/eq-{name}",
            f"eq. {name}",
            Kind.IDENTITY,
            f"${in_latex(_LINES[name])}$.",
            partial(_proven_both_ways, name=name),
            printed=_LINES[name],
        )
        for name in ("26a", "26b", "26c", "26d")
    ),
    Claim(
        "ntqr/sec-4-3/entangled",
        "section 4.3, before eq. 33",
        Kind.SENTENCE,
        "In eqs. 26 accuracies and correlations stand together.",
        _entangled,
        printed="26a, 26b, 26c, 26d",
    ),
    Claim(
        "ntqr/sec-4-3/disentangled",
        "section 4.3, before eq. 33",
        Kind.SENTENCE,
        "The basis 33 has postulates without correlations: 33a to 33c.",
        _disentangled,
        printed="33a, 33b, 33c",
    ),
    Claim(
        "ntqr/sec-4-3/basis",
        "section 4.3, before eq. 33",
        Kind.THEOREM,
        "The six polynomials 33 are another basis of the postulates 26.",
        _same_basis,
        printed="26a 26b 26c 26d = 33a 33b 33c 33d 33e 33f",
    ),
    _line_claim("33a", f"$\\hat P_a{_U % ('i', 'i')} - \\hat P_b{_V % ('i', 'i')} = 0$."),
    _line_claim("33b", f"$\\hat P_a{_U % ('j', 'j')} - \\hat P_b{_V % ('j', 'j')} = 0$."),
    _line_claim("33c", f"${_U % ('i', 'i')}{_V % ('j', 'j')} - {_V % ('i', 'i')}{_U % ('j', 'j')} = 0$."),
    _line_claim(
        "33d",
        f"${_U % ('i', 'i')}{_V % ('j', 'j')} + \\hat P_a{_REST['a']} + \\hat P_b{_REST['b']} = 0$.",
    ),
    _line_claim(
        "33e",
        _third_degree("i"),
        garbled="In the first line hats are lost, f stands as J, and the upper index b as a.",
    ),
    _line_claim("33f", _third_degree("j")),
    Claim(
        "ntqr/sec-4-3/three-independent",
        "section 4.3, after eq. 33",
        Kind.THEOREM,
        "Of the six, three are algebraically independent: two of the first three, one of the last three.",
        _three_independent,
        printed="2 of 33a 33b 33c, 1 of 33d 33e 33f",
    ),
    Claim(
        "ntqr/eq-34",
        "eq. 34",
        Kind.DEFINITION,
        r"$\Delta_{i,j} = f_{b_i,b_j} - f_{b_i} f_{b_j}$.",
        definition,
        printed="D12 = fb1b2 - fb1*fb2",
    ),
    Claim(
        "ntqr/eq-35",
        "eq. 35",
        Kind.IDENTITY,
        r"$\Delta_{i,j} = f_{a_i,a_j} - f_{a_i} f_{a_j}$.",
        partial(identity, name="35"),
        printed="D12 = fa1a2 - fa1*fa2",
    ),
    Claim(
        "ntqr/sec-4-3/equivalent-definitions",
        "section 4.3, after eq. 35",
        Kind.IDENTITY,
        "Both definitions of $\\Delta_{i,j}$ are the same.",
        _two_definitions,
        printed="fb1b2 - fb1*fb2; fa1a2 - fa1*fa2",
    ),
    Claim(
        "ntqr/eq-37",
        "eq. 37",
        Kind.IDENTITY,
        "Eq. 33d again, as the postulate that gives correlations from individual evaluations.",
        partial(identity, name="37"),
        printed=_LINES["33d"],
        by_hand=_MOMENT,
    ),
)
