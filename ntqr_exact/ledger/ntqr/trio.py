"""Claims of section 5: three judges, eqs. 38 to 40."""

from __future__ import annotations

import itertools
from functools import partial

from gmpy2 import mpq

from ntqr_exact.algebra.notation import NOTATION, Side, read_name
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.citation import Citation
from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import Identification
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided, equal
from ntqr_exact.ledger.ntqr.generating_set import GENERATING
from ntqr_exact.ledger.ntqr.identities import (
    Hypothesis,
    hypotheses,
    identity,
    in_parameters,
    proportional,
    written_test,
)
from ntqr_exact.ledger.ntqr.small_votes import moments, votes_of_size, votes_text, without_solution
from ntqr_exact.ledger.ntqr.symbols import read, symbols
from ntqr_exact.ledger.ntqr.synthetic_trio import (
    independent_frequencies,
    synthetic_evaluation,
    synthetic_moments,
    synthetic_votes,
)
from ntqr_exact.postulates.derivations import derive
from ntqr_exact.postulates.postulate import Postulate, Space
from ntqr_exact.postulates.prevalence import Outcome, eliminate_prevalence
from ntqr_exact.postulates.refutations import Refutation, refute
from ntqr_exact.postulates.solution import discriminant, moment_product, solution
from ntqr_exact.postulates.trio import trio
from ntqr_exact.votes.counts import VoteCounts


def _pairs_do_not_suffice(_printed: str) -> Finding:
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
        "for any number of judges pairs give only P_aP_b·d_i·d_j, never P_a itself",
    )


def _alike(share: mpq, d: mpq) -> Evaluation:
    """Return three judges with f_a = 1/2 and x + y − 1 = d: x = 1/2 + P_b·d and y = 1/2 + P_a·d."""
    rates = {"a": mpq(1, 2) + (1 - share) * d, "b": mpq(1, 2) + share * d}
    return Evaluation.from_accuracies({"a": share, "b": 1 - share}, [rates] * 3)


def _eight_patterns(_printed: str) -> Finding:
    forms = ("40", *(f"{letter}_{number}" for letter in "xy" for number in (1, 2, 3)))
    proven = not any(derive(name).problems() for name in forms)
    family = next(v for v in votes_of_size(1) if solve_independent(v).identification is Identification.FAMILY)
    return by_reading(
        {
            "up to exchanging the labels, if no Δ is 0": decided(
                proven, f"P_a and all accuracies are derived from the eight postulates: {', '.join(forms)}"
            ),
            "every trio of independent judges": decided(
                False,
                f"votes {votes_text(family)}: every Δ is 0, and a family of evaluations fits",
                right="if Δ_12·Δ_13·Δ_23 ≠ 0, and even then there are two solutions, P_a and 1 − P_a",
            ),
        }
    )


def _ranking(_printed: str) -> Finding:
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
                len(set(errors[0])) == len(errors[0]), f"synthetic evaluation: best to worst {orders[0]}"
            ),
            "from the votes alone": decided(
                orders[0] == orders[1],
                f"the other solution has errors 1 − e_i, and best to worst {orders[1]}",
                right="the two solutions rank the judges in opposite orders",
            ),
        }
    )


def _degree_and_variables(printed: str) -> Finding:
    degree, variables = (int(number) for number in printed.split(","))
    forms = {name: read(text).polynomial() for name, text in GENERATING.items()}
    degrees = {
        max(sum(p for n, p in m if not n.startswith("frequency")) for m in f.terms) for f in forms.values()
    }
    names = {n for f in forms.values() for n in f.variables() if not n.startswith("frequency")}
    return decided(
        degrees == {degree} and len(names) == variables,
        f"eqs. 41 to 48 have degree {sorted(degrees)} in {len(names)} variables: P_a and six accuracies",
        right=f"{sorted(degrees)}, {len(names)}",
        slip=True,
    )


def _correlations_in_the_appendix(_printed: str) -> Finding:
    printed = {
        n for text in GENERATING.values() for n in read(text).variables() if n.startswith("correlation")
    }
    return decided(
        bool(printed),
        f"eqs. 41 to 48 hold {len(printed)} correlations: they are those of independent judges only",
        f"the complete postulates of three judges hold {len(_correlations())} correlations and 7 other variables",
        right="the complete postulates with correlations are not printed",
    )


def _correlations() -> set[str]:
    return {n for each in trio().rates for n in each.polynomial.variables() if n.startswith("correlation")}


def _eight_correlations(printed: str) -> Finding:
    count = len(_correlations())
    pairs = sum(name.count("_") == 3 for name in _correlations())
    return equal(printed, mpq(count), f"{pairs} of pairs and {count - pairs} of the trio, together")


def _ladder(_printed: str) -> Finding:
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


def _quadratic(printed: str) -> Finding:
    known = {"a": discriminant(), "b": -discriminant(), "c": moment_product()}
    claim = read(printed, known).polynomial()
    derivation = derive("39")
    return decided(
        proportional(claim, derivation.claim.polynomial) and not derivation.problems(),
        "with a = A, b = −A, c = Π, where A = T² + 4Π and Π = Δ_12·Δ_13·Δ_23, it is derived from eqs. 41 to 48",
        "the source does not print a, b and c; b = −a makes 1 − P_a the other root",
        right="A·P_a² − A·P_a + Π = 0",
        slip=True,
        proof=derivation.to_document(),
    )


def observed_only(form: Polynomial) -> bool:
    """Tell whether all variables of a polynomial are seen in the votes."""
    return all(NOTATION[read_name(name).kind].side is Side.VOTES for name in form.variables())


def _no_free_parameters(_printed: str) -> Finding:
    coefficients = (discriminant(), moment_product())
    return decided(
        all(map(observed_only, coefficients)),
        f"A = {coefficients[0]} and Π = {coefficients[1]}: all are functions of the votes",
    )


def _no_guarantee(_printed: str) -> Finding:
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


def _prevalence(printed: str) -> Finding:
    """Judge eq. 40: the radicand, then both signs of s = P_aP_bd_1d_2d_3, whose absolute value the root is."""
    value, radicand = printed.split(";")
    root, signed = symbols()["root"], symbols()["s"]
    square = in_parameters(read(radicand).polynomial() - signed**2, Hypothesis.INDEPENDENT)
    claim = (read("Pa") - read(value)).numerator
    holds = {
        text: not in_parameters(
            claim.substitute({root.variables()[0]: sign * signed}), Hypothesis.INDEPENDENT
        )
        for text, sign in (("d_1·d_2·d_3 > 0", 1), ("d_1·d_2·d_3 < 0", -1))
    }
    found = refute(
        Postulate("40", claim, Space.RATES, Citation("ntqr", "eq. 40")), hypotheses(Hypothesis.INDEPENDENT)
    )
    small = f"{written_test(found.test)}" if isinstance(found, Refutation) else "none of up to 4 questions"
    right = [text for text, fits in holds.items() if fits]
    return decided(
        not square and all(holds.values()),
        f"the radicand is {'A = (P_aP_bd_1d_2d_3)²' if not square else 'not A'}; smallest test that fails: {small}",
        f"it gives P_a only if {' or '.join(right) or 'never'}, and 1 − P_a otherwise",
        _at_the_synthetic_evaluation(),
        right="(1 ± T/√A)/2; the sign is that of d_1·d_2·d_3, which the votes do not tell",
        slip=True,
        arose="one of two branches is printed: the one that fits the synthetic evaluation",
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


_BRACKET = "(fb1b2b3 - (fb1*fb2*fb3 + fb1*D23 + fb2*D13 + fb3*D12))"
EQ_40 = f"(1 - {_BRACKET}/root)/2; 4*D12*D13*D23 + {_BRACKET}**2"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/sec-5/pairs-impossible",
        "section 5, first sentence",
        Kind.THEOREM,
        "Independent judges cannot be evaluated from statistics of pairs alone.",
        _pairs_do_not_suffice,
    ),
    Claim(
        "ntqr/sec-5/eight-patterns",
        "section 5, before eq. 38",
        Kind.THEOREM,
        "The eight frequencies of three independent judges determine their evaluation.",
        _eight_patterns,
    ),
    Claim(
        "ntqr/eq-38",
        "eq. 38",
        Kind.IDENTITY,
        "The eight frequencies of three judges add up to 1.",
        partial(identity, name="38"),
        printed="fa1a2a3 + fa1a2b3 + fa1b2a3 + fa1b2b3 + fb1a2a3 + fb1a2b3 + fb1b2a3 + fb1b2b3 = 1",
    ),
    Claim(
        "ntqr/sec-5/quartic",
        "section 5, after eq. 38",
        Kind.COUNT,
        "The eight postulates of the appendix are of degree 4 in 7 variables.",
        _degree_and_variables,
        printed="4, 7",
    ),
    Claim(
        "ntqr/sec-5/rank",
        "section 5, after eq. 38",
        Kind.SENTENCE,
        "The eight postulates of independent judges allow to rank them.",
        _ranking,
    ),
    Claim(
        "ntqr/sec-5/appendix-correlations",
        "section 5, after eq. 38",
        Kind.SENTENCE,
        "The postulates of the appendix also hold the variables of the error correlations.",
        _correlations_in_the_appendix,
    ),
    Claim(
        "ntqr/sec-5/eight-correlations",
        "section 5, after eq. 38",
        Kind.COUNT,
        "Three binary judges have 8 error correlations.",
        _eight_correlations,
        printed="8",
    ),
    Claim(
        "ntqr/sec-5/ladder",
        "section 5, before eq. 39",
        Kind.THEOREM,
        "Eliminating all else from the eight polynomials leaves a quadratic for $\\hat P_a$.",
        _ladder,
    ),
    Claim(
        "ntqr/eq-39",
        "eq. 39",
        Kind.IDENTITY,
        r"$a\hat P_a^2 + b\hat P_a + c$ with polynomials $a$, $b$, $c$ of the frequencies.",
        _quadratic,
        printed="a*Pa**2 + b*Pa + c",
        by_hand="Π = (P_aP_b)³(d_1d_2d_3)² and A = (P_aP_bd_1d_2d_3)², so P_a(1 − P_a)·A = Π.",
    ),
    Claim(
        "ntqr/sec-5/no-free-parameters",
        "section 5, after eq. 39",
        Kind.SENTENCE,
        "The coefficients of eq. 39 have no free parameters.",
        _no_free_parameters,
    ),
    Claim(
        "ntqr/sec-5/no-guarantee",
        "section 5, after eq. 39",
        Kind.SENTENCE,
        "Eq. 39 need not have a solution.",
        _no_guarantee,
    ),
    Claim(
        "ntqr/eq-40",
        "eq. 40",
        Kind.IDENTITY,
        r"$\hat P_a = \frac12\left(1 - T/\sqrt{4\Delta_{1,2}\Delta_{1,3}\Delta_{2,3} + T^2}\right)$, "
        r"$T = f_{bbb} - (f_{b_1}f_{b_2}f_{b_3} + f_{b_1}\Delta_{2,3} + f_{b_2}\Delta_{1,3} + f_{b_3}\Delta_{1,2})$.",
        _prevalence,
        printed=EQ_40,
        garbled="The square stands outside the root, and f_{bbb} as f_{β,β,β}; judged with the square on the bracket. "
        "Judges are i, j, k in one term and 1, 2, 3 in the others.",
        by_hand="Two a questions answered aaa and one b question answered bbb: T = 2/27, √A = 2/9, so it gives 1/3.",
    ),
)
