"""The data that ships: the votes of the two-norm test, whole and as printed in the issue."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from ntqr_exact import VoteCounts, example
from ntqr_exact.errors import BadDocument
from ntqr_exact.examples import EXAMPLES, PANELS


def test_the_two_norm_votes_are_these():
    votes = example("two-norm").votes
    assert votes == VoteCounts(
        {"aaa": 181, "aab": 90, "aba": 86, "abb": 115, "baa": 86, "bab": 109, "bba": 100, "bbb": 233},
        judges=["1", "2", "3"],
    )
    assert votes.size == 1000
    assert example("two-norm").evaluation.key_counts == {"a": 400, "b": 600}


@pytest.mark.parametrize("name", [*EXAMPLES, *PANELS])
def test_every_example_can_be_read_and_names_its_source(name):
    shown = example(name)
    assert shown.path.is_file()
    assert shown.votes.size == sum(shown.evaluation.key_counts.values())
    assert set(shown.evaluation.key_counts) == set(shown.votes.labels)
    assert shown.title
    assert shown.origin


def test_unknown_example_is_refused_with_the_valid_names():
    with pytest.raises(BadDocument):
        example("three-norm")


@pytest.mark.parametrize("name", PANELS)
def test_the_key_of_a_panel_gives_its_evaluation(name):
    panel = example(name)
    assert 3 <= len(panel.labeled.judges) <= 7
    for judge, counts in enumerate(panel.evaluation.confusion):
        for label, votes in panel.labeled.by_label.items():
            assert dict(counts[label]) == votes.responses(judge)


def test_the_medqa_counts_are_those_of_the_ntqr_package():
    ntqr = pytest.importorskip("ntqr")
    source = Path(ntqr.__file__).parent / "notebooks" / "medQA4LLMsQ300.csv"
    with source.open(newline="", encoding="utf-8") as file:
        _, *rows = csv.reader(file)
    counts = Counter(tuple(cell.upper() for cell in row) for row in rows)
    stored = example("medqa").labeled
    assert counts == {
        (label, *pattern): n
        for label, votes in stored.by_label.items()
        for pattern, n in votes.counts.items()
        if n
    }
