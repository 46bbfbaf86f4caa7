"""Names: a class is called like no other, and what only its own module uses begins with an underscore."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "ntqr_exact").rglob("*.py"))}
READERS = ("tests/**/*.py", "benchmarks/**/*.py", "docs/**/*.md", "docs/**/*.py", "notebooks/*.ipynb", "*.md")


def classes(source: str) -> list[str]:
    return re.findall(r"^class ([^_\W]\w*)", source, re.MULTILINE)


def test_no_two_classes_have_one_name() -> None:
    count = Counter(name for source in MODULES.values() for name in classes(source))
    assert [name for name, places in count.items() if places > 1] == []


def functions_and_constants(source: str) -> list[str]:
    """Undecorated functions and assigned names: classes are the types of results, whoever names them."""
    names = []
    for each in ast.parse(source).body:
        match each:
            case ast.FunctionDef(name=name, decorator_list=[]):
                names.append(name)
            case ast.Assign(targets=[ast.Name(id=name)]):
                names.append(name)
            case _:
                pass
    return [name for name in names if name[0] != "_"]


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def used_at_home_only(modules: dict[str, str], readers: set[str]) -> list[str]:
    seen = Counter(word for source in modules.values() for word in words(source))
    return [
        f"{place}: {name}"
        for place, source in modules.items()
        for name in functions_and_constants(source)
        if seen[name] == 1 and name not in readers
    ]


def test_a_function_or_constant_that_only_its_own_module_uses_begins_with_an_underscore() -> None:
    read = [path for pattern in READERS for path in ROOT.glob(pattern)]
    data = [*ROOT.glob("ntqr_exact/data/ledger/*.toml"), ROOT / "ntqr_exact" / "__init__.pyi"]
    readers = {word for path in (*read, *data) for word in words(path.read_text(encoding="utf-8"))}
    modules = {
        str(path.relative_to(ROOT)): text for path, text in MODULES.items() if "pytest" not in path.name
    }
    assert used_at_home_only(modules, readers) == []


def test_the_checks_see_a_second_class_and_a_name_without_its_underscore() -> None:
    assert classes("class A: ...\nclass _B: ...") == ["A"]
    modules = {"a": "LIMIT = 3\ndef one(): return LIMIT\n", "b": "from a import one\n"}
    assert used_at_home_only(modules, set()) == ["a: LIMIT"]
    assert used_at_home_only(modules, {"LIMIT"}) == []
