"""Grade classifiers, and the metrics used on them, in exact arithmetic.

Everything public can be imported from here; each name loads its module on first use, so that
`import ntqr_exact` itself costs next to nothing. The names stand in `__init__.pyi`, a line each.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

_STUB = __spec__.loader.get_data(f"{__file__}i").decode()  # type: ignore[name-defined]
_HOMES: dict[str, str] = {}
for _line in _STUB.split("\nfrom ntqr_exact")[
    1:
]:  # "… import name as name", in brackets where the line is long
    _home, _, _names = _line.partition(" import ")
    _HOMES[_names.strip("( \n").split()[0]] = f"ntqr_exact{_home}"

__all__ = sorted(name for name, home in _HOMES.items() if home != "ntqr_exact")  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ntqr_exact' has no attribute {name!r}")
    if _HOMES[name] == "ntqr_exact":  # a package that is used by its own name
        return importlib.import_module(f"ntqr_exact.{name}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


def load_ipython_extension(shell: Any) -> None:
    """Show values as tables in a notebook: `%load_ext ntqr_exact`."""
    from ntqr_exact.views.rich import load_ipython_extension as load

    load(shell)
