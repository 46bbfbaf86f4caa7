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
    size = 1 if value == 0 else abs(value)  # a whole number of k digits is from 10^(k−1) to 10^k − 1
    is_large = size >= 1
    exponent = (
        len(whole_text(math.floor(size))) - 1 if is_large else -len(whole_text(math.ceil(1 / size) - 1))
    )
    nearest = _nearest_integer(value * mpq(10) ** (digits - 1 - exponent))
    if abs(nearest) == 10**digits:  # 9.996 rounds up to 10.00
        nearest //= 10
        exponent += 1
    return f"{_with_point(nearest, digits - 1)}e{exponent}"


class DecimalForms:
    """The decimals of a number that is not rational; a subclass writes them in a form with a number of digits.

    >>> from ntqr_exact.exact.surd import Surd
    >>> f"{Surd.sqrt(2):.3f} {Surd.sqrt(2):>12.2e} {Surd.sqrt(2) / 2:.1%}", float(Surd.sqrt(2)), round(Surd.sqrt(2), 1)
    ('1.414       1.41e0 70.7%', 1.4142135623730951, mpq(7,5))
    """

    __slots__ = ()

    def _written(self, form: Callable[[RealNumber, int], str], digits: int) -> str:
        return form(self, digits)

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
        digits, kind = int(places) if point else 6, form[-1:]
        if kind not in ("f", "e", "%"):
            return format(str(self), form)
        number = 100 * cast(Any, self) if kind == "%" else self
        text = self.scientific(digits + 1) if kind == "e" else number.decimal(digits) + kind.strip("f")
        return format(text, width if point else places)


class LatexForms:
    """What a notebook shows of a value that has `latex`."""

    __slots__ = ()

    latex: Callable[[], str]

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"


def _with_point(scaled: mpz, places: int) -> str:
    digits = abs(scaled).digits().rjust(places + 1, "0")
    return ("-" if scaled < 0 else "") + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def _nearest_integer(value: RealNumber) -> mpz:
    below: mpz = math.floor(value)
    twice = 2 * (value - below)
    return below + (twice > 1 or (twice == 1 and below % 2 == 1))  # on the midpoint: the even neighbour


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
        case int() | mpz() | mpq() if value.denominator == 1:
            text = shown(value, _MAX_DIGITS)
            return text if abs(int(value)) < 10**6 or "≈" in text else f"{int(value):,}"
        case mpq() | DecimalForms():
            text = with_decimal(value, places)
            is_short = len(text) <= longest + places + 5 or not getattr(value, "is_real", True)
            return text if is_short else _decimal(value, places)
    return str(value)


def with_decimal(value: Any, places: int = 6) -> str:
    """Return a number with its decimal, if it is real and not whole; of an enclosure just the decimal."""
    if getattr(value, "is_rational", False):
        value = value.rational
    if getattr(value, "denominator", 0) == 1:
        return str(value)
    if not getattr(value, "is_real", True):
        return f"{value} (imaginary)"
    decimal = _decimal(value, places)
    if hasattr(value, "lower"):
        return decimal
    return f"{value} {'' if decimal.startswith('≈') else '= '}{decimal}"


def short_decimal(value: Any) -> str:
    """Return a value in four digits, for a picture or a name; `≈` precedes a rounded decimal.

    >>> short_decimal(mpq(2, 5)), short_decimal(mpq(1, 3)), short_decimal(7), short_decimal(mpq(1, 10**9))
    ('0.4', '≈ 0.3333', '7', '≈ 1.000e-9')
    """
    return value_text(value, longest=-1, places=_FEW_DIGITS)


def shown(value: int | mpz | mpq, most: int = 3 * _MAX_DIGITS) -> str:
    """Return a rational in full if a sentence has room for it, else its first digits."""
    exact = mpq(value)
    digits = max(exact.numerator.num_digits(), exact.denominator.num_digits())
    return f"≈ {significant_text(exact)}" if digits > most else str(exact)


def full_text(value: Any) -> str:
    """Return an exact value in full, however long; of an enclosure, both ends."""
    if hasattr(value, "lower") and not isinstance(value, str):
        return f"from {value.lower} to {value.upper}"
    return whole_text(value) if isinstance(value, int) else str(value)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural unless the count is 1."""
    plural = re.sub("([^aeiou])ys$", r"\1ies", f"{noun}s")
    return f"{count} {noun}" if count == 1 else f"{shown(count)} {plural}"


def _decimal(value: Any, places: int) -> str:
    """Return a decimal: alone if it is exact, else after `≈`; it keeps the digits of a small number."""
    if isinstance(value, mpq) and 10**places % value.denominator == 0:
        return fixed_text(value, places).rstrip("0")
    if hasattr(value, "lower"):
        value = (value.lower + value.upper) / 2
    rounded = _rounded(value, places) if isinstance(value, mpq) else value._written(_rounded, places)
    return f"≈ {rounded}"


def _rounded(value: RealNumber, places: int) -> str:
    is_small = 0 < abs(value) * 10**places < 100
    return significant_text(value, places) if is_small else fixed_text(value, places)


# -- rows and LaTeX ---------------------------------------------------------------------------------

_BREAKS = str.maketrans({"\n": r"\n", "\r": r"\r", "\t": r"\t"})
_SPECIAL = str.maketrans(
    {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
    | {character: "\\" + character for character in "#$%&_{}"}
)


def on_one_line(text: str) -> str:
    """Return a text with line breaks and tabs written as JSON writes them."""
    return text.translate(_BREAKS)


def aligned(rows: Sequence[Sequence[str]], *, to_the_left: Sequence[bool], between: str = "  ") -> list[str]:
    """Return each row as a line, with aligned columns."""
    lines = [[on_one_line(cell) for cell in row] for row in rows]
    columns = zip(zip(*lines, strict=True), to_the_left, strict=True)
    forms = [f"{'<' if left else '>'}{max(map(len, column))}" for column, left in columns]
    return [between.join(map(format, line, forms)).rstrip() for line in lines]


def latex_text(name: object) -> str:
    """Return any text escaped for LaTeX."""
    return str(name).translate(_SPECIAL)


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
_NO_SYMBOL = re.compile(
    r"[A-Za-z]{2,}_[A-Za-z]{2,}|[a-z]{2,}_\d"  # identifiers of code
    r"|[$%#&\\'\"\[\]~]|[^\x00-\x7f" + "".join(_SIGNS) + "]"  # signs that formulas do not have
)
_WORD = re.compile(r"\$[^$]*\$|`[^`]*`|[^\s$`]+|[$`]")


def formulas(text: str, opening: str = "$", closing: str = "$", other: Callable[[str], str] = str) -> str:
    r"""Return a sentence with its symbols between `opening` and `closing`; what is code or a formula stays as it is.

    A word is symbols if it has a letter with an index. `other` is applied to all other words.

    >>> formulas("e_ij − e_i·e_j vanishes; match_rate stays, and so does `f_a`.")
    '$e_{ij} - e_i\\cdot e_j$ vanishes; match_rate stays, and so does `f_a`.'
    """

    def written(match: re.Match[str]) -> str:
        word = match[0]
        core = word.rstrip(",;:.!?")
        if len(word) > 1 and word[0] in "$`":
            return word
        if not _SYMBOL.search(core) or _NO_SYMBOL.search(core) or core.count("{") != core.count("}"):
            return other(word)
        latex = re.sub(r"(Var|CI)(?=[_^])", r"\\mathrm{\1}", core)
        latex = re.sub(r"_([a-z0-9]{2,})(?![_^])", r"_{\1}", latex)
        latex = "".join(_SIGNS.get(letter, letter) for letter in latex).strip()
        return opening + latex + closing + word[len(core) :]

    result = _WORD.sub(written, text)
    for sign, latex in (("+", "+"), ("=", "="), ("−", "-")):  # neighbours are one formula
        result = result.replace(f"{closing} {sign} {opening}", f" {latex} ")
    return result
