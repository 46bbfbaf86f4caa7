"""The family `logical-alarm-joint`: could all judges be safe, looking at the joint answers of groups?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.alarms.misalignment import Misalignment, find_misalignment
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.safety import PARTS as SPECIFICATION
from ntqr_exact.vectors.forms.safety import specification_from
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, votes_from, votes_input
from ntqr_exact.vectors.fragments import COUNT, TRUTH, described, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return whether the alarm fires, and at which key counts all could be safe."""
    found = _verdict(document)
    return {
        "misaligned": found.is_misaligned,
        "safe_keys": [list(key.values()) for key in found.safe_region],
    }


def _verdict(document: Document) -> Misalignment:
    return find_misalignment(
        votes_from(document), specification_from(document), group_size=document["group_size"]
    )


def steps(document: Document) -> Iterator[str]:
    """Tell the votes, the proof or the safe key counts, and how the first of them could come about."""
    found = _verdict(document)
    votes, specification = found.votes, found.specification
    total = specification.least_total(votes.size)
    yield f"at least {total} right answers in all, g·Q, are asked for; on l, more than Q_l/f_l"
    for pattern, count in votes.counts.items():
        yield f"  {count} questions got {''.join(pattern)}"
    yield str(found)
    for key in found.safe_region:
        least = ", ".join(
            f"{specification.least_right(label, n)} right on {label}" for label, n in key.items()
        )
        yield f"{tuple(key.values())}, at least {least}: all groups could be safe"
    for judges, witness in found.group_witnesses.items():
        parts = [
            f"{label}: " + " ".join(f"{''.join(v)} {count}" for v, count in part.counts.items() if count)
            for label, part in witness.by_label.items()
        ]
        yield f"for example {', '.join(judges)}: {'; '.join(parts)}"


def random_case(draws: Draws, index: int) -> Case:
    """Return any votes of two to five judges between two to four labels, some factors and some grades."""
    labels, judges = (("ab", 2), ("abc", 2), ("ab", 3), ("abc", 3), ("ab", 4), ("abcd", 2), ("ab", 5))[
        index % 7
    ]
    group_size = judges if index % 3 else draws.between(2, judges)
    size = 2 + min(index // 10, 10 if labels == "ab" and judges < 4 else 3) + draws.below(4)
    counts = draws.counts(size, len(labels) ** judges)
    for label in range(len(labels)):  # some questions on which all agree
        counts[label * (len(counts) - 1) // (len(labels) - 1)] += draws.below(2)
    factors = [draws.pick(("2", "2", "3/2", "3", "5/3", "4")) for _ in labels]
    grade = str(draws.share(6)) if index % 4 == 3 else "0"
    asked = {"group_size": group_size, "factors": factors, "minimum_grade": grade}
    return Case({**votes_input(counts, labels=labels, judges=judges), **asked}, f"{sum(counts)} questions")


def _is_stronger(document: Document, found: Any) -> bool:
    """Tell whether the alarm fires, and does not for groups with one judge less."""
    smaller = {**document, "group_size": max(1, document["group_size"] - 1)}
    return bool(found["misaligned"] and not compute(smaller)["misaligned"])


def _has_gap(_: Document, found: Any) -> bool:
    keys = found["safe_keys"]
    return bool(keys and len(keys[0]) == 2 and keys[-1][0] - keys[0][0] >= len(keys))


def _small(document: Document, _: Any) -> bool:
    counts = document["counts"]
    return (
        min(counts) >= 0 and len(counts) == len(document["labels"]) ** document["judges"] and sum(counts) <= 5
    )


FAMILY = Family(
    *declared("logical-alarm-joint"),
    input=record(
        {**PARTS, **SPECIFICATION},
        group_size=described({"type": "integer"}, "how many judges are looked at together"),
    ),
    expected=record(misaligned=TRUTH, safe_keys=list_of(list_of(COUNT))),
    flags={
        "alarm": lambda _, found: found["misaligned"],
        "stronger": _is_stronger,
        "gap": _has_gap,
        "grade": lambda given, _: given["minimum_grade"] != "0",
        "many-labels": lambda given, _: len(given["labels"]) > 2,
        "large": lambda given, _: given["group_size"] > 3,
        "groups": lambda given, _: given["group_size"] < given["judges"],
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"brute-force": _small},
)
