"""Programs over fractional keys against HiGHS, weak duality, and by trying all whole keys."""

from __future__ import annotations

import random
from itertools import product

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadDocument, BadVotes, Undecided
from ntqr_exact.linear import guess
from ntqr_exact.linear.program import KeyProgram, Row, is_met, refutes, upper_bound, value
from ntqr_exact.linear.simplex import solve
from ntqr_exact.linear.tree import Leaf, Split, halves, leaves, proves, tree_document, tree_from_document

NUMBERS = (0, 0, 1, -1, 2, mpq(-3, 2), mpq(1, 3))


def drawn(seed: int) -> tuple[KeyProgram, tuple[tuple[int, ...], ...]]:
    generator = random.Random(seed)
    patterns, labels = generator.randrange(1, 6), generator.randrange(2, 4)
    rows = tuple(
        Row(
            tuple(tuple(generator.choice(NUMBERS) for _ in range(labels)) for _ in range(patterns)),
            mpq(generator.randrange(-8, 9), generator.choice((1, 2))),
        )
        for _ in range(generator.randrange(7))
    )
    counts = tuple(generator.randrange(6) for _ in range(patterns))
    objective = tuple(tuple(generator.randrange(-3, 4) for _ in range(labels)) for _ in range(patterns))
    return KeyProgram(counts, labels, rows), objective


def by_highs(program: KeyProgram, objective) -> mpq | None:
    """The greatest objective of a fractional key, in floats, from scipy itself."""
    numpy, optimize = pytest.importorskip("numpy"), pytest.importorskip("scipy.optimize")
    size = len(program.counts) * program.labels
    sums = numpy.kron(numpy.eye(len(program.counts)), numpy.ones((1, program.labels)))
    rows = [[-float(c) for part in row.coefficients for c in part] for row in program.rows]
    found = optimize.linprog(
        [-c for part in objective for c in part],
        A_ub=numpy.array(rows).reshape(len(rows), size),
        b_ub=[-float(row.least) for row in program.rows],
        A_eq=sums,
        b_eq=program.counts,
    )
    return None if found.status == 2 else -found.fun


@pytest.mark.parametrize("start", range(0, 240, 40))
def test_the_simplex_finds_the_optimum_or_a_refutation(start: int) -> None:
    kinds = set()
    for seed in range(start, start + 40):
        program, objective = drawn(seed)
        solution, optimum = solve(program, objective), by_highs(program, objective)
        assert solve(program).is_feasible == solution.is_feasible == (optimum is not None), seed
        kinds.add(solution.is_feasible)
        if solution.is_feasible:
            assert is_met(program, solution.key)
            assert is_met(program, solve(program).key)
            # Equal bounds from both sides prove the optimum; HiGHS only agrees.
            best = upper_bound(program, solution.multipliers, objective)
            assert best == value(objective, solution.key)
            assert abs(best - mpq(optimum)) < mpq(1, 10**6)
        else:
            assert refutes(program, solution.multipliers)
    assert kinds == {True, False}


def test_guesses_come_near_the_exact_optimum_and_arrays_guess_the_same_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two labels: x is the first label's share; the multipliers, made rational, prove the same bound."""
    compared = 0
    for seed in range(120):
        program, objective = drawn(seed)
        if program.labels != 2 or not program.rows:
            continue
        exact = solve(program, objective)
        monkeypatch.setattr(guess, "_LARGE", 10**9)
        found = guess.least_cost(as_floats(program, objective))
        monkeypatch.setattr(guess, "_LARGE", 0)
        assert guess.least_cost(as_floats(program, objective)) == found
        assert found is not None
        assert (found.value > 1e3) == (not exact.is_feasible)
        if exact.is_feasible:
            best = value(objective, exact.key)
            multipliers = [mpq(number) if number > 0 else mpq(0) for number in found.multipliers]
            assert best <= upper_bound(program, multipliers, objective) <= best + mpq(1, 10**3)
            compared += 1
    assert compared > 10


def as_floats(program: KeyProgram, objective) -> guess.FloatProgram:
    """The program of the first label's shares, which may miss rows at a price that nobody pays in vain."""
    rows = [[float(a - b) for a, b in row.coefficients] for row in program.rows]
    constants = [
        float(sum(n * b for n, (_, b) in zip(program.counts, row.coefficients, strict=True)) - row.least)
        for row in program.rows
    ]
    cost = [float(b - a) for a, b in objective]
    room = [float(n) for n in program.counts]
    return guess.FloatProgram(rows, constants, [1.0] * len(rows), room, cost, 1e5, t_is_free=False)


def test_no_key_exceeds_the_bound_of_any_multipliers() -> None:
    generator = random.Random(7)
    for seed in range(40):
        program, objective = drawn(seed)
        multipliers = [mpq(generator.randrange(5), 2) for _ in program.rows]
        bound = upper_bound(program, multipliers, objective)
        splits = [
            [s for s in product(range(n + 1), repeat=program.labels) if sum(s) == n]
            for n in program.counts[:3]
        ]
        if len(program.counts) <= 3:
            for key in product(*splits):
                assert not is_met(program, key) or value(objective, key) <= bound


def test_multipliers_and_tables_of_a_wrong_shape_are_refused() -> None:
    program = KeyProgram((1,), 2, (Row(((1, 0),), 2),))
    for wrong in ((-1,), (1, 1)):
        with pytest.raises(BadVotes, match="1 rows have as many multipliers"):
            refutes(program, wrong)
    with pytest.raises(BadVotes, match="1 patterns and 2 labels"):
        KeyProgram((1,), 2, (Row(((1,),), 2),))
    with pytest.raises(Undecided):
        solve(KeyProgram((1,), 2, ()), ((0, 1),), most_pivots=0)


def test_trees_of_whole_numbers_and_of_rationals_are_written_and_read() -> None:
    tree = Split("q", mpq(5, 2), Leaf((mpq(1, 3),)), Split("r", mpq(1), Leaf(()), Leaf((mpq(2),))))
    assert tree_from_document(tree_document(tree)) == tree
    assert len(list(leaves(tree))) == 3
    for wrong in (
        {"leaf": 3},
        {"leaf": ["1"], "more": 1},
        {"split": "q", "at": "1", "below": {"leaf": []}},
        7,
    ):
        with pytest.raises(BadDocument):
            tree_from_document(wrong)


def test_a_tree_proves_only_what_every_leaf_refutes() -> None:
    """Σ of the leaves: q(9 − q) < 0 fails everywhere, and the parts must cover 0 … 9."""
    box = {"q": (mpq(0), mpq(9))}
    seen = []

    def refuted(part, multipliers) -> bool:
        seen.append(part["q"])
        return multipliers == (mpq(1),)

    good, bad = Leaf((mpq(1),)), Leaf((mpq(2),))
    assert proves(Split("q", mpq(4), good, good), box, refuted, gap=1)
    assert seen == [(0, 4), (5, 9)]
    assert not proves(Split("q", mpq(4), good, bad), box, refuted, gap=1)
    assert not proves(Split("q", mpq(4), bad, good), box, refuted)
    assert not proves(Split("p", mpq(4), good, good), box, refuted)
    assert [part["q"] for part in halves(box, "q", mpq(4))] == [(0, 4), (4, 9)]
