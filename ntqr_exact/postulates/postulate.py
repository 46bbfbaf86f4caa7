"""`Postulate`: a polynomial that every evaluation and its votes satisfy, as a text, with where it comes from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.errors import NtqrExactError
from ntqr_exact.exact.show import latex_text
from ntqr_exact.postulates.polynomial import Polynomial, print_formula, read_text
from ntqr_exact.postulates.values import Residual, Truth, observed_values, residual
from ntqr_exact.votes.counts import VoteCounts


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
    are what the letters a, b, c, … of the short names stand for.
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
        """Return what is 0 as it stands in the text, in the paper's symbols with the labels."""
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
