"""Derivations: each identity of the paper, proven when it is asked for, by cofactors that anybody can expand.

`derive("33d")` takes what the table gives, proves the lemmas of the table one after the other, and divides the claim
by all that is known. Every generator leads with what it is solved for, so that sympy's `PolyElement.div` finds
cofactors wherever there are any; the lemmas keep them short (eq. 39: 177 terms, not 16,202).

Refutations: every test that can be given is a point of the variety of the complete postulates, so that one test with
a residual that is not zero refutes a claim for good. Tests are searched in order of their size.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes, NtqrExactError
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.show import latex_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.symbol_formulas import formulas
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates.checker import problems
from ntqr_exact.postulates.equations import (
    agreement,
    agreement_solution,
    complete,
    expand_excesses,
    independent,
    marginal_definition,
    misprints,
    pair,
    single,
    solution,
)
from ntqr_exact.postulates.notation import NOTATION, Quantity, rank, read_name
from ntqr_exact.postulates.polynomial import Polynomial, element, from_element, ring
from ntqr_exact.postulates.postulate import Postulate, Role, Space, Status, UnknownName
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

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

    def to_document(self) -> dict[str, Any]:
        """Return the step as a JSON document."""
        terms = [{"generator": name, "cofactor": each.to_document()} for name, each in self.cofactors]
        return {"name": self.name, "words": self.words, "target": self.target.to_document(), "terms": terms}


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
            "steps": [step.to_document() for step in self.steps],
        }

    def to_json(self) -> str:
        """Return the derivation as JSON, the same bytes every time."""
        return write_json(self.to_document())

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
            for sign, (name, cofactor) in zip("=" + "+" * len(step.cofactors), step.cofactors, strict=False):
                lines.append(f"    {sign} ({cofactor}) · [{name}]")
        return "\n".join(lines)

    def latex(self) -> str:
        """Return the derivation as LaTeX that amsmath sets: align environments with words between them."""
        claim = self.claim
        lines = [
            f"% {claim.name}: {claim.citation}; {claim.status.value}",
            _align([rf"& {claim.latex()} \tag{{{_words(claim.name)}}}"]),
            "Given:",
            _align([rf"& {one.latex()} \tag{{{_words(one.name)}}}" for one in self.given]),
        ]
        for number, step in enumerate(self.steps, start=1):
            rows = [f"& {step.target.latex()}"]
            for sign, (name, cofactor) in zip("=" + "+" * len(step.cofactors), step.cofactors, strict=False):
                rows.append(rf"&\quad {sign} \left({cofactor.latex()}\right) \cdot [\text{{{_words(name)}}}]")
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

    >>> f, x = Polynomial.variable("f"), Polynomial.variable("x")
    >>> [(name, str(cofactor)) for name, cofactor in certify(f**2 - x**4, [("f is x squared", f - x**2)], "f")]
    [('f is x squared', 'x² + f')]

    `first` are the variables that lead. Raises `NotProven` if something remains.
    """
    everything = [target, *(polynomial for _, polynomial in generators)]
    names = {name for polynomial in everything for name in polynomial.variables()}
    wanted = [name for name in first if name in names]
    over = ring([*wanted, *sorted(names - set(wanted), key=_division_order)] or ["x"])
    quotients, rest = element(over, target).div([element(over, polynomial) for _, polynomial in generators])
    if rest:
        why = "this remains when the generators are divided out, so they do not prove the target"
        raise NotProven(str(from_element(rest)), why)
    cofactors = zip(generators, map(from_element, quotients), strict=True)
    return tuple((name, cofactor) for (name, _), cofactor in cofactors if cofactor)


def _division_order(name: str) -> tuple[int, int, str]:
    """Return the key that sorts what is observed before what is true, and x_i before d_i, which it is replaced by."""
    index = rank(name)[0]
    if index == len(NOTATION):
        return (1, 0, name)
    variable = read_name(name)
    if variable.kind is Quantity.ACCURACY:
        index = list(NOTATION).index(Quantity.INFORMEDNESS)
    return (-index, 0 if variable.kind is Quantity.ACCURACY else len(variable.judges), name)


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
    steps = []
    for lemma, lemma_words in lemmas:
        name = f"lemma {lemma.name}"
        steps.append(Step(name, lemma_words, lemma.polynomial, certify(lemma.polynomial, known, first)))
        known.insert(0, (name, lemma.polynomial))
    steps.append(Step(claim.name, words, claim.polynomial, certify(claim.polynomial, known, first)))
    needed = {claim.name}
    for step in reversed(steps):
        if step.name in needed:
            needed |= {name for name, _ in step.cofactors}
    return Derivation(
        claim,
        tuple(each for each in given if each.name in needed),
        tuple(step for step in steps if step.name in needed),
    )


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

    Raises `UnknownName` for an equation that is not in the registry.
    """
    if equation not in _registry():
        raise UnknownName(equation, f"equations that can be derived are {', '.join(derivation_names())}")
    claim, given, lemmas, words = _registry()[equation]
    known = _equations(trio="41" in given)
    chain = []
    for key in lemmas:
        name, text, place, lemma_words = _DATA["lemmas"].get(
            key, ("", "", "", _registry().get(key, ("",))[-1])
        )
        lemma = Postulate(name, expand_excesses(text), Space.RATES, Citation("ntqr", place), Status.DERIVED)
        chain.append((lemma if text else known[key], lemma_words))
    first = ["e12"] if "27 defines" in given else []
    return prove(known[claim], [known[each] for each in given], chain, words=words, first=first)


@cache
def _equations(*, trio: bool) -> dict[str, Postulate]:
    """Return the equations of one and two, or of three judges, by name; some of them as definitions of e_{1,2}."""
    forms = solution()
    if trio:
        pairs = [marginal_definition({i: "b", j: "b"}, 3) for i, j in ((0, 1), (0, 2), (1, 2))]
        return {each.name: each for each in (*independent(3), *pairs, *forms)}
    sets = (forms, complete(3).rates, agreement_solution(), agreement(), pair().rates, single())
    known = {each.name: each for some in sets for each in some}
    together = replace(known["30"], role=Role.DEFINITION)
    return known | {
        "30 defines": together,
        "e_{1,2}": replace(together, name="e_{1,2}"),
        "27 defines": replace(known["27"], role=Role.DEFINITION, solved_for="e12"),
    }


_LARGEST_SEARCHED = 4
"""Questions of the largest test searched by default: 3876 tests of three judges."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """A test on which the claim has a residual that is not zero."""

    claim: Postulate
    test: LabeledVoteCounts
    residual: mpq | Surd

    def __str__(self) -> str:
        parts = []
        for label, votes in self.test.by_label.items():
            seen = ", ".join(f"{','.join(pattern)} × {count}" for pattern, count in votes.counts.items())
            parts.append(f"true label {label}: {seen or 'none'}")
        text = (
            f"Equation {self.claim.name} as printed ({self.claim.citation}) fails: on the test with answers"
        )
        return f"{text}\n  {'; '.join(parts)}\n  {self.claim.polynomial}\n  is {self.residual}, not 0."


@cache
def refute_misprint(name: str) -> Refutation | None:
    """Return the smallest counterexample to a printed equation.

    >>> refutation = refute_misprint("16R")
    >>> refutation.test.observed(), refutation.residual
    (VoteCounts({'b': 1}, labels=('a', 'b'), judges=('J1',)), mpq(1,1))
    """
    hypotheses: Sequence[Postulate] = ()
    if name == "23":
        hypotheses = [postulate for postulate in agreement_solution() if postulate.name.startswith("21")]
    elif name == "40":
        hypotheses = [postulate for postulate in independent(3) if postulate.role is Role.HYPOTHESIS]
    return refute(misprints()[name], hypotheses)


def refute(
    claim: Postulate, hypotheses: Sequence[Postulate] = (), *, largest: int = _LARGEST_SEARCHED
) -> Refutation | None:
    """Return the first test, smallest first, that satisfies the hypotheses and not the claim; `None` proves nothing."""
    involved = (claim, *hypotheses)
    variables = [read_name(name) for postulate in involved for name in postulate.polynomial.variables()]
    judges = max((judge + 1 for variable in variables for judge in variable.judges), default=1)
    for size in range(1, largest + 1):
        for test in all_tests(judges, size):
            residual = claim.residual(test)
            if isinstance(residual, Undefined) or residual == 0:
                continue
            if all(hypothesis.residual(test) == 0 for hypothesis in hypotheses):
                return Refutation(claim, test, residual)
    return None


def all_tests(judges: int, size: int, labels: Sequence[str] = ("a", "b")) -> Iterator[LabeledVoteCounts]:
    """Iterate over all tests of a size: every way of putting questions into true labels and patterns.

    >>> sum(1 for _ in all_tests(1, 2))
    10
    """
    if size < 1 or judges < 1:
        raise BadVotes((judges, size), "judges and size must be >= 1")
    names = tuple(f"J{number}" for number in range(1, judges + 1))
    cells = [(label, pattern) for label in labels for pattern in itertools.product(labels, repeat=judges)]
    for chosen in itertools.combinations_with_replacement(cells, size):
        counts: dict[str, dict[tuple[str, ...], int]] = {label: {} for label in labels}
        for label, pattern in chosen:
            counts[label][pattern] = counts[label].get(pattern, 0) + 1
        yield LabeledVoteCounts({label: VoteCounts(counts[label], labels, names) for label in labels})
