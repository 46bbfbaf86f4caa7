from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.alarms.misalignment import find_misalignment
from ntqr_exact.study.safety_part import key_runs
from ntqr_exact.votes.counts import VoteCounts

PATTERNS = ("aa", "ab", "ba", "bb")


@given(st.lists(st.integers(0, 8), min_size=4, max_size=4).filter(any), st.sampled_from((1, 2)))
def test_runs_say_for_each_key_what_the_trace_says(counts: list[int], size: int) -> None:
    found = find_misalignment(
        VoteCounts(dict(zip(PATTERNS, counts, strict=True)), labels=("a", "b")), group_size=size
    )
    told = [run.excluded_by for run in key_runs(found) for _ in range(run.first, run.last + 1)]
    assert told == [verdict.excluded_by for verdict in found.trace()]


def test_runs_follow_each_other_and_neighbours_differ() -> None:
    votes = VoteCounts({"aab": 5, "abb": 4, "bab": 3, "aaa": 2, "bbb": 6})
    runs = key_runs(find_misalignment(votes))
    assert runs[0].first == 0
    assert runs[-1].last == votes.size
    for left, right in pairwise(runs):
        assert right.first == left.last + 1
        assert right.excluded_by != left.excluded_by
