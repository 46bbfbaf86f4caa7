"""Tables 2 to 7 of the source: three tests, each cell with its fraction and its decimal.

Each cell is judged by what the votes determine: the majority-vote grades and the independent solution follow
from them; a true accuracy is checked with the postulate of one judge against the true accuracy on the other
label; a true correlation on label b against that on label a.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluation import rational_rate
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import Exact, all_of, by_reading, decided
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.printed_cells import (
    NO_VALUE,
    cell_finding,
    decimal_finding,
    printed_tables,
    read_exact,
    rounds_to,
    split_cell,
)

_OTHER = {"a": "b", "b": "a"}
_COLUMNS = {"gt": "true value", "iae": "independent solution", "mv": "majority vote"}


# -- accuracies ---------------------------------------------------------------------------------------


def _true_accuracy(printed: str, table: Mapping[str, Any], judge: int) -> Finding:
    """Judge a true accuracy by R^a_a + (Q_b − R^b_b) = R_a and the accuracy printed for the other label."""
    test, label = table["example"], table["label"]
    votes, truth = graded.votes_of(test), graded.truth_of(test)
    other = _OTHER[label]
    given, rest = votes.responses(judge)[label], truth.key_counts[other]
    right = given - (rest - truth.correct[judge][other])
    what = (
        f"judge {judge + 1} answered {label} {given} times, {rest - truth.correct[judge][other]} times wrongly; "
        f"share of right answers on {label}"
    )
    return cell_finding(printed, mpq(right, truth.key_counts[label]), what)


def _independent_accuracy(printed: str, table: Mapping[str, Any], judge: int) -> Finding:
    """Judge an accuracy of the independent solution: its own value, or the nearest consistent share."""
    test, label = table["example"], table["label"]
    if not graded.is_real(test):
        return _no_value(printed, test)
    fraction, _ = split_cell(printed)
    own, projected = (
        graded.accuracy(test, "iae", label, judge),
        graded.projected_accuracy(test, label, judge),
    )
    if isinstance(read_exact(fraction), Surd):
        names = {f"the decimal is that of the projected share {with_decimal(projected)}": projected}
        return cell_finding(printed, own, "independent solution", decimal_origins=names)
    counts = graded.projected_of(test).key_counts[label]
    unprojected = {f"the decimal is that of the solution before projection, {with_decimal(own)}": own}
    return cell_finding(
        printed, projected, "nearest consistent share", denominator=counts, decimal_origins=unprojected
    )


def _majority_accuracy(printed: str, table: Mapping[str, Any], judge: int) -> Finding:
    test, label = table["example"], table["label"]
    exact = graded.accuracy(test, "mv", label, judge)
    questions = graded.majority_of(test).key.key_counts[label]
    fraction, _ = split_cell(printed)
    arose = "; ".join(_copied_parts(fraction, table, judge, questions))
    what = f"majority vote, {questions} questions of {label}: share"
    return cell_finding(
        printed, exact, what, origins={arose: read_exact(fraction)} if arose else {}, denominator=questions
    )


def _copied_parts(fraction: str, table: Mapping[str, Any], judge: int, questions: int) -> Iterator[str]:
    """Yield which number of a fraction stands in the same cell of which earlier table."""
    numbers = fraction.split("/")
    for name, place in (("numerator", 0), ("denominator", 1)):
        if place == 1 and rational(numbers[1]) == questions:
            continue
        for other in printed_tables()["tests"]:
            before, _ = split_cell(other["accuracy"][str(judge + 1)]["mv"])
            if other["table"] < table["table"] and before.split("/")[place] == numbers[place]:
                yield f"the {name} is that of table {other['table']}"
                break
    if rational(numbers[0]) == questions:
        yield "the numerator is the number of questions"


def _no_value(printed: str, test: str) -> Finding:
    """Judge a cell without a value: right if the independent solution is imaginary."""
    if printed != NO_VALUE:
        raise BadDocument(printed, "the cells of an imaginary solution hold no value")
    discriminant = graded.moments_of(test).discriminant
    return decided(
        discriminant < 0,
        f"A = {with_decimal(discriminant, 9)} < 0: the solution is imaginary",
        right="a value",
    )


# -- correlations -------------------------------------------------------------------------------------


def _true_correlation(printed: str, table: Mapping[str, Any], pair: str) -> Finding:
    test, label = table["example"], table["label"]
    if label == "a":
        return _possible_correlation(printed, test, pair)
    point = graded.true_point(test, pair)
    exact = graded.true_correlation(test, "b", pair)
    fraction, _ = split_cell(printed)
    origins: dict[str, Exact] = _same_cell_before(table, pair, "gt")
    rows: dict[str, Exact] = {
        f"the decimal is that of pair {name}": graded.true_correlation(test, "b", name)
        for name in graded.PAIRS
        if name != pair
    }
    rows["the decimal is that of label a"] = graded.true_correlation(test, "a", pair)
    value = read_exact(fraction)
    return cell_finding(
        printed,
        exact,
        f"with the printed Γ^a both were right {point.both_right[0]} times on a, hence {point.both_right[1]} times "
        "on b; Γ^b",
        origins=origins,
        decimal_origins=rows,
        note="" if value == exact else _why_not(test, pair, rational(fraction)) + _otherwise(test, pair),
    )


def _why_not(test: str, pair: str, value: mpq) -> str:
    """Return why a printed Γ^b is not that of this test: no count of questions gives it, or it is another one."""
    truth = graded.truth_of(test)
    questions = truth.key_counts["b"]
    i, j = graded.PAIRS[pair]
    both = value * questions + mpq(truth.correct[i]["b"] * truth.correct[j]["b"], questions)
    scaled = value * questions**2
    if scaled.denominator != 1:
        return f"{questions}²·({value}) = {scaled} is not whole: no test with {questions} questions of b has this Γ"
    if both.denominator != 1:
        return f"both would be right {both} times, which is not whole: impossible with these accuracies"
    return f"both would be right {both} times, which does not go with the printed Γ^a"


def _otherwise(test: str, pair: str) -> str:
    """Return what Γ^b would be if in the cell of Γ^a the decimal were right and the fraction not."""
    point = graded.other_point(test, pair)
    return f"; if the decimal of Γ^a is the right one, Γ^b = {point.correlations[1]}" if point else ""


def _possible_correlation(printed: str, test: str, pair: str) -> Finding:
    """Judge a true Γ^a: some consistent answer key with the true accuracies must have it."""
    points = graded.consistent_pairs(test, "gt", pair)
    fraction, decimal = split_cell(printed)
    value = read_exact(fraction)
    point = next((each for each in points if each.correlations[0] == value), None)
    low, high = points[0].both_right[0], points[-1].both_right[0]
    lines = [f"both right on a {low} to {high} times are consistent"]
    if point is None:
        return decided(False, *lines, f"none of them gives {printed}", right="one of these", slip=True)
    lines.append(
        f"Γ^a = {with_decimal(rational_rate(point.correlations[0]))} means {point.both_right[0]} times"
    )
    parts = {"fraction": decided(True, *lines), "decimal": decimal_finding(decimal, value, "it", {})}
    others = [each for each in points if rounds_to(decimal, rational_rate(each.correlations[0]))]
    if point not in others and len(others) == 1:
        kept = others[0]
        words = f"or the decimal is right: {kept.both_right[0]} times, which gives {kept.correlations[0]}"
        parts["or fraction"] = decided(False, words, right=str(kept.correlations[0]), slip=True)
    return all_of(parts)


def _independent_correlation(printed: str, table: Mapping[str, Any], pair: str) -> Finding:
    """Judge a correlation that goes with the projected grades: many do, and one end of them is printed."""
    test, label = table["example"], table["label"]
    if not graded.is_real(test):
        return _no_value(printed, test)
    points = graded.consistent_pairs(test, "iae", pair)
    ends = [
        with_decimal(rational_rate(points[end].correlations[graded.LABELS.index(label)])) for end in (0, -1)
    ]
    fewest = graded.projected_correlation(test, label, pair)
    central = graded.projected_correlation(test, label, pair, nearest_to_zero=True)
    span = f"{len(points)} values are consistent with the projected grades, {ends[0]} to {ends[1]}; the first"
    return by_reading(
        {
            "the consistent value with the fewest questions of a on which both are right": cell_finding(
                printed, fewest, span
            ),
            "the consistent value nearest to independence": cell_finding(printed, central, "nearest to 0"),
        }
    )


def _majority_correlation(printed: str, table: Mapping[str, Any], pair: str) -> Finding:
    test, label = table["example"], table["label"]
    exact = graded.majority_correlation(test, label, pair)
    i, j = graded.PAIRS[pair]
    third = 3 - i - j
    share = [rational_rate(graded.accuracy(test, "mv", label, judge)) for judge in range(3)]
    both = exact + share[i] * share[j]
    origins = _same_cell_before(table, pair, "mv")
    for kept, replaced in ((j, i), (i, j)):
        name = f"the accuracy of judge {third + 1} was taken for that of judge {replaced + 1}"
        origins[name] = both - share[third] * share[kept]
    what = f"majority vote: Γ = −(1 − {share[i]})(1 − {share[j]})"
    return cell_finding(printed, exact, what, origins=origins)


def _same_cell_before(table: Mapping[str, Any], pair: str, column: str) -> dict[str, Exact]:
    """Return what stands in the same cell of the earlier tables of the same label."""
    cells: dict[str, Exact] = {}
    for other in printed_tables()["tests"]:
        text = other["correlation"][pair][column]
        if other["table"] < table["table"] and other["label"] == table["label"] and text != NO_VALUE:
            cells[f"it is the cell of table {other['table']}"] = read_exact(split_cell(text)[0])
    return cells


# -- captions -----------------------------------------------------------------------------------------


def _caption(printed: str, table: Mapping[str, Any], column: str) -> Finding:
    test, label = table["example"], table["label"]
    size = graded.votes_of(test).size
    value = rational(printed)
    earlier = [
        each["table"]
        for each in printed_tables()["tests"]
        if each["table"] < table["table"] and each["caption"][column] == printed
    ]
    arose = f"it is the number in the caption of table {earlier[0]}" if earlier else ""
    beside = graded.printed_test(test, _OTHER[label])["caption"][column]
    total = f"with {beside}, printed for {_OTHER[label]}, it makes {value + rational(beside)} questions"
    if column == "gt":
        shares = [_prevalence_of(test, judge) for judge in range(3)]
        exact = size * (shares[0] if label == "a" else 1 - shares[0])
        words = "the votes and the printed accuracies of each judge give P_a = " + ", ".join(map(str, shares))
        return decided(len(set(shares)) == 1 and value == exact, words, right=str(exact), slip=True)
    if column == "mv":
        exact = mpq(graded.majority_of(test).key.key_counts[label])
        words = f"the majority answers {label} to {exact} questions, printed {printed}"
        return decided(value == exact, words, total, right=str(exact), slip=True, arose=arose)
    if not graded.is_real(test):
        words = f"A < 0: there is no real estimate, and none of {printed}"
        return decided(False, words, right="no estimate", slip=True, arose=arose)
    share = graded.prevalence(test, "iae", label)
    exact = mpq(graded.projected_of(test).key_counts[label])
    words = f"1000·P_{label} ≈ {fixed_text(share * size)} and the nearest consistent evaluation has {exact}"
    return decided(value == exact, words, f"printed {printed}", total, right=str(exact), slip=True)


def _prevalence_of(test: str, judge: int) -> mpq:
    """Return the P_a that solves f_a = P_a x + (1 − P_a)(1 − y) for the printed accuracies of a judge."""
    x, y = (rational_rate(graded.accuracy(test, "gt", label, judge)) for label in graded.LABELS)
    given = graded.votes_of(test).response_rate(judge, "a")
    return (given - (1 - y)) / (x + y - 1)


def _together(printed: str, test: str) -> Finding:
    """Judge whether the three printed Γ^a can be true at once."""
    if printed:
        raise BadDocument(printed, "nothing is printed for the three together")
    found = graded.joint_keys(test)
    span = (
        f"all three right on {found[0]} to {found[-1]} questions of a"
        if found
        else "no count of full agreement"
    )
    return decided(bool(found), f"answer keys with all three Γ^a and the true accuracies exist: {span}")


# -- the claims ---------------------------------------------------------------------------------------

_ACCURACY = {"gt": _true_accuracy, "iae": _independent_accuracy, "mv": _majority_accuracy}
_CORRELATION = {"gt": _true_correlation, "iae": _independent_correlation, "mv": _majority_correlation}
_TWICE = "The extraction holds table 3 twice, once with other digits in this cell."
_GARBLED = {(3, "2-3", "gt"): _TWICE, (3, "2-3", "iae"): _TWICE, (3, "2-3", "mv"): _TWICE}


_BY_HAND = {
    "accuracy": {
        "gt": "Right answers on a minus right answers on b is R_a − Q_b.",
        "iae": "P^a_{a_i} = f_{a_i} + P_bd_i and P^b_{b_i} = f_{b_i} + P_ad_i, with d_i = √A/Δ_jk of the other two.",
        "mv": "Of the questions of a label take away those on which the judge stands alone against it.",
    },
    "correlation": {
        "gt": "On a and b together both are right as often as the votes and the accuracies say: k_a + k_b is fixed.",
        "iae": "Γ^a = k/Q_a − R_iR_j/Q_a², with k as small as the four counts of the pair allow.",
        "mv": "No two of three judges are outvoted together, so Γ = −(1 − P_i)(1 − P_j).",
    },
}


def _table_claims(table: Mapping[str, Any]) -> Iterator[Claim]:
    number, label, test = table["table"], table["label"], table["example"]
    place = f"table {number}"
    for column, text in table["caption"].items():
        yield Claim(
            f"ntqr/table-{number}/caption/{column}",
            f"{place}, caption",
            Kind.NUMBER,
            f"Test {test}: ${{Q_{label}}}$ by {_COLUMNS[column]} is {text}.",
            partial(_caption, table=table, column=column),
            printed=text,
        )
    for judge, row in table["accuracy"].items():
        for column, text in row.items():
            yield Claim(
                f"ntqr/table-{number}/accuracy-{label}/{judge}/{column}",
                f"{place}, judge {judge}",
                Kind.DECISION if text == NO_VALUE else Kind.NUMBER,
                rf"Test {test}: $\hat P^{label}_{{{label}_{judge}}}$ of judge {judge}, {_COLUMNS[column]}.",
                partial(_ACCURACY[column], table=table, judge=int(judge) - 1),
                printed=text,
                by_hand="" if text == NO_VALUE else _BY_HAND["accuracy"][column],
            )
    for pair, row in table["correlation"].items():
        for column, text in row.items():
            yield Claim(
                f"ntqr/table-{number}/correlation-{label}/{pair}/{column}",
                f"{place}, pair {pair}",
                Kind.DECISION if text == NO_VALUE else Kind.NUMBER,
                rf"Test {test}: $\Gamma^{label}_{{{pair.replace('-', ',')}}}$, {_COLUMNS[column]}.",
                partial(_CORRELATION[column], table=table, pair=pair),
                printed=text,
                garbled=_GARBLED.get((number, pair, column), ""),
                by_hand="" if text == NO_VALUE else _BY_HAND["correlation"][column],
            )
    if label == "a":
        yield Claim(
            f"ntqr/table-{number}/correlation-a/together",
            place,
            Kind.SENTENCE,
            rf"Test {test}: the three true $\Gamma^a_{{i,j}}$ belong to one answer key.",
            partial(_together, test=test),
        )


CLAIMS: tuple[Claim, ...] = tuple(
    claim for table in printed_tables()["tests"] for claim in _table_claims(table)
)
