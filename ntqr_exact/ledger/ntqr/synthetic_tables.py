"""Tables 8 to 11 of the source: a synthetic evaluation with independent errors, and what is made of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.evaluation import defined
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import Exact, decided
from ntqr_exact.ledger.ntqr import square_roots, synthetic_symbols
from ntqr_exact.ledger.ntqr.graded_tests import PAIRS, moments_in
from ntqr_exact.ledger.ntqr.printed_cells import fraction_finding, printed_tables
from ntqr_exact.ledger.ntqr.synthetic_trio import (
    JUDGES,
    independent_frequencies,
    printed_votes,
    synthetic_evaluation,
    synthetic_moments,
    synthetic_votes,
)
from ntqr_exact.votes.counts import VoteCounts

_PRINTED = printed_tables()["synthetic"]


# -- tables 8 and 9 -----------------------------------------------------------------------------------


def _given(printed: str, judge: int | None, label: str) -> Finding:
    """Judge an entry of table 8 by what the frequencies of table 9 give back, up to the names of the labels."""
    solutions = solve_independent(printed_votes()).solutions
    values = [
        defined(each.prevalence[label] if judge is None else each.accuracy[judge][label])
        for each in solutions
    ]
    text = " or ".join(map(str, values))
    value = rational(printed)
    return decided(
        value in values,
        f"the frequencies of table 9, solved for independent errors, give {text}",
        f"printed {printed}",
        right=text,
        slip=True,
    )


def _frequency(printed: str, pattern: str) -> Finding:
    return fraction_finding(
        printed, independent_frequencies(synthetic_evaluation())[pattern], f"f_{pattern}", {}
    )


def _sum_to_one(printed: str) -> Finding:
    total = sum((rational(text) for text in printed.split(" + ")), mpq(0))
    return decided(total == 1, f"the sum is {total}", right="1", slip=True)


# -- table 10 -----------------------------------------------------------------------------------------


def _pair_frequency(printed: str, pair: str, column: str) -> Finding:
    votes = synthetic_votes()
    i, j = PAIRS[pair]
    if column == "agreement":
        exact = votes.agreement(i, j)
        what = "f_aa + f_bb"
    else:
        exact = mpq(votes.marginal(i, j).counts[column], votes.size)
        what = f"f_{column} of judges {i + 1} and {j + 1}"
    value = rational(printed)
    digits, _, below = printed.partition("/")
    added = [
        digits[place]
        for place in range(len(digits))
        if len(digits) > 1 and rational(f"{digits[:place]}{digits[place + 1 :]}/{below}") == exact != value
    ]
    return fraction_finding(printed, exact, what, {f"a digit {added[0]} was added": value} if added else {})


# -- table 11 -----------------------------------------------------------------------------------------


def _response_rate(printed: str, judge: int, label: str) -> Finding:
    votes = synthetic_votes()
    exact = votes.response_rate(judge, label)
    value = rational(printed)
    arose = _summed_patterns(value, votes) if value != exact else ""
    what = f"f_{{{label}_{judge + 1}}}, the sum over the four patterns with {label} of judge {judge + 1},"
    return fraction_finding(printed, exact, what, {arose: value} if arose else {})


def _summed_patterns(value: mpq, votes: VoteCounts) -> str:
    """Return which three patterns add up to a printed frequency, if only they do."""
    names = ["".join(pattern) for pattern in votes.patterns()]
    found = [
        chosen
        for chosen in combinations(names, 3)
        if mpq(sum(votes.counts[name] for name in chosen), votes.size) == value
    ]
    return f"it is the sum of only three patterns: {' + '.join(found[0])}" if len(found) == 1 else ""


def _rates_add_up(printed: str, judge: int) -> Finding:
    texts = printed.split(" + ")
    rates = [rational(text) for text in texts]
    wrong = [
        text
        for text, rate, label in zip(texts, rates, "ab", strict=True)
        if rate != synthetic_votes().response_rate(judge, label)
    ]
    return decided(
        sum(rates) == 1,
        f"judge {judge + 1}: {printed} = {with_decimal(sum(rates, mpq(0)))}",
        right=" + ".join(str(synthetic_votes().response_rate(judge, label)) for label in "ab"),
        slip=True,
        arose=f"wrong are {' and '.join(wrong)}" if wrong else "",
    )


def _moment(printed: str, pair: str) -> Finding:
    votes = synthetic_votes()
    i, j = PAIRS[pair]
    exact = votes.pair_moment(i, j)
    both = mpq(votes.marginal(i, j).counts["bb"], votes.size)
    wrong = [rational(_PRINTED["table-11"][JUDGES[judge]]["b"]) for judge in (i, j)]
    origins: dict[str, Exact] = {
        "it is f_bb − f_b f_b with the wrong f_b printed above it": both - wrong[0] * wrong[1]
    }
    return fraction_finding(printed, exact, f"Δ_{{{pair}}} = f_bb − f_b f_b", origins)


# -- what eq. 40 needs ---------------------------------------------------------------------------------


def _needs_more(_: str) -> Finding:
    """Judge whether the quantities of table 11 suffice for eq. 40, by votes that agree in them all."""
    votes = synthetic_votes()
    shifted = VoteCounts(
        {
            pattern: votes.counts[pattern] + (1 if pattern.count("b") % 2 else -1)
            for pattern in votes.patterns()
        }
    )
    first, second = (moments_in(solve_independent(each)) for each in (votes, shifted))
    same = first.pair == second.pair and all(
        votes.response_rate(judge, "b") == shifted.response_rate(judge, "b") for judge in range(3)
    )
    bbb = [each.frequency("bbb") for each in (votes, shifted)]
    return decided(
        not same or first.trio == second.trio,
        f"f_bbb = {bbb[0]} and f_bbb = {bbb[1]} go with the same f and Δ, but T = {first.trio} and {second.trio}",
        right="the rates of table 11 and f_bbb of table 9",
    )


def _prevalence_from(printed: str) -> Finding:
    """Judge whether eq. 40 gives P_a if the rates of table 11 are put into it as they are printed."""
    table = _PRINTED["table-11"]
    first, second, third = (rational(table[judge]["b"]) for judge in JUDGES)
    d12, d13, d23 = (rational(_PRINTED["table-11-moments"][pair]) for pair in PAIRS)
    bbb = rational(_PRINTED["table-9"]["bbb"])
    trio = bbb - (first * second * third + first * d23 + second * d13 + third * d12)
    root = Surd.sqrt(trio**2 + 4 * d12 * d13 * d23)
    share = (1 - trio / root) / 2
    moments = synthetic_moments()
    right = (1 - moments.trio / Surd.sqrt(moments.discriminant)) / 2
    return decided(
        share == rational(printed),
        f"with the printed rates P_a ≈ {fixed_text(share)}, and √A is {'' if root.is_rational else 'ir'}rational",
        f"with the right ones P_a = {right}; the evaluation has {printed}",
        right="eq. 40 gives P_a with the right rates",
    )


# -- the claims ---------------------------------------------------------------------------------------


def _claims() -> Iterator[Claim]:
    table = _PRINTED["table-8"]
    yield Claim(
        "ntqr/table-8/caption/prevalence",
        "table 8, caption",
        Kind.NUMBER,
        r"The synthetic evaluation has $\hat P_a = 19/20$.",
        partial(_given, judge=None, label="a"),
        printed=table["prevalence"],
        garbled=r"The caption names $\hat P^a_{a_e}$ and a torn word for $\hat P_a$ equals.",
    )
    for judge in JUDGES:
        for label, text in table[judge].items():
            yield Claim(
                f"ntqr/table-8/accuracy-{label}/{judge}",
                f"table 8, judge {judge}",
                Kind.NUMBER,
                rf"$\hat P^{label}_{{{label}_{judge}}}$ of the synthetic evaluation.",
                partial(_given, judge=int(judge) - 1, label=label),
                printed=text,
                by_hand="The rates of table 8, put into eqs. 41 to 48, give all eight numbers of table 9.",
            )
    for pattern, text in _PRINTED["table-9"].items():
        yield Claim(
            f"ntqr/table-9/{pattern}",
            "table 9",
            Kind.NUMBER,
            rf"The frequency $f_{{{pattern}}}$ of the synthetic evaluation.",
            partial(_frequency, pattern=pattern),
            printed=text,
            by_hand="Put the rates of table 8 into the equation of this pattern, 41 to 48.",
        )
    yield Claim(
        "ntqr/table-9/sum",
        "table 9",
        Kind.IDENTITY,
        "The eight frequencies add up to 1.",
        _sum_to_one,
        printed=" + ".join(_PRINTED["table-9"].values()),
    )
    for pair, row in _PRINTED["table-10"].items():
        for column, text in row.items():
            yield Claim(
                f"ntqr/table-10/{pair}/{column}",
                f"table 10, pair {pair}",
                Kind.NUMBER,
                rf"{_SYMBOL[column]} of judges {pair.replace('-', ' and ')}.",
                partial(_pair_frequency, pair=pair, column=column),
                printed=text,
                by_hand="Add the frequencies of table 9 over the answers of the third judge.",
            )
    for judge, row in _PRINTED["table-11"].items():
        for label, text in row.items():
            yield Claim(
                f"ntqr/table-11/response-{label}/{judge}",
                f"table 11, judge {judge}",
                Kind.NUMBER,
                rf"The frequency $f_{{{label}_{judge}}}$ of answers {label} of judge {judge}.",
                partial(_response_rate, judge=int(judge) - 1, label=label),
                printed=text,
                by_hand="Add the four frequencies of table 9 in which the judge gives this answer.",
            )
        yield Claim(
            f"ntqr/table-11/sum/{judge}",
            f"table 11, judge {judge}",
            Kind.IDENTITY,
            rf"$f_{{a_{judge}}} + f_{{b_{judge}}} = 1$, as for every judge.",
            partial(_rates_add_up, judge=int(judge) - 1),
            printed=f"{row['a']} + {row['b']}",
        )
    for pair, text in _PRINTED["table-11-moments"].items():
        yield Claim(
            f"ntqr/table-11/moment/{pair}",
            f"table 11, pair {pair}",
            Kind.NUMBER,
            rf"$\Delta_{{{pair.replace('-', ',')}}}$ of the synthetic evaluation.",
            partial(_moment, pair=pair),
            printed=text,
            by_hand="f_bb of table 10 minus the product of the right f_b; or P_aP_bd_id_j with d = P^a + P^b − 1.",
            garbled="Numerator and denominator are torn in the extracted text; all digits are there.",
        )
    yield Claim(
        "ntqr/table-11/caption",
        "table 11, caption, and section 7.2",
        Kind.SENTENCE,
        "Table 11 has the observed rates that eq. 40 needs.",
        _needs_more,
    )
    yield Claim(
        "ntqr/table-11/prevalence",
        "table 11 and section 5.1",
        Kind.NUMBER,
        r"The rates of table 11, put into eq. 40, give the $\hat P_a$ of table 8.",
        _prevalence_from,
        printed=table["prevalence"],
    )


_SYMBOL = {"aa": "$f_{a_i,a_j}$", "bb": "$f_{b_i,b_j}$", "agreement": r"The agreement rate $a_{\{i,j\}}$"}

CLAIMS: tuple[Claim, ...] = (*square_roots.CLAIMS, *_claims(), *synthetic_symbols.CLAIMS)
