"""Witnesses of `log-sum-sign` besides the JavaScript runner."""

from fractions import Fraction


def with_flint(document):
    """By factoring: a sum is zero iff the exponents of all primes are; other signs by balls of more and more bits."""
    import flint

    try:
        terms = [(Fraction(c), Fraction(m)) for c, m in document["terms"]]
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    exponents = {}
    for c, m in terms:
        if m <= 0 and (c or m):
            return {"error": "bad-number"}
        for number, signed in ((m.numerator, c), (m.denominator, -c)):
            for prime, exponent in flint.fmpz(number).factor() if signed else ():
                exponents[int(prime)] = exponents.get(int(prime), 0) + signed * int(exponent)
    left = {prime: e for prime, e in exponents.items() if e}
    if not left:
        return {"sign": "zero"}
    for bits in (64, 256, 1024):
        with flint.ctx.workprec(bits):
            total = sum(
                flint.arb(flint.fmpq(e.numerator, e.denominator)) * flint.arb(p).log()
                for p, e in left.items()
            )
        if total > 0 or total < 0:
            return {"sign": "positive" if total > 0 else "negative"}
    return {"sign": "open"}


WITNESSES = {"python-flint": with_flint}
