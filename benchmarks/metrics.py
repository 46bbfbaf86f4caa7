"""Exact curves and areas of scored points against scikit-learn's floats, on the same arrays and files."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score
from sklearn.metrics import det_curve as float_det_curve
from sklearn.metrics import log_loss as float_log_loss
from sklearn.metrics import precision_recall_curve as float_precision_recall_curve
from sklearn.metrics import roc_curve as float_roc_curve

from benchmarks.measure import Ratio, compare
from ntqr_exact.columns.inputs import float_scores
from ntqr_exact.metrics.areas import DIGITS, average_precision, roc_auc
from ntqr_exact.metrics.bootstrap import bootstrap_area
from ntqr_exact.metrics.probability_losses import brier_score, log_loss
from ntqr_exact.metrics.ranking import det_curve, precision_recall_curve, roc_curve
from ntqr_exact.metrics.weights import Strata


def rows(*, quick: bool) -> list[Ratio]:
    size = 200_000 if quick else 1_000_000
    generator = np.random.default_rng(1)
    scores = generator.random(size)
    labels = (generator.random(size) < scores).astype(np.int64)
    strata = (generator.random(size) < 0.3).astype(np.int64)
    counted = Strata.of(strata, {0: 1_103_658_011, 1: 13_526_003})
    whole, floats = generator.integers(1, 1000, size), generator.random(size)
    peer = f"scikit-learn {sklearn.__version__}, floats"
    found = []
    for kind, exact, theirs in (
        ("whole weights", whole, whole.astype(float)),
        ("strata", counted.sample_weights(strata), None),
        ("float weights", float_scores(floats), floats),
    ):
        weights = np.array(list(exact), dtype=float) if theirs is None else theirs
        area = float(roc_auc(labels, float_scores(scores), exact))  # type: ignore[arg-type]
        if abs(area - roc_auc_score(labels, scores, sample_weight=weights)) > 1e-12:
            raise ValueError("the two areas differ")
        for name, ours, other in (
            ("PR curve", lambda *data: precision_recall_curve(*data).columns(), float_precision_recall_curve),
            ("ROC curve", lambda *data: roc_curve(*data).columns(), float_roc_curve),
            ("roc_auc", roc_auc, roc_auc_score),
            (
                "enclosed average precision",
                partial(average_precision, digits=DIGITS),
                average_precision_score,
            ),
        ):
            found.append(
                compare(
                    f"{name}, {size:,} points, {kind}",
                    peer,
                    ours=lambda ours=ours, exact=exact: ours(labels, float_scores(scores), exact),
                    theirs=lambda other=other, w=weights: other(labels, scores, sample_weight=w),
                    # Beyond 64 bits, quotients are found limb by limb.
                    limit=2 if name == "enclosed average precision" and kind != "whole weights" else 1,
                )
            )
    few = 100_000
    for name, ours, other in (
        ("PR", precision_recall_curve, float_precision_recall_curve),
        ("ROC", roc_curve, partial(float_roc_curve, drop_intermediate=False)),
        ("DET", det_curve, partial(float_det_curve, drop_intermediate=False)),
    ):
        # Every fraction is made: as pairs, or as the three lists of which scikit-learn returns the floats.
        kinds = (("points", 5, lambda curve: list(curve.points())), ("points and thresholds", 6, list))
        for kind, limit, made in kinds:
            found.append(
                compare(
                    f"{name} {kind} as fractions, {few:,} points",
                    peer,
                    ours=lambda ours=ours, made=made: made(ours(labels[:few], scores[:few])),
                    theirs=lambda other=other: other(labels[:few], scores[:few]),
                    limit=limit,
                    repeats=9,
                    tolerance=1.2,
                )
            )
    # What `average_precision` returns unless asked: one fraction of millions of bits.
    data = labels[:few], scores[:few], floats[:few]
    found.append(
        compare(
            f"average precision as one fraction, {few:,} points, float weights",
            peer,
            ours=lambda: average_precision(*data),
            theirs=lambda: average_precision_score(*data[:2], sample_weight=data[2]),
            limit=50,
        )
    )
    return [*found, *_losses_and_resamples(labels, scores, peer), *_of_a_file(labels, scores, floats)]


def _losses_and_resamples(labels: Any, scores: Any, peer: str) -> list[Ratio]:
    """Exact losses against the floats of scikit-learn, and an exact area of each resample against its float."""
    many, few, resamples = 100_000, 10_000, 20
    generator = np.random.default_rng(2)

    def float_resamples() -> list[float]:
        drawn = (generator.integers(0, few, few) for _ in range(resamples))
        return [average_precision_score(labels[rows], scores[rows]) for rows in drawn]

    return [
        compare(
            f"log loss, {many:,} probabilities",
            peer,
            ours=lambda: float(log_loss(labels[:many], scores[:many])),
            theirs=lambda: float_log_loss(labels[:many], scores[:many]),
            limit=10,
        ),
        compare(
            f"Brier score as a fraction, {len(scores):,} probabilities",
            peer,
            ours=lambda: brier_score(labels, scores),
            theirs=lambda: brier_score_loss(labels, scores),
            limit=10,
        ),
        # A thousand resamples take fifty times as long: less than 30 s.
        compare(
            f"average precision of {resamples} resamples as fractions, {few:,} points",
            peer,
            ours=lambda: bootstrap_area(labels[:few], scores[:few], resamples=resamples, seed=1),
            theirs=float_resamples,
            limit=10,
        ),
    ]


def _of_a_file(labels: Any, scores: Any, weights: Any) -> list[Ratio]:
    """Processor time and most memory of the command and of a script for the same numbers, each a process of its own."""
    found = []
    kinds = {
        "scores of four digits": (np.char.mod("%.4f", scores), []),
        "floats as they are written": (scores, []),
        "floats, weighted": (scores, ["weight"]),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "scores.csv"))
        for kind, (column, weighted) in kinds.items():
            lines = zip(labels.tolist(), column.tolist(), weights.tolist(), strict=True)
            text = "".join(f"{label},{score},{weight}\n" for label, score, weight in lines)
            Path(path).write_text(f"y,s,weight\n{text}")
            command = [
                "-c",
                "from ntqr_exact.cli.start import run; run()",
                "metrics",
                path,
                "--label",
                "y",
                "--score",
                "s",
            ]
            command += ["--weight", "weight"] if weighted else []
            ours, theirs = least(command), least(["-c", _SCRIPT, path, *weighted])
            name, peer = (
                f"metrics of a CSV, {len(labels):,} rows, {kind}",
                "a script of pandas and scikit-learn",
            )
            found.append(Ratio(name, peer, ours[0], theirs[0], limit=2))
            found.append(Ratio(f"{name}: memory", peer, ours[1], theirs[1], limit=1, is_memory=True))
    return found


_SCRIPT = """
import sys, pandas
from sklearn.metrics import *
table = pandas.read_csv(sys.argv[1])
weight = {"sample_weight": table[sys.argv[2]]} if len(sys.argv) > 2 else {}
data, at = (table["y"], table["s"]), (table["y"], table["s"] >= 0.5)
print(confusion_matrix(*at, **weight), roc_auc_score(*data, **weight), average_precision_score(*data, **weight))
precision, recall, _ = precision_recall_curve(*data, **weight)
print(auc(recall, precision), *(score(*at, **weight) for score in (precision_score, recall_score, f1_score)))
"""


# A process counts the memory of the one that started it as its own, so that a small one has to do it.
_SMALL = """
import os, subprocess, sys
process = subprocess.Popen([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
sys.exit(process.returncode)
"""


def least(arguments: list[str]) -> tuple[float, float]:
    """Return processor seconds and most bytes of a Python process, each the least of three runs."""
    runs = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-S", "-c", _SMALL, *arguments], capture_output=True, check=True, text=True
        )
        runs.append(tuple(map(float, done.stdout.split())))
    seconds, sizes = zip(*runs, strict=True)
    return min(seconds), min(sizes)
