"""`breakdown_point`: how dependent the errors must be before a claim can fail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.dependence.coq_dependence import dependence_to_coq
from ntqr_exact.dependence.key_dependence import check_orders, check_panel
from ntqr_exact.dependence.least import node_budget, prove_least
from ntqr_exact.dependence.objectives import JudgeClaim, read_claim
from ntqr_exact.dependence.panel import better_judges, certificate, key_of, naming_conditions, problem_of
from ntqr_exact.dependence.proof_search import refute
from ntqr_exact.dependence.tree_checker import Problem
from ntqr_exact.dependence.witness import search_witness
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_ALWAYS = mpq(1, 4)
"""No correlation of a pair or a trio exceeds this: a proof at it excludes all keys."""


@dataclass(frozen=True, slots=True)
class BreakdownPoint:
    """No key with a dependence up to `proven` contradicts the claim; the witness, with `attained`, does.

    `attained` and `witness` are `None` if no key was found that contradicts it; `is_certain` if there is none.
    """

    votes: VoteCounts
    claim: JudgeClaim
    orders: tuple[int, ...]
    better: tuple[str, ...]
    proven: mpq
    attained: mpq | None
    witness: LabeledVoteCounts | None
    certificate: Mapping[str, Any] | None

    @property
    def is_certain(self) -> bool:
        """Whether no key at all contradicts the claim."""
        return self.proven >= _ALWAYS

    def __str__(self) -> str:
        """Return how far the claim can be trusted."""
        claim = str(self.claim)
        claim = claim[0].upper() + claim[1:]
        if self.is_certain:
            return f"{claim}, whatever the key."
        told = (
            " No key was found under which it fails."
            if self.attained is None
            else f" It fails under a key with correlations up to {with_decimal(self.attained)}."
        )
        if not self.proven:
            return f"{claim}: not proven.{told}"
        return f"{claim} unless some correlation exceeds {with_decimal(self.proven)}.{told}"

    def to_coq(self) -> str:
        """Return a file of Coq that states and proves what is proven; `ntqr-exact proofs check` checks it."""
        return dependence_to_coq([] if self.certificate is None else [self.certificate])

    def to_document(self) -> dict[str, Any]:
        """Return the breakdown point as a JSON document; the certificate is a document of its own."""
        return {
            "claim": str(self.claim),
            "orders": list(self.orders),
            "better_than_chance": list(self.better),
            "proven": self.proven,
            "attained": self.attained,
            "certain": self.is_certain,
            "witness": None if self.witness is None else self.witness.to_document(),
        }


@checked
def breakdown_point(
    votes: VoteCounts,
    claim: str | JudgeClaim,
    *,
    better_than_chance: bool | Judge | Iterable[Judge] = True,
    orders: Iterable[int] = (2, 3),
) -> BreakdownPoint:
    """Return the least dependence at which a claim can fail, between what is proven and what a key attains.

    `better_than_chance` names the labels as in `evaluate_within`.

    >>> votes = VoteCounts({"aaa": 4, "bbb": 4, "aab": 1, "bba": 1})
    >>> point = breakdown_point(votes, "J1 > J3")
    >>> point.attained is None or point.proven <= point.attained
    True

    Raises `BadQuery` for a text that is no claim, `BadVotes` for fewer than two judges, `EmptyTest` for no questions.
    """
    check_panel(votes)
    wanted = check_orders(orders)
    stated = read_claim(claim, votes) if isinstance(claim, str) else claim
    better = better_judges(votes, better_than_chance)
    conditions = stated.fails(votes)
    if better_than_chance is True and len(votes.labels) > 2:
        conditions += naming_conditions(votes)
    problem = problem_of(votes, 0, wanted, conditions, better)
    found = search_witness(problem)
    names = tuple(votes.judges[i] for i in better)
    if found is None:
        document = _proof_against_all(votes, problem, conditions)
        proven = _ALWAYS if document is not None else mpq(0)
        return BreakdownPoint(votes, stated, wanted, names, proven, None, None, document)
    proof = None
    if found.value > 0:
        proof = prove_least(votes, wanted, found, mpq(0), conditions=conditions, better=better)
    proven, document = proof if proof is not None else (mpq(0), None)
    return BreakdownPoint(
        votes, stated, wanted, names, proven, found.value, key_of(votes, found.shares), document
    )


def _proof_against_all(votes: VoteCounts, problem: Problem, conditions: Any) -> dict[str, Any] | None:
    every = problem_of(votes, _ALWAYS, problem.orders, conditions, problem.better)
    search = refute(every, nodes=node_budget(every))
    return certificate(votes, every, conditions, search.root.document()) if search.is_complete else None
