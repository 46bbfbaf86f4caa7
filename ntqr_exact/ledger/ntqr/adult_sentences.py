"""Sentences about the second UCI adult test: section 5.4, its announcement in 5.1, and the caption of figure 8."""

from __future__ import annotations

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided
from ntqr_exact.ledger.ntqr import estimate_errors as errors
from ntqr_exact.ledger.ntqr import graded_tests as graded

_ADULT = "uci-adult"


def _successful(_: str) -> Finding:
    share = errors.prevalence_error(_ADULT, "iae")
    name, most = errors.largest(errors.accuracy_errors(_ADULT, "iae"))
    kinds = [alarm.kind.name.lower() for alarm in graded.independent_of(_ADULT).alarms]
    line = f"P_a is off by {fixed_text(share, 3)}, the accuracy {name} by {fixed_text(most, 3)}"
    return by_reading(
        {
            "all rates lie between 0 and 1": decided(
                all(0 <= graded.accuracy(_ADULT, "iae", label, i) <= 1 for label in "ab" for i in range(3)),
                "no rate is out of range",
            ),
            "every rate within 1/10 of the truth": decided(most <= mpq(1, 10) and share <= mpq(1, 10), line),
            "no alarm": decided(
                not kinds, f"alarms: {', '.join(kinds)}: the judges are provably not independent"
            ),
        }
    )


def _performance_better(_: str) -> Finding:
    own, crowd = (errors.accuracy_errors(_ADULT, column) for column in ("iae", "mv"))
    worse = [name for name in own if own[name] > crowd[name]]
    sums = [errors.total(each) for each in (own, crowd)]
    squares = [errors.squares(each) for each in (own, crowd)]
    grades = _overall_errors()
    return by_reading(
        {
            "each accuracy": decided(
                not worse,
                f"majority vote is closer for {', '.join(worse)}",
                right=f"it is better on b, worse on {' and '.join(worse)}",
            ),
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


def _correlations_better(_: str) -> Finding:
    crowd = errors.correlation_errors(_ADULT, "mv")
    readings = {}
    for reading, end in {
        "with the consistent correlations that are printed": 0,
        "with those at the other end of the consistent ones": -1,
    }.items():
        own = errors.correlation_errors(_ADULT, "iae", end=end)
        worse = [name for name in own if own[name] > crowd[name]]
        sums = [fixed_text(errors.squares(each), 5) for each in (own, crowd)]
        readings[reading] = decided(
            not worse,
            f"squared errors {sums[0]} against {sums[1]} of majority vote"
            + (f"; worse for {', '.join(worse)}" if worse else "; better for all six"),
        )
    return by_reading(readings)


def _not_prevalence(_: str) -> Finding:
    own, crowd = (errors.prevalence_error(_ADULT, column) for column in ("iae", "mv"))
    return decided(
        own > crowd, f"P_a is off by {fixed_text(own, 4)}, by majority vote by {fixed_text(crowd, 4)}"
    )


def _majority_exaggerates(_: str) -> Finding:
    truth, crowd = (errors.correlations(_ADULT, column) for column in ("gt", "mv"))
    less = [name for name in truth if errors.size(crowd[name]) <= errors.size(truth[name])]
    sums = [errors.squares(each) for each in (truth, crowd)]
    return by_reading(
        {
            "on the whole": decided(
                4 * sums[0] < sums[1],
                f"sum of Γ²: {fixed_text(sums[1], 5)} by majority vote, {fixed_text(sums[0], 5)} in truth",
            ),
            "for every pair and label": decided(
                not less,
                f"not for {', '.join(f'{each}: {crowd[each]} against {truth[each]}' for each in less)}",
                right=f"for {len(truth) - len(less)} of {len(truth)}",
            ),
        }
    )


_PLACES = {"sec-5-4": "section 5.4", "fig-8": "figure 8, caption"}

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/sec-5-4/successful",
        "section 5.4",
        Kind.SENTENCE,
        "The second UCI adult test is evaluated well by the independent solution.",
        _successful,
    ),
    *(
        claim
        for where, place in _PLACES.items()
        for claim in (
            Claim(
                f"ntqr/{where}/performance-better",
                place,
                Kind.SENTENCE,
                "On the second UCI adult test the independent solution estimates the accuracies better than majority "
                "vote does.",
                _performance_better,
            ),
            Claim(
                f"ntqr/{where}/correlations-better",
                place,
                Kind.SENTENCE,
                "On the second UCI adult test its error correlations are better than those of majority vote.",
                _correlations_better,
            ),
        )
    ),
    Claim(
        "ntqr/sec-5-4/prevalence-not-better",
        "section 5.4",
        Kind.SENTENCE,
        "On the second UCI adult test it does not estimate the prevalence better than majority vote.",
        _not_prevalence,
    ),
    Claim(
        "ntqr/sec-5-4/majority-exaggerates",
        "section 5.1, on section 5.4",
        Kind.SENTENCE,
        "On the second UCI adult test majority vote overstates the error correlations by far.",
        _majority_exaggerates,
    ),
)
