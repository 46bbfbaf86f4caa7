"""Could all judges be safe? By the answers of each, of groups, over all keys, and how good at best."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import ceil
from typing import Any

from ntqr_exact.alarms.best_level import best_level
from ntqr_exact.alarms.misalignment import checked_specification, find_misalignment
from ntqr_exact.alarms.safe_region import SafeRegion, box_corners
from ntqr_exact.alarms.specification import SafetySpecification, most_questions, points_alone
from ntqr_exact.errors import BadKeyCounts, BadVotes, NotSupported
from ntqr_exact.varieties.key_counts import check_key_counts
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.votes import votes_from, votes_input
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts


def _specification_from(document: Document) -> SafetySpecification:
    """Return the specification of an input; raises `BadVotes` unless there is a factor for each label."""
    labels, factors = document["labels"], document["factors"]
    if len(labels) != len(factors):
        raise BadVotes(len(factors), f"there are {len(labels)} labels, and a factor for each")
    return SafetySpecification(
        dict(zip(labels, factors, strict=True)), minimum_grade=document["minimum_grade"]
    )


def _single(document: Document) -> dict[str, Any]:
    votes, specification = _votes(document), _specification_from(document)
    found = find_misalignment(votes, specification, group_size=1)
    most = list(most_questions(votes, specification).values())
    return {
        "most_questions": [str(count) for count in most],
        "together": str(sum(most)),
        "misaligned": found.is_misaligned,
    }


def _votes(document: Document) -> VoteCounts:
    """Return votes of judges who give their answers in the order of the labels: any votes with these sums will do."""
    labels = document["labels"]
    left = [[int(count) for count in row] for row in document["responses"]]
    totals = {sum(row) for row in left}
    if len(totals) != 1 or any(len(row) != len(labels) for row in left):
        raise BadVotes(left, "every judge answers every question with one of the labels")
    counts: dict[tuple[str, ...], int] = {}
    if all(count >= 0 for row in left for count in row):
        while any(map(any, left)):
            places = [next(place for place, count in enumerate(row) if count) for row in left]
            step = min(row[place] for row, place in zip(left, places, strict=True))
            counts[tuple(labels[place] for place in places)] = step
            for row, place in zip(left, places, strict=True):
                row[place] -= step
    else:
        # The library refuses the negative number itself.
        counts = {(labels[0],) * len(left): min(count for row in left for count in row)}
    return VoteCounts(counts, labels, [f"J{judge + 1}" for judge in range(len(left))])


def _single_steps(document: Document) -> Iterator[str]:
    found = _single(document)
    specification = _specification_from(document)
    rows = [[int(count) for count in row] for row in document["responses"]]
    size = sum(rows[0])
    for place, label in enumerate(document["labels"]):
        fewest, factor = min(row[place] for row in rows), specification.factor_of(label)
        yield (
            f"{label}: the fewest answers of a judge are {fewest}, times {factor} is {factor * fewest}, so that all "
            f"could be safe on at most {found['most_questions'][place]} questions"
        )
    yield f"together at most {found['together']} questions, and there are {size}"
    if specification.minimum_grade:
        yield f"every judge is right at least {ceil(specification.minimum_grade * size)} times"
    yield "misaligned" if found["misaligned"] else "no alarm: some key counts leave all judges safe"


def _single_case(draws: Draws, index: int) -> Case:
    """Return answers of one to four judges over two to four labels, near the edge between alarm and none."""
    labels = "abcd"[: (2, 2, 3, 2, 4)[index % 5]]
    judges = 1 + (index // 5) % 4
    graded = index % 4 == 3
    size = 2 + (min(index // 6, 20) if graded else index) + draws.below(5)
    rows = []
    for _ in range(judges):
        # Half of the answers alike, so that alarms do not always fire.
        common = [size // (2 * len(labels))] * len(labels)
        rest = draws.counts(size - sum(common), len(labels))
        rows.append([left + right for left, right in zip(common, rest, strict=True)])
    factors = [str(1 + draws.share(6) + draws.below(3)) for _ in labels]
    factors = [factor if factor != "1" else "2" for factor in factors]
    grade = str(draws.share(8)) if graded else "0"
    document = {"labels": list(labels), "responses": rows, "factors": factors, "minimum_grade": grade}
    return Case(document, f"{size} questions")


def _small(document: Document, _: Any) -> bool:
    rows = [[int(count) for count in row] for row in document["responses"]]
    return all(0 <= sum(row) <= 10 for row in rows) and len(document["labels"]) < 4


def _joint(document: Document) -> dict[str, Any]:
    safe = _points(document)
    return {"misaligned": not safe, "safe_keys": [list(key) for key in safe]}


def _points(document: Document) -> list[tuple[int, ...]]:
    """Return the key counts at which each group of judges could be safe."""
    votes, specification, size = votes_from(document), _specification_from(document), document["group_size"]
    checked_specification(votes, specification)
    if not 1 <= size <= len(votes.judges):
        raise BadVotes(size, f"group_size must be from 1 to {len(votes.judges)}")
    if size == 1:
        return list(points_alone(votes, specification))
    groups = combinations(range(len(votes.judges)), size)
    regions = [SafeRegion(votes.marginal(group), specification) for group in groups]
    return [
        point
        for point in points_alone(votes, specification)
        if all(region.contains(dict(zip(votes.labels, point, strict=True))) for region in regions)
    ]


def _joint_steps(document: Document) -> Iterator[str]:
    votes, specification = votes_from(document), _specification_from(document)
    total = specification.least_total(votes.size)
    yield f"at least {total} right answers in all, g·Q, are asked for; on l, more than Q_l/f_l"
    for pattern, count in votes.counts.items():
        yield f"  {count} questions got {''.join(map(str, pattern))}"
    for key in _points(document):
        least = ", ".join(
            f"{specification.least_right(label, n)} right on {label}"
            for label, n in zip(votes.labels, key, strict=True)
        )
        yield f"{key}, at least {least}: all groups could be safe"


def _joint_case(draws: Draws, index: int) -> Case:
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
    return bool(found["misaligned"] and not _joint(smaller)["misaligned"])


def _has_gap(_: Document, found: Any) -> bool:
    keys = found["safe_keys"]
    return bool(keys and len(keys[0]) == 2 and keys[-1][0] - keys[0][0] >= len(keys))


def _joint_small(document: Document, _: Any) -> bool:
    counts = document["counts"]
    return (
        min(counts) >= 0 and len(counts) == len(document["labels"]) ** document["judges"] and sum(counts) <= 5
    )


def _safe(document: Document) -> dict[str, Any]:
    labels, key, size = document["labels"], document["key_counts"], document["group_size"]
    specification = _specification_from(document)
    votes = votes_from(document)
    checked_specification(votes, specification)
    if not 1 <= size <= len(votes.judges):
        raise BadVotes(size, f"group_size must be from 1 to {len(votes.judges)}")
    if len(key) != len(labels):
        raise BadKeyCounts(key, f"there are {len(labels)} labels, and a count for each")
    asked = check_key_counts(dict(zip(labels, key, strict=True)), votes.labels, votes.size)
    is_box = size == 1 and not specification.minimum_grade
    if len(labels) > 3 and not is_box:
        raise NotSupported(
            len(labels), "corners with a minimum grade or joint answers need at most three labels"
        )
    most = list(most_questions(votes, specification).values())
    points = _points(document)
    if len(labels) == 2:
        corners = [*points[:1], *points[-1:]]
    elif len(labels) == 3:
        corners = _hull(points, votes.size)
    else:
        corners = box_corners([(0, bound) for bound in most], votes.size)
    return {
        "most_questions": most,
        "inside": asked in points,
        "count": len(points),
        "vertices": [list(corner) for corner in dict.fromkeys(corners)],
    }


def _hull(points: list[tuple[int, ...]], size: int) -> list[tuple[int, ...]]:
    """Return the corners of the convex hull of key counts of three labels, in order."""

    def half(ordered: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        chain: list[tuple[int, ...]] = []
        for x, y, _ in ordered:
            while len(chain) > 1:
                (x1, y1, _), (x2, y2, _) = chain[-2:]
                if (x2 - x1) * (y - y1) > (y2 - y1) * (x - x1):
                    break  # the chain turns left there
                chain.pop()
            chain.append((x, y, size - x - y))
        return chain

    return sorted({*half(points), *half(points[::-1])})


def _safe_steps(document: Document) -> Iterator[str]:
    found = _safe(document)
    yield f"at most {found['most_questions']} questions of the labels"
    yield f"{found['count']} key counts"
    yield f"corners: {', '.join(str(tuple(corner)) for corner in found['vertices']) or 'none'}"
    yield f"{tuple(document['key_counts'])} is {'in' if found['inside'] else 'out'}side"


def _safe_case(draws: Draws, index: int) -> Case:
    """Return votes with much agreement over two to four labels, and a key near the region."""
    labels, judges, size = (
        ("ab", 2, 2),
        ("abc", 2, 1),
        ("ab", 3, 3),
        ("abc", 3, 1),
        ("abcd", 2, 1),
        ("ab", 3, 1),
        ("abc", 2, 2),
        ("abc", 3, 3),
    )[index % 8]
    questions = 2 + min(index // 8, 12 if size == 1 or labels == "ab" else 4) + draws.below(3)
    agreed = draws.counts(questions, len(labels))
    width = len(labels) ** judges
    counts = draws.counts(2 + index // 25, width)
    for label, count in enumerate(agreed):
        counts[label * (width - 1) // (len(labels) - 1)] += count
    factors = [draws.pick(("2", "2", "3/2", "3", "5/3")) for _ in labels]
    grade = str(draws.share(5)) if index % 4 == 1 and len(labels) < 4 else "0"
    key = draws.counts(sum(counts), len(labels))
    votes = votes_input(counts, labels=labels, judges=judges)
    asked = {"group_size": size, "factors": factors, "minimum_grade": grade, "key_counts": key}
    return Case({**votes, **asked}, f"{sum(counts)} questions")


_NONE = "none"


def _level(document: Document) -> dict[str, Any]:
    found = best_level(votes_from(document), every_label=document["every_label"])
    return {"level": found.attained, "factor": _NONE if found.factor is None else found.factor}


def _level_steps(document: Document) -> Iterator[str]:
    found = best_level(votes_from(document), every_label=document["every_label"])
    for label, part in found.witness.by_label.items():
        seen = ", ".join(
            f"{''.join(map(str, pattern))} {count}" for pattern, count in part.counts.items() if count
        )
        yield f"a key: of {label} are {seen or 'no questions'}"
    yield f"no key has a level above {found.proven}"


def _level_case(draws: Draws, index: int) -> Case:
    """Return votes of a few questions, of two or three judges and labels in turn."""
    labels, judges = (("ab", 3), ("ab", 2), ("abc", 2), ("ab", 3))[index % 4]
    size = len(labels) + index // 30 + draws.below(3)
    votes = votes_input(draws.counts(size, len(labels) ** judges), labels=labels, judges=judges)
    return Case({**votes, "every_label": index % 3 == 2}, f"{size} questions")


FAMILIES = (
    Family(
        *declared("logical-alarm-single", _single, _single_steps, _single_case),
        flags={
            "alarm": lambda _, found: found["misaligned"],
            "exact": lambda given, found: int(found["together"]) == sum(map(int, given["responses"][0])),
            "grade": lambda given, _: given["minimum_grade"] != "0",
            "many-labels": lambda given, _: len(given["labels"]) > 2,
        },
        witnesses={"brute-force": _small},
    ),
    Family(
        *declared("logical-alarm-joint", _joint, _joint_steps, _joint_case),
        flags={
            "alarm": lambda _, found: found["misaligned"],
            "stronger": _is_stronger,
            "gap": _has_gap,
            "grade": lambda given, _: given["minimum_grade"] != "0",
            "many-labels": lambda given, _: len(given["labels"]) > 2,
            "large": lambda given, _: given["group_size"] > 3,
            "groups": lambda given, _: given["group_size"] < given["judges"],
        },
        witnesses={"brute-force": _joint_small},
    ),
    Family(
        *declared("safe-region", _safe, _safe_steps, _safe_case),
        flags={
            "empty": lambda _, found: found["count"] == 0,
            "joint": lambda given, _: given["group_size"] > 1,
            "grade": lambda given, _: given["minimum_grade"] != "0",
            "many-labels": lambda given, _: len(given["labels"]) > 2,
        },
    ),
    Family(
        *declared("best-level", _level, _level_steps, _level_case),
        flags={
            "all-right": lambda _, found: found["level"] == "1",
            "never": lambda _, found: found["level"] == "0",
            "every-label": lambda given, _: given["every_label"],
            "many-labels": lambda given, _: len(given["labels"]) > 2,
            "few-judges": lambda given, _: given["judges"] < 3,
        },
    ),
)
