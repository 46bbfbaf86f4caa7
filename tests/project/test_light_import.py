"""`import ntqr_exact` stays light, and everything it promises can be had."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ntqr_exact

HEAVY = ("sympy", "numpy", "matplotlib", "pandas", "polars", "narwhals", "click")


def loaded_after(code: str) -> set[str]:
    listing = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    output = subprocess.run(
        [sys.executable, "-c", f"{code}\n{listing}"], check=True, capture_output=True, text=True
    )
    return set(output.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_after("import ntqr_exact").isdisjoint({*HEAVY, "gmpy2"})


def test_numbers_and_votes_need_neither_sympy_nor_numpy() -> None:
    code = (
        "from ntqr_exact import Surd, VoteCounts, rational\n"
        "Surd.sqrt(2) + rational('1/2'); VoteCounts({'ab': 1}).to_json()"
    )
    assert loaded_after(code).isdisjoint(HEAVY)


@pytest.mark.parametrize("name", ntqr_exact.__all__)
def test_every_public_name_can_be_imported_and_says_what_it_is(name: str) -> None:
    assert getattr(ntqr_exact, name).__doc__
    assert name in dir(ntqr_exact)


def test_every_line_of_the_stub_that_imports_a_public_name_is_read() -> None:
    stub = Path(ntqr_exact.__file__).with_suffix(".pyi").read_text()
    assert len(ntqr_exact._HOMES) == sum(line.startswith("from ntqr_exact") for line in stub.splitlines())


def test_evaluators_of_two_labels_need_no_sympy() -> None:
    code = (
        "from ntqr_exact import ConsistentSet, example, find_misalignment, solve_agreement, solve_independent\n"
        "votes = example('two-norm').votes\n"
        "solve_independent(votes); solve_agreement(votes); find_misalignment(votes); ConsistentSet(votes).count()"
    )
    assert loaded_after(code).isdisjoint(HEAVY)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        ntqr_exact.nonsense  # noqa: B018
