"""A second implementation of `trio-postulates`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from itertools import product

from tests.vectors.bugs.shared.points import refusal

PATTERNS = list(product("ab", repeat=3))
SUBSETS = ((0, 1), (0, 2), (1, 2), (0, 1, 2))


class Root:
    """u + w√d; d is 0 in a number that is rational, and the d of the input in all others."""

    def __init__(self, u, w=0, d=0):
        self.u, self.w, self.d = Fraction(u), Fraction(w), d

    def __add__(self, other):
        return Root(self.u + other.u, self.w + other.w, self.d or other.d)

    def __sub__(self, other):
        return Root(self.u - other.u, self.w - other.w, self.d or other.d)

    def __mul__(self, other):
        d = self.d or other.d
        return Root(self.u * other.u + self.w * other.w * d, self.u * other.w + self.w * other.u, d)

    def __eq__(self, other):
        return (self.u, self.w) == (other.u, other.w)

    __hash__ = None

    def written(self):
        if self.w == 0:
            return str(self.u)
        return {"rational": str(self.u), "coefficient": str(self.w), "radicand": str(self.d)}


ONE = Root(1)


def read(number):
    if number is None:
        return None
    if isinstance(number, dict):
        return Root(number["rational"], number["coefficient"], int(number["radicand"]))
    return Root(number)


def point(document):
    """For each label: P, the accuracies of three judges, and four correlations."""
    if "rates" in document:
        rates = document["rates"]
        return [
            [read(n) for n in (prevalence, *accuracies, *correlations)]
            for prevalence, accuracies, correlations in zip(
                rates["prevalence"],
                zip(*rates["accuracies"], strict=True),
                rates["correlations"],
                strict=True,
            )
        ]
    total = sum(map(sum, document["key"]))
    found = []
    for label, counts in zip("ab", document["key"], strict=True):
        size = sum(counts)
        share = Root(Fraction(size, total))
        found.append([share, *([None] * 7 if size == 0 else graded(label, counts, size))])
    return found


def graded(label, counts, size):
    """Accuracies, and the mean products of what is left of right answers without them."""
    right = [[v[m] == label for m in range(3)] for v in PATTERNS]
    accuracy = [
        Fraction(sum(n for n, hits in zip(counts, right, strict=True) if hits[m]), size) for m in range(3)
    ]
    correlations = []
    for subset in SUBSETS:
        total = Fraction(0)
        for n, hits in zip(counts, right, strict=True):
            term = Fraction(n)
            for m in subset:
                term *= hits[m] - accuracy[m]
            total += term
        correlations.append(total / size)
    return [Root(number) for number in (*accuracy, *correlations)]


def share_of(pattern, label, numbers):
    """P_l times the share of a pattern among the questions of l, by inclusion and exclusion.

    The judges that answer l are right; those that do not are wrong: 1 − right, multiplied out.
    """
    prevalence, *accuracy = numbers[:4]
    correlation = dict(zip(SUBSETS, numbers[4:], strict=True))
    right = [m for m in range(3) if pattern[m] == label]
    wrong = [m for m in range(3) if pattern[m] != label]
    total = Root(0)
    for signs in product((0, 1), repeat=len(wrong)):
        members = sorted(right + [m for m, sign in zip(wrong, signs, strict=True) if sign])
        term = all_right(members, accuracy, correlation)
        total = total - term if sum(signs) % 2 else total + term
    return prevalence * total


def all_right(members, accuracy, correlation):
    """The share of the questions on which some judges are all right."""
    total = ONE
    for m in members:
        total = total * accuracy[m]
    for subset in SUBSETS:
        if set(subset) <= set(members):
            term = correlation[subset]
            for m in members:
                if m not in subset:
                    term = term * accuracy[m]
            total = total + term
    return total


def values(frequencies, numbers):
    of_a, of_b = numbers[:8], numbers[8:]
    out = [of_a[0] + of_b[0] - ONE]
    for pattern, f in zip(PATTERNS, frequencies, strict=True):
        out.append(f - share_of(pattern, "a", of_a) - share_of(pattern, "b", of_b))
    return out


def reference(document):
    refused = refusal(document)
    if refused:
        return refused
    size = sum(document["counts"])
    frequencies = [Root(Fraction(count, size)) for count in document["counts"]]
    numbers = [number for part in point(document) for number in part]
    found = distinct(frequencies, numbers)
    names = ("5", *(f"f({','.join(v)})" for v in PATTERNS))
    out = {
        name: "undefined" if value is None else value.written()
        for name, value in zip(names, found, strict=True)
    }
    out["38"] = str(Fraction(sum(document["counts"]), size) - 1)
    return {"residuals": out, "on": all(value == "0" for value in out.values())}


def distinct(frequencies, numbers):
    """Undefined rates may have any value: where a postulate depends on them, other values give another result."""
    free = [place for place, number in enumerate(numbers) if number is None]
    found = None
    for choice in ((0,) * 16, (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53), (1,) * 16):
        filled = list(numbers)
        for place in free:
            filled[place] = Root(choice[place])
        here = values(frequencies, filled)
        if found is None:
            found = here
        found = [
            one if one is not None and one == other else None for one, other in zip(found, here, strict=True)
        ]
        if not free:
            break
    return found


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
