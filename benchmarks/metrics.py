"""Exact curves and areas of scored points against scikit-learn's floats, on the same arrays."""

from __future__ import annotations

from functools import partial

import numpy as np
import sklearn
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.metrics import precision_recall_curve as float_precision_recall_curve
from sklearn.metrics import roc_curve as float_roc_curve

from benchmarks.measure import Ratio, compare
from ntqr_exact.columns.float_values import float_scores, float_weights
from ntqr_exact.metrics.areas import Form, average_precision, roc_auc
from ntqr_exact.metrics.curves import precision_recall_curve, roc_curve
from ntqr_exact.metrics.weighting import Strata


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
        ("float weights", float_weights(floats), floats),
    ):
        weights = np.array(exact.values(), dtype=float) if theirs is None else theirs
        area = float(roc_auc(labels, float_scores(scores), exact))  # type: ignore[arg-type]
        if abs(area - roc_auc_score(labels, scores, sample_weight=weights)) > 1e-12:
            raise ValueError("the two areas differ")
        for name, ours, other in (
            ("PR curve", lambda *data: precision_recall_curve(*data).columns(), float_precision_recall_curve),
            ("ROC curve", lambda *data: roc_curve(*data).columns(), float_roc_curve),
            ("roc_auc", roc_auc, roc_auc_score),
            ("average precision", partial(average_precision, form=Form.ENCLOSURE), average_precision_score),
        ):
            found.append(
                compare(
                    f"{name}, {size:,} points, {kind}",
                    peer,
                    ours=lambda ours=ours, exact=exact: ours(labels, float_scores(scores), exact),
                    theirs=lambda other=other, w=weights: other(labels, scores, sample_weight=w),
                    # Beyond 64 bits, quotients are found limb by limb.
                    limit=2 if name == "average precision" and kind != "whole weights" else 1,
                )
            )
    few = 100_000
    for name, ours, other in (
        ("PR points", precision_recall_curve, float_precision_recall_curve),
        ("ROC points", roc_curve, partial(float_roc_curve, drop_intermediate=False)),
    ):
        found.append(
            compare(
                f"{name} as fractions, {few:,} points",
                peer,
                ours=lambda ours=ours: list(ours(labels[:few], scores[:few]).points()),
                theirs=lambda other=other: other(labels[:few], scores[:few]),
                limit=6,
            )
        )
    return found
