"""A witness of `mcnemar-test` besides the JavaScript runner."""

from fractions import Fraction


def scipy(document):
    """Each p-value is a whole number of parts of 2^(n + 1)."""
    from scipy.stats import binom, binomtest

    c, t = (int(Fraction(document[name])) for name in ("control_only", "treatment_only"))
    n = c + t
    if not n:
        tails = {"two_sided": 1.0, "higher": 1.0, "lower": 1.0}
    else:
        ways = (("two_sided", "two-sided"), ("higher", "less"), ("lower", "greater"))
        tails = {name: binomtest(c, n, alternative=way).pvalue for name, way in ways}

    def exact(value):
        return Fraction(round(Fraction(float(value)) * 2 ** (n + 1)), 2 ** (n + 1))

    half = exact(binom.pmf(c, n, 0.5)) / 2
    found = {name: exact(value) for name, value in tails.items()}
    doubled = 2 * min(found["higher"], found["lower"])
    mid = {name: found[name] - half for name in ("higher", "lower")} | {
        "two_sided": min(Fraction(1), doubled - 2 * half)
    }
    return {
        form: {name: str(value) for name, value in values.items()}
        for form, values in (("exact", found), ("mid", mid))
    }


WITNESSES = {"scipy": scipy}
