"""Witnesses of `atc-estimate` besides the JavaScript runner."""

from fractions import Fraction
from math import lcm

from tests.vectors.bugs.shared.confidence import Samples, vectors_of, weights_of

SCORES = ("max", "l2", "l1-uniform", "l2-uniform", "entropy", "jensen-shannon", "jensen-shannon-printed")


def error_of(document, source, weights):
    given = [name for name in ("error", "accuracy", "labels") if document[name] is not None]
    if len(given) != 1:
        raise Samples
    if given != ["labels"]:
        number = Fraction(document[given[0]])
        if not 0 <= number <= 1:
            raise ValueError
        return number if given == ["error"] else 1 - number
    labels = document["labels"]
    if any(label < 0 for label in labels):
        raise ValueError
    if len(labels) != len(source) or max(labels) >= len(source[0]):
        raise Samples
    wrong = sum(w for p, w, y in zip(source, weights, labels, strict=True) if p.index(max(p)) != y)
    return wrong / sum(weights)


def key(score, p, whole):
    """A number that grows with the score, for vectors with a common denominator; infinity stands above all."""
    k = len(p)
    simple = {
        "max": lambda: max(p),
        "l2": lambda: sum(x * x for x in p),
        "l1-uniform": lambda: sum(abs(x - Fraction(1, k)) for x in p),
        "l2-uniform": lambda: sum((x - Fraction(1, k)) ** 2 for x in p),
    }
    if score in simple:
        return (0, simple[score]())
    if score == SCORES[6] and 0 in p:
        return (1, 0)
    value = Fraction(1)
    for a in (int(x * whole) for x in p):
        if score == "entropy":
            value *= a**a
        elif score == "jensen-shannon":
            value *= Fraction(a ** (k * a), (k * a + whole) ** (k * a + whole))
        else:
            value *= Fraction(a) ** (k * a - whole)
    return (0, value)


def matched(reading, keys, weights, threshold):
    """The share that a reading compares with Γ."""
    below = sum((w for one, w in zip(keys, weights, strict=True) if one < threshold), Fraction(0)) / sum(
        weights
    )
    return 1 - below if reading == "accuracy-above" else below


def answer(document):
    source, target = vectors_of(document["source"]), vectors_of(document["target"])
    score, reading = document["score"], document["reading"]
    if len({len(p) for p in source + target}) > 1 or score not in SCORES:
        raise Samples
    weights = weights_of(document["source_weights"], len(source))
    others = weights_of(document["target_weights"], len(target))
    error = error_of(document, source, weights)
    if reading is None:
        reading = "error-below" if document["accuracy"] is None else "accuracy-above"
    if reading not in ("error-below", "accuracy-above", "accuracy-below"):
        return {"error": "bad-choice"}
    if document["tie_rule"] not in ("smallest", "largest"):
        return {"error": "bad-choice"}
    gamma = error if reading == "error-below" else 1 - error
    whole = lcm(*(x.denominator for p in source + target for x in p))
    keys = [key(score, p, whole) for p in source]
    best = None
    for t in sorted({one for one, w in zip(keys, weights, strict=True) if w > 0}):
        off = abs(gamma - matched(reading, keys, weights, t))
        if best is None or off < best[0] or (off == best[0] and document["tie_rule"] == "largest"):
            best = (off, t)
    t = best[1]
    place = next(i for i, one in enumerate(keys) if one == t and weights[i] > 0)
    estimate = matched(reading, [key(score, p, whole) for p in target], others, t)
    wrong = estimate if reading == "error-below" else 1 - estimate
    return {
        "reading": reading,
        "gamma": str(gamma),
        "threshold_vector": [str(x) for x in source[place]],
        "source_share": str(matched(reading, keys, weights, t)),
        "estimate": str(estimate),
        "error": str(wrong),
        "accuracy": str(1 - wrong),
    }


def brute_force(document):
    try:
        return answer(document)
    except Samples:
        return {"error": "bad-samples"}
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}


WITNESSES = {"brute-force": brute_force}  # every threshold, and every vector against it
