"""Maaz et al. 2023: what abstract, introduction and conclusion say, held against theory and tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import combinations, product

from gmpy2 import mpq

from ntqr_exact.confidence.analysis import count_wins
from ntqr_exact.confidence.atc import atc
from ntqr_exact.confidence.atc_threshold import TieRule
from ntqr_exact.confidence.ordering import compare_orders
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SIX, ScoreFunction
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, counterexample, decided, not_checkable
from ntqr_exact.ledger.orderings.definitions import binary
from ntqr_exact.ledger.orderings.printed_tables import (
    ATC,
    DATASETS,
    LABELS,
    METHODS,
    RUNS,
    means,
    overall,
    rows,
)
from ntqr_exact.ledger.orderings.sentences import shown_better

HALF = mpq(1, 2)

FIGURES = (1,)
"""The numbers of the figures that have a caption."""


def _skew_key(vector: ProbabilityVector) -> mpq:
    """Rise linearly to one vertex and quadratically to the other: least at the centre, equal at both vertices."""
    first = next(iter(vector))
    return first - HALF if first >= HALF else 2 * (first - HALF) ** 2


def _almost_all(_: str) -> Finding:
    """Give a score with the two properties of section 2.1 that orders otherwise."""
    skew = ScoreFunction("skew", _skew_key)
    grid = [ProbabilityVector((a, 8 - a), 8) for a in range(9)]
    centre, ends = skew.key(grid[4]), {str(skew.key(grid[0])), str(skew.key(grid[8]))}
    proper = all(centre < skew.key(v) for v in grid if v != grid[4]) and len(ends) == 1
    source, target = binary("3/4", "1/4"), binary("1/4")
    found = {
        "max": atc(source, target, error="1/2", score="max").estimate,
        "skew": atc(source, target, error="1/2", score=skew).estimate,
    }
    return decided(
        not proper or compare_orders("max", skew, grid).isomorphic,
        "s = p₁ − ½ if p₁ ≥ ½, else 2(p₁ − ½)²: least at the centre, ½ at both vertices, as a score should be",
        f"source (3/4, 1/4), (1/4, 3/4), Γ = ½, target (1/4, 3/4): {found['max']} by max, {found['skew']} by s",
        right="the six scores that are named, and all that rise strictly with max p",
    )


def _magnitude(printed: str) -> Finding:
    """Hold the differences that are called significant, over all dimensions, against the printed power of ten."""
    size = rational(printed)
    gaps: dict[tuple[str, str, str], mpq] = {}
    for dataset in ("TweetEval", "Banking77"):
        mean = overall(dataset)
        pairs = (pair for pair in combinations(ATC, 2) if pair != ("ATC-L2", "ATC-L2n"))
        gaps |= {(dataset, *pair): abs(mean[pair[0]] - mean[pair[1]]) for pair in pairs}
    outside = [gap for gap in gaps.values() if not size <= gap < 10 * size]
    least, most = min(gaps, key=lambda key: gaps[key]), max(gaps, key=lambda key: gaps[key])
    table = means("Banking77")
    spread = {d: max(table[d, m] for m in ATC) - min(table[d, m] for m in ATC) for d in rows("Banking77")}
    widest = max(spread, key=lambda d: spread[d])
    texts = [f"{fixed_text(gaps[key], 4)} ({', '.join(key)})" for key in (least, most)]
    return decided(
        not outside,
        f"over all dimensions they run from {texts[0]} to {texts[1]}",
        f"{len(outside)} of {len(gaps)} do not lie between {size} and {10 * size}",
        f"in one dimension scores differ by up to {fixed_text(spread[widest], 2)} points, Banking77 with k = {widest}",
        right=f"from {fixed_text(gaps[least], 4)} to {fixed_text(gaps[most], 4)} over all dimensions, and up to "
        f"{fixed_text(spread[widest], 2)} in one",
    )


def _one_decimal(printed: str) -> Finding:
    """Hold the widest difference of two scores over all dimensions against one tenth, and against one point."""
    tenth = rational(printed)
    widest = {
        dataset: max(overall(dataset)[m] for m in ATC) - min(overall(dataset)[m] for m in ATC)
        for dataset in ("Emotion", "TweetEval", "Banking77")
    }
    text = ", ".join(f"{name} {fixed_text(gap, 4)}" for name, gap in widest.items())
    return by_reading(
        {
            f"within {name}": decided(
                all(gap <= bound for gap in widest.values()),
                f"widest differences over all dimensions: {text}; bound {bound}",
                right=f"within {fixed_text(max(widest.values()), 4)} of each other",
            )
            for name, bound in (("one tenth", tenth), ("one point", 10 * tenth))
        }
    )


def _caption(_: str) -> Finding:
    return not_checkable("the plots, which a text does not hold")


def _little(_: str) -> Finding:
    table = means("Banking77")
    ratios = {d: max(table[d, m] for m in ATC) / min(table[d, m] for m in ATC) for d in rows("Banking77")}
    widest = max(ratios, key=lambda d: ratios[d])
    own = {m: table[widest, m] for m in ATC}
    low, high = min(own, key=lambda m: own[m]), max(own, key=lambda m: own[m])
    return by_reading(
        {
            "on average over all dimensions": decided(
                max(overall("Banking77")[m] for m in ATC) < 2 * min(overall("Banking77")[m] for m in ATC),
                "no score has twice the error of another over all dimensions",
            ),
            "in each dimension": decided(
                ratios[widest] < 2,
                f"Banking77, k = {widest}: {high} {fixed_text(own[high], 2)}, {low} {fixed_text(own[low], 2)}",
                right="in single dimensions the choice more than doubles the error",
            ),
        }
    )


def _no_matter(_: str) -> Finding:
    """Estimate with all six scores on all small samples of two labels, with one rule for ties."""
    tops = binary("1/2", "2/3", "3/4", "1")
    cases = (
        (
            f"source {source}, target {target}",
            len(
                {atc(list(source), [target], error=gamma, score=name, tie_rule=rule).estimate for name in SIX}
            )
            == 1,
        )
        for source in product(tops, repeat=2)
        for target in tops
        for gamma in (mpq(1, 4), mpq(1, 2))
        for rule in TieRule
    )
    return counterexample(
        cases,
        checked="small samples of two labels: six scores, one estimate, if ties of eq. 2 go by one rule",
    )


def _most_appropriate(_: str) -> Finding:
    best = {dataset: count_wins(means(dataset)) for dataset in DATASETS}
    leaders = {name: max(METHODS, key=lambda m: wins[m]) for name, wins in best.items()}
    mean = {name: min(ATC, key=lambda m: overall(name)[m]) for name in DATASETS}
    return by_reading(
        {
            "most wins on every data set": decided(
                set(leaders.values()) == {"ATC-Max"},
                ", ".join(f"{name}: {who}" for name, who in leaders.items()),
            ),
            "least mean over all dimensions on the two larger data sets": decided(
                [mean["TweetEval"], mean["Banking77"]] == ["ATC-Max"] * 2,
                ", ".join(f"{name}: {who}" for name, who in mean.items()),
            ),
            "the fastest": not_checkable("the times that were measured"),
        }
    )


def _unlabeled(printed: str) -> Finding:
    """Ask whether the second half of the sentence, more unlabelled than labelled data, strengthens the first."""
    shares = [mpq(n, 4) for n in range(5)]
    follows = {
        "unlabeled": all(u != 1 for u in shares if u > 1 - u),
        "labeled": all(u != 0 for u in shares if u > 1 - u),
    }
    if printed not in follows:
        raise BadDocument(printed, "the word is labeled or unlabeled")
    return decided(
        follows[printed],
        "with all data unlabelled, unlabelled data outnumbers the rest, and 'not all data is unlabeled' is false",
        "that there is more unlabelled than labelled data implies that not all data is labeled",
        right="not all data is labeled",
        slip=True,
    )


def _times(what: str, _: str) -> Finding:
    return not_checkable(f"the times of {what}, which are not printed")


def _other_works(_: str) -> Finding:
    return not_checkable("the experiments of the works cited")


def _larger_data(_: str) -> Finding:
    sizes = {dataset: RUNS * (labels - 1) * len(METHODS) for dataset, labels in LABELS.items()}
    return decided(
        min(sizes["TweetEval"], sizes["Banking77"]) > 2 * sizes["Emotion"],
        ", ".join(f"{name} {size}" for name, size in sizes.items()),
    )


def _figure(printed: str) -> Finding:
    number = re.fullmatch(r"Figure (\d+|\?\?)", printed)
    if number is None:
        raise BadDocument(printed, "a reference is Figure and a number")
    return decided(
        number[1].isdigit() and int(number[1]) in FIGURES,
        f"captions of figures: {', '.join(map(str, FIGURES))}; the text refers to {printed!r}",
        right=f"Figure {FIGURES[0]}",
        slip=True,
    )


def _claim(key: str, place: str, statement: str, check: Callable[[str], Finding], printed: str = "") -> Claim:
    return Claim(f"orderings/{key}", place, Kind.SENTENCE, statement, check, printed)


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "sec-1/almost-all",
        "section 1.1, contribution",
        "For two labels almost all possible score functions have the same estimate.",
        _almost_all,
    ),
    _claim(
        "sec-1/unlabeled",
        "section 1",
        "In many applications not all data is unlabeled.",
        _unlabeled,
        "unlabeled",
    ),
    _claim(
        "sec-1-1/other-works", "abstract, section 1.1", "ATC did better than earlier methods.", _other_works
    ),
    _claim(
        "fig-1/reference",
        "section 3.2",
        "The text refers to the figure with violin plots.",
        _figure,
        "Figure ??",
    ),
    _claim(
        "sec-3-2/larger-data", "section 3.2", "TweetEval and Banking77 have many more results.", _larger_data
    ),
    *(
        _claim(
            f"{key}/magnitude",
            place,
            rf"Significant differences between scores are on the magnitude of $10^{{-1}}$ ({place}).",
            _magnitude,
            "1e-1",
        )
        for key, place in (("sec-3-2", "section 3.2"), ("sec-4", "section 4"))
    ),
    _claim(
        "sec-3-2/one-decimal",
        "section 3.2",
        "Estimates by different scores agree to within one decimal point.",
        _one_decimal,
        "0.1",
    ),
    _claim("fig-1/caption", "figure 1", "Violin and box plots of the errors on TweetEval.", _caption),
    _claim(
        "sec-4/little",
        "sections 1.1 and 4",
        "With more labels the choice of the score matters little.",
        _little,
    ),
    _claim("sec-4/binary", "section 4", "On two labels the choice does not matter.", _no_matter),
    _claim("sec-4/fastest", "section 4", "The maximum is the fastest score.", partial(_times, "the scores")),
    _claim(
        "sec-4/slowest",
        "section 4",
        "Negative entropy and Jensen-Shannon are by far the slowest.",
        partial(_times, "the scores"),
    ),
    _claim(
        "sec-4/negligible",
        "section 4",
        "Against inference the differences are negligible.",
        partial(_times, "both"),
    ),
    _claim("sec-4/outperforms", "section 4", "The experiments show ATC to be better than DoC.", shown_better),
    _claim(
        "abstract/most-appropriate",
        "abstract, section 4",
        r"The $L^\infty$ norm is the best score.",
        _most_appropriate,
    ),
)
