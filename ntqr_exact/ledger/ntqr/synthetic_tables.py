"""Checks of tables 1 and 8 to 11: a synthetic evaluation with independent errors, and what is made of it."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import lcm
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.evaluation import Evaluation, defined, rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import TrioMoments
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.ledger.judgement import Finding, as_printed, decided
from ntqr_exact.ledger.ntqr.counting import PATTERNS
from ntqr_exact.ledger.ntqr.graded_tests import PAIRS, moments_in
from ntqr_exact.ledger.ntqr.identities import Printed, read
from ntqr_exact.ledger.ntqr.printed_cells import Exactly, Origin, fraction_finding
from ntqr_exact.ledger.registry import printed
from ntqr_exact.ledger.registry import printed as printed_at
from ntqr_exact.postulates.equations import answers, expected_frequency
from ntqr_exact.postulates.notation import accuracy, prevalence
from ntqr_exact.votes.counts import VoteCounts

JUDGES = ("1", "2", "3")


@cache
def synthetic_evaluation() -> Evaluation:
    """Return the evaluation of table 8: P_a and the accuracies of three judges."""
    share = rational(printed("ntqr/table-8/caption/prevalence"))
    rates = [{label: printed(f"ntqr/table-8/accuracy-{label}/{judge}") for label in "ab"} for judge in JUDGES]
    return Evaluation.from_accuracies({"a": share, "b": 1 - share}, rates)


def independent_frequencies(evaluation: Evaluation) -> dict[str, mpq]:
    """Return f of each pattern of three independent judges, eqs. 41 to 48."""
    values: dict[str, mpq] = {}
    for label in "ab":
        values[prevalence(label).name] = rational_rate(evaluation.prevalence[label])
        for judge, right in enumerate(evaluation.accuracy):
            values[accuracy(label, judge).name] = rational_rate(right[label])
    found = {}
    for pattern in PATTERNS:
        polynomial = expected_frequency(answers(tuple(pattern)), ("a", "b"), independent=True)
        value = polynomial.evaluate({name: values[name] for name in polynomial.variables()})
        found[pattern] = rational_rate(value)
    return found


def votes_with(frequencies: dict[str, mpq]) -> VoteCounts:
    """Return the votes of the smallest test with given frequencies."""
    size = lcm(*(int(value.denominator) for value in frequencies.values()))
    return VoteCounts({pattern: int(value * size) for pattern, value in frequencies.items()})


@cache
def synthetic_votes() -> VoteCounts:
    """Return the votes of the smallest test with the frequencies of the synthetic evaluation."""
    return votes_with(independent_frequencies(synthetic_evaluation()))


@cache
def printed_votes() -> VoteCounts:
    """Return the votes that table 9 prints."""
    return votes_with({pattern: rational(printed(f"ntqr/table-9/{pattern}")) for pattern in PATTERNS})


def synthetic_moments() -> TrioMoments:
    """Return Δ, T, Π and A of the synthetic votes."""
    return moments_in(solve_independent(synthetic_votes()))


def given(printed: mpq, *, label: str, judge: int = 0) -> Finding:
    """Judge an entry of table 8, a judge's or the prevalence, by what table 9 gives back, up to the names of labels."""
    values = [
        defined(each.accuracy[judge - 1][label] if judge else each.prevalence[label])
        for each in solve_independent(printed_votes()).solutions
    ]
    text = " or ".join(map(str, values))
    return as_printed(
        printed in values, f"the frequencies of table 9, solved for independent errors, give {text}"
    )


def pattern_frequency(printed: Exactly, *, pattern: str) -> Finding:
    """Judge an entry of table 9 by eqs. 41 to 48."""
    return fraction_finding(printed, independent_frequencies(synthetic_evaluation())[pattern], f"f_{pattern}")


def frequencies_add_up() -> Finding:
    """Judge that the eight printed frequencies of table 9 add up to 1."""
    total = sum((rational(printed_at(f"ntqr/table-9/{pattern}")) for pattern in PATTERNS), mpq(0))
    return as_printed(total == 1, f"the sum is {total}")


def table_from_rates() -> Finding:
    """Judge that eqs. 41 to 48 with table 8 give table 9, as it is printed."""
    frequencies, votes = independent_frequencies(synthetic_evaluation()), printed_votes()
    same = [pattern for pattern in PATTERNS if votes.frequency(pattern) == frequencies[pattern]]
    return decided(
        len(same) == len(PATTERNS), f"{len(same)} of 8 frequencies are those printed, over {votes.size}"
    )


def pair_frequency(printed: Exactly, *, pair: str, column: Literal["aa", "bb", "agreement"]) -> Finding:
    """Judge an entry of table 10 by adding up table 9."""
    votes = synthetic_votes()
    i, j = PAIRS[pair]
    if column == "agreement":
        exact, what = votes.agreement(i, j), "f_aa + f_bb"
    else:
        exact = mpq(votes.marginal(i, j).counts[column], votes.size)
        what = f"f_{column} of judges {i + 1} and {j + 1}"
    digits, _, below = printed.partition("/")
    added = [
        digits[place]
        for place in range(len(digits))
        if len(digits) > 1
        and rational(f"{digits[:place]}{digits[place + 1 :]}/{below}") == exact != printed.value
    ]
    return fraction_finding(
        printed, exact, what, [Origin(f"a digit {digit} was added", printed.value) for digit in added[:1]]
    )


def response_rate(printed: Exactly, *, judge: int, label: str) -> Finding:
    """Judge a frequency of single answers of table 11 by adding up table 9."""
    votes = synthetic_votes()
    exact = votes.response_rate(judge - 1, label)
    what = f"f_{{{label}_{judge}}}, the sum over the four patterns with {label} of judge {judge},"
    return fraction_finding(printed, exact, what, _summed_patterns(printed, votes))


def _summed_patterns(printed: Exactly, votes: VoteCounts) -> list[Origin]:
    """Return which three patterns add up to a printed frequency, if only they do."""
    names = ["".join(pattern) for pattern in votes.patterns()]
    found = [
        chosen
        for chosen in combinations(names, 3)
        if mpq(sum(votes.counts[name] for name in chosen), votes.size) == printed.value
    ]
    words = [f"it is the sum of only three patterns: {' + '.join(each)}" for each in found]
    return [Origin(words[0], printed.value, arithmetic=True)] if len(found) == 1 else []


def rates_add_up(*, judge: int) -> Finding:
    """Judge that the two printed frequencies of a judge in table 11 add up to 1."""
    rates = [rational(printed_at(f"ntqr/table-11/response-{label}/{judge}")) for label in "ab"]
    right = [synthetic_votes().response_rate(judge - 1, label) for label in "ab"]
    return decided(
        sum(rates) == 1,
        f"judge {judge}: {rates[0]} + {rates[1]} = {with_decimal(sum(rates, mpq(0)))}",
        right=" + ".join(map(str, right)),
        arithmetic=rates != right,
    )


def moment(printed: Exactly, *, pair: str) -> Finding:
    """Judge a Δ of table 11."""
    votes = synthetic_votes()
    i, j = PAIRS[pair]
    both = mpq(votes.marginal(i, j).counts["bb"], votes.size)
    wrong = [rational(printed_at(f"ntqr/table-11/response-b/{JUDGES[judge]}")) for judge in (i, j)]
    words = "it is f_bb − f_b f_b with the wrong f_b printed above it"
    origins = [Origin(words, both - wrong[0] * wrong[1], arithmetic=True)]
    return fraction_finding(printed, votes.pair_moment(i, j), f"Δ_{{{pair}}} = f_bb − f_b f_b", origins)


def needed(printed: tuple[Printed, ...]) -> Finding:
    """Judge that the quantities of table 11 stand in eq. 40; f_a is 1 − f_b."""
    held = read(f"{printed_at('ntqr/eq-40')['value']}").variables()
    needed = {name for name in held if name not in read("fb1b2b3 + root").variables()}
    return as_printed(
        {each.formula.variables()[0] for each in printed} == needed,
        f"besides f_bbb, which is in table 9, eq. 40 holds {len(needed)} quantities: the three f_b and the three Δ",
    )


def prevalence_from_table_11() -> Finding:
    """Judge whether eq. 40 gives P_a if the rates of table 11 are put into it as they are printed."""
    true = rational(printed_at("ntqr/table-8/caption/prevalence"))
    first, second, third = (rational(printed_at(f"ntqr/table-11/response-b/{judge}")) for judge in JUDGES)
    d12, d13, d23 = (rational(printed_at(f"ntqr/table-11/moment/{pair}")) for pair in PAIRS)
    bbb = rational(printed_at("ntqr/table-9/bbb"))
    trio = bbb - (first * second * third + first * d23 + second * d13 + third * d12)
    root = Surd.sqrt(trio**2 + 4 * d12 * d13 * d23)
    share = (1 - trio / root) / 2
    moments = synthetic_moments()
    right = (1 - moments.trio / Surd.sqrt(moments.discriminant)) / 2
    return decided(
        share == true,
        f"with the printed rates P_a ≈ {fixed_text(share)}, and √A is {'' if root.is_rational else 'ir'}rational",
        f"with the right ones P_a = {right}",
        right=f"{fixed_text(share)}",
        arithmetic=right == true,
    )


def resolved_root() -> Finding:
    """Judge that √A is rational on the synthetic evaluation."""
    discriminant = synthetic_moments().discriminant
    root = Surd.sqrt(discriminant)
    return decided(root.is_rational, f"A = {discriminant} = ({root})²")
