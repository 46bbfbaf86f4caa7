"""Many votes at once: the verdicts of `solve_independent`, row by row, within 64 bits and beyond."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact import solve_independent
from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.errors import BadVotes, EmptyTest, FloatRefused, MissingExtra, NotANumber, NotVotes
from ntqr_exact.evaluators.independent import many_trios
from ntqr_exact.evaluators.independent.independence_class import (
    TRIO_ALARMS,
    IndependenceClass,
    alarm_mask,
    alarms_of_mask,
    independence_class,
)
from ntqr_exact.evaluators.independent.many_trios import (
    LARGEST_SIZE,
    PATTERNS,
    solve_independent_many,
    votes_of_row,
)
from ntqr_exact.evaluators.independent.whole_moments import whole_moments
from ntqr_exact.varieties.compositions import compositions

IMAGINARY_ROW = [0, 1, 1, 1, 1, 1, 1, 0]


def one_by_one(rows):
    """Class, alarms and first key of each row, as `solve_independent` has them."""
    found = []
    for row in rows:
        solution = solve_independent(votes_of_row(row))
        kind = independence_class(solution)
        mask = alarm_mask(alarm.kind for alarm in solution.alarms)
        key = [-1] * 8
        if kind is IndependenceClass.INDEPENDENT:
            of_a = solution.keys[0].by_label["a"]
            key = [of_a.counts[pattern] for pattern in PATTERNS]
        found.append((int(kind), mask, key))
    return found


def at_once(rows):
    many = solve_independent_many(rows, keys=True)
    return list(zip(many.codes.tolist(), many.alarms.tolist(), many.keys.tolist(), strict=True))


def rank_one(questions, *right):
    """How many of the questions get each pattern if the judges' right answers are independent."""
    table = [questions]
    for answers in right:
        table = [part * share // questions for part in table for share in (answers, questions - answers)]
    return table


def independent_rows(sizes):
    """Rows with an independent key whose label a has q³ questions, so that every count is whole."""
    generator = np.random.default_rng(5)
    for q in sizes:
        one = rank_one(q**3, *(int(x) * q**2 for x in generator.integers(0, q + 1, 3)))
        two = rank_one(q**3, *(int(x) * q**2 for x in generator.integers(0, q + 1, 3)))
        yield [x + y for x, y in zip(one, two, strict=True)]


def random_rows(size, number, seed):
    generator = np.random.default_rng(seed)
    for _ in range(number):
        yield generator.multinomial(size, generator.dirichlet(np.full(8, 0.4))).tolist()


@pytest.mark.parametrize(
    "size", [*range(1, 7), *(pytest.param(size, marks=pytest.mark.slow) for size in (7, 8))]
)
def test_every_vote_of_a_small_test_has_class_alarms_and_key_of_the_single_solver(size):
    rows = list(compositions(size, 8))
    assert at_once(rows) == one_by_one(rows)


@pytest.mark.parametrize(
    "size", [12, 30, 200, 2000, LARGEST_SIZE - 1, LARGEST_SIZE, LARGEST_SIZE + 1, 10**5, 10**12]
)
def test_random_votes_of_any_size_have_the_single_solver_s_verdicts(size):
    rows = list(random_rows(size, 150, seed=size))
    assert at_once(rows) == one_by_one(rows)


def test_independent_rows_are_found_with_their_keys_below_and_beyond_64_bits():
    rows = list(independent_rows([4, 6, 8, 10] * 20 + [11, 30, 1000, 10**6, 10**7] * 4))
    found = at_once(rows)
    assert found == one_by_one(rows)
    assert sum(code == IndependenceClass.INDEPENDENT for code, _, _ in found) > 60


@given(st.lists(st.lists(st.integers(0, 600), min_size=8, max_size=8).filter(any), min_size=1, max_size=4))
def test_any_rows_have_the_single_solver_s_verdicts(rows):
    assert at_once(rows) == one_by_one(rows)


@given(
    st.lists(st.sampled_from([0, 1, 2, 3, 4, 6, 8, 12]), min_size=8, max_size=8).filter(any),
    st.integers(1, 10**13),
)
def test_votes_taken_many_times_keep_their_class_unless_counts_become_whole(row, times):
    first, taken = solve_independent_many([row, [count * times for count in row]]).codes.tolist()
    assert first == taken or (first, taken) == (IndependenceClass.NOT_WHOLE, IndependenceClass.INDEPENDENT)
    assert at_once([[count * times for count in row]]) == one_by_one([[count * times for count in row]])


def extreme_rows(size):
    """The votes that make the moments largest, with every choice of who is turned round."""
    half = size // 2
    for flip in range(8):
        for one in (half, size - half, size // 5, size * 4 // 5, 1):
            row = [0] * 8
            row[flip], row[7 - flip] = one, size - one
            yield row
    yield [0, size // 3, size // 3, 0, size - 2 * (size // 3), 0, 0, 0]
    yield [0, *[size // 6] * 6, size - 6 * (size // 6)]


@pytest.mark.parametrize("size", [LARGEST_SIZE, LARGEST_SIZE + 1])
def test_the_largest_moments_at_the_bound_are_decided_rightly(size):
    rows = list(extreme_rows(size))
    assert at_once(rows) == one_by_one(rows)


def test_the_proven_bound_is_the_largest_size_whose_discriminant_surely_fits():
    assert 5 * LARGEST_SIZE**6 // 64 < 2**63 - 2**54
    assert 5 * (LARGEST_SIZE + 1) ** 6 // 64 >= 2**63


@pytest.mark.parametrize("size", [5, 9, 40, LARGEST_SIZE])
def test_the_moments_stay_within_the_bounds_of_the_proof(size):
    for row in [*random_rows(size, 200, seed=1), *extreme_rows(size)]:
        if sum(row) == 0:
            continue
        whole = whole_moments(votes_of_row(row))
        assert all(4 * abs(moment) <= size**2 for moment in whole.pair.values())
        assert 8 * abs(whole.trio) <= size**3
        assert 64 * abs(whole.discriminant) <= 5 * size**6


def test_the_same_rows_have_the_same_verdicts_with_python_s_integers(monkeypatch):
    rows = [*random_rows(100, 200, seed=2), *compositions(4, 8), *independent_rows([4, 6])]
    within = at_once(rows)
    monkeypatch.setattr(many_trios, "LARGEST_SIZE", 0)
    assert at_once(rows) == within


def test_rows_of_all_sizes_may_stand_side_by_side_in_any_number_of_blocks(monkeypatch):
    rows = [
        row
        for size in (3, 10**4, 50, 10**20)
        for row in ([size, 0, 0, size, 1, 0, 0, 2], [0, size, 1, 0, 3, 0, size, 2])
    ]
    expected = one_by_one(rows)
    assert at_once(rows) == expected
    monkeypatch.setattr(many_trios, "_BLOCK", 3)
    assert at_once(rows) == expected


def test_the_whole_root_does_not_trust_where_it_starts(monkeypatch):
    numbers = np.array(
        [0, 1, 2, 3, 4, 15, 16, 17, 10**12, 10**12 - 1, 5 * LARGEST_SIZE**6 // 64], dtype=np.int64
    )
    for wrong in (0, 3, -3):
        start = np.sqrt
        monkeypatch.setattr(
            np, "sqrt", lambda values, start=start, wrong=wrong: np.maximum(start(values) + wrong, 0)
        )
        root, square = many_trios._whole_root(numbers)
        monkeypatch.setattr(np, "sqrt", start)
        assert all(r * r <= n < (r + 1) ** 2 for r, n in zip(root.tolist(), numbers.tolist(), strict=True))
        assert square.tolist() == [r * r == n for r, n in zip(root.tolist(), numbers.tolist(), strict=True)]


def test_every_unidentified_vote_has_an_independent_key():
    for row in compositions(6, 8):
        solution = solve_independent(votes_of_row(row))
        if independence_class(solution) is IndependenceClass.UNIDENTIFIED:
            assert solution.alarms == ()
            assert solution.keys


def test_a_row_can_be_solved_in_full():
    many = solve_independent_many([IMAGINARY_ROW, [1, 0, 1, 0, 1, 0, 1, 1]])
    assert many.kind(0) is IndependenceClass.IMAGINARY
    assert many.alarm_kinds(0) == (AlarmKind.NEGATIVE_PRODUCT, AlarmKind.IMAGINARY)
    assert many.solution(1) == solve_independent(votes_of_row([1, 0, 1, 0, 1, 0, 1, 1]))
    assert many.totals()[IndependenceClass.INDEPENDENT] == 1
    assert (len(many), many.keys) == (2, None)


def test_masks_and_alarms_are_two_forms_of_one_thing():
    for mask in range(1 << len(TRIO_ALARMS)):
        assert alarm_mask(alarms_of_mask(mask)) == mask


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64, object])
def test_whole_numbers_of_every_type_are_taken(dtype):
    rows = np.array([IMAGINARY_ROW, [1, 0, 1, 0, 1, 0, 1, 1]], dtype=dtype)
    assert solve_independent_many(rows).codes.tolist() == [4, 0]
    rows[0, 0] = 1  # what was given can still be written into


def test_results_cannot_be_written_into():
    many = solve_independent_many([IMAGINARY_ROW], keys=True)
    for array in (many.counts, many.codes, many.alarms, many.keys):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_no_rows_give_no_verdicts():
    assert len(solve_independent_many(np.empty((0, 8), dtype=np.int64), keys=True)) == 0


@pytest.mark.parametrize(
    ("counts", "error", "words"),
    [
        (np.ones((2, 8)), FloatRefused, "float"),
        ([[1, 2, 3, 4, 5, 6, 7, 0.5]], FloatRefused, "float"),
        ([[1, 2, 3, 4, 5, 6, 7, True]], NotANumber, "bool"),
        (np.ones((2, 8), dtype=bool), NotANumber, "whole number"),
        ([["1"] * 8], NotANumber, "str"),
        ([[None] * 8], NotANumber, "NoneType"),
        ([1] * 8, BadVotes, "n rows of eight"),
        ([[1] * 7], BadVotes, "n rows of eight"),
        ([[1] * 8, [1] * 7], BadVotes, "eight"),
        (5, BadVotes, "n rows of eight"),
        (np.ma.array(np.ones((1, 8), dtype=int), mask=[[True] + [False] * 7]), NotANumber, "masked"),
        ("text", BadVotes, "n rows of eight"),
        ([[1] * 8, [1, -1, 1, 1, 1, 1, 1, 1]], BadVotes, r"not negative \(row 1\)"),
        ([[1] * 8, [0] * 8], EmptyTest, r"row 1"),
        (votes_of_row([1] * 8), NotVotes, "solve_independent takes one"),
    ],
)
def test_what_is_no_counts_is_refused_in_words(counts, error, words):
    with pytest.raises(error, match=words):
        solve_independent_many(counts)


def test_without_numpy_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingExtra, match=r"\.\[arrays\]' in a clone"):
        solve_independent_many([[1] * 8])


@pytest.mark.parametrize(
    "row",
    [
        [0, 1, 1, 1, 1, 1, 4, 1],
        [0, 3, 1, 1, 1, 3, 2, 1],
        [0, 1, 1, 1, 2, 1, 7, 1],
        [0, 1, 3, 4, 4, 1, 3, 0],
        [4, 1, 0, 1, 3, 0, 3, 4],
        [0, 6, 2, 0, 1, 7, 3, 1],
    ],
)
def test_whole_answers_of_each_judge_alone_do_not_make_a_key(row):
    ((code, mask, _),) = at_once([row])
    assert (code, mask) == one_by_one([row])[0][:2]
    assert AlarmKind.NOT_WHOLE in alarms_of_mask(mask)


def test_keys_are_the_same_where_their_numbers_are_too_large_for_half_a_word(monkeypatch):
    rows = [*compositions(6, 8), *independent_rows([4, 6, 8, 10])]
    within = at_once(rows)
    monkeypatch.setattr(many_trios, "_HALF_WORD", 1)
    assert at_once(rows) == within


def test_results_do_not_change_when_what_was_given_is_written_into():
    rows = np.array([[1, 0, 1, 0, 1, 0, 1, 1]])
    many = solve_independent_many(rows)
    rows[:] = 7
    assert many.counts.tolist() == [[1, 0, 1, 0, 1, 0, 1, 1]]
