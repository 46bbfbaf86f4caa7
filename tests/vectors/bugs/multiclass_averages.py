"""Witnesses of `multiclass-averages` besides the JavaScript runner."""

from fractions import Fraction
from math import lcm


def scikit_learn(document):
    """One weighted sample for each place of the table; the margins tell a common denominator of all results."""
    from sklearn.metrics import accuracy_score, multilabel_confusion_matrix, precision_recall_fscore_support

    names = list(range(len(document["labels"])))
    places = [(t, g, n) for t, row in enumerate(document["counts"]) for g, n in enumerate(row) if n]
    truth, given, weights = (list(column) for column in zip(*places, strict=True))
    size = sum(weights)
    rows, columns = (
        list(map(sum, document["counts"])),
        [sum(c) for c in zip(*document["counts"], strict=True)],
    )
    both = [row + column for row, column in zip(rows, columns, strict=True)]
    denominator = len(names) * size * lcm(size, *(number for number in rows + columns + both if number))
    options = {"labels": names, "sample_weight": weights}
    if document["undefined"] != "word":
        options["zero_division"] = int(document["undefined"])

    def exact(value):
        return str(Fraction(round(Fraction(float(value)) * denominator), denominator))

    def averaged(average):
        precision, recall, f1, _ = precision_recall_fscore_support(truth, given, average=average, **options)
        return {"recall": recall, "precision": precision, "f1": f1}

    tables = multilabel_confusion_matrix(truth, given, sample_weight=weights, labels=names)
    return {
        "matrices": [
            {"tp": int(t[1][1]), "fp": int(t[0][1]), "fn": int(t[1][0]), "tn": int(t[0][0])} for t in tables
        ],
        "accuracy": exact(accuracy_score(truth, given, sample_weight=weights)),
        "values": {name: [exact(value) for value in column] for name, column in averaged(None).items()},
        "averages": {
            average: {name: exact(value) for name, value in averaged(average).items()}
            for average in ("micro", "macro", "weighted")
        },
    }


WITNESSES = {"scikit-learn": scikit_learn}
