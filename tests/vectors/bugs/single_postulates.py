"""A second implementation of `single-postulates`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from itertools import product

from tests.vectors.bugs.shared.points import refusal


def point(document):
    """P_a, P_b, x, y; None where undefined."""
    if "rates" in document:
        rates = document["rates"]
        numbers = [*rates["prevalence"], *rates["accuracies"][0]]
        return [None if number is None else Fraction(number) for number in numbers]
    (aa, ab), (ba, bb) = document["key"]
    total = aa + ab + ba + bb
    x = Fraction(aa, aa + ab) if aa + ab else None
    y = Fraction(bb, ba + bb) if ba + bb else None
    return [Fraction(aa + ab, total), Fraction(ba + bb, total), x, y]


def in_rates(f_a, p_a, p_b, x, y):
    f_b = 1 - f_a
    wrong_b = 1 - y
    return {
        "5": p_a + p_b - 1,
        "14": f_a - p_a * x - p_b * wrong_b,
        "15": f_b - p_a * (1 - x) - p_b * y,
        "16": p_a * (x - f_a) - p_b * (y - f_b),
    }


def settled(f_a, numbers):
    """An undefined rate may have any value: all postulates are linear in it, so that two values will do."""
    choices = [(Fraction(0), Fraction(1)) if number is None else (number,) for number in numbers]
    found = [in_rates(f_a, *choice) for choice in product(*choices)]
    return {
        name: str(value) if all(other[name] == value for other in found) else "undefined"
        for name, value in found[0].items()
    }


def reference(document):
    refused = refusal(document)
    if refused:
        return refused
    r_a, r_b = document["counts"]
    out = settled(Fraction(r_a, r_a + r_b), point(document))
    if "key" in document:
        (aa, ab), (ba, bb) = document["key"]
        out["1"] = str(aa + ab + ba + bb - r_a - r_b)
        out["11"] = str(r_a - aa - ba)
        out["12"] = str(r_b - ab - bb)
        out["16R"] = str(aa - bb - r_a + ba + bb)
    return {"residuals": out, "on": all(value == "0" for value in out.values())}


def brute_force(document):
    """Write every question of the key down: a postulate in rates is the votes' share minus that of the questions."""
    refused = refusal(document)
    if refused:
        return refused
    rows = [
        (truth, given)
        for truth, counts in zip("ab", document["key"], strict=True)
        for given, count in zip("ab", counts, strict=True)
        for _ in range(count)
    ]
    votes = [given for given, count in zip("ab", document["counts"], strict=True) for _ in range(count)]

    def excess(given):
        return Fraction(votes.count(given), len(votes)) - Fraction(
            sum(seen == given for _, seen in rows), len(rows)
        )

    missing = {given: votes.count(given) - sum(seen == given for _, seen in rows) for given in "ab"}
    share = {given: Fraction(votes.count(given), len(votes)) for given in "ab"}
    surplus = Fraction(0)
    for truth, given in rows:  # each question counts (right or not) minus the share of such votes
        side = 1 if truth == "a" else -1
        surplus += side * ((given == truth) - share[truth])
    questions_b = sum(truth == "b" for truth, _ in rows)
    right = {label: sum(truth == given == label for truth, given in rows) for label in "ab"}
    out = {
        "5": "0",
        "14": str(excess("a")),
        "15": str(excess("b")),
        "16": str(surplus / len(rows)),
        "1": str(len(rows) - len(votes)),
        "11": str(missing["a"]),
        "12": str(missing["b"]),
        "16R": str(right["a"] - right["b"] - votes.count("a") + questions_b),
    }
    return {"residuals": out, "on": all(value == "0" for value in out.values())}


WITNESSES = {"brute-force": brute_force}
