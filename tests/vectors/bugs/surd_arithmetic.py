"""Witnesses of `surd-arithmetic` besides the JavaScript runner."""

from fractions import Fraction


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
