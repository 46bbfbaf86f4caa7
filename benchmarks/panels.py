"""The page of evidence on real panels: `python -m benchmarks.panels [DIR] [--page]`.

The panels that ship with the library, and every CSV file below DIR that has a column `truth`; its data set is the
folder that it is in. `--page` writes docs/real_panels.md. crowd-kit and `ppi_py` are compared where they are installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations
from math import comb
from pathlib import Path

from gmpy2 import mpq

from benchmarks.panel import IS_RIGHT, MAJORITY, MISLEADS, OURS, Panel, Shares, mean, panels
from benchmarks.panel_rules import GRID, MIN_SETS, limits, variants
from ntqr_exact.answer import Answer
from ntqr_exact.dependence.bounds import evaluate_within, least_dependence
from ntqr_exact.dependence.measure import dependence_of
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.examples import EXAMPLES, PANELS
from ntqr_exact.sampling.designs import Hypergeometric
from ntqr_exact.sampling.intervals import interval
from ntqr_exact.study.screen import MAX_ROWS, overall_ranges
from ntqr_exact.votes.labeled import LabeledVoteCounts

PAGE = Path(__file__).resolve().parent.parent / "docs" / "real_panels.md"
BUDGETS = (mpq(1, 20), mpq(1, 10))
GRADED = (20, 50, 100)
DRAWS = 200
WARNINGS = {"withheld", "doubtful"}
Row = list[str]


def summary(of: Sequence[Panel]) -> Row:
    """Return the errors of the columns on some panels, and what the screen withholds and warns of."""
    if not of:
        return []
    printed = [one for one in of if one.kind != "withheld"]
    withheld = [one for one in of if one.kind == "withheld"]

    def excess(some: Sequence[Panel]) -> str:
        worst = max(((one.error(OURS) - one.error(MAJORITY), one.name) for one in some), default=None)
        return f"{_decimal(worst[0])} ({worst[1]})" if worst else "–"

    def share(holds: Callable[[Panel], bool], which: Callable[[Panel], bool]) -> str:
        some = [one for one in of if which(one)]
        return f"{sum(map(holds, some))} of {len(some)}"

    def kinds(kind: str) -> str:
        errors = [one.error(MAJORITY, OURS) for one in of if one.kind == kind]
        bad, good = sum(e > MISLEADS for e in errors), sum(e < IS_RIGHT for e in errors)
        return f"{bad}, {len(errors) - bad - good}, {good}"

    def average(some: Sequence[Panel], name: str) -> str:
        return _decimal(mean(one.error(name) for one in some)) if some else "–"

    names = of[0].columns
    known = [one for one in of if one.labeled is not None]
    rights = [mean(one.columns[name][1] or mpq(0) for one in known) for name in names]
    return [
        *(str(len({one.data_set for one in of})), str(len(of))),
        *(average(of, name) for name in names),
        f"{average(printed, OURS)}, majority {average(printed, MAJORITY)}",
        *(_decimal(right) if known else "–" for right in rights),
        f"{excess(printed)}; where withheld {excess(withheld)}",
        share(lambda one: one.kind == "withheld", lambda one: one.error(OURS) > MISLEADS),
        share(lambda one: one.kind != "withheld", lambda one: one.error(OURS) < IS_RIGHT),
        *map(kinds, KINDS),
    ]


KINDS = ("withheld", "doubtful", "dependent", "premise", "unknown")


def calm(found: Sequence[Panel]) -> str:
    """Return the panels on which a column misleads and the screen does not warn."""
    return "; ".join(
        f"{one.name} ({one.half}, {one.kind}: {_decimal(one.error(MAJORITY))} and {_decimal(one.error(OURS))})"
        for one in found
        if one.error(MAJORITY, OURS) > MISLEADS and one.kind not in WARNINGS
    )


def columns(panel: Panel) -> Row:
    """Return how far each column is from the true accuracies, and how often its key is right."""
    votes, true = panel.votes, panel.true
    gaps = 1 - mean(mpq(votes.answered(judge), votes.size) for judge in range(len(true)))
    known = [share for share in true if share is not None]
    listed = " ".join(_decimal(share, 2) for share in known)
    ends = f"{_decimal(min(known), 2)} to {_decimal(max(known), 2)}"
    best = [name for name, (shares, _) in panel.columns.items() if _best(shares) & _best(true)]
    rights = [right for _, right in panel.columns.values()]
    return [
        *(panel.name, str(len(true)), str(votes.size), str(len(votes.labels)), _decimal(gaps, 2)),
        listed if len(known) <= MAX_ROWS else ends,
        *(_decimal(panel.error(name)) for name in panel.columns),
        *("" if right is None else _decimal(right) for right in rights),
        ", ".join(best) or "none",
        panel.kind,
        f"{panel.screen[1]:.1f} s",
    ]


def _best(shares: Shares) -> set[int]:
    most = max(share for share in shares if share is not None)
    return {judge for judge, share in enumerate(shares) if share == most}


def dependence(panel: Panel) -> tuple[Row, list[tuple[int, int]]]:
    """Return the proven, attained and true largest covariance, the ranges at three budgets, and the ranked pairs."""
    votes, labeled = panel.votes, panel.labeled
    if labeled is None:
        return [], []
    common = LabeledVoteCounts({label: part.common() for label, part in labeled.by_label.items()})
    if not common.size:
        return [], []
    true = dependence_of(common).largest
    if len(votes.labels) != 2 or len(votes.judges) > MAX_ROWS:
        return [panel.name, str(common.size), "", "", _decimal(true), "", "", ""], []
    least, cells, ranked = least_dependence(votes), [], []
    for budget in (*BUDGETS, true):
        within = evaluate_within(votes, budget, orders=(2,))
        if within.existence is Answer.NO:
            cells.append("no key")
            ranked.append((0, 0))
            continue
        ranges = overall_ranges(within, votes)
        both = [
            (ends, truth)
            for ends, truth in zip(ranges, panel.true, strict=True)
            if ends and truth is not None
        ]
        held = sum(low <= truth <= high for (low, high), truth in both)
        width = mean(high - low for (low, high), _ in both)
        pairs = [(x, y) for (one, x), (other, y) in permutations(both, 2) if one[0] > other[1]]
        ranked.append((len(pairs), sum(x <= y for x, y in pairs)))
        cells.append(f"{held} of {len(both)}, {_decimal(width, 2)}")
    return [
        panel.name,
        str(common.size),
        *map(_decimal, (least.proven, least.attained, true)),
        *cells,
    ], ranked


def ranking(ranked: Sequence[list[tuple[int, int]]]) -> list[Row]:
    """Return how many pairs of judges the ranges rank, and how many of them the wrong way, at each budget."""
    names = [*(_decimal(budget, 2) for budget in BUDGETS), "the true one"]
    return [
        [name, *(str(sum(each)) for each in zip(*((n, n > 0, w, w > 0) for n, w in each), strict=True))]
        for name, each in zip(names, zip(*filter(None, ranked), strict=True), strict=False)
    ]


def grades(panel: Panel, ppi: Callable[..., tuple[float, float]] | None) -> Row:
    """Return the least coverage and the mean width, over judges, of intervals from 20, 50 and 100 graded questions.

    Over all samples, exactly, for ours and Wilson's; over `DRAWS` samples for prediction-powered inference, with the
    majority's key as its predictions.
    """
    cells = []
    for number in GRADED:
        for method in ("blaker", "wilson"):
            answered = [panel.votes.answered(judge) for judge in range(len(panel.true))]
            both = [
                _coverage(size, int(share * size), number, method)
                for size, share in zip(answered, panel.true, strict=True)
                if share is not None and size > number
            ]
            cells.append(f"{_decimal(min(both)[0])}, {_decimal(mean(w for _, w in both), 2)}" if both else "")
        if ppi is not None:
            cells.append(_ppi_coverage(panel, number, ppi))
    return [panel.name, *cells]


@cache
def _coverage(size: int, right: int, number: int, method: str) -> tuple[mpq, mpq]:
    design, held, width = Hypergeometric(size, number), mpq(0), mpq(0)
    for k in range(number + 1):
        chance = mpq(comb(right, k) * comb(size - right, number - k), comb(size, number))
        if chance:
            low, high = interval(design, k, method)
            held += chance * (low <= right <= high)
            width += chance * mpq(high - low, size)
    return held, width


def _ppi_coverage(panel: Panel, number: int, ppi: Callable[..., tuple[float, float]]) -> str:
    import numpy as np

    guess = {pattern: label for label, votes in panel.majority.by_label.items() for pattern in votes.counts}
    rows = [(pattern, label) for pattern, label, n in panel.questions for _ in range(n)]
    shares, width, chance = [], 0.0, random.Random(0)
    for judge in range(len(panel.true)):
        mine = [(p, label) for p, label in rows if p[judge] is not None]
        if len(mine) <= number:
            continue
        right = np.array([p[judge] == label for p, label in mine], float)
        predicted = np.array([p[judge] == guess[p] for p, _ in mine], float)
        held = 0
        for _ in range(DRAWS):
            chosen = np.zeros(len(mine), bool)
            chosen[chance.sample(range(len(mine)), number)] = True
            ends = ppi(right[chosen], predicted[chosen], predicted[~chosen], alpha=0.05)
            low, high = (float(np.ravel(end)[0]) for end in ends)
            held += low <= right.mean() <= high
            width += high - low
        shares.append(held / DRAWS)
    return f"{min(shares):.3f}, {width / DRAWS / len(shares):.2f}" if shares else ""


def _decimal(value: mpq, places: int = 3) -> str:
    return fixed_text(value, places)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---" if index == 0 else "--:" for index in range(len(header))], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(folder: str | None) -> str:
    """Return the page in Markdown."""
    ppi = None
    if importlib.util.find_spec("ppi_py"):
        from ppi_py import ppi_mean_ci as ppi
    found = sorted(panels(folder), key=lambda one: one.half)
    each: list[list[Row]] = [[], [], []]
    ranked = []
    for one in found:
        row, pairs = dependence(one)
        for rows, new in zip(each, (columns(one), row, grades(one, ppi)), strict=True):
            rows.extend([[one.half, *new]] if new else [])
        ranked.append(pairs)
        print(one.name, file=sys.stderr, flush=True)
    who = ("ours", "Wilson", *(["ppi_py"] if ppi else []))
    names = [*found[0].columns]
    halves = [[one for one in found if one.half == half] for half in "AB"]
    rows_of_summary = (
        *("data sets", "panels", *(f"mean error: {name}" for name in names)),
        f"mean error where it is printed: {OURS}",
        *(f"questions with the right label: {name}" for name in names),
        f"{OURS} worse than {MAJORITY} by at most, where printed",
        f"{OURS} misleads: withheld",
        f"{OURS} is right: printed",
        *(f"verdict *{kind}*: misleads, neither, right" for kind in KINDS),
    )
    chosen = variants(found)
    return _PAGE.format(
        count=len(found),
        shipped=len(PANELS) + len(EXAMPLES),
        summary=_table(
            ("", *(f"half {name}" for name, half in zip("AB", halves, strict=True) if half)),
            [*zip(rows_of_summary, *filter(None, map(summary, halves)), strict=True)],
        ),
        ranking=_table(("covariance", "pairs", "panels", "wrong pairs", "wrong on panels"), ranking(ranked)),
        calm=calm(found) or "none",
        variants=_table(("rank of 96", *GRID, "mean error on A"), chosen)
        if chosen
        else f"(Variants and limits are compared here if half A has at least {MIN_SETS} data sets.)",
        limits=_table(_LIMITS, limits(found)) if chosen else "",
        columns=_table(
            (*_PANEL, *(f"error: {n}" for n in names), *(f"right labels: {n}" for n in names), *_LAST),
            each[0],
        ),
        covariances=_table(_COVARIANCES, each[1]),
        median=sorted(row[5] for row in each[1])[len(each[1]) // 2],
        grades=_table(("half", "panel", *(f"{n}: {one}" for n in GRADED for one in who)), each[2]),
        most=MAX_ROWS,
        ppi=f"; prediction-powered inference (`ppi_py`) over {DRAWS} samples of each judge" if ppi else "",
    )


_PANEL = ("half", "panel", "judges", "questions", "labels", "gaps", "true accuracies")
_LAST = ("names a best judge", "verdict", "screen")
_COVARIANCES = (
    *("half", "panel", "common questions", "proven", "attained", "true"),
    *(f"range at {_decimal(budget, 2)}" for budget in BUDGETS),
    "range at the true one",
)
_LIMITS = ("rule", "limit", "best on A", "A: misleads", "A: right", "B: misleads", "B: right")
_PAGE = """# Real panels: how far can the columns be trusted?

Votes with a known key. The key is used only to check what the library says without it. This page is about the {count}
panels that were at hand when it was made; {shipped} of them ship with the library. `python -m benchmarks.panels DIR`
makes it for your own panels: CSV files with a column `truth`.

**No estimate without a key is safe.** Where the judges err together, every column follows the common error, and the
votes look like those of good judges. The screen warns where the votes speak against a column; where it does not warn,
it confirms nothing. Only grades do: see the last table.

## In short

The *error* of a column is the distance of a judge's estimated accuracy from the true one, mean over the judges of a
panel. A column *misleads* if its error is above 0.10, and is *right* if it is below 0.05. Where the verdict is
*withheld*, the screen prints reasons in place of the Dawid–Skene column; *withheld* and *doubtful* are warnings. For
each verdict, the panels are counted on which majority or Dawid–Skene misleads, both are right, or neither. A data set
belongs to half A or B by the SHA-256 of its name.

{summary}

**Misleading and calm**, with the errors of majority and Dawid–Skene: {calm}.

The screen ranks judge X above Y if the lowest accuracy of X in its range is above the highest of Y. At the true
covariance a ranking can only be wrong if the judge that is assumed to be no worse than chance is worse.

{ranking}

## How rules and limits were chosen

On half A of 221 panels: 211 that `python -m benchmarks.more_panels DIR` makes of 53 data sets in scikit-learn and R
packages (classifiers of very different quality, with a misled majority, with gaps, with rare labels, and people who
took a test), five that ship, bluebirds (crowd workers) and LLMBar (language models). Half A has 144 panels of 36 data
sets, half B 77 of 20, of which only the bluebirds had been looked at before. When everything was fixed, half B was
measured once:

| | half A | half B |
| --- | --: | --: |
| mean error: majority | 0.136 | 0.138 |
| mean error: Dawid–Skene, before | 0.125 | 0.124 |
| mean error: Dawid–Skene, now | 0.112 | 0.110 |
| mean error: soft EM of crowd-kit | 0.112 | 0.108 |
| misleading estimates withheld, by the rules before | 28 of 67 | 17 of 33 |
| misleading estimates withheld, by the rules now | 50 of 67 | 22 of 33 |
| right estimates printed, by the rules before | 36 of 43 | 18 of 20 |
| right estimates printed, by the rules now | 33 of 43 | 14 of 20 |
| misleading columns with a warning, before | 77 of 86 | 43 of 49 |
| misleading columns with a warning, now | 80 of 87 | 45 of 50 |

Half B confirms the estimate. It does not confirm the rules for withholding: they withhold five more misleading
estimates there, but four more right ones, too.

The estimate: the variants below were compared by their mean error on half A, mean over the panels of a data set first.
The fixed point with one answer of each kind added is within 0.002 of the best, and was kept. Grading the judges by the
probabilities of the labels, in place of the most likely label, was better in all of 2,000 resamples of the data sets of
half A, and was adopted.

{variants}

The limits: the best one has the largest share of misleading panels on which the rule fires, less that of right panels.
A limit was changed only if the other one was better in 95 % of the resamples. New are the reliability of a majority,
and the share of a label that lies outside those of all judges' answers by more than 0.02; before, a label without a
question or with 0.10 more than any judge gave it was a reason. The table shows each rule alone, on the panels at hand.

{limits}

## Panel by panel: accuracy without a key

The true accuracies are in the order of the judges; of more than {most} judges, the least and the greatest. A column
names a best judge if a judge with its highest accuracy has the highest true one. The last column is the processor time
of the first screen. Where only the judges' right answers are known, and not the key, cells are empty.

{columns}

## Covariance of the errors

Proven: every key has a covariance of at least this much. Attained: some key has no larger one. True: that of the known
key. All three are about the common questions, which every judge answered. For each budget, how many of the ranges hold
the true accuracy, and their mean width; a range is guaranteed to hold it only if the true covariance is within the
budget and the judge that is assumed to be no worse than chance is so. With gaps, ranges are wider: on the other
questions, any answer may be right. "No key": every key exceeds the budget. Panels of more than two labels or {most}
judges have no ranges. The first screen takes 0.10; the median of the true covariances in this table is {median}.

{covariances}

## A few graded questions

Intervals of 95 % from 20, 50 and 100 graded questions, drawn at random: the least coverage of any judge, and the mean
width. Ours (Blaker's, for a sample without replacement) and Wilson's are computed over all samples, exactly{ppi}. A
coverage below 0.95 breaks the promise of the level. Judges who answered no more questions than are graded are left out.

{grades}
"""


def main() -> int:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.panels", description=__doc__)
    parser.add_argument("folder", nargs="?", help="a folder of CSV files with a column `truth`")
    parser.add_argument("--page", action="store_true", help="write docs/real_panels.md")
    options = parser.parse_args()
    text = page(options.folder)
    if options.page:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())
