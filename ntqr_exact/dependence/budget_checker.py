"""A stand-alone checker of certificates about dependent errors: `python checker.py FILE...`.

It needs nothing but Python and shares no code with the search. A *key* gives each question one of two labels, and Γ is
the covariance of two judges' answers (or the third central moment of three) over the questions of one label. A `strict`
certificate states that every key has two judges with |Γ| of at least the budget δ. Any other is about the keys in which
no |Γ| exceeds δ and the judges `assumed` give the first label at least as often on its own questions as on the others:
their shares and accuracies lie in `ranges`; or a `claim` holds under all of them; or there are none. This is computed
again. With m of Q questions of the first label, P = m/Q, ρ = √((1−P)/P), F_i first answers of i, C_ij and T_ijk Q² and
Q³ times the central moments of first answers, α_i and β_i the rates of the first answer on the labels, and
w_i = Q·(α_i − β_i)·√(P(1−P)), for every choice of signs and each cell of m, these bound products of two of the numbers
|w_i|, ρ and their inverses, and so do their products:

    |C_ij − w_i·w_j| ≤ Q²·δ ,  w_i² ≤ F_i·(Q − F_i) ,  0 ≤ F_i + w_i·ρ ≤ Q ,  0 ≤ F_i − w_i/ρ ≤ Q ,
    |T_ijk − (ρ − 1/ρ)·w_i·w_j·w_k| ≤ Q³·δ·(1 + 2·P(1−P)·Σ|α − β|) .
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from fractions import Fraction
from itertools import combinations
from math import isqrt, prod
from pathlib import Path
from typing import Any

FORMAT = "ntqr-exact dependence certificate 2"
_FIELDS = {"format", "votes", "orders", "budget", "strict", "assumed", "cells", "statement", "checksum"}
_MAX_JUDGES, _MAX_CELLS, _MAX_SIGNS = 60, 1000, 4096


def check_dependence_certificate(document: Any) -> list[str]:
    """Return the problems of a certificate: an empty list if it proves what it states."""
    try:
        _require(document["format"] == FORMAT, f"unknown format {document['format']!r}")
        fields = (_FIELDS, _FIELDS | {"ranges"}, _FIELDS | {"claim"})
        _require(set(document) in fields, "a field is missing, or there is one too many")
        _require(document["checksum"] == checksum(document), "the checksum does not match")
        _require(document["statement"] == statement(document), "the statement is not what the numbers say")
        return _Proof(document).problems()
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        return [f"malformed: {type(error).__name__}: {error}"]


def checksum(document: Any) -> str:
    """Return the SHA-256 of everything else in the document."""
    rest = {name: part for name, part in document.items() if name != "checksum"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def statement(document: Any) -> str:
    """Return what a certificate states, in words, from its numbers."""
    budget, assumed = document["budget"], ", ".join(document["assumed"])
    if document["strict"]:
        return f"Under every answer key two judges have an error covariance of at least {budget} in size."
    who = "two judges" if document["orders"] == [2] else "two or three judges"
    keys = f"answer key under which no error covariance of {who} exceeds {budget}"
    keys += f" (assumed to be no worse than chance: {assumed})" if assumed else ""
    if "claim" in document:
        left, right = (_words(document["claim"][side]) for side in ("greater", "lesser"))
        return f"{left} exceeds {right} for every {keys}."
    if "ranges" in document:
        parts = [f"{_words(name)} from {low} to {high}" for name, low, high in document["ranges"]]
        return f"For every {keys}: {'; '.join(parts)}."
    return f"There is no {keys}."


def _words(side: Any) -> str:
    if isinstance(side, str):
        return side
    label, judge = side["label"], side["judge"]
    if judge is None:
        return f"the share of {label}"
    return f"the accuracy of {judge}" + ("" if label is None else f" on {label}")


class _Proof:
    """The parts of a certificate, every one of them checked, and the computation."""

    def __init__(self, document: Any) -> None:
        votes, self.strict, self.orders = document["votes"], document["strict"], document["orders"]
        self.labels, self.judges, self.cells = votes["labels"], votes["judges"], document["cells"]
        for names in (self.labels, self.judges, document["assumed"]):
            _require(isinstance(names, list) and len(set(names)) == len(names), "names must be different")
            _require(all(isinstance(name, str) for name in names), "names must be texts")
        _require(len(self.labels) == 2 and 2 <= len(self.judges) <= _MAX_JUDGES, "wrong labels or judges")
        self.counts: dict[tuple[int, ...], int] = {}
        for answers, count in votes["counts"]:
            pattern = tuple(map(self.labels.index, answers))
            _require(len(pattern) == len(self.judges) and pattern not in self.counts, "wrong pattern")
            _require(type(count) is int and count > 0, "counts must be whole numbers > 0")
            self.counts[pattern] = count
        _require(self.counts and self.orders in ([2], [2, 3]), "orders must be [2] or [2, 3]")
        _require(type(self.cells) is int and 1 <= self.cells <= _MAX_CELLS, "cells must be from 1 to 1000")
        self.assumed = [self.judges.index(name) for name in document["assumed"]]
        self.claim, self.ranges = document.get("claim"), document.get("ranges")
        for name, low, high in self.ranges or ():
            _require(set(name) == {"label", "judge"} and _number(low) <= _number(high), "wrong range")
        is_plain = self.orders == [2] and not self.assumed and set(document) == _FIELDS
        _require(self.strict is False or (self.strict is True and is_plain), "strict is about all keys")
        self.delta, self.total = _number(document["budget"]), sum(self.counts.values())
        who = range(len(self.judges))
        self.first = [sum(count for pattern, count in self.counts.items() if not pattern[i]) for i in who]
        groups = [group for order in self.orders for group in combinations(who, order)]
        self.moments = {group: self._moment(group) for group in groups}

    def _moment(self, group: tuple[int, ...]) -> int:
        """Return the central moment of the first answers, times Q to the number of judges."""
        rows = self.counts.items()
        sums = (n * prod((not p[i]) * self.total - self.first[i] for i in group) for p, n in rows)
        return sum(sums) // self.total

    def problems(self) -> list[str]:
        """Do the computation, and return the first thing that it does not exclude."""
        if all(map(self._allows, self.moments)):  # keys with one label only
            rates = [Fraction(first, self.total) for first in self.first]
            first, second = [(rate, rate) for rate in rates], [(1 - rate, 1 - rate) for rate in rates]
            one, zero = Fraction(1), Fraction(0)
            sides = ((one, one), (first, None)), ((zero, zero), (None, second))
            if not all(self._is_stated(*side) for side in sides):
                return ["a key with one label only is not excluded"]
        choices: list[tuple[int, ...]] = [()]
        for j in range(len(self.judges)):
            both = [(*signs, sign) for signs in choices for sign in ((1,) if j in self.assumed else (1, -1))]
            choices = [
                signs
                for signs in both
                if all(
                    signs[i] * signs[j] * self.moments[i, j] >= 0 or self._allows((i, j)) for i in range(j)
                )
            ]
            if len(choices) > _MAX_SIGNS:
                return [f"more than {_MAX_SIGNS} choices of signs"]
        cells = min(self.cells, self.total - 1)
        for signs in choices:
            bounds = self._bounds(signs)
            for k in range(cells) if bounds is not None else ():
                low, high = (1 + part * (self.total - 1) // cells for part in (k, k + 1))
                if not self._cell_is_stated(bounds, signs, low, high - 1):
                    return [f"keys with {low} to {high - 1} questions of {self.labels[0]} are not excluded"]
        return []

    def _allows(self, group: tuple[int, ...]) -> bool:
        size, room = abs(self.moments[group]), self.delta * self.total ** len(group)
        return size < room or (size == room and not self.strict)

    def _bounds(self, signs: tuple[int, ...]) -> Any:
        """Return bounds of x·y for nodes x and y: ±i is |w_i| or its inverse (i from 1), ±(N + 1) is ρ or 1/ρ."""
        rho, room = len(signs) + 1, self.delta * self.total**2
        reach = [(self.total - first, first)[::sign] for sign, first in zip(signs, self.first, strict=True)]
        bounds = {(i, i): Fraction(up * down) for i, (up, down) in enumerate(reach, 1)}
        for i, j in combinations(range(1, rho), 2):
            value = signs[i - 1] * signs[j - 1] * self.moments[i - 1, j - 1]
            bounds[i, j] = bounds[j, i] = value + room
            if value > room:
                bounds[-i, -j] = bounds[-j, -i] = 1 / (value - room)
        if self.strict and not _multiply(bounds, rho, strict=True):
            return None
        for i, (up, down) in enumerate(reach, 1):
            bounds[i, rho] = bounds[rho, i] = Fraction(up)
            bounds[i, -rho] = bounds[-rho, i] = Fraction(down)
        return bounds if _multiply(bounds, rho) else None

    def _cell_is_stated(self, known: Any, signs: tuple[int, ...], low: int, high: int) -> bool:
        """Tell whether the cell has no key, or all that is stated is true in it."""
        rho, size, bounds = len(signs) + 1, self.total, dict(known)
        for node, bound in ((rho, Fraction(size - low, low)), (-rho, Fraction(high, size - high))):
            bounds[node, node] = min(bounds.get((node, node), bound), bound)
        if not _multiply(bounds, rho, middles=(rho, -rho)):
            return True
        share = 1 / (1 + bounds[rho, rho]), 1 - 1 / (1 + bounds[-rho, -rho])
        up, down = ([_product(bounds, i, node) for i in range(1, rho)] for node in (rho, -rho))
        first, second = [], []
        for sign, count, times, over in zip(signs, self.first, up, down, strict=True):
            first.append(tuple(sorted((count + sign * x) / size for x in times)))
            second.append(tuple(sorted(1 - (count - sign * x) / size for x in over)))
        if self._is_stated(share, (first, second)):
            return True
        half = min(max(share[0], Fraction(1, 2)), share[1])
        for trio in (group for group in self.moments if len(group) == 3):
            spread = sum(min(Fraction(1), (up[i][1] + down[i][1]) / size) for i in trio)
            slack = size**3 * self.delta * (1 + 2 * half * (1 - half) * spread)
            least = most = Fraction(signs[trio[0]] * signs[trio[1]] * signs[trio[2]])
            for i, j in combinations(trio, 2):
                inverse = bounds.get((-i - 1, -j - 1))
                most, least = most * bounds[i + 1, j + 1], least / inverse if inverse else Fraction(0)
            squares = [w * (1 - 2 * p) * abs(1 - 2 * p) / (p * (1 - p)) for w in (least, most) for p in share]
            ends = [end * abs(end) for end in (self.moments[trio] - slack, self.moments[trio] + slack)]
            if max(squares) < ends[0] or min(squares) > ends[1]:
                return True
        return False

    def _is_stated(self, share: Any, accuracy: Any) -> bool:
        """Tell whether ranges or claim follow from the ranges of a cell; where neither is stated, nothing does."""
        if self.ranges is not None:
            sides = [side for name, low, high in self.ranges for side in ((name, low), (high, name))]
            return all(self._margin(*each, share, accuracy) >= 0 for each in sides)
        claim = self.claim
        return claim is not None and self._margin(claim["greater"], claim["lesser"], share, accuracy) > 0

    def _margin(self, greater: Any, lesser: Any, share: Any, accuracy: Any) -> Fraction:
        """Return the least difference in a cell: on the label of a judge that is named, or on all questions."""

        def by_label(name: Any) -> Any:
            if isinstance(name, str):
                return [(_number(name),) * 2] * 2
            if name["judge"] is None:
                return [(Fraction(label == self.labels.index(name["label"])),) * 2 for label in (0, 1)]
            return [ends and ends[self.judges.index(name["judge"])] for ends in accuracy]

        pairs = zip(by_label(greater), by_label(lesser), strict=True)
        least = [left and right and left[0] - right[1] for left, right in pairs]
        judged = [name for name in (greater, lesser) if isinstance(name, dict) and name["judge"] is not None]
        labels = {name["label"] for name in judged}
        _require(len(labels) < 2, "two judges must be compared on the same label")
        if labels - {None}:  # where the label has no questions, nothing is stated
            margin = least[self.labels.index(*labels)]
            return Fraction(1) if margin is None else margin
        first, second = (Fraction(0) if margin is None else margin for margin in least)
        return Fraction(min(p * first + (1 - p) * second for p in share))


def _multiply(bounds: Any, rho: int, *, strict: bool = False, middles: Any = None) -> bool:
    """Multiply bounds of x·m and y/m to bounds of x·y, for all m; `False` if 1 = x/x is bounded by less."""
    nodes = [sign * node for node in range(1, rho + 1) for sign in (1, -1)]
    for middle in middles or nodes:
        for x in nodes:
            left = bounds.get((x, middle))
            for y in nodes if left is not None else ():
                right = bounds.get((-middle, y))
                if right is not None and ((x, y) not in bounds or left * right < bounds[x, y]):
                    bounds[x, y] = left * right
            one = bounds.get((x, -x))
            if one is not None and (one < 1 or (strict and one == 1)):
                return False
    return True


def _product(bounds: Any, x: int, y: int) -> tuple[Fraction, Fraction]:
    """Return the range of x·y, also by the roots of those of x² and y²."""
    lows = [Fraction(0)] + ([1 / bounds[-x, -y]] if bounds.get((-x, -y)) else [])
    if (-x, -x) in bounds and (-y, -y) in bounds:
        lows.append(1 / _root(bounds[-x, -x] * bounds[-y, -y]))
    return max(lows), min(bounds[x, y], _root(bounds[x, x] * bounds[y, y]))


def _root(value: Fraction) -> Fraction:
    """Return a multiple of 10⁻¹² above the root."""
    return Fraction(isqrt(value.numerator * 10**24 // value.denominator) + 1, 10**12)


def _number(text: Any) -> Fraction:
    is_number = isinstance(text, str) and re.fullmatch(r"[0-9]+(/[0-9]+)?", text)
    _require(is_number, "numbers must be texts such as 1/50")
    return Fraction(text)


def _require(truth: Any, rule: str) -> None:
    if not truth:
        raise ValueError(rule)


def main(paths: list[str]) -> int:
    """Print the problems of the certificates of files, each with one or a list of them; return 1 if there are any."""
    failed = False
    for path in paths:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        for number, document in enumerate(content if isinstance(content, list) else [content], 1):
            problems = check_dependence_certificate(document)
            print(f"{path}, {number}: {'; '.join(problems) or 'proven: ' + document['statement']}")
            failed = failed or bool(problems)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
