"""Exact values as text for people: correctly rounded decimals, short forms, LaTeX, aligned rows, symbols in a sentence.

A decimal is found by exact comparison with the midpoint, so no digit is guessed; a rational exactly on a midpoint goes
to the even digit. Surds, enclosures and sums of logarithms write themselves with this module, so their classes are
recognised here by what they have (`decimal`, `radicand`, `lower`), not imported.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, TypeAlias, cast

from gmpy2 import mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.undefined_value import Undefined

RealNumber: TypeAlias = Any
"""An `mpq` or a real `Surd`: anything exact that can be multiplied, floored and compared."""

SHORT = 24
"""Characters of an exact number that are printed next to its decimal; of a longer one, only the decimal is."""

_MAX_DIGITS = 36
_FEW_DIGITS = 4

# -- decimals ---------------------------------------------------------------------------------------


def whole_text(value: int | mpz) -> str:
    """Return all digits of a whole number; Python itself refuses to write more than 4300 of them."""
    return mpz(value).digits()


def fixed_text(value: RealNumber, places: int = 6) -> str:
    """Return `value` rounded to `places` digits after the point.

    >>> fixed_text(mpq(2, 3), 4), fixed_text(mpq(1, 8), 2), fixed_text(mpq(-3, 8), 2)
    ('0.6667', '0.12', '-0.38')
    """
    _check_digits(places, minimum=0)
    return _with_point(_nearest_integer(value * 10**places), places)


def safe_text(value: RealNumber, places: int = 6, *, up: bool) -> str:
    """Return `value` rounded up or down to `places` digits: the decimal of a bound stays a bound."""
    _check_digits(places, minimum=0)
    scaled = value * 10**places
    return _with_point(mpz(math.ceil(scaled) if up else math.floor(scaled)), places)


def significant_text(value: RealNumber, digits: int = 6) -> str:
    """Return `value` in scientific notation with `digits` significant digits.

    >>> significant_text(mpq(1, 30)), significant_text(mpq(99999, 10), 3), significant_text(mpq(0), 3)
    ('3.33333e-2', '1.00e4', '0.00e0')
    """
    _check_digits(digits, minimum=1)
    exponent = 0 if value == 0 else _decimal_exponent(value)
    nearest = _nearest_integer(value * mpq(10) ** (digits - 1 - exponent))
    if abs(nearest) == 10**digits:  # 9.996 rounds up to 10.00
        nearest //= 10
        exponent += 1
    text = abs(nearest).digits().ljust(digits, "0")
    return f"{'-' if nearest < 0 else ''}{text[0]}{'.' if digits > 1 else ''}{text[1:]}e{exponent}"


class DecimalForms:
    """The decimals of a number that is not rational; a subclass writes them in a form with a number of digits.

    >>> from ntqr_exact.exact.surd import Surd
    >>> f"{Surd.sqrt(2):.3f} {Surd.sqrt(2):>12.2e} {Surd.sqrt(2) / 2:.1%}", float(Surd.sqrt(2)), round(Surd.sqrt(2), 1)
    ('1.414       1.41e0 70.7%', 1.4142135623730951, mpq(7,5))
    """

    __slots__ = ()

    def _written(self, form: Callable[[RealNumber, int], str], digits: int) -> str:
        raise NotImplementedError

    def decimal(self, places: int = 6) -> str:
        """Return the number correctly rounded to `places` digits after the point."""
        return self._written(fixed_text, places)

    def scientific(self, digits: int = 6) -> str:
        """Return the number with `digits` significant digits, correctly rounded."""
        return self._written(significant_text, digits)

    def __float__(self) -> float:
        near = rational(self.scientific(20))
        return int(near.numerator) / int(near.denominator)

    def __round__(self, places: int = 0) -> mpq:
        return rational(self.decimal(places))

    def __format__(self, form: str) -> str:
        width, point, places = form[:-1].rpartition(".")
        digits = int(places) if point else 6
        match form[-1:]:
            case "f":
                text = self.decimal(digits)
            case "e":
                text = self.scientific(digits + 1)
            case "%":
                text = (100 * cast(Any, self)).decimal(digits) + "%"
            case _:
                return format(str(self), form)
        return format(text, width if point else places)


class LatexForms:
    """What a notebook shows of a value that has `latex`."""

    __slots__ = ()

    def latex(self) -> str:
        """Return the value in LaTeX."""
        raise NotImplementedError

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"


def _with_point(scaled: mpz, places: int) -> str:
    digits = abs(scaled).digits().rjust(places + 1, "0")
    return ("-" if scaled < 0 else "") + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def _decimal_exponent(value: RealNumber) -> int:
    """Return e with 10^e <= |value| < 10^(e+1): a whole number of k digits is from 10^(k−1) to 10^k − 1."""
    size = abs(value)
    if size >= 1:
        return len(whole_text(math.floor(size))) - 1
    return -len(whole_text(math.ceil(1 / size) - 1))


def _nearest_integer(value: RealNumber) -> mpz:
    halves: mpz = math.floor(2 * value)
    below = halves // 2
    if 2 * value == halves and halves % 2:  # on the midpoint: the even neighbour
        return below + below % 2
    return below + halves % 2


def _check_digits(digits: int, *, minimum: int) -> None:
    if digits < minimum:
        raise BadNumber(digits, f"the number of digits must be >= {minimum}")
    check_work("a decimal with this many digits", 2 * digits)


# -- values -----------------------------------------------------------------------------------------


def value_text(value: Any, *, longest: int = SHORT, places: int = 6) -> str:  # noqa: PLR0911  (a case each)
    """Return an exact value in at most about `longest` characters: exact and decimal, or the decimal alone.

    >>> value_text(mpq(2, 5)), value_text(mpq(1, 3)), value_text(mpq(10**30, 3 * 10**30 + 1), places=4)
    ('2/5 = 0.4', '1/3 ≈ 0.333333', '≈ 0.3333')
    >>> value_text(mpq(1, 10**9), longest=5), value_text(10**40), value_text(167668501), value_text(None)
    ('≈ 1.00000e-9', '≈ 1.00000e40', '167,668,501', '–')
    """
    match value:
        case None:
            return "–"
        case Undefined():
            return f"undefined: {value.value}"
        case Enum():
            return str(value.value)
        case bool():
            return "yes" if value else "no"
    if isinstance(value, int | mpz | mpq) and value.denominator == 1:
        return _whole(int(value))
    if hasattr(value, "radicand") and not value.is_real:
        return f"{value} (imaginary)"
    if isinstance(value, mpq) or hasattr(value, "radicand"):
        text = with_decimal(value, places)
        return text if len(text) <= longest + places + 5 else _decimal(value, places)
    if hasattr(value, "lower") and not isinstance(value, str):
        return f"≈ {_rounded((value.lower + value.upper) / 2, places)}"
    if hasattr(value, "decimal"):
        decimal = f"≈ {value.decimal(places)}"
        return f"{value} {decimal}" if len(str(value)) <= longest else decimal
    return str(value)


def with_decimal(value: Any, places: int = 6) -> str:
    """Return a rational or a surd with its decimal, unless it is whole or imaginary."""
    if hasattr(value, "radicand"):
        value = value.rational if value.is_rational else value
    if not getattr(value, "is_real", True) or getattr(value, "denominator", 0) == 1:
        return str(value)
    decimal = _decimal(value, places)
    return f"{value} {'' if decimal.startswith('≈') else '= '}{decimal}"


def short_decimal(value: Any) -> str:
    """Return a value in four digits, for a picture or a name; `≈` precedes a rounded decimal.

    >>> short_decimal(mpq(2, 5)), short_decimal(mpq(1, 3)), short_decimal(7), short_decimal(mpq(1, 10**9))
    ('0.4', '≈ 0.3333', '7', '≈ 1.000e-9')
    """
    if isinstance(value, mpq) and value.denominator != 1:
        return _decimal(value, _FEW_DIGITS)
    return value_text(value, longest=0, places=_FEW_DIGITS)


def shown(value: int | mpz | mpq) -> str:
    """Return a rational in full if a sentence has room for it, else its first digits."""
    exact = mpq(value)
    digits = max(exact.numerator.num_digits(), exact.denominator.num_digits())
    return f"≈ {significant_text(exact)}" if digits > 3 * _MAX_DIGITS else str(exact)


def full_text(value: Any) -> str:
    """Return an exact value in full, however long; of an enclosure, both ends."""
    if hasattr(value, "lower") and not isinstance(value, str):
        return f"from {value.lower} to {value.upper}"
    return whole_text(value) if isinstance(value, int) else str(value)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, which takes an s unless the count is 1."""
    return f"{count} {noun}" if count == 1 else f"{shown(count)} {noun}s"


def _whole(value: int) -> str:
    if mpz(value).num_digits() > _MAX_DIGITS:
        return f"≈ {significant_text(mpq(value))}"
    return f"{value:,}" if abs(value) >= 10**6 else str(value)


def _decimal(value: RealNumber, places: int) -> str:
    """Return a decimal: alone if it is exact, else after `≈`."""
    if isinstance(value, mpq) and 10**places % value.denominator == 0:
        return fixed_text(value, places).rstrip("0")
    return f"≈ {_rounded(value, places)}"


def _rounded(value: RealNumber, places: int) -> str:
    """Return a decimal that keeps the digits of a small number."""
    is_small = 0 < abs(value) * 10**places < 100
    return significant_text(value, places) if is_small else fixed_text(value, places)


# -- rows and LaTeX ---------------------------------------------------------------------------------

_BREAKS = str.maketrans({"\n": r"\n", "\r": r"\r", "\t": r"\t"})
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{character: "\\" + character for character in "#$%&_{}"},
}


def on_one_line(text: str) -> str:
    """Return a text with line breaks and tabs written as JSON writes them."""
    return text.translate(_BREAKS)


def aligned(rows: Sequence[Sequence[str]], *, to_the_left: Sequence[bool], between: str = "  ") -> list[str]:
    """Return each row as a line, with aligned columns."""
    lines = [[on_one_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = (
        [c.ljust(w) if left else c.rjust(w) for c, w, left in zip(line, widths, to_the_left, strict=True)]
        for line in lines
    )
    return [between.join(cells).rstrip() for cells in padded]


def latex_text(name: object) -> str:
    """Return any text escaped for LaTeX."""
    return "".join(_SPECIAL.get(character, character) for character in str(name))


def latex_cell(value: Any) -> str:
    """Return a number as a formula, anything else as text; of an enum its value."""
    if isinstance(value, int | mpq) and not isinstance(value, bool):
        return re.sub("([0-9]+)/([0-9]+)", r"\\frac{\1}{\2}", full_text(value))
    if hasattr(value, "latex"):
        return str(value.latex())
    return rf"\text{{{latex_text(value.value if isinstance(value, Enum) else value)}}}"


def latex_array(header: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    r"""Return rows under a header as an array; a line separates the first column.

    >>> print(latex_array(["judge", "right"], [["A & B", mpq(1, 2)]]))
    \begin{array}{l|r} \text{judge} & \text{right} \\ \hline \text{A \& B} & \frac{1}{2} \end{array}
    """
    lines = [" & ".join(map(latex_cell, row)) for row in (header, *rows)]
    body = lines[0] + r" \\ \hline " + r" \\ ".join(lines[1:]) if rows else lines[0]
    return rf"\begin{{array}}{{l|{'r' * (len(header) - 1)}}} {body} \end{{array}}"


# -- symbols in a sentence --------------------------------------------------------------------------

_SIGNS = {
    **{"−": "-", "·": r"\cdot ", "×": r"\times ", "≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ", "√": r"\surd "},
    **{"Γ": r"\Gamma ", "Δ": r"\Delta ", "Π": r"\Pi ", "Σ": r"\Sigma ", "δ": r"\delta ", "λ": r"\lambda "},
    **{"μ": r"\mu ", "σ": r"\sigma ", "²": "^2", "³": "^3", "⌈": r"\lceil ", "⌉": r"\rceil "},
}
_LETTER = r"A-Za-zΓΔΠΣδλμσ"
_SYMBOL = re.compile(rf"(?:^|[^{_LETTER}])(?:Var|CI|[{_LETTER}])[_^][{_LETTER}0-9{{]")
_IDENTIFIER = re.compile(r"[A-Za-z]{2,}_[A-Za-z]{2,}|[a-z]{2,}_\d")
_KEPT = re.compile(r"(\$[^$]*\$|`[^`]*`)")


def formulas(
    text: str, opening: str = "$", closing: str = "$", other: Callable[[str], str] = lambda word: word
) -> str:
    r"""Return a sentence with its symbols between `opening` and `closing`; what is code or a formula stays as it is.

    A word is symbols if it has a letter with an index. `other` is applied to all other words.

    >>> formulas("e_ij − e_i·e_j vanishes; match_rate stays, and so does `f_a`.")
    '$e_{ij} - e_i\\cdot e_j$ vanishes; match_rate stays, and so does `f_a`.'
    """

    def written(part: str) -> str:
        if _KEPT.fullmatch(part):
            return part
        words = ((word, word.rstrip(",;:.!?")) for word in re.split(r"(\s+)", part))
        return "".join(
            other(word)
            if (latex := _formula(core)) is None
            else opening + latex + closing + word[len(core) :]
            for word, core in words
        )

    result = "".join(map(written, _KEPT.split(text)))
    for sign, latex in (("+", "+"), ("=", "="), ("−", "-")):  # neighbours are one formula
        result = result.replace(f"{closing} {sign} {opening}", f" {latex} ")
    return result


def _formula(core: str) -> str | None:
    """Return a word as LaTeX, or `None` if it is not a formula."""
    if _SYMBOL.search(core) is None or _IDENTIFIER.search(core) or core.count("{") != core.count("}"):
        return None
    if "^" in core and ("²" in core or "³" in core) and ")" not in core:
        return None  # two exponents on one letter
    if not all(letter.isascii() or letter in _SIGNS for letter in core) or set(core) & set("$%#&\\'\"[]~"):
        return None
    core = re.sub(r"(Var|CI)(?=[_^])", r"\\mathrm{\1}", core)
    core = re.sub(r"_([a-z0-9]{2,})(?![_^])", r"_{\1}", core)
    return "".join(_SIGNS.get(letter, letter) for letter in core).strip()
