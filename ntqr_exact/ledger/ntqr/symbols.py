"""Short names for printed formulas: `Pa*(x1 - fa1)` is read into the library's own variables (see `short_names`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ntqr_exact.algebra.formula import Formula, constant, read_formula
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.algebra.short_names import short_names
from ntqr_exact.errors import BadDocument
from ntqr_exact.frozen_mapping import FrozenMapping

LABELS = ("a", "b")

_FREE = {name: Polynomial.variable(name) for name in ("sign", "beta", "a", "b")}
"""Letters of single formulas: the ± of eq. 22, the β of eq. 42, coefficients of eq. 39."""


@cache
def symbols() -> Mapping[str, Polynomial]:
    """Return what every short name stands for."""
    return FrozenMapping({name: Polynomial.variable(variable) for name, variable in short_names().items()})


def read(text: str, extra: Mapping[str, Formula | Polynomial] | None = None) -> Formula:
    """Return a printed formula in the library's variables; `left = right` is read as left − right.

    >>> print(read("Pa*(x1 - fa1) = Pb*(y1 - fb1)"))
    P_a·P^a_{a_1} − P_a·f_{a_1} − P_b·P^b_{b_1} + P_b·f_{b_1}

    Raises `BadDocument` for a name that is not in the table.
    """
    known = {**symbols(), **_FREE, **(extra or {})}
    sides = text.split("=")
    if len(sides) > 2:
        raise BadDocument(text, "an equation has two sides")
    formulas = [read_formula(side, known) for side in sides]
    for formula in formulas:
        for name in formula.variables():
            if not any(name in value.variables() for value in known.values()):
                raise BadDocument(name, "not a short name of the table in `symbols`")
    return formulas[0] - (formulas[1] if len(sides) == 2 else constant(0))


def written(text: str) -> str:
    """Return a formula with the symbols of the source in place of the short names.

    >>> written("Ga12 = Raa1a2/Qa - x1*x2**2")
    'Γ^a_{1,2} = R^a_{a_1,a_2}/Q_a − P^a_{a_1}·P^a_{a_2}²'
    """
    known = symbols()
    named = re.sub(r"[A-Za-z]\w*", lambda match: str(known.get(match[0], match[0])), text)
    named = named.replace("sign*", "±").replace("beta", "β")
    return named.replace("**2", "²").replace("*", "·").replace(" - ", " − ")


def in_latex(text: str) -> str:
    r"""Return a formula in short names as LaTeX, with its factors as they stand and i, j, k for the judges.

    >>> print(in_latex("fa1 = Pa*x1 + Pb*(1 - y1)"))
    f_{a_i} = \hat{P}_{a} \hat{P}^{a}_{a_i} + \hat{P}_{b} (1 - \hat{P}^{b}_{b_i})
    """
    known = symbols()

    def named(match: re.Match[str]) -> str:
        if match[0] not in known:
            return {"sign": r"\pm", "beta": r"\beta"}.get(match[0], match[0])
        return known[match[0]].latex().translate(str.maketrans("123", "ijk"))

    written_out = re.sub(r"[A-Za-z]\w*", named, text)
    return written_out.replace("**2", "^2").replace("*", " ")


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed formula or equation in short names."""

    short: str

    @classmethod
    def from_data(cls, value: str) -> Printed:
        """Return the formula that a claim holds; one that cannot be read is refused."""
        read(value)
        return cls(value)

    @property
    def formula(self) -> Formula:
        """The formula in the library's variables; of an equation, left − right."""
        return read(self.short)

    def text(self) -> str:
        """Return it with the symbols of the source."""
        return written(self.short)

    def latex(self) -> str:
        """Return it in LaTeX."""
        return in_latex(self.short)
