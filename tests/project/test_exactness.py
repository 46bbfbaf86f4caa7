"""No float below the parts that a person looks at, and no text of a user in an evaluator."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import ntqr_exact

PACKAGE = Path(ntqr_exact.__file__).parent
BELOW_VIEWS = sorted(
    path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in {"views", "cli"}
)
MAKES_FLOATS = {"sqrt", "log", "log2", "log10", "exp", "fsum", "pow", "hypot", "pi", "e", "inf", "nan"}


def parts_without_float(node: ast.AST) -> Iterator[ast.AST]:
    """All parts but the methods `__float__`, by which a person asks for one."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.FunctionDef) and child.name == "__float__"):
            yield from parts_without_float(child)


def problems(source: str) -> list[str]:
    found = []
    for node in parts_without_float(ast.parse(source)):
        match node:
            case ast.Constant(value=float() | complex()):
                found.append(f"line {node.lineno}: the literal {node.value}")
            case ast.Call(
                func=ast.Name(id="float" | "complex" | "eval" | "exec" | "sympify" | "parse_expr" as name)
            ):
                found.append(f"line {node.lineno}: {name}(...)")
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in MAKES_FLOATS:
                found.append(f"line {node.lineno}: math.{name}")
            case ast.Attribute(attr="sympify" | "parse_expr" | "evalf" | "nsimplify" as name):
                found.append(f"line {node.lineno}: .{name}")
            case ast.Assert():
                found.append(f"line {node.lineno}: assert, which -O removes")
    return found


@pytest.mark.parametrize("path", BELOW_VIEWS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_below_the_views_makes_no_float_and_evaluates_no_text(path: Path) -> None:
    assert problems(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source", ["x = 0.5", "float(x)", "math.sqrt(x)", "eval(t)", "sympy.sympify(t)", "assert x", "y = 1j"]
)
def test_the_check_finds_each_violation(source: str) -> None:
    assert len(problems(source)) == 1


def test_the_check_allows_a_float_only_where_a_person_asks_for_it() -> None:
    assert problems("class A:\n    def __float__(self): return float(1)\n") == []
    assert len(problems("class A:\n    def other(self): return float(1)\n")) == 1
