"""A witness of `fisher-test` besides the JavaScript runner."""

from fractions import Fraction
from math import comb


def scipy(document):
    """Each p-value is a whole number of parts of C(N, n), and these are not too small to tell apart."""
    from scipy.stats import fisher_exact

    (a, m), (b, n) = (
        [int(Fraction(number)) for number in document[name]] for name in ("control", "treatment")
    )
    table, parts = [[b, n - b], [a, m - a]], comb(m + n, n)
    found = {}
    for name, way in (("two_sided", "two-sided"), ("higher", "greater"), ("lower", "less")):
        value = Fraction(float(fisher_exact(table, alternative=way).pvalue))
        found[name] = Fraction(round(value * parts), parts)
    shown = "not-shown" if found["two_sided"] > Fraction(1, 20) else "higher" if b * m > a * n else "lower"
    return {**{name: str(value) for name, value in found.items()}, "decision": shown}


WITNESSES = {"scipy": scipy}
