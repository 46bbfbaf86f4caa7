"""Judges who are copies or opposites of others are named, for any number of judges and labels."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest

from ntqr_exact import VoteCounts, solve_independent
from ntqr_exact.evaluators.copies import copy_notes


@pytest.mark.parametrize(("judges", "labels"), [(2, "ab"), (3, "ab"), (4, "abc"), (5, "abcd")])
def test_copies_and_renamed_copies_are_named_and_no_others(judges: int, labels: str) -> None:
    generator = random.Random(judges)
    seen = set()
    for _ in range(60):
        rows = [[generator.choice(labels) for _ in range(judges)] for _ in range(4)]
        names = list(labels)
        generator.shuffle(names)
        kind = generator.randrange(3)
        for row in rows:  # the last judge is a copy of the first, a renamed one, or neither
            row[-1] = (row[0], names[labels.index(row[0])], row[-1])[kind]
        votes = VoteCounts(dict.fromkeys(map(tuple, rows), 1), tuple(labels))
        notes = " ".join(copy_notes(votes))
        columns = list(zip(*votes.counts, strict=True))
        copies = {(i, j) for i, j in combinations(range(judges), 2) if columns[i] == columns[j]}
        renamed = {
            (i, j)
            for i, j in combinations(range(judges), 2)
            if len(set(columns[i])) > 1
            and any(
                tuple(dict(zip(labels, new, strict=True))[x] for x in columns[i]) == columns[j] != columns[i]
                for new in permutations(labels)
            )
        }
        assert bool(copies) == ("never disagree" in notes)
        assert bool(renamed) == ("as good as a copy" in notes)
        for i, j in copies | renamed:
            assert f"J{i + 1}" in notes
            assert f"J{j + 1}" in notes
        seen |= {bool(copies), bool(renamed) + 2}
    assert seen == {0, 1, 2, 3}


def test_solutions_of_any_panel_say_so() -> None:
    votes = VoteCounts({"abca": 8, "bcab": 3, "cabc": 3, "abcb": 1}, ("a", "b", "c"))
    assert any(
        "J2 is under other names (b for a, c for b, a for c) a copy of J1" in note
        for note in solve_independent(votes).notes
    )
