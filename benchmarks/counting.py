"""Counting decisions of three judges: Parquet through polars, and CSV."""

from __future__ import annotations

import csv
import tempfile
import time
from collections import Counter
from pathlib import Path

import polars as pl

from benchmarks.measure import Ratio, compare
from ntqr_exact import VoteCounts, read_votes

JUDGES = ["A", "B", "C"]


def rows(*, quick: bool) -> list[Ratio]:
    size = 1_000_000 if quick else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        parquet, text = Path(folder, "decisions.parquet"), Path(folder, "decisions.csv")
        question = pl.int_range(size)
        answers = [
            pl.when(question.hash(seed) % 2 == 0).then(pl.lit("a")).otherwise(pl.lit("b")).alias(judge)
            for seed, judge in enumerate(JUDGES)
        ]
        frame = pl.select(answers)
        frame.write_parquet(parquet)
        frame.write_csv(text)
        del frame

        def ours() -> VoteCounts:
            return read_votes(pl.scan_parquet(parquet))

        def theirs() -> pl.DataFrame:
            return pl.scan_parquet(parquet).group_by(JUDGES).agg(pl.len()).collect()

        if dict(ours().counts) != {tuple(row[:3]): row[3] for row in theirs().iter_rows()}:
            raise ValueError("the two counts of the Parquet file differ")
        if dict(read_votes(text).counts) != _bare_loop(text):
            raise ValueError("the two counts of the CSV file differ")
        return [
            compare(
                f"votes from Parquet, {size:,} rows",
                f"polars {pl.__version__} group-by",
                ours=ours,
                theirs=theirs,
                limit=1.3,
                repeats=5,
                clock=time.perf_counter,
            ),
            compare(
                f"votes from CSV, {size:,} rows",
                "csv.reader loop into a Counter",
                ours=lambda: read_votes(text),
                theirs=lambda: _bare_loop(text),
                limit=2.5,
                repeats=2,
            ),
        ]


def _bare_loop(path: Path) -> Counter[tuple[str, ...]]:
    counter: Counter[tuple[str, ...]] = Counter()
    with open(path, newline="", encoding="utf-8") as stream:
        reader = csv.reader(stream)
        next(reader)
        for row in reader:
            counter[tuple(row)] += 1
    return counter
