"""Maaz et al. 2023, section 3.2 and after: what is said of the tables, held against them."""

from __future__ import annotations

from collections.abc import Mapping

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.ledger.judgement import Finding, decided, possible
from ntqr_exact.ledger.orderings.results import Dataset
from ntqr_exact.ledger.orderings.tables import ATC, TABLES, overall, rows, winners, wins


def beaten(dataset: str) -> list[tuple[int, str]]:
    """Return the cells of ATC whose mean is above that of DoC."""
    return [(k, m) for k, cells in rows(dataset).items() for m in ATC if cells["DoC"].mean < cells[m].mean]


def outperforms(*, dataset: Dataset) -> Finding:
    """Look for cells in which DoC has the smaller mean error."""
    found = beaten(dataset)
    return decided(
        not found,
        f"{dataset}: DoC is better than a score in {len(found)} of {len(ATC) * len(rows(dataset))} cells",
        f"on Banking77, of which the text says so itself, in {len(beaten('Banking77'))} cells of "
        f"{len({k for k, _ in beaten('Banking77')})} dimensions",
        right=f"not in {len(found)} cells",
    )


def better_on_average() -> Finding:
    """Compare the worst score with DoC, over all dimensions of each data set."""
    worst = {name: (max(overall(name)[m] for m in ATC), overall(name)["DoC"]) for name in TABLES}
    return decided(
        all(score < baseline for score, baseline in worst.values()),
        "means over all dimensions of the worst score and of DoC: "
        + ", ".join(f"{name} {' and '.join(fixed_text(x, 2) for x in pair)}" for name, pair in worst.items()),
        f"in single dimensions of Banking77 DoC is the better one in {len(beaten('Banking77'))} of 456 cells",
    )


def every_run() -> Finding:
    """Ask whether the six cells of two labels are equal in all tables; single runs are not printed."""
    equal = all(len({rows(name)[2][m].text() for m in ATC}) == 1 for name in TABLES)
    return possible(
        equal,
        "in tables 1, 3 and 4 the six cells of two labels are equal, intervals included; single runs are not printed",
        right="six equal cells",
    )


def js_best(printed: Mapping[str, tuple[int, ...]]) -> Finding:
    """Compare where ATC-JS is said to win and to lose with the least means of table 1."""
    won_at = tuple(k for k, methods in winners("Emotion").items() if methods == ("ATC-JS",))
    lost_at = tuple(k for k, methods in winners("Emotion").items() if "ATC-JS" not in methods)
    return decided(
        (printed["best"], printed["beaten"]) == (won_at, lost_at),
        f"it has the least mean alone for k = {', '.join(map(str, won_at))}, and is beaten for k = "
        f"{', '.join(map(str, lost_at))}",
        right=f"best for {', '.join(map(str, won_at))}, beaten for {', '.join(map(str, lost_at))}",
        slip=True,
        arose="one dimension is named as won and as lost"
        if set(printed["best"]) & set(printed["beaten"])
        else "",
    )


def share_won(*, dataset: Dataset, method: str, least: mpq, most: mpq) -> Finding:
    """Compare the share of dimensions that a method wins with bounds."""
    number, of = wins(dataset)[method], len(winners(dataset))
    share = mpq(number, of)
    return decided(
        least < share <= most,
        f"{method} wins {number} of {of} dimensions of {dataset}, {fixed_text(100 * share, 1)} %",
        right=f"{number} of {of}",
    )


def few_wins(*, method: str) -> Finding:
    """Ask whether no score wins fewer dimensions, on the two larger data sets."""
    lines, good = [], True
    for dataset in ("TweetEval", "Banking77"):
        counts = wins(dataset)
        good = good and counts[method] == min(counts[m] for m in ATC)
        lines.append(
            f"{dataset}: {counts[method]} of {len(winners(dataset))} dimensions; no score wins fewer"
        )
    return decided(good, *lines, right="another score wins fewer")


def plurality(printed: int, *, dataset: Dataset) -> Finding:
    """Compare the wins of ATC-Max with those of all others, and with the number printed in table 2."""
    counts = wins(dataset)
    others = max(number for method, number in counts.items() if method != "ATC-Max")
    return decided(
        printed == counts["ATC-Max"] > others,
        f"ATC-Max wins {counts['ATC-Max']} of {len(winners(dataset))} dimensions, any other method at most {others}",
        right=str(counts["ATC-Max"]),
        slip=True,
    )


def doc_once(printed: Dataset) -> Finding:
    """Find the data sets in which DoC alone has the least mean somewhere."""
    found = [name for name in TABLES if ("DoC",) in winners(name).values()]
    where = [str(k) for name in found for k, methods in winners(name).items() if methods == ("DoC",)]
    return decided(
        found == [printed],
        f"{', '.join(found)}, for k = {', '.join(where)}",
        right=", ".join(found),
        slip=True,
    )


def much_higher(printed: mpq) -> Finding:
    """Compare each cell of the two smaller tables with that of Banking77."""
    banking = rows("Banking77")
    ratios = {
        (name, k, m): banking[k][m].mean / cell.mean
        for name in ("Emotion", "TweetEval")
        for k, cells in rows(name).items()
        for m, cell in cells.items()
    }
    least = min(ratios, key=lambda key: ratios[key])
    return decided(
        ratios[least] > printed,
        f"of {len(ratios)} common cells the least ratio is {fixed_text(ratios[least], 2)}: {least[0]}, k = {least[1]}, "
        f"{least[2]}",
        right=f"{fixed_text(ratios[least], 2)} times",
    )
