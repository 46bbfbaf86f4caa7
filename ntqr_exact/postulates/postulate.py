"""`Postulate`: a polynomial that every evaluation and its votes satisfy, with where it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, overload

from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.exact.latex_table import latex_text
from ntqr_exact.postulates.values import Residual, Truth, observed_values, residual
from ntqr_exact.votes.counts import VoteCounts

if TYPE_CHECKING:
    import sympy


class UnknownName(NtqrExactError, ValueError):
    """A name that no postulate, equation or derivation has; the rule lists those there are."""


class Space(Enum):
    """The two spaces in which a test is described."""

    RESPONSES = "responses"
    RATES = "rates"


class Status(Enum):
    """How a polynomial stands to its source."""

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
    """A polynomial whose value is 0, its name, source and status.

    >>> from ntqr_exact.postulates import single
    >>> postulate = single()["16"]
    >>> print(postulate)
    16: P_a·P^a_{a_1} − P_a·f_{a_1} − P_b·P^b_{b_1} + P_b·f_{b_1} = 0
    >>> print(postulate.specialise(VoteCounts({"a": 3, "b": 1})))
    16: P_a·P^a_{a_1} − P_b·P^b_{b_1} − 3/4·P_a + 1/4·P_b = 0

    `solved_for` names the variable that the polynomial gives, if there is one: f in f − F(parameters).
    """

    name: str
    polynomial: Polynomial
    space: Space
    citation: Citation
    status: Status = Status.PRINTED
    role: Role = Role.POSTULATE
    solved_for: str = ""

    def specialise(self, votes: VoteCounts) -> Postulate:
        """Return the postulate with the numbers that were observed in place of their variables."""
        numbers = observed_values(self.polynomial.variables(), votes)
        return replace(self, polynomial=self.polynomial.substitute(numbers), solved_for="")

    def residual(self, truth: Truth, votes: VoteCounts | None = None) -> Residual:
        """Return the exact value at an evaluation: 0 iff the evaluation satisfies the postulate.

        `truth` is an `Evaluation`, a `CountEvaluation`, or labeled votes, which are their own votes. The
        value is undefined only where it depends on a rate of a label that no question has.

        >>> from ntqr_exact.postulates import single
        >>> from ntqr_exact.evaluation import CountEvaluation
        >>> evaluation = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 2, "b": 1}])
        >>> single()["16"].residual(evaluation, VoteCounts({"a": 3, "b": 1}))
        mpq(0,1)
        """
        return residual(self.polynomial, truth, votes)

    # -- forms ----------------------------------------------------------------------------------

    def __str__(self) -> str:
        """Return name and equation in the paper's symbols."""
        return f"{self.name}: {self.polynomial} = 0"

    def latex(self) -> str:
        """Return the equation in LaTeX."""
        return f"{self.polynomial.latex()} = 0"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def to_sympy(self) -> sympy.Expr:
        """Return the polynomial as a sympy expression in the code names."""
        return self.polynomial.to_sympy()

    def to_document(self) -> dict[str, Any]:
        """Return the postulate as a JSON document."""
        return {
            "name": self.name,
            "space": self.space.value,
            "status": self.status.value,
            "role": self.role.value,
            "citation": {"source": self.citation.source, "place": self.citation.place},
            "polynomial": self.polynomial.to_document(),
            "solved_for": self.solved_for,
        }

    @classmethod
    def from_document(cls, document: object) -> Postulate:
        """Return the postulate that `to_document` wrote."""
        match document:
            case {
                "name": str(name),
                "space": str(space),
                "status": str(status),
                "role": str(role),
                "citation": {"source": str(source), "place": str(place)},
                "polynomial": dict(polynomial),
                "solved_for": str(solved_for),
            }:
                try:
                    kinds = Space(space), Citation(source, place), Status(status), Role(role)
                    return cls(name, Polynomial(polynomial), *kinds, solved_for)
                except ValueError as error:
                    if isinstance(error, NtqrExactError):
                        raise
        rule = "a postulate has name, space, status, role, citation, polynomial and solved_for"
        raise BadDocument(document, rule)


@dataclass(frozen=True, slots=True, init=False)
class PostulateSet(Sequence[Postulate]):
    """Postulates in order, each found by its place or its name.

    >>> from ntqr_exact.postulates import pair
    >>> [postulate.name for postulate in pair().rates][:6]
    ['5', '26a', '26b', '26c', '26d', '18']
    """

    members: tuple[Postulate, ...]

    def __init__(self, members: Iterable[Postulate]) -> None:
        """Check that no name occurs twice."""
        kept = tuple(members)
        names = Counter(postulate.name for postulate in kept)
        for name, times in names.items():
            if times > 1:
                raise UnknownName(name, "this name is given to two postulates")
        object.__setattr__(self, "members", kept)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(postulate.name for postulate in self.members)

    @property
    def rates(self) -> PostulateSet:
        """Those in the space of rates."""
        return self.where(Space.RATES)

    @property
    def responses(self) -> PostulateSet:
        """Those in the space of responses."""
        return self.where(Space.RESPONSES)

    @property
    def polynomials(self) -> tuple[Polynomial, ...]:
        """The polynomials alone."""
        return tuple(postulate.polynomial for postulate in self.members)

    def where(self, space: Space) -> PostulateSet:
        """Return those of one space."""
        return PostulateSet(postulate for postulate in self.members if postulate.space is space)

    def specialise(self, votes: VoteCounts) -> PostulateSet:
        """Return every postulate with the observed numbers."""
        return PostulateSet(postulate.specialise(votes) for postulate in self.members)

    @overload
    def __getitem__(self, key: int | str) -> Postulate: ...
    @overload
    def __getitem__(self, key: slice) -> PostulateSet: ...
    def __getitem__(self, key: int | str | slice) -> Postulate | PostulateSet:
        """Return a postulate by place or name, or several by a slice."""
        if isinstance(key, slice):
            return PostulateSet(self.members[key])
        if isinstance(key, int):
            return self.members[key]
        for postulate in self.members:
            if postulate.name == key:
                return postulate
        raise UnknownName(key, f"the postulates here are {', '.join(self.names)}")

    def __contains__(self, item: object) -> bool:
        """Tell whether a postulate, or one of this name, is here."""
        return item in self.members or item in self.names

    def __iter__(self) -> Iterator[Postulate]:
        """Iterate in order."""
        return iter(self.members)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.members)

    def __add__(self, other: object) -> PostulateSet:
        """Return both together."""
        if not isinstance(other, PostulateSet):
            return NotImplemented
        return PostulateSet((*self.members, *other.members))

    def __str__(self) -> str:
        """Return one line for each postulate."""
        return "\n".join(map(str, self.members))

    def latex(self) -> str:
        """Return all equations, one under the other, with their names."""
        lines = [rf"&{p.latex()} && \text{{({latex_text(p.name)})}}" for p in self.members]
        return "\\begin{aligned}" + " \\\\ ".join(lines) + "\\end{aligned}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"
