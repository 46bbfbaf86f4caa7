"""Real panels with known keys, and what each column makes of them."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gmpy2 import mpq

from ntqr_exact.errors import NtqrExactError
from ntqr_exact.evaluators.dawid_skene import DawidSkene, dawid_skene
from ntqr_exact.evaluators.grade import share_right
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.examples import EXAMPLES, PANELS, example
from ntqr_exact.study import verdict
from ntqr_exact.study.grades_study import right_in_all
from ntqr_exact.study.screen import Screen, study_screen
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern
from ntqr_exact.votes.read_votes import read_votes

MISLEADS, IS_RIGHT = verdict.MAX_ERROR, mpq(1, 20)
"""A column misleads if its mean error is above the first, and is right if it is below the second."""
MAJORITY, OURS, SOFT = "majority", "Dawid–Skene", "soft EM (crowd-kit)"

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

    @property
    def kind(self) -> str:
        return self.screen[0].verdict.kind

    @cached_property
    def estimate(self) -> DawidSkene:
        return dawid_skene(self.votes)

    @cached_property
    def majority(self) -> LabeledVoteCounts:
        return majority_vote(self.votes, ties=TiePolicy.FIRST_LABEL).key

    @cached_property
    def columns(self) -> dict[str, tuple[Shares, mpq | None]]:
        """Each judge's accuracy and the share of right labels, by column."""
        results = {
            MAJORITY: (_shares(self.majority), self._right(_labels(self.majority))),
            OURS: (self.estimate.accuracy, self._right(_labels(self.estimate.key))),
        }
        return results | ({SOFT: self._soft()} if importlib.util.find_spec("crowdkit") else {})

    def error(self, *columns: str) -> mpq:
        """The mean distance of the judges' accuracies from the true ones, of the worst of some columns."""
        pairs = [list(zip(self.columns[name][0], self.true, strict=True)) for name in columns]
        return max(mean(abs(x - y) for x, y in each if x is not None and y is not None) for each in pairs)

    @property
    def questions(self) -> list[tuple[Pattern, str, int]]:
        """The patterns with their labels and counts; none if the key is not known."""
        parts = self.labeled.by_label.items() if self.labeled else ()
        return [(p, label, n) for label, part in parts for p, n in part.counts.items() if n]

    def _right(self, guess: dict[Pattern, str]) -> mpq | None:
        hits = sum(n for pattern, label, n in self.questions if guess.get(pattern) == label)
        return mpq(hits, self.votes.size) if self.labeled else None

    def _soft(self) -> tuple[Shares, mpq | None]:
        import pandas as pd
        from crowdkit.aggregation import DawidSkene as Soft

        counts = self.votes.counts
        each = [pattern for pattern, n in counts.items() for _ in range(n)]
        rows = [(q, j, a) for q, pattern in enumerate(each) for j, a in enumerate(pattern) if a is not None]
        soft = Soft(n_iter=100).fit(pd.DataFrame(rows, columns=["task", "worker", "label"])).probas_
        known = {pattern: soft.loc[q].to_dict() for q, pattern in enumerate(each)}
        shares: list[mpq | None] = []
        for judge in range(len(self.votes.judges)):
            mine = [(known[p].get(p[judge], 0.0), n) for p, n in counts.items() if p[judge] is not None]
            shares.append(mpq(sum(x * n for x, n in mine)) / sum(n for _, n in mine) if mine else None)
        return shares, self._right({p: max(chance, key=chance.__getitem__) for p, chance in known.items()})


def mean(values: Iterable[mpq]) -> mpq:
    known = [*values]
    return sum(known, mpq(0)) / max(len(known), 1)


def _shares(key: LabeledVoteCounts) -> Shares:
    return [share_right(key, judge) for judge in range(len(key.judges))]


def _labels(key: LabeledVoteCounts) -> dict[Pattern, str]:
    return {pattern: label for label, part in key.by_label.items() for pattern in part.counts}


def panels(folder: str | None) -> Iterator[Panel]:
    """Yield the panels that ship, and every CSV file below a folder with a column `truth` and with new votes."""
    seen = []
    for name in (*PANELS, *EXAMPLES):
        each = example(name)
        if (labeled := each.labeled) is not None:
            seen.append(_answers(labeled))
            yield Panel(name, each.votes, _shares(labeled), labeled)
        else:
            rates = each.evaluation.rates()
            yield Panel(
                name, each.votes, [right_in_all(rates, j) for j in range(len(each.votes.judges))], None
            )  # type: ignore[misc]
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
