"""Real panels with known keys, and what each column makes of them: `python -m benchmarks.panels [DIR] [--page]`.

The panels that ship with the library, and every CSV file below DIR that has a column `truth`. `--page` writes
docs/real_panels.md. Where `ppi_py` is installed its intervals are compared, too.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb
from pathlib import Path

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.dependence.bounds import evaluate_within, least_dependence
from ntqr_exact.dependence.measure import dependence_of
from ntqr_exact.errors import NtqrExactError
from ntqr_exact.evaluators.dawid_skene import DawidSkene, dawid_skene
from ntqr_exact.evaluators.grade import share_right
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.examples import PANELS, example
from ntqr_exact.sampling.chance_agreement import agreement
from ntqr_exact.sampling.designs import Hypergeometric
from ntqr_exact.sampling.intervals import interval
from ntqr_exact.study import verdict
from ntqr_exact.study.screen import study_screen
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern
from ntqr_exact.votes.read_votes import read_votes

PAGE = Path(__file__).resolve().parent.parent / "docs" / "real_panels.md"
BUDGETS = (mpq(1, 20), mpq(1, 10))
GRADED = (20, 50, 100)
DRAWS = 200
MAX_RANGES = 10
"""Ranges and proofs of covariance are computed for at most this many judges, as on the first screen."""

WARNINGS = ("withheld", "doubtful")
Row = list[str]


def panels(folder: str | None) -> Iterator[tuple[str, LabeledVoteCounts]]:
    """Yield each panel that is at hand, with its name; a file with the votes of an earlier one is left out."""
    seen = []
    for name in PANELS:
        labeled = example(name).labeled
        if labeled is not None:
            seen.append(_answers(labeled))
            yield name, labeled
    for path in sorted(Path(folder).rglob("*.csv")) if folder else ():
        try:
            votes = read_votes(path, truth="truth")
        except NtqrExactError as error:
            print(f"{path} is left out: {error}", file=sys.stderr)
            continue
        if isinstance(votes, LabeledVoteCounts) and _answers(votes) not in seen:
            seen.append(_answers(votes))
            yield f"{path.parent.name}/{path.stem}", votes


def _answers(labeled: LabeledVoteCounts) -> set[tuple[str, Pattern, int]]:
    return {(label, p, n) for label, votes in labeled.by_label.items() for p, n in votes.counts.items() if n}


def _keys(votes: VoteCounts) -> dict[str, LabeledVoteCounts]:
    majority = majority_vote(votes, ties=TiePolicy.FIRST_LABEL)
    return {"majority": majority.key, "Dawid–Skene": dawid_skene(votes).key}


def columns(name: str, labeled: LabeledVoteCounts, verdict_kind: str) -> Row:
    """Return how far majority and Dawid–Skene are from the true accuracies, and how often their keys are right."""
    votes = labeled.observed()
    judges = range(len(labeled.judges))
    keys = _keys(votes)
    errors = [_error(key, labeled) for key in keys.values()]
    right = [_right(key, labeled) for key in keys.values()]
    known = [truth for judge in judges if (truth := share_right(labeled, judge)) is not None]
    best = [column for column, key in keys.items() if _best(key) & _best(labeled)]
    gaps = 1 - mpq(sum(votes.answered(judge) for judge in judges), votes.size * len(judges))
    return [
        name,
        str(len(judges)),
        str(votes.size),
        str(len(votes.labels)),
        _decimal(gaps),
        f"{_decimal(min(known), 2)} to {_decimal(max(known), 2)}",
        *map(_decimal, errors),
        *map(_decimal, right),
        ", ".join(best) or "neither",
        verdict_kind,
    ]


def _best(key: LabeledVoteCounts) -> set[str]:
    shares = {judge: share_right(key, index) or 0 for index, judge in enumerate(key.judges)}
    return {judge for judge, share in shares.items() if share == max(shares.values())}


def misleading(found: Sequence[tuple[str, LabeledVoteCounts]], verdicts: Sequence[str]) -> str:
    """Return where a column has a mean error above 0.10, and how often the screen warns there and elsewhere."""
    warned: dict[bool, list[bool]] = {True: [], False: []}
    names = []
    for (name, labeled), kind in zip(found, verdicts, strict=True):
        errors = {column: _error(key, labeled) for column, key in _keys(labeled.observed()).items()}
        bad = max(errors.values()) > verdict.MAX_ERROR
        warned[bad].append(kind in WARNINGS)
        if bad:
            names.append(f"{name} ({', '.join(f'{who} {_decimal(error)}' for who, error in errors.items())})")
    return (
        f"The columns mislead, with a mean error above {_decimal(verdict.MAX_ERROR, 2)}, on {len(names)} of "
        f"{len(found)} panels: {'; '.join(names) or 'none'}. The screen warns on {sum(warned[True])} of "
        f"these {len(names)}, and on {sum(warned[False])} of the {len(warned[False])} others."
    )


def dependence(name: str, labeled: LabeledVoteCounts) -> Row:
    """Return the proven, attained and true largest covariance, and the ranges at three budgets."""
    votes = labeled.observed()
    labeled = LabeledVoteCounts({label: part.common() for label, part in labeled.by_label.items()})
    true = dependence_of(labeled).largest
    if len(votes.labels) != 2 or len(votes.judges) > MAX_RANGES:
        return [name, "", "", _decimal(true), *["" for _ in (*BUDGETS, true)]]
    least = least_dependence(votes)
    cells = []
    for budget in (*BUDGETS, true):
        within = evaluate_within(votes, budget, orders=(2,))
        if within.existence is Answer.NO:
            cells.append("no key")
            continue
        ranges = within.overall
        truths = [share_right(labeled, judge) for judge in range(len(labeled.judges))]
        held = sum(low <= (truth or 0) <= high for (low, high), truth in zip(ranges, truths, strict=True))
        width = sum((high - low for low, high in ranges), mpq(0)) / len(ranges)
        cells.append(f"{held} of {len(ranges)}, {_decimal(width, 2)}")
    return [name, _decimal(least.proven), _decimal(least.attained), _decimal(true), *cells]


@dataclass(frozen=True)
class Rule:
    """A rule of the verdict: a number of a panel that warns beyond a limit, and the limits that were tried."""

    text: str
    number: Callable[[VoteCounts, DawidSkene], mpq]
    limit: mpq
    tried: tuple[mpq, ...]
    is_least: bool = False

    def warns(self, value: mpq, limit: mpq) -> bool:
        return bool(value <= limit if self.is_least else value > limit)


def _alpha(votes: VoteCounts) -> mpq:
    alpha = agreement(votes)
    return alpha if isinstance(alpha, mpq) else mpq(-1)


def _differ(votes: VoteCounts, estimate: DawidSkene) -> mpq:
    key = majority_vote(votes, ties=TiePolicy.FIRST_LABEL).key
    pairs = [(share_right(key, judge), share) for judge, share in enumerate(estimate.accuracy)]
    return max(abs(mine - theirs) for mine, theirs in pairs if mine is not None and theirs is not None)


_TWENTIETHS = tuple(mpq(n, 20) for n in range(9))
RULES = (
    Rule("the columns differ by more than", _differ, verdict.MAX_DIFFERENCE, _TWENTIETHS[:5]),
    Rule("alpha is at most", lambda votes, _: _alpha(votes), verdict.SLIGHT, _TWENTIETHS, is_least=True),
    Rule(
        "contested questions exceed",
        lambda votes, _: verdict.contested(votes),
        verdict.CONTESTED,
        _TWENTIETHS,
    ),
    Rule(
        "Dawid–Skene is withheld: at slight agreement, it overrules the majority on more than",
        lambda votes, estimate: estimate.moved if _alpha(votes) <= verdict.SLIGHT else mpq(0),
        verdict.MAX_MOVED,
        _TWENTIETHS[1:6],
    ),
)


def limits(found: Sequence[tuple[str, LabeledVoteCounts]]) -> list[Row]:
    """Return, for each rule, its limit, the best one on the first half of the panels, and whom it warns in each half.

    A panel counts with its groups of three and of five judges in a row. It misleads if the mean error of a column
    exceeds 0.10. The best limit has the largest share of warnings where a panel misleads, less that where it does not.
    """
    cases: list[tuple[int, bool, list[mpq]]] = []
    for index, (_, labeled) in enumerate(found):
        count = len(labeled.judges)
        starts = [(start, size) for size in (3, 5) for start in range(0, count - size + 1, size)]
        parts = [labeled, *(labeled.marginal(*range(a, a + size)) for a, size in starts if size < count)]
        for part in parts:
            votes = part.observed()
            estimate = dawid_skene(votes)
            misleads = max(_error(key, part) for key in _keys(votes).values()) > verdict.MAX_ERROR
            cases.append((index % 2, misleads, [rule.number(votes, estimate) for rule in RULES]))

    def warned(half: int, misleads: bool, place: int, limit: mpq) -> tuple[int, int]:
        values = [numbers[place] for which, bad, numbers in cases if (which, bad) == (half, misleads)]
        return sum(RULES[place].warns(value, limit) for value in values), len(values)

    def gain(place: int, limit: mpq) -> mpq:
        (bad, all_bad), (calm, all_calm) = (warned(0, bad, place, limit) for bad in (True, False))
        return mpq(bad, max(all_bad, 1)) - mpq(calm, max(all_calm, 1))

    rows = []
    for place, rule in enumerate(RULES):
        best = max(rule.tried, key=lambda limit, place=place: (gain(place, limit), -abs(limit - rule.limit)))
        cells = [
            "{} of {}".format(*warned(half, misleads, place, rule.limit))
            for half, misleads in product((0, 1), (True, False))
        ]
        rows.append([rule.text, _decimal(rule.limit, 2), _decimal(best, 2), *cells])
    return rows


def grades(name: str, labeled: LabeledVoteCounts, ppi: Callable[..., tuple[float, float]] | None) -> Row:
    """Return the least coverage and the mean width, over judges, of intervals from 20, 50 and 100 graded questions.

    Over all samples, exactly, for ours and Wilson's; over `DRAWS` samples for prediction-powered inference, with the
    majority's key as its predictions.
    """
    cells = []
    for number in GRADED:
        for method in ("blaker", "wilson"):
            both = [_coverage(labeled, judge, number, method) for judge in range(len(labeled.judges))]
            known = [one for one in both if one is not None]
            width = sum((one[1] for one in known), mpq(0)) / max(len(known), 1)
            cells.append(f"{_decimal(min(known)[0])}, {_decimal(width, 2)}" if known else "")
        if ppi is not None:
            cells.append(_ppi_coverage(labeled, number, ppi))
    return [name, *cells]


def _coverage(labeled: LabeledVoteCounts, judge: int, number: int, method: str) -> tuple[mpq, mpq] | None:
    share, answered = share_right(labeled, judge), labeled.observed().answered(judge)
    if share is None or answered <= number:
        return None
    design, right = Hypergeometric(answered, number), int(share * answered)
    held, width = mpq(0), mpq(0)
    for k, chance in enumerate(_hypergeometric(answered, right, number)):
        if not chance:
            continue
        low, high = interval(design, k, method)
        held += chance * (low <= right <= high)
        width += chance * mpq(high - low, answered)
    return held, width


def _hypergeometric(size: int, right: int, number: int) -> list[mpq]:
    return [
        mpq(comb(right, k) * comb(size - right, number - k), comb(size, number)) for k in range(number + 1)
    ]


def _ppi_coverage(labeled: LabeledVoteCounts, number: int, ppi: Callable[..., tuple[float, float]]) -> str:
    import numpy as np

    key = majority_vote(labeled.observed(), ties=TiePolicy.FIRST_LABEL).key
    guess = {pattern: label for label, votes in key.by_label.items() for pattern in votes.counts}
    rows = [
        (p, label)
        for label, votes in labeled.by_label.items()
        for p, n in votes.counts.items()
        for _ in range(n)
    ]
    shares, width, chance = [], 0.0, random.Random(0)
    for judge in range(len(labeled.judges)):
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


def _error(key: LabeledVoteCounts, labeled: LabeledVoteCounts) -> mpq:
    """Return the mean distance of the judges' accuracies by a key from the true ones."""
    pairs = [(share_right(key, judge), share_right(labeled, judge)) for judge in range(len(labeled.judges))]
    apart = [abs(mine - truth) for mine, truth in pairs if mine is not None and truth is not None]
    return sum(apart, mpq(0)) / len(apart)


def _right(key: LabeledVoteCounts, labeled: LabeledVoteCounts) -> mpq:
    guess = {pattern: label for label, votes in key.by_label.items() for pattern in votes.counts}
    hits = sum(
        count
        for label, votes in labeled.by_label.items()
        for pattern, count in votes.counts.items()
        if guess.get(pattern) == label
    )
    return mpq(hits, labeled.size)


def _decimal(value: mpq, places: int = 3) -> str:
    return fixed_text(value, places)


def _table(header: Sequence[str], rows: Sequence[Row]) -> str:
    lines = [header, ["---" if index == 0 else "--:" for index in range(len(header))], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(folder: str | None) -> str:
    """Return the page in Markdown."""
    ppi = None
    if importlib.util.find_spec("ppi_py"):
        from ppi_py import ppi_mean_ci as ppi
    first, second, third, verdicts = [], [], [], []
    found = list(panels(folder))
    for name, labeled in found:
        start = time.process_time()
        verdicts.append(study_screen(labeled.observed()).verdict.kind)
        taken = time.process_time() - start
        first.append([*columns(name, labeled, verdicts[-1]), f"{taken:.1f} s"])
        second.append(dependence(name, labeled))
        third.append(grades(name, labeled, ppi))
        print(name, file=sys.stderr, flush=True)
    who = ("ours", "Wilson", *(["ppi_py"] if ppi else []))
    return _PAGE.format(
        columns=_table(_COLUMNS, first),
        misleading=misleading(found, verdicts),
        covariances=_table(_COVARIANCES, second),
        grades=_table(["panel", *(f"{n}: {one}" for n in GRADED for one in who)], third),
        most=MAX_RANGES,
        limits=_table(_LIMITS, limits(found)),
        first=", ".join(name for name, _ in found[::2]),
        second=", ".join(name for name, _ in found[1::2]),
        ppi=f"; prediction-powered inference (`ppi_py`) over {DRAWS} samples of each judge" if ppi else "",
    )


_COLUMNS = (
    *("panel", "judges", "questions", "labels", "gaps", "true accuracies", "majority: error"),
    *("Dawid–Skene: error", "majority: key right", "Dawid–Skene: key right"),
    *("names a best judge", "verdict", "screen"),
)
_COVARIANCES = (
    *("panel", "proven", "attained", "true"),
    *(f"range at {_decimal(budget, 2)}" for budget in BUDGETS),
    "range at the true one",
)
_LIMITS = (
    *("warning if", "limit", "best on the first half", "first half: misleading", "first half: others"),
    *("second half: misleading", "second half: others"),
)
_PAGE = """# Real panels: how far can the columns be trusted?

Votes with a known key. The key is used only to check what the library says without it.
`python -m benchmarks.panels DIR` makes these tables for your own panels: CSV files with a column `truth`.

## Accuracy without a key

The error is the mean distance of a judge's estimated accuracy from the true one. The verdict is that of the first
screen, without the key: *withheld* prints reasons in place of the Dawid–Skene column, *doubtful* asks for grades.
**No estimate without a key is safe**: where the judges err together, both columns follow the common error, and a
verdict other than these two confirms nothing. {misleading}

{columns}

## How the limits of the verdict were chosen

Ten panels were at hand, of which some do not ship. The first half: MedQA, digits as parity, wine, and LLMBar with all
judges, adversarial and natural. The second half: breast cancer, digits in thirds, bluebirds, and LLMBar with plain
prompts, adversarial and natural. What the rules look at was decided with all panels in view, so that the second half is
not untouched; the limits were compared on the first half. Those of alpha, of contested questions and of overruled
majorities are the best ones there (of equally good ones, that in use); between the columns, 0.05 was kept although any
difference at all was the better warning there, because it does not carry over to the second half.

With the panels at hand now, the first half is {first}, and the second {second}.
A panel counts with its groups of three and of five judges in a row; it misleads if the mean error of a column exceeds
0.10. The table says how many panels get the warning. The Dawid–Skene column itself was not tuned: its rules are those
of the source, with one answer of each kind added. No warning is certain: judges that err alike look like judges that
are right.

{limits}

## Covariance of the errors

Proven: no key has a smaller largest covariance. Attained: some key has it. For each budget, how many of the ranges
hold the true accuracy, and their mean width; a range is guaranteed to hold it only if the true covariance is within
the budget and the judge that is assumed to be no worse than chance is so. "No key": every key exceeds the budget.
With gaps, all columns are about the questions that every judge answered. Panels of more than two labels or {most}
judges have no ranges. The first screen takes 0.10, the median of 28 panels of language models, crowd workers and
classifiers (0.025 to 0.19); most of them do not ship, and this page does not repeat that measurement.

{covariances}

## A few graded questions

Intervals of 95 % from 20, 50 and 100 graded questions: the least coverage of any judge, and the mean width. Ours
(Blaker's, for a sample without replacement) and Wilson's are computed over all samples, exactly{ppi}. A coverage below
0.95 breaks the promise of the level.

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
