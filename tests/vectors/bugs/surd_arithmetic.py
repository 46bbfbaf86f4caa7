"""A second implementation of `surd-arithmetic`, and the bugs that the vectors must catch in it.

A number is kept as (a, s, n): it is a + s·√n with a rational n, which may be negative, and s = −1, 0 or 1; s is 0 if
the root is rational.
"""

from fractions import Fraction
from math import isqrt


def read(number):
    if isinstance(number, str):
        return Fraction(number), 0, Fraction(0)
    a, b, d = (Fraction(number[name]) for name in ("rational", "coefficient", "radicand"))
    if d.denominator != 1:
        raise ValueError(d)
    return canonical(a, (b > 0) - (b < 0), b * b * d)


def root_of(n):
    """The rational root of n, or None."""
    if n < 0:
        return None
    top, bottom = isqrt(n.numerator), isqrt(n.denominator)
    return Fraction(top, bottom) if Fraction(top * top, bottom * bottom) == n else None


def canonical(a, s, n):
    root = root_of(n)
    if root is None and s:
        return a, s, n
    return (a if root is None else a + s * root), 0, Fraction(0)


def written(number):
    a, s, n = number
    if s == 0:
        return str(a)
    # √(p/q) = √(pq)/q
    return {
        "rational": str(a),
        "coefficient": str(Fraction(s, n.denominator)),
        "radicand": str(n.numerator * n.denominator),
    }


def negative(number):
    return -number[0], -number[1], number[2]


def ratio_of(left, right):
    """The rational √m/√n of two irrational roots, or None."""
    return root_of(right[2] / left[2])


def add(left, right):
    if left[1] == 0 or right[1] == 0:
        return left[0] + right[0], left[1] + right[1], left[2] + right[2]
    ratio = ratio_of(left, right)
    if ratio is None:
        return None
    factor = left[1] + right[1] * ratio
    return canonical(left[0] + right[0], (factor > 0) - (factor < 0), factor * factor * left[2])


def scaled(number, factor):
    sign = (factor > 0) - (factor < 0)
    return canonical(number[0] * factor, number[1] * sign, number[2] * factor * factor)


def multiply(left, right):
    if left[1] == 0 or right[1] == 0:
        return scaled(left, right[0]) if right[1] == 0 else scaled(right, left[0])
    roots = left[1] * right[1]
    if ratio_of(left, right) is None:
        if left[0] or right[0]:
            return None
        both = left[2] < 0 and right[2] < 0
        return canonical(Fraction(0), -roots if both else roots, left[2] * right[2])
    # √m·√n = m·(√n/√m), and the cross terms lie in one field.
    rational = left[0] * right[0] + roots * left[2] * ratio_of(left, right)
    cross = add(canonical(Fraction(0), right[1], right[2]), (Fraction(0), 0, Fraction(0)))
    first = scaled(cross, left[0])
    second = scaled((Fraction(0), left[1], left[2]), right[0])
    return add((rational, 0, Fraction(0)), add(first, second))


def divide(left, right):
    a, s, n = right
    norm = a * a - (n if s else 0)
    if norm == 0:
        return "division-by-zero"
    return multiply(left, scaled((a, -s, n), 1 / norm))


def floor_of(number, digits):
    """The largest whole number that is not greater than 10^digits times the number."""
    a, s, n = number
    scale = 10**digits
    q = a.denominator * n.denominator
    p = a * q * scale
    root = isqrt(n.numerator * n.denominator * a.denominator**2 * scale**2)
    if s < 0:
        root = -root - 1
    return (p.numerator + (root if s else 0)) // q


def compare(left, right):
    if (left[0], left[1], left[2] * abs(left[1])) == (right[0], right[1], right[2] * abs(right[1])):
        return 0
    digits = 4
    while digits < 1000 and abs(floor_of(left, digits) - floor_of(right, digits)) < 2:
        digits *= 2
    return 1 if floor_of(left, digits) > floor_of(right, digits) else -1


def is_real(number):
    return number[1] == 0 or number[2] > 0


def sign_of(number):
    if not is_real(number):
        return "imaginary"
    return str(compare(number, (Fraction(0), 0, Fraction(0))))


def told(number):
    if number is None:
        return "not-a-surd"
    return number if isinstance(number, str) else written(number)


def reference(document):
    try:
        left, right = read(document["left"]), read(document["right"])
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    real = is_real(left) and is_real(right)
    return {
        "left": written(left),
        "right": written(right),
        "sum": told(add(left, right)),
        "difference": told(add(left, negative(right))),
        "product": told(multiply(left, right)),
        "quotient": told(divide(left, right)),
        "signs": [sign_of(left), sign_of(right)],
        "floors": [str(floor_of(n, 0)) if is_real(n) else "imaginary" for n in (left, right)],
        "equal": left == right,
        "order": {-1: "less", 0: "equal", 1: "greater"}[compare(left, right)] if real else "imaginary",
    }


def with_flint(document):
    """a + b√d acts on Q(√d) as the matrix ((a, bd), (b, a)); signs and floors come from balls of real numbers."""
    import flint

    parts = []
    for number in (document["left"], document["right"]):
        whole = (
            number if isinstance(number, dict) else {"rational": number, "coefficient": "0", "radicand": None}
        )
        parts.append(whole)
    d = next(int(part["radicand"]) for part in parts if Fraction(part["coefficient"]))

    def rational(text):
        number = Fraction(text)
        return flint.fmpq(number.numerator, number.denominator)

    numbers = []
    for part in parts:
        a, b = rational(part["rational"]), rational(part["coefficient"])
        numbers.append(flint.fmpq_mat([[a, b * d], [b, a]]))

    def text(matrix):
        if matrix[1, 0] == 0:
            return str(matrix[0, 0])
        return {"rational": str(matrix[0, 0]), "coefficient": str(matrix[1, 0]), "radicand": str(d)}

    def floor_and_sign(matrix):
        a, b = matrix[0, 0], matrix[1, 0]
        if b == 0:
            sign = (a > 0) - (a < 0)
            return str(a.floor()), sign
        if d < 0:
            return "imaginary", "imaginary"
        with flint.ctx.workprec(400):
            value = flint.arb(a) + flint.arb(b) * flint.arb(d).sqrt()
            return str(value.floor().unique_fmpz()), 1 if value > 0 else -1

    left, right = numbers
    difference = left - right
    quotient = "division-by-zero" if right.det() == 0 else text(left * right.inv())
    floors, signs = zip(*map(floor_and_sign, numbers), strict=True)
    order = "imaginary"
    if "imaginary" not in signs:
        order = {-1: "less", 0: "equal", 1: "greater"}[floor_and_sign(difference)[1]]
    return {
        "left": text(left),
        "right": text(right),
        "sum": text(left + right),
        "difference": text(difference),
        "product": text(left * right),
        "quotient": quotient,
        "signs": [str(sign) for sign in signs],
        "floors": list(floors),
        "equal": left == right,
        "order": order,
    }


WITNESSES = {"python-flint": with_flint}
