"""Checks of sections 4.1 and 4.3: the postulates of two judges, eqs. 24 to 26 and 33 to 37, and what they tell."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluation import rational_rate
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.ledger.equations import derivative
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, counterexample, decided
from ntqr_exact.ledger.ntqr.counting import definition, first_disagreement, small_tests, value_in, votes_text
from ntqr_exact.ledger.ntqr.identities import (
    Printed,
    code,
    in_parameters,
    read,
    symbols,
    written,
    written_test,
)
from ntqr_exact.ledger.registry import printed as printed_at
from ntqr_exact.postulates.equations import pair
from ntqr_exact.postulates.ideal import Ideal
from ntqr_exact.postulates.polynomial import Polynomial
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import pair_correlation, pair_correlations
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_BASIS = ("33a", "33b", "33c", "33d", "33e", "33f")


@dataclass(frozen=True, slots=True)
class Some:
    """So many of the postulates named."""

    number: int
    of: tuple[str, ...]


def _line(name: str) -> Polynomial:
    """Return a postulate as the source prints it."""
    return read(printed_at(f"ntqr/eq-{name}")).polynomial()


def postulate(printed: Printed, *, name: str) -> Finding:
    """Judge a postulate of two judges by counting, and by the library's own of that name."""
    found = definition(printed)
    if printed.formula.polynomial() == pair().rates[name].polynomial:
        return found
    return as_printed(False, *found.evidence)


def entangled(printed: tuple[str, ...]) -> Finding:
    """Judge that the postulates named, all with a correlation among 26, hold accuracies and correlations together."""
    mixed = [name for name in ("26a", "26b", "26c", "26d") if {"accuracy", "correlation"} <= _sorts(name)]
    return decided(
        list(printed) == mixed, f"accuracies and correlations stand together in {', '.join(mixed)}"
    )


def disentangled(printed: tuple[str, ...]) -> Finding:
    """Judge which of the postulates 33 hold no correlations."""
    free = [name for name in _BASIS if "correlation" not in _sorts(name)]
    return as_printed(list(printed) == free, f"no correlation stands in {', '.join(free)}")


def _sorts(name: str) -> set[str]:
    return {variable.split("_")[0] for variable in _line(name).variables()}


def same_ideal(*, first: tuple[str, ...], second: tuple[str, ...]) -> Finding:
    """Compare the ideals of two sets of postulates: as printed, and in the library's form."""
    known = pair().rates
    base = [each.polynomial for each in known if each.name in ("5", "18", "34") or each.name.startswith("f_")]
    complete = Ideal([*base, *(_line(name) for name in first)])
    outside = [name for name in second if in_parameters(_line(name))]
    corrected = complete.equals(Ideal([*base, *(known[name].polynomial for name in second)]))
    return as_printed(
        not outside and corrected,
        f"as printed, {' and '.join(outside) or 'none'} does not vanish on all tests that obey {', '.join(first)}",
        "with Γ^a and Γ^b exchanged in 33e and 33f both ideals are equal"
        if corrected
        else "even the right forms have another ideal",
        right="33a to 33d as printed, 33e and 33f with Γ^a and Γ^b exchanged",
    )


def three_independent(*, some: tuple[Some, ...]) -> Finding:
    """Judge 'two of the first three and one of the last three' in three senses of independence."""
    chosen = product(*(combinations(each.of, each.number) for each in some))
    choices = {each: _generates(each) for each in (sum(parts, ()) for parts in chosen)}
    good = [", ".join(choice) for choice, generates in choices.items() if generates]
    rank, total = _jacobian_rank(), sum(each.number for each in some)
    return by_reading(
        {
            "some such choice implies all six": as_printed(
                bool(good), f"these do: {'; '.join(good) or 'none'}"
            ),
            "every such choice implies all six": decided(
                len(good) == len(choices),
                f"{len(good)} of the {len(choices)} choices {'does' if len(good) == 1 else 'do'}",
                "33c adds nothing to one of 33a, 33b where u_1 = v_1 = 0; 33e and 33f do not give back 33d",
                right="only 33a, 33b and 33d",
            ),
            "so many satisfy no polynomial relation (algebraic independence)": decided(
                rank == total,
                f"the Jacobian of the six has rank {rank} at a rational point, so that at least {rank} "
                "satisfy no polynomial relation",
                right=f"at least {rank}",
            ),
        }
    )


def _generates(choice: tuple[str, ...]) -> bool:
    """Tell whether postulates chosen from the right six imply all of them, over the ring of excesses."""
    forms = _in_excesses()
    unknown = [name for name in choice if name not in forms]
    if unknown:
        raise BadDocument(unknown, f"the postulates here are {', '.join(forms)}")
    return Ideal([forms[name] for name in choice]).equals(Ideal(forms.values()))


def _in_excesses() -> dict[str, Polynomial]:
    """Return the six right forms in P_a, u_i = x_i − f_{a_i}, v_i = y_i − f_{b_i} and Γ − Δ.

    With f and Δ as they are, x, y, Γ can be shifted by them without changing what implies what.
    """
    shift = {name: Polynomial() for name in ("fa1", "fa2", "fb1", "fb2", "D12")}
    images = {code(name): value for name, value in shift.items()}
    images[code("Pb")] = 1 - symbols()["Pa"]
    known = pair().rates
    return {name: known[name].polynomial.substitute(images) for name in _BASIS}


def _jacobian_rank() -> int:
    """Return the rank of ∂(33a … 33f) at a rational point: a lower bound of the algebraic rank."""
    from ntqr_exact.algebra.rational_matrix import kernel  # loads sympy

    forms = _in_excesses()
    names = sorted({name for form in forms.values() for name in form.variables()})
    point = dict(zip(names, (mpq(1, number) for number in (2, 3, 5, 7, 11, 13, 17)), strict=True))
    rows = tuple(
        tuple(mpq(derivative(form, name).evaluate(point)) for name in names)  # type: ignore[arg-type]
        for form in forms.values()
    )
    return len(names) - len(kernel(rows))


def two_definitions(printed: tuple[Printed, Printed]) -> Finding:
    """Judge that two forms of a pair's moment are the same for every test, and are that moment."""
    moment = read("D12").polynomial()
    same = [not in_parameters(each.formula.polynomial() - moment) for each in printed]
    return as_printed(all(same))


def holds_for_correlated(*, names: tuple[str, ...]) -> Finding:
    """Judge that postulates which imply all six of 33 hold for every pair, also for one with correlated errors."""
    failing = [name for name in names if in_parameters(_line(name))]
    test = next(each for each in small_tests(2) if value_in(each, code("Ga12")))
    return decided(
        _generates(names) and not failing,
        f"{', '.join(names)} imply all six, and vanish identically in P_a, x, y and Γ",
        f"as in a test with correlated errors: {written_test(test)}",
    )


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
    both, eq_37 = votes.counts, read("(x1 - fa1)*(y2 - fb2) + Pa*(Ga12 - D12) + Pb*(Gb12 - D12)")
    found = set()
    for both_a in range(max(0, first_a + second_a - key_a), min(first_a, second_a) + 1):
        for both_b in range(max(0, first_b + second_b - key_b), min(first_b, second_b) + 1):
            point = (
                _correlation(key_a, both_a, first_a, second_a),
                _correlation(key_b, both_b, first_b, second_b),
            )
            fits = both_a <= both.get(("a", "a"), 0) and both_b <= both.get(("b", "b"), 0)
            values = {**known, "Ga12": point[0], "Gb12": point[1]}
            if fits and eq_37.evaluate({code(name): each for name, each in values.items()}) == 0:
                found.add(point)
    return found


def _correlation(questions: int, both: int, first: int, second: int) -> mpq:
    return mpq(both, questions) - mpq(first, questions) * mpq(second, questions)


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
