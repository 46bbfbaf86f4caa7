"""Goyal, Hu and Gupta 2023, table 1: each cell against the counts that its row leaves possible."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import significant_text
from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.faithful.tables import (
    KINDS,
    LABELLED,
    before_rounding,
    counts_of_mean,
    excludes_zero,
    labelled_shares,
    model_variance,
    model_variance_range,
    public_comparison,
    public_rows,
    rate_texts,
    samples_of,
    whole_part,
)
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided, rounded, within
from ntqr_exact.ledger.rounding import read_printed
from ntqr_exact.significance.comparison import Centre
from ntqr_exact.significance.interval import Decision
from ntqr_exact.significance.performance import Performance
from ntqr_exact.significance.variance import VarianceReading, variance

Check = Callable[[str], Finding]
MODELS = {"gpt2": ("control", "GPT2"), "gptneo": ("treatment", "GPT-Neo")}
ENDS = ("lower", "upper")


def _model(key: str, side: str) -> Performance:
    compared = public_comparison(key)
    return compared.control if side == "control" else compared.treatment


def _mean(key: str, side: str, printed: str) -> Finding:
    size = _model(key, side).size
    found = counts_of_mean(printed, size)
    nearest = whole_part(read_printed(printed).value * size + mpq(1, 2))
    share = mpq(nearest, size)
    return decided(
        bool(found),
        f"counts whose share of {size} rounds to {printed}: {found or 'none'}",
        f"{nearest}/{size} ≈ {significant_text(share, 6)}",
        right=read_printed(printed).right_text(share),
        slip=True,
    )


def _effect(key: str, printed: str) -> Finding:
    compared = public_comparison(key)
    names = " − ".join(f"{each.counts[1]}/{each.size}" for each in (compared.treatment, compared.control))
    return rounded(printed, compared.difference(), names)


def _rounded_away(printed: str, exact: mpq) -> str:
    decimal = read_printed(printed)
    above = exact < decimal.value < exact + decimal.step
    return "rounded up although the next digit is below 5" if above and decimal.high >= exact else ""


def _deterministic(key: str, side: str, printed: str) -> Finding:
    model = _model(key, side)
    exact = variance(model, VarianceReading.DETERMINISTIC)
    what = f"p(1−p)/(N−1) ≈ {significant_text(exact, 6)} at p = {model.counts[1]}/{model.size}; it"
    return rounded(printed, exact, what, arose=_rounded_away(printed, exact))


def _model_based(key: str, side: str, printed: str) -> Finding:
    model = _model(key, side)
    exact = variance(model, VarianceReading.PRINTED)
    what = f"p^R(1−p^R)/(N−1) ≈ {significant_text(exact, 8)} at p = {model.counts[1]}/{model.size}; it"
    possible = model_variance_range(model.counts[1], model.size)
    return by_reading(
        {
            "precision and false omission rate exactly as printed": rounded(printed, exact, what),
            f"precision and false omission rate as shares of {LABELLED} labelled texts": rounded(
                printed, _from_labelled(model), "p^R(1−p^R)/(N−1) at " + _labelled_text()
            ),
            "precision and false omission rate rounded to the digits printed": within(
                printed, possible.lower, possible.upper, "p^R(1−p^R)/(N−1)"
            ),
        }
    )


def _from_labelled(model: Performance) -> mpq:
    ((above, of_positive, missed, of_negative),) = labelled_shares(*rate_texts(), LABELLED)
    return model_variance(model.counts[1], model.size, mpq(above, of_positive), mpq(missed, of_negative))


def _labelled_text() -> str:
    ((above, of_positive, missed, of_negative),) = labelled_shares(*rate_texts(), LABELLED)
    return f"precision {above}/{of_positive}, false omission rate {missed}/{of_negative}"


def _end(key: str, kind: str, end: str, printed: str) -> Finding:
    result = public_comparison(key).result(VarianceReading(KINDS[kind]), Centre.OBSERVED)
    exact = result.interval.lower if end == "lower" else result.interval.upper
    sign = "−" if end == "lower" else "+"
    return rounded(printed, exact, f"f_d {sign} 1.96·√Var^{kind.upper()}(d)")


def _one_sample(printed: str) -> Finding:
    """Is there any sample, of any size, with this mean and this variance?"""
    mean_text, variance_text = printed.split("; ")
    found = samples_of(mean_text, variance_text)
    sizes = sorted({size for _, size in found})
    shown = f"N from {sizes[0]} to {sizes[-1]}" if sizes else "none"
    return decided(
        bool(found),
        f"samples of any size, (count, N), whose mean rounds to {mean_text} and whose p(1−p)/(N−1) rounds to "
        f"{variance_text}: {len(found)}; {shown}",
        right=f"not both {mean_text} and {variance_text}, whatever the sample",
        slip=True,
    )


def _decision(key: str, kind: str, printed: str) -> Finding:
    lower, upper = printed.strip("()").split(", ")
    result = public_comparison(key).result(VarianceReading(KINDS[kind]), Centre.OBSERVED)
    computed = result.decision is not Decision.NOT_SHOWN
    return decided(
        excludes_zero(lower, upper) == computed,
        f"printed {printed} {'leaves out' if excludes_zero(lower, upper) else 'contains'} 0",
        f"recomputed {result.interval}: {result.decision.value}",
        right=result.decision.value,
    )


def _forced(middle: mpq, texts: tuple[str, str, str]) -> list[tuple[mpq, str]]:
    """Return what the middle forces on the printed effect and ends, as numbers with their texts."""
    *intervals, effect = texts
    printed = read_printed(effect)
    forced = [(middle, effect)] if middle in (printed.low, printed.high) else []
    for text in intervals:
        lower_text, upper_text = text.strip("()").split(", ")
        lower, upper = before_rounding(lower_text), before_rounding(upper_text)
        if (lower + upper).upper == 2 * middle:
            forced += [(lower.upper, lower_text), (upper.upper, upper_text)]
        elif (lower + upper).lower == 2 * middle:
            forced += [(lower.lower, lower_text), (upper.lower, upper_text)]
    return forced


def _one_rule(halves: list[tuple[mpq, str]]) -> bool:
    """Return whether one usual rule rounds all these numbers, each halfway between two decimals, as printed."""
    printed = [(number, read_printed(text)) for number, text in halves]
    rules = (
        [abs(each.value) > abs(number) for number, each in printed],  # away from zero
        [abs(each.value) < abs(number) for number, each in printed],  # towards zero
        [each.value > number for number, each in printed],  # up
        [each.value < number for number, each in printed],  # down
        [(each.value / each.step).numerator % 2 == 0 for _, each in printed],  # to the even digit
    )
    return any(all(rule) for rule in rules)


def _centre(printed: str) -> Finding:
    """Both intervals of a row and its effect have one middle.

    If only a single number is left for it, it lies halfway between two decimals for the effect and for both ends of
    an interval; then one rule for halves must give all three.
    """
    first, second, effect = printed.split("; ")
    middles = []
    for text in (first, second):
        lower, upper = (before_rounding(end) for end in text.strip("()").split(", "))
        middles.append((lower + upper) / 2)
    all_bounds = [*middles, before_rounding(effect)]
    low, high = max(each.lower for each in all_bounds), min(each.upper for each in all_bounds)
    both = max(each.lower for each in middles), min(each.upper for each in middles)
    common = (both[0] + both[1]) / 2 if both[0] <= both[1] else None
    forced = _forced(low, (first, second, effect)) if low == high else []
    return decided(
        low < high or (bool(forced) and _one_rule(forced)),
        f"middle of CI^D in [{with_decimal(middles[0].lower)}, {with_decimal(middles[0].upper)}], of CI^M in "
        f"[{with_decimal(middles[1].lower)}, {with_decimal(middles[1].upper)}]; ATE is printed {effect}",
        *(
            [
                f"only {with_decimal(low)} is left for all: {', '.join(f'{x} as {text}' for x, text in forced)}; "
                f"one rule for halves gives all of them: {_one_rule(forced)}"
            ]
            if forced
            else []
        ),
        right=f"effect {read_printed(effect).right_text(common)}"
        if common is not None
        else "one middle for all",
        slip=True,
    )


def _cell_claims(key: str) -> list[Claim]:
    row = public_rows()[key]
    cells, name = row["cells"], row["dataset"]
    claims = []

    def add(suffix: str, cell: str, statement: str, check: Check) -> None:
        claims.append(
            Claim(
                f"faithful/table-1/{key}/{suffix}",
                f"table 1, {name}",
                Kind.NUMBER,
                statement,
                check,
                cells[cell],
            )
        )

    for short, (side, model) in MODELS.items():
        add(
            f"mean-{short}",
            f"mean_{side}",
            f"On {name} the mean toxicity of {model} is {cells[f'mean_{side}']}.",
            partial(_mean, key, side),
        )
    add(
        "ate",
        "difference",
        f"On {name} the effect, GPT-Neo less GPT2, is ${cells['difference']}$.",
        partial(_effect, key),
    )
    for kind, check in (("d", _deterministic), ("m", _model_based)):
        for short, (side, model) in MODELS.items():
            cell = f"{KINDS[kind]}_{side}"
            add(
                f"var-{kind}-{short}",
                cell,
                rf"On {name} $\mathrm{{Var}}^{kind.upper()}$ of {model} is "
                f"{cells[cell]}.",
                partial(check, key, side),
            )
        for end in ENDS:
            cell = f"{KINDS[kind]}_{end}"
            add(
                f"ci-{kind}-{end}",
                cell,
                rf"On {name} the {end} end of $\mathrm{{CI}}^{kind.upper()}$ is "
                f"${cells[cell]}$.",
                partial(_end, key, kind, end),
            )
    return claims


def _row_claims(key: str) -> list[Claim]:
    row = public_rows()[key]
    cells, name = row["cells"], row["dataset"]
    intervals = {
        kind: f"({cells[f'{word}_lower']}, {cells[f'{word}_upper']})" for kind, word in KINDS.items()
    }
    place = f"table 1, {name}"
    claims = [
        Claim(
            f"faithful/table-1/{key}/sample-{short}",
            place,
            Kind.NUMBER,
            rf"On {name} mean and $\mathrm{{Var}}^D$ of {model} belong to one sample of zeros and ones.",
            _one_sample,
            f"{cells[f'mean_{side}']}; {cells[f'deterministic_{side}']}",
        )
        for short, (side, model) in MODELS.items()
    ]
    claims += [
        Claim(
            f"faithful/table-1/{key}/decision-{kind}",
            place,
            Kind.DECISION,
            rf"On {name} $\mathrm{{CI}}^{kind.upper()}$ = ${text}$ decides as the counts do.",
            partial(_decision, key, kind),
            text,
        )
        for kind, text in intervals.items()
    ]
    claims.append(
        Claim(
            f"faithful/table-1/{key}/centre",
            place,
            Kind.NUMBER,
            f"On {name} both intervals lie around the effect.",
            _centre,
            f"{intervals['d']}; {intervals['m']}; {cells['difference']}",
        )
    )
    return claims


CLAIMS: tuple[Claim, ...] = tuple(
    claim for key in public_rows() for claim in (*_cell_claims(key), *_row_claims(key))
)
