"""Goyal, Hu and Gupta 2023, what the text says of table 1 and concludes from both tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text, significant_text
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.equations import FormulaText, formula
from ntqr_exact.ledger.faithful.readings import SourceReading, built, variance
from ntqr_exact.ledger.faithful.tables import (
    BOLD,
    DATASETS,
    EXPERIMENTS,
    MODELS,
    PROMPTS,
    READINGS,
    before_rounding,
    excludes_zero,
    meet,
    production_row,
    public_comparison,
    public_row,
    samples_of,
    toxicity_metric,
)
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided, underdetermined
from ntqr_exact.postulates.polynomial import read_formula
from ntqr_exact.sampling.comparison import Centre, Comparison, compare
from ntqr_exact.sampling.normal_interval import Decision

_ESTIMATOR = "the variance of the estimate φ + δp around the difference of real rates"


def named(printed: Mapping[str, tuple[str, ...]]) -> Finding:
    """Count what is listed, and compare with the number given."""
    number, names = printed["number"][0], printed["names"]
    return as_printed(number == str(len(set(names))), f"{len(set(names))} are named")


def effect(printed: FormulaText) -> Finding:
    """Compare the printed formula of the effect with the printed effects, over the roundings of the means."""
    fits, lines = [], []
    for row, name in DATASETS.items():
        cells = public_row(row)
        gpt2, neo = before_rounding(cells["mean-gpt2"]), before_rounding(cells["mean-gptneo"])
        corners = ((neo.lower, gpt2.upper), (neo.upper, gpt2.lower))
        ends = [rational(str(formula(printed).evaluate({"neo": one, "gpt2": two}))) for one, two in corners]
        fits.append(meet(Enclosure(min(ends), max(ends)), before_rounding(cells["ate"])) is not None)
        lines.append(
            f"{name}: {printed} lies between {significant_text(min(ends), 4)} and {significant_text(max(ends), 4)}; "
            f"ATE is printed {cells['ate']}"
        )
    return as_printed(all(fits), *lines)


def _growth(row: str, model: str) -> mpq:
    compared = public_comparison(row)
    own = compared.control if MODELS[model] == "control" else compared.treatment
    return variance(own, SourceReading.PRINTED) / variance(own, SourceReading.DETERMINISTIC)


def increase() -> Finding:
    """Compare both variances of both models on both data sets."""
    factors = {f"{name}, {model}": _growth(row, model) for row, name in DATASETS.items() for model in MODELS}
    return decided(
        all(factor > 1 for factor in factors.values()),
        "Var^M/Var^D: " + "; ".join(f"{name} {fixed_text(factor, 2)}" for name, factor in factors.items()),
    )


def factor(printed: Mapping[str, str]) -> Finding:
    """Compare the printed growth on BOLD with the exact one, and with the printed cells."""
    exact = _growth(BOLD, "gpt2")
    cells = public_row(BOLD)
    bounds = before_rounding(printed["times"])
    told = before_rounding(printed["after"]) / before_rounding(printed["before"])
    return as_printed(
        bounds.lower <= exact <= bounds.upper
        and meet(told, bounds) is not None
        and (printed["before"], printed["after"]) == (cells["var-d-gpt2"], cells["var-m-gpt2"]),
        f"exactly {fixed_text(exact, 3)} times as large; from the printed cells between {fixed_text(told.lower, 2)} "
        f"and {fixed_text(told.upper, 2)}",
    )


def quoted_interval(
    printed: tuple[str, str], *, kind: Literal["d", "m"], shows: Literal["lower", "no difference"]
) -> Finding:
    """Compare an interval of BOLD, quoted in the text, with table 1, and its conclusion with the recomputed one."""
    cells = public_row(BOLD)
    table = (cells[f"ci-{kind}-lower"], cells[f"ci-{kind}-upper"])
    result = built(public_comparison(BOLD), READINGS[kind], Centre.OBSERVED)
    expected = Decision.LOWER if shows == "lower" else Decision.NOT_SHOWN
    return decided(
        printed == table and result.decision is expected,
        f"table 1 prints ({table[0]}, {table[1]}); recomputed {result.interval}: {result.decision.value}",
        slip=printed != table,
    )


def binary_scores() -> Finding:
    """Ask whether samples of zeros and ones have the mean and the variance of GPT2 on BOLD."""
    cells = public_row(BOLD)
    found = samples_of(cells["mean-gpt2"], cells["var-d-gpt2"])
    return decided(
        bool(found),
        f"BOLD, GPT2: {len(found)} samples of zeros and ones have both the mean {cells['mean-gpt2']} and Var^D "
        f"{cells['var-d-gpt2']}, as p(1−p)/(N−1); scores in between would have less spread",
    )


def _changes(compared: Comparison) -> dict[str, Finding]:
    """Does taking errors into account change the conclusion, by each variance around what it is a variance of?"""
    plain = built(compared, SourceReading.DETERMINISTIC, Centre.OBSERVED)
    readings = {
        "eq. 14 as printed": (SourceReading.PRINTED, Centre.OBSERVED),
        "eq. 13 around the difference of real rates": (SourceReading.PRINTED, Centre.REAL),
        _ESTIMATOR: (SourceReading.ESTIMATOR, Centre.REAL),
    }
    results = {name: built(compared, *each) for name, each in readings.items()}
    return {
        name: decided(
            result.decision is not plain.decision,
            f"eq. 8: {plain.interval}, {plain.decision.value}; by this reading {result.interval}, "
            f"{result.decision.value}",
            right="the conclusion stays",
        )
        for name, result in results.items()
    }


def bold_changes() -> Finding:
    """Ask whether the conclusion on BOLD changes, by each variance."""
    return by_reading(_changes(public_comparison(BOLD)))


def _unchanged(compared: Comparison) -> bool:
    plain, model_based = (built(compared, each, Centre.OBSERVED).decision for each in READINGS.values())
    return plain is model_based


def prompts_unchanged() -> Finding:
    """Compare both decisions on RealToxicityPrompts, for independent samples as the table has them."""
    compared = public_comparison(PROMPTS)
    first, second = (built(compared, each, Centre.OBSERVED) for each in READINGS.values())
    return decided(
        _unchanged(compared),
        f"eq. 8: {first.interval}, {first.decision.value}; eq. 14: {second.interval}, {second.decision.value}",
    )


def same_prompts() -> Finding:
    """Pair the prompts, as both models were given the same: the decision by eq. 8 with the covariance of A.3."""
    worlds = {}
    for row, name in DATASETS.items():
        compared = public_comparison(row)
        plain = built(compared, SourceReading.DETERMINISTIC, Centre.OBSERVED)
        counts = (compared.control.counts[1], compared.treatment.counts[1])
        samples = [(count, compared.control.size) for count in counts]
        for both in (0, min(counts)):
            paired = compare(
                control=samples[0], treatment=samples[1], metric=toxicity_metric(), both=both
            ).result("deterministic")
            worlds[f"{name}, {both} prompts toxic for both: {paired.interval}, {paired.decision.value}"] = (
                paired.decision is plain.decision
            )
    return underdetermined(worlds, "how many prompts both models continued in a way observed as toxic")


def _changed() -> list[str]:
    public = [name for row, name in DATASETS.items() if not _unchanged(public_comparison(row))]
    cells = {row: production_row(row) for row in EXPERIMENTS}
    return public + [
        row.capitalize() for row in cells if excludes_zero(cells[row], "d") != excludes_zero(cells[row], "m")
    ]


def certain_experiments() -> Finding:
    """Count the experiments whose conclusion changes, by eq. 14 and by the variance of the estimate."""
    changed, total = _changed(), len(DATASETS) + len(EXPERIMENTS)
    return by_reading(
        {
            "eq. 14 as printed": decided(
                0 < len(changed) < total, f"changed in {len(changed)} of {total}: {', '.join(changed)}"
            ),
            _ESTIMATOR: _changes(public_comparison(BOLD))[_ESTIMATOR],
        }
    )


def production_changes() -> Finding:
    """Ask whether all conclusions of table 2 change, by eq. 14 and by the variance of the estimate."""
    changed = [row.capitalize() for row in EXPERIMENTS if row.capitalize() in _changed()]
    gap = read_formula("(d*f)**2 - z**2*(d**2*V)")
    cancels = gap.equals(read_formula("d**2*(f**2 - z**2*V)"))
    return by_reading(
        {
            "eq. 14 as printed": decided(
                len(changed) == len(EXPERIMENTS), f"0 outside CI^D and inside CI^M in {', '.join(changed)}"
            ),
            _ESTIMATOR: decided(
                not cancels,
                "(δf_d)² − z²δ²V = δ²(f_d² − z²V): for any δ ≠ 0 the sign, and so the conclusion, is that of eq. 8",
                right="no conclusion changes",
            ),
        }
    )
