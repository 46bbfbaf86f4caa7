"""Make the real panels that ship with the library: `python -m benchmarks.make_panels`.

Votes of scikit-learn classifiers on its bundled data, each question answered by models that were not trained on it
(stratified five-fold cross-validation), and four language models on MedQA as the package ntqr 0.9 publishes them. The
stored files are the reference: another version of scikit-learn may give other votes.
"""

from __future__ import annotations

import csv
import importlib.util
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ntqr_exact.data import panels
from ntqr_exact.exact.json_text import write_json

FOLDER = Path(panels.__file__).parent


def classifiers() -> dict[str, Any]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    return {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
        "naive Bayes": GaussianNB(),
        "nearest neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
        "decision tree": DecisionTreeClassifier(max_depth=4, random_state=0),
        "linear discriminant": LinearDiscriminantAnalysis(),
        "decision stump": DecisionTreeClassifier(max_depth=1, random_state=0),
        "support vectors": make_pipeline(StandardScaler(), SVC(random_state=0)),
    }


def predictions(
    load: Callable[..., Any], name_of: Callable[[int], str], judges: Sequence[str]
) -> list[tuple[str, ...]]:
    """Return (truth, answers...) for each sample."""
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    features, target = load(return_X_y=True)
    truth = [name_of(int(label)) for label in target]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    models = classifiers()
    answers = [cross_val_predict(models[judge], features, truth, cv=folds).tolist() for judge in judges]
    return list(zip(truth, *answers, strict=True))


def write(name: str, labels: Sequence[str], judges: Sequence[str], rows: list[tuple[str, ...]]) -> None:
    """Write votes with their key."""
    counts = Counter(rows)
    parts = {
        label: {",".join(pattern): n for (truth, *pattern), n in sorted(counts.items()) if truth == label}
        for label in labels
    }
    document = {"labels": list(labels), "judges": list(judges), "counts_by_label": parts}
    (FOLDER / f"{name}.json").write_text(write_json(document), encoding="utf-8")


def main() -> None:
    from sklearn.datasets import load_breast_cancer, load_digits, load_wine

    everyone = list(classifiers())
    cancer = ("malignant", "benign")
    write(
        "breast_cancer",
        cancer,
        everyone[:5],
        predictions(load_breast_cancer, cancer.__getitem__, everyone[:5]),
    )
    write(
        "digits_parity",
        ("even", "odd"),
        everyone,
        predictions(load_digits, lambda d: ("even", "odd")[d % 2], everyone),
    )
    thirds = ("0 to 2", "3 to 6", "7 to 9")
    five = [name for name in everyone if name not in ("support vectors", "logistic regression")]
    write("digits_thirds", thirds, five, predictions(load_digits, lambda d: thirds[(d > 2) + (d > 6)], five))
    wine = ("Barolo", "Grignolino", "Barbera")
    trio = ["naive Bayes", "decision tree", "decision stump"]
    write("wine", wine, trio, predictions(load_wine, wine.__getitem__, trio))
    package = importlib.util.find_spec("ntqr")
    if package is None or package.origin is None:
        raise SystemExit("install ntqr==0.9 for its MedQA votes")
    source = Path(package.origin).parent / "notebooks" / "medQA4LLMsQ300.csv"
    with source.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    judges = [name.removesuffix("_agent_0") for name in header[1:]]
    write("medqa", tuple("ABCDEN"), judges, [tuple(cell.upper() for cell in row) for row in rows])


if __name__ == "__main__":
    main()
