"""The verdict on votes as theorems for Coq: some answer key leaves the errors independent, or none does.

The file imports the library in `proofs/coq`, states the theorems about these numbers, and proves them by computation.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.errors import BadVotes
from ntqr_exact.votes.counts import VoteCounts

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


def votes_to_coq(votes: VoteCounts, kinds: Iterable[AlarmKind]) -> str:
    """Return a file of Coq that proves that some key leaves the errors independent, or each alarm that none does.

    >>> text = votes_to_coq(VoteCounts({"aab": 1, "aba": 1, "baa": 1}), [AlarmKind.NO_ROOT])
    >>> print(text.splitlines()[-2])
    Theorem no_root : ~ has_independent_key votes.

    Raises `BadVotes` for other numbers of judges or labels.
    """
    if (len(votes.judges), len(votes.labels)) != (3, 2):
        raise BadVotes(
            (len(votes.judges), len(votes.labels)),
            "the theorems are about three judges and two labels",
            "choose three judges, for example by marginal",
        )
    counts = " ".join(str(votes.counts.get(pattern, 0)) for pattern in product(votes.labels, repeat=3))
    fired = set(kinds)
    if AlarmKind.IRRATIONAL in fired:
        fired.discard(AlarmKind.OUT_OF_RANGE)  # the theorem of the range speaks of rational rates
    lines = [
        f"(** {votes.size} questions, counted by answers in the order aaa, aab, aba, abb, baa, bab, bba, bbb. *)",
        "",
        "From Coq Require Import ZArith.",
        "From NtqrExact Require Import Keys Alarms Decision Kinds.",
        "Open Scope Z_scope.",
        "",
        f"Definition votes : table := Table {counts}.",
        "",
    ]
    if not fired:
        lines += [
            "(** Some answer key of these votes leaves all errors independent. *)",
            "Theorem independent_key : has_independent_key votes.",
            "Proof. apply decide_iff; [reflexivity | vm_compute; reflexivity]. Qed.",
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
