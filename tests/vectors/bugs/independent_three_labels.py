"""A second implementation of `independent-three-labels` in fractions, for any labels and judges, and its bugs.

Roots are found by Sturm's theorem and halving, eigenvectors as columns of products of M − λ, and keys of
unidentified judges by trying all of them.
"""

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import lcm, prod


def reference(document):
    labels, judges = len(document["labels"]), document["judges"]
    counts = [int(count) for count in document["counts"]]
    if len(counts) != labels**judges:
        return {"error": "bad-votes"}
    if min(counts) < 0:
        return {"error": "bad-number"}
    if sum(counts) == 0:
        return {"error": "empty-test"}
    votes = dict(zip(product(range(labels), repeat=judges), counts, strict=True))
    why = "singular"
    for pair in combinations(range(judges), 2):
        found = solve(votes, labels, judges, pair)
        if isinstance(found, list):
            return answer("identified", *judged(votes, sorted(found, reverse=True)))
        if found == "unidentified":
            why = found
        elif found != "singular":
            return answer("none", [], {found}, [])
    return answer("family", [], family_alarms(votes, labels, why), [])


def answer(identification, components, alarms, key):
    rows = [
        {"share": str(share), "rates": [[str(rate) for rate in row] for row in rates]}
        for share, *rates in components
    ]
    return {
        "identification": identification,
        "components": rows,
        "alarms": sorted(alarms),
        "key_exists": not alarms,
        "key": key,
    }


def judged(votes, components):
    size = sum(votes.values())
    numbers = [n for share, *rates in components for n in (share, *(rate for row in rates for rate in row))]
    alarms = {"out-of-range"} if any(not 0 <= number <= 1 for number in numbers) else set()
    parts = [
        [size * share * prod(row[k] for row, k in zip(rates, v, strict=True)) for v in votes]
        for share, *rates in components
    ]
    expected = [sum(numbers) for numbers in zip(*parts, strict=True)]
    if any(seen and seen != sum_of for seen, sum_of in zip(votes.values(), expected, strict=True)):
        alarms.add("not-reproduced")
    if not alarms and any(number.denominator != 1 for part in parts for number in part):
        alarms.add("not-whole")
    return components, alarms, [] if alarms else [[int(number) for number in part] for part in parts]


# -- rates -------------------------------------------------------------------------------------------


def solve(votes, labels, judges, pair):
    """The components (share, rates of judge 1, …), or the kind of the alarm."""
    p, q = pair
    size = sum(votes.values())
    whole = table(votes, labels, p, q)
    backwards = inverse(whole)
    if backwards is None:
        return "singular"
    others = [judge for judge in range(judges) if judge not in pair]
    matrices = {}
    for r in others:
        for k in range(labels):
            part = table({v: count for v, count in votes.items() if v[r] == k}, labels, p, q)
            matrices[r, k] = times(part, backwards)
    for left, right in combinations(matrices.values(), 2):
        if times(left, right) != times(right, left):
            return "not-commuting"
    vectors = eigenvectors(list(matrices.values()), labels)
    if isinstance(vectors, str):
        return vectors
    back = inverse([list(row) for row in zip(*vectors, strict=True)])
    weighted = [[x / size for x in row] for row in times(back, whole)]
    if not all(map(sum, weighted)):
        return "zero-prevalence"
    components = []
    for place, vector in enumerate(vectors):
        share = sum(weighted[place])
        rates = {p: vector, q: [x / share for x in weighted[place]]}
        for r in others:
            rates[r] = [eigenvalue(matrices[r, k], vector) for k in range(labels)]
        components.append([share, *(rates[judge] for judge in range(judges))])
    return components


def table(votes, labels, p, q):
    found = [[Fraction(0)] * labels for _ in range(labels)]
    for v, count in votes.items():
        found[v[p]][v[q]] += count
    return found


def eigenvalue(matrix, vector):
    """A vector of sum 1 makes it simple: the sum of M·u is the eigenvalue."""
    return sum(sum(x * y for x, y in zip(row, vector, strict=True)) for row in matrix)


def eigenvectors(matrices, labels):
    for t in range(1, len(matrices) * labels * (labels - 1) // 2 + 1):
        mixed = [
            [sum(t**m * matrix[i][j] for m, matrix in enumerate(matrices)) for j in range(labels)]
            for i in range(labels)
        ]
        polynomial = characteristic(mixed)
        simple = divided(polynomial, common(polynomial, derivative(polynomial)))
        roots = rational_roots(simple)
        if isinstance(roots, str):
            return roots
        if len(roots) < labels:
            if any(map(any, without(mixed, roots))):
                return "not-diagonalisable"
            continue
        found = []
        for root in roots:
            rest = without(mixed, [other for other in roots if other != root])
            vector = next(column for column in zip(*rest, strict=True) if any(column))
            if sum(vector) == 0:
                return "contradiction"
            found.append([x / sum(vector) for x in vector])
        return found
    return "unidentified"


def without(matrix, roots):
    """The product of M − λ over some λ."""
    size = len(matrix)
    found = [[Fraction(i == j) for j in range(size)] for i in range(size)]
    for root in roots:
        shifted = [[x - root * (i == j) for j, x in enumerate(row)] for i, row in enumerate(matrix)]
        found = times(found, shifted)
    return found


def times(left, right):
    return [
        [sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*right, strict=True)]
        for row in left
    ]


def inverse(matrix):
    size = len(matrix)
    rows = [
        [Fraction(x) for x in row] + [Fraction(i == j) for j in range(size)] for i, row in enumerate(matrix)
    ]
    for column in range(size):
        pivot = next((i for i in range(column, size) if rows[i][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for i in range(size):
            if i != column:
                factor = rows[i][column]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[column], strict=True)]
    return [row[size:] for row in rows]


# -- polynomials, highest coefficient first ----------------------------------------------------------


def characteristic(matrix):
    """By the method of Faddeev and LeVerrier."""
    size = len(matrix)
    coefficients, current = [Fraction(1)], [[Fraction(0)] * size for _ in range(size)]
    for k in range(1, size + 1):
        shifted = [
            [x + coefficients[-1] * (i == j) for j, x in enumerate(row)] for i, row in enumerate(current)
        ]
        current = times(matrix, shifted)
        coefficients.append(-sum(current[i][i] for i in range(size)) / k)
    return coefficients


def derivative(polynomial):
    degree = len(polynomial) - 1
    return [c * (degree - place) for place, c in enumerate(polynomial[:-1])]


def division(left, right):
    quotient, rest = [], list(left)
    while len(rest) >= len(right):
        factor = rest[0] / right[0]
        quotient.append(factor)
        padded = [*right, *[0] * (len(rest) - len(right))]
        rest = [x - factor * y for x, y in zip(rest, padded, strict=True)][1:]
    while rest and rest[0] == 0:
        rest = rest[1:]
    return quotient, rest


def divided(left, right):
    return division(left, right)[0]


def common(left, right):
    while right:
        left, right = right, division(left, right)[1]
    return left


def value(polynomial, x):
    total = Fraction(0)
    for c in polynomial:
        total = total * x + c
    return total


def rational_roots(polynomial):
    """The roots of a polynomial without multiple roots, or the kind of its other roots."""
    monic = [c / polynomial[0] for c in polynomial]
    scale = lcm(*(c.denominator for c in monic))
    # y = scale·x makes the coefficients whole, so that rational roots y are whole numbers.
    whole = [c * scale**place for place, c in enumerate(monic)]
    chain = [whole, derivative(whole)]
    while len(chain[-1]) > 1:
        chain.append([-c for c in division(chain[-2], chain[-1])[1]])

    def below(x):
        """How often the signs in the chain change: the difference of two is the number of roots between."""
        signs = [v > 0 for v in (value(p, x) for p in chain) if v]
        return sum(a != b for a, b in pairwise(signs))

    bound = 1 + max(map(abs, whole))
    todo, found, real = [(-bound, bound)], [], 0
    while todo:
        low, high = todo.pop()
        inside = below(low) - below(high)  # the roots in (low, high]
        if not inside:
            continue
        if high - low <= 1:
            real += inside
            found += [Fraction(high, scale)] if value(whole, high) == 0 else []
            continue
        middle = (low + high) // 2
        todo += [(low, middle), (middle, high)]
    if real < len(whole) - 1:
        return "complex-roots"
    return found if len(found) == real else "irrational-roots"


# -- judges who are not identified -------------------------------------------------------------------


def family_alarms(votes, labels, why):
    if key_exists(votes, labels):
        return set()
    if labels > 2:
        return {"no-key-in-family", why}
    size = sum(votes.values())

    def share(*judges):
        return Fraction(sum(c for v, c in votes.items() if all(v[judge] for judge in judges)), size)

    telling = sum(
        share(i, j) != share(i) * share(j) for i, j in combinations(range(len(next(iter(votes)))), 2)
    )
    return {why, "contradiction" if telling > 1 else "not-reproduced"}


def key_exists(votes, labels):
    """Try all ways to give the questions of each pattern true labels."""
    seen = [(v, count) for v, count in votes.items() if count]
    ways = product(*(list(splits(count, labels)) for _, count in seen))
    return any(
        all(
            is_product({v: split[label] for (v, _), split in zip(seen, way, strict=True)})
            for label in range(labels)
        )
        for way in ways
    )


def splits(count, parts):
    if parts == 1:
        return [(count,)]
    return [(first, *rest) for first in range(count + 1) for rest in splits(count - first, parts - 1)]


def is_product(part):
    size, judges = sum(part.values()), len(next(iter(part)))
    given = [{} for _ in range(judges)]
    for v, count in part.items():
        for judge, k in enumerate(v):
            given[judge][k] = given[judge].get(k, 0) + count
    return all(
        part.get(v, 0) * size ** (judges - 1) == prod(given[judge][k] for judge, k in enumerate(v))
        for v in product(*given)
    )
