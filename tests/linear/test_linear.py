"""Programs over fractional keys against HiGHS, weak duality, and by trying all whole keys."""

from __future__ import annotations

import random
from itertools import product

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import Undecided
from ntqr_exact.linear import guess, simplex
from ntqr_exact.linear.simplex import KeyProgram, Row, solve

NUMBERS = (0, 0, 1, -1, 2, mpq(-3, 2), mpq(1, 3))


def value(table, key) -> mpq:
    return sum(
        (c * x for row, split in zip(table, key, strict=True) for c, x in zip(row, split, strict=True)),
        mpq(0),
    )


def is_met(program: KeyProgram, key) -> bool:
    return all(
        min(split) >= 0 and sum(split) == count for split, count in zip(key, program.counts, strict=True)
    ) and all(value(row.coefficients, key) >= row.least for row in program.rows)


def upper_bound(program: KeyProgram, multipliers, objective=None) -> mpq:
    """What no key exceeds by weak duality: Σ_p n_p·max_l(w + Σ_k λ_k·c_k) − Σ_k λ_k·b_k."""
    assert min(multipliers, default=0) >= 0
    total = -sum((number * row.least for number, row in zip(multipliers, program.rows, strict=True)), mpq(0))
    for p, count in enumerate(program.counts):
        total += count * max(
            (objective[p][label] if objective else 0)
            + sum(
                number * row.coefficients[p][label]
                for number, row in zip(multipliers, program.rows, strict=True)
            )
            for label in range(program.labels)
        )
    return total


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
            assert upper_bound(program, solution.multipliers) < 0
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


def test_too_many_pivots_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplex, "_MOST_PIVOTS", 0)
    with pytest.raises(Undecided):
        solve(KeyProgram((1,), 2, ()), ((0, 1),))
