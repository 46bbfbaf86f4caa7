"""The key counts of an alarm of two labels, in runs with one verdict each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from ntqr_exact.alarms.misalignment import Misalignment


@dataclass(frozen=True, slots=True)
class KeyRun:
    """Numbers of questions of the first label, from `first` to `last`, with one verdict."""

    first: int
    last: int
    excluded_by: tuple[str, ...]

    @property
    def is_safe(self) -> bool:
        """Whether all judges could be safe there."""
        return not self.excluded_by


def key_runs(misalignment: Misalignment) -> list[KeyRun]:
    """Return the trace of an alarm of two labels in runs of equal verdicts, from no question of a to all.

    >>> from ntqr_exact import VoteCounts, find_misalignment
    >>> key_runs(find_misalignment(VoteCounts({"aa": 2, "bb": 1})))
    [KeyRun(first=0, last=1, excluded_by=('J1', 'J2')), KeyRun(first=2, last=3, excluded_by=())]
    """
    first_label = misalignment.votes.labels[0]
    verdicts = [(verdict.key_counts[first_label], verdict.excluded_by) for verdict in misalignment.trace()]
    runs = []
    for excluded_by, members in groupby(verdicts, key=lambda verdict: verdict[1]):
        keys = [key for key, _ in members]
        runs.append(KeyRun(keys[0], keys[-1], excluded_by))
    return runs
