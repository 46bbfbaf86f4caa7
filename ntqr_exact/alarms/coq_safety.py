"""A proof that no key makes all judges safe, as a theorem for Coq about these votes.

The file imports the library in `proofs/coq`, where the checker of such proofs is proven to be right, and runs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from ntqr_exact.alarms.proof_checker import Question, read_question
from ntqr_exact.errors import NotSupported


def safety_to_coq(document: Any) -> str:
    """Return a file of Coq that states and proves a certificate of joint safety whose verdict is "impossible".

    Raises `NotSupported` for another verdict: keys that are safe, or nothing decided.
    """
    if document["verdict"] != "impossible":
        raise NotSupported(
            document["verdict"],
            "a theorem is written where an alarm is proven, and here none is",
            "ask for more: a smaller factor, or a larger group",
        )
    question = read_question(document)
    judges, labels = list(document["judges"]), list(document["labels"])
    groups = [[judges.index(name) for name in names] for names in document["groups"]]
    votes = (
        f"({_nats(labels.index(label) for label in pattern)}, {count})"
        for pattern, count in document["votes"]
    )
    limits = (
        f"({labels.index(label)}%nat, ({low}, {high}))"
        for label, (low, high) in document["key_counts"].items()
    )
    limited = bool(document["key_counts"])
    who = sorted({place for group in groups for place in group})
    grade = Fraction(document["minimum_grade"])
    within = " within the limits" * limited
    asked = ",\n    a limit of a label for so many of its questions, from the least to the most" * limited
    condition = " /\\\n    (forall l r, In (l, r) limits -> inside (questions_of l test) r)" * limited
    return "\n".join(
        [
            f"(** {question.size} questions: no answer key{within} makes all of these judges safe.",
            "    Judges and labels are counted from 0. A factor (s, t) asks on a label with questions for",
            "    s * right answers > t * questions, the grade (s, t) in all for t * right answers >= s * questions"
            f"{asked}. *)",
            "",
            "From Coq Require Import ZArith List.",
            "From NtqrExact Require Import Questions Safety.",
            "Import ListNotations.",
            "Open Scope Z_scope.",
            "",
            _definition("votes", "counted", votes),
            _definition("factors", "list factor", (f"({s}, {t})" for s, t in question.factors)),
            f"Definition grade : Z * Z := ({grade.numerator}, {grade.denominator}).",
            f"Definition judges : list nat := {_nats(who)}.",
            *([_definition("limits", "list (nat * range)", limits)] if limited else []),
            "Definition tree : proof :=",
            f"  {_tree(question, groups, document['proof'])}.",
            "",
            "Theorem no_safe_key : ~ exists test : list question,",
            f"    test_of {len(labels)} votes test /\\ safe factors grade judges test{condition}.",
            f"Proof. apply ({'proves_sound' if limited else 'proves_sound_for_all'} factors grade judges votes "
            f"{'limits ' * limited}tree). vm_compute. reflexivity. Qed.",
            "",
        ]
    )


def _definition(name: str, type_: str, elements: Iterable[str]) -> str:
    return f"Definition {name} : {type_} := [{'; '.join(elements)}]."


def _nats(numbers: Iterable[int]) -> str:
    return f"[{'; '.join(map(str, numbers))}]%nat"


def _numbers(texts: Iterable[str]) -> str:
    return f"[{'; '.join(texts)}]"


def _tree(question: Question, groups: Sequence[Sequence[int]], tree: Any) -> str:
    if "leaf" in tree:
        return f"Leaf [{'; '.join(_part(groups[part['group']], part) for part in tree['leaf'])}]"
    below, above = (_tree(question, groups, tree[side]) for side in ("below", "above"))
    kind, *places = tree["split"].split()
    numbers = list(map(int, places))
    match kind:
        case "questions":
            quantity = f"Questions {numbers[0]}"
        case "right":
            quantity = f"Right {groups[numbers[0]][numbers[1]]} {numbers[2]}"
        case _:
            pattern = question.groups[numbers[0]][numbers[1]][0]
            quantity = f"Among {_nats(groups[numbers[0]])} {_nats(pattern)} {numbers[2]}"
    return f"Split ({quantity}) ({tree['at']})\n  ({below})\n  ({above})"


def _part(group: Sequence[int], part: Any) -> str:
    members = (
        f"Member {judge} {_numbers(_signed(row))} {anywhere}"
        for judge, row, anywhere in zip(group, part["votes"], part["anywhere"], strict=True)
    )
    return f"Part {_numbers(members)} {_numbers(_signed(part['questions']))}"


def _signed(texts: Iterable[str]) -> list[str]:
    return [f"({text})" if text.startswith("-") else text for text in texts]
