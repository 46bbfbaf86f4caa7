"""Checks of section 4.3 in words, with eq. 36: what a pair's moment and its correlations tell."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula
from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluation import rational_rate
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.ledger.judgement import Finding, by_reading, counterexample, decided
from ntqr_exact.ledger.ntqr.counting import first_disagreement, small_tests
from ntqr_exact.ledger.ntqr.identities import in_parameters, written_test
from ntqr_exact.ledger.ntqr.small_votes import votes_text
from ntqr_exact.ledger.ntqr.symbols import read, symbols, written
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import pair_correlation, pair_correlations
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_GRADES = ("Qa", "Raa1", "Raa2", "Rbb1", "Rbb2")

_TWINS = ({"aab": 1, "aba": 1, "baa": 1, "bbb": 1}, {"aaa": 1, "abb": 1, "bab": 1, "bba": 1})
"""The smallest votes of three judges that differ and have the same votes of every pair: their difference is
+1 on patterns with an odd number of b, −1 on the others, or a multiple of that."""


def _twins() -> tuple[VoteCounts, VoteCounts]:
    first, second = (VoteCounts(counts) for counts in _TWINS)
    for i, j in itertools.combinations(range(3), 2):
        if first.marginal(i, j) != second.marginal(i, j):
            raise BadDocument(_TWINS, "the twins must look the same to every pair")
    return first, second


def _grades(votes: VoteCounts) -> set[tuple[int, ...]]:
    """Return (Q_a, right answers on a of each judge) of all consistent evaluations."""
    return {
        (graded.key_counts["a"], *(graded.confusion(judge)["a"]["a"] for judge in range(len(votes.judges))))
        for graded in ConsistentSet(votes)
    }


def pairs_decide() -> Finding:
    """Judge whether the votes of pairs decide which grades are consistent: of two judges, and of three."""
    first, second = _twins()
    only = sorted(_grades(first) - _grades(second))
    key, *right = only[0]
    return by_reading(
        {
            "two judges": all_correlations(),
            "three or more judges": decided(
                not only,
                f"{votes_text(first)} and {votes_text(second)} look the same to each judge and each pair",
                f"Q_a = {key} with {', '.join(map(str, right))} right answers on a fits the first, and no key of the "
                f"second; {len(only)} evaluations do so",
            ),
        }
    )


def moments_differ(printed: tuple[str, ...]) -> Finding:
    """Judge that the moments of three labels may differ, each from the next one in a chain."""
    labels = tuple("abc")

    def all_votes() -> Iterator[tuple[str, list[mpq]]]:
        for size in (1, 2, 3):
            for chosen in itertools.combinations_with_replacement(itertools.product(labels, repeat=2), size):
                counts = {pattern: chosen.count(pattern) for pattern in chosen}
                text = ", ".join(f"{''.join(pattern)}×{count}" for pattern, count in counts.items())
                votes = VoteCounts(counts, labels=labels)
                yield text, [votes.pair_moment(0, 1, label=label) for label in printed]

    differing = next(
        (
            f"{text}: {', '.join(map(str, values))}"
            for text, values in all_votes()
            if all(left != right for left, right in itertools.pairwise(values))
        ),
        "",
    )
    equal_moments = next(text for text, values in all_votes() if len(set(values)) == 1)
    return decided(
        bool(differing) and set(printed) == set(labels),
        f"smallest votes with different moments: {differing or 'none'}",
        f"they need not differ: {equal_moments} has equal ones; with two labels they are always equal",
    )


def single_observable() -> Finding:
    """Recover the four frequencies of a pair from f_{b_1}, f_{b_2} and Δ."""
    recovered = {
        "fb1b2": "D12 + fb1*fb2",
        "fa1b2": "fb2 - (D12 + fb1*fb2)",
        "fb1a2": "fb1 - (D12 + fb1*fb2)",
        "fa1a2": "1 - fb1 - fb2 + D12 + fb1*fb2",
    }
    fine = all(not in_parameters(read(f"{left} = {right}").polynomial()) for left, right in recovered.items())
    return decided(
        fine,
        "f_b1, f_b2 and Δ give all four frequencies of a pair: "
        + "; ".join(written(f"{left} = {right}") for left, right in recovered.items()),
        "three judges also need f_bbb, as eq. 40 does",
    )


def all_correlations() -> Finding:
    """Compare the whole points of eq. 37 with the correlations of all keys of small tests."""

    def cases() -> Iterator[tuple[str, bool]]:
        seen: dict[tuple[VoteCounts, tuple[int, ...]], set[tuple[mpq, mpq]]] = {}
        for test in small_tests(2, 4):
            if all(test.key_counts.values()):
                right = [test.confusion(judge)[label][label] for label in "ab" for judge in (0, 1)]
                point = [rational_rate(pair_correlation(test, label, 0, 1)) for label in "ab"]
                seen.setdefault((test.observed(), (test.key_counts["a"], *right)), set()).add(
                    (point[0], point[1])
                )
        for (votes, grades), points in seen.items():
            yield f"{votes_text(votes)}, grades {grades}", points == _on_line(votes, grades)

    return counterexample(
        cases(),
        checked="pairs with grades, up to 4 questions: whole points of eq. 37 are the consistent ones",
        proof="eq. 37 fixes k_a + k_b, the questions both answer rightly; grades and k_a fix all else of a key",
    )


def _on_line(votes: VoteCounts, grades: tuple[int, ...]) -> set[tuple[mpq, mpq]]:
    """Return the points of eq. 37 that belong to whole, possible numbers of questions both answer rightly."""
    key_a, first_a, second_a, first_b, second_b = grades
    key_b = votes.size - key_a
    share = mpq(key_a, votes.size)
    known = {
        "Pa": share,
        "Pb": 1 - share,
        "x1": mpq(first_a, key_a),
        "y2": mpq(second_b, key_b),
        "fa1": votes.response_rate(0, "a"),
        "fb2": votes.response_rate(1, "b"),
        "D12": votes.pair_moment(0, 1),
    }
    values = {symbols()[name].variables()[0]: value for name, value in known.items()}
    both = votes.counts
    found = set()
    for both_a in range(max(0, first_a + second_a - key_a), min(first_a, second_a) + 1):
        for both_b in range(max(0, first_b + second_b - key_b), min(first_b, second_b) + 1):
            point = (
                _correlation(key_a, both_a, first_a, second_a),
                _correlation(key_b, both_b, first_b, second_b),
            )
            fits = both_a <= both.get(("a", "a"), 0) and both_b <= both.get(("b", "b"), 0)
            if fits and _on_37(values, point):
                found.add(point)
    return found


def _correlation(questions: int, both: int, first: int, second: int) -> mpq:
    return mpq(both, questions) - mpq(first, questions) * mpq(second, questions)


@cache
def _eq_37() -> Formula:
    return read("(x1 - fa1)*(y2 - fb2) + Pa*(Ga12 - D12) + Pb*(Gb12 - D12)")


def _on_37(values: dict[str, mpq], point: tuple[mpq, mpq]) -> bool:
    names = (symbols()["Ga12"].variables()[0], symbols()["Gb12"].variables()[0])
    return _eq_37().evaluate({**values, **dict(zip(names, point, strict=True))}) == 0


def one_correlation(printed: int) -> Finding:
    """Judge how many pair correlations go with given grades: in the smallest test, and in those of the tables."""
    both = first_disagreement("Ga12", 2, given=_GRADES, largest=4)
    fixed = not in_parameters(read("Pa*Ga12 + Pb*Gb12 = D12 - (x1 - fa1)*(y2 - fb2)").polynomial())
    example = EXAMPLES["two-norm"]
    points = pair_correlations(example.votes, example.evaluation, 0, 1)
    return decided(
        both is None and len(points) == printed,
        f"smallest case, the same votes and grades: Γ^a of {both[0]}, but of {both[1]}"
        if both
        else "none is small",
        f"two-norm test: the true grades of the three judges leave {len(points)} pairs (Γ^a, Γ^b) of judges 1 and 2",
        "only P_aΓ^a + P_bΓ^b = Δ − (x_i − f_{a_i})(y_j − f_{b_j}) is the same for all" if fixed else "",
        right="an interval of whole numbers R^a_{a_i,a_j}, each with its own Γ^a and Γ^b; P_aΓ^a + P_bΓ^b is fixed",
    )


def correlations_needed() -> Finding:
    """Look for two tests of a pair with the same prevalence and accuracies, and other frequencies of its patterns."""
    seen: dict[tuple[int, ...], LabeledVoteCounts] = {}
    for test in small_tests(2):
        right = [test.confusion(judge)[label][label] for label in "ab" for judge in (0, 1)]
        first = seen.setdefault((test.size, test.key_counts["a"], *right), test)
        if first.observed() != test.observed():
            return decided(
                True, f"the same accuracies, other votes: {written_test(first)}; {written_test(test)}"
            )
    return decided(False, "in every small test the accuracies give the votes of the pair")
