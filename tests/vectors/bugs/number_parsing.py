"""A second implementation of `number-parsing`, a reader that goes from character to character, and its bugs."""

from fractions import Fraction

LONGEST = 100_000


def reference(document):
    value = document["value"]
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return {"error": "not-a-number"}
    if isinstance(value, int):
        return {"number": str(value)}
    try:
        return {"number": str(read(value.strip()))}
    except ValueError:
        return {"error": "bad-number"}


def read(text):
    place = 0

    def digits():
        nonlocal place
        start = place
        while place < len(text) and "0" <= text[place] <= "9":
            place += 1
        return text[start:place]

    def sign():
        nonlocal place
        if place < len(text) and text[place] in "+-":
            place += 1
            return -1 if text[place - 1] == "-" else 1
        return 1

    def taken(characters):
        nonlocal place
        if place < len(text) and text[place] in characters:
            place += 1
            return True
        return False

    factor = sign()
    whole = digits()
    if whole and taken("/"):
        below = digits()
        if not below or place < len(text) or int(below) == 0:
            raise ValueError
        return factor * Fraction(int(whole), int(below))
    behind = digits() if taken(".") else ""
    if not whole + behind:
        raise ValueError
    exponent = 0
    if taken("eE"):
        direction = sign()
        power = digits()
        if not power:
            raise ValueError
        exponent = direction * int(power)
    if place < len(text):
        raise ValueError
    if len(whole + behind) + abs(exponent) > LONGEST:
        raise ValueError
    shift = exponent - len(behind)
    mantissa = factor * int(whole + behind)
    return Fraction(mantissa * 10**shift) if shift >= 0 else Fraction(mantissa, 10**-shift)
