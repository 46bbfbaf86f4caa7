"""A page of the reference for each package, made from the public names of `ntqr_exact/__init__.pyi`."""

from __future__ import annotations

import ast
import inspect
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import ntqr_exact

STUB = Path(ntqr_exact.__file__).with_suffix(".pyi")
MORE = {"postulates": "ntqr_exact.postulates", "views": "ntqr_exact.views.plots"}
"""Packages whose public names are imported from the package itself."""

_INDEX = """# Reference

A page for each package; [the command](command.md) has one, too.

## What is public

- Public: the names on these pages, the options and exit codes of the command, the JSON that it prints, and the files of
  reference vectors. Everything else may change at any time.
- Versions follow [semantic versioning](https://semver.org). Before 1.0 a minor version may change a public name;
  `CHANGELOG.md` says so, with what to write instead.
- From 1.0 on, a name that goes is deprecated first: it works for one minor version with a `DeprecationWarning` that
  names its replacement.
- A wrong number is a defect: it is corrected in the next release without deprecation.
- Python: every version that its developers support, from 3.11 on. Dependencies: the oldest releases that are allowed
  are tested.

```{toctree}
:maxdepth: 1

command
"""


def public_names() -> dict[str, list[str]]:
    """Return the public names of each package, as they are imported."""
    names: dict[str, list[str]] = defaultdict(list)
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module != "ntqr_exact":
            parts = node.module.split(".")
            package = parts[1] if len(parts) > 2 else "ntqr_exact"
            names[package] += [f"ntqr_exact.{alias.name}" for alias in node.names]
    for package, module in MORE.items():
        members = vars(import_module(module)).items()
        names[package] += sorted(f"{module}.{name}" for name, value in members if callable(value))
    return names


def api_pages() -> dict[str, str]:
    """Return the text of each page, by its name."""
    names = public_names()
    pages = {f"{package}.md": _page(package, members) for package, members in names.items()}
    return {"index.md": _INDEX + "\n".join(sorted(names)) + "\n```\n", **pages}


def _page(package: str, names: list[str]) -> str:
    is_root = package == "ntqr_exact"
    summary = inspect.getdoc(ntqr_exact if is_root else import_module(f"ntqr_exact.{package}")) or ""
    rows = [f".. auto{_kind(name)}:: {name}" for name in names]
    return "\n".join([f"# {package}", "", summary.split("\n")[0], "", "```{eval-rst}", *rows, "```", ""])


def _kind(name: str) -> str:
    module, _, attribute = name.rpartition(".")
    return "class" if inspect.isclass(getattr(import_module(module), attribute)) else "function"
