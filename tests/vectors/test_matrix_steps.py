"""The rates of independent judges are told matrix by matrix, and distances term by term."""

from collections.abc import Sequence
from itertools import product

import pytest

from ntqr_exact.vectors.families.independent import matrix_steps
from ntqr_exact.vectors.forms.votes import votes_from, votes_input
from ntqr_exact.vectors.registry import family

SMALL = [2, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 2]
"""24 questions of three judges who are alike: on each label they give one of two answers."""


def told(counts: Sequence[int], labels: str = "abc") -> list[str]:
    return [line.strip() for line in matrix_steps(votes_from(votes_input(counts, labels=labels)))]


def sparse(counts: dict[str, int]) -> list[int]:
    return [counts.get("".join(pattern), 0) for pattern in product("abc", repeat=3)]


def test_identified_judges_are_told_from_the_table_to_the_shares() -> None:
    lines = told(SMALL)
    assert lines[0] == "judges 1 and 2: S = [4, 2, 2; 2, 4, 2; 2, 2, 4]"
    # T for "judge 3 said a" is [2, 1, 1; 1, 1, 0; 1, 0, 1], and [1/2, 0, 0; …]·S is its first row.
    assert lines[1].endswith("[1/2, 0, 0; 1/4, 1/4, -1/4; 1/4, -1/4, 1/4]")
    assert lines[4] == "they all commute"
    # With t = 1 the matrices of all answers of judge 3 add up to the identity.
    assert lines[5].startswith("t = 1: Σ t^m·M_m = [1, 0, 0; 0, 1, 0; 0, 0, 1], det(x − Σ)")
    assert [line for line in lines if "eigenvector" in line] == [
        "the eigenvector of 3/2 with the sum 1: 1/2, 1/2, 0",
        "the eigenvector of 5/2 with the sum 1: 1/2, 0, 1/2",
        "the eigenvector of 3 with the sum 1: 0, 1/2, 1/2",
    ]
    assert lines[-1].endswith("its rows have the sums 1/3, 1/3, 1/3")


@pytest.mark.parametrize(
    ("counts", "last"),
    [
        ({"aaa": 1}, "no pair is left: the rates are not identified, and a key has to be searched for"),
        (
            {"aab": 1, "aba": 1, "baa": 1, "ccc": 1},
            "a root occurs twice, and the matrix has too few eigenvectors",
        ),
        ({"aaa": 1, "bbb": 1, "ccc": 1, "abb": 1, "bca": 1}, ": not the same"),
        ({"aab": 1, "aba": 1, "baa": 1, "bbb": 3, "ccc": 1}, "not all roots are rational"),
        ({"aab": 1, "aba": 1, "abb": 1, "baa": 1, "bab": 1, "bba": 1, "ccc": 1}, "not all roots are real"),
        ({"aaa": 1, "abb": 1, "bac": 1, "caa": 1, "cba": 1}, "its rows have the sums 1/5, 4/5, 0"),
    ],
)
def test_the_steps_end_where_the_question_is_decided(counts: dict[str, int], last: str) -> None:
    assert told(sparse(counts))[-1].endswith(last)


def test_a_pair_that_does_not_tell_the_labels_apart_is_followed_by_the_next() -> None:
    lines = told(sparse({"aab": 1, "aca": 1, "acb": 1, "baa": 1, "cba": 1}))
    assert "a root occurs twice for every t up to 9: this pair does not tell the labels apart" in lines
    assert lines[-3:-1] == [
        "judges 2 and 3: S = [1, 1, 0; 1, 0, 0; 1, 1, 0]",
        "S is singular: take the next pair",
    ]


def test_the_distance_to_the_nearest_evaluation_is_told_term_by_term() -> None:
    document = {**votes_input([2, 3], judges=1), "key_counts": [2, 3], "right": [[2, 2]]}
    lines = [line.strip() for line in family("nearest-evaluation").steps(document)]
    assert "D = (2 − (2))² + (1 − (2))² + (2 − (2))² = 1" in lines
    # Of the candidates one step away, (2, 2) is as near and comes later; R_b = 3 answers b leave t = s + 1.
    assert lines[-4:] == ["(1, 1): D = 3", "(3, 1): D = 3", "(2, 0): D = 5", "(2, 2): D = 1"]
