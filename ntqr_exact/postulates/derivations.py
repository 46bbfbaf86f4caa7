"""Derivations of the identities of the paper by cofactors that anybody can expand, refutations, and ideals.

`derive("33d")` proves the lemmas of the table one after the other, and divides the claim by all that is known. Every
generator leads with what it is solved for, so that sympy's `PolyElement.div` finds cofactors wherever there are any;
the lemmas keep them short (eq. 39: 177 terms, not 16,202). Every test that can be given is a point of the variety of
the complete postulates: one with a residual that is not zero refutes a claim for good.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from itertools import combinations_with_replacement, product
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadChoice, BadVotes, NtqrExactError
from ntqr_exact.exact.show import formulas, latex_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates import equations
from ntqr_exact.postulates.checker import problems
from ntqr_exact.postulates.notation import NOTATION, rank, read_name
from ntqr_exact.postulates.polynomial import Polynomial, read_formula, ring
from ntqr_exact.postulates.postulate import Postulate, Role, Space, Status
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import default_judges

_DATA = tomllib.loads(files("ntqr_exact.data").joinpath("derivations.toml").read_text(encoding="utf-8"))


class NotProven(NtqrExactError, ValueError):
    """A polynomial that division by the generators does not bring to zero; `given` is what remains."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what is proven, in words, and the cofactor of each generator used."""

    name: str
    words: str
    target: Polynomial
    cofactors: tuple[tuple[str, Polynomial], ...]


@dataclass(frozen=True, slots=True)
class Derivation:
    """The proof that a claim vanishes wherever what is given vanishes."""

    claim: Postulate
    given: tuple[Postulate, ...]
    steps: tuple[Step, ...]

    def problems(self) -> list[str]:
        """Return what the independent checker finds wrong: nothing, if the derivation proves its claim."""
        return problems(self.to_document())

    def to_document(self) -> dict[str, Any]:
        """Return the derivation as a JSON document that the checker understands."""
        return {
            "format": "ntqr-exact derivation 1",
            "equation": self.claim.name,
            "source": str(self.claim.citation),
            "status": self.claim.status.value,
            "claim": self.claim.polynomial.to_document(),
            "given": [
                {"name": each.name, "polynomial": each.polynomial.to_document()}
                | ({"defines": each.solved_for} if each.role is Role.DEFINITION else {})
                for each in self.given
            ],
            "steps": [
                {
                    "name": step.name,
                    "words": step.words,
                    "target": step.target.to_document(),
                    "terms": [{"generator": n, "cofactor": c.to_document()} for n, c in step.cofactors],
                }
                for step in self.steps
            ],
        }

    @property
    def title(self) -> str:
        """The equation, where it is printed, and its status."""
        return f"Equation {self.claim.name} ({self.claim.citation}; {self.claim.status.value})"

    def __str__(self) -> str:
        lines = [self.title, f"  {self.claim.statement()} = 0", "", "Given"]
        for each in self.given:
            role = f"   ({each.role.value})" if each.role is not Role.POSTULATE else ""
            lines.append(f"  [{each.name}] {each.statement()} = 0{role}")
        for number, step in enumerate(self.steps, start=1):
            lines += ["", f"Step {number}: [{step.name}] {step.words}", f"  {step.target}"]
            for index, (name, cofactor) in enumerate(step.cofactors):
                lines.append(f"    {'+' if index else '='} ({cofactor}) · [{name}]")
        return "\n".join(lines)

    def latex(self) -> str:
        """Return the derivation as LaTeX that amsmath sets: align environments with words between them."""
        claim, *given = (rf"& {one.latex()} \tag{{{_words(one.name)}}}" for one in (self.claim, *self.given))
        about = f"% {self.claim.name}: {self.claim.citation}; {self.claim.status.value}"
        lines = [about, _align([claim]), "Given:", _align(given)]
        for number, step in enumerate(self.steps, start=1):
            rows = [f"& {step.target.latex()}"]
            for index, (name, cofactor) in enumerate(step.cofactors):
                product_of_both = rf"\left({cofactor.latex()}\right) \cdot [\text{{{_words(name)}}}]"
                rows.append(rf"&\quad {'+' if index else '='} {product_of_both}")
            lines += [f"Step {number}, {_words(step.name)}: {_words(step.words)}", _align(rows)]
        return "\n".join(lines)


def _align(rows: list[str]) -> str:
    return "\\begin{align*}\n  " + " \\\\\n  ".join(rows) + "\n\\end{align*}"


def _words(name: str) -> str:
    """Return a name or a sentence for a text: what is written in symbols is a formula."""
    return formulas(name, other=latex_text).replace("−", "$-$")


# -- proving ------------------------------------------------------------------------------------------


def certify(
    target: Polynomial, generators: Sequence[tuple[str, Polynomial]], first: Iterable[str] = ()
) -> tuple[tuple[str, Polynomial], ...]:
    """Return the cofactors, not zero, by which the target is a combination of the generators.

    >>> print(*certify(read_formula("f**2 - x**4"), [("f is x²", read_formula("f - x**2"))], "f"))
    ('f is x²', read_formula('x**2 + f'))

    `first` are the variables that lead. Raises `NotProven` if something remains.
    """
    everything = [target, *(polynomial for _, polynomial in generators)]
    names = {name for polynomial in everything for name in polynomial.variables()}
    wanted = [name for name in first if name in names]
    over = ring((*wanted, *sorted(names - set(wanted), key=_division_order)))
    dividend, *divisors = (each.top.set_ring(over) for each in everything)
    quotients, rest = dividend.div(divisors)
    if rest:
        rule = "this remains when the generators are divided out, so they do not prove the target"
        raise NotProven(str(Polynomial(rest, over.one)), rule)
    cofactors = zip(generators, quotients, strict=True)
    return tuple((name, Polynomial(cofactor, over.one)) for (name, _), cofactor in cofactors if cofactor)


def _division_order(name: str) -> tuple[int, int, str]:
    """Return the key that sorts what is observed before what is true, and x_i before d_i, which it is replaced by."""
    index = rank(name)[0]
    if index == len(NOTATION):
        return (1, 0, name)
    variable = read_name(name)
    if variable.kind == "accuracy":
        return (-list(NOTATION).index("informedness"), 0, name)
    return (-index, len(variable.judges), name)


def prove(
    claim: Postulate,
    given: Sequence[Postulate],
    lemmas: Iterable[tuple[Postulate, str]] = (),
    *,
    words: str,
    first: Iterable[str] = (),
) -> Derivation:
    """Return the derivation that divides each lemma, and then the claim, by all that is known before it.

    What the claim turns out not to need, of lemmas as of what is given, is left out. Raises `NotProven`.
    """
    known = [(each.name, each.polynomial) for each in given]
    steps: list[Step] = []
    for name, goal, goal_words in (
        *((f"lemma {one.name}", one, text) for one, text in lemmas),
        (claim.name, claim, words),
    ):
        steps.append(Step(name, goal_words, goal.polynomial, certify(goal.polynomial, known, first)))
        known.insert(0, (name, goal.polynomial))
    needed = {claim.name}
    for step in reversed(steps):
        if step.name in needed:
            needed |= {name for name, _ in step.cofactors}
    used = tuple(each for each in given if each.name in needed)
    return Derivation(claim, used, tuple(step for step in steps if step.name in needed))


@cache
def _registry() -> dict[str, tuple[str, list[str], list[str], str]]:
    """Return the claim, what is given, the lemmas and the words of every equation that can be derived."""
    rows = {}
    for names, given, lemmas, words in _DATA["derivations"]:
        for name in names.split():
            equation, _, claim = name.partition("=")
            rows[equation] = (claim or equation, _names(given), _names(lemmas), words)
    return rows


def _names(text: str) -> list[str]:
    """Return the names in a text, with each list that has a name in angle brackets put in."""
    while "<" in text:
        text = re.sub("<(.*?)>", lambda match: str(_DATA["lists"][match[1]]), text)
    return text.split("; ") if text else []


def derivation_names() -> tuple[str, ...]:
    """Return the names of the equations that can be derived, in the order of the paper."""
    return tuple(_registry())


@cache
def derive(equation: str) -> Derivation:
    """Return the derivation of an equation.

    >>> derive("16").problems()
    []

    Raises `BadChoice` for an equation that is not in the registry.
    """
    if equation not in _registry():
        raise BadChoice(equation, f"equation must be one of {', '.join(derivation_names())}")
    claim, given, lemmas, words = _registry()[equation]
    known, chain = _equations(trio="41" in given), []
    for key in lemmas:
        if key in _DATA["lemmas"]:
            name, text, place, lemma_words = _DATA["lemmas"][key]
            formula, citation = equations.expand_excesses(text), Citation("ntqr", place)
            chain.append((Postulate(name, formula, Space.RATES, citation, Status.DERIVED), lemma_words))
        else:
            chain.append((known[key], _registry()[key][-1]))
    first = ["e12"] if "27 defines" in given else []
    return prove(known[claim], [known[each] for each in given], chain, words=words, first=first)


@cache
def _equations(*, trio: bool) -> dict[str, Postulate]:
    """Return the equations of one and two, or of three judges, by name; some of them as definitions of e_{1,2}."""
    forms = equations.solution()
    if trio:
        pairs = [equations.marginal({i: "b", j: "b"}, "f", 3) for i, j in ((0, 1), (0, 2), (1, 2))]
        return {each.name: each for each in (*equations.independent(3), *pairs, *forms)}
    judges = equations.complete(3).rates + equations.agreement_solution()
    sets = (forms, judges, equations.agreement(), equations.pair().rates, equations.single())
    known = {each.name: each for some in sets for each in some}
    together = replace(known["30"], role=Role.DEFINITION)
    return known | {
        "30 defines": together,
        "e_{1,2}": replace(together, name="e_{1,2}"),
        "27 defines": replace(known["27"], role=Role.DEFINITION, solved_for="e12"),
    }


# -- refuting -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Refutation:
    """A test on which the claim has a residual that is not zero."""

    claim: Postulate
    test: LabeledVoteCounts
    residual: mpq | Surd

    def __str__(self) -> str:
        name = f"Equation {self.claim.name} as printed ({self.claim.citation})"
        formula = f"{self.claim.statement()}\nis {self.residual}, not 0."
        return f"{name} fails on this test:\n\n{self.test}\n\n{formula}"


@cache
def refute_misprint(name: str) -> Refutation | None:
    """Return the smallest counterexample to a printed equation."""
    hypotheses: Sequence[Postulate] = ()
    if name == "23":
        hypotheses = [each for each in equations.agreement_solution() if each.name.startswith("21")]
    elif name == "40":
        hypotheses = [each for each in equations.independent(3) if each.role is Role.HYPOTHESIS]
    return refute(equations.misprints()[name], hypotheses)


def refute(claim: Postulate, hypotheses: Sequence[Postulate] = (), *, largest: int = 4) -> Refutation | None:
    """Return the smallest test of 1 to `largest` questions that satisfies the hypotheses and not the claim, if any."""
    names = (name for each in (claim, *hypotheses) for name in each.polynomial.variables())
    judges = max((judge + 1 for name in names for judge in read_name(name).judges), default=1)
    for size in range(1, largest + 1):
        for test in all_tests(judges, size):
            residual = claim.residual(test)
            if isinstance(residual, Undefined) or residual == 0:
                continue
            if all(hypothesis.residual(test) == 0 for hypothesis in hypotheses):
                return Refutation(claim, test, residual)
    return None


def all_tests(judges: int, size: int, labels: Sequence[str] = ("a", "b")) -> Iterator[LabeledVoteCounts]:
    """Iterate over all tests of a size: every way of putting questions into true labels and patterns."""
    cells, names = list(product(labels, product(labels, repeat=judges))), default_judges(judges)
    for chosen in combinations_with_replacement(cells, size):
        parts = {label: Counter(pattern for true, pattern in chosen if true == label) for label in labels}
        yield LabeledVoteCounts({label: VoteCounts(part, labels, names) for label, part in parts.items()})


# -- ideals -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Ideal:
    """All combinations Σ cofactor·generator of the generators.

    >>> circle = Ideal([read_formula("x**2 + y**2 - 1"), read_formula("x - y")])
    >>> circle.contains(read_formula("2*y**2 - 1")), circle.eliminate(["x"]).generators
    (True, [read_formula('y**2 - 1/2')])

    Variables are in falling order, `first` before all others.
    """

    generators: Collection[Polynomial]
    first: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables in falling order."""
        others = {name for each in self.generators for name in each.variables()} - set(self.first)
        return self.first + tuple(sorted(others, key=rank, reverse=True))

    @cached_property
    def _basis(self) -> list[Any]:
        from sympy.polys.groebnertools import groebner

        over = ring(self.variables)
        elements = [each.top.set_ring(over) for each in self.generators if each]
        return sorted(groebner(elements, over), key=lambda each: over.order(each.LM), reverse=True)

    def basis(self) -> list[Polynomial]:
        """Return the reduced Gröbner basis: equal ideals in the same variables have equal bases."""
        return [Polynomial(each, each.ring.one) for each in self._basis]

    def contains(self, polynomial: Polynomial) -> bool:
        """Return whether a polynomial is a combination of the generators: it reduces to 0."""
        names = self.variables
        over = ring(names + tuple(name for name in polynomial.variables() if name not in names))
        return not polynomial.top.set_ring(over).rem([each.set_ring(over) for each in self._basis])

    def equals(self, other: Ideal) -> bool:
        """Return whether both ideals hold the same polynomials, whatever their generators."""
        return all(map(self.contains, other.generators)) and all(map(other.contains, self.generators))

    def eliminate(self, names: Iterable[str]) -> Ideal:
        """Return the ideal of what remains true without the variables named."""
        gone = tuple(names)
        basis = Ideal(self.generators, gone).basis()
        return Ideal([each for each in basis if not set(each.variables()) & set(gone)])


def eliminate_prevalence(votes: VoteCounts) -> Polynomial:
    """Return what follows for P_a from the independent postulates of three judges and two labels with these votes.

    >>> print(eliminate_prevalence(VoteCounts({"aaa": 1, "bbb": 2})))
    P_a² − P_a + 2/9

    Its leading coefficient is 1. A quadratic has two prevalences over the complex numbers, P and 1 − P; P_a − 1/2 is
    left where T = 0. It is 1 if no three independent judges have these votes, and 0 if P_a may be anything.
    """
    if len(votes.judges) != 3:
        raise BadVotes(votes, "votes must be of three judges", "marginal takes three of the judges")
    known = equations.independent(3, equations.two_labels(votes.labels)).specialise(votes)
    ideal = Ideal([each.polynomial for each in known if each.role is Role.HYPOTHESIS or each.name == "5"])
    remaining = ideal.eliminate(name for name in ideal.variables if name != "Pa").basis()
    return remaining[0] if remaining else read_formula("0")
