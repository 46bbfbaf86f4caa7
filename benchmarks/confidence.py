"""ATC on a million vectors: exact results against numpy's floats, on the same arrays."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Ratio, compare
from benchmarks.metrics import least
from ntqr_exact.confidence.atc import atc, bootstrap_atc, doc
from ntqr_exact.confidence.probability_vector import vectors_from_floats

LABELS = 10


def float_jensen_shannon(p: Any) -> Any:
    mixed = (p + 1 / LABELS) / 2
    return ((p * np.log(p / mixed) - np.log(mixed * LABELS) / LABELS) / 2).sum(axis=1)


FLOAT_SCORES: dict[str, tuple[Callable[[Any], Any], float]] = {
    "max": (lambda p: p.max(axis=1), 4),
    "l1-uniform": (lambda p: np.abs(p - 1 / LABELS).sum(axis=1), 4),
    "l2": (lambda p: np.sqrt((p * p).sum(axis=1)), 4),
    "l2-uniform": (lambda p: np.sqrt(((p - 1 / LABELS) ** 2).sum(axis=1)), 4),
    "entropy": (lambda p: (p * np.log(p)).sum(axis=1), 15),
    "jensen-shannon": (float_jensen_shannon, 15),
}


def float_atc(source: Any, target: Any, score: Callable[[Any], Any], error: float) -> float:
    """Equations 2 and 3 with floats: sort, take the nearest share, count."""
    ordered = np.sort(score(source))
    below = np.arange(len(ordered)) / len(ordered)
    threshold = ordered[np.argmin(np.abs(below - error))]
    return float((score(target) < threshold).mean())


def rows(*, quick: bool) -> list[Ratio]:
    size = 100_000 if quick else 1_000_000
    generator = np.random.default_rng(1)
    source = generator.dirichlet(np.full(LABELS, 0.5), size=size)
    target = generator.dirichlet(np.full(LABELS, 0.7), size=size)
    found = []
    for name, (score, limit) in FLOAT_SCORES.items():
        exact = atc(vectors_from_floats(source), vectors_from_floats(target), error="1/5", score=name)
        if abs(float(exact.estimate) - float_atc(source, target, score, 0.2)) > 2 / size:
            raise ValueError("the two estimates differ")
        found.append(
            compare(
                f"ATC {name}, {size:,} vectors",
                f"numpy {np.__version__}, floats",
                ours=lambda name=name: atc(
                    vectors_from_floats(source), vectors_from_floats(target), error="1/5", score=name
                ),
                theirs=lambda score=score: float_atc(source, target, score, 0.2),
                limit=limit,
            )
        )
    return [*found, *_smaller_rows(source, target, generator), _of_files(source[:100_000], target[:100_000])]


_SCRIPT = """
import sys, pandas, ntqr_exact
source, target = (pandas.read_csv(path).to_numpy() for path in sys.argv[1:])
print(ntqr_exact.atc(source, target, error="1/5", score="entropy").estimate)
"""


def _of_files(source: Any, target: Any) -> Ratio:
    """Processor time of the command and of a script that gives the same tables to the library."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder, name)) for name in ("source.csv", "target.csv")]
        for path, rows in zip(paths, (source, target), strict=True):
            header = ",".join(f"c{label}" for label in range(LABELS))
            np.savetxt(path, rows, fmt="%.17g", delimiter=",", header=header, comments="")
        command = "from ntqr_exact.cli.start import run; run()"
        options = ["--error", "1/5", "--score", "entropy", "--normalise"]
        ours, theirs = least(["-c", command, "atc", *paths, *options]), least(["-c", _SCRIPT, *paths])
    return Ratio(
        f"ATC of two files, {len(source):,} rows each", "the library on frames", ours[0], theirs[0], limit=5
    )


def _smaller_rows(source: Any, target: Any, generator: Any) -> list[Ratio]:
    """DoC, weighted and resampled ATC against plain loops of numpy; saturated rows against ordinary ones."""
    many, few, resamples = 20_000, 10_000, 100
    peer = f"numpy {np.__version__}, floats"
    left, right = vectors_from_floats(source[:few]), vectors_from_floats(target[:few])
    weights = generator.random(few)
    ordered = np.sort(target[:few].max(axis=1))
    below = np.arange(few) / few

    def float_doc() -> float:
        return float(np.mean([row.max() / row.sum() for row in (*source[:many], *target[:many])]))

    def float_bootstrap() -> list[float]:
        largest, found = source[:few].max(axis=1), []
        for _ in range(resamples):
            drawn = np.sort(largest[generator.integers(0, few, few)])
            threshold = drawn[np.argmin(np.abs(below - 0.2))]
            found.append(np.searchsorted(ordered, threshold) / few)
        return found

    def softmax(scale: float) -> Any:
        logits = generator.normal(0, scale, (2000, LABELS))
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return vectors_from_floats(shares / shares.sum(axis=1, keepdims=True))

    sure, plain = (softmax(100), softmax(100)), (softmax(1), softmax(1))
    tables = vectors_from_floats(source[:many]), vectors_from_floats(target[:many])
    return [
        compare(
            f"DoC, {2 * many:,} vectors",
            peer,
            ours=lambda: doc(*tables, accuracy="4/5"),
            theirs=float_doc,
            limit=5,
        ),
        compare(
            f"weighted ATC max, {few:,} vectors",
            f"{peer}, row by row",
            ours=lambda: atc(left, right, error="1/5", source_weights=weights, target_weights=weights),
            theirs=lambda: sorted(row.max() for row in (*source[:few], *target[:few])),
            limit=5,
        ),
        compare(
            f"ATC max, {few:,} vectors resampled {resamples} times",
            peer,
            ours=lambda: bootstrap_atc(left, right, error="1/5", resamples=resamples, seed=1),
            theirs=float_bootstrap,
            limit=5,
        ),
        compare(
            "ATC entropy, 2,000 saturated rows",
            "the same of ordinary rows",
            ours=lambda: atc(*sure, error="1/5", score="entropy"),
            theirs=lambda: atc(*plain, error="1/5", score="entropy"),
            limit=10,
        ),
    ]
