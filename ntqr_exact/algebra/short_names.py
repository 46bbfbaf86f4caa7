"""Short names for formulas: `Pa*(x1 - fa1)` is read into the library's own variables.

The judges i, j, k of the source are 1, 2, 3 here. What the short names mean:

    Pa Pb            prevalences                     Q Qa Qb        questions, and those of each label
    x1 y1            accuracies on a and on b        Ra1 Rb1        how often judge 1 answers a, b
    fa1 fa1b2        frequencies of answers          Raa1 Rab1      R^a_{a_1}, R^a_{b_1}
    Ga12 Gb12        error correlations              Raa1a2         R^a_{a_1,a_2}
    D12 T            Δ_{1,2} and the bracket of 40   g1             right answers of judge 1
    a12 e1 e12 c     agreement, errors, eq. 23       d1 s root      d_1, P_aP_bd_1d_2d_3, √A
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import cache

from ntqr_exact.algebra.notation import Quantity, Variable
from ntqr_exact.frozen_mapping import FrozenMapping

_JUDGES = (0, 1, 2)
_OF_JUDGES = (
    *(("e", Quantity.ERROR, 1), ("g", Quantity.GRADE, 1), ("d", Quantity.INFORMEDNESS, 1)),
    *(("D", Quantity.PAIR_MOMENT, 2), ("a", Quantity.AGREEMENT, 2), ("e", Quantity.JOINT_ERROR, 2)),
)


@cache
def short_names(labels: Sequence[str] = ("a", "b")) -> Mapping[str, Variable]:
    """Return what every short name stands for, with two labels in place of a and b.

    >>> print(short_names()["Ga12"].symbol, short_names(("yes", "no"))["y3"].symbol)
    Γ^a_{1,2} P^{no}_{no_3}
    """
    named = dict(zip("ab", labels, strict=True))
    found = {
        "Q": Variable(Quantity.QUESTIONS),
        "T": Variable(Quantity.TRIO_MOMENT, judges=_JUDGES),
        "c": Variable(Quantity.ERROR_PRODUCT),
        "s": Variable(Quantity.SIGNED_ROOT),
        "root": Variable(Quantity.DISCRIMINANT_ROOT),
    }
    for letter, label in named.items():
        found[f"P{letter}"] = Variable(Quantity.PREVALENCE, label)
        found[f"Q{letter}"] = Variable(Quantity.KEY_COUNT, label)
        accuracy = {"a": "x", "b": "y"}[letter]
        found |= {
            f"{accuracy}{judge + 1}": Variable(Quantity.ACCURACY, label, (), (judge,)) for judge in _JUDGES
        }
    for letter, kind, size in _OF_JUDGES:
        for judges in itertools.combinations(_JUDGES, size):
            found[letter + "".join(str(judge + 1) for judge in judges)] = Variable(kind, judges=judges)
    for judges in itertools.combinations(_JUDGES, 2):
        numbers = "".join(str(judge + 1) for judge in judges)
        found |= {
            f"G{a}{numbers}": Variable(Quantity.CORRELATION, label, (), judges) for a, label in named.items()
        }
    for size in (1, 2, 3):
        for judges in itertools.combinations(_JUDGES, size):
            for given in itertools.product("ab", repeat=size):
                answers = tuple(named[letter] for letter in given)
                text = "".join(f"{letter}{judge + 1}" for letter, judge in zip(given, judges, strict=True))
                found[f"f{text}"] = Variable(Quantity.FREQUENCY, "", answers, judges)
                found[f"R{text}"] = Variable(Quantity.RESPONSES, "", answers, judges)
                for key, label in named.items():
                    found[f"R{key}{text}"] = Variable(Quantity.KEY_RESPONSES, label, answers, judges)
    return FrozenMapping(found)
