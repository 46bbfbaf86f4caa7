"""Checks of sentences of sections 5.2 to 5.4: how good the estimates are, and how correlated the judges."""

from __future__ import annotations

from collections.abc import Mapping

from gmpy2 import mpq

from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.ledger.judgement import Exact, Finding, as_printed, by_reading, decided
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.postulates import pair as pair_postulates

_TWO_NORM, _IMAGINARY, _ = graded.TESTS


def do_well(*, test: str, within: mpq) -> Finding:
    """Judge that both estimates of a test are near the truth, each rate within so much."""
    worst = {
        column: graded.largest(
            {**graded.accuracy_errors(test, column), "P_a": graded.prevalence_error(test, column)}
        )
        for column in ("iae", "mv")
    }
    names = {"iae": "independent solution", "mv": "majority vote"}
    return decided(
        all(error <= within for _, error in worst.values()),
        *(
            f"{names[column]}: no rate is off by more than {fixed_text(error, 3)} ({name})"
            for column, (name, error) in worst.items()
        ),
    )


def by_pair_postulates(*, test: str) -> Finding:
    """Judge whether the printed correlations satisfy the pair postulate 37; the right ones must."""
    printed, proper = (
        {column: _violations(test, column, right=right) for column in ("gt", "iae", "mv")}
        for right in (False, True)
    )
    text = "; ".join(f"{column} of {', '.join(pairs)}" for column, pairs in printed.items() if pairs)
    return as_printed(
        not any(printed.values()),
        f"eq. 37 is not 0 for {text}" if text else "eq. 37 is 0 for all pairs and columns",
        f"with the right values of the misprinted cells {sum(map(len, proper.values()))} violations are left",
        right="the cells as corrected in their own entries",
    )


def _violations(test: str, column: str, *, right: bool) -> list[str]:
    """Return the pairs for which eq. 37 does not vanish."""
    if column == "iae" and not graded.is_real(test):
        return []
    votes = graded.votes_of(test)
    rates = graded.projected_of(test).rates() if column == "iae" else graded.rates(test, column)
    found = []
    for name, (i, j) in graded.PAIRS.items():
        if right:
            values = {label: graded.correlations(test, column)[f"{label} {name}"] for label in graded.LABELS}
        else:
            values = {
                label: rational_rate(graded.printed_cell(test, label, "correlation", name, column).value)
                for label in graded.LABELS
            }
        evaluation = Evaluation.from_accuracies(
            rates.prevalence,
            [rates.accuracy[i], rates.accuracy[j]],
            {(label, (0, 1)): value for label, value in values.items()},
        )
        if pair_postulates()["37"].residual(evaluation, votes.marginal(i, j)) != 0:
            found.append(name)
    return found


def small_correlations() -> Finding:
    """Judge that the true correlations of two-norm are small, below 1/50."""
    name, most = graded.largest(graded.correlations(_TWO_NORM, "gt"))
    return decided(
        most < mpq(1, 50),
        f"the largest true |Γ| of two-norm is {with_decimal(most)}, of label and pair {name}",
    )


def methods_agree() -> Finding:
    """Judge whether the estimated correlations of two-norm agree: in size, and pair by pair."""
    own, crowd = (graded.correlations(_TWO_NORM, column) for column in ("iae", "mv"))
    opposite = [name for name in own if own[name] * crowd[name] < 0]
    _, size = graded.largest({**own, **{f"mv {key}": value for key, value in crowd.items()}})
    signs = ", ".join(
        f"{name}: {fixed_text(own[name], 3)} and {fixed_text(crowd[name], 3)}" for name in opposite
    )
    return by_reading(
        {
            "both say that all |Γ| are below 3/50": decided(
                size < mpq(3, 50), f"the largest is {fixed_text(size)}"
            ),
            "they say the same of each pair": decided(not opposite, f"opposite signs for {signs}"),
        }
    )


def by_equation_40(printed: mpq, *, test: str) -> Finding:
    """Judge whether eq. 40, P_a = (1 − T/√A)/2, gives the printed Q_a, or the other root of the quadratic does."""
    moments, size = graded.moments_of(test), graded.votes_of(test).size
    root = Surd.sqrt(moments.discriminant)
    shares = [(1 + sign * moments.trio / root) / 2 for sign in (-1, 1)]
    here, other = (fixed_text(share * size, 0) for share in shares)
    return as_printed(
        rational(here) == printed,
        f"T = {with_decimal(moments.trio)} and √A ≈ {fixed_text(root)}",
        f"eq. 40 gives Q_a ≈ {fixed_text(shares[0] * size, 3)}, the other root {fixed_text(shares[1] * size, 3)}",
        right=f"{here}, or {other} with + for − in eq. 40",
        arose="the root with d_1d_2d_3 > 0 was taken" if rational(other) == printed else "",
    )


# -- section 5.3 --------------------------------------------------------------------------------------


def _printed_correlations(test: str, column: str) -> dict[str, Exact]:
    """Return the correlations of a column as their decimals are printed."""
    return {
        f"{label} {pair}": rational(graded.printed_cell(test, label, "correlation", pair, column).decimal)
        for label in graded.LABELS
        for pair in graded.PAIRS
    }


def large_for_1_2() -> Finding:
    """Judge that the pair 1-2 is the correlated one, over all answer keys with the true accuracies."""
    least, most = _sizes("2-3")[0], _sizes("1-2")[1]
    printed_name, printed_most = graded.largest(_printed_correlations(_IMAGINARY, "gt"))
    return decided(
        most >= least,
        f"with any answer key of these accuracies |Γ| of 2-3 reaches {with_decimal(least)} on a or b, and that of 1-2 "
        f"never exceeds {with_decimal(most)}",
        right="judges 2 and 3 are by far the most correlated",
        arose=f"{fixed_text(printed_most, 3)}, printed for {printed_name}, is in a row copied from table 3",
    )


def triggers() -> Finding:
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


def majority_large() -> Finding:
    """Judge that majority vote sees a large correlation: one larger than on two-norm, where all are called small."""
    name, most = graded.largest(graded.correlations(_IMAGINARY, "mv"))
    _, true = graded.largest(graded.correlations(_IMAGINARY, "gt"))
    _, small = graded.largest(graded.correlations(_TWO_NORM, "mv"))
    printed_name, printed = graded.largest(_printed_correlations(_IMAGINARY, "mv"))
    return decided(
        most > 2 * small,
        f"the largest |Γ| of majority vote is {fixed_text(most, 3)} for {name}; on two-norm, where the correlations "
        f"are called small, it is {fixed_text(small, 3)}",
        f"the largest true |Γ| is {fixed_text(true, 3)}",
        right="majority vote sees no large correlation here, though there is one",
        arose=f"{fixed_text(printed, 3)}, printed for {printed_name}, is computed wrongly",
    )


def not_the_correct_pair() -> Finding:
    """Judge whether majority vote sees the largest correlation in another pair, by printed and by right values."""
    found: dict[str, list[Mapping[str, Exact]]] = {
        "by the printed values": [_printed_correlations(_IMAGINARY, column) for column in ("gt", "mv")],
        "by the right values": [graded.correlations(_IMAGINARY, column) for column in ("gt", "mv")],
    }
    readings = {}
    for reading, values in found.items():
        truth, crowd = (graded.largest(each)[0] for each in values)
        readings[reading] = decided(
            truth[2:] != crowd[2:],
            f"{reading} the largest true |Γ| is that of {truth}, by majority vote {crowd}",
        )
    return by_reading(readings)


_ADULT = "uci-adult"


def successful() -> Finding:
    """Judge that the second UCI adult test has a real solution with all rates in range."""
    rates = [graded.accuracy(_ADULT, "iae", label, judge) for label in "ab" for judge in range(3)]
    share = graded.prevalence_error(_ADULT, "iae")
    name, most = graded.largest(graded.accuracy_errors(_ADULT, "iae"))
    return decided(
        all(0 <= rate <= 1 for rate in rates),
        "the solution is real and all its rates lie between 0 and 1",
        f"P_a is off by {fixed_text(share, 3)}, the accuracy {name} by {fixed_text(most, 3)}",
    )


def performance_better() -> Finding:
    """Judge whether the independent solution is closer to the true accuracies, by four measures."""
    own, crowd = (graded.accuracy_errors(_ADULT, column) for column in ("iae", "mv"))
    worse = [name for name in own if own[name] > crowd[name]]
    sums = [sum(each.values(), mpq(0)) for each in (own, crowd)]
    squares = [graded.squares(each) for each in (own, crowd)]
    grades = _overall_errors()
    return by_reading(
        {
            "each accuracy": decided(not worse, f"majority vote is closer for {', '.join(worse)}"),
            "sum of the absolute errors": decided(
                sums[0] < sums[1], f"{fixed_text(sums[0], 3)} against {fixed_text(sums[1], 3)}"
            ),
            "sum of the squared errors": decided(
                squares[0] < squares[1], f"{fixed_text(squares[0], 4)} against {fixed_text(squares[1], 4)}"
            ),
            "all right answers of each judge": decided(
                all(mine < theirs for mine, theirs in grades),
                f"off by {', '.join(f'{mine} against {theirs}' for mine, theirs in grades)}",
            ),
        }
    )


def _overall_errors() -> list[tuple[int, int]]:
    """Return by how many right answers each judge's total is missed, projected and by majority vote."""
    truth, projected = graded.truth_of(_ADULT), graded.projected_of(_ADULT)
    key = graded.majority_of(_ADULT).key
    found = []
    for judge in range(3):
        right = sum(truth.correct[judge].values())
        crowd = sum(key.by_label[label].responses(judge)[label] for label in graded.LABELS)
        found.append((abs(sum(projected.correct[judge].values()) - right), abs(crowd - right)))
    return found


def correlations_better() -> Finding:
    """Judge whether the printed correlations of the independent solution are closer to the truth, by their squares."""
    crowd = graded.correlation_errors(_ADULT, "mv")
    own = graded.correlation_errors(_ADULT, "iae")
    other = graded.correlation_errors(_ADULT, "iae", end=-1)
    worse = [name for name in own if own[name] > crowd[name]]
    sums = [fixed_text(graded.squares(each), 5) for each in (own, crowd, other)]
    return by_reading(
        {
            "sum of the squared errors": decided(
                graded.squares(own) < graded.squares(crowd),
                f"{sums[0]} against {sums[1]} of majority vote",
                f"at the other end of the consistent correlations it would be {sums[2]}",
            ),
            "each correlation": decided(
                not worse,
                f"majority vote is closer for {', '.join(worse)}" if worse else "better for all six",
            ),
        }
    )


def majority_exaggerates() -> Finding:
    """Judge that the correlations by majority vote are far larger than the true ones, by the sum of their squares."""
    truth, crowd = (graded.correlations(_ADULT, column) for column in ("gt", "mv"))
    less = [name for name in truth if graded.size(crowd[name]) <= graded.size(truth[name])]
    sums = [graded.squares(each) for each in (truth, crowd)]
    return decided(
        4 * sums[0] < sums[1],
        f"sum of Γ²: {fixed_text(sums[1], 5)} by majority vote, {fixed_text(sums[0], 5)} in truth",
        f"of single correlations it overstates all but {', '.join(less)}"
        if less
        else "for every pair and label",
    )
