"""Files for Coq: a derivation, which needs nothing but Coq's own rationals, and the verdict on votes of three judges.

Each step of a derivation becomes an assertion, whose target is the sum of cofactors times what is known; `ring` expands
it, and what is known is zero. The file on votes imports the library in `coq/` and proves its theorems by computation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes, NotSupported
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.postulates.derivations import Derivation
from ntqr_exact.postulates.polynomial import Polynomial
from ntqr_exact.proofs.check import LIBRARY, MODULES, source_of, theorems_of
from ntqr_exact.votes.counts import VoteCounts

_PREAMBLE = """\
From Coq Require Import QArith.
Open Scope Q_scope.

Lemma multiple_of_zero : forall c x : Q, x == 0 -> c * x == 0.
Proof. intros c x zero. rewrite zero. ring. Qed.
Lemma sum_of_zeros : forall x y : Q, x == 0 -> y == 0 -> x + y == 0.
Proof. intros x y one two. rewrite one, two. ring. Qed.
"""


def theorem_name(derivation: Derivation) -> str:
    """Return the name of the theorem that a derivation becomes."""
    return "equation_" + _identifier(derivation.claim.name)


def derivations_to_coq(derivations: Iterable[Derivation]) -> str:
    """Return one file of Coq that states and proves the claims of derivations, each of them once."""
    theorems = {theorem_name(each): _theorem(each) for each in derivations}
    return "\n".join([_PREAMBLE, *theorems.values()])


def _theorem(derivation: Derivation) -> str:
    given, claim, name = derivation.given, derivation.claim, theorem_name(derivation)
    polynomials = [each.polynomial for each in (*given, claim)]
    variables = " ".join(sorted({_variable(v) for polynomial in polynomials for v in polynomial.variables()}))
    known = {each.name: each.polynomial for each in given}
    lines = [
        f"(** {derivation.title} *)",
        f"Theorem {name} : forall {variables} : Q,",
        *(f"  (* {each.name} *) {_text(each.polynomial)} == 0 ->" for each in given),
        f"  {_text(claim.polynomial)} == 0.",
        "Proof.",
        f"  intros {variables} {' '.join(f'given_{number}' for number in range(1, len(given) + 1))}.",
    ]
    for number, step in enumerate(derivation.steps, start=1):
        terms = [f"({_text(cofactor)}) * ({_text(known[used])})" for used, cofactor in step.cofactors]
        lines += [
            f"  (* {step.words} *)",
            f"  assert (step_{number} : {_text(step.target)} == 0).",
            f"  {{ transitivity ({' + '.join(terms) or '0'}); [ring |].",
            "    repeat apply sum_of_zeros; apply multiple_of_zero; assumption. }",
        ]
        known[step.name] = step.target
    last = f"  exact step_{len(derivation.steps)}."
    return "\n".join([*lines, last, "Qed.", "", f"Print Assumptions {name}.", ""])


def _text(polynomial: Polynomial) -> str:
    """Return a polynomial with plain products, so that nothing but + and * has to be understood."""
    text = ""
    for monomial, coefficient in sorted(polynomial.terms.items()):
        factors = [_variable(name) for name, power in monomial for _ in range(power)]
        size: mpq = abs(coefficient)
        if size != 1 or not factors:
            factors.insert(
                0, str(size) if size.denominator == 1 else f"({size.numerator} # {size.denominator})"
            )
        sign = "- " if coefficient < 0 else "+ "
        text += (f" {sign}" if text else sign.removeprefix("+ ")) + " * ".join(factors)
    return text or "0"


def _variable(name: str) -> str:
    return "Q_" if name == "Q" else _identifier(name)


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)


# -- votes ---------------------------------------------------------------------------------------------


def solution_to_coq(solution: IndependentSolution) -> str:
    """Return a file of Coq that proves each alarm of three judges' votes, or that a key leaves the errors independent.

    >>> from ntqr_exact import VoteCounts, solve_independent
    >>> print(solution_to_coq(solve_independent(VoteCounts({"aab": 1, "aba": 1, "baa": 1}))).splitlines()[-2])
    Theorem no_root : ~ has_independent_key votes.

    Raises `BadVotes` for other numbers of judges or labels, `NotSupported` if there is neither an alarm nor a key.
    """
    votes = solution.votes
    if (len(votes.judges), len(votes.labels)) != (3, 2):
        raise BadVotes(
            votes, "votes must be of three judges and two labels", "choose three judges by marginal"
        )
    lines = [
        f"(** {votes.size} questions, counted by answers in the order aaa, aab, aba, abb, baa, bab, bba, bbb. *)",
        "From Coq Require Import ZArith.",
        f"From {LIBRARY} Require Import Keys Alarms Completeness Kinds.",
        "Open Scope Z_scope.",
        f"Definition votes : table := {_table(votes)}.",
        "",
    ]
    proven = set(theorems_of("".join(map(source_of, MODULES))))
    names = [alarm.kind.name.lower() for alarm in solution.alarms]
    names = [name for name in dict.fromkeys(names) if f"{name}_sound" in proven]
    if not names and not solution.keys:
        raise NotSupported("no key", "a theorem is written about an alarm or a key, and here is neither")
    for name in names:
        lines.append(f"Theorem {name} : ~ has_independent_key votes.")
        lines.append(f"Proof. apply {name}_sound; [reflexivity | vm_compute; reflexivity]. Qed.")
    if not names:
        lines += [
            f"Definition first_label : table := {_table(solution.keys[0].by_label[votes.labels[0]])}.",
            "Theorem independent_key : has_independent_key votes.",
            "Proof. apply (is_key_sound first_label). vm_compute. reflexivity. Qed.",
        ]
    return "\n".join([*lines, ""])


def _table(votes: VoteCounts) -> str:
    return f"Table {' '.join(str(votes.counts.get(p, 0)) for p in product(votes.labels, repeat=3))}"
