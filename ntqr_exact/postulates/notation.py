r"""The one table of notation, `data/notation.toml`: the names and symbols of every variable.

>>> read_name("x1").written(), read_name("x1").written(latex=True)
('P^a_{a_1}', '\\hat{P}^{a}_{a_1}')

Short names call the labels a, b, c, … in their order, and number the judges from 1; in code judges count from 0.
The labels of a user enter when a variable is written: `read_name("x1").written(("yes", "no"))` is P^{yes}_{yes_1}.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.show import latex_text

LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""What short names call the labels."""

VOTES = "the votes"
"""The side of a quantity that is seen in the votes; others belong to the answer key."""


@dataclass(frozen=True, slots=True)
class NotationRow:
    """One row of the table: how short names begin, the bare symbol in text and LaTeX, and what follows it.

    A quantity may follow from a true label ("key"), from the labels that the judges named gave ("answers"), or from
    judges alone; at least `fewest` and at most `most` of these.
    """

    prefix: str
    letter: str
    latex: str
    fewest: int
    most: int
    follows: str
    side: str
    examples: str
    meaning: str


_TABLE = tomllib.loads(files("ntqr_exact.data").joinpath("notation.toml").read_text(encoding="utf-8"))
_DEFINITIONS = _TABLE.pop("definitions")
NOTATION: Mapping[str, NotationRow] = {kind: NotationRow(*row) for kind, row in _TABLE.items()}
"""The quantities there are, each with its row."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of the postulates: a quantity, the true label, and the answers of which judges."""

    kind: str
    key: str = ""
    answers: tuple[str, ...] = ()
    judges: tuple[int, ...] = ()

    def written(self, labels: Sequence[str] = LETTERS, *, latex: bool = False) -> str:
        """Return the symbol with the labels of a user: the true label above, the answers below."""
        row, text = NOTATION[self.kind], _latex_label if latex else str
        key, given = text(self.named(labels).key), [f"{text(each)}_" for each in self.named(labels).answers]
        if self.kind == "accuracy":
            given = [f"{key}_"]
        numbers = [judge + 1 for judge in self.judges] if self != _TRIO_MOMENT else []
        below = ",".join(f"{a}{n}" for a, n in zip(given or [""] * len(numbers), numbers, strict=True))
        result = row.latex if latex else row.letter
        for mark, part in (("^", key if below else ""), ("_", below or key)):
            if part:
                result += f"{mark}{{{part}}}" if latex or len(part) > 1 else f"{mark}{part}"
        return result

    def named(self, labels: Sequence[str]) -> Variable:
        """Return the variable with labels in place of the letters a, b, c, …"""
        names = dict(zip(LETTERS, labels, strict=False))
        answers = tuple(names.get(letter, letter) for letter in self.answers)
        return replace(self, key=names.get(self.key, self.key), answers=answers)


_TRIO_MOMENT = Variable("trio_moment", "", (), (0, 1, 2))
"""T, which is written without its judges."""


def _latex_label(label: str) -> str:
    plain = not label or label.isdecimal() or (len(label) == 1 and label.isalnum())
    return label if plain else rf"\text{{{latex_text(label)}}}"


def name_of(prefix: str, answers: Mapping[int, str]) -> str:
    """Return the short name of what depends on answers: `name_of("f", {0: "a", 2: "b"})` is fa1b3."""
    return prefix + "".join(f"{answer}{judge + 1}" for judge, answer in answers.items())


@cache
def read_name(name: str) -> Variable:
    """Return the variable of a short name.

    >>> read_name("Rab2")
    Variable(kind='key_responses', key='a', answers=('b',), judges=(1,))

    Raises `BadDocument` for any other text.
    """
    accurate = re.fullmatch(r"(x|y|P([c-z])\2)([1-9][0-9]?)", name)
    if accurate:
        key = accurate[2] or {"x": "a", "y": "b"}[name[0]]
        return Variable("accuracy", key, (), (int(accurate[3]) - 1,))
    for kind, row in NOTATION.items():
        key, rest, number = "[a-z]" if "key" in row.follows else "", "([1-9]*)", "[0-9]"
        if "answers" in row.follows:
            rest, number = "((?:[a-z][1-9][0-9]?)+)", "[0-9]+"
        match = re.fullmatch(f"{row.prefix}({key}){rest}", name if name != "T" else "T123")
        if match:
            judges = tuple(int(each) - 1 for each in re.findall(number, match[2]))
            variable = Variable(kind, match[1], tuple(re.findall("[a-z]", match[2])), judges)
            is_right = kind == "response_rate" and (variable.key,) == variable.answers
            if row.fewest <= len(judges) <= row.most and kind != "accuracy" and not is_right:
                return variable
    raise BadDocument(name, "name must be that of a variable", "docs/notation.md lists them")


def definition_of(variable: Variable) -> str | None:
    """Return what a quantity is defined to be, for two labels, as a text; Δ_ij is eq. 34, a_ij eq. 19."""
    text = _DEFINITIONS.get(variable.kind)
    return text and str(text).format(*(judge + 1 for judge in variable.judges))


@cache
def rank(name: str) -> tuple[int, str]:
    """Return the index of a name in the order of the table; other names come last."""
    try:
        return (list(NOTATION).index(read_name(name).kind), name)
    except BadDocument:
        return (len(NOTATION), name)


def symbol(name: str, labels: Sequence[str] = LETTERS, *, latex: bool = False) -> str:
    """Return the symbol of a short name; a name that is not in the table is its own symbol."""
    try:
        return read_name(name).written(labels, latex=latex)
    except BadDocument:
        escaped = name.replace("_", r"\_")
        return rf"\mathrm{{{escaped}}}" if latex and len(name) > 1 else name
