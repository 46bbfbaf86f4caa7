"""Section 4 of the NTQR paper: agreement equations, pairs of judges and their error correlations."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

from gmpy2 import mpq
from sympy import Matrix, Rational

from ntqr_exact.evaluation import rational_rate
from ntqr_exact.exact.rational import rational
from ntqr_exact.examples import example
from ntqr_exact.ledger.judgement import Finding, all_cases, as_printed, by_reading, decided
from ntqr_exact.ledger.ntqr.identities import (
    Hypothesis,
    Printed,
    definition,
    first_disagreement,
    hypotheses,
    identity,
    in_parameters,
    in_rates,
    poly,
    read,
    shown,
    small_tests,
    value_in,
    var,
    written,
    written_test,
)  # fmt: skip
from ntqr_exact.ledger.ntqr.single_judge import BOOK
from ntqr_exact.postulates.derivations import Ideal, Refutation, derive, refute
from ntqr_exact.postulates.equations import pair
from ntqr_exact.postulates.polynomial import Polynomial
from ntqr_exact.varieties.consistent import ConsistentSet, error_correlation
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

PATTERNS = tuple("".join(pattern) for pattern in itertools.product("ab", repeat=3))
PAIRS = {"1-2": (0, 1), "1-3": (0, 2), "2-3": (1, 2)}


def frequencies(share: mpq, rates: list[tuple[mpq, mpq]]) -> dict[str, mpq]:
    """Return f of each pattern of three independent judges by P_a and their accuracies on a and b: eqs. 41 to 48."""
    result = {}
    for pattern in PATTERNS:
        on_a, on_b = share, 1 - share
        for answer, (x, y) in zip(pattern, rates, strict=True):
            on_a, on_b = on_a * (x if answer == "a" else 1 - x), on_b * (1 - y if answer == "a" else y)
        result[pattern] = on_a + on_b
    return result


def synthetic() -> tuple[mpq, list[tuple[mpq, mpq]]]:
    """Return P_a and the accuracies of table 8, as printed."""
    share, *rates = map(rational, BOOK.printed("table-8").split(";"))
    return share, list(zip(rates[::2], rates[1::2], strict=True))


@cache
def synthetic_votes() -> VoteCounts:
    """Return the votes of a test with the frequencies of the synthetic evaluation."""
    result = frequencies(*synthetic())
    size = 5_000_000
    return VoteCounts({pattern: int(value * size) for pattern, value in result.items()})


def agreement_square(votes: VoteCounts, *, as_printed: bool = False) -> mpq:
    """Return c² = Π(2a − 1) of the three pairs; or Π(1 − a), as eq. 23 is printed."""
    square = mpq(1)
    for i, j in PAIRS.values():
        rate = votes.agreement(i, j)
        square *= 1 - rate if as_printed else 2 * rate - 1
    return square


BOOK.table(
    identity,
    r"""
    eq-18 | eq. 18 | fa1a2 + fa1b2 + fb1a2 + fb1b2 = 1 | 18 | coq=equation_18
        Two binary judges can answer in $2^2 = 4$ ways, whose frequencies add up to 1.
    eq-20 | eq. 20 | a12 = 2 - e1 - e2 + 2*e12 | 20 | verdict=misprint | essential | coq=printed_20_is_wrong, equation_27
        right: a12 = 1 - e1 - e2 + 2*e12
        why: The constant is 1, as in eq. 27.
        by hand: Two classifiers that never err always agree: $a_{i,j}$ is 1, and not 2.
    eq-23 | eq. 23, table 10 (caption), and section 4 after eq. 23 | c**2 = (1 - a12)*(1 - a13)*(1 - a23) | 23
        | every test on which error rates multiply, e_ij = e_i·e_j | verdict=misprint | essential
        | coq=printed_23_is_wrong, equation_23
        quote: $c = \sqrt{(1 - a_{\{i,j\}})(1 - a_{\{i,k\}})(1 - a_{\{j,k\}})}$
        right: c**2 = (2*a12 - 1)*(2*a13 - 1)*(2*a23 - 1)
        instead: $c = \sqrt{(2a_{\{i,j\}} - 1)(2a_{\{i,k\}} - 1)(2a_{\{j,k\}} - 1)}$
        why: Eq. 22 solves $e_{\{i,j\}} = e_{\{i\}}e_{\{j\}}$ with factors $2a - 1$; the value in table 10 was made with the
        factors $1 - a$. Under this hypothesis $c$ is always rational, so that the perfect square that section 4 calls most
        certainly wrong is not a coincidence. On the synthetic evaluation, where the hypothesis fails, $c$ is irrational with
        either set of factors, so that the comparison of table 1 is valid.
        by hand: Three perfect classifiers agree always and never err, so that $c$ must be $1$, and not $0$.
    eq-27 | eq. 27 | a12 = 1 - e1 - e2 + 2*e12 | 27 | coq=equation_27
    eq-28 | eq. 28 | e1 = 1 - Pa*x1 - Pb*y2 | 28 | verdict=misprint | coq=printed_28_is_wrong, equation_28
        right: e1 = 1 - Pa*x1 - Pb*y1
        why: The last index is $b_i$, as in eq. 29: the error rate of classifier $i$ does not depend on classifier $j$.
        garbled: the index may be misread
    """,
)
BOOK.table(
    definition,
    r"""
    eq-19 | eq. 19, and after it; abstract | a12 = fa1a2 + fb1b2
        $a_{i,j} = f_{a_i,a_j} + f_{b_i,b_j}$: the agreement equations are postulates, sums of 26a and 26d.
    eq-24 | eq. 24 | Ga12 = Raa1a2/Qa - Raa1/Qa*(Raa2/Qa)
    eq-25 | eq. 25 | Gb12 = Rbb1b2/Qb - Rbb1/Qb*(Rbb2/Qb)
        garbled: The upper index of R is an o in the extracted text; it is read as b, as in eq. 24.
    eq-29 | eq. 29 | e1 = Pa*(1 - x1) + Pb*(1 - y1)
    eq-34 | eq. 34 | D12 = fb1b2 - fb1*fb2
    """,
)


@BOOK.claim
def _() -> Finding:
    r"""sec-4/not-independent | section 4, before eq. 20 | verdict=depends
    The postulates are not independent of each other, and not just linear equations.
    quote: The postulates are not independent of each other. … they are not just linear equations
    why: Of the complete postulates one follows from the others, and they are not linear in prevalence, accuracies and
    correlations. The three agreement equations, which the sentence before is about, do not follow from each other, since each
    holds correlations of its own pair, and are linear in the error rates $e_{\{i\}}$, $e_{\{j\}}$ and $e_{\{i,j\}}$ (eq. 27).
    """
    known = pair().rates
    others = Ideal([known[name].polynomial for name in ("5", "18", "26a", "26b", "26c")])
    held = {number: set(in_parameters(poly(f"a{number}")).variables()) for number in ("12", "13", "23")}
    own = [names - set().union(*(held[n] for n in held if n != number)) for number, names in held.items()]
    degree, linear = in_parameters(poly("a12")).degree, poly("a12 = 1 - e1 - e2 + 2*e12").degree
    return by_reading({
        "the complete postulates 26, in P_a, the accuracies and Γ": decided(
            others.contains(known["26d"].polynomial) and degree > 1,
            f"26d follows from 26a, 26b, 26c, 18 and 5; an agreement rate has degree {degree} in these",
        ),
        "the agreement equations of three pairs, in the error rates": decided(
            not all(own) and linear > 1,
            f"each agreement rate holds error correlations of its own pair alone; eq. 27 has degree {linear} in the error rates",
        ),
    })  # fmt: skip


def _defect() -> Polynomial:
    return in_parameters(poly("Pa*Pb*(x1 - y1)*(x2 - y2)"))


@BOOK.claim
def _does_not_multiply(printed: Printed) -> Finding:
    r"""eq-31 | eq. 31 | e12 = e1*e2 | coq=errors_multiply_is_wrong
    $e_{\{i,j\}} = e_{\{i\}} e_{\{j\}}$ does not follow if errors are independent given the true label.
    """
    claim = printed.polynomial
    rest = in_parameters(claim, Hypothesis.INDEPENDENT)
    result = refute(in_rates("21", claim), [in_rates(name, var(name)) for name in ("Ga12", "Gb12")])
    small = written_test(result.test) if isinstance(result, Refutation) else "none is small"
    gap = "P_a·P_b·(x_1 − y_1)(x_2 − y_2)" if rest == _defect() else shown(rest)
    return decided(rest == _defect(), f"smallest test with Γ^a = Γ^b = 0 on which it fails: {small}", f"e_12 − e_1·e_2 = {gap}")


@BOOK.claim
def _() -> Finding:
    r"""eq-21 | eqs. 21 and 22, and sections 4 and 4.2 | verdict=depends | essential | coq=errors_multiply_is_wrong
    It is an error to take $e_{i,j} = e_i e_j$ for error-independent judges; the agreement solution is incorrect.
    quote: They then note, incorrectly, that for error independent classifiers, $e_{i,j} = e_i e_j$.
    instead: incorrect for errors that are independent on each label; correct for errors that are independent over the whole
    test
    why: For classifiers whose errors are independent over the whole test the product rule is what independence means, and
    with $c^2 = \prod (2a - 1)$ eq. 22 is a correct solution. For errors that are independent given the true label, as this
    paper has it, rule and solution fail; $e_{\{i,j\}} - e_{\{i\}} e_{\{j\}} = \hat P_a \hat P_b (\hat P^a_{a_i} - \hat
    P^b_{b_i})(\hat P^a_{a_j} - \hat P^b_{b_j})$.
    by hand: From eq. 27 and $e_{\{i,j\}} = e_{\{i\}}e_{\{j\}}$: $2a_{\{i,j\}} - 1 = (1 - 2e_{\{i\}})(1 - 2e_{\{j\}})$.
    """
    rule = Printed(BOOK.printed("eq-31"))
    rest = in_parameters(rule.polynomial, Hypothesis.PRODUCT_RULE)
    missed = ""
    for test in small_tests(3):
        votes = test.observed()
        if missed or any(each.residual(test) != 0 for each in hypotheses(Hypothesis.INDEPENDENT)):
            continue
        factors = [2 * votes.agreement(i, j) - 1 for i, j in ((1, 2), (0, 2), (0, 1))]
        true = [value_in(test, f"e{number}") for number in (1, 2, 3)]
        if all(factors):
            # (1 − 2e_i)² = c²/(2a_jk − 1)², eq. 22 squared
            squares = [agreement_square(votes) / factor**2 for factor in factors]
            if any(e is not None and (1 - 2 * e) ** 2 != square for e, square in zip(true, squares, strict=True)):
                missed = f"{written_test(test)}: errors {', '.join(map(str, true))}, but eq. 22 has (1 − 2e)² = "
                missed += ", ".join(map(str, squares))
    right = not derive("22").problems() and not derive("23").problems()
    given = _does_not_multiply(rule)
    proven = "with c² = Π(2a − 1), eqs. 22 and 23 are derived from it, and the independent checker accepts it" if right else ""
    return by_reading({
        "errors independent given the true label": decided(
            bool(missed) and given.verdict.value == "holds", *given.evidence, f"the solution fails: {missed}"
        ),
        "errors independent over the whole test": decided(
            bool(rest) or not right, "then it is what independence of two events means", proven
        ),
    })  # fmt: skip


@BOOK.claim
def _(printed: Printed) -> Finding:
    r"""eq-22 | eq. 22 | e1 = (c + sign*(1 - 2*a23))/(sign*2*(1 - 2*a23)) | coq=equation_22
    $e_{\{i\}} = \dfrac{c \pm (1 - 2a_{\{j,k\}})}{\pm 2(1 - 2a_{\{j,k\}})}$, three error rates by three agreement rates.
    note: where some a_jk is 1/2, as with a judge who errs half the time, it is 0/0
    """
    c, signs = var("c"), []
    for sign in (1, -1):
        claim = printed.formula.numerator.substitute({"sign": sign})
        roots = (claim, claim.substitute({c.variables()[0]: -c}))
        if any(not in_parameters(root, Hypothesis.PRODUCT_RULE) for root in roots):
            signs.append(sign)
    return as_printed(
        signs == [1, -1],
        f"with c = ±Π(1 − 2e), {len(signs)} of the two signs solve e_ij = e_i·e_j: the solutions e_i and 1 − e_i",
    )


@BOOK.claim
def _() -> Finding:
    """sec-4-1/captures-correlations | section 4.1, before eqs. 24 to 26
    A pair needs a new statistic of correctness that captures its error correlations: the accuracies alone do not give the
    frequencies of its patterns.
    """
    seen: dict[tuple[int, ...], LabeledVoteCounts] = {}
    for test in small_tests(2):
        right = [test.confusion(judge)[label][label] for label in "ab" for judge in (0, 1)]
        first = seen.setdefault((test.size, test.key_counts["a"], *right), test)
        if first.observed() != test.observed():
            return decided(True, f"the same accuracies, other votes: {written_test(first)}; {written_test(test)}")
    return decided(False, "in every small test the accuracies give the votes of the pair")


@BOOK.table
def _postulate(printed: Printed, name: str) -> Finding:
    """
    says: The frequency of a pattern of two judges by prevalence, accuracies and correlations (eq. {1}).
    eq-26a | eq. 26a | fa1a2 = Pa*(x1*x2 + Ga12) + Pb*((1 - y1)*(1 - y2) + Gb12) | 26a | coq=pair_postulates
    eq-26b | eq. 26b | fa1b2 = Pa*(x1*(1 - x2) - Ga12) + Pb*((1 - y1)*y2 - Gb12) | 26b | coq=pair_postulates
    eq-26c | eq. 26c | fb1a2 = Pa*((1 - x1)*x2 - Ga12) + Pb*(y1*(1 - y2) - Gb12) | 26c | coq=pair_postulates
    eq-26d | eq. 26d | fb1b2 = Pa*((1 - x1)*(1 - x2) + Ga12) + Pb*(y1*y2 + Gb12) | 26d | coq=pair_postulates
    """
    result = definition(printed)
    return result if printed.polynomial == pair().rates[name].polynomial else as_printed(False, *result.evidence)


@BOOK.claim
def _(printed: Printed) -> Finding:
    r"""eq-30 | eq. 30 | e12 = Pa*(1 - x1)*(1 - x2) + Pb*(1 - y1)*(1 - y2) | verdict=depends | essential
    | coq=printed_30_is_wrong, equation_30
    $e_{\{i,j\}} = \hat P_a(1-\hat P^a_{a_i})(1-\hat P^a_{a_j}) + \hat P_b(1-\hat P^b_{b_i})(1-\hat P^b_{b_j})$ follows from
    eqs. 26 to 29.
    why: For classifiers that err independently on each label the formula is right. From eqs. 26a and 26d, which hold for
    correlated classifiers, the terms $\hat P_a \Gamma^a_{i,j} + \hat P_b \Gamma^b_{i,j}$ come with it.
    by hand: Two $a$ questions, answered aa and bb: the left side is $1/2$, the right side $1/4$.
    """
    claim = printed.polynomial
    correlated, free = in_parameters(claim), in_parameters(claim, Hypothesis.INDEPENDENT)
    test = LabeledVoteCounts({"a": VoteCounts({"aa": 1, "bb": 1})})
    case = f"two a questions answered aa and bb: e_12 = {value_in(test, 'e12')}, left − right = "
    return by_reading({
        "for judges who err independently on each label, as this section discusses": as_printed(
            not free, "it vanishes identically if Γ^a = Γ^b = 0"
        ),
        "for the correlated judges of eqs. 26, from which it is said to follow": as_printed(
            not correlated, f"left − right = {shown(correlated)}", f"{case}{in_rates('30', claim).residual(test)}",
            right="with + P_aΓ^a + P_bΓ^b",
        ),
    })  # fmt: skip


@BOOK.claim
def _(printed: tuple[Printed, Printed]) -> Finding:
    """eq-32 | eq. 32
    | Pa*(1 - x1)*(1 - x2) + Pb*(1 - y1)*(1 - y2); (Pa*(1 - x1) + Pb*(1 - y1))*(Pa*(1 - x2) + Pb*(1 - y2))
    | coq=errors_multiply_is_wrong, equation_32
    The joint error rate without correlations is in general not the product of the error rates.
    note: they are equal only if a label is empty, or one judge is as accurate on a as on b
    """
    rest = in_parameters(printed[0].polynomial - printed[1].polynomial)
    gap = "P_a·P_b·(x_1 − y_1)(x_2 − y_2)" if rest == _defect() else shown(rest)
    return as_printed(rest == _defect(), f"left − right = {gap}")


BOOK.table(
    identity,
    r"""
    eq-33a | eq. 33a | Pa*(x1 - fa1) - Pb*(y1 - fb1) | 33a | coq=equation_16
    eq-33b | eq. 33b | Pa*(x2 - fa2) - Pb*(y2 - fb2) | 33b | coq=equation_16
    eq-33c | eq. 33c | (x1 - fa1)*(y2 - fb2) - (y1 - fb1)*(x2 - fa2) | 33c | coq=equation_33c
    eq-33d | eq. 33d | (x1 - fa1)*(y2 - fb2) + Pa*(Ga12 - D12) + Pb*(Gb12 - D12) | 33d | coq=equation_33d
    eq-33e | eqs. 33e and 33f
        | (x1 - fa1)*(y2 - fb2)*((x1 - fa1) + (y1 - fb1)) + (x1 - fa1)*(Ga12 - D12) + (y1 - fb1)*(Gb12 - D12)
        | 33e | verdict=misprint | essential | coq=printed_33e_is_wrong, equation_33e
        right: (x1 - fa1)*(y2 - fb2)*((x1 - fa1) + (y1 - fb1)) + (x1 - fa1)*(Gb12 - D12) + (y1 - fb1)*(Ga12 - D12)
        why: $\Gamma^a$ and $\Gamma^b$ are interchanged. With them exchanged, 33e is $(\Gamma^b - \Gamma^a)$ times 33a plus
        $(\hat P^a_{a_i} + \hat P^b_{b_i} - 1)$ times 33d, and the six are a basis of the postulates 26, as the text says.
        Eq. 37, which the experiments use, is not affected.
        by hand: Two $a$ questions answered aa and bb, and a $b$ question answered aa: as printed 33e is $\frac{1}{24}$.
        garbled: In the first line hats are lost, f is a J, and the upper index b an a.
    eq-33f | eq. 33f
        | (x1 - fa1)*(y2 - fb2)*((x2 - fa2) + (y2 - fb2)) + (x2 - fa2)*(Ga12 - D12) + (y2 - fb2)*(Gb12 - D12)
        | 33f | verdict=misprint | coq=printed_33f_is_wrong, equation_33f
        with: eq-33e
        right: (x1 - fa1)*(y2 - fb2)*((x2 - fa2) + (y2 - fb2)) + (x2 - fa2)*(Gb12 - D12) + (y2 - fb2)*(Ga12 - D12)
    eq-35 | eq. 35 | D12 = fa1a2 - fa1*fa2 | 35 | coq=equation_35
    eq-37 | eq. 37 | (x1 - fa1)*(y2 - fb2) + Pa*(Ga12 - D12) + Pb*(Gb12 - D12) | 37 | coq=equation_33d
        Eq. 33d again, as the postulate that gives correlations from individual evaluations.
    """,
)
_BASIS = ("33a", "33b", "33c", "33d", "33e", "33f")


def _line(name: str) -> Polynomial:
    return poly(BOOK.printed(f"eq-{name}"))


@BOOK.claim
def _(printed: tuple[str, ...]) -> Finding:
    """sec-4-3/disentangled | section 4.3, before eq. 33 | 33a; 33b; 33c
    In eqs. 26 accuracies and correlations are mixed; the basis 33 has postulates without correlations: 33a to 33c.
    """
    letters = {n: {short[0] for short in _line(n).variables()} for n in ("26a", "26b", "26c", "26d", *_BASIS)}
    mixed = [name for name in letters if name.startswith("26") and letters[name] & {*"xy"} and "G" in letters[name]]
    free = tuple(name for name in _BASIS if "G" not in letters[name])
    text = f"accuracies and correlations are both in {', '.join(mixed)}; no correlation is in {', '.join(free)}"
    return as_printed(printed == free and len(mixed) == 4, text)


@BOOK.claim
def _() -> Finding:
    """sec-4-3/basis | section 4.3, before eq. 33 | verdict=misprint
    The six polynomials 33 are another basis of the postulates 26.
    with: eq-33e
    """
    known, first = pair().rates, ("26a", "26b", "26c", "26d")
    base = [each.polynomial for each in known if each.name in ("5", "18", "34") or each.name.startswith("f_")]
    complete = Ideal([*base, *(_line(name) for name in first)])
    outside = [name for name in _BASIS if in_parameters(_line(name))]
    corrected = complete.equals(Ideal([*base, *(known[name].polynomial for name in _BASIS)]))
    return as_printed(
        not outside and corrected,
        f"as printed, {' and '.join(outside) or 'none'} does not vanish on all tests that obey {', '.join(first)}",
        f"with Γ^a and Γ^b exchanged in 33e and 33f both ideals are {'equal' if corrected else 'different'}",
        right="33a to 33d as printed, 33e and 33f with Γ^a and Γ^b exchanged",
    )


@BOOK.claim
def _(first: tuple[str, ...], last: tuple[str, ...]) -> Finding:
    r"""sec-4-3/three-independent | section 4.3, after eq. 33, and footnote 2 | 33a; 33b; 33c | 33d; 33e; 33f | verdict=depends
    Of the six, three are algebraically independent: two of the first three, one of the last three.
    quote: There are only three that are. Two from the first three equations, and one from the last three.
    why: Of the 9 choices only one implies all six: 33a, 33b and 33d. In the strict sense of algebraic independence, that no
    polynomial relation holds between them, at least 5 of the six are independent.
    note: as footnote 2 says, this is not independence of errors: 33a, 33b and 33d hold for correlated judges, too
    """
    # With f and Δ as they are, x, y and Γ can be shifted by them without changing what implies what.
    images = {"Pb": 1 - var("Pa"), **{name: read("0") for name in ("fa1", "fa2", "fb1", "fb2", "D12")}}
    forms = {name: pair().rates[name].polynomial.substitute(images) for name in _BASIS}
    choices = [(*two, one) for two in itertools.combinations(first, 2) for one in last]
    whole = Ideal(forms.values())
    good = [", ".join(choice) for choice in choices if Ideal([forms[name] for name in choice]).equals(whole)]
    names = sorted({name for form in forms.values() for name in form.variables()})
    point = dict(zip(names, (mpq(1, number) for number in (2, 3, 5, 7, 11, 13, 17)), strict=True))

    def slope(form: Polynomial, name: str) -> Rational:  # the coefficient of h in form(point + h·e)
        moved = {n: value + var("h") if n == name else value for n, value in point.items()}
        return Rational(str(form.substitute(moved).terms.get((("h", 1),), mpq(0))))

    rank = Matrix([[slope(form, name) for name in names] for form in forms.values()]).rank()
    return by_reading({
        "some such choice implies all six": as_printed(bool(good), f"these do: {'; '.join(good) or 'none'}"),
        "every such choice implies all six": decided(
            len(good) == len(choices),
            f"{len(good)} of the {len(choices)} choices does",
            "33c adds nothing to one of 33a, 33b where u_1 = v_1 = 0; 33e and 33f do not give back 33d",
        ),
        "that many satisfy no polynomial relation (algebraic independence)": decided(
            rank == 3, f"the Jacobian of the six has rank {rank} at a rational point: at least {rank} satisfy no relation"
        ),
    })  # fmt: skip


def votes_text(votes: VoteCounts) -> str:
    """Return votes in few words, as aaa×1, abb×2."""
    return ", ".join(f"{''.join(pattern)}×{count}" for pattern, count in votes.counts.items() if count)


def _on_line(votes: VoteCounts, grades: tuple[int, ...]) -> set[tuple[mpq, mpq]]:
    """Return the points of eq. 37 that belong to whole, possible numbers of questions both answer rightly."""
    key_a, first_a, second_a, first_b, second_b = grades
    key_b, share = votes.size - key_a, mpq(key_a, votes.size)
    known = {
        "Pa": share, "Pb": 1 - share, "x1": mpq(first_a, key_a), "y2": mpq(second_b, key_b),
        "fa1": votes.response_rate(0, "a"), "fb2": votes.response_rate(1, "b"), "D12": votes.pair_moment(0, 1),
    }  # fmt: skip
    eq_37, both, result = read(BOOK.printed("eq-37")), votes.counts, set()
    for both_a in range(max(0, first_a + second_a - key_a), min(first_a, second_a) + 1):
        for both_b in range(max(0, first_b + second_b - key_b), min(first_b, second_b) + 1):
            point = (
                mpq(both_a, key_a) - mpq(first_a, key_a) * mpq(second_a, key_a),
                mpq(both_b, key_b) - mpq(first_b, key_b) * mpq(second_b, key_b),
            )
            values = {**known, "Ga12": point[0], "Gb12": point[1]}
            fits = both_a <= both.get(("a", "a"), 0) and both_b <= both.get(("b", "b"), 0)
            if fits and eq_37.evaluate(values) == 0:
                result.add(point)
    return result


def _all_correlations() -> Finding:
    """Compare the whole points of eq. 37 with the correlations of all keys of small tests."""

    def cases() -> Iterator[tuple[str, bool]]:
        seen: dict[tuple[VoteCounts, tuple[int, ...]], set[tuple[mpq, mpq]]] = {}
        for test in small_tests(2, 4):
            if all(test.key_counts.values()):
                right = [test.confusion(judge)[label][label] for label in "ab" for judge in (0, 1)]
                on_a, on_b = (rational_rate(error_correlation(test, label, 0, 1)) for label in "ab")
                seen.setdefault((test.observed(), (test.key_counts["a"], *right)), set()).add((on_a, on_b))
        for (votes, grades), points in seen.items():
            yield f"{votes_text(votes)}, grades {grades}", points == _on_line(votes, grades)

    return all_cases(
        cases(),
        checked="pairs with grades, up to 4 questions: whole points of eq. 37 are the consistent ones",
        proof="eq. 37 fixes k_a + k_b, the questions both answer rightly; grades and k_a fix all else of a key",
    )


@BOOK.claim
def _() -> Finding:
    """sec-4-3/only-interesting-case | section 4.3, before eq. 36 and after eq. 37 | verdict=depends
    Eq. 37 gives all error correlations that fit the votes and the individual evaluations; for two labels, pair correlations
    alone decide which evaluations the votes allow.
    quote: pair correlation is the only interesting case for binary classifiers in terms of resolving what evaluations are
    logically consistent with the aligned ensemble decisions
    why: For two classifiers this is so. With three or more, the votes of the trio exclude evaluations that the votes of all
    pairs allow.
    """
    first = VoteCounts({"aab": 1, "aba": 1, "baa": 1, "bbb": 1})
    second = VoteCounts({"aaa": 1, "abb": 1, "bab": 1, "bba": 1})
    alike = all(first.marginal(i, j) == second.marginal(i, j) for i, j in PAIRS.values())

    def grades(votes: VoteCounts) -> set[tuple[int, ...]]:
        keys = ConsistentSet(votes)
        return {(key.key_counts["a"], *(key.confusion(judge)["a"]["a"] for judge in range(3))) for key in keys}

    only = sorted(grades(first) - grades(second))
    return by_reading({
        "two judges": _all_correlations(),
        "three or more judges": decided(
            not (only and alike),
            f"{votes_text(first)} and {votes_text(second)} look the same to each judge and each pair",
            f"Q_a = {only[0][0]} with {', '.join(map(str, only[0][1:]))} right answers on a fits the first, and no key of "
            f"the second; {len(only)} evaluations do so",
        ),
    })  # fmt: skip


@BOOK.claim
def _(printed: tuple[str, ...]) -> Finding:
    """eq-36 | eq. 36 | a; b; c
    With three labels the moments of the labels differ from each other.
    """
    differing, same = "", ""
    for size in (1, 2, 3):
        for chosen in itertools.combinations_with_replacement(itertools.product("abc", repeat=2), size):
            votes = VoteCounts({pattern: chosen.count(pattern) for pattern in chosen}, labels=tuple("abc"))
            values = [votes.pair_moment(0, 1, label=label) for label in printed]
            if all(left != right for left, right in itertools.pairwise(values)):
                differing = differing or f"{votes_text(votes)}: {', '.join(map(str, values))}"
            elif len(set(values)) == 1:
                same = same or votes_text(votes)
    return decided(
        set(printed) == set("abc") and bool(differing),
        f"smallest votes with different moments: {differing}",
        f"they need not differ: {same} has equal ones; with two labels they are always equal",
    )


@BOOK.claim
def _() -> Finding:
    r"""sec-4-3/single-observable | section 4.3, after eq. 36
    For two labels the single observable $\Delta_{i,j}$ suffices.
    note: three judges also need f_bbb, as eq. 40 does
    """
    recovered = (
        "fb1b2 = D12 + fb1*fb2", "fa1b2 = fb2 - (D12 + fb1*fb2)", "fb1a2 = fb1 - (D12 + fb1*fb2)",
        "fa1a2 = 1 - fb1 - fb2 + D12 + fb1*fb2",
    )  # fmt: skip
    return decided(
        not any(in_parameters(poly(each)) for each in recovered),
        "f_b1, f_b2 and Δ give all four frequencies of a pair: " + "; ".join(map(written, recovered)),
    )


@BOOK.claim
def _(printed: int) -> Finding:
    r"""sec-4-3/only-one-correlation | abstract, section 4.3 after eq. 37, and section 6 | 1 | verdict=wrong | essential
    | coq=one_correlation_is_wrong
    Only one error correlation is consistent once the individual evaluations are given.
    quote: there is only one error correlation that will be logically consistent once one decides how a classifier is
    performing; section 6: the only logically consistent pair correlation
    instead: only $\hat P_a \Gamma^a_{i,j} + \hat P_b \Gamma^b_{i,j}$ is determined
    why: Eq. 37 fixes the sum $\hat P_a \Gamma^a_{i,j} + \hat P_b \Gamma^b_{i,j}$, not its two terms. The consistent pairs are
    the whole points of an interval; for classifiers 1 and 2 of the two-norm test the true grades of all three classifiers
    leave 84 of them. The correlations of the iAE columns in tables 2, 3, 6 and 7 are each the first of many that are
    consistent.
    by hand: Two classifiers with votes aa, ab, ba, bb once each, $Q_a = 2$, each right once on each label: one key has
    $\Gamma^a = -\frac14$, another $\frac14$.
    """
    both = first_disagreement("Ga12", 2, given=("Qa", "Raa1", "Raa2", "Rbb1", "Rbb2"), largest=4)
    fixed = not in_parameters(poly("Pa*Ga12 + Pb*Gb12 = D12 - (x1 - fa1)*(y2 - fb2)"))
    two_norm = example("two-norm")
    points = ConsistentSet(two_norm.votes).pair_correlations(two_norm.evaluation, 0, 1)
    return decided(
        both is None and len(points) == printed,
        f"smallest case, the same votes and grades: Γ^a of {both[0]}, but of {both[1]}" if both else "none is small",
        f"two-norm test: the true grades of the three judges leave {len(points)} pairs (Γ^a, Γ^b) of judges 1 and 2",
        "only P_aΓ^a + P_bΓ^b = Δ − (x_i − f_{a_i})(y_j − f_{b_j}) is the same for all" if fixed else "",
    )
