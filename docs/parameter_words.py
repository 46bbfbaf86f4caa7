"""What each parameter of the public names is, from one table: the same name means the same thing everywhere."""

from __future__ import annotations

import inspect
import tomllib
from pathlib import Path
from typing import Any

WORDS: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "reference" / "parameters.toml").read_text(encoding="utf-8")
)


def parameters(value: object) -> list[str]:
    """Return the names of the parameters of a function or of the constructor of a class."""
    try:
        return [name for name in inspect.signature(value).parameters if name != "self"]  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return []


def words_of(name: str, parameter: str) -> str:
    """Return what a parameter of a public name is: what the table says for this name, or else for all."""
    own = WORDS.get("in", {}).get(name.rpartition(".")[2], {})
    return str(own.get(parameter) or WORDS["everywhere"].get(parameter, ""))


def parameter_lines(name: str, value: object) -> list[str]:
    """Return a field for each parameter, as reStructuredText has them."""
    if not name.startswith("ntqr_exact.") or inspect.ismethod(value) or name.count(".") > 1:
        return []
    return [f":param {one}: {told}" for one in parameters(value) if (told := words_of(name, one))]
