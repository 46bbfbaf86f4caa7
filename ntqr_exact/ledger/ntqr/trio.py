"""Checks of section 5: three judges, eqs. 38 to 40."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import Identification
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided, equal
from ntqr_exact.ledger.ntqr.appendix import generating
from ntqr_exact.ledger.ntqr.counting import moments, votes_of_size, votes_text, without_solution
from ntqr_exact.ledger.ntqr.identities import (
    Hypothesis,
    Printed,
    hypotheses,
    in_parameters,
    in_rates,
    proportional,
    read,
    symbols,
    written_test,
)
from ntqr_exact.ledger.ntqr.synthetic_tables import (
    independent_frequencies,
    synthetic_evaluation,
    synthetic_moments,
    synthetic_votes,
)
from ntqr_exact.ledger.registry import printed as printed_at
from ntqr_exact.postulates.derivations import derive
from ntqr_exact.postulates.equations import solution, trio
from ntqr_exact.postulates.ideal import Outcome, eliminate_prevalence
from ntqr_exact.postulates.notation import NOTATION, VOTES, read_name
from ntqr_exact.postulates.polynomial import Polynomial
from ntqr_exact.postulates.refutations import Refutation, refute
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.votes.counts import VoteCounts


@dataclass(frozen=True, slots=True)
class Root:
    """A formula with a square root: its value, in which `root` stands for it, and what is under the root."""

    value: Printed
    radicand: Printed


def pairs_do_not_suffice() -> Finding:
    """Give two independent evaluations that no statistics of pairs tell apart: P_a·P_b·d² is the same."""
    worlds = [_alike(share, d) for share, d in ((mpq(1, 2), mpq(2, 5)), (mpq(1, 5), mpq(1, 2)))]
    frequencies = [independent_frequencies(world) for world in worlds]
    pairs = [
        {
            (i, j, given): sum(
                (f for pattern, f in table.items() if (pattern[i], pattern[j]) == given), mpq(0)
            )
            for i, j in itertools.combinations(range(3), 2)
            for given in itertools.product("ab", repeat=2)
        }
        for table in frequencies
    ]
    return decided(
        pairs[0] == pairs[1] and frequencies[0] != frequencies[1],
        "P_a = 1/2, all accuracies 7/10; P_a = 1/5, all accuracies 9/10 on a and 3/5 on b: "
        f"the same f_aa = {pairs[0][0, 1, ('a', 'a')]} and f_ab = {pairs[0][0, 1, ('a', 'b')]} of each pair",
        f"only the trio differs: f_bbb = {frequencies[0]['bbb']} and {frequencies[1]['bbb']}",
    )


def _alike(share: mpq, d: mpq) -> Evaluation:
    """Return three judges with f_a = 1/2 and x + y − 1 = d: x = 1/2 + P_b·d and y = 1/2 + P_a·d."""
    rates = {"a": mpq(1, 2) + (1 - share) * d, "b": mpq(1, 2) + share * d}
    return Evaluation.from_accuracies({"a": share, "b": 1 - share}, [rates] * 3)


def eight_patterns() -> Finding:
    """Judge that the eight frequencies determine independent judges, up to the names of the labels, if no Δ is 0."""
    forms = ("40", *(f"{letter}_{number}" for letter in "xy" for number in (1, 2, 3)))
    proven = not any(derive(name).problems() for name in forms)
    family = next(v for v in votes_of_size(1) if solve_independent(v).identification is Identification.FAMILY)
    return decided(
        proven,
        "P_a and all six accuracies are derived from the eight postulates, up to exchanging the labels, if no Δ is 0",
        f"not where all Δ are 0: a family of evaluations fits the votes {votes_text(family)}",
    )


def ranking() -> Finding:
    """Rank the judges of the synthetic evaluation by their error rates, in both solutions for its votes."""
    solved = solve_independent(synthetic_votes()).solutions
    errors = [
        [
            1
            - sum(
                (rational_rate(each.prevalence[label]) * rational_rate(right[label]) for label in "ab"),
                mpq(0),
            )
            for right in each.accuracy
        ]
        for each in solved
    ]
    orders = [[judge for _, judge in sorted(zip(found, (1, 2, 3), strict=True))] for found in errors]
    return by_reading(
        {
            "once it is known which of the two solutions is true": decided(
                len(set(errors[0])) == len(errors[0]),
                f"synthetic evaluation: best to worst {', '.join(map(str, orders[0]))}",
            ),
            "from the votes alone": decided(
                orders[0] == orders[1],
                f"the other solution has errors 1 − e_i, and best to worst {', '.join(map(str, orders[1]))}",
            ),
        }
    )


def degree_and_variables(printed: tuple[int, int]) -> Finding:
    """Judge the degree of the polynomials of the appendix, and the number of their variables."""
    forms = [read(text).polynomial() for text in generating().values()]
    degree = max(sum(p for n, p in m if not n.startswith("f")) for f in forms for m in f.terms)
    names = {n for f in forms for n in f.variables() if not n.startswith("f")}
    return as_printed(
        printed == (degree, len(names)),
        f"eqs. 41 to 48 have degree {degree} in {len(names)} variables: P_a and six accuracies",
    )


def correlations_in_the_appendix() -> Finding:
    """Judge whether the polynomials of the appendix hold error correlations."""
    held = {n for text in generating().values() for n in read(text).variables() if n.startswith("G")}
    return decided(
        bool(held),
        f"eqs. 41 to 48 hold {len(held)} correlations: they are those of independent judges only",
        f"the complete postulates of three judges hold {len(_correlations())} correlations and 7 other variables",
        right="the complete postulates with correlations are not printed",
    )


def _correlations() -> set[str]:
    return {n for each in trio().rates for n in each.polynomial.variables() if n.startswith("G")}


def eight_correlations(printed: mpq) -> Finding:
    """Judge the number of error correlations of three judges."""
    count = len(_correlations())
    pairs = sum(name.count("_") == 3 for name in _correlations())
    return equal(printed, mpq(count), f"{pairs} of pairs and {count - pairs} of the trio, together")


def ladder() -> Finding:
    """Judge that elimination from the eight polynomials leaves a quadratic for P_a."""
    votes = VoteCounts({"aaa": 1, "bbb": 2})
    found = eliminate_prevalence(votes)
    derivation = derive("39")
    empty = eliminate_prevalence(without_solution())
    return decided(
        found.outcome is Outcome.TWO_PREVALENCES
        and found.polynomial.degree == 2
        and not derivation.problems(),
        "the quadratic A·P_a² − A·P_a + Π is derived from eqs. 41 to 48; the independent checker accepts it",
        f"elimination on votes {votes_text(votes)}: {found.polynomial} = 0",
        f"where A = 0 or T = 0 less or more may remain: {votes_text(without_solution())} give {empty.outcome.value}",
        proof=derivation.to_document(),
    )


def quadratic(printed: Printed) -> Finding:
    """Judge the form of the quadratic, with the coefficients that are derived."""
    discriminant, moment_product = _coefficients()
    known = {"a": discriminant, "b": -discriminant, "c": moment_product}
    claim = read(printed.short, known).polynomial()
    derivation = derive("39")
    return as_printed(
        proportional(claim, derivation.claim.polynomial) and not derivation.problems(),
        "with a = A, b = −A, c = Π, where A = T² + 4Π and Π = Δ_12·Δ_13·Δ_23, it is derived from eqs. 41 to 48",
        "the source does not print a, b and c; b = −a makes 1 − P_a the other root",
        proof=derivation.to_document(),
    )


def _coefficients() -> tuple[Polynomial, Polynomial]:
    """Return A and Π."""
    return read("T**2 + 4*D12*D13*D23").polynomial(), read("D12*D13*D23").polynomial()


def _observed_only(form: Polynomial) -> bool:
    """Tell whether all variables of a polynomial are seen in the votes."""
    return all(NOTATION[read_name(name).kind].side == VOTES for name in form.variables())


def no_free_parameters() -> Finding:
    """Judge that the coefficients of the quadratic are functions of the votes."""
    coefficients = _coefficients()
    return decided(
        all(map(_observed_only, coefficients)),
        f"A = {coefficients[0]} and Π = {coefficients[1]}: all are functions of the votes",
    )


def no_guarantee() -> Finding:
    """Judge that some votes leave the quadratic without a root."""
    none = without_solution()
    imaginary = next(
        votes
        for size in itertools.count(1)
        for votes in votes_of_size(size)
        if (found := moments(votes))[2] < 0 and found[0]
    )
    quadratic = solution()["39"].specialise(none).polynomial
    return decided(
        quadratic.is_constant and bool(quadratic),
        f"no root at all: {votes_text(none)} has A = {moments(none)[2]}, Π = {moments(none)[1]}",
        f"no real root: {votes_text(imaginary)} has A = {moments(imaginary)[2]}",
    )


def prevalence(printed: Root) -> Finding:
    """Judge eq. 40: the radicand, then both signs of s = P_aP_bd_1d_2d_3, whose absolute value the root is."""
    root, signed = symbols()["root"], symbols()["s"]
    square = in_parameters(printed.radicand.formula.polynomial() - signed**2, Hypothesis.INDEPENDENT)
    claim = (read("Pa") - printed.value.formula).numerator
    branches = (
        [claim.substitute({"sign": sign}) for sign in (1, -1)] if "sign" in claim.variables() else [claim]
    )
    holds = {
        text: any(
            not in_parameters(each.substitute({root.variables()[0]: sign * signed}), Hypothesis.INDEPENDENT)
            for each in branches
        )
        for text, sign in (("d_1·d_2·d_3 > 0", 1), ("d_1·d_2·d_3 < 0", -1))
    }
    found = refute(in_rates("40", branches[0]), hypotheses(Hypothesis.INDEPENDENT))
    small = written_test(found.test) if isinstance(found, Refutation) else "none of up to 4 questions"
    right = [text for text, fits in holds.items() if fits]
    return decided(
        not square and all(holds.values()),
        f"the radicand is {'not A' if square else 'A = (P_aP_bd_1d_2d_3)²'}; smallest test that fails: {small}",
        f"it gives P_a only if {right[0]}, and 1 − P_a otherwise" if len(right) == 1 and not square else "",
        _at_the_synthetic_evaluation(),
        slip=bool(right) and not square,
    )


def _at_the_synthetic_evaluation() -> str:
    known = synthetic_moments()
    inside = (1 - known.trio / Surd.sqrt(known.discriminant)) / 2
    outside = (1 - known.trio / (4 * known.pair_product + known.trio)) / 2
    true = synthetic_evaluation().prevalence["a"]
    return (
        f"synthetic evaluation, P_a = {true}: it gives {inside}; with the square outside the root, as extracted, "
        f"{with_decimal(outside)}"
    )


def of_votes(*, claim: str) -> Finding:
    """Judge that a printed formula with a root is made of quantities seen in the votes."""
    parts = printed_at(claim)
    value, radicand = read(parts["value"]), read(parts["radicand"])
    names = sorted({*value.variables(), *radicand.variables()})
    forms = (value.numerator, value.denominator, radicand.numerator)
    return decided(
        all(map(_observed_only, forms)),
        f"eq. 40 is made of {len(names)} quantities seen in the votes, by + − × ÷ and one square root",
    )


def may_be_irrational() -> Finding:
    """Look for the smallest votes with an irrational solution."""
    votes = next(
        votes
        for size in itertools.count(1)
        for votes in votes_of_size(size)
        if moments(votes)[2] > 0 and moments(votes)[0] and not Surd.sqrt(moments(votes)[2]).is_rational
    )
    third, _, radicand = moments(votes)
    return decided(
        not Surd.sqrt(radicand).is_rational,
        f"smallest votes: {votes_text(votes)} have A = {radicand}, so P_a = {(1 - third / Surd.sqrt(radicand)) / 2}",
    )


def root_proves() -> Finding:
    """Judge that an irrational root refutes independence."""
    derivation = derive("s^2")
    votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    keys = list(ConsistentSet(votes))
    fine = [all(each.residual(key) == 0 for each in hypotheses(Hypothesis.INDEPENDENT)) for key in keys]
    return decided(
        not derivation.problems(),
        "independence makes A = (P_aP_bd_1d_2d_3)², the square of a rational; so an irrational root refutes it",
        f"not conversely: {votes_text(votes)} have √A = {Surd.sqrt(moments(votes)[2])}, and of their {len(keys)} keys "
        f"{sum(fine)} satisfy eqs. 41 to 48 and {len(keys) - sum(fine)} do not",
        proof=derivation.to_document(),
    )
