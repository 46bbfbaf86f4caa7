"""The closed forms of three independent judges, on the synthetic evaluation that the paper publishes."""

import subprocess
import sys

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.algebra.notation import Quantity, frequency, of_judges
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.exact.surd import Surd
from ntqr_exact.postulates import independent, misprints, solution
from ntqr_exact.postulates.construction import definition_of, expected_frequency
from ntqr_exact.votes.counts import VoteCounts

SYNTHETIC = Evaluation.from_accuracies(
    {"a": "19/20", "b": "1/20"},
    [{"a": "18/25", "b": "11/100"}, {"a": "41/50", "b": "19/50"}, {"a": "71/100", "b": "43/50"}],
)
TABLE_9 = {
    "aaa": 2010437, "aab": 931913, "aba": 448913, "baa": 776713,
    "abb": 251237, "bab": 330937, "bba": 171437, "bbb": 78413,
}  # fmt: skip
PATTERNS = list(TABLE_9)


def values(evaluation):
    found = {f"prevalence_{label}": rate for label, rate in evaluation.prevalence.items()}
    for judge, rates in enumerate(evaluation.accuracy, start=1):
        found |= {f"accuracy_{label}_{judge}": rate for label, rate in rates.items()}
    return found


def test_table_8_gives_table_9_and_the_moments_of_the_paper():
    votes = VoteCounts(TABLE_9)
    assert votes.size == 5_000_000
    for pattern in PATTERNS:
        share = expected_frequency(dict(enumerate(pattern)), ("a", "b"), independent=True)
        assert share.evaluate(values(SYNTHETIC)) == votes.frequency(pattern)
    assert votes.trio_moment(0, 1, 2) == mpq(-165699, 200000000)
    for postulate in (*independent(3), *solution()):
        assert postulate.residual(SYNTHETIC, votes) == 0, postulate.name
    # d_1·d_2·d_3 < 0 here, which is the branch that eq. 40 prints
    assert misprints()["40"].residual(SYNTHETIC, votes) == 0


rates = st.fractions(min_value=0, max_value=1, max_denominator=6).map(mpq)


@given(rates, st.lists(st.tuples(rates, rates), min_size=3, max_size=3))
def test_every_closed_form_holds_for_any_independent_judges(share, accuracies):
    evaluation = Evaluation.from_accuracies(
        {"a": share, "b": 1 - share}, [{"a": x, "b": y} for x, y in accuracies]
    )
    point = values(evaluation)
    for pattern in PATTERNS:
        given_answers = dict(enumerate(pattern))
        point[frequency(given_answers).name] = expected_frequency(
            given_answers, ("a", "b"), independent=True
        ).evaluate(point)
    for judge in range(3):
        for label in "ab":
            point[frequency({judge: label}).name] = sum(
                point[frequency(dict(enumerate(p))).name] for p in PATTERNS if p[judge] == label
            )
        point[f"informedness_{judge + 1}"] = accuracies[judge][0] + accuracies[judge][1] - 1
    for i, j in ((0, 1), (0, 2), (1, 2)):
        point[frequency({i: "b", j: "b"}).name] = sum(
            point[frequency(dict(enumerate(p))).name] for p in PATTERNS if p[i] == p[j] == "b"
        )
    for variable in (*(of_judges(Quantity.PAIR_MOMENT, *pair) for pair in ((0, 1), (0, 2), (1, 2))),
                     of_judges(Quantity.TRIO_MOMENT, 0, 1, 2)):  # fmt: skip
        point[variable.name] = definition_of(variable, ("a", "b")).evaluate(point)
    root = of_judges(Quantity.SIGNED_ROOT)
    point[root.name] = definition_of(root, ("a", "b")).evaluate(point)
    assert point["trio_moment_1_2_3"] == share * (1 - share) * (2 * share - 1) * (
        point["informedness_1"] * point["informedness_2"] * point["informedness_3"]
    )
    for postulate in solution():
        assert postulate.polynomial.evaluate(point) == 0, postulate.name


def test_both_roots_are_solutions():
    """The other sign of s is the other solution: labels exchange their meaning."""
    votes = VoteCounts(TABLE_9)
    other = Evaluation.from_accuracies(
        {"a": "1/20", "b": "19/20"},
        [{"a": 1 - rates["b"], "b": 1 - rates["a"]} for rates in SYNTHETIC.accuracy],
    )
    for postulate in (*independent(3), *solution()):
        assert postulate.residual(other, votes) == 0, postulate.name
    assert misprints()["40"].residual(other, votes) != 0
    assert Surd.sqrt("338964921/400000000000000") == mpq(18411, 20000000)


@pytest.mark.parametrize("kind", [Quantity.PREVALENCE, Quantity.FREQUENCY])
def test_what_is_basic_has_no_definition(kind):
    variable = of_judges(kind)
    assert definition_of(variable, ("a", "b")) is None
    assert definition_of(of_judges(Quantity.ERROR, 0), ("a", "b", "c")) is None


def test_postulates_are_built_without_loading_sympy():
    script = "import sys; from ntqr_exact.postulates import trio; trio(); sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
