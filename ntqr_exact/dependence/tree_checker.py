"""A small checker of certificates about dependence; it shares no code with what makes them.

It can be copied out of the library: `python checker.py FILE...` prints the problems of each certificate of a file.

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

A leaf names some of these sums, and conditions, with positive weights. Let G_l(p) be what a question with answers p
adds to the weighted sum if its label is l: the sum is at most Σ n_p·max_l G_l(p). If this is negative, no such key
exists.

A short certificate says: **every key has a pair with |Γ| ≥ `correlation`**, by the votes' own covariances. For two
labels see `WholeSums`: products of ranges, or all whole numbers, leave no room. For R labels, covariances of two judges
with two others are a matrix of rank at most R − 1 plus a mean of the Γ: if U·C·Vᵀ = I_R, then δ ≥ 1/Σ_a S(u_a)·S(v_a),
S adding up over the judges min_c Σ_r |u(r) − c|.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import isqrt, prod
from pathlib import Path
from typing import Any, TypeAlias

FORMAT = "ntqr-exact dependence certificate 1"
MOMENTS = "ntqr-exact dependence moments 1"

Rate: TypeAlias = tuple[int, int, int]
"""A label, a judge and an answer, by their places: P(the judge answers so | the label)."""

Box: TypeAlias = dict[Rate, tuple[Any, Any]]
Terms: TypeAlias = dict[tuple[tuple[int, int], ...], Any]
"""Coefficients of products of "judge i answered r"; the empty product is 1 for every question."""

RowName: TypeAlias = tuple[Any, ...]
"""A kind, a label, who and what, and for pairs a corner, for trios a sign; or ("condition", which one)."""

Products: TypeAlias = dict[tuple[int, int], Any]
"""Upper bounds of quotients of two nodes: i stands for |w_i|, ~i for its inverse."""

Counts: TypeAlias = Sequence[tuple[tuple[int, ...], int]]

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
            return [] if _moments_prove(document) else ["so large a correlation is not proven"]
        problem = Problem.read(document)
        return problem.tree_problems(document["proof"], problem.root(), "proof")
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
        counts: Counts,
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
            for i, r in product(range(self.judges), self.answers)
        }

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Problem:
        """Return the problem of a certificate, every part checked."""
        (labels, judges, counts), orders = _read_votes(document["votes"]), document["orders"]
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
        rates = product(range(self.labels), range(self.judges), self.answers)
        box: Box = dict.fromkeys(rates, (0 * one, one))
        for i, r in product(self.better, self.answers):
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
                return {label: _expand(centres, 1 if ends[0] == ends[1] else -1, self.delta)}
            case ("trio", label, (i, j, k), (r, s, t), ("+" | "-") as sign) if 3 in self.orders and i < j < k:
                ranges = [box[label, judge, answer] for judge, answer in ((i, r), (j, s), (k, t))]
                h = [(high - low) / 2 for low, high in ranges]
                centres = [
                    (judge, answer, (low + high) / 2)
                    for (judge, answer), (low, high) in zip(((i, r), (j, s), (k, t)), ranges, strict=True)
                ]
                pair = self.delta if 2 in self.orders else type(self.delta)(1) / 4
                slack = self.delta + pair * sum(h) + h[0] * h[1] * h[2]
                return {label: _expand(centres, 1 if sign == "+" else -1, slack)}
        raise ValueError(f"there is no sum {name!r}")

    def most(self, box: Box, weights: Sequence[tuple[RowName, Any]]) -> Any:
        """Return what the weighted sum of the rows does not exceed."""
        totals: list[Terms] = [{} for _ in range(self.labels)]
        for name, weight in weights:
            for label, terms in self.row(name, box).items():
                total = totals[label]
                for key, coefficient in terms.items():
                    total[key] = total.get(key, 0) + weight * coefficient
        most: Any = 0
        for pattern, n in self.counts:
            most += n * max(
                sum(c for key, c in terms.items() if all(pattern[i] == r for i, r in key)) for terms in totals
            )
        return most

    def tree_problems(self, tree: Any, box: Box, path: str) -> list[str]:
        """Return what is wrong in a part of the proof."""
        match tree:
            case {"rate": [label, i, r], "at": at, "below": below, "above": above, **rest} if not rest:
                boxes = self.halves(box, (_place(label), _place(i), _place(r)), Fraction(_text(at)))
                parts = zip((below, above), boxes, (f"{path}.below", f"{path}.above"), strict=True)
                return [problem for part in parts for problem in self.tree_problems(*part)]
            case {"weights": list(weighted), **rest} if not rest:
                weights = [(_row_name(name), Fraction(_text(weight))) for name, weight in weighted]
                if any(weight <= 0 for _, weight in weights):
                    return [f"{path}: a weight is not positive"]
                if self.most(box, weights) < 0:
                    return []
                return [f"{path}: the sums do not contradict each other"]
        return [f"{path}: neither a split nor a leaf"]


def _read_votes(document: Any) -> tuple[list[str], list[str], Counts]:
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
    """Tell whether what is named fails for every δ below the correlation."""
    labels, judges, counts = _read_votes(document["votes"])
    delta, kind, orders = Fraction(_text(document["correlation"])), document["kind"], document["orders"]
    who = [judges.index(judge) for judge in document["judges"]]
    if len(set(who)) != len(who) or orders not in ([2], [3], [2, 3]):
        raise ValueError("the judges of an inequality are different, and orders are [2], [3] or [2, 3]")
    if kind == "nothing" or delta <= 0:
        return delta <= 0
    if 2 not in orders or len(who) < 2:
        return False
    if kind == "rank":
        return len(who) == 4 and _rank(counts, len(labels), who, document)
    if kind not in ("tetrad", "Heywood", "signs", "whole numbers") or len(labels) != 2:
        return False
    sums = WholeSums([(tuple(p[i] for i in who), n) for p, n in counts], delta, orders)
    if kind == "whole numbers":
        return len(who) == len(judges) and next(sums.found(), None) is None
    return not list(sums.products())


class WholeSums:
    """How many questions of the first label, and answers on them, a key has if all its pairs have |Γ| < δ.

    Of m questions of the first of two labels let R_i have the first answer of judge i, S_ij those of i and j, and let
    q, F and G be what all Q questions have, q = Q − m. With D_i = R_i·Q − F_i·m and C_ij = Q·G_ij − F_i·F_j

        Q²·Δ_ij = C_ij ,  Q²·w_i·w_j = D_i·D_j/(m·q) :  |C_ij − D_i·D_j/(m·q)| < δ·Q² ,  D_i² ≤ m·q·F_i·(Q − F_i).

    Products of two |w| lie in ranges, and so does what follows by multiplying ranges; then m and the R_i are tried one
    after the other: each pair needs a whole S_ij with |m·S − R_i·R_j| < δ·m², and the same on the other label.
    """

    def __init__(
        self, counts: Counts, delta: Any, orders: Sequence[int] = (2,), most_steps: int | None = None
    ) -> None:
        """Add up the votes."""
        self.counts, self.delta, self.orders = counts, delta, orders
        self.judges, self.size = range(len(counts[0][0])), sum(n for _, n in counts)
        self.firsts = [sum(n for p, n in counts if p[i] == 0) for i in self.judges]
        self.both = {
            (i, j): sum(n for p, n in counts if p[i] == p[j] == 0) for i, j in product(self.judges, repeat=2)
        }
        self.moments = {
            (i, j): self.size * both - self.firsts[i] * self.firsts[j] for (i, j), both in self.both.items()
        }
        self.steps, self.most_steps = 0, most_steps
        self.marginals: dict[Any, dict[Any, int]] = {}

    def products(self) -> Iterator[tuple[tuple[int, ...], Products]]:
        """Iterate over the possible signs of the w, the first positive, and the ranges of Q²·|w_i·w_j| with them."""
        room = self.delta * self.size**2
        for rest in product((1, -1), repeat=len(self.judges) - 1):
            signs = (1, *rest)
            pairs = combinations(self.judges, 2)
            around = {(i, j): signs[i] * signs[j] * self.moments[i, j] for i, j in pairs}
            if any(value + room <= 0 for value in around.values()):
                continue
            table: Products = {(i, ~i): self.moments[i, i] for i in self.judges}
            for (i, j), value in around.items():
                table[i, ~j] = table[j, ~i] = value + room
                if value > room:
                    table[~i, j] = table[~j, i] = 1 / (value - room)
            if multiplied(table, [*self.judges, *(~i for i in self.judges)]) > 1:
                yield signs, table

    def found(self) -> Iterator[tuple[int, list[int]]]:
        """Iterate over the m and R that pass, 0 for a key of one label; `delta` may be lowered on the way."""
        room = self.delta * self.size**2
        if all(abs(self.moments[pair]) < room for pair in combinations(self.judges, 2)) and (
            3 not in self.orders
            or all(
                self._third_is_small(self.size, self._votes(trio), [self.firsts[i] for i in trio])
                for trio in combinations(self.judges, 3)
            )
        ):
            yield 0, []
        for signs, table in self.products():
            order = [max(self.judges, key=lambda i: sum(abs(self.moments[i, j]) for j in self.judges))]
            signed = [sign * signs[order[0]] for sign in signs]  # the mirror image of a key is as dependent
            while len(order) < len(self.judges):  # next whoever is bound most narrowly
                rest = [(j, k) for j, k in product(order, self.judges) if k not in order]
                widths = [table.get((~j, k), self.size**2) * table[j, ~k] for j, k in rest]
                order.append(rest[widths.index(min(widths))][1])
            for m in range(1, self.size):
                yield from self._answers(m, order, signed, table)

    def _answers(
        self, m: int, order: Sequence[int], signs: Sequence[int], table: Products
    ) -> Iterator[tuple[int, list[int]]]:
        """Iterate over the R that pass for one m, judge by judge."""
        q, answers = self.size - m, [0] * len(order)
        ranges = {}
        for i, j in product(self.judges, repeat=2):
            least, most = table.get((~i, j)), table[i, ~j]
            low = 0 if least is None else m * q * least.denominator // least.numerator
            ranges[i, j] = (low, -(-m * q * most.numerator // most.denominator))

        def tried(depth: int) -> Iterator[tuple[int, list[int]]]:
            self.count_step()
            if depth == len(order):
                if all(self.trio_shares(m, answers, trio) for trio in combinations(self.judges, 3)):
                    yield m, list(answers)
                return
            k = order[depth]
            total = self.firsts[k]
            low, high = max(0, total - q), min(m, total)
            limits = [(isqrt(ranges[k, k][0]), isqrt(ranges[k, k][1]))]
            for j in order[:depth]:
                size = abs(answers[j] * self.size - self.firsts[j] * m)
                least, most = ranges[j, k]
                if size:
                    limits.append((-(-least // size), most // size))
                elif least > 0:
                    return
            for least, most in limits:
                below, above = (least, most) if signs[k] > 0 else (-most, -least)
                low = max(low, -(-(below + total * m) // self.size))
                high = min(high, (above + total * m) // self.size)
            for number in range(low, high + 1):
                answers[k] = number
                if all(self._pairs(m, answers, j, k) for j in order[:depth]):
                    yield from tried(depth + 1)

        yield from tried(0)

    def _pairs(self, m: int, answers: Sequence[int], i: int, j: int) -> range:
        """Return the S_ij that are not too far from R_i·R_j/m, on either label."""
        low, high, both = 0, self.both[i, j], self.both[i, j]
        rest = (self.size - m, self.firsts[i] - answers[i], self.firsts[j] - answers[j])
        for size, a, b in ((m, answers[i], answers[j]), rest):
            # The largest whole number below δ·size².
            slack = (self.delta.numerator * size * size - 1) // self.delta.denominator
            least, most = max(-((slack - a * b) // size), a + b - size, 0), min((a * b + slack) // size, a, b)
            low, high = max(both - high, least), min(both - low, most)  # seen from the other label, twice
        return range(int(both - high), int(both - low) + 1)

    def trio_shares(self, m: int, answers: Sequence[int], trio: Sequence[int]) -> dict[Any, int] | None:
        """Return how many questions of each pattern of three judges have the first label, or nothing if none fit."""
        i, j, k = trio
        votes = self._votes(trio)
        a, b, c = firsts = [answers[judge] for judge in trio]
        rest = [self.firsts[judge] - answers[judge] for judge in trio]
        pairs = (self._pairs(m, answers, *pair) for pair in ((i, j), (i, k), (j, k)))
        for ab, ac, bc in product(*pairs):
            # A pattern has offset + sign·T questions, T being those where all three give the first answer.
            offsets = (0, ab, ac, a - ab - ac, bc, b - ab - bc, c - ac - bc, m - a - b - c + ab + ac + bc)
            signs = (1, -1, -1, 1, -1, 1, 1, -1)
            low, high = 0, votes[0, 0, 0]
            for offset, sign, n in zip(offsets, signs, votes.values(), strict=True):
                ends = (-offset, n - offset) if sign > 0 else (offset - n, offset)
                low, high = max(low, ends[0]), min(high, ends[1])
            self.count_step()
            for three in range(low, high + 1):
                shares = {p: o + s * three for p, o, s in zip(votes, offsets, signs, strict=True)}
                others = {p: n - shares[p] for p, n in votes.items()}
                if 3 not in self.orders or (
                    self._third_is_small(m, shares, firsts)
                    and self._third_is_small(self.size - m, others, rest)
                ):
                    return shares
        return None

    def _votes(self, judges: Sequence[int]) -> dict[Any, int]:
        who = tuple(judges)
        if who not in self.marginals:
            votes: dict[Any, int] = dict.fromkeys(product((0, 1), repeat=len(who)), 0)
            for p, n in self.counts:
                votes[tuple(p[i] for i in who)] += n
            self.marginals[who] = votes
        return self.marginals[who]

    def _third_is_small(self, size: int, shares: Mapping[Any, int], firsts: Sequence[int]) -> bool:
        """Tell whether the third central moment on the questions of a label is below δ."""
        total = sum(
            n * prod((size if answer == 0 else 0) - first for answer, first in zip(p, firsts, strict=True))
            for p, n in shares.items()
        )
        return bool(abs(total) * self.delta.denominator < self.delta.numerator * size**4)

    def count_step(self) -> None:
        """Raise `TimeoutError` after as many steps as are allowed."""
        self.steps += 1
        if self.steps == self.most_steps:
            raise TimeoutError("too many numbers to try")


def multiplied(table: Products, nodes: Sequence[int]) -> Any:
    """Complete bounds table[x, y] of x/y by their products (Floyd, Warshall); return the least bound of some x/x.

    The node i is |w_i| and ~i its inverse. A bound of x/x below 1 is a contradiction.
    """
    for middle, x in product(nodes, repeat=2):
        first = table.get((x, middle))
        if first is not None:
            for y in nodes:
                second = table.get((middle, y))
                if second is not None and ((x, y) not in table or first * second < table[x, y]):
                    table[x, y] = first * second
    return min((table[x, x] for x in nodes if (x, x) in table), default=2)


def _rank(counts: Counts, labels: int, who: Sequence[int], document: Any) -> bool:
    """Two judges against two others: U·C·Vᵀ = I_R."""
    size = sum(n for _, n in counts)

    def share(*cells: tuple[int, int]) -> Fraction:
        return Fraction(sum(n for p, n in counts if all(p[who[i]] == r for i, r in cells)), size)

    left, right = (
        [[Fraction(_text(x)) for x in row] for row in document[side]] for side in ("left", "right")
    )
    if not len(left) == len(right) == labels:
        return False
    rows, columns = ([(place, r) for place in pair for r in range(labels)] for pair in ((0, 1), (2, 3)))
    block = [[share(row, column) - share(row) * share(column) for column in columns] for row in rows]
    for a, u in enumerate(left):
        across = [sum(x * line[k] for x, line in zip(u, block, strict=True)) for k in range(2 * labels)]
        for b, v in enumerate(right):
            if sum(x * y for x, y in zip(across, v, strict=True)) != (a == b):
                return False
    spreads = (_spread(u, labels) * _spread(v, labels) for u, v in zip(left, right, strict=True))
    return Fraction(_text(document["correlation"])) * sum(spreads, Fraction(0)) <= 1


def _spread(row: Sequence[Fraction], labels: int) -> Fraction:
    """Return Σ over the judges of min_c Σ_r |u(r) − c|; the median makes it least."""
    parts = (sorted(row[start : start + labels]) for start in range(0, len(row), labels))
    return sum((abs(x - part[labels // 2]) for part in parts for x in part), Fraction(0))


def _row_name(name: Any) -> RowName:
    """Return the name of a sum with its lists as tuples."""
    return tuple(tuple(part) if isinstance(part, list) else part for part in name)


def _expand(centres: Sequence[tuple[int, int, Any]], sign: int, constant: Any) -> Terms:
    """Return sign·Π (p_i − centre) + constant as coefficients of products of the p_i."""
    terms: Terms = {(): sign}
    for i, r, centre in centres:
        grown: Terms = {}
        for key, coefficient in terms.items():
            grown[(*key, (i, r))] = coefficient
            grown[key] = -coefficient * centre
        terms = grown
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
