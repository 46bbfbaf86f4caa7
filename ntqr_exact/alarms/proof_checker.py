"""A small checker of joint safety certificates that needs nothing but Python.

A certificate says of the votes of some judges either "possible", with answer keys under which the judges are safe, or
"impossible", with a proof. It can be copied out of the library and run alone: `python proof_checker.py FILE...`.

With a factor s/t for label l a judge needs least(q) = ⌊t·q/s⌋ + 1 right answers on q > 0 questions of l, and none on 0.
A group of judges is safe under a key if each of them is right least(Q_l) times on every label l, and G times in all,
G = ⌈grade·Q⌉. Several groups are looked at each by itself, each with a key of its own, all with the same Q_l.

A proof is a tree. A split parts the whole numbers that one quantity may be: "questions l" is Q_l, "right g j l" the
right answers on l of judge j of group g, "split g p l" how many questions of pattern p of group g are of label l
(counted from 0). A leaf gives for some groups weights A_jl of a right answer, prices B_l of a question of l, and
weights g_j ≥ 0 of a right answer anywhere. However the key is, the groups together gain at most

    Σ_g Σ_p n_p·max_l(Σ_{j: p_j = l} (A_jl + g_j) − B_l) ,

and a safe key gains at least, with q between the bounds of Q_l,

    Σ_l min_q(Σ_g (Σ_j A_jl·max(least_l(q), least right answers here) − B_l·q)) + G·Σ g_j

(a negative A_jl stands with the most right answers). If the first is less than the second, no key is safe.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from operator import lt
from pathlib import Path
from typing import Any, TypeAlias

Bounds: TypeAlias = dict[str, tuple[int, int]]
"""The least and the greatest value of a quantity, by its name in the splits."""

FORMAT = "ntqr-exact joint safety 1"


@dataclass(frozen=True)
class Question:
    """What is asked: groups of judges with their votes, factors (s, t) by label, right answers needed in all."""

    groups: tuple[tuple[tuple[tuple[int, ...], int], ...], ...]
    factors: tuple[tuple[int, int], ...]
    total: int
    size: int
    bounds: Bounds = field(default_factory=dict)


def problems(document: Any) -> list[str]:
    """Return what is wrong with a certificate: nothing, if it proves what it says."""
    try:
        question = read_question(document)
        match document["verdict"]:
            case "possible":
                holds, problem = (
                    _are_safe(question, document["keys"]),
                    "the keys are not safe keys of these votes",
                )
            case "impossible":
                holds = proves(question, root(question), document["proof"])
                problem = "the proof leaves open that there is a safe key"
            case other:
                holds, problem = False, f"unknown verdict {other!r}"
        return [] if holds else [problem]
    except (LookupError, TypeError, ValueError, AttributeError, ZeroDivisionError, RecursionError) as error:
        return [f"malformed: {type(error).__name__}: {error}"]


# -- what is claimed ---------------------------------------------------------------------------------


def read_question(document: Any) -> Question:
    """Return what the certificate speaks of; raises a common error for what is malformed."""
    if document["format"] != FORMAT:
        raise ValueError(f"unknown format {document['format']!r}")
    labels, judges = list(document["labels"]), list(document["judges"])
    if len(set(labels)) != len(labels) or len(set(judges)) != len(judges):
        raise ValueError("a label or a judge is named twice")
    votes: Counter[tuple[int, ...]] = Counter()
    for pattern, count in document["votes"]:
        if len(pattern) != len(judges) or _whole(count) < 0:
            raise ValueError(f"not a pattern with its count: {pattern!r}")
        votes[tuple(labels.index(label) for label in pattern)] += _whole(count)
    groups = []
    for names in document["groups"]:
        places = [judges.index(name) for name in names]
        if not places or len(set(places)) != len(places):
            raise ValueError(f"not a group of judges: {names!r}")
        marginal: Counter[tuple[int, ...]] = Counter()
        for row, count in votes.items():
            marginal[tuple(row[place] for place in places)] += count
        groups.append(tuple(sorted((row, count) for row, count in marginal.items() if count)))
    size = sum(votes.values())
    if not groups or not size:
        raise ValueError("a certificate has a group of judges and a question")
    factors = [_fraction(document["factor"][label]) for label in labels]
    grade = _fraction(document["minimum_grade"])
    if any(factor <= 1 for factor in factors) or not 0 <= grade <= 1:
        raise ValueError("factors are greater than 1, and a grade lies between 0 and 1")
    bounds = {
        f"questions {labels.index(label)}": (_whole(low), _whole(high))
        for label, (low, high) in document["key_counts"].items()
    }
    pairs = tuple((factor.numerator, factor.denominator) for factor in factors)
    return Question(tuple(groups), pairs, -(-grade.numerator * size // grade.denominator), size, bounds)


def _whole(text: Any) -> int:
    if not isinstance(text, str) or not text.lstrip("-").isascii() or not text.lstrip("-").isdigit():
        raise ValueError(f"not a whole number: {text!r}")
    return int(text)


def _fraction(text: Any) -> Fraction:
    return Fraction(*map(_whole, text.split("/"))) if text.count("/") else Fraction(_whole(text))


def least_right(question: Question, label: int, questions: int) -> int:
    """Return the least right answers that are safe on this many questions of a label."""
    s, t = question.factors[label]
    return t * questions // s + 1 if questions else 0


def _are_safe(question: Question, keys: Any) -> bool:
    """Tell whether each group has a key: pattern by pattern this many questions of each label, all judges safe."""
    labels = range(len(question.factors))
    seen = set()
    for group, rows in zip(question.groups, keys, strict=True):
        key = [[_whole(number) for number in row] for row in rows]
        if len(key) != len(group) or any(len(row) != len(labels) or min(row) < 0 for row in key):
            return False
        if any(sum(row) != count for row, (_, count) in zip(key, group, strict=True)):
            return False
        counts = tuple(sum(row[label] for row in key) for label in labels)
        seen.add(counts)
        for judge in range(len(group[0][0])):
            right = [0 for _ in labels]
            for row, (pattern, _) in zip(key, group, strict=True):
                right[pattern[judge]] += row[pattern[judge]]
            needed = (least_right(question, label, counts[label]) for label in labels)
            if sum(right) < question.total or any(map(lt, right, needed)):
                return False
    (counts,) = seen  # one for all groups
    ranges = (question.bounds.get(f"questions {label}", (0, question.size)) for label in labels)
    return all(low <= count <= high for count, (low, high) in zip(counts, ranges, strict=True))


# -- proofs ------------------------------------------------------------------------------------------


def root(question: Question) -> Bounds | None:
    """Return the bounds to begin with: on Q_l questions of l some judge cannot give least(Q_l) right answers.

    It is that of the fewest answers l; `None` if nothing is left.
    """
    bounds = dict(question.bounds)
    places = [(rows, place) for rows in question.groups for place in range(len(rows[0][0]))]
    for label, (s, t) in enumerate(question.factors):
        fewest = min(sum([count for row, count in rows if row[place] == label]) for rows, place in places)
        low, high = bounds.get(f"questions {label}", (0, question.size))
        # least(q) ≤ fewest exactly if t·q < s·fewest, or q = 0.
        bounds[f"questions {label}"] = (max(low, 0), min(high, max(0, (s * fewest - 1) // t)))
    return tightened(question, bounds)


def tightened(question: Question, bounds: Bounds) -> Bounds | None:
    """Return the bounds with ΣQ_l = Q used on each label; `None` if they are empty."""
    result = dict(bounds)
    names = [f"questions {label}" for label in range(len(question.factors))]
    lows, highs = (sum(bounds[name][end] for name in names) for end in (0, 1))
    for name in names:
        low, high = bounds[name]
        result[name] = (max(low, question.size - highs + high), min(high, question.size - lows + low))
    return result if all(low <= high for low, high in result.values()) else None


def proves(question: Question, bounds: Bounds | None, tree: Any) -> bool:
    """Tell whether a proof shows that no key within the bounds is safe."""
    if bounds is None:  # no key at all has such counts
        return True
    if "leaf" in tree:
        return _leaf_holds(question, bounds, tree["leaf"])
    below, above = parts_of(question, bounds, tree["split"], _whole(tree["at"]))
    return proves(question, below, tree["below"]) and proves(question, above, tree["above"])


def parts_of(question: Question, bounds: Bounds, name: str, at: int) -> tuple[Bounds | None, Bounds | None]:
    """Return the bounds with a quantity at most `at`, and with more."""
    low, high = bounds.get(name) or _widest(question, name)
    return (
        tightened(question, {**bounds, name: (low, min(high, at))}),
        tightened(question, {**bounds, name: (max(low, at + 1), high)}),
    )


def _widest(question: Question, name: str) -> tuple[int, int]:
    kind, *places = name.split()
    group, second, label = map(_whole, places)
    rows = question.groups[group]
    if not 0 <= label < len(question.factors) or min(group, second) < 0:
        raise ValueError(f"no such quantity: {name!r}")
    if kind == "right":
        return 0, sum(count for pattern, count in rows if pattern[second] == label)
    if kind == "split":
        return 0, rows[second][1]
    raise ValueError(f"no such quantity: {name!r}")


def _leaf_holds(question: Question, bounds: Bounds, parts: Iterable[Any]) -> bool:
    """Tell whether the weights show that no key within the bounds is safe: gained at most < needed at least."""
    labels = range(len(question.factors))
    most, needed = 0, 0
    weights: list[list[tuple[int, int, int]]] = [
        [] for _ in labels
    ]  # (A, least, most right answers) by label
    prices, groups = [0] * len(labels), set()
    for part in parts:
        group, votes = int(part["group"]), [list(map(_whole, row)) for row in part["votes"]]
        questions, anywhere = (list(map(_whole, part[name])) for name in ("questions", "anywhere"))
        rows = question.groups[group]
        judges = range(len(rows[0][0]))
        shape = {len(questions), *map(len, votes)}, {len(anywhere), len(votes)}
        if shape != ({len(labels)}, {len(judges)}) or min(anywhere) < 0:
            raise ValueError(
                "a leaf has a weight for each judge and label, none negative for answers anywhere"
            )
        if group in groups or group < 0:
            raise ValueError("a leaf names a group once")
        groups.add(group)
        needed += question.total * sum(anywhere)
        for label in labels:
            prices[label] += questions[label]
            for judge in judges:
                low, high = bounds.get(f"right {group} {judge} {label}", (0, question.size))
                weights[label].append((votes[judge][label], low, high))
        for place, (pattern, count) in enumerate(rows):
            gains = [-price for price in questions]
            for judge, label in enumerate(pattern):
                gains[label] += votes[judge][label] + anywhere[judge]
            limits = [bounds.get(f"split {group} {place} {label}", (0, count)) for label in labels]
            gained = _most_gained(count, gains, limits)
            if gained is None:
                return True
            most += gained
    for label in labels:
        low, high = bounds[f"questions {label}"]
        needed += _least_needed(question.factors[label], weights[label], prices[label], low, high)
    return most < needed


def _most_gained(count: int, gains: list[int], limits: list[tuple[int, int]]) -> int | None:
    """Return the most that this many questions gain, with limits by label; `None` if these contradict the count."""
    left = count - sum(low for low, _ in limits)
    total = sum(gain * low for gain, (low, _) in zip(gains, limits, strict=True))
    if left < 0:
        return None
    for gain, (low, high) in sorted(zip(gains, limits, strict=True), reverse=True):
        taken = min(left, high - low)
        total += gain * taken
        left -= taken
    return None if left else total


def _least_needed(
    factor: tuple[int, int], weights: list[tuple[int, int, int]], price: int, low: int, high: int
) -> int:
    """Return the least over q of Σ A·max(least(q), lower) − price·q, a negative A with its upper bound."""
    s, t = factor
    fixed = sum(weight * upper for weight, _, upper in weights if weight < 0)
    rising = [(weight, lower) for weight, lower, _ in weights if weight > 0]
    # Up to this q a lower bound on right answers asks for more than least(q).
    ends = {min(high, (s * lower - 1) // t) for _, lower in rising if lower} | {0, high}
    found, start = [], low
    for end in sorted(ends):
        if end < start:
            continue
        weight = sum(w for w, lower in rising if not lower or (s * lower - 1) // t < end)
        q = end if end == 0 else lowest_point(factor, weight, price, start, end)
        least = t * q // s + 1 if q else 0
        found.append(sum(w * max(least, lower) for w, lower in rising) - price * q)
        start = end + 1
    return min(found) + fixed


def lowest_point(factor: tuple[int, int], weight: int, price: int, low: int, high: int) -> int:
    """Return the q between two bounds, low ≥ 1, with the least weight·⌊t·q/s⌋ − price·q; the weight is not negative.

    >>> lowest_point((2, 1), 2, 1, 1, 8), lowest_point((2, 1), 3, 1, 2, 8)
    (1, 3)
    """
    s, t = factor
    return low + _highest(high - low + 1, s, t, t * low, (price, -weight))


def _highest(n: int, m: int, c: int, d: int, gains: tuple[int, int]) -> int:
    """Return an x < n with the largest a·x + b·⌊(c·x + d)/m⌋, in the steps of Euclid's algorithm for m and c.

    If a > 0 > b only the last x at each height y counts, x = ⌊(m·(y+1) − d − 1)/c⌋, and if a < 0 < b only the first,
    x = ⌊(m·y − d + c − 1)/c⌋: a question of the same kind about y.
    """
    a, b = gains
    a, c, d = a + b * (c // m), c % m, d % m
    top = (c * (n - 1) + d) // m
    candidates = [0, n - 1]
    if top and a > 0 > b:
        y = _highest(top, c, m, m - d - 1, (b, a))
        candidates.append((m * (y + 1) - d - 1) // c)
    elif top and a < 0 < b:
        y = _highest(top, c, m, m - d + c - 1, (b, a))
        candidates.append((m * (y + 1) - d + c - 1) // c)
    return max(candidates, key=lambda x: a * x + b * ((c * x + d) // m))


if __name__ == "__main__":
    failed = False
    for path in sys.argv[1:]:
        given = json.loads(Path(path).read_text(encoding="utf-8"))
        found = problems(given)
        failed = failed or bool(found)
        print(f"{path}: {'; '.join(found) or given['verdict'] + ', proven'}")
    sys.exit(int(failed))
