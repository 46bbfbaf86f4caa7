"""The closed forms of three independent judges, on the synthetic evaluation that the paper publishes."""

import subprocess
import sys

from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.evaluation import Evaluation
from ntqr_exact.postulates import independent, misprints, solution
from ntqr_exact.postulates.equations import expected_frequency
from ntqr_exact.postulates.notation import definition_of, name_of, read_name
from ntqr_exact.postulates.polynomial import read_formula
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
    result = {f"P{label}": rate for label, rate in evaluation.prevalence.items()}
    for judge, rates in enumerate(evaluation.accuracy, start=1):
        result |= {f"{letter}{judge}": rates[label] for letter, label in (("x", "a"), ("y", "b"))}
    return result


def test_table_8_gives_table_9_and_the_moments_of_the_paper():
    votes = VoteCounts(TABLE_9)
    assert votes.size == 5_000_000
    for pattern in PATTERNS:
        share = read_formula(expected_frequency(dict(enumerate(pattern)), independent=True))
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
        answers = dict(enumerate(pattern))
        form = read_formula(expected_frequency(answers, independent=True))
        point[name_of("f", answers)] = form.evaluate(point)
    for judges in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2)):
        for label in "ab":
            point[name_of("f", dict.fromkeys(judges, label))] = sum(
                point[name_of("f", dict(enumerate(p)))]
                for p in PATTERNS
                if all(p[j] == label for j in judges)
            )
    for name in ("d1", "d2", "d3", "D12", "D13", "D23", "T", "s"):
        point[name] = read_formula(definition_of(read_name(name))).evaluate(point)
    assert point["T"] == share * (1 - share) * (2 * share - 1) * point["d1"] * point["d2"] * point["d3"]
    for postulate in solution():
        assert postulate.polynomial.evaluate(point) == 0, postulate.name


def test_postulates_are_built_without_loading_sympy():
    script = "import sys; from ntqr_exact.postulates import trio; trio(); sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
