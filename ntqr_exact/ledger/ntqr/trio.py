"""Sections 5 and 5.1 of the NTQR paper: three independent judges, the prevalence quadratic and its root."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

from gmpy2 import mpq

from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import Identification
from ntqr_exact.exact.show import with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided
from ntqr_exact.ledger.ntqr.identities import (
    Hypothesis,
    Printed,
    hypotheses,
    identity,
    in_parameters,
    in_rates,
    poly,
    proportional,
    read,
    var,
    written_test,
)  # fmt: skip
from ntqr_exact.ledger.ntqr.pairs import (
    BOOK,
    PAIRS,
    PATTERNS,
    agreement_square,
    frequencies,
    synthetic,
    synthetic_votes,
    votes_text,
)
from ntqr_exact.postulates.derivations import Refutation, derive, eliminate_prevalence, refute
from ntqr_exact.postulates.equations import trio
from ntqr_exact.postulates.notation import NOTATION, VOTES, read_name
from ntqr_exact.postulates.polynomial import Polynomial
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.votes.counts import VoteCounts


def moments(votes: VoteCounts) -> tuple[mpq, mpq, mpq]:
    """Return T, Π and A = T² + 4Π of the votes of three judges."""
    product = votes.pair_moment(0, 1) * votes.pair_moment(0, 2) * votes.pair_moment(1, 2)
    third = votes.trio_moment(0, 1, 2)
    return third, product, third**2 + 4 * product


def _all_votes() -> Iterator[VoteCounts]:
    for size in itertools.count(1):
        for chosen in itertools.combinations_with_replacement(PATTERNS, size):
            yield VoteCounts({pattern: chosen.count(pattern) for pattern in PATTERNS})


@cache
def without_solution() -> VoteCounts:
    """Return the smallest votes that no three independent judges have, over the complex numbers either."""
    result = (votes for votes in _all_votes() if solve_independent(votes).identification is Identification.NONE)
    return next(votes for votes in result if eliminate_prevalence(votes) == 1)


def generating() -> dict[str, str]:
    """Return eqs. 41 to 48 as printed; 42 without the β that is in its text."""
    return {name: BOOK.printed(f"eq-{name}").replace("beta*", "") for name in map(str, range(41, 49))}


@BOOK.claim
def _() -> Finding:
    """sec-5/pairs-impossible | section 5, first sentence
    Independent judges cannot be evaluated from statistics of pairs alone.
    note: for any number of judges pairs give only P_aP_b·d_i·d_j, never P_a itself
    """
    # f_a = 1/2 and x + y − 1 = d: x = 1/2 + P_b·d and y = 1/2 + P_a·d
    half = mpq(1, 2)
    worlds = [(share, (half + (1 - share) * d, half + share * d)) for share, d in ((half, mpq(2, 5)), (mpq(1, 5), half))]
    tables = [frequencies(share, [rates] * 3) for share, rates in worlds]
    pairs = [
        {(i, j, given): sum((f for p, f in table.items() if p[i] + p[j] == given), mpq(0))
         for i, j in PAIRS.values() for given in ("aa", "ab", "ba", "bb")}
        for table in tables
    ]  # fmt: skip
    return decided(
        pairs[0] == pairs[1] and tables[0] != tables[1],
        "P_a = 1/2, all accuracies 7/10; P_a = 1/5, all accuracies 9/10 on a and 3/5 on b: "
        f"the same f_aa = {pairs[0][0, 1, 'aa']} and f_ab = {pairs[0][0, 1, 'ab']} of each pair",
        f"only the trio differs: f_bbb = {tables[0]['bbb']} and {tables[1]['bbb']}",
    )


@BOOK.claim
def _() -> Finding:
    """sec-5/eight-patterns | section 5, before eq. 38
    The eight frequencies of three independent judges determine their evaluation.
    """
    forms = ("40", *(f"{letter}_{number}" for letter in "xy" for number in (1, 2, 3)))
    family = next(v for v in _all_votes() if solve_independent(v).identification is Identification.FAMILY)
    return decided(
        not any(derive(name).problems() for name in forms),
        "P_a and all six accuracies are derived from the eight postulates, up to exchanging the labels, if no Δ is 0",
        f"not where all Δ are 0: a family of evaluations fits the votes {votes_text(family)}",
    )


BOOK.table(
    identity,
    """
    eq-38 | eq. 38 | fa1a2a3 + fa1a2b3 + fa1b2a3 + fa1b2b3 + fb1a2a3 + fb1a2b3 + fb1b2a3 + fb1b2b3 = 1 | 38 | coq=equation_38
        The eight frequencies of three judges add up to 1.
    """,
)


def _of_the_key(form: Polynomial) -> list[str]:
    """Return the variables that are not seen in the votes."""
    return [name for name in form.variables() if NOTATION[read_name(name).kind].side != VOTES]


@BOOK.claim
def _(printed: tuple[int, int]) -> Finding:
    """sec-5/quartic | section 5, after eq. 38 | 4; 7
    The eight postulates of the appendix are of degree 4 in 7 variables.
    """
    forms = [poly(text) for text in generating().values()]
    names = {name for form in forms for name in _of_the_key(form)}
    degree = max(sum(power for name, power in m if name in names) for form in forms for m in form.terms)
    text = f"eqs. 41 to 48 have degree {degree} in {len(names)} variables: P_a and six accuracies"
    return as_printed(printed == (degree, len(names)), text)


@BOOK.claim
def _() -> Finding:
    r"""sec-5/rank | section 5, after eq. 38 | verdict=depends | essential
    The eight postulates of independent judges allow to rank them.
    quote: quartic polynomials in seven variables that allow us to rank the classifiers
    why: The polynomials have two solutions, $\hat P_a$ and $1 - \hat P_a$ with the accuracies exchanged, and these rank the
    classifiers in opposite orders. It must be known which is meant.
    by hand: Exchange the labels of the key: each right answer becomes a wrong one, and no vote changes.
    """
    share, rates = synthetic()
    errors = [1 - share * x - (1 - share) * y for x, y in rates]
    orders = [[j + 1 for j in sorted(range(3), key=lambda k: sign * errors[k])] for sign in (1, -1)]
    mirrored = frequencies(1 - share, [(1 - y, 1 - x) for x, y in rates]) == frequencies(share, rates)
    best = [", ".join(map(str, order)) for order in orders]
    return by_reading({
        "once it is known which of the two solutions is true": decided(
            len(set(errors)) == 3, f"synthetic evaluation: best to worst {best[0]}"
        ),
        "from the votes alone": decided(
            not mirrored or orders[0] == orders[1],
            f"the other solution has the same frequencies, errors 1 − e_i, and best to worst {best[1]}",
        ),
    })  # fmt: skip


def _correlations() -> set[str]:
    names = {name for each in trio().rates for name in each.polynomial.variables()}
    return {name for name in names if read_name(name).kind == "correlation"}


@BOOK.claim
def _() -> Finding:
    r"""sec-5/appendix-correlations | section 5, after eq. 38 | verdict=wrong
    The postulates of the appendix also hold the variables of the 8 error correlations of three judges.
    quote: But they also contain the variables that encode the error correlations between the classifiers.
    instead: the complete postulates with correlations are not printed
    why: Eqs. 41 to 48, the eight postulates of the appendix, are those of independent classifiers and hold 0 correlations.
    The complete postulates with their 8 correlations are not printed.
    """
    held = {name for text in generating().values() for name in poly(text).variables()} & _correlations()
    return decided(
        bool(held),
        f"eqs. 41 to 48 hold {len(held)} correlations: they are those of independent judges only",
        f"the complete postulates of three judges hold {len(_correlations())} correlations and 7 other variables",
    )


_A, _PRODUCT = "T**2 + 4*D12*D13*D23", "D12*D13*D23"


@BOOK.claim
def _(printed: Printed) -> Finding:
    r"""eq-39 | eq. 39, and section 5 before it | a*Pa**2 + b*Pa + c | coq=prevalence_quadratic
    Eliminating all else from the eight polynomials leaves $a\hat P_a^2 + b\hat P_a + c$ with polynomials $a$, $b$, $c$ of the
    frequencies.
    note: Π = (P_aP_b)³(d_1d_2d_3)² and A = (P_aP_bd_1d_2d_3)², so that P_a(1 − P_a)A = Π
    """
    claim = read(printed, {"a": poly(_A), "b": -poly(_A), "c": poly(_PRODUCT)}).polynomial()
    derivation, votes = derive("39"), VoteCounts({"aaa": 1, "bbb": 2})
    result, empty = eliminate_prevalence(votes), eliminate_prevalence(without_solution())
    left = result.degree == 2
    return as_printed(
        proportional(claim, derivation.claim.polynomial) and not derivation.problems() and left,
        "with a = A, b = −A, c = Π, where A = T² + 4Π and Π = Δ_12·Δ_13·Δ_23, it is derived from eqs. 41 to 48",
        "the source does not print a, b and c; b = −a makes 1 − P_a the other root",
        f"elimination on votes {votes_text(votes)}: {result} = 0",
        f"where A = 0 or T = 0 less or more may remain: {votes_text(without_solution())} give {empty} = 0: no three independent judges have these votes",
        proof=derivation.to_document(),
    )


@BOOK.claim
def _() -> Finding:
    """sec-5/no-free-parameters | section 5, after eq. 39, and section 5.1, list
    The coefficients of eq. 39 have no free parameters; eq. 40 is algebraic and has none but statistics of the votes.
    """
    forms = [read(text.strip()) for text in BOOK.printed("eq-40").split(";")]
    parts = [poly(_A), poly(_PRODUCT), *(side for form in forms for side in (form.numerator, form.denominator))]
    names = {name for form in forms for name in form.variables()}
    text = f"A, Π and the {len(names)} quantities of eq. 40 are all seen in the votes; it is made by + − × ÷ and one root"
    return decided(not any(map(_of_the_key, parts)), text)


@BOOK.claim
def _() -> Finding:
    """sec-5/no-guarantee | section 5, after eq. 39
    Eq. 39 need not have a solution.
    """
    none = without_solution()
    imaginary = next(votes for votes in _all_votes() if moments(votes)[2] < 0 and moments(votes)[0])
    return decided(
        moments(none)[2] == 0 and moments(none)[1] != 0,
        f"no root at all: {votes_text(none)} has A = {moments(none)[2]}, Π = {moments(none)[1]}",
        f"no real root: {votes_text(imaginary)} has A = {moments(imaginary)[2]}",
    )


_BRACKET = "(fb1b2b3 - (fb1*fb2*fb3 + fb1*D23 + fb2*D13 + fb3*D12))"
BOOK_40 = f"(1 - {_BRACKET}/root)/2; 4*D12*D13*D23 + {_BRACKET}**2"


def _prevalence(printed: tuple[Printed, Printed]) -> Finding:
    """Judge eq. 40, value and radicand: both signs of s = P_aP_bd_1d_2d_3, whose absolute value the root is."""
    value, radicand = printed
    root, signed = var("root"), var("s")
    square = in_parameters(radicand.polynomial - signed**2, Hypothesis.INDEPENDENT)
    claim = (read("Pa") - value.formula).numerator
    branches = [claim.substitute({"sign": sign}) for sign in (1, -1)] if "sign" in claim.variables() else [claim]
    fits = [
        any(
            not in_parameters(each.substitute({root.variables()[0]: sign * signed}), Hypothesis.INDEPENDENT)
            for each in branches
        )
        for sign in (1, -1)
    ]
    result = refute(in_rates("40", branches[0]), hypotheses(Hypothesis.INDEPENDENT))
    small = written_test(result.test) if isinstance(result, Refutation) else "none of up to 4 questions"
    trio_moment, product, discriminant = moments(synthetic_votes())
    inside = (1 - trio_moment / Surd.sqrt(discriminant)) / 2
    outside = (1 - trio_moment / (4 * product + trio_moment)) / 2
    only = "it gives P_a only if d_1·d_2·d_3 " + ("> 0" if fits[0] else "< 0") + ", and 1 − P_a otherwise"
    two = VoteCounts({"aaa": 2, "bbb": 1})
    small_root = Surd.sqrt(moments(two)[2])
    return decided(
        not square and all(fits),
        f"the radicand is {'not A' if square else 'A = (P_aP_bd_1d_2d_3)²'}; smallest test that fails: {small}",
        only if sum(fits) == 1 and not square else "",
        f"synthetic evaluation, P_a = {synthetic()[0]}: it gives {inside}; with the square outside the root, as extracted, "
        f"{with_decimal(outside)}",
        f"two a questions answered aaa and one b question answered bbb: T = {moments(two)[0]}, the root is {small_root}, and "
        f"it gives {(1 - moments(two)[0] / small_root) / 2} for P_a = 2/3",
        slip=any(fits) and not square,
    )


BOOK.table(
    _prevalence,
    rf"""
    eq-40 | eq. 40, and the captions of tables 2 and 6 | {BOOK_40} | verdict=misprint | essential
        | coq=printed_40_is_wrong, prevalence_found
        $\hat P_a = \frac12\left(1 - T/\sqrt{{4\Delta_{{1,2}}\Delta_{{1,3}}\Delta_{{2,3}} + T^2}}\right)$, $T = f_{{bbb}} -
        (f_{{b_1}}f_{{b_2}}f_{{b_3}} + f_{{b_1}}\Delta_{{2,3}} + f_{{b_2}}\Delta_{{1,3}} + f_{{b_3}}\Delta_{{1,2}})$.
        quote: $\frac12\left(1 - \frac{{T}}{{\sqrt{{4\Delta_{{1,2}}\Delta_{{1,3}}\Delta_{{2,3}} + T^2}}}}\right)$, $T$ being the bracket
        $f_{{\beta,\beta,\beta}} - (\ldots)$
        right: (1 + sign*{_BRACKET}/root)/2; 4*D12*D13*D23 + {_BRACKET}**2
        instead: $\frac12\left(1 \pm \frac{{T}}{{\sqrt{{4\Delta_{{1,2}}\Delta_{{1,3}}\Delta_{{2,3}} + T^2}}}}\right)$
        why: The quadratic has two roots, and the one printed is $\hat P_a$ only if an odd number of classifiers is worse than
        chance; this is so in the synthetic evaluation. The captions of tables 2 and 6 have the other root. In the extracted text
        the square is outside the root; we read it on the bracket.
        by hand: Two $a$ questions answered aaa and one $b$ question answered bbb: $T = \frac{{2}}{{27}}$ and the root is
        $\frac29$, so that eq. 40 gives $\frac13$ and not $\frac23$.
        garbled: The square is outside the root, and f_{{bbb}} is f_{{β,β,β}}; judged with the square on the bracket. Judges are
        i, j, k in one term and 1, 2, 3 in the others.
    """,
)


@BOOK.claim
def _() -> Finding:
    r"""table-1/roots | table 1 and section 5.1
    On the synthetic evaluation the root $\sqrt A$ of eq. 40 resolves into a rational number, and the root $c$ of the agreement
    solution does not.
    """
    discriminant = moments(synthetic_votes())[2]
    squares = {name: agreement_square(synthetic_votes(), as_printed=name == "Π(1 − a)") for name in ("Π(1 − a)", "Π(2a − 1)")}
    return decided(
        Surd.sqrt(discriminant).is_rational and not any(Surd.sqrt(square).is_rational for square in squares.values()),
        f"A = {discriminant} = ({Surd.sqrt(discriminant)})²",
        *(f"{name} = {square} is not a rational square" for name, square in squares.items()),
    )


@BOOK.claim
def _(printed: mpq) -> Finding:
    r"""fig-5/true-prevalence | figure 5, caption | 19/20
    The quadratic of the synthetic evaluation has the root $\hat P_a = 19/20$, which is recovered exactly, up to exchanging the
    labels.
    """
    _, product, discriminant = moments(synthetic_votes())
    value = discriminant * printed * (printed - 1) + product
    shares = [solution.prevalence["a"] for solution in solve_independent(synthetic_votes()).solutions]
    exact = set(shares) == {synthetic()[0], 1 - synthetic()[0]}
    return as_printed(
        value == 0 and exact and printed == synthetic()[0],
        f"A·P² − A·P + Π has the value {value} at {printed}",
        f"the solutions are P_a = {' and '.join(map(str, shares))}; both are exact",
    )


@BOOK.claim
def _() -> Finding:
    r"""fig-5/mirror | figure 5, caption
    Votes never tell $\hat P_a$ from $1 - \hat P_a$: all frequencies are the same.
    """
    swap = {"Pa": var("Pb"), "Pb": var("Pa")}
    for judge in "123":
        swap |= {f"x{judge}": 1 - var(f"y{judge}"), f"y{judge}": 1 - var(f"x{judge}")}
    forms = [poly(f"{text.partition('=')[2]}".replace("(1 - Pa)", "Pb")) for text in generating().values()]
    same = [form.substitute(swap) == form for form in forms]
    one, none = (frequencies(mpq(share), [(mpq(1), mpq(1))] * 3)["aaa"] for share in (1, 0))
    return decided(
        all(same),
        "P_a, x_i, y_i and 1 − P_a, 1 − y_i, 1 − x_i: "
        f"{sum(same)} of 8 frequencies of independent judges are the same, as polynomials",
        "the accuracies are exchanged with P_a; left as they are, the votes differ: "
        f"three perfect judges have f_aaa = {one} at P_a = 1, and f_aaa = {none} at P_a = 0",
    )


@BOOK.claim
def _() -> Finding:
    """sec-5-1/root-proves-correlation | section 5.1, after table 1
    The independent evaluator need not give rational numbers; if the square root of eq. 40 does not resolve, the judges are
    not error independent.
    """
    derivation, votes = derive("s^2"), VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    real = (each for each in _all_votes() if moments(each)[2] > 0 and moments(each)[0])
    smallest = next(each for each in real if not Surd.sqrt(moments(each)[2]).is_rational)
    third, _, radicand = moments(smallest)
    keys = list(ConsistentSet(votes))
    fine = sum(all(each.residual(key) == 0 for each in hypotheses(Hypothesis.INDEPENDENT)) for key in keys)
    return decided(
        not derivation.problems() and not Surd.sqrt(radicand).is_rational,
        f"smallest votes: {votes_text(smallest)} have A = {radicand}, so P_a = {(1 - third / Surd.sqrt(radicand)) / 2}",
        "independence makes A = (P_aP_bd_1d_2d_3)², the square of a rational; so an irrational root refutes it",
        f"not conversely: {votes_text(votes)} have √A = {Surd.sqrt(moments(votes)[2])}, and of their {len(keys)} keys "
        f"{fine} satisfy eqs. 41 to 48 and {len(keys) - fine} do not",
        proof=derivation.to_document(),
    )
