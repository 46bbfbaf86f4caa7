"""`Postulate`: a polynomial, as a text, that every evaluation and its votes satisfy; and what each variable is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadChoice, BadVotes, EmptyTest
from ntqr_exact.evaluation import CountEvaluation, Evaluation, plain
from ntqr_exact.exact.json_text import fields_document
from ntqr_exact.exact.show import LatexForms, latex_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates.notation import NOTATION, VOTES, Variable, definition_of, read_name
from ntqr_exact.postulates.polynomial import Monomial, Polynomial, print_formula, read_text
from ntqr_exact.varieties.compositions import individual
from ntqr_exact.varieties.consistent import error_correlation
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Truth: TypeAlias = "Evaluation | CountEvaluation | LabeledVoteCounts"
Residual: TypeAlias = "mpq | Surd | Undefined"


def _evaluated(polynomial: Polynomial, value_of: Callable[[str], Any]) -> Residual:
    """Return the value at a point at which some rates may be undefined.

    A label without questions has prevalence 0, and P_a·x_a is 0 whatever x_a would be: the value is defined if the
    coefficient of each monomial in undefined rates vanishes.
    """
    values = {name: value_of(name) for name in polynomial.variables()}
    parts: dict[Monomial, Any] = {}
    for monomial, coefficient in polynomial.terms.items():
        rest = tuple(factor for factor in monomial if isinstance(values[factor[0]], Undefined))
        known = [values[name] ** power for name, power in monomial if (name, power) not in rest]
        parts[rest] = parts.get(rest, mpq(0)) + math.prod(known, start=coefficient)
    if any(value != 0 for monomial, value in parts.items() if monomial):
        return Undefined.NO_QUESTIONS
    return plain(parts.get((), mpq(0)))


_Forms: TypeAlias = "tuple[LabeledVoteCounts | None, CountEvaluation | None, Evaluation | None]"


def _forms(truth: Truth) -> _Forms:
    """Return an evaluation as labeled votes, as counts and as rates, as far as it determines them."""
    if isinstance(truth, Evaluation):
        return None, None, truth
    if isinstance(truth, CountEvaluation):
        return None, truth, truth.rates()
    counts = individual(truth)
    return truth, counts, counts.rates()


def _value(  # noqa: PLR0912 - a case each
    name: str, labels: Sequence[str], votes: VoteCounts, truth: _Forms = (None, None, None)
) -> Any:
    """Return the value of a variable, counted in the votes or in the answer key, or by its definition."""
    labeled, counts, rates = truth
    value: Any = None
    variable = read_name(name).named(labels)
    key, judges = variable.key, variable.judges
    number = min(len(votes.judges), len(rates.response_rates) if rates else len(votes.judges))
    if votes.without_gaps("postulates").labels != tuple(labels):
        raise BadVotes(votes.labels, f"labels must be those of the postulates, {', '.join(labels)}")
    if any(judge >= number for judge in judges):
        raise BadVotes(name, f"judges must be at most {number}", "take postulates for as many judges as vote")
    match variable.kind:
        case "questions":
            value = mpq(votes.size)
        case "responses":
            value = mpq(_count(votes, variable))
        case "frequency":
            if not votes.size:
                raise EmptyTest(votes.size, "votes must have at least one question")
            value = mpq(_count(votes, variable), votes.size)
        case "prevalence" if rates is not None:
            value = rates.prevalence[key]
        case "accuracy" | "response_rate" if rates is not None:
            value = rates.response_rates[judges[0]][key][(variable.answers or (key,))[0]]
        case "correlation" if labeled is not None:
            value = error_correlation(labeled, key, *judges)
        case "correlation" if rates is not None:
            value = rates.correlations.get((key, judges))
        case "key_count" if counts is not None:
            value = mpq(counts.key_counts[key])
        case "key_responses" if labeled is not None:
            value = mpq(_count(labeled.by_label[key], variable))
        case "key_responses" if counts is not None and len(judges) == 1:
            value = mpq(counts.confusion[judges[0]][key][variable.answers[0]])
    definition = (
        "T**2 + 4*D12*D13*D23" if name == "root" else definition_of(variable) if len(labels) == 2 else None
    )
    if value is None and definition:
        result: Any = _evaluated(
            read_text(definition), partial(_value, labels=labels, votes=votes, truth=truth)
        )
        value = Surd.sqrt(result) if name == "root" else result  # √A ≥ 0, imaginary where A < 0
    if value is None:
        rule = f"the evaluation must determine {variable.written()}"
        raise BadVotes(rates, rule, "labeled votes determine everything")
    return value


def _count(votes: VoteCounts, variable: Variable) -> int:
    answers = list(zip(variable.judges, variable.answers, strict=True))
    return sum(n for pattern, n in votes.counts.items() if all(pattern[j] == label for j, label in answers))


class Space(Enum):
    """The two spaces in which a test is described."""

    RESPONSES = "responses"
    RATES = "rates"


class Status(Enum):
    """How a polynomial relates to its source."""

    PRINTED = "as printed"
    CORRECTED = "corrected"
    DERIVED = "derived"


class Role(Enum):
    """What makes a polynomial vanish."""

    POSTULATE = "holds for every test"
    DEFINITION = "defines a quantity"
    HYPOTHESIS = "holds if the judges err independently, or as the hypothesis says"


@dataclass(frozen=True, slots=True)
class Postulate(LatexForms):
    """A polynomial whose value is 0 as a text in short names, its name, source and status.

    >>> from ntqr_exact.postulates import single
    >>> print(single(("yes", "no"))["16"])
    16: P_{yes}·(P^{yes}_{yes_1} − f_{yes_1}) − P_{no}·(P^{no}_{no_1} − f_{no_1}) = 0

    `solved_for` names the variable that the polynomial gives, if there is one: f in f − F(parameters). `labels`
    are what the letters a, b, c, … of the short names mean.
    """

    name: str
    text: str
    space: Space
    citation: Citation
    status: Status = Status.PRINTED
    role: Role = Role.POSTULATE
    solved_for: str = ""
    labels: tuple[str, ...] = ("a", "b")

    @property
    def polynomial(self) -> Polynomial:
        """The polynomial, multiplied out, in short names."""
        return read_text(self.text)

    def specialise(self, votes: VoteCounts) -> Postulate:
        """Return the postulate with the numbers that were observed in place of their variables.

        >>> from ntqr_exact import VoteCounts, postulates
        >>> print(postulates.single()["16"].specialise(VoteCounts({"a": 3, "b": 1})))
        16: P_a·P^a_{a_1} − P_b·P^b_{b_1} − 3/4·P_a + 1/4·P_b = 0
        """
        names = [name for name in self.polynomial.variables() if NOTATION[read_name(name).kind].side == VOTES]
        numbers = {name: _value(name, self.labels, votes) for name in names if name != "root"}
        return replace(self, text=self.polynomial.substitute(numbers).text(), solved_for="")

    def residual(self, truth: Truth, votes: VoteCounts | None = None) -> Residual:
        """Return the exact value at an evaluation: 0 iff the evaluation satisfies the postulate.

        `truth` is an `Evaluation`, a `CountEvaluation`, or labeled votes, which are their own votes. The
        value is undefined only where it depends on a rate of a label that no question has.
        """
        if votes is None:
            if not isinstance(truth, LabeledVoteCounts):
                raise BadVotes(truth, "votes must be given with an evaluation", "give the votes too")
            votes = truth.observed()
        if votes.labels != truth.labels:
            raise BadVotes((votes.labels, truth.labels), "votes and evaluation must have the same labels")
        return _evaluated(
            self.polynomial, partial(_value, labels=self.labels, votes=votes, truth=_forms(truth))
        )

    def statement(self, *, latex: bool = False) -> str:
        """Return what is 0, as in the text, in the paper's symbols with the labels."""
        return print_formula(self.text, self.labels, latex=latex)

    def __str__(self) -> str:
        return f"{self.name}: {self.statement()} = 0"

    def latex(self) -> str:
        """Return the equation in LaTeX."""
        return f"{self.statement(latex=True)} = 0"

    def to_document(self) -> dict[str, Any]:
        """Return the postulate as a JSON document."""
        both = {"formula": self.text, "polynomial": self.polynomial.to_document()}
        return fields_document(self, "text") | both


class PostulateSet(LatexForms, tuple[Postulate, ...]):
    """Postulates in order, each found by its index or its name."""

    __slots__ = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(postulate.name for postulate in self)

    @property
    def rates(self) -> PostulateSet:
        """Those in the space of rates."""
        return PostulateSet(postulate for postulate in self if postulate.space is Space.RATES)

    @property
    def responses(self) -> PostulateSet:
        """Those in the space of responses."""
        return PostulateSet(postulate for postulate in self if postulate.space is Space.RESPONSES)

    def specialise(self, votes: VoteCounts) -> PostulateSet:
        """Return every postulate with the observed numbers."""
        return PostulateSet(postulate.specialise(votes) for postulate in self)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        if key not in self.names:
            raise BadChoice(key, f"name must be one of {', '.join(self.names)}")
        return super().__getitem__(self.names.index(key))

    def __add__(self, other: Any) -> PostulateSet:
        return PostulateSet((*self, *other))

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def latex(self) -> str:
        """Return all equations, one under the other, with their names."""
        lines = [rf"&{p.latex()} && \text{{({latex_text(p.name)})}}" for p in self]
        return "\\begin{aligned}" + " \\\\ ".join(lines) + "\\end{aligned}"
