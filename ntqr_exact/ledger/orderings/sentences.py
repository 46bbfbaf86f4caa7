"""Maaz et al. 2023: what abstract, introduction, results and conclusion say, held against the printed tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided, not_checkable
from ntqr_exact.ledger.orderings.printed_tables import (
    ATC,
    DATASETS,
    means,
    overall,
    printed_wins,
    rows,
)
from ntqr_exact.ledger.orderings.result_tables import six_equal
from ntqr_exact.ledger.orderings_analysis.trial_analysis import count_wins, winners


def _beaten(dataset: str) -> list[tuple[int, str]]:
    """Return the cells of ATC whose mean is above that of DoC."""
    table = means(dataset)
    return [(d, m) for d, m in table if m != "DoC" and table[d, "DoC"] < table[d, m]]


def _worst_and_doc(dataset: str) -> tuple[mpq, mpq]:
    """Return the largest mean error of a score over all dimensions, and that of DoC."""
    mean = overall(dataset)
    return max(mean[method] for method in ATC), mean["DoC"]


def in_the_mean() -> str:
    """Return how the worst score and DoC compare over all dimensions."""
    parts = [f"{name} {' and '.join(fixed_text(x, 2) for x in _worst_and_doc(name))}" for name in DATASETS]
    return f"means over all dimensions of the worst score and of DoC: {', '.join(parts)}"


def shown_better(printed: str) -> Finding:
    """Hold ATC against DoC over all dimensions, and in each."""
    return by_reading(
        {
            "in the mean over all dimensions": decided(
                all(score < baseline for score, baseline in map(_worst_and_doc, DATASETS)), in_the_mean()
            ),
            "in each dimension": outperforms(printed),
        }
    )


def outperforms(_: str) -> Finding:
    """Find the cells in which DoC has the smaller mean error."""
    worse = {dataset: _beaten(dataset) for dataset in DATASETS}
    failing = worse["Banking77"]
    d, m = failing[0] if failing else (0, "")
    cells = len(ATC) * len(rows("Banking77"))
    pair = (m, "DoC") if failing else ()
    example = ", ".join(f"{name} {fixed_text(means('Banking77')[d, name], 2)}" for name in pair)
    return decided(
        not any(worse.values()),
        f"Banking77: DoC is better than a score in {len(failing)} of {cells} cells, in {len({d for d, _ in failing})} "
        f"of {len(rows('Banking77'))} dimensions; first for k = {d}, {example}",
        f"Emotion and TweetEval: in {len(worse['Emotion'])} and {len(worse['TweetEval'])} cells",
        in_the_mean(),
        right="on Emotion and TweetEval every score beats DoC in every dimension; on Banking77 "
        f"{len({m for _, m in failing})} of the {len(ATC)} scores are beaten by it somewhere",
    )


def _every_run(_: str) -> Finding:
    return by_reading(
        {
            "as far as the tables show": decided(
                all(six_equal(dataset) for dataset in DATASETS),
                "in tables 1, 3 and 4 the six cells of two labels are equal, intervals included",
            ),
            "run by run": not_checkable(
                "the single runs; algorithm 1 as printed draws anew for each method, and eq. 2 has no rule for ties"
            ),
        }
    )


def _js_best(printed: str) -> Finding:
    """Compare where ATC-JS is said to win and to lose with the least means of table 1."""
    best, beaten = ({int(word) for word in part.split()} for part in printed.split(";"))
    least = winners(means("Emotion"))
    wins = {d for d, methods in least.items() if methods == ("ATC-JS",)}
    losses = {d for d, methods in least.items() if "ATC-JS" not in methods}
    return decided(
        best == wins and beaten == losses,
        f"alone at the least mean for k = {', '.join(map(str, sorted(wins)))}; beaten for k = "
        f"{', '.join(map(str, sorted(losses)))}, by {', '.join(least[min(losses)])}",
        f"printed: best for {', '.join(map(str, sorted(best)))}, beaten for {', '.join(map(str, sorted(beaten)))}",
        right=f"best for {', '.join(map(str, sorted(wins)))}, beaten for {', '.join(map(str, sorted(losses)))}",
        slip=True,
        arose="one dimension is named as won and as lost" if best & beaten else "",
    )


def _js_most(_: str) -> Finding:
    wins, total = count_wins(means("Emotion"))["ATC-JS"], len(rows("Emotion")) - 1
    return decided(2 * wins > total, f"ATC-JS wins {wins} of {total} dimensions, without that of two labels")


def _js_poor(_: str) -> Finding:
    parts = {}
    for dataset in ("TweetEval", "Banking77"):
        wins = count_wins(means(dataset))
        mean = overall(dataset)
        worst = max(ATC, key=lambda method: mean[method])
        parts[f"few wins on {dataset}"] = decided(
            wins["ATC-JS"] == min(wins[method] for method in ATC),
            f"{wins['ATC-JS']} of {len(rows(dataset)) - 1} dimensions, as few as any score",
        )
        parts[f"largest error over all dimensions on {dataset}"] = decided(
            worst == "ATC-JS",
            f"the largest is that of {worst}, {fixed_text(mean[worst], 4)}; ATC-JS has {fixed_text(mean['ATC-JS'], 4)}",
            right=f"{worst} has the largest",
        )
    return by_reading(parts)


def _plurality(dataset: str, printed: str) -> Finding:
    wins = count_wins(means(dataset))
    total = len(rows(dataset)) - 1
    own, most = wins["ATC-Max"], max(wins.values())
    share = f"{own} of {total} dimensions, {fixed_text(mpq(100 * own, total), 1)} %"
    named = int(printed)
    first = decided(named == own == most, f"ATC-Max wins {share}, the most", right=str(own), slip=True)
    if 2 * own <= total:
        return first
    return by_reading(
        {
            "the most of all": first,
            "the most, but not more than half": decided(
                2 * own <= total,
                f"{share}: more than half",
                right="a majority of the dimensions of Banking77",
            ),
        }
    )


def _larger(_: str) -> Finding:
    shares = {
        dataset: mpq(count_wins(means(dataset))["ATC-Max"], len(rows(dataset)) - 1)
        for dataset in ("TweetEval", "Banking77")
    }
    return decided(
        shares["Banking77"] > shares["TweetEval"],
        ", ".join(f"{name}: {share}" for name, share in shares.items()),
    )


def _doc_once(printed: str) -> Finding:
    """Find the data sets in which DoC alone has the least mean somewhere."""
    found = [name for name in DATASETS if ("DoC",) in winners(means(name)).values()]
    where = [str(d) for d, methods in winners(means("Banking77")).items() if methods == ("DoC",)]
    return decided(
        found == [printed], f"Banking77, for k = {', '.join(where)}; nowhere else", right=", ".join(found)
    )


def _much_higher(printed: str) -> Finding:
    """Compare each cell of the two smaller tables with that of Banking77."""
    times = rational(printed)
    banking = means("Banking77")
    ratios = {
        (dataset, *cell): banking[cell] / mean
        for dataset in ("Emotion", "TweetEval")
        for cell, mean in means(dataset).items()
    }
    least = min(ratios, key=lambda cell: ratios[cell])
    return decided(
        ratios[least] > times,
        f"all {len(ratios)} common cells are more than {times} times as high; least {fixed_text(ratios[least], 2)} "
        f"times, {least[0]}, k = {least[1]}, {least[2]}",
    )


def _apart(dataset: str) -> list[tuple[mpq, int, str]]:
    """Return how far ATC-L2 and ATC-L2n are apart, wherever they are, the farthest first."""
    found = []
    for d, row in rows(dataset).items():
        one, other = row.cells["ATC-L2"], row.cells["ATC-L2n"]
        parts = (
            (one.mean, other.mean, "mean"),
            (one.low, other.low, "lower end"),
            (one.high, other.high, "upper end"),
        )
        found += [(abs(a - b), d, place) for a, b, place in parts if a != b]
    return sorted(found, key=lambda part: (-part[0], part[1]))


def _always_tied(_: str) -> Finding:
    apart = _apart("TweetEval")
    return decided(not apart, f"all {3 * len(rows('TweetEval'))} numbers of both columns are equal")


def _within(printed: str) -> Finding:
    """Hold the printed differences against the bound, with half a step of rounding on either side."""
    bound = rational(printed)
    apart = _apart("Banking77")
    beyond = [part for part in apart if part[0] - mpq(1, 100) > bound]
    in_means = [d for _, d, place in apart if place == "mean"]
    far = ", ".join(f"{fixed_text(size, 2)} in the {place} for k = {d}" for size, d, place in beyond[:4])
    return decided(
        not beyond,
        f"bound {bound}: apart by {far}",
        f"printed means differ by 0.01 for {len(in_means)} of {len(rows('Banking77'))} dimensions",
        right=f"equal, by theorem 2; as printed, up to {fixed_text(apart[0][0], 2)} apart in the {apart[0][2]}",
    )


def _equal_twins(_: str) -> Finding:
    differing = {dataset: sorted({d for _, d, _ in _apart(dataset)}) for dataset in DATASETS}
    total = sum(map(len, differing.values()))
    first = next((f"{name}, k = {where[0]}" for name, where in differing.items() if where), "")
    return decided(
        total == 0,
        "rows in which the two columns differ: "
        + ", ".join(f"{name} {len(where)} of {len(rows(name))}" for name, where in differing.items()),
        f"first {first}",
        right="equal in every row, by theorem 2",
    )


def _proportion(_: str) -> Finding:
    """Table 2 prints counts, and the text announces proportions; the totals make one of the other."""
    wins = printed_wins("TweetEval")
    share = mpq(int(wins["ATC-Max"]), int(wins["Total"]))
    return decided(
        0 < share < 1,
        f"table 2 prints numbers; with its totals they are shares: ATC-Max on TweetEval {share}",
    )


def _claim(key: str, place: str, statement: str, check: Callable[[str], Finding], printed: str = "") -> Claim:
    return Claim(f"orderings/{key}", place, Kind.SENTENCE, statement, check, printed)


CLAIMS: tuple[Claim, ...] = (
    _claim("sec-3-2/outperforms", "section 3.2", "ATC beats DoC whatever the score.", outperforms),
    _claim(
        "sec-3-2/every-run",
        "section 3.2",
        "On two labels all scores had the same result in every run.",
        _every_run,
    ),
    _claim(
        "sec-3-2/js-best",
        "section 3.2",
        "On Emotion ATC-JS wins the dimensions 3, 4 and 6, and loses dimension 4.",
        _js_best,
        "3 4 6; 4",
    ),
    _claim("sec-3-2/js-most", "section 3.2", "On Emotion ATC-JS wins in most dimensions.", _js_most),
    _claim(
        "sec-3-2/proportion", "section 3.2", "The proportion of dimensions won was computed.", _proportion
    ),
    _claim("sec-3-2/js-poor", "section 3.2", "ATC-JS performs poorly on TweetEval and Banking77.", _js_poor),
    _claim(
        "sec-3-2/plurality-tweeteval",
        "section 3.2",
        "On TweetEval no method wins more dimensions than ATC-Max with its plurality of 7.",
        partial(_plurality, "TweetEval"),
        "7",
    ),
    _claim(
        "sec-3-2/plurality-banking77",
        "section 3.2",
        "On Banking77 no method wins more dimensions than ATC-Max with its plurality of 39.",
        partial(_plurality, "Banking77"),
        "39",
    ),
    _claim(
        "sec-3-2/larger-plurality",
        "section 3.2",
        "Its share is larger on Banking77 than on TweetEval.",
        _larger,
    ),
    _claim(
        "sec-3-2/doc-once",
        "section 3.2",
        "DoC beats all ATC methods somewhere on Banking77, and on no other data set.",
        _doc_once,
        "Banking77",
    ),
    _claim(
        "sec-3-2/banking-higher",
        "section 3.2",
        "Errors on Banking77 are much higher, here taken as 2 times, than on the others for the same cell.",
        _much_higher,
        "2",
    ),
    _claim("sec-3-2/l2-equal", "section 3.2", "ATC-L2 and ATC-L2n have equal estimates.", _equal_twins),
    _claim("sec-3-2/l2-tied", "section 3.2", "On TweetEval ATC-L2 always ties with ATC-L2n.", _always_tied),
    _claim(
        "sec-3-2/l2-within",
        "section 3.2",
        r"On Banking77 ATC-L2 and ATC-L2n are within $10^{-6}$ of each other.",
        _within,
        "1e-6",
    ),
)
