"""The census against all answer keys, on every kind of executor; and the proven numbers of alarms on their page."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import product
from math import ceil, comb
from pathlib import Path

import pytest

from ntqr_exact import VoteCounts, solve_independent, take_census
from ntqr_exact.census import classify
from ntqr_exact.cli.main import main
from ntqr_exact.errors import BadNumber
from ntqr_exact.evaluators.independent.independent_solution import (
    Identification,
    IndependenceClass,
    IndependentSolution,
)
from ntqr_exact.sweep import engine
from tests.compositions import compositions

PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "counting_alarms.md"


def class_of(solution: IndependentSolution) -> IndependenceClass:
    if solution.identification is not Identification.IDENTIFIED:
        is_family = solution.identification is Identification.FAMILY
        return IndependenceClass.UNIDENTIFIED if is_family else IndependenceClass.CONTRADICTORY
    kinds = {alarm.kind.name for alarm in solution.alarms}
    order = ("IMAGINARY", "IRRATIONAL", "OUT_OF_RANGE", "NOT_WHOLE")
    return IndependenceClass[next((name for name in order if name in kinds), "INDEPENDENT")]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
def test_the_class_of_every_vote_is_that_of_its_solution(size) -> None:
    for counts in compositions(size, 8):
        votes = VoteCounts(dict(zip(product("ab", repeat=3), counts, strict=True)))
        assert classify(counts) is class_of(solve_independent(votes)), counts


def test_totals_are_those_of_the_page() -> None:
    census = take_census(12)
    assert list(census.classes.values()) == [9316, 3456, 14936, 7448, 1620, 10688, 2924]
    assert census.total == comb(19, 7)
    assert census.with_key == 9316 + 2924


def test_any_executor_gives_the_same_census() -> None:
    expected = take_census(6)
    visited = []
    with ThreadPoolExecutor(2) as pool:
        assert take_census(6, executor=pool, progress=visited.append) == expected
    assert sum(visited) == expected.total
    with engine(workers=2) as executor:
        assert take_census(6, executor=executor) == expected


def test_a_dask_cluster_gives_the_same_census(capsys) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as cluster:
        with engine(dask=cluster.scheduler_address) as executor:
            assert take_census(6, executor=executor) == take_census(6)
        assert main(["census", "--questions", "4", "--dask", cluster.scheduler_address, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == take_census(4).to_document()


@pytest.mark.parametrize(("questions", "error"), [(0, BadNumber), (-1, BadNumber), ("1/2", BadNumber)])
def test_bad_numbers_of_questions_are_refused(questions, error) -> None:
    with pytest.raises(error):
        take_census(questions)


def test_the_command_prints_the_classes(capsys) -> None:
    assert main(["census", "--questions", "5"]) == 0
    assert re.search(r"independent +304\n", capsys.readouterr().out)
    assert main(["census", "--questions", "0"]) == 2


# -- the formulas of the page ------------------------------------------------------------------------


def formulas():
    """Yield (judges, group, factor, polynomials by residue) of each line of the page's table of formulas."""
    block = PAGE.read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    for line in block.strip().splitlines():
        head, _, body = line.partition(": ")
        judges, group, factor = re.fullmatch(
            r"(\d) judges, (jointly|one by one), factor (\S+)", head
        ).groups()
        polynomials = []
        for text in body.split(", "):
            terms = re.findall(r"([+-]?)\s*(\d*)(Q(?:\^(\d+))?)?(?:/(\d+))?", text)
            polynomial = {}
            for sign, number, variable, exponent, divisor in terms:
                if number or variable:
                    value = Fraction(int(number or 1), int(divisor or 1)) * (-1 if sign == "-" else 1)
                    polynomial[int(exponent or 1) if variable else 0] = value
            polynomials.append(polynomial)
        yield int(judges), group, Fraction(factor), polynomials


def number_of_alarms(judges, group, factor, size) -> int:
    """Count the votes for which no key makes all judges right more often than 1/factor on every label."""
    patterns = list(product((0, 1), repeat=judges))
    alarms = 0
    for counts in compositions(size, len(patterns)):
        if group == "one by one":
            room = sum(
                max(
                    0,
                    ceil(factor * min(_given(patterns, counts, judge, label) for judge in range(judges))) - 1,
                )
                for label in (0, 1)
            )
            alarms += room < size
        else:
            alarms += not any(
                _is_safe(patterns, counts, split, factor)
                for split in product(*(range(count + 1) for count in counts))
            )
    return alarms


def _given(patterns, counts, judge, label) -> int:
    return sum(n for pattern, n in zip(patterns, counts, strict=True) if pattern[judge] == label)


def _is_safe(patterns, counts, split, factor) -> bool:
    """Whether the key with split[p] questions of label 0 in pattern p leaves all judges safe."""
    parts = (split, [n - k for n, k in zip(counts, split, strict=True)])
    return all(
        sum(part) == 0 or factor * _given(patterns, part, judge, label) > sum(part)
        for label, part in enumerate(parts)
        for judge in range(len(patterns[0]))
    )


def test_the_proven_numbers_of_alarms_are_those_of_all_keys() -> None:
    known = list(formulas())
    assert len(known) == 11
    for judges, group, factor, polynomials in known:
        largest = 5 if judges == 3 else 11 if group == "one by one" else 7
        for size in range(1, largest + 1):
            polynomial = polynomials[size % len(polynomials)]
            value = sum(coefficient * size**power for power, coefficient in polynomial.items())
            assert value == number_of_alarms(judges, group, factor, size), (judges, group, factor, size)
