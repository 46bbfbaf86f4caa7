"""Witnesses of `trio-postulates` besides the JavaScript runner."""

from fractions import Fraction
from itertools import product

from tests.vectors.bugs.shared.points import refusal

PATTERNS = list(product("ab", repeat=3))


def brute_force(document):
    """The postulate of a pattern at a key is the share of the votes minus the share of the key's questions."""
    refused = refusal(document)
    if refused:
        return refused
    of_a, of_b = document["key"]
    size, total = sum(document["counts"]), sum(of_a) + sum(of_b)
    out = {"5": "0", "38": "0"}
    for v, count, a, b in zip(PATTERNS, document["counts"], of_a, of_b, strict=True):
        out[f"f({','.join(v)})"] = str(Fraction(count, size) - Fraction(a + b, total))
    return {"residuals": out, "on": all(value == "0" for value in out.values())}


WITNESSES = {"brute-force": brute_force}
