"""A study of votes in which judges did not answer every question."""

import random

import pytest

from ntqr_exact import count_rows, study_votes
from ntqr_exact.study.votes_study import GRADING


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("filled", [0.9, 0.25])
def test_a_sparse_panel_is_graded(filled, keyed):
    generator = random.Random(3)
    rows = [
        tuple(generator.choice("ab") if generator.random() < filled else None for _ in range(8))
        for _ in range(40)
    ]
    rows = [row for row in rows if any(row)]
    votes = count_rows(rows, truth=[generator.choice("ab") for _ in rows] if keyed else None)
    study = study_votes(votes, parts=GRADING)
    assert str(study)
    assert study.to_json()
