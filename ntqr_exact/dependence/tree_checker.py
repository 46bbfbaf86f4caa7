"""A small checker of certificates about dependence; it shares no code with what makes them.

It uses Python's own fractions and can be copied out of the library: `python checker.py FILE...` prints the problems of
each certificate of a file.

A certificate says: **no key of these votes has all correlations of the named orders at most `correlation` and meets the
conditions.** A key gives x_{p,l} of the n_p questions with answers p the true label l. A condition is a sum of weights,
one for each question of a label or each answer of a judge on a label, that must not be negative. With
`better_than_chance`, judges are named who give every label at least as often on its own questions as on all; with two
labels, if this is the only restriction and names one judge, it is none: exchanging the labels of a key changes no
correlation, and either the key or its mirror image meets it.

The proof is a tree. Each node holds a box: a range [low, high] of every rate, P(judge i answers r | label l). A split
cuts one range in two. Where m_l is the number of questions of l, the sums below, over its questions, are not negative
for any key in the box with all |Γ| ≤ δ. Writing p_i for 1 if judge i answered r, else 0, and ε for rate − centre:

    low:   Σ (p_i − low) = m·(rate − low) ≥ 0;       high:  Σ (high − p_i) ≥ 0
    pair:  Σ (p_i − u)(p_j − v) = m·(Γ_ij + ε_i ε_j): at the corners low low and high high the product of the ε is
           not negative, and Σ (p_i − u)(p_j − v) + δ·m ≥ 0; at low high and high low, δ·m − Σ (p_i − u)(p_j − v) ≥ 0
    trio:  Σ (p_i − c)(p_j − c')(p_k − c'') = m·(Γ_ijk + Σ ε_i·Γ_jk + ε_i·ε_j·ε_k), about the middles of the ranges,
           with half widths h: its size is at most m·(δ + g·(h + h' + h'') + h·h'·h''), g = δ if pairs count, else 1/4

A split may also cut the number of questions of a pattern that have a label: at most k, or at least k + 1.

A leaf names some of these sums, and conditions, with positive weights. Let G_l(p) be what a question with answers p
adds to the weighted sum if its label is l: the sum is at most what each pattern adds if its n_p questions go to the
labels with the largest G_l(p), as far as the cuts allow. If this is negative, no such key exists.

A short certificate says: **every key has a pair with |Γ| ≥ `correlation`**, by one inequality between the votes' own
covariances. For two labels Δ_ij = w_i·w_j + a mean of Γ^a_ij and Γ^b_ij, with w_i² ≤ f_i·(1 − f_i), so that
|Δ_ij − w_i·w_j| ≤ δ. For any number of labels R, covariances of two judges with two others are a matrix of rank at
most R − 1 plus a mean of the Γ: if U·C·Vᵀ = I_R, then δ ≥ 1/Σ_a S(u_a)·S(v_a), S adding up over the judges
min_c Σ_r |u(r) − c|.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any, TypeAlias

FORMAT = "ntqr-exact dependence certificate 1"
MOMENTS = "ntqr-exact dependence moments 1"

Rate: TypeAlias = tuple[int, int, int]
"""A label, a judge and an answer, by their places: P(the judge answers so | the label)."""

Box: TypeAlias = dict[Rate, tuple[Any, Any]]
Terms: TypeAlias = dict[tuple[tuple[int, int], ...], Any]
"""Coefficients of products of "judge i answered r"; the empty product is 1 for every question."""

Cuts: TypeAlias = dict[tuple[int, int], tuple[int, int]]
"""For a pattern and a label, by their places: the least and the greatest number of questions."""

RowName: TypeAlias = tuple[Any, ...]
"""A kind, a label, who and what, and for pairs a corner, for trios a sign; or ("condition", which one)."""

CORNERS = {"low low": (0, 0), "high high": (1, 1), "low high": (0, 1), "high low": (1, 0)}


def check_dependence_certificate(document: Any) -> bool:
    """Tell whether a certificate proves what it says; a malformed or changed one does not."""
    return not problems(document)


def problems(document: Any) -> list[str]:
    """Return what is wrong with a certificate: nothing, if it proves what it says."""
    try:
        if document["format"] not in (FORMAT, MOMENTS):
            return [f"unknown format {document['format']!r}"]
        if document["checksum"] != checksum(document):
            return ["the checksum is not that of the document: something was changed"]
        if document["format"] == MOMENTS:
            return (
                [] if _moments_prove(document) else ["the inequality does not prove so large a correlation"]
            )
        problem = Problem.read(document)
        return problem.tree_problems(document["proof"], problem.root(), {}, "proof")
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError, RecursionError) as error:
        return [f"malformed: {type(error).__name__}: {error}"]


def checksum(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of everything else in the document."""
    rest = {name: part for name, part in document.items() if name != "checksum"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Problem:
    """Votes, a bound on correlations, and conditions; numbers are fractions, or any exact numbers given."""

    def __init__(  # noqa: PLR0917
        self,
        counts: Sequence[tuple[tuple[int, ...], int]],
        labels: int,
        delta: Any,
        orders: Sequence[int],
        conditions: Sequence[Mapping[int, Terms]] = (),
        better: Sequence[int] = (),
    ) -> None:
        """Keep the parts; patterns, labels, judges and answers are places."""
        self.counts, self.labels, self.delta = tuple(counts), labels, delta
        self.orders, self.conditions, self.better = tuple(orders), tuple(conditions), tuple(better)
        self.judges = len(self.counts[0][0])
        self.size = sum(n for _, n in self.counts)
        # With two labels the rate of the second answer is 1 − that of the first, and |Γ| is the same.
        self.answers = range(labels) if labels > 2 else range(1)
        number = type(delta)
        self.overall = {
            (i, r): number(sum(n for p, n in self.counts if p[i] == r)) / self.size
            for i in range(self.judges)
            for r in self.answers
        }

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Problem:
        """Return the problem of a certificate, every part checked."""
        labels, judges, counts = _read_votes(document["votes"])
        orders = document["orders"]
        if orders not in ([2], [3], [2, 3]):
            raise ValueError("orders are [2], [3] or [2, 3]")
        conditions = []
        for condition in document["conditions"]:
            weights: dict[int, Terms] = {place: {} for place in range(len(labels))}
            for label, judge, answer, weight in condition["weights"]:
                key = () if judge is None else ((judges.index(judge), labels.index(answer)),)
                terms = weights[labels.index(label)]
                terms[key] = terms.get(key, 0) + Fraction(_text(weight))
            conditions.append(weights)
        better = [judges.index(judge) for judge in document["better_than_chance"]]
        delta = Fraction(_text(document["correlation"]))
        if delta < 0:
            raise ValueError("a correlation has no negative size")
        return cls(counts, len(labels), delta, orders, conditions, better)

    def root(self) -> Box:
        """Return the box of all rates, cut by who is better than chance."""
        one = type(self.delta)(1)
        box: Box = {
            (label, i, r): (0 * one, one)
            for label in range(self.labels)
            for i in range(self.judges)
            for r in self.answers
        }
        for i in self.better:
            for r in self.answers:
                box[r, i, r] = (self.overall[i, r], one)
        return self.tightened(box)

    def tightened(self, box: Box) -> Box:
        """Use that the overall rate is a mean of the rates on the labels: not all of them lie on one side of it."""
        found = dict(box)
        for (i, r), mean in self.overall.items():
            for label in range(self.labels):
                others = [box[other, i, r] for other in range(self.labels) if other != label]
                low, high = found[label, i, r]
                if all(range_[0] >= mean for range_ in others):
                    high = min(high, mean)
                if all(range_[1] <= mean for range_ in others):
                    low = max(low, mean)
                found[label, i, r] = (low, high)
        return found

    def halves(self, box: Box, rate: Rate, at: Any) -> tuple[Box, Box]:
        """Return the parts of a box below and above a number."""
        low, high = box[rate]
        if not low <= at <= high:
            raise ValueError(f"a split at {at} outside {low} to {high}")
        return self.tightened({**box, rate: (low, at)}), self.tightened({**box, rate: (at, high)})

    def row_names(self) -> list[RowName]:
        """Return the names of all sums that are not negative."""
        names: list[RowName] = []
        for label in range(self.labels):
            for i, r in product(range(self.judges), self.answers):
                names += [("low", label, i, r), ("high", label, i, r)]
            for order in self.orders:
                kinds = list(CORNERS) if order == 2 else ["+", "-"]
                for who in combinations(range(self.judges), order):
                    for what in product(self.answers, repeat=order):
                        names += [
                            ("pair" if order == 2 else "trio", label, who, what, kind) for kind in kinds
                        ]
        return names + [("condition", k) for k in range(len(self.conditions))]

    def row(self, name: RowName, box: Box) -> Mapping[int, Terms]:
        """Return what each question of a label adds to a sum that is not negative."""
        match name:
            case ("condition", k) if k in range(len(self.conditions)):
                return self.conditions[k]
            case ("low", label, i, r):
                return {label: {((i, r),): 1, (): -box[label, i, r][0]}}
            case ("high", label, i, r):
                return {label: {((i, r),): -1, (): box[label, i, r][1]}}
            case ("pair", label, (i, j), (r, s), corner) if 2 in self.orders and i < j:
                ends = CORNERS[corner]
                centres = [(i, r, box[label, i, r][ends[0]]), (j, s, box[label, j, s][ends[1]])]
                return {label: _plus(_expand(centres, 1 if ends[0] == ends[1] else -1), self.delta)}
            case ("trio", label, (i, j, k), (r, s, t), ("+" | "-") as sign) if 3 in self.orders and i < j < k:
                ranges = [box[label, judge, answer] for judge, answer in ((i, r), (j, s), (k, t))]
                h = [(high - low) / 2 for low, high in ranges]
                centres = [
                    (judge, answer, (low + high) / 2)
                    for (judge, answer), (low, high) in zip(((i, r), (j, s), (k, t)), ranges, strict=True)
                ]
                pair = self.delta if 2 in self.orders else type(self.delta)(1) / 4
                slack = self.delta + pair * sum(h) + h[0] * h[1] * h[2]
                return {label: _plus(_expand(centres, 1 if sign == "+" else -1), slack)}
        raise ValueError(f"there is no sum {name!r}")

    def most(self, box: Box, cuts: Cuts, weights: Sequence[tuple[RowName, Any]]) -> Any:
        """Return what the weighted sum of the rows does not exceed."""
        totals: list[Terms] = [{} for _ in range(self.labels)]
        for name, weight in weights:
            for label, terms in self.row(name, box).items():
                total = totals[label]
                for key, coefficient in terms.items():
                    total[key] = total.get(key, 0) + weight * coefficient
        most: Any = 0
        for place, (pattern, n) in enumerate(self.counts):
            gains = [
                sum(c for key, c in terms.items() if all(pattern[i] == r for i, r in key)) for terms in totals
            ]
            ranges = [cuts.get((place, label), (0, n)) for label in range(self.labels)]
            left = n - sum(low for low, _ in ranges)
            most += sum(low * gain for (low, _), gain in zip(ranges, gains, strict=True))
            for label in sorted(range(self.labels), key=lambda label: -gains[label]):
                taken = min(left, ranges[label][1] - ranges[label][0])
                most, left = most + taken * gains[label], left - taken
        return most

    def is_empty(self, cuts: Cuts) -> bool:
        """Tell whether the cuts leave some pattern without a way to share out its questions."""
        for place, (_, n) in enumerate(self.counts):
            ranges = [cuts.get((place, label), (0, n)) for label in range(self.labels)]
            if any(low > high for low, high in ranges) or not (
                sum(low for low, _ in ranges) <= n <= sum(high for _, high in ranges)
            ):
                return True
        return False

    def cut(self, cuts: Cuts, place: int, label: int, at: int) -> tuple[Cuts, Cuts]:
        """Return the cuts with at most `at` questions of a pattern on a label, and with more."""
        low, high = cuts.get((place, label), (0, self.counts[place][1]))
        if not (0 <= label < self.labels and low <= at < high):
            raise ValueError(f"a cut at {at} outside {low} to {high}")
        return {**cuts, (place, label): (low, at)}, {**cuts, (place, label): (at + 1, high)}

    def tree_problems(self, tree: Any, box: Box, cuts: Cuts, path: str) -> list[str]:
        """Return what is wrong in a part of the proof."""
        match tree:
            case {"rate": [label, judge, answer], "at": at, "below": below, "above": above, **rest} if (
                not rest
            ):
                boxes = self.halves(box, (_place(label), _place(judge), _place(answer)), Fraction(_text(at)))
                parts = [(boxes[0], cuts), (boxes[1], cuts)]
            case {"share": [pattern, label], "at": at, "below": below, "above": above, **rest} if not rest:
                both = self.cut(cuts, _place(pattern), _place(label), _place(at))
                parts = [(box, both[0]), (box, both[1])]
            case {"weights": list(weighted), **rest} if not rest:
                weights = [(row_name(name), Fraction(_text(weight))) for name, weight in weighted]
                if any(weight <= 0 for _, weight in weights):
                    return [f"{path}: a weight is not positive"]
                if self.is_empty(cuts) or self.most(box, cuts, weights) < 0:
                    return []
                return [f"{path}: the sums do not contradict each other"]
            case _:
                return [f"{path}: neither a split nor a leaf"]
        return [
            *self.tree_problems(below, *parts[0], f"{path}.below"),
            *self.tree_problems(above, *parts[1], f"{path}.above"),
        ]


def _read_votes(document: Any) -> tuple[list[str], list[str], list[tuple[tuple[int, ...], int]]]:
    """Return labels, judges, and patterns by the places of their answers, with counts."""
    labels, judges = document["labels"], document["judges"]
    if any(len(set(names)) != len(names) or len(names) < 2 for names in (labels, judges)):
        raise ValueError("there are two or more labels and judges, all different")
    counts = []
    for answers, n in document["counts"]:
        if type(n) is not int or n < 1 or len(answers) != len(judges):
            raise ValueError("a pattern has an answer of every judge and a positive count")
        counts.append((tuple(labels.index(answer) for answer in answers), n))
    if not counts or len({p for p, _ in counts}) != len(counts):
        raise ValueError("there are patterns, none of them twice")
    return labels, judges, counts


def _moments_prove(document: Any) -> bool:
    """Tell whether the inequality that is named fails for every δ below the correlation."""
    labels, judges, counts = _read_votes(document["votes"])
    delta, kind = Fraction(_text(document["correlation"])), document["kind"]
    who = [judges.index(judge) for judge in document["judges"]]
    if len(set(who)) != len(who) or document["orders"] not in ([2], [3], [2, 3]):
        raise ValueError("the judges of an inequality are different, and orders are [2], [3] or [2, 3]")
    if kind == "nothing" or delta <= 0:
        return delta <= 0
    fits = len(who) == {"tetrad": 4, "Heywood": 3, "rank": 4}.get(kind, max(3, len(who)))
    if 2 not in document["orders"] or not fits or (kind != "rank" and len(labels) != 2):
        return False
    return {"tetrad": _tetrad, "Heywood": _heywood, "signs": _signs, "rank": _rank}[kind](
        _Moments(counts, len(labels), who), delta, document
    )


class _Moments:
    """Covariances of the answers of some judges, in the order in which an inequality names them."""

    def __init__(
        self, counts: Sequence[tuple[tuple[int, ...], int]], labels: int, who: Sequence[int]
    ) -> None:
        self.counts, self.labels, self.who = counts, labels, who
        self.size = sum(n for _, n in counts)

    def rate(self, i: int, r: int = 0) -> Fraction:
        return Fraction(sum(n for p, n in self.counts if p[self.who[i]] == r), self.size)

    def covariance(self, i: int, j: int, r: int = 0, s: int = 0) -> Fraction:
        both = sum(n for p, n in self.counts if p[self.who[i]] == r and p[self.who[j]] == s)
        return Fraction(both, self.size) - self.rate(i, r) * self.rate(j, s)


def _tetrad(moments: _Moments, delta: Fraction, _: Any) -> bool:
    """Judges i, k, j, l: (w_i·w_k)(w_j·w_l) = (w_i·w_j)(w_k·w_l)."""
    a, b, c, d = (abs(moments.covariance(*pair)) for pair in ((0, 1), (2, 3), (0, 2), (1, 3)))
    return delta <= min(a, b) and (a - delta) * (b - delta) >= (c + delta) * (d + delta)


def _heywood(moments: _Moments, delta: Fraction, _: Any) -> bool:
    """Judges i, j, k: (w_i·w_k)(w_j·w_k) = w_i·w_j·w_k²."""
    a, b, c = (moments.covariance(*pair) for pair in ((0, 2), (1, 2), (0, 1)))
    signed = c if (a >= 0) == (b >= 0) else -c
    room = moments.rate(2) * (1 - moments.rate(2))
    return delta <= min(abs(a), abs(b)) and (abs(a) - delta) * (abs(b) - delta) >= (signed + delta) * room


def _signs(moments: _Moments, delta: Fraction, _: Any) -> bool:
    """Around a cycle of judges the product of the w_i·w_j is a square."""
    judges = len(moments.who)
    around = [moments.covariance(place, (place + 1) % judges) for place in range(judges)]
    return sum(1 for value in around if value < 0) % 2 == 1 and delta <= min(map(abs, around))


def _rank(moments: _Moments, delta: Fraction, document: Any) -> bool:
    """Two judges against two others: U·C·Vᵀ = I_R."""
    labels = range(moments.labels)
    cells = [(place, r) for place in (0, 1) for r in labels]
    left, right = (
        [[Fraction(_text(x)) for x in row] for row in document[side]] for side in ("left", "right")
    )
    if not len(left) == len(right) == moments.labels:
        return False
    block = [[moments.covariance(i, 2 + j, r, s) for j, s in cells] for i, r in cells]
    for a, u in enumerate(left):
        across = [sum(x * line[k] for x, line in zip(u, block, strict=True)) for k in range(len(cells))]
        for b, v in enumerate(right):
            if sum(x * y for x, y in zip(across, v, strict=True)) != (a == b):
                return False
    spreads = (
        _spread(u, moments.labels) * _spread(v, moments.labels) for u, v in zip(left, right, strict=True)
    )
    return delta * sum(spreads, Fraction(0)) <= 1


def _spread(row: Sequence[Fraction], labels: int) -> Fraction:
    """Return Σ over the judges of min_c Σ_r |u(r) − c|; the median makes it least."""
    total = Fraction(0)
    for start in range(0, len(row), labels):
        part = sorted(row[start : start + labels])
        total += sum((abs(x - part[labels // 2]) for x in part), Fraction(0))
    return total


def row_name(name: Any) -> RowName:
    """Return the name of a sum with its lists as tuples."""
    return tuple(tuple(part) if isinstance(part, list) else part for part in name)


def _expand(centres: Sequence[tuple[int, int, Any]], sign: int) -> Terms:
    """Return sign·Π (p_i − centre) as coefficients of products of the p_i."""
    terms: Terms = {(): sign}
    for i, r, centre in centres:
        grown: Terms = {}
        for key, coefficient in terms.items():
            grown[(*key, (i, r))] = coefficient
            grown[key] = -coefficient * centre
        terms = grown
    return terms


def _plus(terms: Terms, constant: Any) -> Terms:
    return {**terms, (): terms[()] + constant}


def _place(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a place")
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise ValueError(f"{value!r}: numbers are texts, so that nothing rounds them")
    return value


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        read = json.loads(Path(argument).read_text(encoding="utf-8"))
        for number, one in enumerate(read if isinstance(read, list) else [read], start=1):
            print(f"{argument}, certificate {number}: {'; '.join(problems(one)) or 'proven'}")
