"""How the cost of each operation grows: three sizes, the fitted exponent, and the formula at the same sizes."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice, product
from math import comb, log
from pathlib import Path

import numpy as np

from benchmarks.evaluators import good_judges
from benchmarks.measure import Growth, measure_growth
from benchmarks.varieties import COUNTS, PATTERNS
from ntqr_exact import VoteCounts, read_votes
from ntqr_exact.alarms.safe_region import SafeRegion
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.census import take_census
from ntqr_exact.columns.inputs import float_scores
from ntqr_exact.confidence.atc import atc
from ntqr_exact.confidence.ordering import smallest_inversion
from ntqr_exact.confidence.probability_vector import vectors_from_floats
from ntqr_exact.evaluators.independent.commuting_matrices import solve_general
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.metrics.areas import roc_auc
from ntqr_exact.metrics.exact_bootstrap import exact_bootstrap
from ntqr_exact.varieties.consistent import ConsistentSet


def growths() -> Iterator[Growth]:
    with tempfile.TemporaryDirectory() as folder:
        yield _counting(Path(folder))
    yield from _solving()
    yield from _sets()
    yield from _metrics()


def _counting(folder: Path) -> Growth:
    def prepare(size: int) -> Callable[[], object]:
        path = folder / f"{size}.csv"
        with open(path, "w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            writer.writerow("ABC")
            writer.writerows(
                ("a" if n % 3 else "b", "a" if n % 5 else "b", "a" if n % 2 else "b") for n in range(size)
            )
        return lambda: read_votes(path)

    return measure_growth(
        "count votes (CSV)",
        "n",
        "n rows; memory of the patterns seen",
        sizes=(50_000, 200_000, 800_000),
        prepare=prepare,
        predicted=float,
        one_machine="10⁹ rows in minutes; any number, since rows are streamed",
        cluster="Parquet of any size in the user's engine (polars, DuckDB, dask, PySpark)",
        not_at_all="",
    )


def _two_norm_times(size: int) -> VoteCounts:
    return VoteCounts(dict(zip(PATTERNS, (count * size // 1000 for count in COUNTS), strict=True)))


def _solving() -> Iterator[Growth]:
    def one(size: int) -> Callable[[], object]:
        votes = _two_norm_times(size)
        return lambda: solve_independent(votes)

    yield measure_growth(
        "independent trio, R = 2",
        "Q",
        "a fixed number of operations on integers of 6·log Q bits",
        sizes=(1_000, 1_000_000, 1_000_000_000),
        prepare=one,
        predicted=lambda size: 1.0 + 0 * size,
        one_machine="any Q",
        cluster="not needed",
        not_at_all="",
    )

    def labels(size: int) -> Callable[[], object]:
        votes = good_judges("abcdefgh"[:size])
        return lambda: solve_general(votes)

    yield measure_growth(
        "independent trio, R labels",
        "R",
        "R³ frequencies; R matrices of R rows, multiplied exactly: R⁴ with numbers that grow",
        sizes=(3, 5, 8),
        prepare=labels,
        predicted=lambda size: float(size**4),
        one_machine="R ≤ 12 or so",
        cluster="one vote is not divided",
        not_at_all="unidentified judges",
    )

    def alarm(size: int) -> Callable[[], object]:
        votes = _two_norm_times(size)
        return SafeRegion(votes, SafetySpecification(2), "all").count

    yield measure_growth(
        "safe region from joint counts of trios",
        "Q",
        "up to Q + 1 key counts, log Q steps each; an alarm stops at the first that is safe",
        sizes=(500, 2_000, 8_000),
        prepare=alarm,
        predicted=float,
        one_machine="Q to 10⁶ in minutes; each judge alone: any Q, in closed form",
        cluster="not needed",
        not_at_all="groups of four judges and more: no closed form",
    )

    def census(size: int) -> Callable[[], object]:
        return lambda: take_census(size)

    yield measure_growth(
        "census of three judges",
        "Q",
        "C(Q + 7, 7) votes; memory constant",
        sizes=(8, 12, 16),
        prepare=census,
        predicted=lambda size: float(comb(size + 7, 7)),
        one_machine="Q = 20 (9·10⁵ votes) in seconds, Q = 40 (6·10⁷) in minutes",
        cluster="Q = 60 (9·10⁸) in hours",
        not_at_all="four judges (16 patterns: C(Q + 15, 15))",
    )


def _sets() -> Iterator[Growth]:
    def by_key(size: int) -> Callable[[], object]:
        consistent = ConsistentSet(_two_norm_times(size))
        return consistent.counts_by_key

    yield measure_growth(
        "count consistent evaluations, all key counts",
        "Q",
        "2^N prefix sums of Q + 1 integers",
        sizes=(1_000, 4_000, 16_000),
        prepare=by_key,
        predicted=float,
        one_machine="Q to 10⁶ at N = 3",
        cluster="not needed",
        not_at_all="listing them: ∏(c + 1) evaluations, 1.4·10¹⁶ at Q = 1000",
    )

    def by_judges(size: int) -> Callable[[], object]:
        counts = {"".join(pattern): 1 + sum(map(ord, pattern)) % 3 for pattern in product("ab", repeat=size)}
        consistent = ConsistentSet(VoteCounts(counts))
        return consistent.counts_by_key

    yield measure_growth(
        "count consistent evaluations, at 2 answers a pattern",
        "N",
        "2^N patterns times Q = 2·2^N: 4^N",
        sizes=(4, 6, 8),
        prepare=by_judges,
        predicted=lambda size: 4.0**size,
        one_machine="N ≤ 12",
        cluster="one product is not divided",
        not_at_all="N > 20",
    )

    def draws(size: int) -> Callable[[], object]:
        sampler = ConsistentSet(_two_norm_times(size)).sampler(
            at={"a": size * 2 // 5, "b": size - size * 2 // 5}
        )
        return lambda: list(islice(sampler.draws(seed=1), 20))

    yield measure_growth(
        "20 uniform draws at key counts",
        "Q",
        "one bisection for each of 2^N patterns, in tables made once",
        sizes=(1_000, 4_000, 16_000),
        prepare=draws,
        predicted=log,
        one_machine="Q to 10⁵",
        cluster="draws are independent: any number",
        not_at_all="",
    )


def _metrics() -> Iterator[Growth]:
    generator = np.random.default_rng(2)

    def area(size: int) -> Callable[[], object]:
        scores = generator.random(size)
        labels = (generator.random(size) < scores).astype(np.int64)
        return lambda: roc_auc(labels, float_scores(scores))

    yield measure_growth(
        "area under the ROC curve",
        "n",
        "sorting: n log n",
        sizes=(50_000, 200_000, 800_000),
        prepare=area,
        predicted=lambda size: size * log(size),
        one_machine="n to 10⁸",
        cluster="not divided",
        not_at_all="",
    )

    def bootstrap(size: int) -> Callable[[], object]:
        return lambda: exact_bootstrap(
            "f1", tp=size // 2, fp=size // 4, fn=size // 8, tn=size - size * 7 // 8
        )

    yield measure_growth(
        "exact bootstrap of F1",
        "n",
        "n²/2 values; their probabilities have n log n bits, which makes n³ of n² where n is large",
        sizes=(24, 48, 96),
        prepare=bootstrap,
        predicted=lambda size: float(size**2),
        one_machine="n ≤ 500",
        cluster="one distribution is not divided",
        not_at_all="n > 2000; sample it instead",
        repeats=1,
    )

    def confidence(size: int) -> Callable[[], object]:
        source = generator.dirichlet(np.full(10, 0.5), size=size)
        target = generator.dirichlet(np.full(10, 0.7), size=size)
        return lambda: atc(
            vectors_from_floats(source), vectors_from_floats(target), error="1/5", score="entropy"
        )

    yield measure_growth(
        "ATC by entropy, 10 labels",
        "n",
        "filter all, sort: n log n",
        sizes=(20_000, 80_000, 320_000),
        prepare=confidence,
        predicted=lambda size: size * log(size),
        one_machine="n to 10⁷",
        cluster="tables of many models side by side",
        not_at_all="",
    )

    def inversions(size: int) -> Callable[[], object]:
        return lambda: smallest_inversion("l2", "l2-uniform", labels=3, max_denominator=size)

    yield measure_growth(
        "search for inversions, 3 labels, to denominator D",
        "D",
        "Σ partitions of n ≤ D into 3: D³/36 vectors, ranked",
        sizes=(20, 40, 80),
        prepare=inversions,
        predicted=lambda size: float(comb(size + 3, 3)),
        one_machine="D to 300 for 3 labels, 40 for 6",
        cluster="denominators side by side",
        not_at_all="D > 10⁴",
        repeats=1,
    )
