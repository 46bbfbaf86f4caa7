"""Goyal, Hu and Gupta 2023, what the text concludes from its tables, and which test it is."""

from __future__ import annotations

from gmpy2 import mpq

from ntqr_exact.algebra.formula import read_formula
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.faithful.background import PERFECT
from ntqr_exact.ledger.faithful.tables import (
    BOLD,
    KINDS,
    PROMPTS,
    SIDES,
    before_rounding,
    excludes_zero,
    production_rows,
    public_comparison,
    public_rows,
    toxicity_metric,
)
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided, underdetermined
from ntqr_exact.significance.comparison import TEXTBOOK, Centre, Comparison, compare
from ntqr_exact.significance.interval import Decision
from ntqr_exact.significance.variance import VarianceReading


def _conclusions(compared: Comparison) -> dict[str, Finding]:
    """Does taking errors into account change the conclusion, by each variance around what it is a variance of?"""
    plain = compared.result(VarianceReading.DETERMINISTIC, Centre.OBSERVED)
    named = {
        "eq. 14 as printed": (VarianceReading.PRINTED, Centre.OBSERVED),
        "eq. 13 around the difference of real rates": (VarianceReading.PRINTED, Centre.REAL),
        "the variance of the estimate φ + δp around the difference of real rates": (
            VarianceReading.ESTIMATOR,
            Centre.REAL,
        ),
    }
    found = {}
    for name, (reading, centre) in named.items():
        result = compared.result(reading, centre)
        found[name] = decided(
            result.decision is not plain.decision,
            f"eq. 8: {plain.interval}, {plain.decision.value}; by this reading {result.interval}, "
            f"{result.decision.value}",
            right="the conclusion stays",
        )
    return found


def _bold_changes(_: str) -> Finding:
    return by_reading(_conclusions(public_comparison(BOLD)))


def _overlap(key: str, both: int) -> Comparison:
    compared = public_comparison(key)
    samples = [(model.counts[1], model.size) for model in (compared.control, compared.treatment)]
    return compare(control=samples[0], treatment=samples[1], metric=toxicity_metric(), both=both)


def _unchanged(compared: Comparison) -> bool:
    plain, model_based = (
        compared.result(reading, Centre.OBSERVED).decision
        for reading in (VarianceReading.DETERMINISTIC, VarianceReading.PRINTED)
    )
    return plain is model_based


def _most_overlap(key: str) -> int:
    compared = public_comparison(key)
    return min(compared.control.counts[1], compared.treatment.counts[1])


def _prompts_unchanged(_: str) -> Finding:
    most = _most_overlap(PROMPTS)
    independent = public_comparison(PROMPTS)
    worlds = {}
    for both in (0, most):
        result = _overlap(PROMPTS, both).result(VarianceReading.DETERMINISTIC, Centre.OBSERVED)
        worlds[f"{both} prompts toxic for both: CI^D {result.interval}, {result.decision.value}"] = (
            _unchanged(_overlap(PROMPTS, both))
        )
    return by_reading(
        {
            "independent samples, as the table is computed": decided(
                _unchanged(independent), "; ".join(str(result.interval) for result in independent.results[:2])
            ),
            "both models continued the same prompts": underdetermined(
                worlds, "how many prompts both models continued in a way observed as toxic"
            ),
        }
    )


def _same_prompts(_: str) -> Finding:
    """Table 1 adds the variances, as for independent samples, although both models were given the same prompts."""
    lines = {}
    for key in (BOLD, PROMPTS):
        for both in (0, _most_overlap(key)):
            paired = _overlap(key, both).result(VarianceReading.DETERMINISTIC, Centre.OBSERVED)
            plain = public_comparison(key).result(VarianceReading.DETERMINISTIC, Centre.OBSERVED)
            lines[f"{key}, {both} prompts toxic for both: {paired.interval}, {paired.decision.value}"] = (
                paired.decision is plain.decision
            )
    return underdetermined(lines, "how many prompts both models continued in a way observed as toxic")


def _impact(_: str) -> Finding:
    least = 2
    factors = {
        row: [
            before_rounding(cells[f"printed_{side}"]) / before_rounding(cells[f"deterministic_{side}"])
            for side in SIDES
        ]
        for row, cells in production_rows().items()
    }
    text = "; ".join(
        f"{row} {' and '.join(fixed_text((each.lower + each.upper) / 2, 2) for each in pair)}"
        for row, pair in factors.items()
    )
    large = [row for row, pair in factors.items() if all(each.lower >= least for each in pair)]
    small = [row for row, pair in factors.items() if any(each.upper < least for each in pair)]
    return by_reading(
        {
            f"at least {least} times the variance in every experiment": decided(
                not small, f"Var^M/Var^D: {text}", right=f"not in {', '.join(small)}"
            ),
            f"at least {least} times the variance in some": decided(bool(large), f"in {', '.join(large)}"),
        }
    )


def _production_changes(_: str) -> Finding:
    changed = []
    for row, cells in production_rows().items():
        first, second = (
            excludes_zero(cells[f"{word}_lower"], cells[f"{word}_upper"]) for word in KINDS.values()
        )
        if first != second:
            changed.append(row)
    slope, critical = read_formula("d**2*f**2"), read_formula("z**2*d**2*V")
    plain = read_formula("f**2 - z**2*V")
    cancels = (slope - critical).equals(read_formula("d**2") * plain)
    return by_reading(
        {
            "eq. 14 as printed": decided(
                len(changed) == len(production_rows()),
                f"0 outside CI^D and inside CI^M in {', '.join(changed)}",
            ),
            "the variance of the estimate φ + δp around the difference of real rates": decided(
                not cancels,
                "(δf_d)² − z²δ²V = δ²(f_d² − z²V): for any δ ≠ 0 the sign, and so the conclusion, is that of eq. 8",
                right="no conclusion changes",
            ),
        }
    )


def _certain_experiments(_: str) -> Finding:
    changed = [row["dataset"] for key, row in public_rows().items() if not _unchanged(public_comparison(key))]
    production = [
        row
        for row, cells in production_rows().items()
        if excludes_zero(cells["deterministic_lower"], cells["deterministic_upper"])
        != excludes_zero(cells["printed_lower"], cells["printed_upper"])
    ]
    estimator = _conclusions(public_comparison(BOLD))
    last = next(reversed(estimator.values()))
    total = len(public_rows()) + len(production_rows())
    return by_reading(
        {
            "eq. 14 as printed": decided(
                0 < len(changed) + len(production) < total,
                f"changed in {len(changed) + len(production)} of {total}: {', '.join(changed + production)}",
            ),
            "the variance of the estimate φ + δp around the difference of real rates": last,
        }
    )


def _t_test(_: str) -> Finding:
    """Control 0, 0, 0 and treatment 0, 1, 1: the normal interval leaves out 0, the t-test does not reject."""
    small = compare(control=(0, 3), treatment=(2, 3), metric=PERFECT)
    result = small.results[0]
    square = small.difference() ** 2 / small.variance(VarianceReading.DETERMINISTIC)
    # Student's t with 3 + 3 − 2 = 4 degrees of freedom: P(|T| ≤ t) = ¾u(1 − u²/12), u² = t²/(1 + t²/4).
    u_square = square / (1 + square / 4)
    p_value = 1 - mpq(3, 4) * Surd.sqrt(u_square) * (1 - u_square / 12)
    rejects = p_value < mpq(1, 20)
    return decided(
        rejects == (result.decision is not Decision.NOT_SHOWN),
        f"control 0, 0, 0 and treatment 0, 1, 1: f_d²/Var = {square} > {TEXTBOOK.z**2} = 1.96²: eq. 8 shows one",
        f"Student's t with 4 degrees of freedom: p = {with_decimal(p_value)} > 0.05; the t-test shows none",
        right="the test of eq. 8 and 14 is a z-test: a normal quantile, whatever the sample size",
    )


_S311, _S321 = "section 3.1.1", "section 3.2.1"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "faithful/abstract/conclusions",
        "abstract and section 1",
        Kind.SENTENCE,
        "Errors of the metric model, once considered, change the conclusion in some of the experiments.",
        _certain_experiments,
    ),
    Claim(
        "faithful/sec-3-1-1/bold-changes",
        _S311,
        Kind.DECISION,
        "On BOLD, considering errors of the metric model changes the conclusion.",
        _bold_changes,
    ),
    Claim(
        "faithful/sec-3-1-1/prompts-unchanged",
        _S311,
        Kind.DECISION,
        "On RealToxicityPrompts the conclusion is not changed.",
        _prompts_unchanged,
    ),
    Claim(
        "faithful/table-1/independent-samples",
        "table 1",
        Kind.SENTENCE,
        "The intervals of table 1 decide as for independent samples, though both models had the same prompts.",
        _same_prompts,
    ),
    Claim(
        "faithful/sec-3-2-1/impact",
        _S321,
        Kind.SENTENCE,
        "In table 2 the variances change much once errors are considered.",
        _impact,
    ),
    Claim(
        "faithful/sec-3-2-1/changes",
        _S321,
        Kind.DECISION,
        "Considering errors changes the conclusion of the experiments of table 2.",
        _production_changes,
    ),
    Claim(
        "faithful/limitations/t-test",
        "limitations",
        Kind.SENTENCE,
        "The test is a two-sample t-test.",
        _t_test,
    ),
)
