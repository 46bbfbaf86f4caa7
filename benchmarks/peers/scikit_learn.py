"""scikit-learn: metrics of matrices, averages over labels, curves and areas.

Each quantity is asked by the call that its documentation names for it, with `zero_division=nan`, its own way of saying
undefined, wherever there is such an option. Numbers go in as doubles. Not asked are texts that are not numbers, and
tables that are not square.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.peers.conformance import (
    ACCEPTED,
    NAN,
    REFUSED,
    UNDEFINED,
    NotAsked,
    Peer,
    Quantity,
    doubles,
    exactly,
)
from ntqr_exact.vectors.files import Test


def _cells(name: str, **options: Any) -> Quantity:
    """A metric of four samples that are weighted by the cells of a matrix."""

    def ask(document: dict[str, Any]) -> Any:
        import sklearn.metrics

        weights = doubles(document[cell] for cell in ("tp", "fp", "fn", "tn"))
        return getattr(sklearn.metrics, name)([1, 0, 1, 0], [1, 1, 0, 0], sample_weight=weights, **options)

    return ask


def _rates(mark: str, positive: int, build: Callable[..., Quantity]) -> dict[str, Quantity]:
    return {
        f"{mark}{name}": build(f"{name}_score", pos_label=positive, zero_division=NAN)
        for name in ("recall", "precision", "f1")
    }


def _table(average: str | None, place: int) -> Quantity:
    """A metric of several labels, averaged or not; each place of the table is one weighted sample."""

    def ask(document: dict[str, Any]) -> Any:
        from sklearn.metrics import precision_recall_fscore_support

        truth, given, weights = _samples(document)
        policy = NAN if document["undefined"] == "word" else float(document["undefined"])
        labels = list(range(len(document["labels"])))
        found = precision_recall_fscore_support(
            truth, given, labels=labels, average=average, sample_weight=weights, zero_division=policy
        )
        return found[place]

    return ask


def _table_accuracy(document: dict[str, Any]) -> Any:
    from sklearn.metrics import accuracy_score

    truth, given, weights = _samples(document)
    return accuracy_score(truth, given, sample_weight=weights)


def _samples(document: dict[str, Any]) -> tuple[list[int], list[int], list[float]]:
    size = len(document["labels"])
    if size < 2 or any(len(row) != size for row in (document["counts"], *document["counts"])):
        raise NotAsked
    places = [(t, g, n) for t, row in enumerate(document["counts"]) for g, n in enumerate(row)]
    return [t for t, _, _ in places], [g for _, g, _ in places], doubles(n for _, _, n in places)


def _scored(document: dict[str, Any]) -> tuple[list[int], list[float], dict[str, Any]]:
    options = {"sample_weight": doubles(document["weights"])} if "weights" in document else {}
    return document["labels"], doubles(document["scores"]), options


def _roc(document: dict[str, Any]) -> tuple[Any, Any, Any]:
    from sklearn.metrics import roc_curve

    labels, scores, options = _scored(document)
    found: tuple[Any, Any, Any] = roc_curve(labels, scores, drop_intermediate=False, pos_label=1, **options)
    return found


def _precision_recall(document: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Precision, recall and thresholds from the highest threshold down, the made-up point (0, 1) first."""
    from sklearn.metrics import precision_recall_curve

    labels, scores, options = _scored(document)
    precision, recall, thresholds = precision_recall_curve(labels, scores, pos_label=1, **options)
    return precision[::-1], recall[::-1], thresholds[::-1]


def _area(name: str) -> Quantity:
    def ask(document: dict[str, Any]) -> Any:
        import sklearn.metrics

        labels, scores, options = _scored(document)
        return getattr(sklearn.metrics, name)(labels, scores, **options)

    return ask


def _pr_auc(document: dict[str, Any]) -> Any:
    from sklearn.metrics import auc

    precision, recall, _ = _precision_recall(document)
    return auc(recall, precision)


def _weighted(name: str, **more: Any) -> Quantity:
    def ask(document: dict[str, Any]) -> Any:
        import sklearn.metrics

        labels, scores, options = _scored(document)
        threshold = float(exactly(document["threshold"]))
        predicted = [int(score >= threshold) for score in scores]
        return getattr(sklearn.metrics, name)(labels, predicted, **options, **more)

    return ask


AREAS: dict[str, Quantity] = {
    "roc_auc": _area("roc_auc_score"),
    "pr_auc_one": _pr_auc,
    "average_precision": _area("average_precision_score"),
}

ASKED: dict[str, dict[str, Quantity]] = {
    "confusion-metrics": {
        **_rates("", 1, _cells),
        **_rates("!", 0, _cells),
        "accuracy": _cells("accuracy_score"),
        "error_rate": _cells("zero_one_loss"),
    },
    "multiclass-averages": {
        **{f"values/{name}": _table(None, place) for place, name in enumerate(("precision", "recall", "f1"))},
        **{
            f"averages/{average}/{name}": _table(average, place)
            for average in ("micro", "macro", "weighted")
            for place, name in enumerate(("precision", "recall", "f1"))
        },
        "accuracy": _table_accuracy,
    },
    "roc-curve": {
        "thresholds": lambda document: _roc(document)[2][1:],
        "points": lambda document: list(zip(*_roc(document)[:2], strict=True)),
    },
    "precision-recall-curve": {
        "thresholds": lambda document: _precision_recall(document)[2],
        "points": lambda document: list(zip(*_precision_recall(document)[1::-1], strict=True))[1:],
    },
    "areas": AREAS,
    "weighted-metrics": {
        "thresholds": lambda document: _precision_recall(document)[2],
        "error_rate": _weighted("zero_one_loss"),
        **_rates("", 1, _weighted),
        **{name: ask for name, ask in _rates("!", 0, _weighted).items() if name != "!f1"},
        **AREAS,
    },
}
"""For each family, the quantities that scikit-learn computes, too, each with the call."""


def _cause(test: Test, quantity: str, kind: str) -> str:
    family = test.id.partition("/")[0]
    if kind == ACCEPTED:
        return _accepted(test.input)
    if kind == REFUSED:
        return "Without any sample it refuses, even where `zero_division` names the value of 0/0."
    if kind == UNDEFINED and family == "multiclass-averages":
        return (
            "An average over labels leaves out the labels whose value is undefined, and does not say so: "
            "with `zero_division=nan` the mean of the others is given."
        )
    if kind == UNDEFINED:
        return "Without positives recall is 0/0, and is taken for 1, in points and areas."
    if "close" in test.body["flags"]:
        return "Scores that differ by less than doubles can tell become ties, and thresholds merge."
    return f"{family}, `{quantity}`: {kind}."


def _accepted(document: dict[str, Any]) -> str:
    if "scores" in document and len(document["scores"]) != len(document["labels"]):
        return "Labels and scores of different numbers are not always refused."
    if "scores" in document and not set(document["labels"]) <= {0, 1}:
        return "Labels other than 0 and 1 are taken: each that is not the positive one counts as negative."
    return "Negative weights and counts are taken, and rates outside [0, 1] follow."


PEER = Peer(
    "scikit-learn",
    ASKED,
    _cause,
    (
        "Numbers go in as doubles. `zero_division=nan` is set wherever there is such an option, so that nan counts as "
        "its word for undefined. Matrices are put to it as weighted samples.",
    ),
)
