"""Claims of section 4.3 in words, with eq. 36: what a pair's moment and its correlations tell."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula
from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluation import rational_rate
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, counterexample, decided
from ntqr_exact.ledger.ntqr.counting import first_disagreement, small_tests
from ntqr_exact.ledger.ntqr.identities import in_parameters
from ntqr_exact.ledger.ntqr.small_votes import votes_text
from ntqr_exact.ledger.ntqr.symbols import read, symbols, written
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import pair_correlation, pair_correlations
from ntqr_exact.votes.counts import VoteCounts

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


def _only_interesting(_printed: str) -> Finding:
    first, second = _twins()
    only = sorted(_grades(first) - _grades(second))
    key, *right = only[0]
    return decided(
        not only,
        f"{votes_text(first)} and {votes_text(second)} look the same to each judge and each pair",
        f"Q_a = {key} with {right} right answers on a fits the first, and no key of the second; "
        f"{len(only)} evaluations do so",
        right="with three judges the votes of the trio decide too",
    )


def _three_labels(printed: str) -> Finding:
    """Compare the moments of three labels; `printed` says between which of them ≠ stands."""
    labels = tuple("abc")
    sides = [part.strip() for part in printed.split("!=")]
    if not set(sides) <= set(labels) or len(sides) < 2:
        raise BadDocument(printed, "a chain of labels a, b, c with != between them")

    def moments(pattern_counts: dict[tuple[str, ...], int]) -> list[mpq]:
        votes = VoteCounts(pattern_counts, labels=labels)
        return [votes.pair_moment(0, 1, label=label) for label in sides]

    def all_votes() -> Iterator[tuple[str, list[mpq]]]:
        for size in (1, 2, 3):
            for chosen in itertools.combinations_with_replacement(itertools.product(labels, repeat=2), size):
                counts = {pattern: chosen.count(pattern) for pattern in chosen}
                text = ", ".join(f"{''.join(pattern)}×{count}" for pattern, count in counts.items())
                yield text, moments(counts)

    def differ(values: list[mpq]) -> bool:
        return all(left != right for left, right in itertools.pairwise(values))

    example = next(
        (f"{text}: {', '.join(map(str, values))}" for text, values in all_votes() if differ(values)), ""
    )
    failing = next(
        (f"{text}: {', '.join(map(str, values))}" for text, values in all_votes() if not differ(values)), ""
    )
    equal_and_not_zero = next(
        f"{text}: all are {values[0]}" for text, values in all_votes() if len(set(values)) == 1 and values[0]
    )
    return by_reading(
        {
            "for every test": decided(
                not failing,
                f"smallest test that fails: {failing}",
                f"and with moments that are not 0: {equal_and_not_zero}",
                right="they may differ; with two labels they cannot",
            ),
            "for some tests": decided(
                bool(example),
                f"smallest with ≠ throughout: {example}",
            ),
        }
    )


def _single_observable(_printed: str) -> Finding:
    """Recover the four frequencies of a pair from f_{b_1}, f_{b_2} and Δ; compare trios that share these."""
    recovered = {
        "fb1b2": "D12 + fb1*fb2",
        "fa1b2": "fb2 - (D12 + fb1*fb2)",
        "fb1a2": "fb1 - (D12 + fb1*fb2)",
        "fa1a2": "1 - fb1 - fb2 + D12 + fb1*fb2",
    }
    fine = all(not in_parameters(read(f"{left} = {right}").polynomial()) for left, right in recovered.items())
    first, second = _twins()
    shares = [votes.frequency("bbb") for votes in (first, second)]
    return by_reading(
        {
            "two judges": decided(
                fine,
                "f_b1, f_b2 and Δ give all four frequencies: "
                + "; ".join(written(f"{k} = {v}") for k, v in recovered.items()),
            ),
            "any number of judges": decided(
                shares[0] == shares[1],
                f"{votes_text(first)} and {votes_text(second)} have equal f_b and Δ, "
                f"but f_bbb = {shares[0]} and {shares[1]}",
                right="three judges also need f_bbb, as eq. 40 does",
            ),
        }
    )


def _all_correlations(_printed: str) -> Finding:
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


def _only_one(printed: str) -> Finding:
    both = first_disagreement("Ga12", 2, given=_GRADES, largest=4)
    fixed = not in_parameters(read("Pa*Ga12 + Pb*Gb12 = D12 - (x1 - fa1)*(y2 - fb2)").polynomial())
    example = EXAMPLES["two-norm"]
    points = pair_correlations(example.votes, example.evaluation, 0, 1)
    return decided(
        both is None and len(points) == int(printed),
        f"smallest case, the same votes and grades: Γ^a of {both[0]}, but of {both[1]}" if both else "",
        f"two-norm test: the grades of all three leave {len(points)} pairs (Γ^a, Γ^b) of judges 1 and 2, not {printed}",
        "only P_aΓ^a + P_bΓ^b = Δ − (x_i − f_{a_i})(y_j − f_{b_j}) is the same for all" if fixed else "",
        right="an interval of whole numbers R^a_{a_i,a_j}, each with its own Γ^a and Γ^b; P_aΓ^a + P_bΓ^b is fixed",
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/sec-4-3/only-interesting-case",
        "section 4.3, before eq. 36",
        Kind.SENTENCE,
        "For two labels, pair correlations alone decide which evaluations the votes allow.",
        _only_interesting,
    ),
    Claim(
        "ntqr/eq-36",
        "eq. 36",
        Kind.SENTENCE,
        "With three labels the moments of the labels differ from each other.",
        _three_labels,
        printed="a != b != c",
        by_hand="One question that both answer a: all three moments are 0.",
    ),
    Claim(
        "ntqr/sec-4-3/single-observable",
        "section 4.3, after eq. 36",
        Kind.SENTENCE,
        r"For two labels the single observable $\Delta_{i,j}$ suffices.",
        _single_observable,
    ),
    Claim(
        "ntqr/sec-4-3/all-correlations",
        "section 4.3, after eq. 37",
        Kind.SENTENCE,
        "Eq. 37 gives all error correlations that fit the votes and the individual evaluations.",
        _all_correlations,
    ),
    Claim(
        "ntqr/sec-4-3/only-one-correlation",
        "abstract and section 4.3, after eq. 37",
        Kind.SENTENCE,
        "Only one error correlation is consistent once the individual evaluations are given.",
        _only_one,
        printed="1",
        by_hand="Votes aa, ab, ba, bb once each, Q_a = 2, all right once on each label: two keys.",
    ),
)
