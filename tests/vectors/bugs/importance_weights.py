"""A second implementation of `importance-weights`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from math import lcm


def populations_of(document):
    """The sizes as whole numbers; anything else has no size."""
    found = {}
    for name, size in document["populations"].items():
        number = Fraction(size)
        if number < 0 or number.denominator != 1:
            raise ValueError
        found[name] = int(number)
    return found


def drawn_from(document):
    found = {}
    for name, cells in document["matrices"].items():
        number = sum(map(Fraction, cells))
        if number.denominator != 1:
            raise ValueError
        found[name] = int(number)
    return found


def misfit(sizes, drawn):
    unknown = any(name not in sizes or drawn[name] > sizes[name] for name in drawn)
    unseen = any(sizes[name] > 0 and drawn.get(name, 0) == 0 for name in sizes)
    return unknown or unseen or sum(sizes.values()) == 0


def share(part, whole, word):
    return str(part / whole) if whole else word


def reference(document):
    if any(Fraction(cell) < 0 for cells in document["matrices"].values() for cell in cells):
        return {"error": "bad-samples"}
    try:
        sizes, drawn = populations_of(document), drawn_from(document)
    except ValueError:
        return {"error": "bad-number"}
    if misfit(sizes, drawn):
        return {"error": "bad-samples"}
    # A count beyond 2⁵³ is written as a text.
    cells = {name: [Fraction(cell) for cell in four] for name, four in document["matrices"].items()}
    document = {**document, "matrices": cells}
    everyone, samples = sum(sizes.values()), sum(drawn.values())
    names = [name for name in sizes if sizes[name]]
    # Each stratum's samples together stand for its share of the population.
    weights = {name: Fraction(samples * sizes[name], everyone) / drawn[name] for name in names}
    tp, fp, fn, tn = (
        sum(weights[name] * document["matrices"][name][place] for name in names) for place in range(4)
    )
    # The error rate as a mixture of the error rates of the strata.
    error_rate = sum(
        Fraction(sizes[name], everyone)
        * Fraction(document["matrices"][name][1] + document["matrices"][name][2], drawn[name])
        for name in names
    )
    return {
        "samples": str(samples),
        "population": str(everyone),
        "weights": {name: str(weight) for name, weight in weights.items()},
        "matrix": {"tp": str(tp), "fp": str(fp), "fn": str(fn), "tn": str(tn)},
        "error_rate": str(error_rate),
        "precision": share(tp, tp + fp, "no-predicted-positives"),
        "recall": share(tp, tp + fn, "no-positives"),
        "f1": share(2 * tp, 2 * tp + fp + fn, "nothing-positive"),
    }


def brute_force(document):
    """List a population in which the samples of each stratum are repeated until it has its size, and count."""
    sizes, matrices = document["populations"], document["matrices"]
    drawn = {name: sum(cells) for name, cells in matrices.items()}
    times = lcm(*drawn.values())  # a whole number of copies of everybody, so that nobody is cut in parts
    members = []
    for name, cells in matrices.items():
        copies = sizes[name] * times // drawn[name]
        members += [kind for kind, count in enumerate(cells) for _ in range(count * copies)]
    samples = sum(drawn.values())
    of_kind = [sum(member == kind for member in members) for kind in range(4)]
    tp, fp, fn, tn = of_kind
    names = ("tp", "fp", "fn", "tn")
    weights = {n: Fraction(sizes[n] * times // drawn[n] * samples, len(members)) for n in sizes}
    return {
        "samples": str(samples),
        "population": str(len(members) // times),
        "weights": {name: str(weight) for name, weight in weights.items()},
        "matrix": {
            n: str(Fraction(count * samples, len(members))) for n, count in zip(names, of_kind, strict=True)
        },
        "error_rate": str(Fraction(fp + fn, tp + fp + fn + tn)),
        "precision": str(Fraction(tp, tp + fp)) if tp + fp else "no-predicted-positives",
        "recall": str(Fraction(tp, tp + fn)) if tp + fn else "no-positives",
        "f1": str(Fraction(2 * tp, 2 * tp + fp + fn)) if tp + fp + fn else "nothing-positive",
    }


WITNESSES = {"brute-force": brute_force}
