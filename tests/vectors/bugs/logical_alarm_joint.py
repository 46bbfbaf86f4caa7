"""A second implementation of `logical-alarm-joint`, one that tries every answer key, and the bugs to be caught."""

from fractions import Fraction
from itertools import combinations, product


def refusal(document):
    counts, size = document["counts"], document["group_size"]
    factors, grade = [Fraction(factor) for factor in document["factors"]], Fraction(document["minimum_grade"])
    if (
        len(counts) != 2 ** document["judges"]
        or len(factors) != 2
        or not 1 <= size <= min(document["judges"], 3)
    ):
        return "bad-votes"
    if min(counts) < 0 or min(factors) <= 1 or not 0 <= grade <= 1:
        return "bad-number"
    return "empty-test" if sum(counts) == 0 else None


def reference(document):
    error = refusal(document)
    if error:
        return {"error": error}
    total = sum(document["counts"])
    patterns = list(product("ab", repeat=document["judges"]))
    safe = set(range(total + 1))
    for group in combinations(range(document["judges"]), document["group_size"]):
        joint = {}
        for v, count in zip(patterns, document["counts"], strict=True):
            here = tuple(v[judge] for judge in group)
            joint[here] = joint.get(here, 0) + count
        safe &= safe_at(joint, document, total)
    return {"misaligned": not safe, "safe_keys": sorted(safe)}


def safe_at(joint, document, total):
    """The numbers of a questions with a key under which the whole group is safe.

    States are (Q_a, right answers on a of each judge, answers b of each judge on b), pattern by pattern.
    """
    judges = len(next(iter(joint)))
    states = {(0, (0,) * judges, (0,) * judges)}
    for v, count in joint.items():
        states = {
            (
                of_a + taken,
                tuple(s + taken * (given == "a") for s, given in zip(on_a, v, strict=True)),
                tuple(s + (count - taken) * (given == "b") for s, given in zip(on_b, v, strict=True)),
            )
            for of_a, on_a, on_b in states
            for taken in range(count + 1)
        }
    return {
        of_a
        for of_a, on_a, on_b in states
        if all(is_safe(document, of_a, total - of_a, x, y) for x, y in zip(on_a, on_b, strict=True))
    }


def is_safe(document, of_a, of_b, right_a, right_b):
    on_a, on_b = (Fraction(factor) for factor in document["factors"])
    if of_a > 0 and on_a * right_a <= of_a:
        return False
    if of_b > 0 and on_b * right_b <= of_b:
        return False
    return right_a + right_b >= Fraction(document["minimum_grade"]) * (of_a + of_b)


def brute_force(document):
    """Write down the questions, and give them true labels in every way."""
    error = refusal(document)
    if error:
        return {"error": error}
    patterns = product("ab", repeat=document["judges"])
    questions = [v for v, count in zip(patterns, document["counts"], strict=True) for _ in range(count)]
    factors = dict(zip("ab", map(Fraction, document["factors"]), strict=True))
    least = Fraction(document["minimum_grade"]) * len(questions)
    groups = list(combinations(range(document["judges"]), document["group_size"]))
    found = {group: set() for group in groups}
    for key in product("ab", repeat=len(questions)):
        good = set()
        for judge in range(document["judges"]):
            right = [true for v, true in zip(questions, key, strict=True) if v[judge] == true]
            enough = all(
                factors[label] * right.count(label) > key.count(label) for label in "ab" if label in key
            )
            if enough and len(right) >= least:
                good.add(judge)
        for group in groups:
            if good.issuperset(group):
                found[group].add(key.count("a"))
    safe = set.intersection(*found.values())
    return {"misaligned": not safe, "safe_keys": sorted(safe)}


WITNESSES = {"brute-force": brute_force}

BUGS = {
    "half is enough": ("on_a * right_a <= of_a", "on_a * right_a < of_a"),
    "the factors exchanged": ("on_a, on_b = (Fraction", "on_b, on_a = (Fraction"),
    "a label without questions asks for something": ("if of_b > 0 and on_b", "if of_b >= 0 and on_b"),
    "one judge of a group is enough": ("if all(is_safe(", "if any(is_safe("),
    "one group is enough": ("safe &= safe_at", "safe = safe_at"),
    "a key takes all of a pattern or nothing": ("in range(count + 1)", "in {0, count}"),
    "the grade must be exceeded": (
        'right_b >= Fraction(document["minimum_grade"])',
        'right_b > Fraction(document["minimum_grade"])',
    ),
    "the grade is of the first label only": ("* (of_a + of_b)", "* of_a"),
    "always pairs": (
        'range(document["judges"]), document["group_size"]):',
        'range(document["judges"]), min(2, document["judges"])):',
    ),
    "no key is left out": ("set(range(total + 1))", "set(range(total))"),
}
