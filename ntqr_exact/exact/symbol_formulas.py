"""Symbols in a sentence as formulas: P_a and Γ^a_{1,2} become LaTeX, the words around them stay words."""

from __future__ import annotations

import re
from collections.abc import Callable

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
