"""The verdict on votes as a theorem for Coq: some answer key leaves the errors independent, or none does.

The file imports the library in `proofs/coq`, states the theorem about these numbers, and proves it by computation.
"""

from __future__ import annotations

from itertools import product

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import KeyExistence
from ntqr_exact.votes.counts import VoteCounts

LIBRARY = "NtqrExact"


def votes_to_coq(votes: VoteCounts) -> str:
    """Return a file of Coq that proves whether three judges and two labels have a key with independent errors.

    >>> print(votes_to_coq(VoteCounts({"aab": 1, "aba": 1, "baa": 1})).splitlines()[-3])
    Proof. apply no_key; [reflexivity | vm_compute; reflexivity]. Qed.

    Raises `BadVotes` for other numbers of judges or labels.
    """
    if (len(votes.judges), len(votes.labels)) != (3, 2):
        raise BadVotes(
            (len(votes.judges), len(votes.labels)),
            "the theorems are about three judges and two labels",
            "choose three judges, for example by marginal",
        )
    counts = " ".join(str(votes.counts.get(pattern, 0)) for pattern in product(votes.labels, repeat=3))
    exists = solve_independent(votes).existence is KeyExistence.EXISTS
    name, claim = ("independent_key", "") if exists else ("no_independent_key", "~ ")
    lemma = "decide_iff" if exists else "no_key"
    return "\n".join(
        [
            f"(** {votes.size} questions, counted by answers in the order aaa, aab, aba, abb, baa, bab, bba, bbb. *)",
            "",
            "From Coq Require Import ZArith.",
            f"From {LIBRARY} Require Import Keys Decision.",
            "Open Scope Z_scope.",
            "",
            f"Definition votes : table := Table {counts}.",
            "",
            f"(** {'Some' if exists else 'No'} answer key of these votes leaves all errors independent. *)",
            f"Theorem {name} : {claim}has_independent_key votes.",
            f"Proof. apply {lemma}; [reflexivity | vm_compute; reflexivity]. Qed.",
            "",
            f"Print Assumptions {name}.",
            "",
        ]
    )
