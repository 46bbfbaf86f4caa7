"""A second implementation of `multiclass-averages`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from math import lcm

WORDS = {"recall": "no-positives", "precision": "no-predicted-positives", "f1": "nothing-positive"}


def one_against_the_rest(table, label):
    """The four cells, each place of the table looked at by itself."""
    cells = {"tp": Fraction(0), "fp": Fraction(0), "fn": Fraction(0), "tn": Fraction(0)}
    for truth, row in enumerate(table):
        for given, number in enumerate(row):
            kind = ("t" if (truth == label) == (given == label) else "f") + ("p" if given == label else "n")
            cells[kind] += number
    return cells


def measure(name, cells):
    tp, fp, fn = cells["tp"], cells["fp"], cells["fn"]
    above, below = {"recall": (tp, tp + fn), "precision": (tp, tp + fp), "f1": (tp, tp + (fp + fn) / 2)}[name]
    return above / below if below else WORDS[name]


def replaced(value, policy):
    return value if policy == "word" or isinstance(value, Fraction) else Fraction(policy)


def mean(values, weights):
    if any(isinstance(value, str) for value in values):
        return "part-undefined"
    if sum(weights) == 0:
        return "no-positives"
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)


def table_of(document):
    rows, size = document["counts"], len(document["labels"])
    if len(rows) != size or any(len(row) != size for row in rows):
        return "bad-samples"
    try:
        table = [[Fraction(cell) for cell in row] for row in rows]
    except ValueError:
        return "bad-number"
    return "bad-samples" if size < 1 or min(map(min, table)) < 0 else table


def reference(document):
    table, policy = table_of(document), document["undefined"]
    if isinstance(table, str):
        return {"error": table}
    matrices = [one_against_the_rest(table, label) for label in range(len(table))]
    pooled = {kind: sum(cells[kind] for cells in matrices) for kind in ("tp", "fp", "fn", "tn")}
    averages = {"micro": {}, "macro": {}, "weighted": {}}
    values = {}
    for name in WORDS:
        found = [replaced(measure(name, cells), policy) for cells in matrices]
        support = [cells["tp"] + cells["fn"] for cells in matrices]
        averages["micro"][name] = str(replaced(measure(name, pooled), policy))
        averages["macro"][name] = str(mean(found, [1] * len(found)))
        averages["weighted"][name] = str(replaced(mean(found, support), policy))
        values[name] = [str(value) for value in found]
    everything = sum(map(sum, table))
    diagonal = sum(table[place][place] for place in range(len(table)))
    return {
        "matrices": [{kind: str(number) for kind, number in cells.items()} for cells in matrices],
        "accuracy": str(diagonal / everything) if everything else "no-samples",
        "values": values,
        "averages": averages,
    }


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
