"""A second implementation of `real-rate`, and the bugs that the vectors must catch in it."""

from fractions import Fraction


def whole(value):
    number = Fraction(value)
    if number.denominator != 1 or number < 0:
        raise ValueError
    return int(number)


def labelled_set(metric):
    """The outputs of the labelled set one by one, in the two classes: 1 if it is really positive."""
    tp, fp, fn, tn = (whole(metric[name]) for name in ("tp", "fp", "fn", "tn"))
    classes = [[1] * fn + [0] * tn, [1] * tp + [0] * fp]
    rates, variances = [], []
    for reals in classes:
        if len(reals) < 2:
            raise ValueError
        mean = Fraction(sum(reals), len(reals))
        spread = sum((real - mean) ** 2 for real in reals) / (len(reals) - 1)
        rates.append(mean)
        variances.append(spread / len(reals))
    return rates, variances, [False, True]


def given(metric):
    rates = [Fraction(rate) for rate in metric["rates"]]
    variances = [Fraction(variance) for variance in metric["variances"]]
    positive = metric["positive"]
    if not len(rates) == len(variances) == len(positive) or len(rates) < 2:
        raise ValueError
    if min(rates) < 0 or max(rates) > 1 or min(variances) < 0:
        raise ValueError
    return rates, variances, positive


def answer(document):
    metric = document["metric"]
    rates, variances, positive = labelled_set(metric) if "tp" in metric else given(metric)
    counts = [whole(count) for count in document["counts"]]
    if len(counts) != len(rates):
        raise ValueError
    size = sum(counts)
    if size == 0:
        return {"error": "empty-test"}
    if size < 2:
        raise ValueError
    really = sum(count * rate for count, rate in zip(counts, rates, strict=True))
    return {
        "rates": [str(rate) for rate in rates],
        "rate_variances": [str(variance) for variance in variances],
        "observed_rate": str(
            Fraction(sum(c for c, said in zip(counts, positive, strict=True) if said), size)
        ),
        "real_rate": str(Fraction(really, size)),
        "slope": str(rates[1] - rates[0]) if positive == [False, True] else "no-slope",
    }


def reference(document):
    try:
        return answer(document)
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
