"""The families there are: each has a `NAME.toml`, which names the module that holds it; it loads when asked for."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from ntqr_exact.errors import BadChoice
from ntqr_exact.vectors import families
from ntqr_exact.vectors.family import Family


@cache
def family_names() -> tuple[str, ...]:
    """Return the names of all families, in alphabetical order: those of their files, with hyphens."""
    names = (path.name for path in files(families).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def family(name: str) -> Family:
    """Return a family by its name; raises `BadChoice` with the names there are.

    >>> family("vote-moments").specification.version
    1
    """
    if name not in family_names():
        raise BadChoice(name, f"the families are {', '.join(family_names())}")
    module = tomllib.loads((files(families) / f"{name}.toml").read_text(encoding="utf-8"))["module"]
    holder = importlib.import_module(f"{families.__name__}.{module}")
    found: Family = next(one for one in holder.FAMILIES if one.name == name)
    return found


def chosen_families(names: Iterable[str] = ()) -> list[Family]:
    """Return the families of these names in alphabetical order, or all if none is named."""
    return [family(name) for name in sorted(set(names)) or family_names()]
