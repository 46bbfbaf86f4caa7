"""Witnesses of `importance-weights` besides the JavaScript runner."""

from fractions import Fraction
from math import lcm


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
