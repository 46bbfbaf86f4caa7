"""The family `logical-alarm-joint`: could all judges be safe, looking at the joint answers of pairs or trios?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.alarms.misalignment import find_misalignment
from ntqr_exact.citation import Citation
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.logical_alarm_single import SAFE, SPECIFICATION, specification_from
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import COUNT, TRUTH, described, list_of, record
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, WORDS, votes_from, votes_input

GROUP_KEYS = (
    "An answer key of a group of judges says for each pattern v of their answers how many of its questions have "
    "the first label, from 0 to the number of questions on which the group gave this pattern. The rest of them "
    "have the second label. The sum over the patterns is Q_a, the number of questions of the first label; Q_b = "
    "Q − Q_a.",
    "Under such a key, each judge of the group has a number of right answers on a and on b. The group could be "
    "safe at Q_a if some of its answer keys with this Q_a makes all of its judges safe.",
)
"""What it means that some judges could be safe together."""


def compute(document: Document) -> dict[str, Any]:
    """Return whether the alarm fires, and at which numbers of questions of the first label all could be safe."""
    votes = votes_from(document)
    found = find_misalignment(votes, specification_from(document), group_size=document["group_size"])
    return {
        "misaligned": found.is_misaligned,
        "safe_keys": [key[votes.labels[0]] for key in found.safe_keys()],
    }


def steps(document: Document) -> Iterator[str]:
    """Tell for every key which group excludes it, and how the first safe one could come about."""
    votes = votes_from(document)
    specification = specification_from(document)
    found = find_misalignment(votes, specification, group_size=document["group_size"])
    a, b = votes.labels
    total = specification.least_total(votes.size)
    yield f"at least {total} right answers in all, g·Q, are asked for; on l, more than Q_l/f_l"
    for pattern, count in votes.counts.items():
        yield f"  {count} questions got {''.join(pattern)}"
    for verdict in found.trace():
        key = verdict.key_counts
        words = "all groups could be safe" if verdict.is_safe else f"not {', '.join(verdict.excluded_by)}"
        least = " and ".join(
            f"{specification.least_right(label, key[label])} right on {label}" for label in (a, b)
        )
        yield f"Q_{a} = {key[a]}, Q_{b} = {key[b]}, at least {least}: {words}"
    for judges, witness in found.group_witnesses.items():
        parts = [
            f"{label}: " + " ".join(f"{''.join(v)} {count}" for v, count in part.counts.items() if count)
            for label, part in witness.by_label.items()
        ]
        yield f"for example {', '.join(judges)}: {'; '.join(parts)}"




def random_case(draws: Draws, index: int) -> Case:
    """Return any votes of two to four judges, with groups of two or three, some factors and some grades."""
    judges = (2, 3, 3, 4, 3)[index % 5]
    group_size = 3 if judges == 3 and index % 5 != 1 else draws.between(2, min(judges, 3))
    size = 2 + min(index // 10, 10) + draws.below(4)
    counts = draws.counts(size, 2**judges)
    factors = [draws.pick(("2", "2", "3/2", "3", "5/3", "4")) for _ in range(2)]
    grade = str(draws.share(6)) if index % 4 == 3 else "0"
    return _case(
        counts, group_size, f"any votes on {size} questions", judges=judges, factors=factors, grade=grade
    )


def _document(counts: Sequence[int], judges: int, size: int, factors: Sequence[str], grade: str) -> Document:
    document = votes_input(counts, judges=judges)
    return {**document, "group_size": size, "factors": list(factors), "minimum_grade": grade}


def _case(
    counts: Sequence[int],
    group_size: int,
    comment: str,
    *,
    judges: int = 3,
    factors: Sequence[str] = ("2", "2"),
    grade: str = "0",
) -> Case:
    document = _document(counts, judges, group_size, factors, grade)
    found = compute(document)
    smaller = {**document, "group_size": max(1, group_size - 1)}
    keys = found["safe_keys"]
    outcome = [
        *(["alarm"] if found["misaligned"] else []),
        *(["stronger"] if found["misaligned"] and not compute(smaller)["misaligned"] else []),
        *(["gap"] if keys and keys[-1] - keys[0] >= len(keys) else []),
        *(["grade"] if grade != "0" else []),
        *(["groups"] if group_size < judges else []),
    ]
    return Case(document, comment, tuple(outcome))


def _small(document: Document) -> bool:
    counts = document["counts"]
    return min(counts) >= 0 and len(counts) == 2 ** document["judges"] and sum(counts) <= 7


FAMILY = Family(
    *declared("logical-alarm-joint"),
    input=record(
        {**PARTS, **SPECIFICATION},
        group_size=described({"type": "integer"}, "how many judges are looked at together"),
    ),
    expected=record(misaligned=TRUTH, safe_keys=list_of(COUNT)),
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"brute-force": _small},
)
