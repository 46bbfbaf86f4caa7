"""Maaz et al. 2023, section 3: the data sets, algorithm 1, and what is said of the tables, held against them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from gmpy2 import mpq

from ntqr_exact.confidence.atc import atc
from ntqr_exact.confidence.atc_values import TieRule
from ntqr_exact.confidence.doc import doc
from ntqr_exact.confidence.scores import SIX
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.ledger.judgement import (
    Finding,
    all_of,
    as_printed,
    by_reading,
    counterexample,
    decided,
    equal,
    possible,
)
from ntqr_exact.ledger.orderings.method import binary
from ntqr_exact.ledger.orderings.results import (
    ATC,
    LABELS,
    METHODS,
    RUNS,
    TABLES,
    Dataset,
    overall,
    rows,
    winners,
    wins,
)

_INPUTS = ("k", "T", "S", "V", "model", "a", "a~", "epsilon", "Results")
"""What algorithm 1 is given or assigns outside its loops."""


def labels(printed: mpq, *, dataset: Dataset) -> Finding:
    """Compare the number of labels with the last row of the table."""
    return equal(printed, mpq(max(rows(dataset))), f"the number of labels in the last row of {dataset}")


def first_labels(printed: tuple[tuple[int, ...], ...]) -> Finding:
    """Compare the printed sets with the labels below d = 2, 3, 4."""
    wanted = tuple(tuple(label for label in range(LABELS["Emotion"]) if label < d) for d in (2, 3, 4))
    return as_printed(
        printed == wanted,
        "; ".join(f"{{{', '.join(map(str, each))}}} has {len(each)} classes" for each in wanted),
    )


def append(printed: Mapping[str, tuple[str, ...]]) -> Finding:
    """Ask whether each name of the appended list is bound by an input, a loop or an assignment."""
    loops, names = printed["loops"], printed["appended"]
    free = [name for name in names if name not in (*_INPUTS, *loops)]
    unused = [name for name in loops if name not in names]
    return as_printed(
        not free and not unused,
        f"loops run over {', '.join(loops)}; appended is [{', '.join(names)}]",
        f"{', '.join(free)} is bound nowhere, and of the loops {', '.join(unused)} is not recorded"
        if free
        else "",
    )


def resample() -> Finding:
    """Give each method its own resamples, and compare two that order alike."""
    source, wrong, target = binary("0.6", "0.8"), (1, 0), binary("0.7")

    def estimate(places: tuple[int, ...], score: str) -> mpq:
        error = mpq(sum(wrong[place] for place in places), len(places))
        return atc([source[place] for place in places], target, error=error, score=score).estimate

    draws = list(product((0, 1), repeat=2))
    differing = [estimate(one, "max") != estimate(other, "l2") for one, other in product(draws, repeat=2)]
    return by_reading(
        {
            "V* drawn for each method anew, as printed": decided(
                not any(differing),
                f"source 0.6 wrong and 0.8 right, target 0.7: max and L2 order alike and differ in {sum(differing)} of "
                f"{len(differing)} pairs of draws, so equal results in every run would not be seen",
                right="draw V* before the loop over methods, so that all methods see the same resample",
            ),
            "one V* for all methods": decided(
                all(estimate(draw, "max") == estimate(draw, "l2") for draw in draws),
                "methods that order alike then agree in every run, as section 3.2 reports for two labels",
            ),
        }
    )


def size(printed: Mapping[str, int]) -> Finding:
    """Multiply out runs, dimensions and methods."""
    known = {"runs": RUNS, "dimensions": len(rows("Banking77")), "methods": len(METHODS)}
    parts = {name: equal(mpq(printed[name]), mpq(value), name) for name, value in known.items()}
    product_ = printed["runs"] * printed["dimensions"] * printed["methods"]
    return all_of({**parts, "points": equal(mpq(printed["points"]), mpq(product_), "their product")})


def methods(printed: Mapping[str, int]) -> Finding:
    """Compare the number of scores, and of all methods, with the columns of the tables."""
    return as_printed(
        printed["scores"] == len(SIX) and printed["methods"] == len(METHODS) == len(SIX) + 1,
        f"{len(SIX)} scores and DoC: {len(METHODS)} methods, as many as the tables have columns",
    )


def difference_of_confidence() -> Finding:
    """Compare the distance of DoC with the two means of max p, on an example."""
    source, target = binary("0.9", "0.7"), binary("0.6")
    found = doc(source, target, accuracy="9/10")
    mean = [sum((max(vector) for vector in vectors), mpq(0)) / len(vectors) for vectors in (source, target)]
    return decided(
        found.difference == mean[0] - mean[1],
        f"source 0.9, 0.7, target 0.6: the difference of means is {found.difference}; the plain estimate from "
        f"accuracy 9/10 is {found.estimate}",
    )


def larger_data() -> Finding:
    """Multiply out the results of each data set."""
    sizes = {dataset: RUNS * (number - 1) * len(METHODS) for dataset, number in LABELS.items()}
    return decided(
        min(sizes["TweetEval"], sizes["Banking77"]) > 2 * sizes["Emotion"],
        ", ".join(f"{name} {number}" for name, number in sizes.items()),
    )


def no_matter() -> Finding:
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
    return possible(equal)


def js_best(printed: Mapping[str, tuple[int, ...]]) -> Finding:
    """Compare where ATC-JS is said to win and to lose with the least means of table 1."""
    won_at = tuple(k for k, methods in winners("Emotion").items() if methods == ("ATC-JS",))
    lost_at = tuple(k for k, methods in winners("Emotion").items() if "ATC-JS" not in methods)
    return as_printed(
        (printed["best"], printed["beaten"]) == (won_at, lost_at),
        f"it has the least mean alone for k = {', '.join(map(str, won_at))}, and is beaten for k = "
        f"{', '.join(map(str, lost_at))}",
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
    return decided(good, *lines)


def plurality(printed: int, *, dataset: Dataset) -> Finding:
    """Compare the wins of ATC-Max with those of all others, and with the number printed in table 2."""
    counts = wins(dataset)
    others = max(number for method, number in counts.items() if method != "ATC-Max")
    return as_printed(
        printed == counts["ATC-Max"] > others,
        f"ATC-Max wins {counts['ATC-Max']} of {len(winners(dataset))} dimensions, any other method at most {others}",
    )


def doc_once(printed: Dataset) -> Finding:
    """Find the data sets in which DoC alone has the least mean somewhere."""
    found = [name for name in TABLES if ("DoC",) in winners(name).values()]
    where = [str(k) for name in found for k, methods in winners(name).items() if methods == ("DoC",)]
    return as_printed(found == [printed], f"{', '.join(found)}, for k = {', '.join(where)}")


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
    )
