"""Formulas as texts: names, whole numbers, + − * / ** and brackets, which are parsed, and printed as they stand.

Nothing is evaluated as code; `polynomial.read_formula` gives a text its value.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ntqr_exact.errors import BadArgument, BadDocument
from ntqr_exact.postulates.notation import LETTERS, symbol

_MAX_CHARACTERS = 1_000_000
RULE = "not a formula of names, whole numbers, + - * / ** and brackets"
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def parsed(text: str) -> ast.expr:
    """Return the tree of a text, which may still hold what is not a formula; raises `BadDocument`."""
    if not isinstance(text, str):
        raise BadArgument(text, "text must be a string")
    if len(text) > _MAX_CHARACTERS:
        raise BadDocument(text, f"a formula has at most {_MAX_CHARACTERS} characters")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadDocument(text, RULE) from None


def spine(node: ast.expr) -> tuple[ast.expr, list[ast.BinOp | ast.UnaryOp]]:
    """Return the leftmost operand and what is done to it: long sums lean to the left, and need no recursion."""
    steps = []
    while isinstance(node, ast.BinOp | ast.UnaryOp):
        steps.append(node)
        node = node.left if isinstance(node, ast.BinOp) else node.operand
    return node, steps[::-1]


def print_formula(text: str, labels: Sequence[str] = LETTERS, *, latex: bool = False) -> str:
    r"""Return a formula in short names as it stands, in the paper's symbols with the labels of a user.

    >>> print(print_formula("Pa*(x1 - fa1)", ("yes", "no")))
    P_{yes}·(P^{yes}_{yes_1} − f_{yes_1})
    >>> print(print_formula("Ga12**2/2", latex=True))
    \frac{\left(\Gamma^{a}_{1,2}\right)^{2}}{2}
    """
    return _printed(parsed(text), labels, latex=latex)[0]


def _printed(node: ast.expr, labels: Sequence[str], *, latex: bool) -> tuple[str, int]:
    """Return the text of a tree, and how tightly it binds: sums 1, products 2, powers 3, single symbols 4."""
    minus, times = ("-", " ") if latex else ("−", "·")

    def bracketed(part: tuple[str, int], tightness: int) -> str:
        if part[1] >= tightness:
            return part[0]
        return rf"\left({part[0]}\right)" if latex else f"({part[0]})"

    leaf, steps = spine(node)
    result = (symbol(leaf.id, labels, latex=latex) if isinstance(leaf, ast.Name) else ast.unparse(leaf), 4)
    for step in steps:
        if isinstance(step, ast.UnaryOp):
            negative = result[0].startswith(minus)
            result = (minus + bracketed(result, 5 if negative else 2), 2)
            continue
        right = _printed(step.right, labels, latex=latex)
        if right[0].startswith(minus):
            right = (right[0], 0)
        match step.op:
            case ast.Add():
                result = (f"{result[0]} + {bracketed(right, 1)}", 1)
            case ast.Sub():
                result = (f"{result[0]} {minus} {bracketed(right, 2)}", 1)
            case ast.Mult():
                result = (bracketed(result, 2) + times + bracketed(right, 2), 2)
            case ast.Pow():
                base = bracketed(result, 5 if "^" in result[0] or "sqrt" in result[0] else 4)
                result = (f"{base}^{{{right[0]}}}" if latex else base + right[0].translate(_SUPERSCRIPTS), 3)
            case _ if latex:
                sign = minus if result[0].startswith(minus) and result[1] == 2 else ""
                result = (rf"{sign}\frac{{{result[0].removeprefix(sign)}}}{{{right[0]}}}", 2)
            case _:
                result = (f"{bracketed(result, 2)}/{bracketed(right, 3)}", 2)
    return result
