"""`Postulate`: a polynomial, as a text, that every evaluation and its votes satisfy; and what each variable is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes, EmptyTest, NtqrExactError
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate
from ntqr_exact.exact.show import latex_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates.notation import NOTATION, VOTES, Quantity, Variable, definition_of, read_name
from ntqr_exact.postulates.polynomial import Monomial, Number, Polynomial, print_formula, read_text
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Truth: TypeAlias = "Evaluation | CountEvaluation | LabeledVoteCounts"
Residual: TypeAlias = "mpq | Surd | Undefined"
_AB = ("a", "b")


class MissingValue(NtqrExactError, ValueError):
    """A variable that the given evaluation does not determine, such as a correlation in mere counts."""


def observed_values(names: Iterable[str], votes: VoteCounts, labels: Sequence[str] = _AB) -> dict[str, mpq]:
    """Return the rational numbers that votes give to variables; the others are left out.

    >>> observed_values(["fa1", "Pa", "Q"], VoteCounts({"a": 3, "b": 1}))
    {'fa1': mpq(3,4), 'Q': mpq(4,1)}
    """
    votes.without_gaps("postulates")
    seen = [name for name in names if name != "root" and NOTATION[read_name(name).kind].side == VOTES]
    return {name: _observed(_named(name, labels, votes), votes) for name in seen}


def residual(
    polynomial: Polynomial, truth: Truth, votes: VoteCounts | None, labels: Sequence[str] = _AB
) -> Residual:
    """Return the value of a polynomial where the key's variables are those of `truth`, the votes' those seen."""
    if votes is None:
        if not isinstance(truth, LabeledVoteCounts):
            raise MissingValue(truth, "an evaluation does not hold the votes", "give the votes too")
        votes = truth.observed()
    votes.without_gaps("postulates")
    if votes.labels != truth.labels:
        raise BadVotes((votes.labels, truth.labels), "votes and evaluation must have the same labels")
    values: dict[str, Any] = {name: _value(name, truth, votes, labels) for name in polynomial.variables()}
    # The coefficient of each monomial in the undefined rates, of which all but that of 1 must vanish: a label
    # without questions has prevalence 0, and P_a·x_a is 0 whatever x_a would be.
    parts: dict[Monomial, Number] = {}
    for monomial, coefficient in polynomial.terms.items():
        rest = tuple(factor for factor in monomial if isinstance(values[factor[0]], Undefined))
        known = [values[name] ** power for name, power in monomial if (name, power) not in rest]
        parts[rest] = parts.get(rest, mpq(0)) + math.prod(known, start=coefficient)
    if any(value != 0 for monomial, value in parts.items() if monomial):
        return Undefined.NO_QUESTIONS
    total = parts.get((), mpq(0))
    return total.rational if isinstance(total, Surd) and total.is_rational else total


def _named(name: str, labels: Sequence[str], test: Truth | VoteCounts) -> Variable:
    """Return a variable with the labels of the votes; raises `BadVotes` for judges and labels that are not there."""
    variable = read_name(name).named(labels)
    rows = test.response_rates if isinstance(test, Evaluation) else getattr(test, "judges", ())
    judges = len(test.confusion if isinstance(test, CountEvaluation) else rows)
    if any(judge >= judges for judge in variable.judges) or (name == "root" and judges < 3):
        raise BadVotes(name, f"there are only {judges} judges", "take postulates for as many judges as vote")
    for label in (variable.key, *variable.answers):
        if label and label not in test.labels:
            raise BadVotes(label, f"the labels here are {', '.join(map(repr, test.labels))}")
    return variable


def _value(name: str, truth: Truth, votes: VoteCounts, labels: Sequence[str]) -> Rate:
    if NOTATION[read_name(name).kind].side == VOTES:
        seen: Rate = _observed(_named(name, labels, votes), votes)
        return seen
    variable = _named(name, labels, truth)
    match truth:
        case LabeledVoteCounts():
            value = _counted(variable, truth)
        case CountEvaluation():
            value = _from_counts(variable, truth)
        case _:
            value = _from_rates(variable, truth)
    if value is not None:
        return value
    definition = definition_of(read_name(name)) if len(truth.labels) == 2 else None
    if definition is None:
        rule = f"this {type(truth).__name__} does not determine {read_name(name).written(labels)}"
        raise MissingValue(truth, rule, "labeled votes determine everything")
    return residual(read_text(definition), truth, votes, labels)


def _observed(variable: Variable, votes: VoteCounts) -> Any:  # noqa: PLR0911 - a case each
    judges, answers = variable.judges, dict(zip(variable.judges, variable.answers, strict=False))
    match variable.kind:
        case Quantity.QUESTIONS:
            return mpq(votes.size)
        case Quantity.RESPONSES:
            return mpq(_count(votes, answers))
        case Quantity.FREQUENCY:
            return _share(_count(votes, answers), votes.size)
        case Quantity.PAIR_MOMENT:
            return votes.pair_moment(*judges)
        case Quantity.TRIO_MOMENT:
            return votes.trio_moment(*judges)
        case Quantity.AGREEMENT:
            return votes.agreement(*judges)
    product = votes.pair_moment(0, 1) * votes.pair_moment(0, 2) * votes.pair_moment(1, 2)
    return Surd.sqrt(votes.trio_moment(0, 1, 2) ** 2 + 4 * product)  # √A ≥ 0, imaginary where A < 0


def _counted(variable: Variable, truth: LabeledVoteCounts) -> Rate | None:  # noqa: PLR0911 - a case each
    """Count in the labeled votes; what is not counted directly has a definition."""
    kind = variable.kind
    if kind in (Quantity.ERROR, Quantity.JOINT_ERROR, Quantity.GRADE):
        matching = sum(
            count
            for label, votes in truth.by_label.items()
            for pattern, count in votes.counts.items()
            if all((pattern[judge] == label) is (kind is Quantity.GRADE) for judge in variable.judges)
        )
        return mpq(matching) if kind is Quantity.GRADE else _share(matching, truth.size)
    if not variable.key:
        return None
    votes = truth.by_label[variable.key]
    given = dict(zip(variable.judges, variable.answers or (variable.key,), strict=False))
    match kind:
        case Quantity.PREVALENCE:
            return _share(votes.size, truth.size)
        case Quantity.KEY_COUNT:
            return mpq(votes.size)
        case Quantity.KEY_RESPONSES:
            return mpq(_count(votes, given))
    if not votes.size:
        return Undefined.NO_QUESTIONS
    if kind is Quantity.CORRELATION:
        return votes.central_moment(variable.judges, label=variable.key)
    return mpq(_count(votes, given), votes.size)


def _from_counts(variable: Variable, truth: CountEvaluation) -> Rate | None:
    match variable.kind:
        case Quantity.KEY_COUNT:
            return mpq(truth.key_counts[variable.key])
        case Quantity.KEY_RESPONSES if len(variable.judges) == 1:
            return mpq(truth.confusion[variable.judges[0]][variable.key][variable.answers[0]])
    return _from_rates(variable, truth.rates())


def _from_rates(variable: Variable, truth: Evaluation) -> Rate | None:
    match variable.kind:
        case Quantity.PREVALENCE:
            return truth.prevalence[variable.key]
        case Quantity.ACCURACY | Quantity.RESPONSE_RATE:
            given = variable.answers[0] if variable.answers else variable.key
            return truth.response_rates[variable.judges[0]][variable.key][given]
        case Quantity.CORRELATION:
            return truth.correlations.get((variable.key, variable.judges))
    return None


def _share(count: int, questions: int) -> mpq:
    if not questions:
        raise EmptyTest(questions, "a test without questions has no rates")
    return mpq(count, questions)


def _count(votes: VoteCounts, answers: Mapping[int, str]) -> int:
    return sum(
        count
        for pattern, count in votes.counts.items()
        if all(pattern[judge] == label for judge, label in answers.items())
    )


class UnknownName(NtqrExactError, ValueError):
    """A name that no postulate, equation or derivation has; the rule lists those there are."""


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
class Postulate:
    """A polynomial whose value is 0 as a text in short names, its name, source and status.

    >>> from ntqr_exact.postulates import single
    >>> postulate = single(("yes", "no"))["16"]
    >>> print(postulate)
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
        numbers = observed_values(self.polynomial.variables(), votes, self.labels)
        return replace(self, text=self.polynomial.substitute(numbers).text(), solved_for="")

    def residual(self, truth: Truth, votes: VoteCounts | None = None) -> Residual:
        """Return the exact value at an evaluation: 0 iff the evaluation satisfies the postulate.

        `truth` is an `Evaluation`, a `CountEvaluation`, or labeled votes, which are their own votes. The
        value is undefined only where it depends on a rate of a label that no question has.

        >>> from ntqr_exact import CountEvaluation, VoteCounts, postulates
        >>> evaluation = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 2, "b": 1}])
        >>> postulates.single()["16"].residual(evaluation, VoteCounts({"a": 3, "b": 1}))
        mpq(0,1)
        """
        return residual(self.polynomial, truth, votes, self.labels)

    def statement(self, *, latex: bool = False) -> str:
        """Return what is 0, as in the text, in the paper's symbols with the labels."""
        return print_formula(self.text, self.labels, latex=latex)

    def __str__(self) -> str:
        return f"{self.name}: {self.statement()} = 0"

    def latex(self) -> str:
        """Return the equation in LaTeX."""
        return f"{self.statement(latex=True)} = 0"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def to_document(self) -> dict[str, Any]:
        """Return the postulate as a JSON document."""
        return {
            "name": self.name,
            "space": self.space.value,
            "status": self.status.value,
            "role": self.role.value,
            "citation": {"source": self.citation.source, "place": self.citation.place},
            "labels": list(self.labels),
            "formula": self.text,
            "polynomial": self.polynomial.to_document(),
            "solved_for": self.solved_for,
        }


class PostulateSet(tuple[Postulate, ...]):
    """Postulates in order, each found by its index or its name; names occur once.

    >>> from ntqr_exact.postulates import pair
    >>> pair().rates.names[:6]
    ('5', '26a', '26b', '26c', '26d', '18')
    """

    __slots__ = ()

    def __new__(cls, members: Iterable[Postulate]) -> PostulateSet:
        """Check that no name occurs twice."""
        made = super().__new__(cls, members)
        if len(set(made.names)) < len(made):
            raise UnknownName(made.names, "names of postulates must be different")
        return made

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
        if isinstance(key, str):
            for postulate in self:
                if postulate.name == key:
                    return postulate
            raise UnknownName(key, f"the postulates here are {', '.join(self.names)}")
        found = super().__getitem__(key)
        return PostulateSet(found) if isinstance(key, slice) else found

    def __contains__(self, item: object) -> bool:
        return super().__contains__(item) or item in self.names

    def __add__(self, other: Any) -> PostulateSet:
        return PostulateSet((*self, *other))

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def latex(self) -> str:
        """Return all equations, one under the other, with their names."""
        lines = [rf"&{p.latex()} && \text{{({latex_text(p.name)})}}" for p in self]
        return "\\begin{aligned}" + " \\\\ ".join(lines) + "\\end{aligned}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"
