"""What other packages say where a coefficient of agreement would be 0/0: a table that is computed when it is made."""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Callable
from typing import Any

from ntqr_exact import agreement, count_rows
from ntqr_exact.exact.undefined_value import Undefined

SAME = [["1", "1"]] * 3
ALONE = [["1", None], [None, "2"]]


def _sklearn(rows: list[list[Any]]) -> Any:
    return importlib.import_module("sklearn.metrics").cohen_kappa_score(*zip(*rows, strict=True))


def _fleiss(rows: list[list[Any]]) -> Any:
    table = [[row.count(label) for label in ("1", "2")] for row in rows]
    return importlib.import_module("statsmodels.stats.inter_rater").fleiss_kappa(table)


def _alpha(rows: list[list[Any]], **options: Any) -> Any:
    data = [
        [math.nan if cell is None else float(cell) for cell in judge] for judge in zip(*rows, strict=True)
    ]
    peer = importlib.import_module("krippendorff")
    return peer.alpha(reliability_data=data, level_of_measurement="nominal", **options)


CASES: tuple[tuple[str, str, str, list[list[Any]], Callable[..., Any], dict[str, Any]], ...] = (
    ("only one label occurs", "cohen", "scikit-learn", SAME, _sklearn, {}),
    ("only one label occurs", "fleiss", "statsmodels", SAME, _fleiss, {}),
    ("no question has two answers", "scott", "statsmodels", ALONE, _fleiss, {}),
    ("only one label occurs", "krippendorff", "krippendorff", SAME, _alpha, {}),
    (
        "only one label occurs, two declared",
        "krippendorff",
        "krippendorff",
        SAME,
        _alpha,
        {"value_domain": [1, 2]},
    ),
    ("no question has two answers", "krippendorff", "krippendorff", ALONE, _alpha, {}),
)


def rows() -> list[str]:
    """Return the lines of the table; raises `ImportError` where a package is not installed."""
    lines = ["| answers | coefficient | package | it says | here |", "| --- | --- | --- | --- | --- |"]
    for answers, kind, package, data, ask, options in CASES:
        ours = agreement(count_rows(data, labels=["1", "2"]), kind)
        if not isinstance(ours, Undefined):
            raise TypeError(kind)
        lines.append(
            f"| {answers} | {kind} | {package} | {_said(ask, data, options)} | no value: {ours.value} |"
        )
    return lines


def _said(ask: Callable[..., Any], data: list[list[Any]], options: dict[str, Any]) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return str(ask(data, **options))
        except ImportError:
            raise
        except Exception as error:
            return f"stops: {type(error).__name__}"


def section(old: str) -> list[str]:
    """Return the part of the page; the old one where a package is not installed."""
    head = "## agreement that is 0/0"
    try:
        table = rows()
    except ImportError:
        lines = old.splitlines()
        if head not in lines:
            return []
        return "\n".join(lines[lines.index(head) :]).rstrip("\n").splitlines()
    about = "A coefficient of agreement is 0/0 where chance alone makes all agree, or no question has two replies."
    return [head, "", about, "", *table]
