"""A second implementation of `doc-estimate` by the normal equations, and the bugs that must be caught in it."""

from fractions import Fraction

from tests.vectors.bugs.shared.confidence import Samples, vectors_of, weights_of


def accuracy_of(document, source, weights):
    given = [name for name in ("error", "accuracy", "labels") if document[name] is not None]
    if len(given) != 1:
        raise Samples
    if given != ["labels"]:
        number = Fraction(document[given[0]])
        if not 0 <= number <= 1:
            raise ValueError
        return number if given == ["accuracy"] else 1 - number
    if len(document["labels"]) != len(source) or max(document["labels"]) >= len(source[0]):
        raise Samples
    right = Fraction(0)
    for p, w, label in zip(source, weights, document["labels"], strict=True):
        predicted = max(range(len(p)), key=lambda place, p=p: (p[place], -place))
        right += w if predicted == label else 0
    return right / sum(weights)


def confidence(vectors, weights=None):
    weights = weights or [Fraction(1)] * len(vectors)
    return sum(w * max(p) for p, w in zip(vectors, weights, strict=True)) / sum(weights)


def fitted(points):
    """The two normal equations, n·α + Sx·β = Sy and Sx·α + Sxx·β = Sxy, by Cramer's rule."""
    n = len(points)
    sx, sy = sum(x for x, _ in points), sum(y for _, y in points)
    sxx, sxy = sum(x * x for x, _ in points), sum(x * y for x, y in points)
    determinant = n * sxx - sx * sx
    if determinant == 0:
        raise Samples
    return Fraction(sy * sxx - sx * sxy) / determinant, Fraction(n * sxy - sx * sy) / determinant


def line_of(line, source, accuracy):
    if line is None:
        return Fraction(0), Fraction(1)
    if "points" in line:
        return fitted([(Fraction(x), Fraction(y)) for x, y in line["points"]])
    return fitted(
        [
            (
                confidence(source) - confidence(vectors_of(one["vectors"])),
                accuracy - Fraction(one["accuracy"]),
            )
            for one in line["data_sets"]
        ]
    )


def answer(document):
    source, target = vectors_of(document["source"]), vectors_of(document["target"])
    if len({len(p) for p in source + target}) > 1:
        raise Samples
    weights = weights_of(document["source_weights"], len(source))
    others = weights_of(document["target_weights"], len(target))
    accuracy = accuracy_of(document, source, weights)
    alpha, beta = line_of(document["line"], source, accuracy)
    if document["sign"] not in ("subtracted", "added"):
        return {"error": "bad-choice"}
    difference = confidence(source, weights) - confidence(target, others)
    drop = alpha + beta * difference
    estimate = accuracy - drop if document["sign"] == "subtracted" else accuracy + drop
    return {
        "source_accuracy": str(accuracy),
        "difference": str(difference),
        "intercept": str(alpha),
        "slope": str(beta),
        "drop": str(drop),
        "accuracy": str(estimate),
        "error": str(1 - estimate),
    }


def reference(document):
    try:
        return answer(document)
    except Samples:
        return {"error": "bad-samples"}
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
