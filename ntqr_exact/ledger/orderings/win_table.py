"""Table 2: how often each method has the least mean error, recounted from the printed means.

A recount sees means that are rounded to two places. Where printed means tie, the means before rounding may not;
so each cell has two readings, and lies between the wins that are sure and those that are possible. Table 1 settles
it for Emotion, as its bold cells say which means are the lowest.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import combinations

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, decided
from ntqr_exact.ledger.orderings.printed_tables import (
    DATASETS,
    LABELS,
    METHODS,
    means,
    printed_wins,
    rows,
)
from ntqr_exact.ledger.orderings_analysis.trial_analysis import count_wins, winners

TWINS = frozenset({"ATC-L2", "ATC-L2n"})


@cache
def least(dataset: str) -> dict[int, tuple[str, ...]]:
    """Return the methods of least printed mean in each dimension, without that of two labels."""
    return {d: methods for d, methods in winners(means(dataset)).items() if d != 2}


def sure_and_possible(dataset: str, method: str) -> tuple[int, int]:
    """Return in how many dimensions a method wins alone, and in how many it wins or ties, by printed means.

    >>> sure_and_possible("Banking77", "ATC-L2")
    (2, 10)
    """
    own = [methods for methods in least(dataset).values() if method in methods]
    return sum(methods == (method,) for methods in own), len(own)


def bold_wins(dataset: str, method: str) -> int:
    """Return how many cells of a method are bold, without that of two labels."""
    return sum(row.cells[method].bold for d, row in rows(dataset).items() if d != 2)


def _cell(dataset: str, method: str, printed: str) -> Finding:
    count = whole_number(printed)
    recount = count_wins(means(dataset))[method]
    where = [str(d) for d, methods in least(dataset).items() if method in methods]
    tied = [str(d) for d in where if len(least(dataset)[int(d)]) > 1]
    shown = f" (k = {', '.join(where)})" if 0 < len(where) <= 12 else ""
    by_means = decided(
        count == recount,
        f"{method} has the least printed mean in {recount} dimensions{shown}, and shares it in {len(tied)}",
        right=str(recount),
        slip=True,
    )
    if count == recount:
        return by_means
    if dataset == "Emotion":
        bold = bold_wins(dataset, method)
        by_bold = decided(
            count == bold,
            f"table 1 sets {bold} of its means in bold as the lowest, and a tie is a win for all that tie",
            right=str(bold),
            slip=True,
            arose="of the four that tie at k = 5 only the first was counted" if tied == ["5"] else "",
        )
        return all_of({"least means": by_means, "bold": by_bold})
    sure, possible = sure_and_possible(dataset, method)
    before = decided(
        sure <= count <= possible,
        f"{sure} wins alone, {possible} with ties: printed {count} fits, if not all printed ties were ties",
        right=f"{sure} to {possible}",
        slip=True,
    )
    readings = {"by the printed means, ties as wins": by_means, "by the means before rounding": before}
    if method in TWINS:
        readings["as theorem 2 says, ATC-L2 and ATC-L2n tie everywhere"] = _as_twins(dataset, method, count)
    return by_reading(readings)


def _as_twins(dataset: str, method: str, count: int) -> Finding:
    """Count what both must have if they are one method: the wins of either alone or both."""
    (other,) = TWINS - {method}
    printed = whole_number(printed_wins(dataset)[other])
    alone = sum(set(methods) <= TWINS for methods in least(dataset).values())
    together = sum(bool(TWINS & set(methods)) for methods in least(dataset).values())
    return decided(
        alone <= count <= together and count == printed,
        f"equal methods have equal counts, between {alone} and {together}; printed are {count} and {printed}",
        right=f"one number for both, {alone} to {together}",
        slip=True,
    )


def _total(dataset: str, printed: str) -> Finding:
    total = LABELS[dataset] - 2
    return decided(
        whole_number(printed) == total == len(least(dataset)),
        f"k = 3 to {LABELS[dataset]}: {total} dimensions",
        right=str(total),
        slip=True,
    )


def _column(dataset: str, printed: str) -> Finding:
    """Ask whether some choice of winners among printed ties gives all counts of a column at once."""
    wanted = tuple(whole_number(word) for word in printed.split())
    if len(wanted) != len(METHODS):
        raise BadDocument(printed, "a column has seven counts")
    reachable = {(0,) * len(METHODS)}
    for methods in least(dataset).values():
        parts = [part for size in range(1, len(methods) + 1) for part in combinations(methods, size)]
        reachable = {
            tuple(count + (method in part) for count, method in zip(counts, METHODS, strict=True))
            for counts in reachable
            for part in parts
        }
    recount = count_wins(means(dataset))
    ours = tuple(recount[method] for method in METHODS)
    return by_reading(
        {
            "by the printed means": decided(
                wanted == ours,
                f"recounted: {' '.join(map(str, ours))}",
                right=" ".join(map(str, ours)),
                slip=True,
            ),
            "by some means before rounding": decided(
                wanted in reachable,
                f"{' '.join(map(str, wanted))} is {'one' if wanted in reachable else 'none'} of {len(reachable)} "
                "columns that the ties allow",
                right=" ".join(map(str, ours)),
                slip=True,
            ),
        }
    )


def _sums(printed: str) -> Finding:
    """Compare the sum of each column with its total: ties only make it larger."""
    words = dict(zip(DATASETS, map(whole_number, printed.split()), strict=True))
    parts = {}
    for dataset, total in words.items():
        counts = [whole_number(text) for name, text in printed_wins(dataset).items() if name != "Total"]
        ties = sum(len(methods) - 1 for methods in least(dataset).values())
        parts[dataset] = decided(
            sum(counts) >= total == LABELS[dataset] - 2,
            f"{dataset}: the counts sum to {sum(counts)} for {total} dimensions; printed means have {ties} ties more",
            slip=True,
            right=str(LABELS[dataset] - 2),
        )
    return all_of(parts)


def _key(method: str) -> str:
    return method.removeprefix("ATC-").lower()


CLAIMS: tuple[Claim, ...] = (
    *(
        Claim(
            f"orderings/table-2/{dataset.lower()}/{_key(method)}",
            f"table 2, {dataset}, {method}",
            Kind.COUNT,
            f"On {dataset}, {method} wins {printed_wins(dataset)[method]} dimensions, by the least mean error.",
            partial(_cell, dataset, method),
            printed_wins(dataset)[method],
        )
        for dataset in DATASETS
        for method in METHODS
    ),
    *(
        Claim(
            f"orderings/table-2/{dataset.lower()}/total",
            f"table 2, {dataset}, total",
            Kind.COUNT,
            f"On {dataset} {printed_wins(dataset)['Total']} dimensions were compared, without that of two labels.",
            partial(_total, dataset),
            printed_wins(dataset)["Total"],
        )
        for dataset in DATASETS
    ),
    *(
        Claim(
            f"orderings/table-2/{dataset.lower()}/column",
            f"table 2, {dataset}",
            Kind.DECISION,
            f"The seven counts of {dataset} can all be right together.",
            partial(_column, dataset),
            " ".join(printed_wins(dataset)[method] for method in METHODS),
        )
        for dataset in DATASETS
    ),
    Claim(
        "orderings/table-2/ties",
        "table 2, caption",
        Kind.SENTENCE,
        "Because of ties the counts of a column need not sum to the total.",
        _sums,
        "4 18 75",
    ),
)
