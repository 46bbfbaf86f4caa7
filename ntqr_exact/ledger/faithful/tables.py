"""Sections 3 and 4 of the paper on model-based metrics: two public data sets, five experiments, every cell recomputed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from math import ceil, floor

from gmpy2 import mpq

from ntqr_exact.exact.enclosure import Enclosure, enclose_sqrt
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import fixed_text, significant_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.equations import alike, formula
from ntqr_exact.ledger.faithful.model import BOOK, Models, Z
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided, noted, possible, rounded, undecided, within
from ntqr_exact.ledger.printed_value import read_printed

_DATASETS = {"bold": "BOLD", "real-toxicity-prompts": "RealToxicityPrompts"}
_SIDES = ("gpt2", "gptneo")
_WORDS = _DATASETS | {f"exp{number}": f"Exp{number}" for number in range(1, 6)} | {"ate": "effect (ATE)"}
for _key, _name in {"gpt2": "GPT2", "gptneo": "GPT-Neo", "c": "C", "t": "T"}.items():
    _WORDS |= {f"mean-{_key}": f"mean of {_name}", f"var-d-{_key}": f"Var^D of {_name}", f"var-m-{_key}": f"Var^M of {_name}"}
_WORDS |= {f"ci-{kind}-{end}": f"{end} end of CI^{kind.upper()}" for kind in "dm" for end in ("lower", "upper")}
_EXPERIMENTS = ("exp1", "exp2", "exp3", "exp4", "exp5")
_PROMPTS_SIZE, _LABELLED = 99_442, 940
# The published sizes of RealToxicityPrompts and of the classifier's test set.


def _before_rounding(text: str) -> Enclosure:
    decimal = read_printed(text)
    return Enclosure(decimal.low, decimal.high)


def _meet(first: Enclosure | None, second: Enclosure | None) -> Enclosure | None:
    if first is None or second is None:
        return None
    lower, upper = max(first.lower, second.lower), min(first.upper, second.upper)
    return Enclosure(lower, upper) if lower <= upper else None


def _span(bounds: Enclosure) -> str:
    return f"between {significant_text(bounds.lower, 5)} and {significant_text(bounds.upper, 5)}"


def _hidden(printed: str, fits: Callable[[str], bool]) -> str:
    """Return the line that names the neighbours of a decimal that would fit as well, if there are any."""
    decimal = read_printed(printed)
    near = [decimal.right_text(decimal.value + step * decimal.step) for step in (-1, 1)]
    text = " and ".join(filter(fits, near))
    return f"rounding of the other cells hides its last digit: {text} would fit, too" if text else ""


def _row(table: int, key: str) -> dict[str, str]:
    """Return the cells of a row of a table, as printed."""
    head = f"faithful/table-{table}/{key}/"
    return {name.removeprefix(head): each.printed for name, each in BOOK.claims.items() if name.startswith(head)}


def _size(row: str) -> int:
    return int(BOOK.printed("sec-3-1/bold-size").replace(",", "")) if row == "bold" else _PROMPTS_SIZE


def _rates() -> tuple[str, str]:
    return BOOK.printed("sec-3-1/precision"), BOOK.printed("sec-3-1/false-omission")


def _models(counts: tuple[int, int], size: int) -> Models:
    pi, phi = map(rational, _rates())
    return Models((counts[0], size), (counts[1], size), pi, phi)


@cache
def _counts(part: str, text: str, size: int) -> tuple[int, ...]:
    """Return all counts of positives whose share, or whose p(1−p)/(N−1) with p at most 1/2, rounds to a cell."""
    bounds = _before_rounding(text)
    if part == "mean":
        return tuple(range(ceil(max(mpq(0), bounds.lower * size)), floor(bounds.upper * size) + 1))
    slack = bounds.upper - bounds.lower  # a cell may be one off in its last digit, and another one tells
    low, high = ((end * (size - 1) * size**2) for end in (bounds.lower - slack, bounds.upper + slack))
    return tuple(k for k in range(size // 2 + 1) if low <= k * (size - k) <= high)


def _public(row: str) -> Models:
    cells, size = _row(1, row), _size(row)
    first, second = (_counts("mean", cells[f"mean-{side}"], size)[0] for side in _SIDES)
    return _models((first, second), size)


def _model_variances(count: int, size: int, rates: tuple[str, str]) -> Enclosure:
    """Return what eq. 13 can be if both rates are rounded: p^R rises with both, and p(1 − p) is largest at 1/2."""
    (pi, phi), share = map(_before_rounding, rates), mpq(count, size)
    ends = [one * share + other * (1 - share) for one, other in ((pi.lower, phi.lower), (pi.upper, phi.upper))]
    result = [end * (1 - end) / (size - 1) for end in ends]
    most = mpq(1, 4) / (size - 1) if ends[0] < mpq(1, 2) < ends[1] else max(result)
    return Enclosure(min(result), most)


def _exact(cell: str, counts: tuple[int, int], size: int) -> mpq | Surd:
    """Return what a cell of table 1 is, for given counts of toxic texts."""
    models, (part, *rest) = _models(counts, size), cell.split("-")
    if part == "ate":
        return models.difference
    if part == "ci":
        return models.interval(rest[0]).end(-1 if rest[1] == "lower" else 1)
    side = (counts[_SIDES.index(rest[-1])], size)
    return mpq(*side) if part == "mean" else models.variance(rest[0], side)


@cache
def _fits(cell: str, text: str, counts: tuple[int, int], size: int) -> bool:
    if cell.startswith("var-m-"):
        count = counts[_SIDES.index(cell.rpartition("-")[2])]
        return _meet(_model_variances(count, size, _rates()), _before_rounding(text)) is not None
    return read_printed(text).rounds(_exact(cell, counts, size))


@cache
def _best_counts(row: str, without: str) -> list[tuple[int, int]]:
    """Return the pairs of counts that reproduce most cells of a row, one cell set aside."""
    size, cells = _size(row), {name: text for name, text in _row(1, row).items() if name != without}
    sides = [
        {k for part in ("mean", "var-d") if f"{part}-{side}" in cells for k in _counts(part, cells[f"{part}-{side}"], size)}
        for side in _SIDES
    ]
    scores = {pair: sum(_fits(name, text, pair, size) for name, text in cells.items()) for pair in product(sides[0], sides[1])}
    return sorted(pair for pair, score in scores.items() if score == max(scores.values()))


def _samples(mean: str, variance: str) -> list[tuple[int, int]]:
    """Return all (count, N) whose share and variance p(1−p)/(N−1) round to both cells."""
    share, spread = _before_rounding(mean), _before_rounding(variance)
    ends = [end * (1 - end) for end in (share.lower, share.upper)]  # N − 1 = p(1−p)/Var, and p is below 1/2
    sizes = range(ceil(max(mpq(2), ends[0] / spread.upper + 1)), floor(ends[1] / spread.lower + 1) + 1)
    result = ((count, size) for size in sizes for count in _counts("mean", mean, size))
    return [(k, n) for k, n in result if mpq(k, n) * (1 - mpq(k, n)) / (n - 1) in spread]


def _cell(printed: str, row: str, cell: str) -> Finding:
    """Compare a cell of table 1 with its exact value at the counts that the other cells of the row determine."""
    size, result, cells = _size(row), _best_counts(row, cell), {**_row(1, row), cell: printed}
    counts = next((pair for pair in result if _fits(cell, printed, pair, size)), result[0])
    exact, decimal = _exact(cell, counts, size), read_printed(printed)
    up = "rounded up although the next digit is below 5" if exact < decimal.value < exact + decimal.step else ""
    what = f"with {counts[0]} and {counts[1]} of {size}, by the other cells, it"
    judged = rounded(printed, exact, what, arose=up)
    if cell.startswith("var-m-") and not decimal.rounds(exact):
        bounds = _model_variances(counts[_SIDES.index(cell.rpartition("-")[2])], size, _rates())
        return possible(
            _meet(bounds, _before_rounding(printed)) is not None,
            *judged.evidence,
            "but precision and false omission rate are printed with four and five digits only; with all rates that round "
            f"to them it lies {_span(bounds)}, so that its last digits are not determined",
            right=judged.right,
        )
    if cell.startswith("var-d-"):
        same = _samples(cells[cell.replace("var-d", "mean")], printed)
        sizes = [n for _, n in same]
        range_ = f"{len(same)}, with N from {min(sizes)} to {max(sizes)}" if same else "none"
        return noted(judged, f"samples of zeros and ones, of any size, with both the printed mean and this variance: {range_}")
    if cell == "ate":
        middles = [(_before_rounding(cells[f"ci-{k}-lower"]) + _before_rounding(cells[f"ci-{k}-upper"])) / 2 for k in "dm"]
        return noted(judged, *(f"the middle of CI^{k} lies {_span(each)}" for k, each in zip("DM", middles, strict=True)))
    return judged


@BOOK.table
def _rate(printed: str, which: int) -> Finding:
    """
    sec-3-1/precision | section 3.1 | 0.8897 | 0
        The precision of the toxicity classifier is 0.8897.
    sec-3-1/false-omission | section 3.1 | 0.22769 | 1
        The false omission rate of the toxicity classifier is 0.22769.
    """
    one, other = _rates()

    def judged(text: str) -> tuple[str, str]:
        texts, misses = (text, other) if which == 0 else (one, text), []
        for row, name in _DATASETS.items():
            models, cells = _public(row), _row(1, row)
            for side, (count, size) in zip(_SIDES, (models.control, models.treatment), strict=True):
                if _meet(_model_variances(count, size, texts), _before_rounding(cells[f"var-m-{side}"])) is None:
                    misses.append(f"{name}, {side}")
        shares = (
            f"{right}/{positive} and {missed}/{_LABELLED - positive}"
            for positive in range(1, _LABELLED)
            for missed in _counts("mean", texts[1], _LABELLED - positive)
            for right in _counts("mean", texts[0], positive)
        )
        return ", ".join(misses), "; ".join(shares)

    misses, shares = judged(printed)
    return as_printed(
        not misses and bool(shares),
        f"model-based variances of table 1 that no rates rounding to it and to the other rate give: {misses or 'none'}",
        f"shares of {_LABELLED} labelled texts (the published test set) that round to both: {shares or 'none'}",
        _hidden(printed, lambda text: not judged(text)[0] and bool(judged(text)[1])),
    )


@BOOK.table
def _prompts(printed: str, row: str) -> Finding:
    """
    sec-3-1/bold-size | section 3.1 | 23,679 | bold
        BOLD has 23,679 prompts, of five domains; its means are averages of labels 0 and 1.
    sec-3-1/prompts-size | section 3.1 | 100K | real-toxicity-prompts
        RealToxicityPrompts has 100K prompts, as a round number.
    """
    cells, sides = _row(1, row), _SIDES[:1] if row == "bold" else _SIDES
    sizes = set.intersection(*({n for _, n in _samples(cells[f"mean-{side}"], cells[f"var-d-{side}"])} for side in sides))
    span = f"N from {min(sizes)} to {max(sizes)}"
    text = f"samples of zeros and ones with these means and Var^D have {span}: rounding of the cells hides the last digits of N"
    if printed.endswith("K"):
        near = min(sizes) - 1000 <= int(printed.removesuffix("K")) * 1000 <= max(sizes) + 1000
        return as_printed(near, f"{text} (the published set has {_PROMPTS_SIZE} prompts); the text gives a round number")
    size = int(printed.replace(",", ""))
    counts = [_counts("mean", cells[f"mean-{side}"], size) for side in _SIDES]
    others = [name for name in cells if name.startswith(("ci-", "var-m-"))]
    fitting = [all(_fits(name, cells[name], pair, size) for name in others) for pair in product(counts[0], counts[1])]
    result = " and ".join(", ".join(map(str, each)) or "nothing" for each in counts)
    lines = text, f"with N = {size} the means leave the counts {result}"
    return as_printed(size in sizes and any(fitting), *lines, right=span.removeprefix("N from "))


BOOK.grid(
    _cell, "table-1/{row}/{column}", "table 1, {Row}, {Column}", "Table 1, {Row}: {Column} is {printed}.",
    r"""
                          | mean-gpt2 | mean-gptneo | ate | var-d-gpt2 | var-d-gptneo | ci-d-lower | ci-d-upper
    bold                  | 0.00456 | 0.00236 | -0.00219 !misprint | 1.92e-7 | 9.97e-8 !misprint | -0.00325 | -0.00114
        ate right: -0.00220
        ate why: 56 of 23679 texts less 108 of 23679 are −0.002196. The digits were cut off instead of rounded; both
        ate intervals of the row lie around −0.002196.
        var-d-gptneo right: 9.96e-8
        var-d-gptneo why: With 56 of 23679 texts, $p(1-p)/(N-1)$ rounds to 9.96e-8. No sample of zeros and ones, of any size,
        var-d-gptneo has both the printed mean and the printed variance.
    real-toxicity-prompts | 0.09124 | 0.09157 | 0.00033 | 8.34e-7 | 8.37e-7 | -0.00220 | 0.00286
    """,
    words=_WORDS,
)  # fmt: skip
BOOK.grid(
    _cell, "table-1/{row}/{column}", "table 1, {Row}, {Column}", "Table 1, {Row}: {Column} is {printed}.",
    """
                          | var-m-gpt2           | var-m-gptneo           | ci-m-lower | ci-m-upper
    bold                  | 7.50e-6              | 7.46e-6                | -0.00978   | 0.00538
    real-toxicity-prompts | 2.06247e-6 !possible | 2.063405e-6 !possible  | -0.00365   | 0.00431
    """,
    words=_WORDS,
)  # fmt: skip


@BOOK.claim
def _(printed: tuple[str, ...]) -> Finding:
    r"""table-1/decisions | table 1; section 3.1.1 | lower; no difference shown; no difference shown; no difference shown
    0 lies outside $\mathrm{CI}^D$ of BOLD, and inside the three other intervals; the counts decide so, too: on BOLD
    GPT-Neo is significantly less toxic than GPT2 if errors are disregarded, and by eq. 14 no difference is significant.
    """
    result, lines = [], []
    for row, kind in product(_DATASETS, "dm"):
        cells, interval = _row(1, row), _public(row).interval(kind)
        outside = rational(cells[f"ci-{kind}-lower"]) * rational(cells[f"ci-{kind}-upper"]) > 0
        result.append(interval.decision if outside == (interval.decision != "no difference shown") else "neither")
        lines.append(f"{_DATASETS[row]}, CI^{kind.upper()}: printed {'without' if outside else 'with'} 0, "
                     f"recomputed {interval}, {interval.decision}")  # fmt: skip
    return decided(tuple(result) == printed, *lines)


@BOOK.claim
def _() -> Finding:
    """table-1/independent-samples | table 1 | verdict=not checkable
    The intervals of table 1 decide as for independent samples, though both models had the same prompts.
    """
    worlds = {}
    for row, name in _DATASETS.items():
        models = _public(row)
        plain, (first, size), (second, _) = models.interval("d"), models.control, models.treatment
        for both in (0, min(first, second)):
            covariance = (mpq(both, size) - mpq(first, size) * mpq(second, size)) / (size - 1)
            paired = type(plain)(plain.middle, plain.variance - 2 * covariance)
            text = f"{name}, {both} prompts toxic for both: {paired}, {paired.decision}"
            worlds[text] = paired.decision == plain.decision
    return undecided(worlds, "how many prompts both models continued in a way observed as toxic")


@BOOK.claim
def _(printed: tuple[str, str, str]) -> Finding:
    """sec-3-1-1/factor | sections 1, 2.2 and 3.1.1 | 1.92e-7; 7.50e-6; 39
    Errors of the metric model change the variance, and in table 1 it grows: on BOLD, GPT2, 39 times, from 1.92e-7 to 7.50e-6.
    note: it may also fall: with π = 1/2, φ = 0 and 1 of 2 observed, 1/4 becomes 3/16
    """
    factors = {}
    for row, name in _DATASETS.items():
        models = _public(row)
        for side, own in zip(_SIDES, (models.control, models.treatment), strict=True):
            factors[f"{name}, {side}"] = models.variance("m", own) / models.variance("d", own)
    (before, after, times), cells, exact = map(_before_rounding, printed), _row(1, "bold"), factors["BOLD, gpt2"]
    fits = exact in times and _meet(after / before, times) is not None and all(each > 1 for each in factors.values())
    return as_printed(
        fits and printed[:2] == (cells["var-d-gpt2"], cells["var-m-gpt2"]),
        f"Var^M/Var^D: {'; '.join(f'{name} {fixed_text(factor, 3)}' for name, factor in factors.items())}",
        f"from the printed cells of BOLD, GPT2, {_span(after / before)}",
    )


_ESTIMATOR = "the variance of the estimate φ + δp around the difference of real rates"


def _without_zero(row: str, kind: str) -> bool:
    cells = _row(2, row)
    return rational(cells[f"ci-{kind}-lower"]) * rational(cells[f"ci-{kind}-upper"]) > 0


@BOOK.claim
def _(printed: tuple[str, ...]) -> Finding:
    r"""sec-3-1-1/bold-changes | abstract, sections 1, 3.1.1 and 3.2.1 | BOLD; Exp1; Exp2; Exp3; Exp4; Exp5
    | verdict=depends | essential
    On BOLD and in the five experiments, but not on RealToxicityPrompts, considering errors changes the conclusion.
    quote: considering metric model errors … changes the final conclusion
    instead: say that it changes by eq. 14, and of which difference eq. 14 is an interval
    why: The conclusion changes if eq. 14 is taken as it is. With the variance $\delta^2p(1-p)/(N-1)$ of the estimate
    $\varphi+\delta p$ of the real share, around the estimate $\delta\bar f_d$ of the real difference, $\delta=\pi-\varphi$
    cancels, and no conclusion differs from that of eq. 8.
    by hand: $(\delta\bar f_d)^2-z^2\delta^2V=\delta^2(\bar f_d^2-z^2V)$.
    """
    readings = {
        "eq. 14 as printed": ("m", False),
        "eq. 13 around the difference of real rates": ("m", True),
        _ESTIMATOR: ("e", True),
    }
    result = {}
    for name, (kind, real) in readings.items():
        changed, lines = [], []
        for row, dataset in _DATASETS.items():
            plain, own = _public(row).interval("d"), _public(row).interval(kind, real=real)
            changed += [dataset] if own.decision != plain.decision else []
            lines.append(f"{dataset}: eq. 8 {plain}, {plain.decision}; by this reading {own}, {own.decision}")
        if kind == "e":
            cancels = alike(formula("(d*f)**2 - z**2*(d**2*V)"), "d**2*(f**2 - z**2*V)")
            lines.append("(δf_d)² − z²δ²V = δ²(f_d² − z²V): for δ ≠ 0 the conclusion is that of eq. 8" if cancels else "")
        elif not real:
            changed += [row.capitalize() for row in _EXPERIMENTS if _without_zero(row, "d") != _without_zero(row, "m")]
        lines.append(f"changed: {', '.join(changed) or 'none'}")
        # Around the real difference no cell of table 2 is printed; there the public data sets must suffice.
        wanted = printed if name == "eq. 14 as printed" else printed[:1]
        result[name] = decided(tuple(changed) == wanted, *lines)
    return by_reading(result)


Cells = dict[str, str]


class _Half:
    """What the cells of one kind leave open; a cell that was set aside is as wide as can be."""

    def __init__(self, cells: Cells, kind: str, aside: frozenset[str] = frozenset()) -> None:
        def bounds(name: str, wide: Enclosure) -> Enclosure:
            result = wide if name in aside else _before_rounding(cells[name])
            return Enclosure(max(wide.lower, result.lower), max(wide.lower, result.upper))

        self.lower, self.upper = (bounds(f"ci-{kind}-{end}", Enclosure(-1, 1)) for end in ("lower", "upper"))
        self.spreads = {side: bounds(f"var-{kind}-{side}", Enclosure(0, mpq(1, 4))) for side in "ct"}
        self.reach = Z * enclose_sqrt(self.spreads["c"] + self.spreads["t"])
        self.half_width = (self.upper - self.lower) / 2
        self.middle = (self.lower + self.upper) / 2
        self.differences = _meet(_meet(self.middle, self.lower + self.reach), self.upper - self.reach)


def _differences(cells: Cells, aside: frozenset[str] = frozenset()) -> Enclosure | None:
    """Return the f_d that fit all cells but those set aside."""
    return _meet(_Half(cells, "d", aside).differences, _Half(cells, "m", aside).differences)


def _left_by_others(cells: Cells, name: str, aside: frozenset[str] = frozenset()) -> Enclosure | None:
    """Return between which bounds the other cells, without those set aside, leave a cell."""
    result = _differences(cells, aside | {name})
    if result is None:
        return None
    part, kind, which = name.split("-")
    own = _Half(cells, kind, aside | {name})
    if part == "ci":
        beside = result - own.reach if which == "lower" else result + own.reach
        return _meet(beside, 2 * result - (own.upper if which == "lower" else own.lower))
    wide = _meet(_meet(result - own.lower, own.upper - result), own.half_width)
    if wide is None:
        return None
    low, high = (max(mpq(0), end) / Z for end in (wide.lower, wide.upper))
    rest = own.spreads["t" if which == "c" else "c"]
    return Enclosure(max(mpq(0), low**2 - rest.upper), max(mpq(0), high**2 - rest.lower))


def _repairs(cells: Cells) -> list[frozenset[str]]:
    """Return the smallest sets of cells without which the others fit; the empty set alone if all fit."""
    for size in range(len(cells) + 1):
        sets = map(frozenset, combinations(cells, size))
        if result := [each for each in sets if _differences(cells, each) is not None]:
            return result
    return []


def _production_cell(printed: str, row: str, cell: str) -> Finding:
    """Judge a cell by the smallest sets of cells that must be set aside for the others of its row to fit."""
    cells = {**_row(2, row), cell: printed}
    repairs = _repairs(cells)
    own = [each for each in repairs if cell in each]
    chosen = min(own or repairs, key=sorted)
    left = _left_by_others(cells, cell, chosen - {cell})
    if not own:
        ways = [_left_by_others(cells, cell, each) for each in repairs]
        return possible(
            left is not None,
            f"the other cells leave {_span(left)} for it" if left else "the other cells leave nothing for it",
            _hidden(printed, lambda text: any(_meet(way, _before_rounding(text)) for way in ways)),
        )
    if left is None:
        return as_printed(False, "whatever stands here, the other cells do not fit together")
    arose = "the decimal point is one place off" if _meet(_before_rounding(printed), left / 10) else ""
    fine = 10**15
    bounds = mpq(floor(left.lower * fine), fine), mpq(ceil(left.upper * fine), fine)
    misprint = within(printed, *bounds, "by the other cells it", arose=arose)
    if len(own) == len(repairs):
        return misprint
    others = sorted({name for each in repairs for name in each} - {cell})
    half = _Half(cells, cell.split("-")[1])
    fits = _differences(cells, min((each for each in repairs if cell not in each), key=sorted)) is not None
    return noted(
        by_reading({
            "the other cells are right": misprint,
            f"another cell is misprinted ({', '.join(others)})": possible(fits, f"with it set aside, {printed} fits"),
        }),
        f"half of the printed width lies {_span(half.half_width)}, 1.96·√(Var_C + Var_T) {_span(half.reach)}",
    )  # fmt: skip


BOOK.grid(
    _production_cell, "table-2/{row}/{column}", "table 2, {Row}, {Column}", "Table 2, {Row}: {Column} is {printed}.",
    r"""
         | var-d-c | var-d-t | ci-d-lower | ci-d-upper | var-m-c | var-m-t | ci-m-lower | ci-m-upper
    exp1 | 7.29e-5 !possible | 1.01e-4 !possible | -0.05291 !possible | -0.00116 !possible | 1.82e-4 !possible | 2.04e-4 !possible | -0.06556 !possible | 0.01148 !possible
    exp2 | 1.03e-5 !possible | 1.00e-5 !possible | 0.00007 !possible | 0.01777 !possible | 1.07e-5 !possible | 1.05e-5 !possible | -0.00010 !possible | 0.01794 !possible
    exp3 | 4.93e-9 !depends | 3.92e-9 !depends | 0.00009 !depends | 0.00047 !depends | 1.64e-8 !possible | 1.63e-8 !possible | -0.00007 !possible | 0.00063 !possible
        var-d-c essential
        var-d-c quote: 4.93e-9, 3.92e-9, (0.00009, 0.00047)
        var-d-c instead: one of the four cells is off in a digit, or the two ends were rounded outwards
        var-d-c why: $1.96\sqrt{\mathrm{Var}_C+\mathrm{Var}_T}$ is at most 0.00018449, and half of the printed width of $CI^D$ is at
        var-d-c least 0.000185.
        var-d-t,ci-d-lower,ci-d-upper with: table-2/exp3/var-d-c
    exp4 | 2.14e-8 !possible | 2.11e-8 !possible | 0.00006 !possible | 0.00086 !possible | 6.77e-8 !possible | 6.64e-8 !possible | -0.00026 !possible | 0.00118 !possible
    exp5 | 8.84e-9 !possible | 8.84e-9 !possible | 0.000004 !possible | 0.00053 !possible | 1.19e-8 !possible | 1.19e-8 !possible | -0.00004 !possible | 0.00006 !misprint
        ci-m-upper essential
        ci-m-upper quote: (-0.00004, 0.00006)
        ci-m-upper right: 0.00057
        ci-m-upper instead: (-0.00004, 0.00057)
        ci-m-upper why: The lower end, the variances and the middle of $CI^D$ leave 0.00057 for it. One zero too many
        ci-m-upper may have been printed.
    """,
    words=_WORDS,
)  # fmt: skip


@BOOK.claim
def _() -> Finding:
    r"""table-2/decisions | table 2
    In each experiment 0 lies outside $\mathrm{CI}^D$ and inside $\mathrm{CI}^M$, by the printed ends and by the variances, and
    both variances are larger as $\mathrm{Var}^M$.
    """
    right, lines = True, []
    for row in _EXPERIMENTS:
        cells, ends = _row(2, row), {}
        repair = min(_repairs(cells), key=sorted)
        result = _differences(cells, repair) or Enclosure(-1, 1)
        for kind in "dm":
            own = _Half(cells, kind, repair)
            ends[kind] = result - own.reach, result + own.reach
        outside = ends["d"][0].lower > 0 or ends["d"][1].upper < 0
        inside = ends["m"][0].upper < 0 < ends["m"][1].lower
        right &= outside and inside and _without_zero(row, "d") and not _without_zero(row, "m")
        right &= all(_before_rounding(cells[f"var-m-{k}"]).lower > _before_rounding(cells[f"var-d-{k}"]).upper for k in "ct")
        lines.append(f"{row.capitalize()}: CI^D from {_span(ends['d'][0])} to {_span(ends['d'][1])}; "
                     f"CI^M from {_span(ends['m'][0])} to {_span(ends['m'][1])}")  # fmt: skip
    return decided(right, *lines)


@BOOK.claim
def _(times: int) -> Finding:
    """sec-3-2-1/impact | section 3.2.1 | 2 | verdict=depends
    In table 2 considering errors enlarges all variances, and has a big impact on them.
    quote: considering metric model errors has a big impact on variance estimation
    instead: a big impact in Exp1, Exp3 and Exp4
    why: The variances grow at least twofold in Exp1, Exp3 and Exp4, about 1.35 times in Exp5, and about 1.05 times in Exp2.
    """
    factors = {}
    for row in _EXPERIMENTS:
        cells = _row(2, row)
        parts = [(_before_rounding(cells[f"var-m-{k}"]), _before_rounding(cells[f"var-d-{k}"])) for k in "ct"]
        factors[row.capitalize()] = [after / before for after, before in parts]
    text = "; ".join(
        f"{row} {' and '.join(fixed_text((each.lower + each.upper) / 2, 2) for each in pair)}" for row, pair in factors.items()
    )
    large = [row for row, pair in factors.items() if all(each.lower >= times for each in pair)]
    small = [row for row, pair in factors.items() if any(each.upper < times for each in pair)]
    grown = all(each.lower > 1 for pair in factors.values() for each in pair)
    return by_reading({
        f"at least {times} times the variance in every experiment": decided(
            not small, f"Var^M/Var^D is {text}", f"all are {'above' if grown else 'not above'} 1; not {times} in {', '.join(small)}"
        ),
        f"at least {times} times the variance in some": decided(bool(large) and grown, f"in {', '.join(large)}"),
    })  # fmt: skip
