r"""The one table of notation: code name, the paper's symbol, LaTeX and meaning of every variable.

>>> x = accuracy("a", 0)
>>> x.name, x.symbol, x.latex
('accuracy_a_1', 'P^a_{a_1}', '\\hat{P}^{a}_{a_1}')

A code name can be read back, whatever the labels are called. Judges are places counted from 0 in code,
as everywhere in the library, and numbered from 1 where they are written. `docs/notation.md` is made
from this table by `notation_page`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.latex_table import latex_text


class Side(Enum):
    """Whether a quantity is seen in the votes, or belongs to the answer key."""

    VOTES = "the votes"
    KEY = "the answer key"


@dataclass(frozen=True, slots=True)
class NotationRow:
    """One row of the table: which quantity, how it is written, and what its name is made of.

    `letter` and `latex` hold the bare symbol; `keyed` quantities belong to a true label, `answered` ones
    to the labels given by the judges named, and `judges` says how many these are at least and at most.
    """

    letter: str
    latex: str
    meaning: str
    side: Side
    keyed: bool = False
    answered: bool = False
    judges: tuple[int, int | None] = (0, 0)


class Quantity(Enum):
    """The quantities there are; the value is the word that code names begin with."""

    PREVALENCE = "prevalence"
    ACCURACY = "accuracy"
    RESPONSE_RATE = "response_rate"
    CORRELATION = "correlation"
    INFORMEDNESS = "informedness"
    SIGNED_ROOT = "signed_root"
    ERROR = "error"
    JOINT_ERROR = "joint_error"
    ERROR_PRODUCT = "error_product"
    KEY_COUNT = "key_count"
    KEY_RESPONSES = "key_responses"
    GRADE = "grade"
    FREQUENCY = "frequency"
    PAIR_MOMENT = "pair_moment"
    TRIO_MOMENT = "trio_moment"
    DISCRIMINANT_ROOT = "discriminant_root"
    AGREEMENT = "agreement"
    QUESTIONS = "questions"
    RESPONSES = "responses"


_true, _seen = partial(NotationRow, side=Side.KEY), partial(NotationRow, side=Side.VOTES)
_ONE, _TWO, _SOME = (1, 1), (2, 2), (1, None)
_SAY_SO = "questions that the judges named answer so"

NOTATION: dict[Quantity, NotationRow] = {
    Quantity.PREVALENCE: _true("P", r"\hat{P}", "share of the questions whose true label is a", keyed=True),
    Quantity.ACCURACY: _true(
        "P", r"\hat{P}", "share of the a questions that judge 1 answers a", keyed=True, judges=_ONE
    ),
    Quantity.RESPONSE_RATE: _true(
        *("P", r"\hat{P}", "share of the a questions that judge 1 answers b"),
        keyed=True,
        answered=True,
        judges=_ONE,
    ),
    Quantity.CORRELATION: _true(
        *(
            "Γ",
            r"\Gamma",
            "error correlation on the a questions: mean product of (right or not) minus accuracy",
        ),
        keyed=True,
        judges=(2, None),
    ),
    Quantity.INFORMEDNESS: _true("d", "d", "sum of both accuracies of judge 1, minus 1", judges=_ONE),
    Quantity.SIGNED_ROOT: _true("s", "s", "$P_a P_b d_1 d_2 d_3$, one of the two square roots of $A$"),
    Quantity.ERROR: _true("e", "e", "share of the questions that judge 1 answers wrongly", judges=_ONE),
    Quantity.JOINT_ERROR: _true(
        "e", "e", "share of the questions that both judges answer wrongly", judges=_TWO
    ),
    Quantity.ERROR_PRODUCT: _true("c", "c", "product of 1 − 2e over three judges"),
    Quantity.KEY_COUNT: _true("Q", "Q", "number of questions whose true label is a", keyed=True),
    Quantity.KEY_RESPONSES: _true(
        "R", "R", f"number of a {_SAY_SO}", keyed=True, answered=True, judges=_SOME
    ),
    Quantity.GRADE: _true("g", "g", "number of questions that judge 1 answers rightly", judges=_ONE),
    Quantity.FREQUENCY: _seen("f", "f", f"share of the {_SAY_SO}", answered=True, judges=_SOME),
    Quantity.PAIR_MOMENT: _seen(
        "Δ", r"\Delta", "$f_{b_1,b_2} - f_{b_1} f_{b_2}$, the covariance of two judges", judges=_TWO
    ),
    Quantity.TRIO_MOMENT: _seen(
        "T", "T", "third central moment of answering b, of three judges", judges=(3, 3)
    ),
    Quantity.DISCRIMINANT_ROOT: _seen(
        *("√A", r"\sqrt{A}"),
        r"the root of $A = T^2 + 4 \Delta_{1,2} \Delta_{1,3} \Delta_{2,3}$ that is not negative",
    ),
    Quantity.AGREEMENT: _seen("a", "a", "share of the questions on which both judges agree", judges=_TWO),
    Quantity.QUESTIONS: _seen("Q", "Q", "number of questions"),
    Quantity.RESPONSES: _seen("R", "R", f"number of {_SAY_SO}", answered=True, judges=_SOME),
}


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of the postulates: a quantity, the true label, and the answers of which judges."""

    kind: Quantity
    key: str = ""
    answers: tuple[str, ...] = ()
    judges: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The code name: an identifier that holds everything, such as `key_responses_a_b_2`.

        >>> frequency({0: "yes!", 1: "no"}).name
        'frequency_yesZ21Z_1_no_2'
        """
        parts = [self.kind.value]
        if self.key:
            parts.append(_escape(self.key))
        for index, judge in enumerate(self.judges):
            if self.answers:
                parts.append(_escape(self.answers[index]))
            parts.append(str(judge + 1))
        return "_".join(parts)

    @property
    def symbol(self) -> str:
        """The paper's symbol, in plain text."""
        return self._written(NOTATION[self.kind].letter, lambda label: label, braces=False)

    @property
    def latex(self) -> str:
        """The paper's symbol in LaTeX."""
        return self._written(NOTATION[self.kind].latex, _latex_label, braces=True)

    def _written(self, letter: str, label: Callable[[str], str], *, braces: bool) -> str:
        """Put the true label above and the answers below; what has only one of them has it below."""
        key = label(self.key)
        if self.kind is Quantity.ACCURACY:
            below = f"{key}_{self.judges[0] + 1}"
        elif self.answers:
            below = ",".join(
                f"{label(answer)}_{judge + 1}"
                for answer, judge in zip(self.answers, self.judges, strict=True)
            )
        else:
            below = ",".join(str(judge + 1) for judge in self.judges)
        if self.kind is Quantity.TRIO_MOMENT:  # one trio is the rule: its T needs no judges
            return letter if self.judges == (0, 1, 2) else f"{letter}_{{{below}}}"
        if not below:
            return f"{letter}_{_group(key, braces=braces)}" if key else letter
        above = f"^{_group(key, braces=braces)}" if key else ""
        return f"{letter}{above}_{_group(below, braces=braces)}"


# -- making variables -------------------------------------------------------------------------------


def prevalence(label: str) -> Variable:
    """Return P_a."""
    return Variable(Quantity.PREVALENCE, label)


def accuracy(label: str, judge: int) -> Variable:
    """Return P^a_{a_i}, the x_i of label a and the y_i of label b."""
    return Variable(Quantity.ACCURACY, label, (), (judge,))


def response_rate(label: str, given: str, judge: int) -> Variable:
    """Return P^a_{b_i}; a rate of right answers is an accuracy."""
    if given == label:
        return accuracy(label, judge)
    return Variable(Quantity.RESPONSE_RATE, label, (given,), (judge,))


def correlation(label: str, judges: Iterable[int]) -> Variable:
    """Return Γ^a_{i,j} or that of more judges."""
    return Variable(Quantity.CORRELATION, label, (), tuple(judges))


def frequency(answers: dict[int, str]) -> Variable:
    """Return f_{a_i}, f_{a_i,b_j}, …, from the answers of the judges."""
    return Variable(Quantity.FREQUENCY, "", tuple(answers.values()), tuple(answers))


def responses(answers: dict[int, str]) -> Variable:
    """Return R_{a_i}, R_{a_i,b_j}, …"""
    return Variable(Quantity.RESPONSES, "", tuple(answers.values()), tuple(answers))


def key_responses(label: str, answers: dict[int, str]) -> Variable:
    """Return R^a_{a_i}, R^a_{a_i,b_j}, …"""
    return Variable(Quantity.KEY_RESPONSES, label, tuple(answers.values()), tuple(answers))


def key_count(label: str) -> Variable:
    """Return Q_a."""
    return Variable(Quantity.KEY_COUNT, label)


def of_judges(kind: Quantity, *judges: int) -> Variable:
    """Return a quantity that belongs to judges alone, such as Δ_{i,j} or e_i, or to none, such as Q."""
    return Variable(kind, "", (), judges)


# -- reading names ----------------------------------------------------------------------------------


@cache
def read_name(name: str) -> Variable:
    """Return the variable of a code name.

    >>> read_name("key_responses_a_b_2")
    Variable(kind=<Quantity.KEY_RESPONSES: 'key_responses'>, key='a', answers=('b',), judges=(1,))

    Raises `BadDocument` for any other text.
    """
    for kind in sorted(Quantity, key=lambda kind: -len(kind.value)):
        if name == kind.value or name.startswith(kind.value + "_"):
            parts = name.removeprefix(kind.value).split("_")[1:]
            variable = _read_parts(kind, parts)
            if variable is not None and variable.name == name:
                return variable
    raise BadDocument(name, "not the name of a variable", "docs/notation.md lists them")


def _read_parts(kind: Quantity, parts: list[str]) -> Variable | None:
    entry = NOTATION[kind]
    key = ""
    if entry.keyed:
        if not parts:
            return None
        key, parts = _unescape(parts[0]), parts[1:]
    answers: tuple[str, ...] = ()
    if entry.answered:
        answers, parts = tuple(_unescape(part) for part in parts[::2]), parts[1::2]
    least, most = entry.judges
    if not all(part.isdecimal() and part != "0" for part in parts) or len(answers) not in (0, len(parts)):
        return None
    if len(parts) < least or (most is not None and len(parts) > most) or (entry.answered and not answers):
        return None
    return Variable(kind, key, answers, tuple(int(part) - 1 for part in parts))


def _escape(label: str) -> str:
    """Write a label in letters and digits: any other character, and Z, as its code between two Zs."""
    return re.sub(r"[^0-9A-Ya-z]", lambda match: f"Z{ord(match[0]):x}Z", label)


def _unescape(text: str) -> str:
    return re.sub(r"Z([0-9a-f]{1,6})Z", lambda match: chr(int(match[1], 16) % 0x110000), text)


def _latex_label(label: str) -> str:
    plain = not label or label.isdecimal() or (len(label) == 1 and label.isalnum())
    return label if plain else rf"\text{{{latex_text(label)}}}"


def _group(text: str, *, braces: bool) -> str:
    return f"{{{text}}}" if braces or len(text) > 1 else text
