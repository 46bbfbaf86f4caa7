"""The families there are: each module of `ntqr_exact.vectors.families` is one, and loads when it is asked for."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache

from ntqr_exact.errors import BadChoice
from ntqr_exact.vectors import families
from ntqr_exact.vectors.family import Family


@cache
def family_names() -> tuple[str, ...]:
    """Return the names of all families, in alphabetical order: those of their files, with hyphens."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(families.__path__)))


def family(name: str) -> Family:
    """Return a family by its name; raises `BadChoice` with the names there are.

    >>> family("vote-moments").specification.version
    1
    """
    if name not in family_names():
        raise BadChoice(name, f"the families are {', '.join(family_names())}")
    found: Family = importlib.import_module(f"{families.__name__}.{name.replace('-', '_')}").FAMILY
    return found


def chosen_families(names: Iterable[str] = ()) -> list[Family]:
    """Return the families of these names in alphabetical order, or all if none is named."""
    return [family(name) for name in sorted(set(names)) or family_names()]
