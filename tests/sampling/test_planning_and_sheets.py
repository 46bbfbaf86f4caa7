"""Planning, choosing and reading back: counts by full scans, uniform draws, sheets that survive the round trip."""

from __future__ import annotations

import io
from collections import Counter
from itertools import product

import pytest
from gmpy2 import mpq

from ntqr_exact import (
    LabeledVoteCounts,
    PartialKey,
    VoteCounts,
    choose_questions,
    count_rows,
    questions_to_grade,
)
from ntqr_exact.errors import BadChoice, BadDecisions, BadDocument, BadNumber, BadVotes, TooMuchWork
from ntqr_exact.sampling.choosing import differing, read_sheet, write_sheet
from ntqr_exact.sampling.designs import Hypergeometric
from ntqr_exact.sampling.intervals import central_intervals
from ntqr_exact.sampling.partial_key import read_test

VOTES = VoteCounts({"aa": 6, "ab": 3, "ba": 2, "bb": 4})


@pytest.mark.parametrize("size", [0, 1, 7, 20, 33, 60])
def test_the_plan_is_the_first_number_that_suffices(size: int) -> None:
    widths = [
        max(high - low for low, high in central_intervals(Hypergeometric(size, graded), mpq(19, 20)))
        for graded in range(size + 1)
    ]
    for width in range(size + 1):
        assert questions_to_grade(size, width=width) == next(
            m for m, found in enumerate(widths) if found <= width
        )


def test_a_negative_width_is_refused() -> None:
    with pytest.raises(BadNumber, match="width must"):
        questions_to_grade(10, width=-1)


def test_every_question_is_equally_likely_to_be_drawn() -> None:
    drawn: Counter[object] = Counter()
    for seed in range(3000):
        drawn.update(choose_questions(VoteCounts({"a": 2, "b": 3}), 2, seed=seed).questions)
    assert set(drawn) == {(("a",), 1), (("a",), 2), (("b",), 1), (("b",), 2), (("b",), 3)}
    assert all(1080 <= count <= 1320 for count in drawn.values())  # 1200 in the mean, five deviations around


@pytest.mark.parametrize("number", [0, 1, 4, 9, 15])
def test_strata_share_the_number_by_their_sizes(number: int) -> None:
    chosen = choose_questions(VOTES, number, by_pattern=True, seed=3)
    shares = Counter(pattern for pattern, _ in chosen.questions)
    assert chosen.drawn.value == "by_strata"
    assert sum(shares.values()) == number == len(set(chosen.questions))
    for pattern, count in VOTES.counts.items():
        assert abs(shares[pattern] - mpq(number * count, 15)) <= 1
        assert shares[pattern] >= (1 if number >= 4 else 0)


def test_only_questions_on_which_two_judges_differ_are_drawn() -> None:
    chosen = choose_questions(VOTES, 5, between=("J1", "J2"), seed=1)
    assert Counter(pattern for pattern, _ in chosen.questions) == {("a", "b"): 3, ("b", "a"): 2}
    assert chosen.strata == differing(VOTES, 0, 1) == ((("a", "b"), ("b", "a")), (("a", "a"), ("b", "b")))
    for arguments, error in (
        ({"between": (0, 1), "by_pattern": True}, BadVotes),
        ({"between": (0, 1)}, BadNumber),
    ):
        with pytest.raises(error):
            choose_questions(VOTES, 6, seed=1, **arguments)
    with pytest.raises(BadNumber, match="15 questions"):
        choose_questions(VOTES, 16, seed=1)
    with pytest.raises(BadNumber, match="only 0 questions"):
        choose_questions(VoteCounts({"aa": 3}), 1, between=(0, 1), seed=1)


@pytest.mark.parametrize("how", [{}, {"by_pattern": True}])
def test_a_sheet_filled_in_from_the_top_is_read_back(how: dict[str, object]) -> None:
    rows = [list(pattern) for pattern, count in VOTES.counts.items() for _ in range(count)]
    source = "id,J1,J2\n" + "".join(f"q{number},{a},{b}\n" for number, (a, b) in enumerate(rows, start=1))
    chosen = choose_questions(VOTES, 5, seed=4, **how)
    sheet = io.StringIO()
    write_sheet(chosen, sheet, source=io.StringIO(source))
    header, *lines = sheet.getvalue().splitlines()
    assert header == "question,id,J1,J2,truth"
    for line in lines:  # each line is the row of the source that it says
        number, name, *answers, truth = line.split(",")
        assert (name, answers, truth) == (f"q{number}", rows[int(number) - 1], "")
    filled = [header, *(line + "a" for line in lines)]
    key = read_sheet(VOTES, io.StringIO("\n".join(filled)), drawn=chosen.drawn)
    assert isinstance(key, PartialKey)
    assert key.graded.key_counts == {"a": 5, "b": 0}
    if not how:
        partly = [header, *(line + "b" for line in lines[:2]), *lines[2:]]
        assert read_sheet(VOTES, io.StringIO("\n".join(partly))).graded.key_counts == {"a": 0, "b": 2}
        gap = [header, lines[0], *(line + "b" for line in lines[1:])]
        with pytest.raises(BadDecisions, match=r"line 2: .*skipped"):
            read_sheet(VOTES, io.StringIO("\n".join(gap)))
        assert read_sheet(VOTES, io.StringIO("\n".join(gap)), drawn="not_at_random").graded_size == 4


def test_a_sheet_that_does_not_fit_is_refused() -> None:
    chosen = choose_questions(VOTES, 2, seed=4)
    for text, match in (
        ("question,J1,J2\n", "column"),
        ("J1,J2,truth\na,a\n", "3 cells"),
        ("J1,J2,truth\na,a,c\n", "label must be"),
        ("J1,J2,truth\na,x,a\n", "votes must have"),
    ):
        with pytest.raises(BadDecisions, match=match):
            read_sheet(VOTES, io.StringIO(text))
    with pytest.raises(BadDecisions):
        write_sheet(chosen, io.StringIO(), source=io.StringIO("J1,J2\na,a\n"))


def test_a_sheet_keeps_the_names_of_questions_and_hides_the_key() -> None:
    rows = "question,J1,J2,truth\nq1,a,a,a\nq2,a,b,b\nq3,b,b,b\n"
    chosen = choose_questions(VoteCounts({"aa": 1, "ab": 1, "bb": 1}), 3, seed=4)
    sheet = io.StringIO()
    write_sheet(chosen, sheet, source=io.StringIO(rows))
    header, *lines = sheet.getvalue().splitlines()
    assert header == "question,J1,J2,truth"
    assert sorted(lines) == ["q1,a,a,", "q2,a,b,", "q3,b,b,"]


def test_a_truth_column_with_empty_cells_is_a_partial_key(tmp_path) -> None:  # type: ignore[no-untyped-def]
    rows = list(product("ab", "ab", ["a", "b", ""]))
    text = "A,B,key\n" + "".join(f"{','.join(row)}\n" for row in rows)
    key = read_test(io.StringIO(text), truth="key", drawn="at_random")
    assert (key.size, key.graded_size) == (12, 8)
    assert key.votes == count_rows([row[:2] for row in rows], judges=["A", "B"])
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for missing in ("", None):
        columns = {
            name: [row[place] or missing for row in rows] for place, name in enumerate(("A", "B", "key"))
        }
        for engine in (pandas, polars):
            assert read_test(engine.DataFrame(columns), truth="key", drawn="at_random") == key
    path = tmp_path / "key"
    for text_in, options, expected in (
        (key.to_json(), {}, key),
        (text, {"truth": "key", "drawn": "at_random"}, key),
        (text.replace(",\n", ",a\n"), {"truth": "key"}, LabeledVoteCounts),
        (key.votes.to_json(), {}, key.votes),
        ("A,B\na,b\n", {}, VoteCounts),
    ):
        path.write_text(text_in, encoding="utf-8")
        found = read_test(path, **options)
        assert isinstance(found, expected) if isinstance(expected, type) else found == expected
    for bad in ('{"graded": {}}', '{"graded": {}, "drawn": 1}'):
        path.write_text(bad, encoding="utf-8")
        with pytest.raises((BadDocument, BadChoice)):
            read_test(path)
    with pytest.raises(BadDocument, match="its own labels and key"):
        read_test(path, truth="key")
    with pytest.raises(BadDecisions):
        read_test(io.StringIO("A,key\n,a\n"), truth="key", drawn="at_random")


def test_a_few_of_very_many_questions_are_drawn_at_once():
    votes = VoteCounts({"aa": 10**999, "ab": 10**999})
    assert len({*choose_questions(votes, 3, seed=1).questions}) == 3
    with pytest.raises(TooMuchWork):
        choose_questions(votes, 10**18, seed=1)


def test_questions_with_gaps_are_drawn_written_and_read_back() -> None:
    votes = VoteCounts({"ab": 2, ("a", None): 2, (None, "b"): 1})
    sheet = io.StringIO()
    write_sheet(choose_questions(votes, 5, seed=3), sheet)
    header, *lines = sheet.getvalue().splitlines()
    key = read_sheet(votes, io.StringIO("\n".join([header, *(line + "a" for line in lines)])))
    assert key.graded.observed() == votes
    assert (key.right_answers(0), key.right_answers(1)) == ((4, 4), (0, 0))
