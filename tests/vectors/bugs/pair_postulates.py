"""Witnesses of `pair-postulates` besides the JavaScript runner."""

from fractions import Fraction

from tests.vectors.bugs.shared.points import refusal

NAMES = ("P_a", "P_b", "x_1", "y_1", "x_2", "y_2", "G_a", "G_b")


def point(document):
    """The eight numbers of NAMES; None where undefined."""
    if "rates" in document:
        rates = document["rates"]
        numbers = [*rates["prevalence"], *rates["accuracies"][0], *rates["accuracies"][1]]
        numbers += [row[0] for row in rates["correlations"]]
        return [None if number is None else Fraction(number) for number in numbers]
    of_a, of_b = document["key"]
    total = sum(of_a) + sum(of_b)
    x_1, x_2, g_a = graded(of_a, both=of_a[0], first=of_a[0] + of_a[1], second=of_a[0] + of_a[2])
    y_1, y_2, g_b = graded(of_b, both=of_b[3], first=of_b[2] + of_b[3], second=of_b[1] + of_b[3])
    return [Fraction(sum(of_a), total), Fraction(sum(of_b), total), x_1, y_1, x_2, y_2, g_a, g_b]


def graded(counts, both, first, second):
    size = sum(counts)
    if size == 0:
        return None, None, None
    return (
        Fraction(first, size),
        Fraction(second, size),
        Fraction(size * both - first * second, size * size),
    )


def polynomials(f, moment, numbers):
    """Every postulate, by arithmetic that also serves where the numbers are polynomials."""
    p_a, p_b, x_1, y_1, x_2, y_2, g_a, g_b = numbers
    faa, fab, fba, fbb = f
    fa1, fa2 = faa + fab, faa + fba
    fb1, fb2 = 1 - fa1, 1 - fa2
    # The shares of the four patterns among the questions of a label, from that of both right.
    right_a, right_b = x_1 * x_2 + g_a, y_1 * y_2 + g_b
    on_a = (right_a, x_1 - right_a, x_2 - right_a, 1 - x_1 - x_2 + right_a)
    on_b = (1 - y_1 - y_2 + right_b, y_2 - right_b, y_1 - right_b, right_b)
    out = {"5": p_a + p_b - 1}
    for letter, seen, a, b in zip("abcd", f, on_a, on_b, strict=True):
        out["26" + letter] = seen - p_a * a - p_b * b
    out["34"] = moment - fbb + fb1 * fb2
    out["35"] = moment - faa + fa1 * fa2
    u_1, u_2, v_1, v_2 = x_1 - fa1, x_2 - fa2, y_1 - fb1, y_2 - fb2
    rest_a, rest_b = g_a - moment, g_b - moment
    out["33a"] = p_a * u_1 - p_b * v_1
    out["33b"] = p_a * u_2 - p_b * v_2
    out["33c"] = u_1 * v_2 - v_1 * u_2
    out["33d"] = u_1 * v_2 + p_a * rest_a + p_b * rest_b
    out["33e"] = u_1 * v_2 * (u_1 + v_1) + v_1 * rest_a + u_1 * rest_b
    out["33f"] = u_1 * v_2 * (u_2 + v_2) + v_2 * rest_a + u_2 * rest_b
    return out


def observed(document):
    size = sum(document["counts"])
    f = [Fraction(count, size) for count in document["counts"]]
    moment = f[3] - (f[2] + f[3]) * (f[1] + f[3])
    return f, Fraction(document["moment"]) if "moment" in document else moment


def answer(moment, values):
    out = {name: "undefined" if value is None else str(value) for name, value in values.items()}
    return {"moment": str(moment), "residuals": out, "on": all(value == "0" for value in out.values())}


def with_flint(document):
    """An undefined rate is a variable of a polynomial ring: the residual is defined iff it is constant."""
    refused = refusal(document)
    if refused:
        return refused
    import flint

    ring = flint.fmpq_mpoly_ctx.get(NAMES, flint.Ordering.lex)

    def number(value):
        return flint.fmpq(value.numerator, value.denominator)

    f, moment = observed(document)
    numbers = [
        variable if value is None else ring.constant(number(value))
        for variable, value in zip(ring.gens(), point(document), strict=True)
    ]
    found = polynomials([number(value) for value in f], number(moment), numbers)
    values = {}
    for name, value in found.items():
        free = isinstance(value, flint.fmpq_mpoly) and not value.is_constant()
        constant = value.coefficient(0) if isinstance(value, flint.fmpq_mpoly) and value != 0 else value
        values[name] = None if free else constant
    return answer(moment, values)


WITNESSES = {"python-flint": with_flint}
