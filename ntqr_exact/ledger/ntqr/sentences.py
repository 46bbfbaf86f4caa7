"""Sections 5.2 to 5.4 of the NTQR paper with figures 6 to 8: what is said of the three tests."""

from __future__ import annotations

from gmpy2 import mpq

from ntqr_exact.evaluation import rational_rate
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import fixed_text, with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.judgement import Exact, Finding, all_of, as_printed, by_reading, decided
from ntqr_exact.ledger.ntqr.graded_tests import (
    ADULT,
    BOOK,
    GRADED,
    IMAGINARY,
    LABELS,
    PAIRS,
    TWO_NORM,
    GradedTest,
    largest,
    squares,
)
from ntqr_exact.ledger.ntqr.identities import read
from ntqr_exact.ledger.ntqr.printed_cells import over
from ntqr_exact.ledger.ntqr.trio import moments
from ntqr_exact.varieties.consistent import ConsistentSet


@BOOK.claim
def _(printed: int) -> Finding:
    """sec-5-1/one-imaginary | section 5.1, last sentences, section 5.3 and figure 7, caption | 1
    One of the three tests has an imaginary solution, as the prevalence quadratic of the first UCI adult test has no real one.
    """
    result = {test: moments(test.votes) for test in GRADED}
    lines = [f"{test}: A = {with_decimal(a, 9)}" for test, (_, _, a) in result.items()]
    real = [test for test, (_, _, a) in result.items() if a > 0]
    irrational = [test for test in real if not Surd.sqrt(result[test][2]).is_rational]
    return as_printed(
        len(GRADED) - len(real) == printed and IMAGINARY not in real,
        *lines,
        "A·P² − A·P + Π has the discriminant A² − 4AΠ = A·T²: where A < 0 its two roots are imaginary",
        f"√A is irrational on {', '.join(map(str, irrational))}, so that these judges are not exactly independent",
    )


@BOOK.claim
def _(printed: tuple[int, int, int]) -> Finding:
    """sec-5-2/structure | abstract, sections 2 and 5.2, figures 2 to 4 and 6 to 8 | 1000; 400; 600
    All three tests, of UCI adult and two-norm, have 1000 questions, 400 of a and 600 of b: a prevalence of 4/10.
    """
    result = {test: (test.votes.size, *test.truth.key_counts.values()) for test in GRADED}
    lines = (f"{test}: {size} votes, {a} of a and {b} of b, P_a = {mpq(a, size)}" for test, (size, a, b) in result.items())
    return as_printed(set(result.values()) == {printed}, *lines)


def _violations(test: GradedTest, column: str, *, right: bool) -> list[str]:
    """Return the pairs for which eq. 37 does not vanish."""
    if column == "iae" and test.discriminant < 0:
        return []
    votes, eq_37, result = test.votes, read(BOOK.printed("eq-37")), []
    rates = test.projected.rates() if column == "iae" else test.rates(column)
    for name, (i, j) in PAIRS.items():
        values = {
            "Pa": rates.prevalence["a"], "Pb": rates.prevalence["b"], "x1": rates.accuracy[i]["a"], "y2": rates.accuracy[j]["b"],
            "fa1": votes.response_rate(i, "a"), "fb2": votes.response_rate(j, "b"), "D12": votes.pair_moment(i, j),
        }  # fmt: skip
        for label in LABELS:
            printed = test.printed(label, "correlation", name, column).value
            values[f"G{label}12"] = test.correlations(column)[f"{label} {name}"] if right else printed
        known = {short: rational_rate(value) for short, value in values.items()}
        result += [name] if eq_37.evaluate(known) != 0 else []
    return result


@BOOK.claim
def _() -> Finding:
    r"""sec-5-2/pair-postulates | section 5.2; tables 3, 5 and 7, column GT; section 5.3 | verdict=misprint | essential
    The pair correlations of the three tests come from the postulates of pairs: the printed ones satisfy eq. 37.
    instead: the cells as corrected below
    why: The same three numbers are the true $\Gamma^b_{i,j}$ in all three tables. By eq. 37 the votes, the accuracies and the
    printed $\Gamma^a_{i,j}$ give other values. So the pair with the largest correlation in the first UCI adult test is 2,3 and
    not 1,2, though it is $\Delta_{1,2} < 0$ that makes the solution imaginary.
    by hand: $\Gamma^b_{i,j} = \frac{k}{600} - \hat P^b_{b_i} \hat P^b_{b_j}$ with a whole number $k$, so that
    $600^2\,\Gamma^b_{i,j}$ is whole; for $\frac{1309}{21312}$ it is not.
    """
    lines, left = [], 0
    for test in GRADED:
        failing = {column: _violations(test, column, right=False) for column in ("gt", "iae", "mv")}
        text = "; ".join(f"{column} of {', '.join(pairs)}" for column, pairs in failing.items() if pairs)
        lines += [f"{test}: eq. 37 is not 0 for {text}"] if text else []
        left += sum(len(_violations(test, column, right=True)) for column in ("gt", "iae", "mv"))
    scaled = mpq(1309, 21312) * 600**2
    return as_printed(
        not lines,
        *lines,
        f"with the right values of the misprinted cells {left} violations are left",
        f"600²·1309/21312 = {scaled} is not whole",
    )


@BOOK.claim
def _(printed: tuple[mpq, mpq]) -> Finding:
    """sec-5-2/equation-40 | captions of tables 2, 3, 6 and 7, and eq. 40 | 362; 211 | verdict=depends
    The estimates of $Q_a$ that are printed for two-norm and UCI adult are those of eq. 40.
    with: eq-40
    """
    here, either = {}, {}
    for test, said in zip((TWO_NORM, ADULT), printed, strict=True):
        third, _, discriminant = moments(test.votes)
        roots = [500 * (1 + sign * third / Surd.sqrt(discriminant)) for sign in (-1, 1)]
        near = [rational(fixed_text(root, 0)) for root in roots]
        text = f"{test}: eq. 40 gives Q_a ≈ {fixed_text(roots[0], 3)}, the other root {fixed_text(roots[1], 3)}; printed {said}"
        here[test.name], either[test.name] = (
            as_printed(near[0] == said, text, right=str(near[0])),
            as_printed(said in near, text),
        )
    return by_reading({
        "eq. 40 as printed, with a minus sign": all_of(here),
        "either root of the quadratic, as figure 5 admits": all_of(either),
    })  # fmt: skip


@BOOK.claim
def _(within: mpq) -> Finding:
    """sec-5-2/both-do-well | section 5.2 | 1/10
    On two-norm both the independent solution and majority vote do well, and the error correlations are small.
    """
    lines, good = [], True
    for column, words in (("iae", "independent solution"), ("mv", "majority vote")):
        errors = {**TWO_NORM.accuracy_errors(column), "P_a": TWO_NORM.prevalence_error(column)}
        name, error = largest(errors)
        good = good and error <= within
        lines.append(f"{words}: no rate is off by more than {fixed_text(error, 3)} ({name})")
    name, most = largest(TWO_NORM.correlations("gt"))
    return decided(
        good and most < mpq(1, 50), *lines, f"the largest true |Γ| is {with_decimal(most)}, of label and pair {name}"
    )


@BOOK.claim
def _() -> Finding:
    r"""sec-5-2/methods-agree | section 5.2 | verdict=depends
    On two-norm both methods agree about the correlations.
    quote: both methods agree
    why: Both find only small correlations, below 3/50. On label $b$ they have opposite signs for every pair.
    """
    own, crowd = (TWO_NORM.correlations(column) for column in ("iae", "mv"))
    opposite = [name for name in own if own[name] * crowd[name] < 0]
    size = max(largest(own)[1], largest(crowd)[1])
    signs = ", ".join(f"{name}: {fixed_text(own[name], 3)} and {fixed_text(crowd[name], 3)}" for name in opposite)
    return by_reading({
        "both say that all |Γ| are below 3/50": decided(size < mpq(3, 50), f"the largest is {fixed_text(size)}"),
        "they say the same of each pair": decided(not opposite, f"opposite signs for {signs}"),
    })  # fmt: skip


@BOOK.table
def _majority_share(printed: mpq, test: GradedTest) -> Finding:
    r"""
    says: $\hat P_a$ of {1} by majority vote is {0}.
    fig-7/mv-prevalence | captions of tables 4 and 5 and of figure 7 | 443/1000 | uci-adult-imaginary | verdict=misprint
        why: The numbers are those of the two-norm test. The independent solution of this test is imaginary and has no estimate;
        the majority answers $a$ to 582 questions and $b$ to 418.
        garbled: The number is there twice.
    fig-8/mv-prevalence | figure 8, caption | 447/1000 | uci-adult | verdict=misprint
        why: By majority vote 538 of 1000 questions are of $a$ (table 6). The number 447 is how often classifier 1 is right on
        these.
    """
    exact, size, arose = test.prevalence("mv"), test.votes.size, ""
    if printed != exact:
        for other in GRADED:
            if printed == other.prevalence("mv"):
                arose = f"it is the estimate for {other}"
        for judge in range(3):
            right = test.majority.key.by_label["a"].responses(judge)["a"]
            if printed * size == right:
                arose = f"{right} is how often judge {judge + 1} is right on a by majority vote"
    counts = test.majority.key.key_counts
    text = f"the majority answers a to {counts['a']} of {size} questions and b to {counts['b']}"
    return as_printed(printed == exact, text, arose, right=over(exact, size), arose=arose)


@BOOK.table
def _closer(test: GradedTest, column: str, within: mpq) -> Finding:
    r"""
    fig-6/slightly-better | figure 6, caption | two-norm | iae | 1/100
        The independent solution estimates $\hat P_a$ of two-norm slightly better than majority vote.
    fig-8/majority-better | figure 8, caption, and section 5.4 | uci-adult | mv | 1
        Majority vote estimates $\hat P_a$ of the second UCI adult test better.
    """
    off = {each: test.prevalence_error(each) for each in ("iae", "mv")}
    gap = (off["mv"] - off["iae"]) * (1 if column == "iae" else -1)
    text = f"the independent solution is off by {fixed_text(off['iae'], 4)}, majority vote by {fixed_text(off['mv'], 4)}"
    return decided(0 < gap < within, text)


def _printed_correlations(test: GradedTest, column: str) -> dict[str, Exact]:
    """Return the correlations of a column as their decimals are printed."""
    return {
        f"{label} {pair}": rational(test.printed(label, "correlation", pair, column).decimal)
        for label in LABELS
        for pair in PAIRS
    }


@BOOK.claim
def _() -> Finding:
    """sec-5-3/correlation-of-1-and-2 | section 5.3 | verdict=depends
    On the first UCI adult test the pair with the large error correlation is that of judges 1 and 2, by the last sentence the
    correct pair.
    with: sec-5-2/pair-postulates
    """

    def sizes(pair: str) -> list[mpq]:
        points = IMAGINARY.consistent("gt", pair)
        return [max(abs(rational_rate(each)) for each in point.correlations) for point in points]

    least, most, right = min(sizes("2-3")), max(sizes("1-2")), IMAGINARY.correlations("gt")
    small = largest(TWO_NORM.correlations("gt"))[1]
    name, size = largest(_printed_correlations(IMAGINARY, "gt"))
    return by_reading({
        "by the printed values": decided(name.endswith("1-2"), f"the largest printed |Γ| is {fixed_text(size, 3)}, of {name}"),
        "a large correlation, among others": decided(
            abs(right["b 1-2"]) > 2 * small,
            f"the right |Γ^b| of 1-2 is {fixed_text(abs(right['b 1-2']), 3)}; on two-norm, where they are called small, the "
            f"largest is {fixed_text(small, 3)}",
        ),
        "the largest correlation": decided(
            most >= least,
            f"with any answer key of these accuracies |Γ| of 2-3 reaches {with_decimal(least)} on a or b, and that of 1-2 "
            f"never exceeds {with_decimal(most)}",
        ),
    })  # fmt: skip


@BOOK.claim
def _() -> Finding:
    """sec-5-3/triggered-by-1-and-2 | section 5.3
    The error correlation of judges 1 and 2 makes the independent solution of that test imaginary.
    """
    votes, share = IMAGINARY.votes, IMAGINARY.prevalence("gt")
    spread = share * (1 - share)
    for judge in (0, 1):
        x, y = (IMAGINARY.accuracy("gt", label, judge) for label in LABELS)
        spread = spread * (x + y - 1)
    pair, discriminant = [votes.pair_moment(i, j) for i, j in PAIRS.values()], IMAGINARY.discriminant
    return decided(
        pair[0] < 0 < min(spread, pair[1], pair[2]) and discriminant < 0,
        f"Δ_12 = {with_decimal(pair[0])}, and would be P_aP_bd_1d_2 = {with_decimal(spread)} without it",
        "the other Δ are positive; so it makes Π negative, without which A = T² + 4Π < 0 could not be: "
        f"A = {with_decimal(discriminant, 9)}",
    )


@BOOK.claim
def _() -> Finding:
    r"""sec-5-3/majority-large | section 5.3; tables 3 to 6, column MV of the pair 2,3 | verdict=wrong | essential
    On the first UCI adult test majority vote, too, estimates a large correlation.
    why: The accuracy of classifier 1 was taken for that of classifier 2. With the right values the largest correlation by
    majority vote in tables 4 and 5 is $-0.050$, of the pair 1,2 on $a$; no large one is estimated in section 5.3.
    by hand: No two of three classifiers are outvoted together, so that $\Gamma_{i,j} = -(1 - \hat P_i)(1 - \hat P_j)$ by majority
    vote, and is never positive.
    """
    name, most = largest(IMAGINARY.correlations("mv"))
    true, small = (largest(test.correlations(column))[1] for test, column in ((IMAGINARY, "gt"), (TWO_NORM, "mv")))
    printed_name, printed = largest(_printed_correlations(IMAGINARY, "mv"))
    return decided(
        most > 2 * small,
        f"the largest |Γ| of majority vote is {fixed_text(most, 3)} for {name}; on two-norm, where the correlations "
        f"are called small, it is {fixed_text(small, 3)}",
        f"the largest true |Γ| is {fixed_text(true, 3)}",
        right="majority vote sees no large correlation here, though there is one",
        arose=f"{fixed_text(printed, 3)}, printed for {printed_name}, is computed wrongly",
    )


@BOOK.claim
def _() -> Finding:
    """sec-5-3/not-the-correct-pair | section 5.3
    The pair with the largest correlation by majority vote is not the correct one.
    """
    lines, good = [], True
    for reading, values in (("printed", _printed_correlations), ("right", lambda test, column: test.correlations(column))):
        truth, crowd = (largest(values(IMAGINARY, column))[0] for column in ("gt", "mv"))
        good = good and truth[2:] != crowd[2:]
        lines.append(f"by the {reading} values the largest true |Γ| is that of {truth}, by majority vote {crowd}")
    return decided(good, *lines)


@BOOK.claim
def _() -> Finding:
    """fig-7/degrades | figure 7, caption
    Both estimates are worse on the first UCI adult test than on two-norm.
    """
    errors = {test: squares(test.accuracy_errors("mv")) for test in GRADED[:2]}
    shares = {test: test.prevalence_error("mv") for test in GRADED[:2]}
    real = [test.discriminant > 0 for test in GRADED[:2]]

    def shown(values: dict[GradedTest, Exact]) -> str:
        return ", ".join(f"{test}: {fixed_text(value, 4)}" for test, value in values.items())

    return decided(
        real == [True, False] and errors[TWO_NORM] < errors[IMAGINARY] and shares[TWO_NORM] < shares[IMAGINARY],
        f"A > 0 in {TWO_NORM}, A < 0 in {IMAGINARY}",
        f"majority vote, squared errors of the accuracies: {shown(errors)}",
        f"majority vote, error of P_a: {shown(shares)}",
    )


@BOOK.claim
def _() -> Finding:
    """sec-5-4/successful | section 5.4, and figure 8, caption
    The second UCI adult test is evaluated well by the independent solution, which seems right and is projected to the nearest
    whole evaluation.
    """
    rates = [ADULT.accuracy("iae", label, judge) for label in LABELS for judge in range(3)]
    name, most = largest(ADULT.accuracy_errors("iae"))
    result = ConsistentSet(ADULT.votes).nearest(ADULT.estimate)
    right = ", ".join(f"{counts['a']} and {counts['b']}" for counts in result.evaluation.correct)
    return decided(
        all(0 <= rate <= 1 for rate in rates),
        "the solution is real and irrational, and all its rates lie between 0 and 1",
        f"P_a is off by {fixed_text(ADULT.prevalence_error('iae'), 3)}, the accuracy {name} by {fixed_text(most, 3)}",
        f"nearest: {result.evaluation.key_counts['a']} questions of a, right on a and b {right}; "
        f"squared distance {fixed_text(result.squared_distance)} in counts",
    )


@BOOK.claim
def _() -> Finding:
    """sec-5-4/performance-better | section 5.4 and figure 8 | verdict=depends | essential
    On the second UCI adult test the independent solution estimates the accuracies better than majority vote does.
    quote: the independent AE evaluator is a better estimator of performance
    instead: better by the sum of the absolute errors of the six accuracies, worse by the sum of their squares
    why: Majority voting is closer for the accuracies of classifiers 1 and 2 on $a$, and the independent solution for the four
    others. The absolute errors sum to 0.526 against 0.556 of majority voting, their squares to 0.0829 against 0.0712. Which is
    better depends on the measure.
    by hand: Subtract the GT column from the two others.
    """
    own, crowd = (ADULT.accuracy_errors(column) for column in ("iae", "mv"))
    worse = [name for name in own if own[name] > crowd[name]]
    sums = [sum(each.values(), mpq(0)) for each in (own, crowd)]
    squared = [squares(each) for each in (own, crowd)]
    truth, projected, key = ADULT.truth, ADULT.projected, ADULT.majority.key
    grades = []
    for judge in range(3):
        right = sum(truth.correct[judge].values())
        voted = sum(key.by_label[label].responses(judge)[label] for label in LABELS)
        grades.append((abs(sum(projected.correct[judge].values()) - right), abs(voted - right)))
    return by_reading({
        "each accuracy": decided(not worse, f"majority vote is closer for {', '.join(worse)}"),
        "sum of the absolute errors": decided(
            sums[0] < sums[1], f"{fixed_text(sums[0], 3)} against {fixed_text(sums[1], 3)}"
        ),
        "sum of the squared errors": decided(
            squared[0] < squared[1], f"{fixed_text(squared[0], 4)} against {fixed_text(squared[1], 4)}"
        ),
        "all right answers of each judge": decided(
            all(mine < theirs for mine, theirs in grades),
            f"off by {', '.join(f'{mine} against {theirs}' for mine, theirs in grades)}",
        ),
    })  # fmt: skip


@BOOK.claim
def _() -> Finding:
    """sec-5-4/correlations-better | sections 5.1 and 5.4, and figure 8
    On the second UCI adult test majority vote overstates the error correlations by far, and those of the independent solution
    are better.
    """
    truth, voted = (ADULT.correlations(column) for column in ("gt", "mv"))
    own, crowd, other = (
        {name: abs(value - truth[name]) for name, value in each.items()}
        for each in (ADULT.correlations("iae"), voted, ADULT.correlations("iae", end=-1))
    )
    sums = [fixed_text(squares(each), 5) for each in (own, crowd, other)]
    sizes = [squares(each) for each in (voted, truth)]
    return decided(
        squares(own) < squares(crowd) and all(own[name] <= crowd[name] for name in own) and sizes[0] > 4 * sizes[1],
        f"sum of Γ²: {fixed_text(sizes[0], 5)} by majority vote, {fixed_text(sizes[1], 5)} in truth",
        f"sum of the squared errors: {sums[0]} against {sums[1]} of majority vote, and better for all six",
        f"at the other end of the consistent correlations it would be {sums[2]}",
    )


@BOOK.claim
def _(printed: tuple[mpq, mpq]) -> Finding:
    r"""fig-8/quadratic | figure 8, caption | 11686017/25000000000; 475733909/61035156250000 | verdict=misprint | essential
    The prevalence quadratic of the second UCI adult test, $\Pi - A\,\hat P_a(1 - \hat P_a)$, is these two numbers, of
    $\hat P_a(1 - \hat P_a)$ and of 1.
    right: -11686017/250000000000; 475733909/61035156250000
    why: The first term has a minus sign, since the quadratic is $\Pi - A \hat P_a(1 - \hat P_a)$ with $A > 0$; as printed it has
    no root between 0 and 1. The right denominator is ten times the printed one.
    garbled: A digit 0 of the first denominator may be lost in the extraction; the sign is not.
    """
    spread, constant = printed
    _, last, leading = moments(ADULT.votes)
    return as_printed(
        constant != 0 and spread * last == -leading * constant,
        f"A = {leading} and Π = {last}",
        f"the printed one has the values {constant} at 0 and {constant + spread / 4} at 1/2, the right one {last} and "
        f"{last - leading / 4}",
    )
