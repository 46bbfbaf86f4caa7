"""A second implementation of `paired-decision` from differences of questions, and the bugs that must be caught in it.

The variance of a mean of differences needs no covariance: it is taken from the differences themselves.
"""

from fractions import Fraction

from tests.vectors.bugs.shared.metric_model import metric_of, whole

READINGS = ("deterministic", "printed", "real-share", "estimator", "given-labels", "estimated-rates")


def metrics_of(document):
    """The metric models of control and treatment, and whether their rates err in common."""
    metrics, said = [metric_of(one) for one in document["metrics"]], document["same_labelled_set"]
    if len(metrics) == 1 and said is not False:
        return metrics[0], metrics[0], True
    if len(metrics) != 2 or (said and metrics[0] != metrics[1]):
        raise ValueError
    return metrics[0], metrics[1], bool(said)


def questions(document, control, treatment):
    """The pairs of classes with how often they occur."""
    joint = [[whole(count) for count in row] for row in document["joint"]]
    if len(joint) != len(control) or any(len(row) != len(treatment) for row in joint):
        raise ValueError
    return [(x, y, count) for x, row in enumerate(joint) for y, count in enumerate(row)]


def spread(cells, left, right):
    """From all pairs of questions: the unbiased covariance of two means."""
    n = sum(cell[2] for cell in cells)
    total = Fraction(0)
    for place, one in enumerate(cells):
        for other in cells[:place]:
            total += one[2] * other[2] * (left(one) - left(other)) * (right(one) - right(other))
    return total / (n * n * (n - 1))


def left_to_chance(cells, metric, side):
    return sum(cell[2] * metric[cell[side]][0] * (1 - metric[cell[side]][0]) for cell in cells)


def shares(cells, side, classes, n):
    return [Fraction(sum(cell[2] for cell in cells if cell[side] == place), n) for place in range(classes)]


def decide(f, variance, z, ends):
    ratio = f * f - z * z * variance
    if f == 0 or ratio < 0 or (ratio == 0 and ends == "closed"):
        return "not-shown"
    return "lower" if f < 0 else "higher"


def answer(document):
    control, treatment, one_set = metrics_of(document)
    cells, z = questions(document, control, treatment), Fraction(document["z"])
    n = sum(cell[2] for cell in cells)
    if n == 0:
        return {"error": "empty-test"}
    if n == 1 or z <= 0:
        raise ValueError
    if document["ends"] not in ("open", "closed"):
        return {"error": "bad-choice"}

    def said(cell):
        return treatment[cell[1]][2] - control[cell[0]][2]

    def real(cell):
        return treatment[cell[1]][0] - control[cell[0]][0]

    rates = spread(cells, lambda cell: control[cell[0]][0], lambda cell: treatment[cell[1]][0])
    labels = spread(cells, lambda cell: control[cell[0]][2], lambda cell: treatment[cell[1]][2])
    chance = left_to_chance(cells, control, 0) + left_to_chance(cells, treatment, 1)
    of_control, of_treatment = shares(cells, 0, len(control), n), shares(cells, 1, len(treatment), n)
    in_common = common = Fraction(0)
    if one_set:
        common = sum(c * t * v for c, t, (_, v, _) in zip(of_control, of_treatment, control, strict=True))
        in_common = sum(
            (c - t) ** 2 * v for c, t, (_, v, _) in zip(of_control, of_treatment, control, strict=True)
        )
    else:
        in_common += sum(c * c * v for c, (_, v, _) in zip(of_control, control, strict=True))
        in_common += sum(t * t * v for t, (_, v, _) in zip(of_treatment, treatment, strict=True))
    between = spread(cells, real, real)
    covariances = (labels, rates, rates, rates, Fraction(0), rates + common)
    variances = (
        spread(cells, said, said),
        between + chance / (n * (n - 1)),
        between + chance / n**2,
        between,
        chance / n**2,
        between + in_common,
    )
    f = Fraction(sum(count * said((x, y)) for x, y, count in cells), n)
    m = Fraction(sum(count * real((x, y)) for x, y, count in cells), n)
    asked = [("deterministic", f, "observed"), ("printed", f, "observed")]
    asked += [(name, m, "real") for name in READINGS[1:]]
    by_name = dict(zip(READINGS, variances, strict=True))
    return {
        "observed_difference": str(f),
        "real_difference": str(m),
        "covariances": {name: str(value) for name, value in zip(READINGS, covariances, strict=True)},
        "variances": {name: str(value) for name, value in by_name.items()},
        "decisions": {
            f"{name}/{around}": decide(centre, by_name[name], z, document["ends"])
            for name, centre, around in asked
        },
    }


def reference(document):
    try:
        return answer(document)
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
