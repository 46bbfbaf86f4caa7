"""The verdict on votes as theorems for Coq: some answer key leaves the errors independent, or none does.

The file imports the library in `proofs/coq`, states the theorems about these numbers, and proves them by computation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.errors import BadVotes, NotSupported
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

ALARM_THEOREMS = {
    AlarmKind.NEGATIVE_PRODUCT: "negative_product_sound",
    AlarmKind.IMAGINARY: "imaginary_sound",
    AlarmKind.IRRATIONAL: "irrational_sound",
    AlarmKind.NO_ROOT: "no_root_sound",
    AlarmKind.CONTRADICTION: "contradiction_sound",
    AlarmKind.OUT_OF_RANGE: "out_of_range_sound",
    AlarmKind.NOT_WHOLE: "not_whole_sound",
}
"""The theorem of the library that each kind of alarm is right."""


def votes_to_coq(
    votes: VoteCounts, kinds: Iterable[AlarmKind], keys: Sequence[LabeledVoteCounts] = ()
) -> str:
    """Return a file of Coq that proves that a key leaves the errors independent, or each alarm that none does.

    >>> text = votes_to_coq(VoteCounts({"aab": 1, "aba": 1, "baa": 1}), [AlarmKind.NO_ROOT])
    >>> print(text.splitlines()[-2])
    Theorem no_root : ~ has_independent_key votes.

    Raises `BadVotes` for other numbers of judges or labels, `NotSupported` if neither an alarm nor a key is given.
    """
    if (len(votes.judges), len(votes.labels)) != (3, 2):
        raise BadVotes(
            (len(votes.judges), len(votes.labels)),
            "the theorems are about three judges and two labels",
            "choose three judges, for example by marginal",
        )
    fired = set(kinds)
    lines = [
        f"(** {votes.size} questions, counted by answers in the order aaa, aab, aba, abb, baa, bab, bba, bbb. *)",
        "",
        "From Coq Require Import ZArith.",
        "From NtqrExact Require Import Keys Alarms Completeness Kinds.",
        "Open Scope Z_scope.",
        "",
        f"Definition votes : table := {table_of(votes)}.",
        "",
    ]
    if not fired:
        if not keys:
            raise NotSupported("no key", "a theorem is written about an alarm or a key, and here is neither")
        lines += [
            "(** Some answer key of these votes leaves all errors independent: these are of the first label. *)",
            f"Definition first_label : table := {table_of(keys[0].by_label[votes.labels[0]])}.",
            "Theorem independent_key : has_independent_key votes.",
            "Proof. apply (is_key_sound first_label). vm_compute. reflexivity. Qed.",
            "",
        ]
    for kind, theorem in ALARM_THEOREMS.items():
        if kind in fired:
            name = kind.name.lower()
            lines += [
                f"(** No answer key of these votes leaves all errors independent: {kind.value}. *)",
                f"Theorem {name} : ~ has_independent_key votes.",
                f"Proof. apply {theorem}; [reflexivity | vm_compute; reflexivity]. Qed.",
                "",
            ]
    return "\n".join(lines)


def solution_to_coq(solution: IndependentSolution) -> str:
    """Return a file of Coq that proves each alarm of a solution, or that there is a key."""
    return votes_to_coq(solution.votes, (alarm.kind for alarm in solution.alarms), solution.keys)


def table_of(votes: VoteCounts) -> str:
    """Return the counts of three judges' answers as a table of the library.

    >>> table_of(VoteCounts({"aaa": 2, "abb": 1}))
    'Table 2 0 0 1 0 0 0 0'
    """
    return f"Table {' '.join(str(votes.counts.get(p, 0)) for p in product(votes.labels, repeat=3))}"
