"""Witnesses of `single-postulates` besides the JavaScript runner."""

from fractions import Fraction

from tests.vectors.bugs.shared.points import refusal


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
