"""Grade classifiers, and the metrics used on them, in exact arithmetic.

Everything public can be imported from here; each name loads its module on first use, so that
`import ntqr_exact` itself costs next to nothing. The names are in `__init__.pyi`, one a line.
"""

# Nothing is loaded here, not even `typing`: an interruption before the first line of `_command` is a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

__version__ = "0.1.0"

_HOMES: dict[str, str] = {}
"""The module that each public name comes from."""

_STUB = __spec__.loader.get_data(f"{__file__}i").decode()  # type: ignore[name-defined]
for _line in _STUB.split("\nfrom ntqr_exact")[1:]:  # "… import name as name", in brackets if it is long
    _home, _, _names = _line.partition(" import ")
    _HOMES[_names.strip("( \n").split()[0]] = f"ntqr_exact{_home}"

__all__ = sorted(name for name, home in _HOMES.items() if home != "ntqr_exact")  # noqa: PLE0605


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'ntqr_exact' has no attribute {name!r}")
    is_module = name not in __all__
    home = import_module(f"ntqr_exact.{name}" if is_module else _HOMES[name])
    value = globals()[name] = home if is_module else getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


def _command() -> "NoReturn":
    from _signal import SIG_DFL, SIGINT, signal

    signal(SIGINT, SIG_DFL)  # while the command is loaded there is nothing to be undone
    from ntqr_exact.cli.start import run

    run()
