"""Files for Coq: a derivation, which needs nothing but Coq's own rationals, and the verdict on votes of three judges.

Each step of a derivation becomes an assertion, whose target is the sum of cofactors times what is known; `ring` expands
it, and what is known is zero. The file on votes imports the library in `coq/` and proves its theorems by computation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from ntqr_exact.alarms.failing_judges import FailingJudges
from ntqr_exact.alarms.failing_search import Panel, groups_of
from ntqr_exact.errors import BadVotes, NotSupported
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.postulates.derivations import Derivation
from ntqr_exact.postulates.polynomial import Polynomial
from ntqr_exact.proofs.check import LIBRARY
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
    return "equation_" + re.sub(r"\W", "_", derivation.claim.name)


def derivations_to_coq(derivations: Iterable[Derivation]) -> str:
    """Return one file of Coq that states and proves the claims of derivations, each of them once."""
    theorems = {theorem_name(each): _theorem(each) for each in derivations}
    return "\n".join([_PREAMBLE, *theorems.values()])


def _theorem(derivation: Derivation) -> str:
    given, claim, name = derivation.given, derivation.claim, theorem_name(derivation)
    known = {each.name: each.polynomial for each in given}
    names = {name for each in (*known.values(), claim.polynomial) for name in each.variables()}
    variables = " ".join(sorted("Q_" if name == "Q" else name for name in names))
    lines = [
        f"(** {derivation.title} *)",
        f"Theorem {name} : forall {variables} : Q,",
        *(f"  (* {each.name} *) {_text(each.polynomial)} == 0 ->" for each in given),
        f"  {_text(claim.polynomial)} == 0.",
        f"Proof.\n  intros {variables} {' '.join(f'given_{number}' for number, _ in enumerate(given, 1))}.",
    ]
    for number, step in enumerate(derivation.steps, 1):
        terms = [f"({_text(cofactor)}) * ({_text(known[used])})" for used, cofactor in step.cofactors]
        lines += [
            f"  (* {step.words} *)",
            f"  assert (step_{number} : {_text(step.target)} == 0).",
            f"  {{ transitivity ({' + '.join(terms) or '0'}); [ring |].",
            "    repeat apply sum_of_zeros; apply multiple_of_zero; assumption. }",
        ]
        known[step.name] = step.target
    return "\n".join([*lines, f"  exact step_{len(derivation.steps)}.\nQed.\n\nPrint Assumptions {name}.\n"])


def _text(polynomial: Polynomial) -> str:
    """Return a polynomial in the notation of Coq, where Q is the name of the rationals."""
    text = re.sub(r"(\d+)/(\d+)", r"(\1 # \2)", polynomial.text().replace("**", "^"))
    return re.sub(r"\bQ\b", "Q_", text)


def solution_to_coq(solution: IndependentSolution) -> str:
    """Return a file of Coq that proves each alarm of three judges' votes, or that a key leaves the errors independent.

    Raises `BadVotes` for other numbers of judges or labels.
    """
    votes = solution.votes
    if (len(votes.judges), len(votes.labels)) != (3, 2):
        raise BadVotes(
            votes, "votes must be of three judges and two labels", "choose three judges by marginal"
        )
    theorems = [
        f"Theorem {name} : ~ has_independent_key votes.\n"
        f"Proof. apply {name}_sound; [reflexivity | vm_compute; reflexivity]. Qed.\n"
        for name in dict.fromkeys(alarm.kind.name.lower() for alarm in solution.alarms)
    ]
    if solution.keys:
        theorems = [
            f"Definition first_label : table := {_table(solution.keys[0].by_label[votes.labels[0]])}.\n"
            "Theorem independent_key : has_independent_key votes.\n"
            "Proof. apply (is_key_sound first_label). vm_compute. reflexivity. Qed.\n"
        ]
    return f"""\
(** {votes.size} questions, counted by answers in the order aaa, aab, aba, abb, baa, bab, bba, bbb. *)
From Coq Require Import ZArith.
From {LIBRARY} Require Import Keys Alarms Completeness Kinds.
Open Scope Z_scope.
Definition votes : table := {_table(votes)}.

{"".join(theorems)}"""


def failing_to_coq(result: FailingJudges) -> str:
    """Return a file of Coq that proves how many judges fail at least on some label, whatever the answer key.

    Raises `NotSupported` for a proof with cases or trusted judges, the measure "overall", and pairs without leaves.
    """
    if not result.proven:
        raise NotSupported(str(result.level), "no judge must fail at this level", "raise --level")
    parts, needed = result.tree.get("parts", ()), list(groups_of(result.tree))
    groups = Panel(result.votes, result.level, result.measure).proofs(needed, counted=True)
    is_plain = all(len(group["leaves"]) == 1 and not group["leaves"][0]["where"] for group in groups)
    if not parts or result.trust or result.measure == "overall" or len(groups) < len(needed) or not is_plain:
        rule = "level must have a proof of a form that is exported to Coq"
        raise NotSupported(str(result.level), rule, "--certificate FILE writes it for the checker")
    votes, labels = result.votes, len(result.votes.labels)
    index = {label: a for a, label in enumerate(votes.labels)} | {None: labels}
    patterns = [f"({_nats(index[x] for x in p)}, {n})" for p, n in votes.counts.items() if n]
    refuted = []
    for group in groups:
        right = {(i, a): x for _, i, a, x in group["leaves"][0]["rows"]}
        weights = {j: [right.get((i, a), "0") for a in range(labels)] for i, j in enumerate(group["judges"])}
        refuted.append("; ".join(f"({j}%nat, [{'; '.join(row)}])" for j, row in weights.items()))
    listed = [f"({_nats(part['judges'])}, {part['failures']}%nat)" for part in parts]
    total = sum(part["failures"] for part in parts)
    level = f"{labels} {result.level.denominator} {result.level.numerator}"
    return f"""\
(** {votes.size} questions, {len(votes.judges)} judges, level {result.level}. *)
From Coq Require Import ZArith List.
From {LIBRARY} Require Import Questions Safety Failing.
Import ListNotations.
Open Scope Z_scope.
Definition votes : counted := [{"; ".join(patterns)}].
Definition groups : list (list (nat * list Z)) := [[{"]; [".join(refuted)}]].
Definition parts : list (list nat * nat) := [{"; ".join(listed)}].
Theorem at_least_{total} : forall test, test_of {labels} votes test ->
  ({total} <= failures (fun j => negb (passes {level} test j)) {_nats(range(len(votes.judges)))})%nat.
Proof. intro test. apply (parts_prove_failures {level} groups votes parts). vm_compute. reflexivity. Qed.
"""


def _nats(judges: Iterable[int]) -> str:
    return f"[{'; '.join(map(str, judges))}]%nat"


def _table(votes: VoteCounts) -> str:
    return f"Table {' '.join(str(votes.counts.get(p, 0)) for p in product(votes.labels, repeat=3))}"
