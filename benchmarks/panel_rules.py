"""How the rules of Dawid and Skene's estimate and the limits of the verdict do: chosen on half A of the panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from gmpy2 import mpq

from benchmarks.panel import IS_RIGHT, MAJORITY, MISLEADS, OURS, Panel
from ntqr_exact.evaluators.dawid_skene import SHARE_MARGIN
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.study import verdict

MIN_SETS = 10
"""Data sets that half A needs, before variants are compared on it."""
GRID = {
    "added": (0.5, 1, 2),
    "label shares": ("equal", "counted"),
    "start": ("plurality", "weighted"),
    "rates": ("of labels", "of judges"),
    "rounds": (1, "all"),
    "judges are graded by": ("key", "probabilities"),
}
IN_USE = (1, "equal", "plurality", "of labels", "all", "probabilities")
MAX_ROUNDS = 100


class Numeric:
    """A panel in floats, on which variants of the estimate are tried."""

    def __init__(self, panel: Panel) -> None:
        import numpy as np

        votes = panel.votes
        index = {label: i for i, label in enumerate(votes.labels)}
        given = np.array([[-1 if x is None else index[x] for x in pattern] for pattern in votes.counts])
        self.many, self.count = len(index), np.array([*votes.counts.values()], float)
        self.answers = np.stack([given == r for r in range(self.many)], 2).astype(float)
        self.true = np.array([float("nan") if x is None else float(x) for x in panel.true])

    def accuracy(self, chances: Any) -> Any:
        """Return each judge's share of right answers, given the probabilities of the labels of each pattern."""
        import numpy as np

        right = np.einsum("p,pl,pjl->j", self.count, chances, self.answers)
        return right / np.maximum(np.einsum("p,pjl->j", self.count, self.answers), 1)

    def scores(self, key: Any, added: float, shares: str, rates: str) -> Any:
        """Return the logarithms of the likelihoods of the labels of each pattern, given the rates of a key."""
        import numpy as np

        of_label = np.eye(self.many)[key] * self.count[:, None]
        table = np.einsum("pl,pjr->jlr", of_label, self.answers)
        if rates == "of judges":
            right, sums = np.einsum("jll->j", table), table.sum((1, 2))
            wrong = (sums - right) / max(self.many - 1, 1)
            table = np.where(np.eye(self.many, dtype=bool), right[:, None, None], wrong[:, None, None])
        logs = np.log((added + table) / (self.many * added + table.sum(2, keepdims=True)))
        scores = np.einsum("pjr,jlr->pl", self.answers, logs)
        counted = np.log((1 + of_label.sum(0)) / (self.many + self.count.sum()))
        return scores + (counted if shares == "counted" else 0)

    def error(self, rule: tuple[Any, ...]) -> float:
        """Return the mean error of the judges' accuracies by a variant."""
        import numpy as np

        added, shares, start, rates, rounds, graded_by = rule
        key = self.answers.sum(1).argmax(1)
        if start == "weighted":
            key = np.einsum("j,pjr->pr", self.accuracy(np.eye(self.many)[key]), self.answers).argmax(1)
        for _ in range(1 if rounds == 1 else MAX_ROUNDS):
            scores = self.scores(key, added, shares, rates)
            own = scores[range(len(key)), key]
            before, key = key, np.where(own >= scores.max(1) - 1e-9, key, scores.argmax(1))
            if (before == key).all():
                break
        chances = np.eye(self.many)[key]
        if graded_by == "probabilities":
            scores = self.scores(key, added, shares, rates)
            chances = np.exp(scores - scores.max(1, keepdims=True))
            chances /= chances.sum(1, keepdims=True)
        return float(np.nanmean(abs(self.accuracy(chances) - self.true)))


def variants(found: Sequence[Panel]) -> list[list[str]]:
    """Return the mean error of variants on half A, over the panels of a data set first: best, worst and in use."""
    sets: dict[str, list[Numeric]] = {}
    for one in found:
        if one.half == "A":
            sets.setdefault(one.data_set, []).append(Numeric(one))
    if len(sets) < MIN_SETS:
        return []
    rules = [*product(*GRID.values())]
    means = {rule: sum(sum(x.error(rule) for x in few) / len(few) for few in sets.values()) for rule in rules}
    ranked = sorted(rules, key=means.__getitem__)
    shown = sorted({*ranked[:5], IN_USE, (*IN_USE[:-1], "key"), ranked[-1]}, key=means.__getitem__)
    ranks = [f"{ranked.index(rule) + 1}{' (in use)' if rule == IN_USE else ''}" for rule in shown]
    return [
        [rank, *map(str, rule), f"{means[rule] / len(sets):.4f}"]
        for rank, rule in zip(ranks, shown, strict=True)
    ]


@dataclass(frozen=True)
class Rule:
    """A rule of the verdict: a number of a panel that withholds or warns beyond a limit, and the limits tried."""

    text: str
    number: Callable[[Panel], mpq]
    limit: mpq
    tried: Sequence[int]
    """In hundredths."""
    columns: tuple[str, ...] = (OURS,)

    def fires(self, of: Sequence[Panel], limit: mpq) -> tuple[list[bool], list[bool]]:
        """Return whether it fires, for the panels on which the columns mislead, and on which they are right."""
        errors = [(one.error(*self.columns), self.number(one) > limit) for one in of]
        bad = [fires for error, fires in errors if error > MISLEADS]
        return bad, [fires for error, fires in errors if error < IS_RIGHT]

    def gain(self, of: Sequence[Panel], limit: mpq) -> mpq:
        bad, good = self.fires(of, limit)
        return mpq(sum(bad), max(len(bad), 1)) - mpq(sum(good), max(len(good), 1))


def _disagreement(panel: Panel) -> mpq:
    alpha = panel.screen[0].alpha
    return mpq(0) if alpha is None else 1 - alpha


def _unreliable(panel: Panel) -> mpq:
    answers = sum(panel.votes.answered(judge) for judge in range(len(panel.true)))
    return 1 - verdict.reliability(1 - _disagreement(panel), mpq(answers, panel.votes.size))


def _outside(panel: Panel) -> mpq:
    """Return how far the share of a label lies outside the range of its shares in the judges' answers."""
    votes, counts = panel.votes, panel.estimate.key.key_counts
    judges = [judge for judge in range(len(panel.true)) if votes.answered(judge)]
    given = {x: [votes.response_rate(judge, x) for judge in judges] for x in votes.labels}
    shares = [(mpq(counts[x], votes.size), min(given[x]), max(given[x])) for x in votes.labels]
    return max(max(least - share, share - most) for share, least, most in shares)


def _differ(panel: Panel) -> mpq:
    both = zip(panel.columns[MAJORITY][0], panel.columns[OURS][0], strict=True)
    return max(abs(x - y) for x, y in both if x is not None and y is not None)


def _moved(panel: Panel) -> mpq:
    return panel.estimate.moved if _disagreement(panel) >= 1 - verdict.SLIGHT else mpq(0)


_OVERRULES = "withheld: at an alpha of at most 0.30, Dawid–Skene overrules the majority on more than"
RULES = (
    Rule("withheld: 1 − reliability exceeds", _unreliable, 1 - verdict.MIN_RELIABILITY, range(20, 80, 5)),
    Rule("withheld: the share of a label is outside by more than", _outside, SHARE_MARGIN, (0, 1, 2, 5, 10)),
    Rule(_OVERRULES, _moved, verdict.MAX_MOVED, range(0, 35, 5)),
    Rule(
        "withheld: a covariance is proven above",
        lambda one: one.screen[0].covariance or mpq(0),
        verdict.MAX_COVARIANCE,
        (1, 2, 3, 5, 8, 10),
    ),
    Rule(
        "doubtful: 1 − alpha exceeds",
        _disagreement,
        1 - verdict.SLIGHT,
        range(20, 100, 10),
        (MAJORITY, OURS),
    ),
    Rule(
        "doubtful: the columns differ by more than",
        _differ,
        verdict.MAX_DIFFERENCE,
        (0, 2, 5, 8, 10, 15),
        (MAJORITY, OURS),
    ),
)


def limits(found: Sequence[Panel]) -> list[list[str]]:
    """Return, for each rule alone, its limit, the best one of those tried on half A, and where it fires."""
    halves = [[one for one in found if one.half == half] for half in "AB"]
    rows = []
    for rule in RULES:
        best = max(rule.tried, key=lambda limit, rule=rule: rule.gain(halves[0], mpq(limit, 100)))
        cells = [f"{sum(fired)} of {len(fired)}" for half in halves for fired in rule.fires(half, rule.limit)]
        rows.append([rule.text, fixed_text(rule.limit, 2), fixed_text(mpq(best, 100), 2), *cells])
    return rows
