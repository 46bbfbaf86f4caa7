"""A small checker of certificates about dependence.

It stands alone: `ntqr-exact dependence VOTES --checker checker.py` writes it as one file that needs nothing but Python,
and `python checker.py FILE...` prints the problems of each certificate of a file.

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
exists. In place of a tree a number of cells may stand, for two labels: products of ranges (`ProductRanges`) leave no
cell of the prevalence in which all conditions can be met.

A short certificate says: **every key has a pair with |Γ| ≥ `correlation`**, by the votes' own covariances. For two
labels products of ranges, or all whole numbers (`WholeSums`), leave no room; for more, see `rank_proves`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from ntqr_exact.dependence.moment_ranges import Counts, ProductRanges, WholeSums, rank_proves

FORMAT = "ntqr-exact dependence certificate 1"
MOMENTS = "ntqr-exact dependence moments 1"

Rate: TypeAlias = tuple[int, int, int]
"""A label, a judge and an answer, by their places: P(the judge answers so | the label)."""

Box: TypeAlias = dict[Rate, tuple[Any, Any]]
Terms: TypeAlias = dict[tuple[tuple[int, int], ...], Any]
"""Coefficients of products of "judge i answered r"; the empty product is 1 for every question."""

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
            return [] if _moments_prove(document) else ["so large a correlation is not proven"]
        problem = Problem.read(document)
        return problem.tree_problems(document["proof"], problem.root(), "proof")
    except (LookupError, TypeError, ValueError, AttributeError, ZeroDivisionError, RecursionError) as error:
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
        return sum(n * max(added(terms, pattern) for terms in totals) for pattern, n in self.counts)

    def products_refute(self, cells: int) -> bool:
        """Tell whether in every cell that products of ranges leave some condition fails."""
        if cells < 1 or 2 not in self.orders:
            return False
        left = ProductRanges(self.counts, self.delta, self.orders).cells(self.better, cells)
        return all(any(_most_in(condition, *cell) < 0 for condition in self.conditions) for cell in left)

    def tree_problems(self, tree: Any, box: Box, path: str) -> list[str]:
        """Return what is wrong in a part of the proof."""
        match tree:
            case {"rate": [label, i, r], "at": at, "below": below, "above": above, **rest} if not rest:
                boxes = self.halves(box, (_place(label), _place(i), _place(r)), Fraction(_text(at)))
                parts = zip((below, above), boxes, (f"{path}.below", f"{path}.above"), strict=True)
                return [problem for part in parts for problem in self.tree_problems(*part)]
            case {"products": int(cells), **rest} if not rest and path == "proof" and self.labels == 2:
                return [] if self.products_refute(cells) else [f"{path}: products of ranges leave room"]
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
        left, right = (
            [list(map(Fraction, map(_text, row))) for row in document[side]] for side in ("left", "right")
        )
        return len(who) == 4 and rank_proves(counts, len(labels), who, (left, right), delta)
    if kind not in ("tetrad", "Heywood", "signs", "whole numbers") or len(labels) != 2:
        return False
    sums = WholeSums([(tuple(p[i] for i in who), n) for p, n in counts], delta, orders)
    if kind == "whole numbers":
        return len(who) == len(judges) and next(sums.found(), None) is None
    return not list(sums.tables())


def _most_in(condition: Mapping[int, Terms], share: tuple[Any, Any], rates: Sequence[Any]) -> Any:
    """Return what a condition, a share of all questions, does not exceed in a cell."""
    sums: list[Any] = [0, 0]
    for label, terms in condition.items():
        for key, c in terms.items():
            ends = (
                [1] if not key else [rate if key[0][1] == 0 else 1 - rate for rate in rates[label][key[0][0]]]
            )
            sums[label] += max(c * end for end in ends)
    return max(p * sums[0] + (1 - p) * sums[1] for p in share)


def added(terms: Terms, pattern: Sequence[int]) -> Any:
    """Return what a question with these answers adds to a sum."""
    return sum([c for key, c in terms.items() if all(pattern[i] == r for i, r in key)])


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
