"""Captions of figures 5 to 8 of the source, and with `planes` of 2 to 4: prevalences, estimates, a quadratic."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, as_formula, constant, read_formula
from ntqr_exact.algebra.notation import accuracy, prevalence
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, decided, equal, not_checkable
from ntqr_exact.ledger.ntqr import estimate_errors as errors
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.synthetic_trio import (
    PATTERNS,
    independent_frequencies,
    synthetic_evaluation,
    synthetic_votes,
)
from ntqr_exact.postulates.construction import answers, expected_frequency
from ntqr_exact.varieties.consistent import ConsistentSet

# -- figure 5: the synthetic evaluation ---------------------------------------------------------------


def _synthetic_root(printed: str) -> Finding:
    quadratic = solve_independent(synthetic_votes()).quadratic
    if quadratic is None:
        raise BadDocument("synthetic votes", "three judges between two labels have a quadratic")
    value = rational(printed)
    return decided(
        quadratic(value) == 0,
        f"the quadratic {quadratic} has the value {quadratic(value)} at {printed}",
        right="19/20 or 1/20",
        slip=True,
    )


def _exact_recovery(_: str) -> Finding:
    shares = [each.prevalence["a"] for each in solve_independent(synthetic_votes()).solutions]
    return decided(
        set(shares) == set(synthetic_evaluation().prevalence.values()),
        f"the solutions are P_a = {' and '.join(map(str, shares))}; both are exact",
    )


def _mirror(_: str) -> Finding:
    """Judge that P_a and 1 − P_a have the same frequencies: all rates being exchanged, not P_a alone."""
    swap: dict[str, Formula | Polynomial] = {}
    for label, other in (("a", "b"), ("b", "a")):
        swap[prevalence(label).name] = Polynomial.variable(prevalence(other))
        for judge in range(3):
            swap[accuracy(label, judge).name] = 1 - Polynomial.variable(accuracy(other, judge))
    forms = {
        pattern: as_formula(expected_frequency(answers(tuple(pattern)), ("a", "b"), independent=True))
        for pattern in PATTERNS
    }
    same = [form.substitute(swap).equals(form) for form in forms.values()]
    right = [{"a": 1, "b": 1}] * 3
    one, none = (
        independent_frequencies(Evaluation.from_accuracies({"a": share, "b": 1 - share}, right))
        for share in (1, 0)
    )
    return decided(
        all(same),
        "P_a, x_i, y_i and 1 − P_a, 1 − y_i, 1 − x_i: "
        f"{sum(same)} of 8 frequencies of independent judges are the same, as polynomials",
        "the accuracies are exchanged with P_a; left as they are, the votes differ: "
        f"three perfect judges have f_aaa = {one['aaa']} at P_a = 1, and f_aaa = {none['aaa']} at P_a = 0",
        right="other frequencies",
    )


# -- figures 6 to 8: estimates of the three tests -----------------------------------------------------


def _true_share(printed: str, test: str) -> Finding:
    return equal(printed, graded.prevalence(test, "gt", "a"), f"P_a of {test}, printed {printed},")


def _independent_share(printed: str, test: str) -> Finding:
    share = graded.prevalence(test, "iae", "a")
    nearest = mpq(graded.projected_of(test).key_counts["a"], graded.votes_of(test).size)
    return decided(
        rational(printed) == nearest,
        f"P_a ≈ {fixed_text(share)}; the nearest consistent evaluation has {nearest}; printed {printed}",
        right=str(nearest),
        slip=True,
    )


def _majority_share(printed: str, test: str) -> Finding:
    value, exact = rational(printed), graded.prevalence(test, "mv", "a")
    arose = ""
    if value != exact:
        for other in graded.TESTS:
            if value == graded.prevalence(other, "mv", "a"):
                arose = f"it is the estimate for {other}"
        for judge, right in enumerate(
            graded.majority_of(test).key.by_label["a"].responses(j)["a"] for j in range(3)
        ):
            if value * graded.votes_of(test).size == right:
                arose = f"{right} is how often judge {judge + 1} is right on a by majority vote"
    return equal(printed, exact, f"P_a by majority vote, printed {printed},", arose=arose)


def _slightly_better(_: str) -> Finding:
    own, crowd = (errors.prevalence_error("two-norm", column) for column in ("iae", "mv"))
    return decided(
        own < crowd < own + mpq(1, 100),
        f"it is off by {fixed_text(own)}, majority vote by {with_decimal(crowd)}: less than 1/100 apart",
    )


def _no_real_root(_: str) -> Finding:
    moments = graded.moments_of("uci-adult-imaginary")
    discriminant = moments.discriminant * moments.trio**2
    return decided(
        discriminant < 0,
        f"A·P² − A·P + Π has the discriminant A² − 4AΠ = A·T² with A = {with_decimal(moments.discriminant, 9)}",
        "its two roots are imaginary",
    )


def _degrades(_: str) -> Finding:
    found = {test: errors.squares(errors.accuracy_errors(test, "mv")) for test in graded.TESTS[:2]}
    shares = {test: errors.prevalence_error(test, "mv") for test in graded.TESTS[:2]}
    first, second = graded.TESTS[:2]
    return all_of(
        {
            "independent": decided(
                graded.is_real(first) and not graded.is_real(second), f"A > 0 in {first}, A < 0 in {second}"
            ),
            "majority": decided(
                found[first] < found[second] and shares[first] < shares[second],
                f"majority vote, squared errors of the accuracies: {errors.shown(found, 4)}",
                f"majority vote, error of P_a: {errors.shown(shares)}",
            ),
        }
    )


def _majority_better(_: str) -> Finding:
    own, crowd = (errors.prevalence_error("uci-adult", column) for column in ("iae", "mv"))
    return decided(
        crowd < own, f"majority vote is off by {with_decimal(crowd)}, the other by {fixed_text(own)}"
    )


def _projected(_: str) -> Finding:
    """Judge that the estimates seem right, as they lie in range, and are projected to the nearest evaluation."""
    estimate = graded.estimate_of("uci-adult")
    rates = [graded.accuracy("uci-adult", "iae", label, judge) for label in "ab" for judge in range(3)]
    found = ConsistentSet(graded.votes_of("uci-adult")).nearest(estimate)
    right = ", ".join(f"{counts['a']} and {counts['b']}" for counts in found.evaluation.correct)
    return decided(
        all(0 <= each <= 1 for each in rates) and found.evaluation == graded.projected_of("uci-adult"),
        "all rates lie between 0 and 1, but are irrational",
        f"nearest: {found.evaluation.key_counts['a']} questions of a, right on a and b {right}; "
        f"squared distance {fixed_text(found.squared_distance)} in counts",
    )


def _quadratic(printed: str) -> Finding:
    """Judge the printed quadratic against A·P² − A·P + Π, up to a factor, and find how it differs."""
    moments = graded.moments_of("uci-adult")
    share = Polynomial.variable("P")
    spread, leading, last = share * (1 - share), moments.discriminant, moments.pair_product
    given = read_formula(printed)
    right = as_formula(Polynomial.constant(last) - leading * spread)
    scale = rational_rate(given.evaluate({"P": mpq(0)})) / last
    turned = as_formula(Polynomial.constant(last) + 10 * leading * spread)
    holds = scale != 0 and given.equals(right * constant(scale))
    middle = given.evaluate({"P": mpq(1, 2)})
    return decided(
        holds,
        f"A = {leading} and Π = {last}",
        f"the printed one has the values {given.evaluate({'P': mpq(0)})} at 0 and {middle} at 1/2, "
        f"the right one {last} and {last - leading / 4}",
        right=f"{last} − {leading}·P(1 − P)",
        slip=True,
        arose="the sign before P(1 − P) is turned, and a 0 of its denominator is lost"
        if given.equals(turned)
        else "",
    )


def _features(_: str) -> Finding:
    return not_checkable("the features of the items, and the data sets themselves")


# -- the claims ---------------------------------------------------------------------------------------


def _share_claims(figure: int, test: str, iae: str, mv: str, garbled: str = "") -> Iterator[Claim]:
    place = f"figure {figure}, caption"
    checks = {"true-prevalence": ("4/10", _true_share), "iae-prevalence": (iae, _independent_share)}
    words = {"true-prevalence": "is", "iae-prevalence": "is, by the independent solution,"}
    for name, (text, check) in checks.items():
        if text:
            yield Claim(
                f"ntqr/fig-{figure}/{name}",
                place,
                Kind.NUMBER,
                rf"$\hat P_a$ of {test} {words[name]} {text}.",
                partial(check, test=test),
                printed=text,
            )
    yield Claim(
        f"ntqr/fig-{figure}/mv-prevalence",
        place,
        Kind.NUMBER,
        rf"$\hat P_a$ of {test} by majority vote is {mv}.",
        partial(_majority_share, test=test),
        printed=mv,
        garbled=garbled,
    )


CLAIMS: tuple[Claim, ...] = (

    Claim(
        "ntqr/fig-5/true-prevalence",
        "figure 5, caption",
        Kind.NUMBER,
        r"The quadratic of the synthetic evaluation has the root $\hat P_a = 19/20$.",
        _synthetic_root,
        printed="19/20",
    ),
    Claim(
        "ntqr/fig-5/exact-recovery",
        "figure 5, caption",
        Kind.SENTENCE,
        r"On the synthetic evaluation $\hat P_a$ is recovered exactly, up to exchanging the labels.",
        _exact_recovery,
    ),
    Claim(
        "ntqr/fig-5/mirror",
        "figure 5, caption",
        Kind.THEOREM,
        r"Votes never tell $\hat P_a$ from $1 - \hat P_a$: all frequencies are the same.",
        _mirror,
        by_hand="Exchange the labels of the key: each right answer becomes a wrong one, and no vote changes.",
    ),
    *_share_claims(6, "two-norm", "362/1000", "443/1000"),
    Claim(
        "ntqr/fig-6/slightly-better",
        "figure 6, caption",
        Kind.SENTENCE,
        r"The independent solution estimates $\hat P_a$ of two-norm slightly better than majority vote.",
        _slightly_better,
    ),
    Claim(
        "ntqr/fig-6/features",
        "figure 6, caption",
        Kind.SENTENCE,
        "The features of two-norm have very little correlation.",
        _features,
    ),
    *_share_claims(7, "uci-adult-imaginary", "", "443/1000", "The number stands there twice."),
    Claim(
        "ntqr/fig-7/no-solution",
        "figure 7, caption, and section 5.3",
        Kind.SENTENCE,
        "The prevalence quadratic of the first UCI adult test has no real solution.",
        _no_real_root,
    ),
    Claim(
        "ntqr/fig-7/degrades",
        "figure 7, caption",
        Kind.SENTENCE,
        "Both estimates are worse on the first UCI adult test than on two-norm.",
        _degrades,
    ),
    Claim(
        "ntqr/fig-7/features",
        "figure 7, caption",
        Kind.SENTENCE,
        "The features of UCI adult are more correlated than those of two-norm.",
        _features,
    ),
    *_share_claims(8, "uci-adult", "211/1000", "447/1000"),
    Claim(
        "ntqr/fig-8/majority-better",
        "figure 8, caption",
        Kind.SENTENCE,
        r"Majority vote estimates $\hat P_a$ of the second UCI adult test better.",
        _majority_better,
    ),
    Claim(
        "ntqr/fig-8/projected",
        "figure 8, caption",
        Kind.SENTENCE,
        "The estimates of the second UCI adult test seem right and are projected to the nearest whole evaluation.",
        _projected,
    ),
    Claim(
        "ntqr/fig-8/quadratic",
        "figure 8, caption",
        Kind.IDENTITY,
        r"The prevalence quadratic of the second UCI adult test, $\Pi - A\,\hat P_a(1 - \hat P_a)$, has these numbers.",
        _quadratic,
        printed="11686017/25000000000*P*(1-P) + 475733909/61035156250000",
        garbled="A digit 0 of the first denominator may be lost in the extraction; the sign is not.",
    ),
)
