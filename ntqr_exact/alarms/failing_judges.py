"""`failing_judges`: how many judges must fail, whatever the answer key?

A judge passes at the level c if it is right on more than c of its questions of each label, or overall. The failing
judges hit every impossible group, of which no key lets all pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.failing_checker import FORMAT
from ntqr_exact.alarms.failing_search import (
    BUDGET,
    FailingSearch,
    Measure,
    Panel,
    Tree,
    clique_cover,
    groups_of,
)
from ntqr_exact.alarms.misalignment import checked_specification, joined, labeled, votes_document
from ntqr_exact.blocks.block import Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import Budget
from ntqr_exact.errors import BadChoice, BadNumber
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.show import counted
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_CURVE_PASSES, _MAX_SEARCHED = 5, 36
"""Of a staircase: how often cliques cover the judges at each level, and pairs of three labels that are searched."""


@dataclass(frozen=True, slots=True)
class FailingJudges(Value):
    """At least `proven` judges fail under every key, and under the witness exactly `attained` do.

    `tree` is the counting argument; `must_fail` are judges that fail under every key that attains the least number, by
    proofs of the same kind. If judges are trusted, all is said of keys under which these pass.
    """

    votes: VoteCounts
    level: mpq
    measure: Measure
    trust: tuple[str, ...]
    proven: int
    attained: int
    must_fail: tuple[str, ...]
    witness: LabeledVoteCounts
    tree: Tree
    must_fail_trees: tuple[Tree, ...]

    @property
    def is_exact(self) -> bool:
        """Whether the least number of failing judges is known."""
        return self.proven == self.attained

    @property
    def always_fail(self) -> tuple[str, ...]:
        """The judges that fail under every key under which the trusted ones pass."""
        names = []
        for name, tree in zip(self.must_fail, self.must_fail_trees, strict=True):
            known = {self.votes.place(judge) for judge in (name, *self.trust)}
            names += [name] if any(known.issuperset(x["judges"]) for x in tree.get("parts", ())) else []
        return tuple(names)

    def sentence(self) -> Sentence:
        """Return the result in a few sentences."""
        judges, every = counted(len(self.votes.judges), "judge"), self.measure == "every_label"
        their = "its" if self.proven == 1 else "their"
        failing = f"right on at most {self.level} of {'the questions of some label' if every else f'{their} questions'}"
        passing = f"right on more than {self.level} of {'the questions of every label' if every else 'their questions'}"
        text = f"whatever the answer key, at least {self.proven} of {judges} {_are(self.proven)} {failing}."
        if not self.attained:
            text = f"some answer key lets all {judges} be {passing}."
        elif not self.proven:
            text = f"no judge is proven to be {failing.replace('their', 'its')}."
        if self.trust:
            own = passing.replace("their", "its") if len(self.trust) == 1 else passing
            trusted = f"if {joined(self.trust)} {_are(len(self.trust))} {own}, then"
            text = f"{trusted} at least {self.proven} of {judges} {_are(self.proven)} not."
            if not self.proven:
                text = f"{trusted} {'no judge is proven to fail' if self.attained else f'all {judges} could be'}."
        if self.proven and self.attained:
            text += f" For some key it is {'exactly ' if self.is_exact else ''}{self.attained}."
        elif self.attained:
            text += f" Under some key, {counted(self.attained, 'judge')} {'fails' if self.attained == 1 else 'fail'}."
        return Sentence(f"{text[0].upper()}{text[1:]}{self.who()}", fires=self.proven > 0)

    def who(self) -> str:
        """Return sentences that name the first of the judges that fail, each after a space."""
        always, text = self.always_fail, ""
        others = [name for name in self.must_fail if name not in always]
        if always:
            text = f" Under every key, {joined(always)} {'fails' if len(always) == 1 else 'fail'}."
        if others:
            text += f" Whenever the fewest judges fail, {joined(others)} {_are(len(others))} among them."
        return text

    def to_document(self) -> dict[str, Any]:
        """Return the result as a certificate that `check_failing_certificate` checks."""
        panel, trees = Panel(self.votes, self.level, self.measure), (self.tree, *self.must_fail_trees)
        groups = dict.fromkeys(group for tree in trees for group in groups_of(tree))
        parts = [part.counts for part in self.witness.by_label.values()]
        key = [[str(part.get(x, 0)) for part in parts] for x, n in self.votes.counts.items() if n]
        return {
            **votes_document(self.votes, FORMAT),
            "level": str(self.level),
            "measure": self.measure,
            "trust": list(self.trust),
            "proven": self.proven,
            "attained": self.attained,
            "key": key,
            "tree": self.tree,
            "must_fail": [list(pair) for pair in zip(self.must_fail, self.must_fail_trees, strict=True)],
            "groups": panel.proofs(groups),
        }


@dataclass(frozen=True, slots=True)
class FailingCurve(Value):
    """The staircase: from the level of each step on, at least that number of judges fails, by impossible pairs.

    Unless `is_exact`, the threshold of some pair was not decided within the budget, and a step may begin later than it
    could, never earlier. `attained` has the failing judges of a key at some levels.
    """

    judges: int
    measure: Measure
    is_exact: bool
    steps: tuple[tuple[mpq, int], ...]
    attained: tuple[tuple[mpq, int], ...]

    def proven(self, level: RationalLike) -> int:
        """Return how many judges must fail at a level by the pairs."""
        return max((count for start, count in self.steps if start <= rational(level)), default=0)

    def sentence(self) -> Sentence:
        """Return the last step."""
        level, count = self.steps[-1] if self.steps else (mpq(1), 0)
        judges = counted(self.judges, "judge")
        return Sentence(f"From level {level} on, at least {count} of {judges} must fail.")


def failing_judges(
    votes: VoteCounts,
    level: RationalLike,
    *,
    measure: Measure = "every_label",
    trust: Iterable[Judge] = (),
    budget: int = BUDGET,
) -> FailingJudges:
    """Return how many judges fail at least to be right on more than `level` of what they answered, over all keys.

    `measure` asks for the level on every label, or overall. With `trust`, only keys count under which these judges
    pass. `budget` is the number of steps for groups of more than two judges and for the witness.

    >>> print(failing_judges(VoteCounts({"aab": 2, "aba": 2, "baa": 2, "bbb": 1}), "4/5"))
    Whatever the answer key, at least 2 of 3 judges are right on at most 4/5 of the questions of some
      label. For some key it is exactly 2.

    Raises `BadNumber` for a level that is not from 0 to 1, `BadChoice` for judges that cannot all be trusted.
    """
    panel = _panel_of(votes, level, measure)
    trusted = tuple(dict.fromkeys(votes.place(judge) for judge in trust))
    search = FailingSearch(panel, trusted, Budget(budget))
    search.run()
    trees: dict[str, Tree] = {}
    for j in sorted(search.failing):
        tree = search.prove(len(search.failing) + 1, (*trusted, j))
        if tree is not None:
            trees[votes.judges[j]] = tree
    return FailingJudges(
        votes,
        panel.level,
        measure,
        tuple(votes.judges[j] for j in trusted),
        search.proven,
        len(search.failing),
        tuple(trees),
        labeled(votes, search.key),
        search.tree,
        tuple(trees.values()),
    )


def failing_curve(
    votes: VoteCounts, *, measure: Measure = "every_label", budget: int = BUDGET
) -> FailingCurve:
    """Return the staircase of failures proven by pairs on what they answered, and what keys attain at eleven levels.

    >>> failing_curve(VoteCounts({"ab": 1, "ba": 1, "aa": 2})).steps
    ((mpq(3,4), 1),)
    """
    panel = _panel_of(votes, 0, measure)
    pairs = list(combinations(panel.judges, 2))
    share = 9 * budget // max(1, len(pairs)) if len(pairs) <= _MAX_SEARCHED else 0
    thresholds = sorted((*panel.threshold(*pair, share), pair) for pair in pairs)
    adjacent = [0 for _ in panel.judges]
    steps: list[tuple[mpq, int]] = []
    for level, group in groupby([x for x in thresholds if x[0] < 1], key=lambda x: x[0]):
        for _, _, (i, j) in group:
            adjacent[i] |= 1 << j
            adjacent[j] |= 1 << i
        count = len(panel.judges) - len(clique_cover(adjacent, panel.judges, _CURVE_PASSES))
        if count > (steps[-1][1] if steps else 0):
            steps.append((level, count))
    attained = []
    for level in (mpq(n, 20) for n in range(9, 20)):
        search = FailingSearch(Panel(votes, level, measure), (), Budget(budget // 10))
        attained.append((level, len(search.failing)))
    is_exact = all(known for _, known, _ in thresholds)
    return FailingCurve(len(panel.judges), measure, is_exact, tuple(steps), tuple(attained))


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _panel_of(votes: VoteCounts, level: RationalLike, measure: Measure) -> Panel:
    checked_specification(votes, None)
    if measure not in ("every_label", "overall"):
        raise BadChoice(measure, "measure must be 'every_label' or 'overall'")
    if not 0 <= rational(level) < 1:
        raise BadNumber(level, "level must be at least 0 and less than 1")
    return Panel(votes, rational(level), measure)
