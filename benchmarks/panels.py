"""Real panels with known keys, and what each column makes of them: `python -m benchmarks.panels [DIR] [--page]`.

The panels that ship with the library, and every CSV file below DIR that has a column `truth`; its data set is the
folder that it is in. `--page` writes docs/real_panels.md. crowd-kit and `ppi_py` are compared where they are installed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import random
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations, product
from math import comb
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.dependence.bounds import evaluate_within, least_dependence
from ntqr_exact.dependence.measure import dependence_of
from ntqr_exact.errors import NtqrExactError
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.dawid_skene import SHARE_MARGIN, DawidSkene, dawid_skene
from ntqr_exact.evaluators.grade import share_right
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.examples import EXAMPLES, PANELS
from ntqr_exact.sampling.designs import Hypergeometric
from ntqr_exact.sampling.intervals import interval
from ntqr_exact.study import verdict
from ntqr_exact.study.grades_study import right_in_all
from ntqr_exact.study.screen import MAX_ROWS, Screen, overall_ranges, study_screen
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern
from ntqr_exact.votes.read_votes import read_votes

PAGE = Path(__file__).resolve().parent.parent / "docs" / "real_panels.md"
BUDGETS = (mpq(1, 20), mpq(1, 10))
GRADED = (20, 50, 100)
DRAWS = 200
MISLEADS, IS_RIGHT = verdict.MAX_ERROR, mpq(1, 20)
"""A column misleads if its mean error is above the first, and is right if it is below the second."""
MIN_SETS = 10
"""Data sets that half A needs, before rules are compared on it."""

Row = list[str]
Shares = Sequence[mpq | None]


@dataclass(frozen=True)
class Panel:
    """Votes with the true accuracy of each judge, and with their key, where the whole of it is known."""

    name: str
    votes: VoteCounts
    true: Shares
    labeled: LabeledVoteCounts | None

    @property
    def data_set(self) -> str:
        return re.split("[-_/]", self.name.lower())[0]

    @property
    def half(self) -> str:
        """A or B, by the parity of the first byte of the SHA-256 of the data set's name."""
        return "AB"[hashlib.sha256(self.data_set.encode()).digest()[0] % 2]

    @cached_property
    def screen(self) -> tuple[Screen, float]:
        """The first screen without the key, and its seconds."""
        start = time.process_time()
        return study_screen(self.votes), time.process_time() - start

    @cached_property
    def estimate(self) -> DawidSkene:
        return dawid_skene(self.votes)

    @cached_property
    def columns(self) -> dict[str, tuple[Shares, mpq | None]]:
        """Each judge's accuracy and the share of right labels, by column."""
        majority = majority_vote(self.votes, ties=TiePolicy.FIRST_LABEL).key
        keys = {"majority": majority, "Dawid–Skene": self.estimate.key}
        results = {name: (_shares(key), self._right(key)) for name, key in keys.items()}
        if importlib.util.find_spec("crowdkit"):
            results["soft EM"] = self._soft()
        return results

    def error(self, *columns: str) -> mpq:
        """The mean distance of the judges' accuracies from the true ones, of the worst of some columns."""
        return max(_distance(self.columns[name][0], self.true) for name in columns or ("Dawid–Skene",))

    @property
    def worst(self) -> mpq:
        return self.error("majority", "Dawid–Skene")

    @property
    def kind(self) -> str:
        return self.screen[0].verdict.kind

    @property
    def is_withheld(self) -> bool:
        return any(one.kind == "withheld" for one in self.screen[0].verdict.reasons)

    @property
    def is_warned(self) -> bool:
        return self.kind in {"withheld", "doubtful"}

    def _right(self, key: LabeledVoteCounts) -> mpq | None:
        guess = {pattern: label for label, part in key.by_label.items() for pattern in part.counts}
        hits = [n for pattern, label, n in self.questions() if guess.get(pattern) == label]
        return mpq(sum(hits), self.votes.size) if self.labeled else None

    def questions(self) -> Iterator[tuple[Pattern, str, int]]:
        for label, part in self.labeled.by_label.items() if self.labeled else ():
            yield from ((pattern, label, n) for pattern, n in part.counts.items() if n)

    def _soft(self) -> tuple[Shares, mpq | None]:
        import pandas as pd
        from crowdkit.aggregation import DawidSkene as Soft

        counts, judges = self.votes.counts, self.votes.judges
        each = [pattern for pattern, n in counts.items() for _ in range(n)]
        rows = [(q, j, a) for q, pattern in enumerate(each) for j, a in enumerate(pattern) if a is not None]
        soft = Soft(n_iter=100).fit(pd.DataFrame(rows, columns=["task", "worker", "label"])).probas_
        known = {pattern: soft.loc[q].to_dict() for q, pattern in enumerate(each)}
        shares: list[mpq | None] = []
        for judge in range(len(judges)):
            mine = [(known[p].get(p[judge], 0.0), n) for p, n in counts.items() if p[judge] is not None]
            shares.append(mpq(sum(x * n for x, n in mine)) / sum(n for _, n in mine) if mine else None)
        right = sum(n for p, label, n in self.questions() if max(known[p], key=known[p].__getitem__) == label)
        return shares, mpq(right, self.votes.size) if self.labeled else None


def _shares(key: LabeledVoteCounts) -> Shares:
    return [share_right(key, judge) for judge in range(len(key.judges))]


def _pairs(first: Shares, second: Shares) -> list[tuple[mpq, mpq]]:
    return [(x, y) for x, y in zip(first, second, strict=True) if x is not None and y is not None]


def _distance(first: Shares, second: Shares) -> mpq:
    return _mean(abs(x - y) for x, y in _pairs(first, second))


def _mean(values: Any) -> mpq:
    known = [*values]
    return sum(known, mpq(0)) / max(len(known), 1)


def panels(folder: str | None) -> Iterator[Panel]:
    """Yield each panel that is at hand; a file with the votes of an earlier one is left out."""
    seen = []
    for name, each in PANELS.items():
        labeled = each.labeled
        if labeled is not None:
            seen.append(_answers(labeled))
            yield Panel(name, each.votes, _shares(labeled), labeled)
    for name, each in EXAMPLES.items():
        known: Evaluation = each.evaluation.rates()
        judges = range(len(each.votes.judges))
        yield Panel(name, each.votes, [mpq(str(right_in_all(known, judge))) for judge in judges], None)
    for path in sorted(Path(folder).rglob("*.csv")) if folder else ():
        try:
            votes = read_votes(path, truth="truth")
        except NtqrExactError as error:
            print(f"{path} is left out: {error}", file=sys.stderr)
            continue
        if isinstance(votes, LabeledVoteCounts) and _answers(votes) not in seen:
            seen.append(_answers(votes))
            yield Panel(f"{path.parent.name}/{path.stem}", votes.observed(), _shares(votes), votes)


def _answers(labeled: LabeledVoteCounts) -> set[tuple[str, Pattern, int]]:
    return {(label, p, n) for label, votes in labeled.by_label.items() for p, n in votes.counts.items() if n}


# -- Both halves in short ----------------------------------------------------------------------------


def summary(found: Sequence[Panel]) -> str:
    """Return one table: the errors of the columns, and what the screen withholds and warns of, in each half."""
    halves = [[one for one in found if one.half == half] for half in "AB"]
    rows: list[Row] = []

    def add(name: str, cell: Callable[[list[Panel]], str]) -> None:
        rows.append([name, *(cell(half) if half else "–" for half in halves)])

    def share(of: Sequence[Panel], which: Callable[[Panel], bool]) -> str:
        return f"{sum(map(which, of))} of {len(of)}"

    def excess(of: Sequence[Panel]) -> str:
        worst = max(((one.error() - one.error("majority"), one.name) for one in of), default=None)
        return f"{_decimal(worst[0])} ({worst[1]})" if worst else "–"

    add("data sets", lambda half: str(len({one.data_set for one in half})))
    add("panels", lambda half: str(len(half)))
    for name in found[0].columns:
        add(f"mean error: {name}", lambda half, name=name: _decimal(_mean(one.error(name) for one in half)))
    printed = lambda half: [one for one in half if not one.is_withheld]  # noqa: E731
    add("mean error: majority, where Dawid–Skene is printed", lambda half: _mean_error(printed(half), "majority"))
    add("mean error: Dawid–Skene, where it is printed", lambda half: _mean_error(printed(half), "Dawid–Skene"))
    for name in found[0].columns:
        keys = lambda half, name=name: [right for one in half if (right := one.columns[name][1]) is not None]  # noqa: E731
        add(f"questions with the right label: {name}", lambda half, keys=keys: _decimal(_mean(keys(half))))
    add("Dawid–Skene worse than majority by at most, where printed", lambda half: excess(printed(half)))
    add("the same, where withheld", lambda half: excess([one for one in half if one.is_withheld]))
    bad = lambda half: [one for one in half if one.error() > MISLEADS]  # noqa: E731
    good = lambda half: [one for one in half if one.error() < IS_RIGHT]  # noqa: E731
    add("Dawid–Skene misleads: withheld", lambda half: share(bad(half), lambda one: one.is_withheld))
    add("Dawid–Skene is right: printed", lambda half: share(good(half), lambda one: not one.is_withheld))
    for kind in ("withheld", "doubtful", "dependent", "premise", "unknown"):

        def cell(half: Sequence[Panel], kind: str = kind) -> str:
            errors = [one.worst for one in half if one.kind == kind]
            return f"{sum(e > MISLEADS for e in errors)} / {sum(e < IS_RIGHT for e in errors)} of {len(errors)}"

        add(f"verdict *{kind}*: a column misleads / both are right", cell)
    return _table(("", "half A: rules were chosen on it", "half B"), rows)


def _mean_error(of: Sequence[Panel], column: str) -> str:
    return _decimal(_mean(one.error(column) for one in of))


def calm(found: Sequence[Panel]) -> str:
    """Return the panels on which a column misleads and the screen does not warn."""
    names = [
        f"{one.name} ({one.kind}; {', '.join(f'{who} {_decimal(one.error(who))}' for who in one.columns)})"
        for one in found
        if one.worst > MISLEADS and not one.is_warned
    ]
    return "; ".join(names) or "none"


# -- How rules were chosen ---------------------------------------------------------------------------

GRID = [
    *product(
        (0.5, 1, 2), ("equal", "counted"), ("plurality", "weighted"), ("of labels", "of judges"), (1, 100)
    )
]
"""Answers of each kind added; label shares; the start; rates; rounds."""
IN_USE = (1, "equal", "plurality", "of labels", 100)


class Numeric:
    """A panel in floats, on which variants of Dawid and Skene's estimate are tried."""

    def __init__(self, panel: Panel) -> None:
        import numpy as np

        votes = panel.votes
        index = {label: i for i, label in enumerate(votes.labels)}
        given = np.array([[-1 if x is None else index[x] for x in pattern] for pattern in votes.counts])
        self.many, self.count = len(index), np.array([*votes.counts.values()], float)
        self.answers = np.stack([given == r for r in range(self.many)], 2).astype(float)
        self.true = np.array([float("nan") if x is None else float(x) for x in panel.true])

    def accuracy(self, key: Any) -> Any:
        import numpy as np

        right = np.einsum("pl,pjl->j", np.eye(self.many)[key] * self.count[:, None], self.answers)
        return right / np.maximum(np.einsum("p,pjl->j", self.count, self.answers), 1)

    def error(self, added: float, shares: str, start: str, rates: str, rounds: int) -> float:
        """Return the mean error of the judges' accuracies by a variant."""
        import numpy as np

        key = self.answers.sum(1).argmax(1)
        if start == "weighted":
            key = np.einsum("j,pjr->pr", self.accuracy(key), self.answers).argmax(1)
        same = np.eye(self.many, dtype=bool)
        for _ in range(rounds):
            of_label = np.eye(self.many)[key] * self.count[:, None]
            table = np.einsum("pl,pjr->jlr", of_label, self.answers)
            if rates == "of judges":
                right = np.einsum("jll->j", table)[:, None, None]
                sums = table.sum((1, 2))[:, None, None]
                table = np.where(same, right, (sums - right) / max(self.many - 1, 1))
            logs = np.log((added + table) / (self.many * added + table.sum(2, keepdims=True)))
            scores = np.einsum("pjr,jlr->pl", self.answers, logs)
            if shares == "counted":
                scores += np.log((1 + of_label.sum(0)) / (self.many + self.count.sum()))
            own = scores[range(len(key)), key]
            new = np.where(own >= scores.max(1) - 1e-9, key, scores.argmax(1))
            if (new == key).all():
                break
            key = new
        return float(np.nanmean(abs(self.accuracy(key) - self.true)))


def variants(found: Sequence[Panel]) -> str:
    """Return the mean error of each variant on half A, mean over the panels of a data set first: best, worst, in use."""
    sets: dict[str, list[Numeric]] = {}
    for one in found:
        if one.half == "A":
            sets.setdefault(one.data_set, []).append(Numeric(one))
    if len(sets) < MIN_SETS:
        return f"Half A has {len(sets)} data sets here; the variants are compared from {MIN_SETS} on."
    means = {
        rule: sum(sum(each.error(*rule) for each in panels) / len(panels) for panels in sets.values()) / len(sets)
        for rule in GRID
    }
    ranked = sorted(GRID, key=means.__getitem__)
    shown = [*ranked[:5], *([] if IN_USE in ranked[:5] else [IN_USE]), ranked[-1]]
    rows = [
        [f"{ranked.index(rule) + 1}{' (in use)' if rule == IN_USE else ''}", *map(str, rule[:-1])]
        + ["until the key returns" if rule[-1] > 1 else "1", f"{means[rule]:.4f}"]
        for rule in shown
    ]
    return _table(("rank of 48", "added", "label shares", "start", "rates", "rounds", "mean error"), rows)


@dataclass(frozen=True)
class Rule:
    """A rule of the verdict: a number of a panel that withholds or warns beyond a limit, and the limits tried."""

    text: str
    number: Callable[[Panel], mpq]
    limit: mpq
    tried: tuple[mpq, ...]
    columns: tuple[str, ...] = ("Dawid–Skene",)

    def fires(self, of: Sequence[Panel], limit: mpq) -> tuple[list[bool], list[bool]]:
        """Return whether it fires, for the panels on which the columns mislead, and on which they are right."""
        errors = [(one.error(*self.columns), self.number(one) > limit) for one in of]
        bad = [fires for error, fires in errors if error > MISLEADS]
        return bad, [fires for error, fires in errors if error < IS_RIGHT]

    def gain(self, of: Sequence[Panel], limit: mpq) -> mpq:
        bad, good = self.fires(of, limit)
        return mpq(sum(bad), max(len(bad), 1)) - mpq(sum(good), max(len(good), 1))


def _alpha(panel: Panel) -> mpq:
    alpha = panel.screen[0].alpha
    return mpq(1) if alpha is None else alpha


def _reliability(panel: Panel) -> mpq:
    answers = _mean(mpq(panel.votes.answered(judge), panel.votes.size) for judge in range(len(panel.true)))
    return verdict.reliability(_alpha(panel), answers * len(panel.true))


def _outside(panel: Panel) -> mpq:
    """Return how far the share of a label lies outside the range of its shares in the judges' answers."""
    votes, counts = panel.votes, panel.estimate.key.key_counts
    judges = [judge for judge in range(len(panel.true)) if votes.answered(judge)]
    given = {x: [votes.response_rate(judge, x) for judge in judges] for x in votes.labels}
    shares = [(mpq(counts[x], votes.size), min(given[x]), max(given[x])) for x in votes.labels]
    return max(max(least - share, share - most) for share, least, most in shares)


def _differ(panel: Panel) -> mpq:
    both = _pairs(*(panel.columns[name][0] for name in ("majority", "Dawid–Skene")))
    return max(abs(x - y) for x, y in both)


_TENTHS = tuple(mpq(n, 10) for n in range(3, 9))
RULES = (
    Rule(
        "withheld: 1 − reliability of a majority exceeds",
        lambda one: 1 - _reliability(one),
        1 - verdict.MIN_RELIABILITY,
        _TENTHS,
    ),
    Rule(
        "withheld: a label's share lies outside those of the answers by more than",
        _outside,
        SHARE_MARGIN,
        (mpq(0), mpq(1, 100), mpq(1, 50), mpq(1, 20), mpq(1, 10)),
    ),
    Rule(
        "withheld: at slight agreement, Dawid–Skene overrules the majority on more than",
        lambda one: one.estimate.moved if _alpha(one) <= verdict.SLIGHT else mpq(0),
        verdict.MAX_MOVED,
        tuple(mpq(n, 20) for n in range(7)),
    ),
    Rule(
        "withheld: a covariance is proven above",
        lambda one: one.screen[0].covariance or mpq(0),
        verdict.MAX_COVARIANCE,
        tuple(mpq(n, 100) for n in (1, 2, 3, 5, 8, 10)),
    ),
    Rule(
        "doubtful: 1 − alpha exceeds",
        lambda one: 1 - _alpha(one),
        1 - verdict.SLIGHT - mpq(1, 10**9),
        tuple(mpq(n, 10) for n in range(2, 10)),
        ("majority", "Dawid–Skene"),
    ),
    Rule(
        "doubtful: the columns differ by more than",
        _differ,
        verdict.MAX_DIFFERENCE,
        tuple(mpq(n, 100) for n in (0, 2, 5, 8, 10, 15)),
        ("majority", "Dawid–Skene"),
    ),
)


def limits(found: Sequence[Panel]) -> str:
    """Return, for each rule alone, its limit, the best one of those tried on half A, and where it fires."""
    halves = [[one for one in found if one.half == half] for half in "AB"]
    rows = []
    for rule in RULES:
        best = max(rule.tried, key=lambda limit, rule=rule: rule.gain(halves[0], limit))
        cells = [f"{sum(fired)} of {len(fired)}" for half in halves for fired in rule.fires(half, rule.limit)]
        rows.append([rule.text, _decimal(rule.limit, 2), _decimal(best, 2), *cells])
    return _table(_LIMITS, rows)


# -- Panel by panel ----------------------------------------------------------------------------------


def columns(panel: Panel) -> Row:
    """Return how far each column is from the true accuracies, and how often its key is right."""
    votes, true = panel.votes, panel.true
    gaps = 1 - _mean(mpq(votes.answered(judge), votes.size) for judge in range(len(true)))
    known = [share for share in true if share is not None]
    listed = " ".join(_decimal(share, 2) for share in known)
    ends = f"{_decimal(min(known), 2)} to {_decimal(max(known), 2)}"
    best = [name for name, (shares, _) in panel.columns.items() if _best(shares) & _best(true)]
    rights = [right for _, right in panel.columns.values()]
    return [
        *(panel.name, str(len(true)), str(votes.size), str(len(votes.labels)), _decimal(gaps, 2)),
        listed if len(known) <= MAX_ROWS else ends,
        *(_decimal(panel.error(name)) for name in panel.columns),
        *("" if right is None else _decimal(right) for right in rights),
        ", ".join(best) or "none",
        panel.kind,
        f"{panel.screen[1]:.1f} s",
    ]


def _best(shares: Shares) -> set[int]:
    most = max(share for share in shares if share is not None)
    return {judge for judge, share in enumerate(shares) if share == most}


def dependence(panel: Panel) -> tuple[Row, list[tuple[int, int]]]:
    """Return the proven, attained and true largest covariance, the ranges at three budgets, and the ranked pairs."""
    votes, labeled = panel.votes, panel.labeled
    if labeled is None:
        return [], []
    common = LabeledVoteCounts({label: part.common() for label, part in labeled.by_label.items()})
    if not common.size:
        return [], []
    true = dependence_of(common).largest
    if len(votes.labels) != 2 or len(votes.judges) > MAX_ROWS:
        return [panel.name, str(common.size), "", "", _decimal(true), "", "", ""], []
    least, cells, ranked = least_dependence(votes), [], []
    for budget in (*BUDGETS, true):
        within = evaluate_within(votes, budget, orders=(2,))
        if within.existence is Answer.NO:
            cells.append("no key")
            ranked.append((0, 0))
            continue
        ranges = overall_ranges(within, votes)
        both = [(ends, truth) for ends, truth in zip(ranges, panel.true, strict=True) if ends and truth is not None]
        held = sum(low <= truth <= high for (low, high), truth in both)
        width = _mean(high - low for (low, high), _ in both)
        pairs = [(x, y) for (one, x), (other, y) in permutations(both, 2) if one[0] > other[1]]
        ranked.append((len(pairs), sum(x <= y for x, y in pairs)))
        cells.append(f"{held} of {len(both)}, {_decimal(width, 2)}")
    return [panel.name, str(common.size), *map(_decimal, (least.proven, least.attained, true)), *cells], ranked


def ranking(ranked: Sequence[list[tuple[int, int]]]) -> str:
    """Return how many pairs of judges the ranges rank, and how many of them the wrong way, at each budget."""
    names = [*(_decimal(budget, 2) for budget in BUDGETS), "the true covariance"]
    parts = [
        f"at {name}, {sum(n for n, _ in each)} pairs on {sum(n > 0 for n, _ in each)} panels, {sum(w for _, w in each)} "
        f"of them wrong ({sum(w > 0 for _, w in each)} panels)"
        for name, each in zip(names, zip(*filter(None, ranked), strict=True), strict=False)
    ]
    return "; ".join(parts) or "none"


def grades(panel: Panel, ppi: Callable[..., tuple[float, float]] | None) -> Row:
    """Return the least coverage and the mean width, over judges, of intervals from 20, 50 and 100 graded questions.

    Over all samples, exactly, for ours and Wilson's; over `DRAWS` samples for prediction-powered inference, with the
    majority's key as its predictions.
    """
    cells = []
    for number in GRADED:
        for method in ("blaker", "wilson"):
            answered = [panel.votes.answered(judge) for judge in range(len(panel.true))]
            both = [
                _coverage(size, int(share * size), number, method)
                for size, share in zip(answered, panel.true, strict=True)
                if share is not None and size > number
            ]
            cells.append(f"{_decimal(min(both)[0])}, {_decimal(_mean(w for _, w in both), 2)}" if both else "")
        if ppi is not None:
            cells.append(_ppi_coverage(panel, number, ppi))
    return [panel.name, *cells]


@cache
def _coverage(size: int, right: int, number: int, method: str) -> tuple[mpq, mpq]:
    design, held, width = Hypergeometric(size, number), mpq(0), mpq(0)
    for k in range(number + 1):
        chance = mpq(comb(right, k) * comb(size - right, number - k), comb(size, number))
        if chance:
            low, high = interval(design, k, method)
            held += chance * (low <= right <= high)
            width += chance * mpq(high - low, size)
    return held, width


def _ppi_coverage(panel: Panel, number: int, ppi: Callable[..., tuple[float, float]]) -> str:
    import numpy as np

    key = majority_vote(panel.votes, ties=TiePolicy.FIRST_LABEL).key
    guess = {pattern: label for label, votes in key.by_label.items() for pattern in votes.counts}
    rows = [(pattern, label) for pattern, label, n in panel.questions() for _ in range(n)]
    shares, width, chance = [], 0.0, random.Random(0)
    for judge in range(len(panel.true)):
        mine = [(p, label) for p, label in rows if p[judge] is not None]
        if len(mine) <= number:
            continue
        right = np.array([p[judge] == label for p, label in mine], float)
        predicted = np.array([p[judge] == guess[p] for p, _ in mine], float)
        held = 0
        for _ in range(DRAWS):
            chosen = np.zeros(len(mine), bool)
            chosen[chance.sample(range(len(mine)), number)] = True
            ends = ppi(right[chosen], predicted[chosen], predicted[~chosen], alpha=0.05)
            low, high = (float(np.ravel(end)[0]) for end in ends)
            held += low <= right.mean() <= high
            width += high - low
        shares.append(held / DRAWS)
    return f"{min(shares):.3f}, {width / DRAWS / len(shares):.2f}" if shares else ""


# -- The page ----------------------------------------------------------------------------------------


def _decimal(value: mpq, places: int = 3) -> str:
    return fixed_text(value, places)


def _table(header: Sequence[str], rows: Sequence[Row]) -> str:
    lines = [header, ["---" if index == 0 else "--:" for index in range(len(header))], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(folder: str | None) -> str:
    """Return the page in Markdown."""
    ppi = None
    if importlib.util.find_spec("ppi_py"):
        from ppi_py import ppi_mean_ci as ppi
    found = sorted(panels(folder), key=lambda one: one.half)
    first, second, third, ranked = [], [], [], []
    for one in found:
        first.append([one.half, *columns(one)])
        row, pairs = dependence(one)
        second += [[one.half, *row]] if row else []
        ranked.append(pairs)
        third.append([one.half, *grades(one, ppi)])
        print(one.name, file=sys.stderr, flush=True)
    who = ("ours", "Wilson", *(["ppi_py"] if ppi else []))
    names = [*found[0].columns]
    header = ("half", "panel", "judges", "questions", "labels", "gaps", "true accuracies")
    header += (*(f"error: {name}" for name in names), *(f"right labels: {name}" for name in names))
    return _PAGE.format(
        columns=_table((*header, "names a best judge", "verdict", "screen"), first),
        summary=summary(found),
        calm=calm(found),
        variants=variants(found),
        covariances=_table(_COVARIANCES, second),
        ranking=ranking(ranked),
        grades=_table(["half", "panel", *(f"{n}: {one}" for n in GRADED for one in who)], third),
        most=MAX_ROWS,
        limits=limits(found),
        ppi=f"; prediction-powered inference (`ppi_py`) over {DRAWS} samples of each judge" if ppi else "",
    )


_COVARIANCES = (
    *("half", "panel", "common questions", "proven", "attained", "true"),
    *(f"range at {_decimal(budget, 2)}" for budget in BUDGETS),
    "range at the true one",
)
_LIMITS = (
    *("rule", "limit", "best on A", "A: misleads", "A: right"),
    *("B: misleads", "B: right"),
)
_PAGE = """# Real panels: how far can the columns be trusted?

{summary}

Calm: {calm}

{variants}

{limits}

{ranking}

{columns}

{most}
{covariances}

{ppi}
{grades}
"""


def main() -> int:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.panels", description=__doc__)
    parser.add_argument("folder", nargs="?", help="a folder of CSV files with a column `truth`")
    parser.add_argument("--page", action="store_true", help="write docs/real_panels.md")
    options = parser.parse_args()
    text = page(options.folder)
    if options.page:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())
