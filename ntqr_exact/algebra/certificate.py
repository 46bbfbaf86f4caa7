"""Certificates: cofactors that prove target = Σ cofactor·generator by expansion alone.

Every generator here has a leading monomial that occurs in it once: a postulate f − F(parameters) leads
with f, a definition with what it defines. Division by such generators, one after the other, replaces
f by F and keeps the divided difference as cofactor; no Gröbner basis is needed, and nothing is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ntqr_exact.algebra.monomial import Monomial
from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.exact.json_text import read_json, write_json

_CERTIFICATE_FORMAT = "ntqr-exact certificate 1"


class NotProven(NtqrExactError, ValueError):
    """A polynomial that division by the generators does not bring to zero; `given` is what remains."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A generator with the variables whose product it replaces: its leading monomial.

    >>> f, x = Polynomial.variable("f"), Polynomial.variable("x")
    >>> Rewrite("f is x squared", f - x**2, ("f",)).lead
    (('f', 1),)
    """

    name: str
    polynomial: Polynomial
    replaces: tuple[str, ...]

    @property
    def lead(self) -> Monomial:
        """The leading monomial."""
        return tuple((name, 1) for name in sorted(self.replaces))

    def quotient(self, polynomial: Polynomial) -> Polynomial:
        """Return q such that polynomial − q·generator has lost the terms that the lead divides."""
        scale = self.polynomial.terms[self.lead]
        return Polynomial.from_terms(
            {
                _divided(monomial, self.lead): coefficient / scale
                for monomial, coefficient in polynomial.terms.items()
                if _divides(self.lead, monomial)
            }
        )


@dataclass(frozen=True, slots=True)
class Certificate:
    """The proof that a target is a combination of generators: `cofactors[i]` belongs to `generators[i]`."""

    target: Polynomial
    names: tuple[str, ...]
    generators: tuple[Polynomial, ...]
    cofactors: tuple[Polynomial, ...]

    def combination(self) -> Polynomial:
        """Return Σ cofactor·generator, expanded."""
        return sum_of(
            cofactor * generator for cofactor, generator in zip(self.cofactors, self.generators, strict=True)
        )

    def holds(self) -> bool:
        """Return whether the combination is the target; `checker` decides it without this library."""
        return self.combination() == self.target

    def written(
        self,
        form: Callable[[Polynomial], str] = str,
        row: str = "  {} ({}) · [{}]",
        named: Callable[[str], str] = str,
    ) -> list[str]:
        """Return target and combination, a row for each cofactor with its sign and the name of its generator."""
        terms = enumerate(zip(self.names, self.cofactors, strict=True))
        rows = [
            row.format("+" if index else "=", form(cofactor), named(name))
            for index, (name, cofactor) in terms
        ]
        return [form(self.target), *rows]

    def __str__(self) -> str:
        """Return target and combination in words and symbols."""
        named = zip(self.names, self.generators, strict=True)
        return "\n".join([*self.written(), *(f"  [{name}] = {generator}" for name, generator in named)])

    def to_document(self) -> dict[str, Any]:
        """Return the certificate as a JSON document that `checker.problems` understands."""
        return {
            "format": _CERTIFICATE_FORMAT,
            "target": self.target.to_document(),
            "terms": [
                {"name": name, "generator": generator.to_document(), "cofactor": cofactor.to_document()}
                for name, generator, cofactor in zip(self.names, self.generators, self.cofactors, strict=True)
            ],
        }

    def to_json(self) -> str:
        """Return the certificate as JSON, the same bytes every time."""
        return write_json(self.to_document())

    @classmethod
    def from_document(cls, document: object) -> Certificate:
        """Return the certificate that `to_document` wrote; whether it holds is another question."""
        match document:
            case {"format": "ntqr-exact certificate 1", "target": dict(target), "terms": list(terms)}:
                try:
                    return cls(
                        Polynomial(target),
                        tuple(str(term["name"]) for term in terms),
                        tuple(Polynomial(term["generator"]) for term in terms),
                        tuple(Polynomial(term["cofactor"]) for term in terms),
                    )
                except (KeyError, TypeError, AttributeError):
                    pass
        raise BadDocument(document, f"a certificate has format {_CERTIFICATE_FORMAT!r}, target and terms")

    @classmethod
    def from_json(cls, text: str) -> Certificate:
        """Return the certificate that `to_json` wrote."""
        return cls.from_document(read_json(text))


def certify(target: Polynomial, rules: Sequence[Rewrite]) -> Certificate:
    """Return the certificate that dividing the target by the rules, in their order, yields.

    >>> f, x = Polynomial.variable("f"), Polynomial.variable("x")
    >>> print(certify(f**2 - x**4, [Rewrite("f is x squared", f - x**2, ("f",))]))
    −x⁴ + f²
      = (x² + f) · [f is x squared]
      [f is x squared] = −x² + f

    Raises `NotProven` if something remains, and `BadDocument` for rules that could go round in circles.
    """
    _check_order(rules)
    rest, used = target, []
    for rule in rules:
        cofactor = Polynomial()
        while quotient := rule.quotient(rest):
            cofactor, rest = cofactor + quotient, rest - quotient * rule.polynomial
        if cofactor:
            used.append((rule, cofactor))
    if rest:
        why = "this remains when the generators are divided out, so they do not prove the target"
        raise NotProven(str(rest), why)
    return Certificate(
        target,
        tuple(rule.name for rule, _ in used),
        tuple(rule.polynomial for rule, _ in used),
        tuple(cofactor for _, cofactor in used),
    )


def _divides(divisor: Monomial, monomial: Monomial) -> bool:
    """Tell whether a monomial is a multiple of another."""
    powers = dict(monomial)
    return all(powers.get(name, 0) >= power for name, power in divisor)


def _divided(monomial: Monomial, divisor: Monomial) -> Monomial:
    powers = dict(monomial)
    for name, power in divisor:
        powers[name] -= power
    return tuple((name, power) for name, power in sorted(powers.items()) if power)


def _check_order(rules: Iterable[Rewrite]) -> None:
    """Refuse a rule that brings back what it or an earlier rule replaces: one pass must be enough."""
    leads: list[Monomial] = []
    for rule in rules:
        if not rule.polynomial.terms.get(rule.lead):
            raise BadDocument(rule.name, f"the rule has no term {'*'.join(rule.replaces)} to replace")
        leads.append(rule.lead)
        for monomial in rule.polynomial.terms:
            if monomial != rule.lead and any(_divides(lead, monomial) for lead in leads):
                raise BadDocument(rule.name, "the rule brings back what was replaced before it")
