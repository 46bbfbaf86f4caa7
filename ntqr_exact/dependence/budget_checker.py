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
from itertools import combinations, pairwise
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
        _Proof(document).check()
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        return [f"{type(error).__name__}: {error}"]
    return []


def checksum(document: Any) -> str:
    """Return the SHA-256 of everything else in the document."""
    rest = {name: part for name, part in document.items() if name != "checksum"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def statement(document: Any) -> str:
    """Return what a certificate states, in words, from its numbers."""
    budget, who = document["budget"], "two judges" if document["orders"] == [2] else "two or three judges"
    if document["strict"]:
        return f"Under every answer key two judges have an error covariance of at least {budget} in size."
    keys = f"answer key under which no error covariance of {who} exceeds {budget}"
    if document["assumed"]:
        keys += f" (assumed to be no worse than chance: {', '.join(document['assumed'])})"
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
    on = "" if label is None else f" on {label}"
    return f"the share of {label}" if judge is None else f"the accuracy of {judge}{on}"


class _Proof:
    """The parts of a certificate, every one of them checked, and the computation."""

    def __init__(self, document: Any) -> None:
        votes, self.orders, self.cells = document["votes"], document["orders"], document["cells"]
        self.labels, self.judges, counts = votes["labels"], votes["judges"], dict[tuple[int, ...], int]()
        for names in (self.labels, self.judges, document["assumed"]):
            _require(isinstance(names, list) and len(set(names)) == len(names), "names must be different")
            _require(all(isinstance(name, str) for name in names), "names must be texts")
        _require(len(self.labels) == 2 and 2 <= len(self.judges) <= _MAX_JUDGES, "wrong labels or judges")
        for answers, count in votes["counts"]:
            pattern = tuple(map(self.labels.index, answers))
            _require(len(pattern) == len(self.judges) and pattern not in counts, "wrong pattern")
            _require(type(count) is int and count > 0, "counts must be whole numbers > 0")
            counts[pattern] = count
        _require(counts and self.orders in ([2], [2, 3]), "orders must be [2] or [2, 3]")
        _require(type(self.cells) is int and 1 <= self.cells <= _MAX_CELLS, "cells must be from 1 to 1000")
        self.assumed = [self.judges.index(name) for name in document["assumed"]]
        self.delta, self.total, strict = _number(document["budget"]), sum(counts.values()), document["strict"]
        is_plain = self.orders == [2] and not self.assumed and set(document) == _FIELDS
        _require(strict is False or (strict is True and is_plain), "strict is about all keys")
        if strict:  # a covariance below δ is a fraction of at most Q² parts
            self.delta -= Fraction(1, self.total**2 * self.delta.denominator)
        # Of these sides the first is greater, or for ranges not less. Without any, no key exists.
        self.ranges, claim = document.get("ranges", ()), document.get("claim")
        self.sides = [(claim["greater"], claim["lesser"])] if claim else []
        for name, low, high in self.ranges:
            _require(set(name) == {"label", "judge"} and _number(low) <= _number(high), "wrong range")
            self.sides += [(name, low), (high, name)]
        who, size = range(len(self.judges)), self.total
        self.first = first = [sum(count for pattern, count in counts.items() if not pattern[i]) for i in who]
        self.moments = {}  # central moments of first answers, times Q to the number of judges
        for group in (group for order in self.orders for group in combinations(who, order)):
            terms = (n * prod(size * (not p[i]) - first[i] for i in group) for p, n in counts.items())
            self.moments[group] = sum(terms) // size

    def check(self) -> None:
        """Do the computation; raises `ValueError` for the first thing that it does not exclude."""
        size, room, choices = self.total, self.delta * self.total**2, [dict[int, int]()]
        for j in range(len(self.judges)):
            choices = [
                {**signs, j: sign}
                for signs in choices
                for sign in ((1,) if j in self.assumed else (1, -1))
                if all(sign * signs[i] * self.moments[i, j] >= -room for i in signs)
            ]
            _require(len(choices) <= _MAX_SIGNS, f"more than {_MAX_SIGNS} choices of signs")
        cells = min(self.cells, size - 1)
        starts = [0, *(1 + k * (size - 1) // cells for k in range(cells)), size, size + 1]
        for signs in choices:
            bounds = self._bounds(signs, room)
            for low, end in pairwise(starts) if bounds else ():
                text = f"keys with {low} to {end - 1} questions of {self.labels[0]} are not excluded"
                _require(self._is_settled(dict(bounds), signs, low, end - 1), text)

    def _bounds(self, signs: dict[int, int], room: Fraction) -> Any:
        """Return bounds of x·y for nodes x and y: ±i is |w_i| or its inverse (i from 1), ±(N + 1) is ρ or 1/ρ."""
        rho, bounds = len(signs) + 1, dict[tuple[int, int], Fraction]()
        for i, sign in signs.items():
            up, down = (self.total - self.first[i], self.first[i])[::sign]
            for node, bound in ((i + 1, up * down), (rho, up), (-rho, down)):
                bounds[i + 1, node] = bounds[node, i + 1] = Fraction(bound)
        for i, j in combinations(signs, 2):
            value = signs[i] * signs[j] * self.moments[i, j]
            bounds[i + 1, j + 1] = bounds[j + 1, i + 1] = value + room
            if value > room:
                bounds[-i - 1, -j - 1] = bounds[-j - 1, -i - 1] = 1 / (value - room)
        return bounds if _multiply(bounds, rho) else None

    def _is_settled(self, bounds: Any, signs: dict[int, int], low: int, high: int) -> bool:
        """Tell whether the cell has no key, or all that is stated is true in it."""
        rho, size = len(signs) + 1, self.total
        first, second, up, down = list[Any](), list[Any](), list[Any](), list[Any]()
        for node, part, rest in ((rho, size - low, low), (-rho, high, size - high)):
            if rest:
                bounds[node, node] = min(bounds.get((node, node), Fraction(part, rest)), Fraction(part, rest))
        if not _multiply(bounds, rho, middles=(rho, -rho)):
            return True
        for i, (n, sign) in enumerate(zip(self.first, signs.values(), strict=True)):
            for node, own, rates, ends in ((rho, n, first, up), (-rho, size - n, second, down)):
                inverse, most = _most(bounds, -i - 1, -node), _most(bounds, i + 1, node)
                least = 1 / inverse if inverse else Fraction(0)
                rates.append(sorted((own + sign * x) / size for x in (least, most)))
                ends.append(most)
        known = (bounds.get((node, node)) for node in (rho, -rho))
        ends = [Fraction(0) if bound is None else 1 / (1 + bound) for bound in known]
        share = ends[0], 1 - ends[1]
        if self._is_stated(share, (first if high else None, second if low < size else None)):
            return True
        half = min(max(share[0], Fraction(1, 2)), share[1])
        tilts = [(1 - 2 * p) * abs(1 - 2 * p) / (p * (1 - p)) if 0 < p < 1 else Fraction(0) for p in share]
        for trio in (group for group in self.moments if len(group) == 3):
            spread = sum(min(Fraction(1), (up[i] + down[i]) / size) for i in trio)
            slack = size**3 * self.delta * (1 + 2 * half * (1 - half) * spread)
            least = most = Fraction(prod(signs[i] for i in trio))
            for i, j in combinations(trio, 2):
                inverse = bounds.get((-i - 1, -j - 1))
                most, least = most * bounds[i + 1, j + 1], least / inverse if inverse else Fraction(0)
            squares = [product * tilt for product in (least, most) for tilt in tilts]
            limits = [end * abs(end) for end in (self.moments[trio] - slack, self.moments[trio] + slack)]
            if max(squares) < limits[0] or min(squares) > limits[1]:
                return True
        return False

    def _is_stated(self, share: Any, accuracy: Any) -> bool:
        """Tell whether ranges or claim follow from the ranges of a cell; where neither is stated, nothing does."""
        margins = []
        for sides in self.sides:
            pairs = zip(*(self._by_label(side, accuracy) for side in sides), strict=True)
            least = [left and right and left[0] - right[1] for left, right in pairs]
            labels = {side["label"] for side in sides if isinstance(side, dict) and side["judge"] is not None}
            _require(len(labels) < 2, "two judges must be compared on the same label")
            if labels - {None}:  # where the label has no questions, nothing is stated
                margin = least[self.labels.index(*labels)]
                margins.append(1 if margin is None else margin)
            else:
                first, second = (margin or 0 for margin in least)
                margins.append(min(p * first + (1 - p) * second for p in share))
        return min(margins, default=-1) >= 0 and (bool(self.ranges) or 0 not in margins)

    def _by_label(self, side: Any, accuracy: Any) -> list[Any]:
        """Return the ranges of a side on the questions of each label; `None` for a label without questions."""
        if isinstance(side, str):
            return [(_number(side),) * 2] * 2
        if side["judge"] is None:
            return [(Fraction(k == self.labels.index(side["label"])),) * 2 for k in (0, 1)]
        return [ends and ends[self.judges.index(side["judge"])] for ends in accuracy]


def _multiply(bounds: Any, rho: int, middles: Any = None) -> bool:
    """Multiply bounds of x·m and y/m to bounds of x·y, for all m; `False` if 1 = x/x is bounded by less."""
    nodes = [sign * node for node in range(1, rho + 1) for sign in (1, -1)]
    for middle in middles or nodes:
        for x in nodes:
            left = bounds.get((x, middle))
            for y in nodes if left is not None else ():
                right = bounds.get((-middle, y))
                if right is not None and ((x, y) not in bounds or left * right < bounds[x, y]):
                    bounds[x, y] = left * right
            if bounds.get((x, -x), 1) < 1:
                return False
    return True


def _most(bounds: Any, x: int, y: int) -> Any:
    """Return a bound of x·y, also by the roots of those of x² and y²: a multiple of 10⁻¹² above; or `None`."""
    known = [bounds[x, y]] if (x, y) in bounds else []
    if (x, x) in bounds and (y, y) in bounds:
        value = bounds[x, x] * bounds[y, y]
        known.append(Fraction(isqrt(value.numerator * 10**24 // value.denominator) + 1, 10**12))
    return min(known, default=None)


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
