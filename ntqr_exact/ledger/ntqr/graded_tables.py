"""Checks of tables 2 to 7: three tests, each cell with its fraction and its decimal.

Each cell is judged by what the votes determine: the majority-vote grades and the independent solution follow
from them; a true accuracy is checked with the postulate of one judge against the true accuracy on the other
label; a true correlation on label b against that on label a.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.evaluation import rational_rate
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.ledger.judgement import Finding, all_of, as_printed, possible
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.printed_cells import Cell, Origin, cell_finding, decimal_finding, rounds_to
from ntqr_exact.ledger.registry import printed as printed_at

_OTHER = {"a": "b", "b": "a"}
Column = Literal["gt", "iae", "mv"]


def accuracy(printed: Cell, *, test: str, label: str, judge: int, column: Column) -> Finding:
    """Judge an accuracy: the true one, that of the independent solution, or by majority vote."""
    judged = {"gt": _true_accuracy, "iae": _independent_accuracy, "mv": _majority_accuracy}
    return judged[column](printed, test, label, judge - 1)


def _true_accuracy(cell: Cell, test: str, label: str, judge: int) -> Finding:
    """Judge a true accuracy by R^a_a + (Q_b − R^b_b) = R_a and the accuracy printed for the other label."""
    votes, truth = graded.votes_of(test), graded.truth_of(test)
    other = _OTHER[label]
    given, rest = votes.responses(judge)[label], truth.key_counts[other]
    beside = graded.printed_cell(test, other, "accuracy", str(judge + 1), "gt").value
    wrong = rest * (1 - beside)
    what = (
        f"judge {judge + 1} answered {label} {given} times, {wrong} times wrongly by the accuracy printed for {other}; "
        f"share of right answers on {label}"
    )
    return cell_finding(cell, (given - wrong) / truth.key_counts[label], what)


def _independent_accuracy(cell: Cell, test: str, label: str, judge: int) -> Finding:
    """Judge an accuracy of the independent solution: its own value, or the nearest consistent share."""
    if not graded.is_real(test):
        return _no_value(cell, test)
    own = graded.accuracy(test, "iae", label, judge)
    projected = rational_rate(graded.projected_of(test).rates().accuracy[judge][label])
    if not cell.exact or isinstance(cell.value, Surd):
        words = f"the decimal is that of the projected share {with_decimal(projected)}"
        return cell_finding(cell, own, "independent solution", decimal_origins=[Origin(words, projected)])
    words = f"the decimal is that of the solution before projection, {with_decimal(own)}"
    return cell_finding(
        cell,
        projected,
        "nearest consistent share",
        denominator=graded.projected_of(test).key_counts[label],
        decimal_origins=[Origin(words, own)],
    )


def _majority_accuracy(cell: Cell, test: str, label: str, judge: int) -> Finding:
    exact = graded.accuracy(test, "mv", label, judge)
    questions = graded.majority_of(test).key.key_counts[label]
    arose = "; ".join(_copied_parts(cell, test, judge, questions)) if cell.exact else ""
    what = f"majority vote, {questions} questions of {label}: share"
    origins = [Origin(arose, cell.value)] if arose else []
    return cell_finding(cell, exact, what, origins=origins, denominator=questions)


def _copied_parts(cell: Cell, test: str, judge: int, questions: int) -> Iterator[str]:
    """Yield which number of a fraction stands in the same cell of which earlier table."""
    numbers = cell.exact.split("/")
    for name, place in (("numerator", 0), ("denominator", 1)):
        if place == 1 and rational(numbers[1]) == questions:
            continue
        for earlier, number, label in _earlier_tables(test, "b"):
            before = graded.printed_cell(earlier, label, "accuracy", str(judge + 1), "mv").exact
            if before.split("/")[place] == numbers[place]:
                yield f"the {name} is that of table {number}"
                break
    if rational(numbers[0]) == questions:
        yield "the numerator is the number of questions"


def _earlier_tables(test: str, label: str) -> Iterator[tuple[str, int, str]]:
    """Yield test, number and label of the tables before that of a test and label."""
    last = graded.TABLES[test][graded.LABELS.index(label)]
    for earlier, numbers in graded.TABLES.items():
        for number, of in zip(numbers, graded.LABELS, strict=True):
            if number < last:
                yield earlier, number, of


def _no_value(cell: Cell, test: str) -> Finding:
    """Judge a cell without a value: right if the independent solution is imaginary."""
    discriminant = graded.moments_of(test).discriminant
    return as_printed(
        not cell.exact and discriminant < 0,
        f"A = {with_decimal(discriminant, 9)} < 0: the solution is imaginary",
    )


def correlation(printed: Cell, *, test: str, label: str, pair: str, column: Column) -> Finding:
    """Judge an error correlation: the true one, that of the independent solution, or by majority vote."""
    if column == "gt":
        return (_true_correlation_a if label == "a" else _true_correlation_b)(printed, test, pair)
    judged = _independent_correlation if column == "iae" else _majority_correlation
    return judged(printed, test, label, pair)


def _true_correlation_a(cell: Cell, test: str, pair: str) -> Finding:
    """Judge a true Γ^a: some consistent answer key with the true accuracies must have it."""
    points = graded.consistent_pairs(test, "gt", pair)
    value = cell.value if cell.exact else None
    point = next((each for each in points if each.correlations[0] == value), None)
    low, high = points[0].both_right[0], points[-1].both_right[0]
    span = f"with the true accuracies of all three judges, both can be right on a {low} to {high} times"
    if value is None or point is None:
        return as_printed(False, span, f"none of these gives {cell.text()}")
    here = possible(
        True, span, f"Γ^a = {with_decimal(rational_rate(value))} means {point.both_right[0]} times"
    )
    rounded = decimal_finding(cell.decimal, value, "it")
    if not rounded.right:
        return all_of({"fraction": here, "decimal": rounded})
    right = f"{cell.exact} = {rounded.right}"
    others = [each for each in points if rounds_to(cell.decimal, rational_rate(each.correlations[0]))]
    if len(others) == 1:
        right += f" or {others[0].correlations[0]} = {cell.decimal}"
    return as_printed(False, *here.evidence, *rounded.evidence, right=right)


def _true_correlation_b(cell: Cell, test: str, pair: str) -> Finding:
    """Judge a true Γ^b by the Γ^a printed beside it: P_aΓ^a + P_bΓ^b is fixed by the votes."""
    point = graded.true_point(test, pair)
    exact = graded.true_correlation(test, "b", pair)
    rows = [
        Origin(f"the decimal is that of pair {name}", graded.true_correlation(test, "b", name))
        for name in graded.PAIRS
        if name != pair
    ]
    rows.append(Origin("the decimal is that of label a", graded.true_correlation(test, "a", pair)))
    return cell_finding(
        cell,
        exact,
        f"with the printed Γ^a both were right {point.both_right[0]} times on a, hence {point.both_right[1]} times "
        "on b; Γ^b",
        origins=_same_cell_before(test, "b", pair, "gt"),
        decimal_origins=rows,
        note=_why_not(test, pair, rational_rate(cell.value)) if cell.exact and cell.value != exact else "",
    )


def _why_not(test: str, pair: str, value: mpq) -> str:
    """Return why a printed Γ^b is not that of this test: no count of questions gives it, or it is another one."""
    truth = graded.truth_of(test)
    questions = truth.key_counts["b"]
    i, j = graded.PAIRS[pair]
    both = value * questions + mpq(truth.correct[i]["b"] * truth.correct[j]["b"], questions)
    scaled = value * questions**2
    other = graded.other_point(test, pair)
    otherwise = f"; if the decimal of Γ^a is the right one, Γ^b = {other.correlations[1]}" if other else ""
    if scaled.denominator != 1:
        return (
            f"{questions}²·({value}) = {scaled} is not whole: no test with {questions} questions of b has this Γ"
            + otherwise
        )
    if both.denominator != 1:
        return (
            f"both would be right {both} times, which is not whole: impossible with these accuracies"
            + otherwise
        )
    return f"both would be right {both} times, which does not go with the printed Γ^a" + otherwise


def _independent_correlation(cell: Cell, test: str, label: str, pair: str) -> Finding:
    """Judge a correlation that goes with the projected grades: the source does not say which of many is meant."""
    if not graded.is_real(test):
        return _no_value(cell, test)
    values = [
        rational_rate(point.correlations[graded.LABELS.index(label)])
        for point in graded.consistent_pairs(test, "iae", pair)
    ]
    ends = " to ".join(with_decimal(values[end]) for end in (0, -1))
    span = f"{len(values)} values are consistent with the projected grades of all three judges, {ends}"
    if not cell.exact or cell.value not in values:
        return as_printed(False, span, f"{cell.text()} is none of them", right=str(values[0]))
    which = ["the first of them is printed"] if cell.value == values[0] else []
    rounded = decimal_finding(cell.decimal, cell.value, "it")
    right = f"{cell.exact} = {rounded.right}"
    evidence = (span, *which, *rounded.evidence)
    return as_printed(False, *evidence, right=right) if rounded.right else possible(True, *evidence)


def _majority_correlation(cell: Cell, test: str, label: str, pair: str) -> Finding:
    exact = graded.majority_correlation(test, label, pair)
    i, j = graded.PAIRS[pair]
    third = 3 - i - j
    share = [rational_rate(graded.accuracy(test, "mv", label, judge)) for judge in range(3)]
    both = exact + share[i] * share[j]
    origins = _same_cell_before(test, label, pair, "mv")
    for kept, replaced in ((j, i), (i, j)):
        words = f"the accuracy of judge {third + 1} was taken for that of judge {replaced + 1}"
        origins.append(Origin(words, both - share[third] * share[kept], arithmetic=True))
    what = f"majority vote: Γ = −(1 − {share[i]})(1 − {share[j]})"
    return cell_finding(cell, exact, what, origins=origins)


def _same_cell_before(test: str, label: str, pair: str, column: str) -> list[Origin]:
    """Return what stands in the same cell of the earlier tables of the same label."""
    found = []
    for earlier, number, of in _earlier_tables(test, label):
        cell = graded.printed_cell(earlier, of, "correlation", pair, column)
        if of == label and cell.exact:
            found.append(Origin(f"it is the cell of table {number}", cell.value))
    return found


def questions_of_label(printed: mpq, *, test: str, label: str, column: Column) -> Finding:
    """Judge the number of questions of a label in a caption: true, estimated, or by majority vote."""
    size = graded.votes_of(test).size
    earlier = [
        number
        for other, number, _ in _earlier_tables(test, label)
        if rational(printed_at(f"ntqr/table-{number}/caption/{column}")) == printed and other != test
    ]
    arose = f"it is the number in the caption of table {earlier[0]}" if earlier else ""
    if column == "gt":
        shares = [_prevalence_of(test, judge) for judge in range(3)]
        exact = size * (shares[0] if label == "a" else 1 - shares[0])
        words = "the votes and the printed accuracies of each judge give P_a = " + ", ".join(map(str, shares))
        return as_printed(len(set(shares)) == 1 and printed == exact, words, right=str(exact))
    if column == "mv":
        exact = mpq(graded.majority_of(test).key.key_counts[label])
        words = f"the majority answers {label} to {exact} questions"
    elif not graded.is_real(test):
        words = f"A < 0: there is no real estimate, and none of {printed}"
        return as_printed(False, words, right="no estimate", arose=arose)
    else:
        share = graded.prevalence(test, "iae", label)
        exact = mpq(graded.projected_of(test).key_counts[label])
        words = (
            f"{size}·P_{label} ≈ {fixed_text(share * size)} and the nearest consistent evaluation has {exact}"
        )
    other = _OTHER[label]
    beside = rational(
        printed_at(f"ntqr/table-{graded.TABLES[test][graded.LABELS.index(other)]}/caption/{column}")
    )
    total = f"with {beside}, printed for {other}, {printed} makes {printed + beside} questions"
    return as_printed(printed == exact, words, total, right=str(exact), arose=arose)


def _prevalence_of(test: str, judge: int) -> mpq:
    """Return the P_a that solves f_a = P_a x + (1 − P_a)(1 − y) for the printed accuracies of a judge."""
    x, y = (rational_rate(graded.accuracy(test, "gt", label, judge)) for label in graded.LABELS)
    given = graded.votes_of(test).response_rate(judge, "a")
    return (given - (1 - y)) / (x + y - 1)


def together(*, test: str) -> Finding:
    """Judge whether the three printed Γ^a can be true at once."""
    found = graded.joint_keys(test)
    span = (
        f"all three right on {found[0]} to {found[-1]} questions of a"
        if found
        else "no count of full agreement"
    )
    return possible(
        bool(found), f"answer keys with all three Γ^a and the true accuracies exist: {span}", slip=False
    )
