"""Sections 6 and 7 of the NTQR paper: the generating polynomials 41 to 48, and the synthetic evaluation."""

from __future__ import annotations

from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.evaluation import rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import fixed_text, with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided
from ntqr_exact.ledger.ntqr.graded_tables import BOOK
from ntqr_exact.ledger.ntqr.graded_tests import GRADED
from ntqr_exact.ledger.ntqr.identities import (
    Hypothesis,
    Printed,
    hypotheses,
    identity,
    in_parameters,
    in_rates,
    poly,
    read,
    small_tests,
    var,
    written_test,
)  # fmt: skip
from ntqr_exact.ledger.ntqr.pairs import PAIRS, PATTERNS, agreement_square, frequencies, synthetic, synthetic_votes, votes_text
from ntqr_exact.ledger.ntqr.printed_cells import Exactly, Origin, fraction_finding
from ntqr_exact.ledger.ntqr.trio import generating, moments, without_solution
from ntqr_exact.postulates.derivations import Refutation, eliminate_prevalence, refute
from ntqr_exact.postulates.equations import independent
from ntqr_exact.varieties.compositions import compositions
from ntqr_exact.varieties.consistent import ConsistentSet, error_correlation
from ntqr_exact.votes.counts import VoteCounts


@BOOK.claim
def _() -> Finding:
    """sec-6/self-alarm | section 6
    The independent evaluator can raise an alarm by itself when the judges are correlated.
    """
    loud = [test.name for test in GRADED if test.alarms]
    silent = ""
    for size in range(1, 8):
        for counts in compositions(size, 8):
            votes = VoteCounts(dict(zip(PATTERNS, counts, strict=True)))
            solution = solve_independent(votes)
            if silent or solution.alarms or not solution.solutions:
                continue
            for key in ConsistentSet(votes):
                result = [error_correlation(key, "a", *pair) for pair in PAIRS.values()] if key.key_counts["a"] else []
                if not silent and any(rational_rate(value) != 0 for value in result):
                    silent = f"{size} questions with votes {votes_text(votes)} raise no alarm, and the key that gives a to "
                    silent += f"{votes_text(key.by_label['a'])} has Γ^a of the pairs {', '.join(map(str, result))}"
        if silent:
            break
    return decided(bool(loud), f"it raises alarms on {', '.join(loud)}", f"it need not: {silent}")


@BOOK.claim
def _() -> Finding:
    """thm-1 | theorem 1
    The frequencies of three independent judges are given by the complete set 41 to 48; it defines a variety that is not empty
    and contains the true evaluation.
    """
    forms = {name: poly(text) for name, text in generating().items()}
    failing = [name for name, form in forms.items() if in_parameters(form, Hypothesis.INDEPENDENT)]
    total = sum((poly(text.partition("=")[2]) for text in generating().values()), start=poly("0"))
    zero = [in_rates(name, var(name)) for name in ("Ga12", "Ga13", "Ga23", "Gb12", "Gb13", "Gb23")]
    printed, checked = [in_rates(name, form) for name, form in forms.items()], 0
    for test in small_tests(3, 2):
        if all(test.key_counts.values()) and all(each.residual(test) == 0 for each in zero):
            checked += 1
            failing += [each.name for each in printed if each.residual(test) != 0]
    empty, other = without_solution(), "no small test with correlations satisfies them"
    result = refute(in_rates("Γ^a = 0", var("Ga12")), hypotheses(Hypothesis.INDEPENDENT))
    if isinstance(result, Refutation):
        other = (
            f"they do not imply independence: {written_test(result.test)} has Γ^a_{{1,2}} = {result.residual}, and 41 to 48 "
        )
        other += "hold with the true rates, since P_aΓ^a + P_bΓ^b = 0"
    return decided(
        not failing and total == 1,
        "if all eight Γ are 0, the complete postulates of three judges become eqs. 41 to 48, which the true rates solve",
        f"so counted in all {checked} tests that have two questions, one of each label",
        f"complete: {len(forms)} = 2³ equations, whose right sides add up to {total}; {other}",
        f"for other judges the variety may be empty: {votes_text(empty)}: elimination ends in "
        f"{eliminate_prevalence(empty)} = 0: no three independent judges have these votes",
    )


@BOOK.table
def _polynomial(printed: Printed, name: str) -> Finding:
    r"""
    says: Eq. {1} is right for three independent judges.
    eq-41 | eq. 41 | fa1a2a3 = Pa*x1*x2*x3 + (1 - Pa)*(1 - y1)*(1 - y2)*(1 - y3) | 41
    eq-42 | eq. 42 | fa1a2b3 = Pa*x1*x2*(1 - x3) + (1 - Pa)*(1 - beta*y1)*(1 - y2)*y3 | 42 | verdict=misprint
        | coq=independent_postulates
        Eq. 42, with a letter $\beta$ after an accuracy.
        quote: $\ldots + (1 - \hat P_a)(1 - \hat P^b_{b_1}\beta)(1 - \hat P^b_{b_j})\hat P^b_{b_k}$
        right: fa1a2b3 = Pa*x1*x2*(1 - x3) + (1 - Pa)*(1 - y1)*(1 - y2)*y3
        why: A letter $\beta$ follows $\hat P^b_{b_1}$, where $\hat P^b_{b_i}$ is meant. It may be left from a notation that also
        shows in the $f_{\beta,\beta,\beta}$ of eq. 40.
        garbled: A factor β follows $P^b_{b_1}$, where $b_i$ is meant.
    eq-43 | eq. 43 | fa1b2a3 = Pa*x1*(1 - x2)*x3 + (1 - Pa)*(1 - y1)*y2*(1 - y3) | 43 | coq=independent_postulates
    eq-44 | eq. 44 | fb1a2a3 = Pa*(1 - x1)*x2*x3 + (1 - Pa)*y1*(1 - y2)*(1 - y3) | 44 | coq=independent_postulates
    eq-45 | eq. 45 | fb1b2a3 = Pa*(1 - x1)*(1 - x2)*x3 + (1 - Pa)*y1*y2*(1 - y3) | 45 | coq=independent_postulates
    eq-46 | eq. 46 | fb1a2b3 = Pa*(1 - x1)*x2*(1 - x3) + (1 - Pa)*y1*(1 - y2)*y3 | 46 | coq=independent_postulates
    eq-47 | eq. 47 | fa1b2b3 = Pa*x1*(1 - x2)*(1 - x3) + (1 - Pa)*(1 - y1)*y2*y3 | 47 | coq=independent_postulates
    eq-48 | eq. 48 | fb1b2b3 = Pa*(1 - x1)*(1 - x2)*(1 - x3) + (1 - Pa)*y1*y2*y3 | 48 | coq=independent_postulates
    """
    claim = printed.polynomial
    if "beta" in claim.variables():
        proven = not in_parameters(claim.substitute({"beta": 1}), Hypothesis.INDEPENDENT)
        return decided(
            False,
            "β is nowhere explained, and the equation is linear in it",
            f"for β = 1 it {'vanishes identically, so that no other β is right' if proven else 'fails, too'}",
            slip=proven,
        )
    result = identity(printed, name, Hypothesis.INDEPENDENT)
    ours = independent(3)[name].polynomial.substitute({"Pb": 1 - var("Pa")})
    return result if claim == ours else as_printed(False, *result.evidence)


@BOOK.claim
def _() -> Finding:
    r"""sec-7-2/guaranteed | section 7.2 | verdict=depends
    Eqs. 41 to 48 generate whatever frequencies one wants, surely those of independent judges.
    quote: can be used to generate whatever set of frequencies one wanted
    why: One may choose the rates freely. Not every set of frequencies comes from independent classifiers; votes aab, aba and
    baa once each do not.
    """
    wanted, result = VoteCounts({"aab": 1, "aba": 1, "baa": 1}), frequencies(*synthetic())
    return by_reading({
        "the rates can be chosen freely": decided(
            sum(result.values()) == 1 and all(value >= 0 for value in result.values()),
            "those of table 8 give frequencies that are not negative and add up to 1",
        ),
        "the frequencies can be chosen freely": decided(
            bool(solve_independent(wanted).solutions), f"votes {votes_text(wanted)}: no rates generate them"
        ),
    })  # fmt: skip


@BOOK.claim
def _(printed: tuple[mpq, ...]) -> Finding:
    """table-8 | table 8, with its caption | 19/20; 18/25; 11/100; 41/50; 19/50; 71/100; 43/50
    The prevalence of $a$ in the synthetic evaluation, and the accuracies on $a$ and on $b$ of each judge.
    """
    counts = {pattern: int(value * 5_000_000) for pattern, value in table_9().items()}
    result = [
        (each.prevalence["a"], *(rates[label] for rates in each.accuracy for label in "ab"))
        for each in solve_independent(VoteCounts(counts)).solutions
    ]
    text = " or ".join(", ".join(map(str, each)) for each in result)
    return as_printed(printed in result, f"the frequencies of table 9, solved for independent errors, give {text}")


def table_9() -> dict[str, mpq]:
    """Return the frequencies of table 9, as printed."""
    return {
        key.strip(): rational(value) for key, _, value in (part.partition(":") for part in BOOK.printed("table-9").split(";"))
    }


@BOOK.claim
def _(printed: dict[str, mpq]) -> Finding:
    """table-9 | table 9; section 7.2
    | aaa: 2010437/5000000; aab: 931913/5000000; aba: 448913/5000000; baa: 776713/5000000; abb: 251237/5000000
    ; bab: 330937/5000000; bba: 171437/5000000; bbb: 78413/5000000
    The frequencies of the eight patterns in the synthetic evaluation, which add up to 1.
    """
    right = frequencies(*synthetic())
    wrong = [f"f_{pattern} = {right[pattern]}" for pattern in PATTERNS if printed.get(pattern) != right[pattern]]
    text = f"eqs. 41 to 48 with the rates of table 8: {', '.join(wrong) or 'all eight'}; they add up to {sum(printed.values())}"
    return as_printed(not wrong and sum(printed.values()) == 1, text)


def _pair_frequency(printed: Exactly, pair: str, column: str) -> Finding:
    """Judge an entry of table 10 by adding up table 9."""
    votes, (i, j) = synthetic_votes(), PAIRS[pair]
    exact = votes.agreement(i, j) if column == "agreement" else votes.marginal(i, j).frequency(column)
    what = "f_aa + f_bb" if column == "agreement" else f"f_{column} of judges {i + 1} and {j + 1}"
    digits, _, below = printed.partition("/")
    shorter = [f"{digits[:place]}{digits[place + 1 :]}/{below}" for place in range(len(digits)) if len(digits) > 1]
    added = [digits[place] for place, text in enumerate(shorter) if rational(text) == exact]
    origins = [Origin(f"a digit {added[0]} was added", printed.value)] if added else []
    return fraction_finding(printed, exact, what, origins)


BOOK.grid(
    _pair_frequency, "table-10/{row}/{column}", "table 10, pair {row}", "In table 10, {column} of the pair {row} is {printed}.",
    """
        | aa | bb | agreement
    1-2 | 58847/100000 | 4997/100000 | 15961/25000
    1-3 | 49187/100000 | 8187/100000 | 28687/50000
    2-3 | 555743/100000 !misprint | 6593/100000 | 1948/3125
        aa why: A frequency is at most 1; without one of its digits 5 the number is right.
        aa garbled: the extraction may have doubled a digit
    """,
)  # fmt: skip


@BOOK.claim
def _(printed: Exactly) -> Finding:
    r"""table-10/caption/c | table 10, caption | √(226746939639/10)/625000 | verdict=computation
    The factor $c$ of the agreement solution on the synthetic evaluation.
    with: eq-23
    right: √(9838505097/10)/312500
    """
    right, misprint = (Surd.sqrt(agreement_square(synthetic_votes(), as_printed=each)) for each in (False, True))
    same = printed.value == misprint
    return as_printed(
        printed.value == right,
        f"c = √Π(2a − 1), which solves eq. 22, is {right}",
        arithmetic=same,
        arose="it is made with eq. 23 as printed, c² = Π(1 − a)" if same else "",
    )


def _response_rate(printed: Exactly, label: str, judge: str) -> Finding:
    """Judge a frequency of single answers of table 11 by adding up table 9."""
    votes, other = synthetic_votes(), "b" if label == "a" else "a"
    names = [name for name in PATTERNS if name[int(judge) - 1] == label]
    exact = sum((votes.frequency(name) for name in names), mpq(0))
    three = [each for each in combinations(PATTERNS, 3) if sum(map(votes.frequency, each)) == printed.value]
    words = [f"it is the sum of only three patterns: {' + '.join(each)}" for each in three]
    beside = rational(BOOK.printed(f"table-11/response-{other}/{judge}"))
    result = fraction_finding(
        printed,
        exact,
        f"f_{{{label}_{judge}}} = {' + '.join(names)}",
        [Origin(words[0], printed.value, arithmetic=True)] if len(three) == 1 else [],
    )
    if printed.value == exact:
        return result
    return as_printed(
        False, *result.evidence, *words[:1], f"with {beside}, printed for {other}, it adds up to {with_decimal(printed.value + beside)}",
        right=result.right, arithmetic=len(three) == 1, arose=result.arose,
    )  # fmt: skip


BOOK.grid(
    _response_rate, "table-11/response-{row}/{column}", "table 11, $f_{{{row}_{column}}}$",
    "In table 11, the frequency of answers {row} of judge {column} is {printed}.",
    r"""
      | 1 | 2 | 3
    a | 3193587/5000000 !computation | 2790287/5000000 !computation | 2958587/5000000 !computation
        1 essential
        1 why: A classifier gives an answer in four patterns of table 9, and each $f$ adds only three: $f_{a_1}$ is aaa + aab + abb
        1 without aba. For classifier 2 one of the three is not even among its four: $f_{a_2}$ is aaa + aba + bab, with aba.
        1 So the two rates of a classifier do not add up to 1. The $\Delta_{i,j}$ are made with these rates. Put into eq. 40, they
        1 do not give the prevalence of table 8; the right ones do.
        2,3 with: table-11/response-a/1
    b | 1026563/5000000 !computation | 858263/5000000 !computation | 1261563/5000000 !computation
        1,2,3 with: table-11/response-a/1
    """,
)  # fmt: skip


def _moment(printed: Exactly, _: str, pair: str) -> Finding:
    """Judge a Δ of table 11."""
    votes, (i, j) = synthetic_votes(), PAIRS[pair]
    wrong = [rational(BOOK.printed(f"table-11/response-b/{judge + 1}")) for judge in (i, j)]
    made = votes.marginal(i, j).frequency("bb") - wrong[0] * wrong[1]
    origins = [Origin("it is f_bb − f_b f_b with the wrong f_b printed above it", made, arithmetic=True)]
    return fraction_finding(printed, votes.pair_moment(i, j), f"Δ_{{{pair}}} = f_bb − f_b f_b", origins)


BOOK.grid(
    _moment, "table-11/moment/{column}", r"table 11, $\Delta$ of the pair {column}",
    r"The moment $\Delta$ of the pair {column} in the synthetic evaluation is {printed}.",
    """
      | 1-2 | 1-3 | 2-3
    Δ | 368188959931/25000000000000 !computation | 751676102031/25000000000000 !computation | 565497154931/25000000000000 !computation
        1-2,1-3,2-3 with: table-11/response-a/1
        1-2,1-3,2-3 garbled: the extraction tore each Δ into two cells, as 3681889/25000000 and 9 59931 0000000 for the pair 1,2; they
        1-2,1-3,2-3 are put together here, and are exactly what the printed rates of the table give
    """,
)  # fmt: skip


@BOOK.claim
def _(printed: tuple[Printed, ...]) -> Finding:
    r"""table-11/caption | table 11, caption, and section 7.2 | fb1; fb2; fb3; D12; D13; D23
    The response rates $f_{b_i}$ and the moments $\Delta_{i,j}$ of table 11 are needed by eq. 40.
    """
    held = set(read(BOOK.printed("eq-40").split(";")[0]).variables())
    needed = held - {"fb1b2b3", "root"}
    return as_printed(
        {each.name for each in printed} == needed,
        f"besides f_bbb, which is in table 9, eq. 40 holds {len(needed)} quantities: the three f_b and the three Δ",
    )


@BOOK.claim
def _() -> Finding:
    r"""table-11/prevalence | table 11 and section 5.1 | verdict=computation
    The rates of table 11, put into eq. 40, give the $\hat P_a$ of table 8.
    with: table-11/response-a/1
    """
    first, second, third = (rational(BOOK.printed(f"table-11/response-b/{judge}")) for judge in "123")
    d12, d13, d23 = (rational(BOOK.printed(f"table-11/moment/{pair}")) for pair in PAIRS)
    bbb = table_9()["bbb"]
    bracket = bbb - (first * second * third + first * d23 + second * d13 + third * d12)
    root = Surd.sqrt(bracket**2 + 4 * d12 * d13 * d23)
    share, true = (1 - bracket / root) / 2, synthetic()[0]
    trio_moment, _, discriminant = moments(synthetic_votes())
    right = (1 - trio_moment / Surd.sqrt(discriminant)) / 2
    return decided(
        share == true,
        f"with the printed rates P_a ≈ {fixed_text(share)}, and √A is {'' if root.is_rational else 'ir'}rational",
        f"with the right ones P_a = {right}",
        right=f"P_a = {true} with the right rates",
        arithmetic=right == true,
    )


BOOK.words(r"""
    section 1.2 | the physical relation between $R = 49$ versus $R = 102$ | responses 49 and 102 | Elsewhere $R$ is the number
        of possible responses, which is 201 from -50 to 150.
    section 4.2, before eq. 31 | It is not the case that we cannot algebraically factor $e_{\{i,j\}} = e_{\{i\}}e_{\{j\}}$
        | It is not the case that we can | There is one negation too many: eq. 32 says that one cannot factor in general.
    section 5.1 | In the appendix section 7.1 we detail a synthetic evaluation | section 7.2 | Section 7.1 has the polynomials.
    section 5.1, on table 1 | An independent evaluator cannot have any resolved square roots by construction. | unresolved
        square roots | For independent classifiers the root of eq. 40 is rational, as the sentences after it say.
    table 8, caption | where $\hat P^a_{a_e}$ quals 19/20 | $\hat P_a$ equals 19/20 | Perhaps by extraction: the index has taken
        a letter of the next word.
    table 11, heading | $f_{a_i}$, $f_{b_j}$ | $f_{a_i}$, $f_{b_i}$ | Each row belongs to one classifier.
    section 7.2, last sentence | the iAE estimate of $\hat P^a_{a,}$ equation 40 | $\hat P_a$, equation 40 | Perhaps by
        extraction: the lower index has taken the comma that follows.
    references 1 and 2 | References [1] (2014) and [2] (2016), both volume 48, pages 1416–1425 | the paper of 2014 with
        its own title and proceedings | Both have the same title, proceedings, volume and pages, and different years.
    """)
BOOK.missing("""
    section 3 | Tests were carried out on three data sets, UCI adult, mushroom and two-norm | missing: the tests on mushroom
    table 1 | It compares the square roots of the two evaluators | missing: its rows, which the extraction of the text lost
    figures 6 and 7 | The features of two-norm have very little correlation, those of UCI adult more | missing: the features
    section 6 | The estimated error correlation was used to detect evaluations that should be suspected | missing: a rule
        that says which correlations make an evaluation suspect; the one failed evaluation has none in the tables
    section 7.2 | Table 8 is a single random choice | missing: how the rates of table 8 were drawn
    """)
