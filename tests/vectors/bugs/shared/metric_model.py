"""Metric models, as several second implementations read them."""

from fractions import Fraction


def whole(value):
    number = Fraction(value)
    if number.denominator != 1 or number < 0:
        raise ValueError
    return int(number)


def metric_of(metric):
    """For each class its rate, the variance of it, and whether it counts as positive."""
    if "tp" in metric:
        tp, fp, fn, tn = (whole(metric[name]) for name in ("tp", "fp", "fn", "tn"))
        return [
            (Fraction(real, n), Fraction(real * (n - real), n * n * (n - 1)), said)
            for real, n, said in ((fn, fn + tn, 0), (tp, tp + fp, 1))
        ]
    if not len(metric["rates"]) == len(metric["variances"]) == len(metric["positive"]) > 1:
        raise ValueError
    classes = [
        (Fraction(rate), Fraction(variance), int(said))
        for rate, variance, said in zip(metric["rates"], metric["variances"], metric["positive"], strict=True)
    ]
    if any(not 0 <= rate <= 1 or variance < 0 for rate, variance, _ in classes):
        raise ValueError
    return classes
