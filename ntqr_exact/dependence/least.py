"""`least_dependence`: what no key falls below, with its proof, and a key that comes near."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.dependence.closed_bounds import TetradBound, tetrad_bound
from ntqr_exact.dependence.coq_dependence import dependence_to_coq, has_theorem
from ntqr_exact.dependence.float_keys import FloatRows, exact
from ntqr_exact.dependence.key_dependence import (
    Dependence,
    check_orders,
    check_panel,
    dependence_of,
    one_label_dependence,
    total_variation,
)
from ntqr_exact.dependence.panel import Condition, anchor, certificate, named_by_most_right, problem_of
from ntqr_exact.dependence.proof_search import Branch, refute
from ntqr_exact.dependence.short_proof import (
    ENOUGH,
    moments_certificate,
    prove_in_whole_numbers,
    short,
    whole_certificate,
)
from ntqr_exact.dependence.tree_checker import Problem
from ntqr_exact.dependence.witness import Found, search_witness
from ntqr_exact.errors import Undecided
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_PARTS = tuple(mpq(part, 1000) for part in (300, 600, 800, 900, 950, 980, 995))
"""Parts, in thousandths, of the least dependence of a fractional key that are tried one after the other."""

_MOST_WHOLE, _MOST_QUESTIONS = 10, 10**7
"""Judges and questions up to which a proof in whole numbers is tried: beyond, its steps cover too little."""

_WORK_OF_TWO, _WORK_OF_MORE, _NODES = 6_000_000, 1_500_000, (10, 1500)
"""The work of a proof with two labels and with more: parts × patterns × rows, within these limits of the parts."""

_NODES_PER_QUESTION = 15
_ONE = mpq(1)


@dataclass(frozen=True, slots=True)
class LeastDependence:
    """The least dependence of all keys lies between `proven` and `attained`; the witness attains the latter."""

    votes: VoteCounts
    orders: tuple[int, ...]
    proven: mpq
    attained: mpq
    witness: LabeledVoteCounts
    certificate: Mapping[str, Any]
    closed_form: TetradBound

    @property
    def is_exact(self) -> bool:
        """Whether no key is less dependent than the witness."""
        return self.proven == self.attained

    @property
    def dependence(self) -> Dependence:
        """The witness's dependence: how much, and where."""
        return dependence_of(self.witness, self.orders)

    @property
    def one_label(self) -> mpq:
        """The dependence of the keys that give all questions one label."""
        return one_label_dependence(self.votes, self.orders)

    @property
    def total_variation(self) -> mpq:
        """How far the witness's answers are from independent ones in all; not bounded by anything here."""
        return total_variation(self.witness)

    def __str__(self) -> str:
        """Return both ends and the greatest correlation of the witness."""
        what = {(2,): "pair", (3,): "trio", (2, 3): "pair or trio"}[self.orders]
        lines = [
            f"Whatever the key, some {what} has an error correlation of at least {with_decimal(self.proven)}.",
            f"Here is a key with {'just that' if self.is_exact else f'at most {with_decimal(self.attained)}'}.",
        ]
        greatest = self.dependence.greatest
        if greatest is not None:
            lines.append(f"There the greatest is that of {greatest.words(self.votes.judges)}.")
        return "\n".join(lines)

    @property
    def certificate_with_theorem(self) -> Mapping[str, Any]:
        """The certificate, or where Coq would try too many whole numbers for it, that of the closed form."""
        if has_theorem(self.certificate):
            return self.certificate
        return moments_certificate(self.votes, self.closed_form, self.orders)

    def to_coq(self) -> str:
        """Return a file of Coq that states and proves a bound; `ntqr-exact proofs check` checks it."""
        return dependence_to_coq([self.certificate_with_theorem])

    def to_document(self) -> dict[str, Any]:
        """Return the bounds and the witness as a JSON document; the certificate is a document of its own."""
        return {
            "orders": list(self.orders),
            "proven": self.proven,
            "attained": self.attained,
            "exact": self.is_exact,
            "closed_form": self.closed_form.to_document(),
            "one_label": self.one_label,
            "total_variation": self.total_variation,
            "witness": self.witness.to_document(),
        }


@checked
def least_dependence(
    votes: VoteCounts, orders: Iterable[int] = (2,), *, effort: RationalLike = 1
) -> LeastDependence:
    """Return bounds of the least dependence of all keys: proven from below, attained from above.

    `effort` multiplies the work that the proof may take.

    >>> least = least_dependence(VoteCounts({"aab": 1, "aba": 1, "baa": 1, "abb": 1, "bab": 1, "bba": 1}))
    >>> least.proven <= least.attained, least.attained
    (True, mpq(1,12))

    Raises `BadVotes` for fewer than two judges, `EmptyTest` for no questions.
    """
    check_panel(votes)
    wanted = check_orders(orders)
    problem = problem_of(votes, 0, wanted)
    found = search_witness(problem)
    if found is None:  # the keys of one label are always there
        raise Undecided(votes, "the search found no key at all")
    closed = tetrad_bound(votes)
    value, document = closed.value if 2 in wanted else mpq(0), moments_certificate(votes, closed, wanted)
    more = rational(effort)
    if len(votes.labels) == 2 and found.value > value:
        if 2 in wanted and problem.judges <= _MOST_WHOLE and problem.size <= _MOST_QUESTIONS:
            proven, found = prove_in_whole_numbers(problem, found, value, more)
            if proven > value:
                value, document = proven, whole_certificate(votes, proven, wanted)
        if value < ENOUGH * found.value:
            proof = prove_least(votes, wanted, found, value, better=(anchor(votes),), effort=more)
            value, document = proof or (value, document)
    witness = named_by_most_right(votes, found.shares)
    return LeastDependence(votes, wanted, value, found.value, witness, document, closed)


def prove_least(
    votes: VoteCounts,
    orders: Sequence[int],
    found: Found,
    known: mpq,
    *,
    conditions: Sequence[Condition] = (),
    better: Sequence[int] = (),
    effort: mpq = _ONE,
) -> tuple[mpq, dict[str, Any]] | None:
    """Return the largest dependence proven for all keys that meet the conditions, with its certificate.

    Parts of what a fractional key attains are tried one after the other, each growing the tree of the one before;
    `known` is what is proven already.
    """
    real = exact(found.fractional) * (1 - mpq(1, 10**6))
    if real * 20 < found.value:  # a fractional key is independent: only whole numbers stand in the way
        return None
    best: tuple[mpq, dict[str, Any]] | None = None
    tree: Branch | None = None
    budget = 0
    for delta in sorted({short(part * real) for part in _PARTS}):
        if delta <= known or delta >= found.value:
            continue
        problem = problem_of(votes, delta, orders, conditions, better)
        budget = budget or int(effort * node_budget(problem))
        search = refute(problem, nodes=budget, start=tree)
        budget -= search.nodes
        if not search.is_complete:
            break
        tree = search.root
        best = delta, certificate(votes, problem, conditions, tree.document())
    return best


def node_budget(problem: Problem) -> int:
    """Return how many parts a proof may look at: fewer where each costs more, or where there are few questions."""
    least, most = _NODES
    most_work = _WORK_OF_TWO if problem.labels == 2 else _WORK_OF_MORE
    work = len(problem.counts) * len(FloatRows(problem).names)
    return max(least, min(most, most_work // work, _NODES_PER_QUESTION * problem.size))
