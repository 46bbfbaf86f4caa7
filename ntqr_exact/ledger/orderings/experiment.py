"""Maaz et al. 2023, section 3.1: the data sets, algorithm 1, and how the runs were made."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import product
from math import factorial

from gmpy2 import mpq

from ntqr_exact.confidence.atc import atc
from ntqr_exact.confidence.doc import doc
from ntqr_exact.confidence.scores import SIX
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, decided, equal, not_checkable
from ntqr_exact.ledger.orderings.definitions import binary
from ntqr_exact.ledger.orderings.printed_tables import LABELS, METHODS, RUNS, rows

INPUTS = ("k", "T", "S", "V", "model")
"""What algorithm 1 is given."""


def _labels(dataset: str, printed: str) -> Finding:
    return equal(
        printed, mpq(max(rows(dataset))), f"the last row of {dataset} is that of all its labels, whose number"
    )


def _first_labels(printed: str) -> Finding:
    """Count the labels of each printed set, and of the labels below d."""
    sets = [tuple(map(int, re.findall(r"\d+", part))) for part in printed.split("; ")]
    sizes = {
        labels: len([label for label in range(LABELS["Emotion"]) if label < len(labels)]) for labels in sets
    }
    return decided(
        all(labels == tuple(range(size)) for labels, size in sizes.items()) and len(sets) == 3,
        *(f"{{{', '.join(map(str, labels))}}} has {size} classes" for labels, size in sizes.items()),
        right="{0, 1}, {0, 1, 2}, {0, 1, 2, 3}",
        slip=True,
    )


def _append(printed: str) -> Finding:
    """Ask whether each name of the appended list is bound by an input, a loop or an assignment."""
    loops, names = (part.split() for part in printed.split("; "))
    bound = {*INPUTS, *loops, "a", "a~", "epsilon", "Results"}
    free = [name for name in names if name not in bound]
    unused = [name for name in loops if name not in names]
    return decided(
        not free,
        f"loops run over {', '.join(loops)}; appended is [{', '.join(names)}]",
        f"{', '.join(free)} is bound nowhere, and of the loops {', '.join(unused)} is not recorded"
        if free
        else "",
        right="[" + ", ".join(unused + [name for name in names if name not in free]) + "]",
        slip=True,
    )


def _resampled(_: str) -> Finding:
    """Give each method its own resamples, and compare two that order alike."""
    source, wrong, target = binary("0.6", "0.8"), (1, 0), binary("0.7")

    def estimate(places: tuple[int, ...], score: str) -> mpq:
        error = mpq(sum(wrong[place] for place in places), len(places))
        return atc([source[place] for place in places], target, error=error, score=score).estimate

    draws = list(product((0, 1), repeat=2))
    apart = [estimate(one, "max") != estimate(other, "l2") for one, other in product(draws, repeat=2)]
    differing = sum(apart)
    return by_reading(
        {
            "V* drawn for each method anew, as printed": decided(
                differing == 0,
                f"source 0.6 wrong and 0.8 right, target 0.7: max and L2 order alike, and differ in {differing} of "
                f"{len(apart)} pairs of draws, so equal results in every run would not be seen",
                right="draw V* before the loop over methods, so that all methods see the same resample",
            ),
            "one V* for all methods": decided(
                all(estimate(draw, "max") == estimate(draw, "l2") for draw in draws),
                "methods that order alike then agree in every run, as section 3.2 reports for two labels",
            ),
        }
    )


def _size(printed: str) -> Finding:
    """Multiply out runs, dimensions and methods."""
    runs, dimensions, methods, points = (
        int(word.replace(",", "")) for word in re.findall(r"[\d,]+", printed)
    )
    return all_of(
        {
            "runs": equal(mpq(runs), mpq(RUNS), "runs of algorithm 1"),
            "dimensions": equal(mpq(dimensions), mpq(len(rows("Banking77"))), "dimensions, 2 to 77,"),
            "methods": equal(mpq(methods), mpq(len(METHODS)), "methods"),
            "points": equal(mpq(points), mpq(runs * dimensions * methods), "their product"),
        }
    )


def _methods(printed: str) -> Finding:
    scores, total = map(int, printed.split())
    return decided(
        scores == len(SIX) and total == len(METHODS) == scores + 1,
        f"{len(SIX)} scores and DoC: {len(METHODS)} methods, as many as the tables have columns",
        right=f"{len(SIX)} {len(METHODS)}",
        slip=True,
    )


def _subset(_: str) -> Finding:
    """A bootstrap sample of |V| draws is a subset of |V| elements only if nothing is drawn twice."""
    n = 10
    share = mpq(factorial(n), n**n)
    return by_reading(
        {
            "|V| draws with replacement, as in algorithm 1": decided(
                share < 1, f"of |V| = {n}, a share of {fixed_text(share, 6)} of the samples repeats nothing"
            ),
            "a subset of V with |V| elements": decided(
                share == 1,
                "the only such subset is V itself: all 1000 runs would be equal, and there would be no interval",
                right="a sample of |V| draws from V with replacement",
            ),
        }
    )


def _difference_of_confidence(_: str) -> Finding:
    """Compare the distance of DoC with the two means of max p, on an example."""
    source, target = binary("0.9", "0.7"), binary("0.6")
    found = doc(source, target, accuracy="9/10")
    mean = [sum((max(vector) for vector in vectors), mpq(0)) / len(vectors) for vectors in (source, target)]
    return decided(
        found.difference == mean[0] - mean[1],
        f"source 0.9, 0.7, target 0.6: the difference of means is {found.difference}; the plain estimate from "
        f"accuracy 9/10 is {found.estimate}",
    )


def _settings(printed: str) -> Finding:
    """Nothing that is printed depends on the settings in a way that can be recomputed."""
    numbers = re.findall(r"[\d.e-]*\d", printed)
    if len(numbers) != 4:
        raise BadDocument(printed, "rate, batch, epochs and decay")
    return not_checkable(
        "the trained models",
        f"rate {numbers[0]}, batch {numbers[1]}, epochs {numbers[2]}, decay {numbers[3]}",
    )


def _split(printed: str) -> Finding:
    return not_checkable(
        "the splits, whose sizes are not printed", f"a validation set of {printed} of the training set"
    )


def _bootstrap_helps(_: str) -> Finding:
    """Average the estimate over all resamples of a source of two points, and compare with the plain estimate."""
    source, wrong = binary("0.6", "0.8"), (1, 0)
    truth = mpq(sum(wrong), len(wrong))
    plain = atc(source, source, error=truth).estimate
    draws = list(product((0, 1), repeat=2))
    mean = sum(
        (
            atc([source[i] for i in draw], source, error=mpq(sum(wrong[i] for i in draw), 2)).estimate
            for draw in draws
        ),
        mpq(0),
    ) / len(draws)
    return by_reading(
        {
            "for every data set": decided(
                abs(mean - truth) <= abs(plain - truth),
                f"source and target 0.6 (wrong) and 0.8 (right): true error {truth}, plain estimate {plain}, mean "
                f"over all resamples {mean}",
                right="the mean over resamples may be farther from the truth than the plain estimate",
            ),
            "for the data sets of the paper": not_checkable("the estimates without resampling"),
        }
    )


def _claim(
    key: str, where: tuple[str, Kind], statement: str, check: Callable[[str], Finding], printed: str = ""
) -> Claim:
    return Claim(f"orderings/{key}", *where, statement, check, printed)


CLAIMS: tuple[Claim, ...] = (
    *(
        _claim(
            f"sec-3-1/labels-{dataset.lower()}",
            ("section 3.1", Kind.COUNT),
            f"{dataset} has {labels} labels.",
            partial(_labels, dataset),
            str(labels),
        )
        for dataset, labels in LABELS.items()
    ),
    _claim(
        "sec-3-1/splits",
        ("section 3.1", Kind.SENTENCE),
        "Where there was no validation set, 20 % of the training set was set aside.",
        _split,
        "20 %",
    ),
    _claim(
        "sec-3-1/settings",
        ("section 3.1", Kind.SENTENCE),
        "The models were trained with rate 2e-5, batch size 256, 5 epochs and weight decay 0.01.",
        _settings,
        "2e-5; 256; 5; 0.01",
    ),
    _claim(
        "alg-1/append",
        ("algorithm 1", Kind.DEFINITION),
        r"Each run appends $[i, m, n, \epsilon]$ to the results; the loops run over d, m and n.",
        _append,
        "d m n; i m n epsilon",
    ),
    _claim(
        "alg-1/resample",
        ("algorithm 1", Kind.DEFINITION),
        r"Inside the loops over methods and runs $V^*$ is drawn from V.",
        _resampled,
    ),
    _claim(
        "alg-1/labels",
        ("algorithm 1 and section 3.1", Kind.DEFINITION),
        "The labels below d make a problem of d classes: {0, 1}, {0, 1, 2}, {0, 1, 2, 3} of two, three, four.",
        _first_labels,
        "0, 1; 0, 1, 2; 0, 1, 2, 3",
    ),
    _claim(
        "alg-1/methods",
        ("algorithm 1 and section 3.1", Kind.COUNT),
        "Six scores and the baseline DoC are seven methods.",
        _methods,
        "6 7",
    ),
    _claim(
        "alg-1/size",
        ("section 3.2", Kind.COUNT),
        r"For Banking77 there are $1000\times76\times7=532{,}000$ data points.",
        _size,
        "1000 × 76 × 7 = 532,000",
    ),
    _claim(
        "sec-3-1/doc",
        ("section 3.1", Kind.DEFINITION),
        "DoC takes the difference of the means of maximum confidence as a distance.",
        _difference_of_confidence,
    ),
    _claim(
        "sec-3-1/subset",
        ("section 3.1", Kind.SENTENCE),
        "For each run a subset of the validation set is taken by bootstrap sampling.",
        _subset,
    ),
    _claim(
        "sec-4/bootstrap",
        ("section 4", Kind.SENTENCE),
        "Resampling the validation set and taking a mean decreases the random error of the method.",
        _bootstrap_helps,
    ),
)
