"""Tables 2 to 7 of the NTQR paper: every cell judged by the votes behind it."""

from __future__ import annotations

from dataclasses import replace

from gmpy2 import mpq

from ntqr_exact.evaluation import rational_rate
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import fixed_text, with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.judgement import Finding, all_of, as_printed, possible
from ntqr_exact.ledger.ntqr.graded_tests import GRADED, LABELS, PAIRS, TABLES, GradedTest
from ntqr_exact.ledger.ntqr.printed_cells import Cell, Origin, cell_finding, decimal_finding
from ntqr_exact.ledger.ntqr.sentences import BOOK
from ntqr_exact.ledger.printed_value import read_printed

_OTHER = {"a": "b", "b": "a"}


def _place(table: str) -> tuple[GradedTest, str]:
    """Return the test and the label of a table."""
    test = next(test for test in GRADED if int(table) in TABLES[test.name])
    return test, LABELS[TABLES[test.name].index(int(table))]


def _no_value(cell: Cell, test: GradedTest) -> Finding:
    """Judge a cell without a value: right if the independent solution is imaginary."""
    discriminant = test.discriminant
    text = f"A = {with_decimal(discriminant, 9)} < 0: the solution is imaginary"
    return as_printed(not cell.exact and discriminant < 0, text)


def _caption(printed: mpq, table: str, column: str) -> Finding:
    """Judge the number of questions of a label in a caption: true, estimated, or by majority vote."""
    test, label = _place(table)
    size = test.votes.size
    if column == "gt":
        shares = []
        for judge in range(3):  # f_a = P_a x + (1 − P_a)(1 − y)
            x, y = (rational_rate(test.accuracy("gt", each, judge)) for each in LABELS)
            shares.append((test.votes.response_rate(judge, "a") - (1 - y)) / (x + y - 1))
        exact = size * (shares[0] if label == "a" else 1 - shares[0])
        words = f"the votes and the printed accuracies of each judge give P_a = {', '.join(map(str, shares))}"
        return as_printed(len(set(shares)) == 1 and printed == exact, words, right=str(exact))
    if column == "iae" and test.discriminant < 0:
        words = f"A < 0: no estimate is real, and none of {printed}"
        return as_printed(False, words, right="no estimate")
    if column == "mv":
        exact = mpq(test.majority.key.key_counts[label])
        words = f"the majority answers {label} to {exact} questions"
    else:
        share, exact = test.prevalence("iae", label), mpq(test.projected.key_counts[label])
        words = f"{size}·P_{label} ≈ {fixed_text(share * size)} and the nearest consistent evaluation has {exact}"
    beside = rational(BOOK.printed(f"table-{TABLES[test.name][LABELS.index(_OTHER[label])]}/caption/{column}"))
    total = f"with {beside}, printed for {_OTHER[label]}, {printed} makes {printed + beside} questions"
    return as_printed(printed == exact, words, total, right=str(exact))


_COLUMNS = {"gt": "GT", "iae": "iAE", "mv": "MV"}
BOOK.grid(
    _caption, "table-{row}/caption/{column}", "table {row}, caption", "In the caption of table {row} the number of questions ({Column}) is {printed}.",
    """
      | gt  | iae           | mv
    2 | 400 | 362           | 443
    3 | 600 | 638           | 557
    4 | 400 | 362 !misprint with fig-7/mv-prevalence | 582
    5 | 600 | 638 !misprint with fig-7/mv-prevalence | 557 !misprint with fig-7/mv-prevalence
    6 | 400 | 211           | 538
    7 | 600 | 781 !misprint | 462
        iae why: With 211 questions of $a$ the nearest consistent evaluation has 789 of $b$, which is also the denominator of the
        iae iAE column.
        iae garbled: the last digit may be misread
    """,
    words=_COLUMNS,
)  # fmt: skip


def _true_accuracy(cell: Cell, test: GradedTest, label: str, judge: int) -> Finding:
    """Judge a true accuracy by R^a_a + (Q_b − R^b_b) = R_a and the accuracy printed for the other label."""
    votes, truth, other = test.votes, test.truth, _OTHER[label]
    given = votes.responses(judge)[label]
    beside = test.printed(other, "accuracy", str(judge + 1), "gt").value
    wrong = truth.key_counts[other] * (1 - beside)
    what = (
        f"judge {judge + 1} answered {label} {given} times, {wrong} times wrongly by the accuracy printed for {other}; "
        f"share of right answers on {label}"
    )
    return cell_finding(cell, (given - wrong) / truth.key_counts[label], what)


def _independent_accuracy(cell: Cell, test: GradedTest, label: str, judge: int) -> Finding:
    """Judge an accuracy of the independent solution: its own value, or the nearest consistent share."""
    if test.discriminant < 0:
        return _no_value(cell, test)
    own = test.accuracy("iae", label, judge)
    projected = rational_rate(test.projected.rates().accuracy[judge][label])
    if not cell.exact or isinstance(cell.value, Surd):
        words = f"the decimal is that of the projected share {with_decimal(projected)}"
        return cell_finding(cell, own, "independent solution", decimal_origins=[Origin(words, projected)])
    words = f"the decimal is that of the solution before projection, {with_decimal(own)}"
    questions = test.projected.key_counts[label]
    slips = [Origin(words, own)]
    return cell_finding(cell, projected, "nearest consistent share", denominator=questions, decimal_origins=slips)


def _majority_accuracy(cell: Cell, test: GradedTest, label: str, judge: int) -> Finding:
    exact, questions = test.accuracy("mv", label, judge), test.majority.key.key_counts[label]
    return cell_finding(cell, exact, f"majority vote, {questions} questions of {label}: share", denominator=questions)


def _accuracy(printed: Cell, table: str, judge: int, column: str) -> Finding:
    """Judge an accuracy: the true one, that of the independent solution, or by majority vote."""
    judged = {"gt": _true_accuracy, "iae": _independent_accuracy, "mv": _majority_accuracy}
    return judged[column](printed, *_place(table), judge - 1)


_COPIED = "table-4/accuracy-a/1/mv"
_DIVIDE = "table-6/accuracy-a/1/iae"
_ACCURACIES = {
    "2": """
      | gt | iae | mv
    1 | 297/400 = 0.743 | (59839 + √657031321)/111804 = 0.764 | 357/443 = 0.806
    2 | 291/400 = 0.728 | (56635 + √657031321)/106368 = 0.773 | 357/443 = 0.806
    3 | 293/400 = 0.733 | (53317 + √657031321)/102096 = 0.773 | 353/443 = 0.797
    """,
    "3": """
      | gt | iae | mv
    1 | 17/24 = 0.708 | (51965 + √657031321)/111804 = 0.694 | 442/557 = 0.794
    2 | 17/24 = 0.708 | (49733 + √657031321)/106368 = 0.709 | 448/557 = 0.804
    3 | 11/15 = 0.733 | (48779 + √657031321)/102096 = 0.729 | 457/557 = 0.820
    """,
    "4": f"""
      | gt | iae | mv
    1 | 67/100 = 0.67 | - | 357/582 = 0.689 !misprint
        mv why: In tables 4 and 7 the decimals of the column MV of the accuracies are right; the fractions beside them have
        mv numbers of another table.
    2 | 157/200 = 0.785 | - | 357/582 = 0.838 !misprint with {_COPIED}
    3 | 363/400 = 0.908 | - | 353/582 = 0.955 !misprint with {_COPIED}
    """,
    "5": """
      | gt | iae | mv
    1 | 263/600 = 0.438 | - | 214/418 = 0.512
    2 | 33/50 = 0.66 | - | 388/418 = 0.928
    3 | 77/120 = 0.642 | - | 396/418 = 0.947
    """,
    "6": f"""
      | gt | iae | mv
    1 | 81/100 = 0.81 | (8309 + √11686017)/12572 = 0.934 !misprint | 447/538 = 0.831
        iae why: The decimal does not go with the fraction beside it: digits were cut off, or the decimal belongs to another
        iae number. So it is for single decimals of tables 3 to 7.
    2 | 111/200 = 0.555 | (5953 + √11686017)/11776 = 0.796 | 314/538 = 0.584
    3 | 7/8 = 0.875 | (44407 + √11686017)/52648 = 0.910 !misprint with {_DIVIDE} | 509/538 = 0.946
    """,
    "7": f"""
      | gt | iae | mv
    1 | 7/10 = 0.7 | 482/789 = 0.611 | 214/462 = 0.877 !misprint with {_COPIED}
    2 | 121/150 = 0.807 | 619/789 = 0.784 !misprint with {_DIVIDE} | 462/418 = 0.948 !misprint with {_COPIED}
    3 | 6/25 = 0.24 | 175/789 = 0.221 !misprint with {_DIVIDE} | 396/462 = 0.357 !misprint with {_COPIED}
    """,
}
for _table, _rows in _ACCURACIES.items():
    _label = _place(_table)[1]
    BOOK.grid(
        _accuracy, f"table-{_table}/accuracy-{_label}/{{row}}/{{column}}", f"table {_table}, accuracy of classifier {{row}}, column {{Column}}",
        f"Table {_table}: the accuracy on {_label} of judge {{row}} ({{Column}}) is {{printed}}.", _rows, _table, words=_COLUMNS,
    )  # fmt: skip


def _true_correlation_a(cell: Cell, test: GradedTest, pair: str) -> Finding:
    """Judge a true Γ^a: some consistent answer key with the true accuracies must have it."""
    points = test.consistent("gt", pair)
    value = cell.value if cell.exact else None
    point = next((each for each in points if each.correlations[0] == value), None)
    low, high = points[0].both_right[0], points[-1].both_right[0]
    span = f"with the true accuracies of all three judges, both can be right on a {low} to {high} times"
    if value is None or point is None:
        return as_printed(False, span, f"none of these gives {cell.exact}")
    here = possible(True, span, f"Γ^a = {with_decimal(rational_rate(value))} means {point.both_right[0]} times")
    rounded = decimal_finding(cell.decimal, value)
    if not rounded.right:
        return all_of({"fraction": here, "decimal": rounded})
    right = f"{cell.exact} = {rounded.right}"
    others = [each for each in points if read_printed(cell.decimal).rounds(rational_rate(each.correlations[0]))]
    if len(others) == 1:
        right += f" or {others[0].correlations[0]} = {cell.decimal}"
    return as_printed(False, *here.evidence, *rounded.evidence, right=right)


def _same_cell_before(test: GradedTest, label: str, pair: str, column: str) -> list[Origin]:
    """Return what is in the same cell of the earlier tables of the same label."""
    result = []
    for earlier in GRADED[: GRADED.index(test)]:
        cell, number = earlier.printed(label, "correlation", pair, column), TABLES[earlier.name][LABELS.index(label)]
        result += [Origin(f"it is the cell of table {number}", cell.value)] if cell.exact else []
    return result


def _why_not(test: GradedTest, pair: str, value: mpq) -> str:
    """Return why a printed Γ^b is not that of this test: no count of questions gives it, or it is another one."""
    truth, (i, j) = test.truth, PAIRS[pair]
    questions = truth.key_counts["b"]
    both = value * questions + mpq(truth.correct[i]["b"] * truth.correct[j]["b"], questions)
    scaled = value * questions**2
    if scaled.denominator != 1:
        return f"{questions}²·({value}) = {scaled} is not whole: no test with {questions} questions of b has this Γ"
    why = "does not go with the printed Γ^a" if both.denominator == 1 else "is impossible with these accuracies"
    return f"both would be right {both} times, which {why}"


def _true_correlation_b(cell: Cell, test: GradedTest, pair: str) -> Finding:
    """Judge a true Γ^b by the Γ^a printed beside it: P_aΓ^a + P_bΓ^b is fixed by the votes."""
    point, other, truth = test.true_point(pair), test.other_point(pair), test.correlations("gt")
    exact = truth[f"b {pair}"]
    rows = [Origin(f"the decimal is that of pair {name}", truth[f"b {name}"]) for name in PAIRS if name != pair]
    result = cell_finding(
        cell,
        exact,
        f"with the printed Γ^a both were right {point.both_right[0]} times on a, hence {point.both_right[1]} times on b; Γ^b",
        origins=_same_cell_before(test, "b", pair, "gt"),
        decimal_origins=[*rows, Origin("the decimal is that of label a", truth[f"a {pair}"])],
        note=_why_not(test, pair, rational_rate(cell.value)) if cell.exact and cell.value != exact else "",
    )
    if other and result.right:
        value = rational_rate(other.correlations[1])
        either = f"{value} = {read_printed(cell.decimal).right_text(value)}, if the decimal of Γ^a is the right one"
        return replace(result, right=f"{result.right}; or {either}")
    return result


def _independent_correlation(cell: Cell, test: GradedTest, label: str, pair: str) -> Finding:
    """Judge a correlation that goes with the projected grades: the source does not say which of many is meant."""
    if test.discriminant < 0:
        return _no_value(cell, test)
    points = test.consistent("iae", pair)
    values = [rational_rate(point.correlations[LABELS.index(label)]) for point in points]
    ends = " to ".join(with_decimal(values[end]) for end in (0, -1))
    span = f"{len(values)} values are consistent with the projected grades of all three judges, {ends}"
    if not cell.exact or cell.value not in values:
        return as_printed(False, span, f"{cell.exact} is none of them", right=str(values[0]))
    rounded = decimal_finding(cell.decimal, cell.value)
    evidence = (span, "the first of them is printed" if cell.value == values[0] else "", *rounded.evidence)
    if rounded.right:
        return as_printed(False, *evidence, right=f"{cell.exact} = {rounded.right}")
    return possible(True, *evidence)


def _majority_correlation(cell: Cell, test: GradedTest, label: str, pair: str) -> Finding:
    exact, (i, j) = test.correlations("mv")[f"{label} {pair}"], PAIRS[pair]
    third = 3 - i - j
    share = [rational_rate(test.accuracy("mv", label, judge)) for judge in range(3)]
    both = exact + share[i] * share[j]
    origins = _same_cell_before(test, label, pair, "mv")
    for kept, replaced in ((j, i), (i, j)):
        words = f"the accuracy of judge {third + 1} was taken for that of judge {replaced + 1}"
        origins.append(Origin(words, both - share[third] * share[kept], arithmetic=True))
    return cell_finding(cell, exact, f"majority vote: Γ = −(1 − {share[i]})(1 − {share[j]})", origins=origins)


def _correlation(printed: Cell, table: str, pair: str, column: str) -> Finding:
    """Judge an error correlation: the true one, that of the independent solution, or by majority vote."""
    test, label = _place(table)
    if column == "gt":
        return (_true_correlation_a if label == "a" else _true_correlation_b)(printed, test, pair)
    return (_independent_correlation if column == "iae" else _majority_correlation)(printed, test, label, pair)


_ONE_ROW, _LARGE, _TABLE_5 = "sec-5-2/pair-postulates", "sec-5-3/majority-large", "table-7/correlation-b/1-2/mv"
_TWICE = "garbled: The extraction holds table 3 twice, once with other digits in this cell."
_CORRELATIONS = {
    "2": """
        | gt | iae | mv
    1-2 | -427/160000 = -0.003 !possible | -3485/65522 = -0.05 !possible  | -7396/196249 = -0.038
    1-3 | 579/160000 = 0.004 !possible   | -3485/65522 = -0.053 !possible | -7740/196249 = -0.039
    2-3 | 1537/160000 = 0.010 !possible  | -1681/32761 = -0.051 !possible | -7740/196249 = -0.039
    """,
    "3": f"""
        | gt | iae | mv
    1-2 | 1309/21312 = 0.061 !misprint with {_ONE_ROW} | 6109/203522 = 0.030 !possible | -12535/310249 = -0.040
    1-3 | 1/450 = 0.006 !misprint with {_DIVIDE} | 12201/407044 = 0.030 !possible | -11500/310249 = -0.037
    2-3 | 1/180 = 0.010 !misprint with {_DIVIDE} | 2961/101761 = 0.029 !possible | -8158/310249 = -0.026 !computation with {_LARGE}
        gt,iae,mv {_TWICE}
    """,
    "4": rf"""
        | gt | iae | mv
    1-2 | -419/20000 = -0.021 !possible | - | -8507/169362 = -0.050
    1-3 | -121/40000 = -0.003 !possible | - | -2353/169362 = -0.013 !misprint with {_DIVIDE}
    2-3 | 4009/80000 = 0.005 !misprint | - | 11482/84681 = 0.136 !computation with {_LARGE}
        gt why: Fraction and decimal contradict each other. Either the decimal is $0.050$ or the fraction is 409/80000; both are
        gt consistent with the votes.
    """,
    "5": f"""
        | gt | iae | mv
    1-2 | 1309/21312 = 0.061 !misprint with {_ONE_ROW} | - | -1530/43681 = -0.035
    1-3 | 1/450 = 0.006 !misprint with {_ONE_ROW} | - | -102/3971 = -0.0256 !misprint with {_DIVIDE}
    2-3 | 1/180 = 0.010 !misprint with {_ONE_ROW} | - | 141/361 = 0.391 !computation with {_LARGE}
    """,
    "6": f"""
        | gt | iae | mv
    1-2 | -291/20000 = -0.015 !possible | -602/44521 = -0.014 !possible | -5096/72361 = -0.070
    1-3 | -1/800 = -0.001 !possible     | -266/44521 = -0.006 !possible | -2639/289444 = -0.009
    2-3 | 11/1600 = 0.007 !possible | -817/44521 = -0.018 !possible | -74193/289444 = -0.256 !computation with {_LARGE}
    """,
    "7": f"""
        | gt | iae | mv
    1-2 | 1309/21312 = 0.061 !misprint with {_ONE_ROW} | 2251/622521 = 0.004 !possible | -1530/43681 = -0.035 !misprint
        mv why: The three cells of this column are those of table 5, which belongs to another test.
    1-3 | 1/450 = 0.006 !misprint with {_ONE_ROW} | 862/622521 = 0.001 !possible | -102/3971 = -0.0256 !misprint with {_TABLE_5}
    2-3 | 1/180 = 0.010 !misprint with {_ONE_ROW} | 2924/622521 = 0.005 !possible | 141/361 = 0.391 !misprint with {_TABLE_5}
    """,
}
for _table, _rows in _CORRELATIONS.items():
    _label = _place(_table)[1]
    BOOK.grid(
        _correlation, f"table-{_table}/correlation-{_label}/{{row}}/{{column}}", f"table {_table}, correlation of the pair {{row}}, column {{Column}}",
        f"Table {_table}: the error correlation on {_label} of the pair {{row}} ({{Column}}) is {{printed}}.", _rows, _table, words=_COLUMNS,
    )  # fmt: skip


@BOOK.claim
def _() -> Finding:
    r"""table-2/correlation-a/together | tables 2, 4 and 6 | verdict=possible
    In each test the three true $\Gamma^a_{i,j}$ belong to one answer key.
    """
    # With k_ij = R^a_{a_i a_j} and s_i = R^a_{a_i} the count of each pattern on a follows from e, that of aaa.
    result: dict[GradedTest, list[int]] = {test: [] for test in GRADED}
    for test, keys in result.items():
        s1, s2, s3 = (right["a"] for right in test.truth.correct)
        k12, k13, k23 = (test.true_point(pair).both_right[0] for pair in PAIRS)
        rest = test.truth.key_counts["a"] - s1 - s2 - s3 + k12 + k13 + k23
        for e in range(min(k12, k13, k23) + 1):
            on_a = {
                "aaa": e, "aab": k12 - e, "aba": k13 - e, "baa": k23 - e, "abb": s1 - k12 - k13 + e,
                "bab": s2 - k12 - k23 + e, "bba": s3 - k13 - k23 + e, "bbb": rest - e,
            }  # fmt: skip
            if all(0 <= count <= test.votes.counts[pattern] for pattern, count in on_a.items()):
                keys.append(e)
    lines = [f"{test}: answer keys with all three Γ^a and the true accuracies have all three right on {keys[0]} to {keys[-1]} "
             "questions of a" for test, keys in result.items() if keys]  # fmt: skip
    return possible(all(result.values()), *lines, slip=False)
