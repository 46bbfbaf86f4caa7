"""The family `logical-alarm-joint`: could all judges be safe, looking at the joint answers of pairs or trios?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.alarms.misalignment import find_misalignment
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.safety import PARTS as SPECIFICATION
from ntqr_exact.vectors.forms.safety import specification_from
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, votes_from, votes_input
from ntqr_exact.vectors.fragments import COUNT, TRUTH, described, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared


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
    asked = {"group_size": group_size, "factors": factors, "minimum_grade": grade}
    return Case({**votes_input(counts, judges=judges), **asked}, f"any votes on {size} questions")


def _is_stronger(document: Document, found: Any) -> bool:
    """Tell whether the alarm fires, and does not for groups with one judge less."""
    smaller = {**document, "group_size": max(1, document["group_size"] - 1)}
    return bool(found["misaligned"] and not compute(smaller)["misaligned"])


def _has_gap(_: Document, found: Any) -> bool:
    keys = found["safe_keys"]
    return bool(keys and keys[-1] - keys[0] >= len(keys))


def _small(document: Document, _: Any) -> bool:
    counts = document["counts"]
    return min(counts) >= 0 and len(counts) == 2 ** document["judges"] and sum(counts) <= 7


FAMILY = Family(
    *declared("logical-alarm-joint"),
    input=record(
        {**PARTS, **SPECIFICATION},
        group_size=described({"type": "integer"}, "how many judges are looked at together"),
    ),
    expected=record(misaligned=TRUTH, safe_keys=list_of(COUNT)),
    flags={
        "alarm": lambda _, found: found["misaligned"],
        "stronger": _is_stronger,
        "gap": _has_gap,
        "grade": lambda given, _: given["minimum_grade"] != "0",
        "groups": lambda given, _: given["group_size"] < given["judges"],
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"brute-force": _small},
)
