"""Sentences of sections 5.2 and 5.3: how good the estimates are, and how correlated the judges.

Those of section 5.4 are in `adult_sentences`, those of the conclusions and the appendix in `closing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gmpy2 import mpq

from ntqr_exact.evaluation import Evaluation, defined, rational_rate
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import Exact, by_reading, decided
from ntqr_exact.ledger.ntqr import adult_sentences, closing
from ntqr_exact.ledger.ntqr import estimate_errors as errors
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.printed_cells import read_exact, split_cell
from ntqr_exact.postulates import pair as pair_postulates

_TWO_NORM, _IMAGINARY, _ = graded.TESTS


# -- section 5.2 --------------------------------------------------------------------------------------


def _structure(printed: str) -> Finding:
    size, _, parts = printed.partition(" = ")
    first, second = (rational(part) for part in parts.split(" + "))
    lines = []
    holds = rational(size) == first + second
    for test in graded.TESTS:
        key, votes = graded.truth_of(test).key_counts, graded.votes_of(test)
        holds = holds and key["a"] == first and key["b"] == second and votes.size == rational(size)
        lines.append(f"{test}: {votes.size} votes, {key['a']} of a and {key['b']} of b")
    return decided(holds, *lines, f"printed {printed}", right="1000 = 400 + 600", slip=True)


def _both_do_well(_: str) -> Finding:
    worst = {
        column: errors.largest(
            {**errors.accuracy_errors(_TWO_NORM, column), "P_a": errors.prevalence_error(_TWO_NORM, column)}
        )
        for column in ("iae", "mv")
    }
    line = ", ".join(f"{column} {name}: {fixed_text(error, 4)}" for column, (name, error) in worst.items())
    return by_reading(
        {
            f"every rate within {limit} of the truth": decided(
                all(error <= limit for _, error in worst.values()), f"largest errors: {line}"
            )
            for limit in (mpq(1, 10), mpq(1, 20))
        }
    )


def _by_pair_postulates(_: str, test: str) -> Finding:
    """Judge whether the printed correlations satisfy the pair postulate 37; the right ones must."""
    printed, proper = (
        {column: _violations(test, column, right=right) for column in ("gt", "iae", "mv")}
        for right in (False, True)
    )
    text = "; ".join(f"{column} of {', '.join(pairs)}" for column, pairs in printed.items() if pairs)
    return decided(
        not any(printed.values()),
        f"eq. 37 is not 0 for {text}" if text else "eq. 37 is 0 for all pairs and columns",
        f"with the right values of the misprinted cells {sum(map(len, proper.values()))} violations are left",
        right="the cells as corrected in their own entries",
        slip=True,
    )


def _violations(test: str, column: str, *, right: bool) -> list[str]:
    """Return the pairs for which eq. 37 does not vanish."""
    if column == "iae" and not graded.is_real(test):
        return []
    votes = graded.votes_of(test)
    if column == "mv":
        rates = graded.majority_of(test).evaluation
    else:
        rates = (graded.truth_of(test) if column == "gt" else graded.projected_of(test)).rates()
    found = []
    for name, (i, j) in graded.PAIRS.items():
        if right:
            values = {label: errors.correlations(test, column)[f"{label} {name}"] for label in graded.LABELS}
        else:
            cells = {label: graded.printed_test(test, label)["correlation"] for label in graded.LABELS}
            values = {
                label: rational_rate(read_exact(split_cell(cell[name][column])[0]))
                for label, cell in cells.items()
            }
        evaluation = Evaluation.from_accuracies(
            rates.prevalence,
            [rates.accuracy[i], rates.accuracy[j]],
            {(label, (0, 1)): value for label, value in values.items()},
        )
        if pair_postulates()["37"].residual(evaluation, votes.marginal(i, j)) != 0:
            found.append(name)
    return found


def _small_correlations(_: str) -> Finding:
    name, most = errors.largest(errors.correlations(_TWO_NORM, "gt"))
    return decided(
        most < mpq(1, 50),
        f"the largest true |Γ| of two-norm is {with_decimal(most)}, of label and pair {name}",
    )


def _methods_agree(_: str) -> Finding:
    own, crowd = (errors.correlations(_TWO_NORM, column) for column in ("iae", "mv"))
    opposite = [name for name in own if own[name] * crowd[name] < 0]
    _, size = errors.largest({**own, **{f"mv {key}": value for key, value in crowd.items()}})
    signs = ", ".join(
        f"{name}: {fixed_text(own[name], 3)} and {fixed_text(crowd[name], 3)}" for name in opposite
    )
    return by_reading(
        {
            "both say that all |Γ| are below 3/50": decided(
                size < mpq(3, 50), f"the largest is {fixed_text(size)}"
            ),
            "they say the same of each pair": decided(
                not opposite,
                f"opposite signs for {signs}",
                right="on label a they are alike, on label b they have opposite signs for every pair",
            ),
        }
    )


def _by_equation_40(printed: str, test: str) -> Finding:
    """Judge whether eq. 40, P_a = (1 − T/√A)/2, gives the printed Q_a, or the other root of the quadratic does."""
    moments, size = graded.moments_of(test), graded.votes_of(test).size
    root = Surd.sqrt(moments.discriminant)
    shares = [(1 + sign * moments.trio / root) / 2 for sign in (-1, 1)]
    here, other = (fixed_text(share * size, 0) for share in shares)
    return decided(
        rational(here) == rational(printed),
        f"T = {with_decimal(moments.trio)} and √A ≈ {fixed_text(root)}",
        f"eq. 40 gives Q_a ≈ {fixed_text(shares[0] * size, 3)}, the other root {fixed_text(shares[1] * size, 3)}; "
        f"printed {printed}",
        right=f"{here}, or {other} with + for − in eq. 40",
        arose="the root with d_1d_2d_3 > 0 was taken" if other == printed else "",
        slip=True,
    )


# -- section 5.3 --------------------------------------------------------------------------------------


def _printed_correlations(test: str, column: str) -> dict[str, Exact]:
    """Return the correlations of a column as their decimals are printed."""
    return {
        f"{label} {name}": rational(split_cell(row[column])[1])
        for label in graded.LABELS
        for name, row in graded.printed_test(test, label)["correlation"].items()
    }


def _large_for_1_2(_: str) -> Finding:
    """Judge that the pair 1-2 is the correlated one, over all answer keys with the true accuracies."""
    least, most = _sizes("2-3")[0], _sizes("1-2")[1]
    printed_name, printed_most = errors.largest(_printed_correlations(_IMAGINARY, "gt"))
    return decided(
        most >= least,
        f"with any answer key of these accuracies |Γ| of 2-3 reaches {with_decimal(least)} on a or b, and that of 1-2 "
        f"never exceeds {with_decimal(most)}",
        right="judges 2 and 3 are by far the most correlated",
        arose=f"{fixed_text(printed_most, 3)}, printed for {printed_name}, is in a row copied from table 3",
    )


def _triggers(_: str) -> Finding:
    """Judge that the correlation of the pair 1-2 is what makes Δ_12, and with it Π, negative."""
    moments = graded.moments_of(_IMAGINARY)
    share = graded.prevalence(_IMAGINARY, "gt", "a")
    spread = share * (1 - share)
    for judge in (0, 1):
        x, y = (graded.accuracy(_IMAGINARY, "gt", label, judge) for label in graded.LABELS)
        spread = spread * (x + y - 1)
    positive = [pair for pair in ((0, 2), (1, 2)) if moments.pair[pair] > 0]
    return decided(
        moments.pair[0, 1] < 0 < spread and len(positive) == 2 and moments.discriminant < 0,
        f"Δ_12 = {with_decimal(moments.pair[0, 1])}, and would be P_aP_bd_1d_2 = {with_decimal(spread)} without it",
        f"the other Δ are positive; so it makes Π negative, without which A = T² + 4Π < 0 could not be: "
        f"A = {with_decimal(moments.discriminant, 9)}",
    )


def _sizes(pair: str) -> tuple[mpq, mpq]:
    """Return the least and the greatest max(|Γ^a|, |Γ^b|) over all answer keys with the true accuracies."""
    points = graded.consistent_pairs(_IMAGINARY, "gt", pair)
    sizes = [max(abs(rational_rate(each)) for each in point.correlations) for point in points]
    return min(sizes), max(sizes)


def _imaginary(_: str) -> Finding:
    shares = [defined(each.prevalence["a"]) for each in graded.independent_of(_IMAGINARY).solutions]
    imaginary = [isinstance(share, Surd) and not share.is_real for share in shares]
    return decided(all(imaginary), f"the solutions are P_a = {' and '.join(map(str, shares))}")


def _majority_large(_: str) -> Finding:
    """Judge that majority vote sees a large correlation: one larger than on two-norm, where all are called small."""
    name, most = errors.largest(errors.correlations(_IMAGINARY, "mv"))
    _, true = errors.largest(errors.correlations(_IMAGINARY, "gt"))
    _, small = errors.largest(errors.correlations(_TWO_NORM, "mv"))
    printed_name, printed = errors.largest(_printed_correlations(_IMAGINARY, "mv"))
    return decided(
        most > 2 * small,
        f"the largest |Γ| of majority vote is {fixed_text(most, 3)} for {name}; on two-norm, where the correlations "
        f"are called small, it is {fixed_text(small, 3)}",
        f"the largest true |Γ| is {fixed_text(true, 3)}",
        right="majority vote sees no large correlation here, though there is one",
        arose=f"{fixed_text(printed, 3)}, printed for {printed_name}, is a misprint",
    )


def _not_the_correct_pair(_: str) -> Finding:
    found: dict[str, list[Mapping[str, Exact]]] = {
        "by the printed values": [_printed_correlations(_IMAGINARY, column) for column in ("gt", "mv")],
        "by the right values": [errors.correlations(_IMAGINARY, column) for column in ("gt", "mv")],
    }
    readings = {}
    for reading, values in found.items():
        truth, crowd = (errors.largest(each)[0] for each in values)
        readings[reading] = decided(
            truth[2:] != crowd[2:],
            f"{reading} the largest true |Γ| is that of {truth}, by majority vote {crowd}",
        )
    return by_reading(readings)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/sec-5-2/structure",
        "section 5.2",
        Kind.COUNT,
        "All three tests have 1000 questions, 400 of a and 600 of b.",
        _structure,
        printed="1000 = 400 + 600",
    ),
    Claim(
        "ntqr/sec-5-2/both-do-well",
        "section 5.2",
        Kind.SENTENCE,
        "On two-norm both the independent solution and majority vote do well.",
        _both_do_well,
    ),
    *(
        Claim(
            f"ntqr/sec-5-2/pair-postulates-{test}",
            "section 5.2",
            Kind.SENTENCE,
            f"The pair correlations of {test} come from the postulates of pairs: the printed ones satisfy eq. 37.",
            partial(_by_pair_postulates, test=test),
        )
        for test in graded.TESTS
    ),
    *(
        Claim(
            f"ntqr/sec-5-2/equation-40-{test}",
            f"tables {graded.TABLES[test][0]} and {graded.TABLES[test][1]}, captions, and eq. 40",
            Kind.NUMBER,
            f"The estimate of $Q_a$ that is printed for {test} is the one of eq. 40.",
            partial(_by_equation_40, test=test),
            printed=graded.printed_test(test, "a")["caption"]["iae"],
        )
        for test in graded.TESTS
        if graded.is_real(test)
    ),
    Claim(
        "ntqr/sec-5-2/small-correlations",
        "section 5.2",
        Kind.SENTENCE,
        "The error correlations of the two-norm test are small.",
        _small_correlations,
    ),
    Claim(
        "ntqr/sec-5-2/methods-agree",
        "section 5.2",
        Kind.SENTENCE,
        "On two-norm both methods agree about the correlations.",
        _methods_agree,
    ),
    Claim(
        "ntqr/sec-5-3/correlation-of-1-and-2",
        "section 5.3",
        Kind.SENTENCE,
        "On the first UCI adult test the large error correlation is that of judges 1 and 2.",
        _large_for_1_2,
    ),
    Claim(
        "ntqr/sec-5-3/triggered-by-1-and-2",
        "section 5.3",
        Kind.SENTENCE,
        "The error correlation of judges 1 and 2 makes the independent solution of that test imaginary.",
        _triggers,
    ),
    Claim(
        "ntqr/sec-5-3/imaginary",
        "section 5.3",
        Kind.SENTENCE,
        "On the first UCI adult test the independent solution is imaginary.",
        _imaginary,
    ),
    Claim(
        "ntqr/sec-5-3/majority-large",
        "section 5.3",
        Kind.SENTENCE,
        "On the first UCI adult test majority vote, too, estimates a large correlation.",
        _majority_large,
    ),
    Claim(
        "ntqr/sec-5-3/not-the-correct-pair",
        "section 5.3",
        Kind.SENTENCE,
        "The pair with the largest correlation by majority vote is not the correct one.",
        _not_the_correct_pair,
    ),
    *adult_sentences.CLAIMS,
    *closing.CLAIMS,
)
