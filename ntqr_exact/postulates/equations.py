"""The equations that the paper names, for judges between two labels: one table, in the short names of `short_names`.

`u1` and `v1` stand for x_1 − f_{a_1} and y_1 − f_{b_1}: how far an accuracy exceeds the share of such answers.

The solution for three independent judges is written without any division. Δ_ij = P_a·P_b·d_i·d_j and
T = P_a·P_b(P_a − P_b)d_1·d_2·d_3, where d_i = x_i + y_i − 1. With s = P_a·P_b·d_1·d_2·d_3 all that is wanted is linear
in s, and s² = A = T² + 4·Δ_12·Δ_13·Δ_23:

    s(2P_a − 1) = T,   Δ_jk·d_i = s,   2Δ_jk(x_i − f_{a_i}) = s − T,   2Δ_jk(y_i − f_{b_i}) = s + T.

The sign of s is that of d_1·d_2·d_3, which the votes do not tell: the two roots of A are the two solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from ntqr_exact.algebra.formula import read_formula
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.algebra.short_names import short_names
from ntqr_exact.citation import Citation
from ntqr_exact.postulates.complete import complete
from ntqr_exact.postulates.construction import definition_of, two_labels
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space, Status

_PAIRS = (("1", "2"), ("1", "3"), ("2", "3"))
_PRINTED, _CORRECTED, _DERIVED = Status.PRINTED, Status.CORRECTED, Status.DERIVED
_DEFINITION, _HYPOTHESIS = Role.DEFINITION, Role.HYPOTHESIS


class _Row(NamedTuple):
    """One equation; without a formula it is what it is solved for minus its definition."""

    name: str
    formula: str
    place: str
    status: Status
    role: Role = Role.POSTULATE
    solved_for: str = ""


def _numbered(name: str, judges: tuple[str, str]) -> str:
    return name if judges == ("1", "2") else f"{name}({','.join(judges)})"


_SINGLE: list[_Row] = [
    _Row("16R", "Raa1 - Rbb1 - Ra1 + Qb", "eq. 16, second line", _CORRECTED),
    _Row("16", "Pa*u1 - Pb*v1", "eq. 16", _PRINTED),
]
_MOMENT_DEFINITIONS: list[_Row] = [
    _Row(_numbered("34", (i, j)), "", "eq. 34", _PRINTED, _DEFINITION, f"D{i}{j}") for i, j in _PAIRS
]
_33D = "u1*v2 + Pa*(Ga12 - D12) + Pb*(Gb12 - D12)"
_33E = "u1*v2*(u{0} + v{0}) + {1}{0}*(Ga12 - D12) + {2}{0}*(Gb12 - D12)"
_PAIR: list[_Row] = [
    _MOMENT_DEFINITIONS[0],
    _Row("35", "D12 - (fa1a2 - fa1*fa2)", "eq. 35", _PRINTED),
    _Row("33a", "Pa*u1 - Pb*v1", "eq. 33a", _PRINTED),
    _Row("33b", "Pa*u2 - Pb*v2", "eq. 33b", _PRINTED),
    _Row("33c", "u1*v2 - v1*u2", "eq. 33c", _PRINTED),
    _Row("33d", _33D, "eq. 33d", _PRINTED),
    _Row("33e", _33E.format(1, "v", "u"), "eq. 33e", _CORRECTED),
    _Row("33f", _33E.format(2, "v", "u"), "eq. 33f", _CORRECTED),
    _Row("37", _33D, "eq. 37", _PRINTED),
]
_AGREEMENT_EQUATIONS: list[_Row] = [
    _Row(
        _numbered("27", (i, j)),
        f"a{i}{j} - (1 - e{i} - e{j} + 2*e{i}{j})",
        "eq. 27",
        _PRINTED,
        solved_for=f"a{i}{j}",
    )
    for i, j in _PAIRS
]
_AGREEMENT: list[_Row] = [
    _Row("19", "", "eq. 19", _PRINTED, _DEFINITION, "a12"),
    _Row("29", "", "eq. 29", _PRINTED, _DEFINITION, "e1"),
    _Row("29(2)", "", "eq. 29", _PRINTED, _DEFINITION, "e2"),
    _Row("28", "e1 - (1 - Pa*x1 - Pb*y1)", "eq. 28", _CORRECTED),
    _Row("28(2)", "e2 - (1 - Pa*x2 - Pb*y2)", "eq. 28", _CORRECTED),
    _AGREEMENT_EQUATIONS[0],
    _Row("30", "", "eq. 30", _CORRECTED, solved_for="e12"),
    _Row("32", "e12 - e1*e2 - (Pa*Ga12 + Pb*Gb12 + Pa*Pb*(x1 - y1)*(x2 - y2))", "eq. 32", _DERIVED),
]
_AGREEMENT_SOLUTION: list[_Row] = [
    *(
        _Row(
            _numbered("21", (i, j)),
            f"e{i}{j} - e{i}*e{j}",
            "eqs. 21 and 31",
            _PRINTED,
            _HYPOTHESIS,
            f"e{i}{j}",
        )
        for i, j in _PAIRS
    ),
    *_AGREEMENT_EQUATIONS,
    _Row("c defined", "", "eqs. 22 and 23", _DERIVED, _DEFINITION, "c"),
    _Row("22", "c - (2*e1 - 1)*(1 - 2*a23)", "eq. 22", _PRINTED, _HYPOTHESIS),
    _Row("22(2)", "c - (2*e2 - 1)*(1 - 2*a13)", "eq. 22", _PRINTED, _HYPOTHESIS),
    _Row("22(3)", "c - (2*e3 - 1)*(1 - 2*a12)", "eq. 22", _PRINTED, _HYPOTHESIS),
    _Row("23", "c**2 - (2*a12 - 1)*(2*a13 - 1)*(2*a23 - 1)", "eq. 23", _CORRECTED, _HYPOTHESIS),
]
_SOLUTION: list[_Row] = [
    *_MOMENT_DEFINITIONS,
    _Row("T defined", "", "eq. 40, the bracket", _DERIVED, _DEFINITION, "T"),
    *(_Row(f"d_{i} defined", "", "section 5", _DERIVED, _DEFINITION, f"d{i}") for i in "123"),
    _Row("s defined", "", "section 5", _DERIVED, _DEFINITION, "s"),
    *(
        _Row(f"Delta_{i}{j}", f"D{i}{j} - Pa*Pb*d{i}*d{j}", "section 5", _DERIVED, _HYPOTHESIS, f"D{i}{j}")
        for i, j in _PAIRS
    ),
    _Row("T", "T - Pa*Pb*(Pa - Pb)*d1*d2*d3", "section 5", _DERIVED, _HYPOTHESIS, "T"),
    _Row("39", "(T**2 + 4*D12*D13*D23)*(Pa**2 - Pa) + D12*D13*D23", "eq. 39", _DERIVED, _HYPOTHESIS),
    _Row("s^2", "s**2 - (T**2 + 4*D12*D13*D23)", "eq. 40", _DERIVED, _HYPOTHESIS),
    _Row("40", "s*(2*Pa - 1) - T", "eq. 40", _CORRECTED, _HYPOTHESIS),
    *(
        _Row(f"{name}_{i}", formula.format(i, j + k), "section 5", _DERIVED, _HYPOTHESIS)
        for i, (j, k) in zip("123", reversed(_PAIRS), strict=True)
        for name, formula in (
            ("d", "D{1}*d{0} - s"),
            ("x", "2*D{1}*u{0} - (s - T)"),
            ("y", "2*D{1}*v{0} - (s + T)"),
        )
    ),
]
_MISPRINTS: list[_Row] = [
    _Row("16R", "Raa1 - Rbb1 - Ra1 + Rb1", "eq. 16, second line", _PRINTED),
    _Row("20", "a12 - (2 - e1 - e2 + 2*e12)", "eq. 20", _PRINTED),
    _Row("23", "c**2 - (1 - a12)*(1 - a13)*(1 - a23)", "eq. 23", _PRINTED, _HYPOTHESIS),
    _Row("28", "e1 - (1 - Pa*x1 - Pb*y2)", "eq. 28, with b_j for b_i", _PRINTED),
    _Row("30", "e12 - (Pa*(1 - x1)*(1 - x2) + Pb*(1 - y1)*(1 - y2))", "eq. 30, without Γ", _PRINTED),
    _Row("33e", _33E.format(1, "u", "v"), "eq. 33e", _PRINTED),
    _Row("33f", _33E.format(2, "u", "v"), "eq. 33f", _PRINTED),
    _Row("40", "root*(1 - 2*Pa) - T", "eq. 40, the branch", _PRINTED, _HYPOTHESIS),
]


def single(labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return the complete postulates of one judge, and the one postulate that they amount to, eqs. 1 to 16.

    >>> print(single().responses["16R"])
    16R: Q_b + R^a_{a_1} − R^b_{b_1} − R_{a_1} = 0
    """
    names = two_labels(labels)
    return complete(1, names) + _read(_SINGLE, names)


def pair(labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return the complete postulates of two judges, the moment Δ, and the basis of the paper (18, 26, 33 to 35 and 37).

    The basis disentangles the judges: 33a to 33c hold no correlation; 33d, which is also 37, fixes
    P_a·Γ^a + P_b·Γ^b given both individual evaluations. In 33e and 33f the paper has Γ^a and Γ^b
    interchanged; see `misprints`.
    """
    names = two_labels(labels)
    return complete(2, names) + _read(_PAIR, names)


def trio(labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return eq. 38 and the eight postulates that the paper announces, with all six pair and both trio correlations.

    >>> correlations = [n for n in trio()["f(a,b,b)"].polynomial.variables() if n.startswith("correlation")]
    >>> len(correlations), trio()["f(a,b,b)"].polynomial.degree
    (8, 4)
    """
    return complete(3, two_labels(labels))


def agreement(labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return what holds of the agreement a and the errors e of judges 1 and 2, independent or not, eqs. 19 to 32.

    19 defines a_{1,2} and 29 defines e_i; 28 writes 29 with the accuracies of both labels, 27 relates them, 30 gives
    e_{1,2} (with the correlations that the paper leaves out), and 32 is the exact defect of the product
    rule: e_{1,2} − e_1·e_2 = P_a·Γ^a + P_b·Γ^b + P_a·P_b(x_1−y_1)(x_2−y_2).
    """
    return _read(_AGREEMENT, two_labels(labels))


def agreement_solution() -> PostulateSet:
    """Return the hypothesis e_ij = e_i·e_j for three judges, and the solution that follows from it.

    With it 2a_ij − 1 = (1−2e_i)(1−2e_j), so that c = (1−2e_1)(1−2e_2)(1−2e_3) has
    c² = Π(2a_ij − 1), where the paper's eq. 23 has Π(1 − a_ij), and eq. 22 is c = (2e_i − 1)(1 − 2a_jk).
    """
    return _read(_AGREEMENT_SOLUTION, ("a", "b"))


def solution(labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return definitions of Δ, T, d and s, the moments of independent judges, eq. 39 and all closed forms.

    >>> print(solution()["40"])
    40: 2·P_a·s − s − T = 0
    """
    return _read(_SOLUTION, two_labels(labels))


def misprints() -> PostulateSet:
    """Return the equations that do not hold as printed, in that form: 16 in responses, 20, 23, 28, 30, 33e, 33f and 40.

    They are data for the ledger and for tests: `refutations` finds a test that each of them fails on. The right
    form has the same name in `single`, `pair`, `agreement`, `agreement_solution` or `solution`.

    >>> print(misprints()["16R"])
    16R: R^a_{a_1} − R^b_{b_1} − R_{a_1} + R_{b_1} = 0
    """
    return _read(_MISPRINTS, ("a", "b"))


def _read(rows: Iterable[_Row], labels: tuple[str, str]) -> PostulateSet:
    names = short_names(labels)
    found = []
    for name, formula, place, status, role, given in rows:
        solved_for = names[given] if given else None
        if formula or solved_for is None:
            form = read_equation(formula, labels)
        else:
            form = Polynomial.variable(solved_for) - (definition_of(solved_for, labels) or 0)
        space = Space.RESPONSES if name == "16R" else Space.RATES
        variable = solved_for.name if solved_for else ""
        found.append(Postulate(name, form, space, Citation("ntqr", place), status, role, variable))
    return PostulateSet(found)


def read_equation(text: str, labels: tuple[str, str] = ("a", "b")) -> Polynomial:
    """Return a polynomial in short names.

    >>> print(read_equation("Pa*u1 - Pb*v1"))
    P_a·P^a_{a_1} − P_a·f_{a_1} − P_b·P^b_{b_1} + P_b·f_{b_1}
    """
    return read_formula(text, _known(labels)).polynomial()


@cache
def _known(labels: tuple[str, str]) -> dict[str, Polynomial]:
    known = {name: Polynomial.variable(variable) for name, variable in short_names(labels).items()}
    known |= {f"u{judge}": known[f"x{judge}"] - known[f"fa{judge}"] for judge in "123"}
    return known | {f"v{judge}": known[f"y{judge}"] - known[f"fb{judge}"] for judge in "123"}
