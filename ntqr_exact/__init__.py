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


def _homes() -> dict[str, str]:
    """Return the module that each public name comes from; nothing is read before the first name is asked for."""
    if not _HOMES:
        stub = __spec__.loader.get_data(f"{__file__}i").decode()  # type: ignore[name-defined]
        for line in stub.split("\nfrom ntqr_exact")[1:]:  # "… import name as name", in brackets if it is long
            home, _, names = line.partition(" import ")
            _HOMES[names.strip("( \n").split()[0]] = f"ntqr_exact{home}"
    return _HOMES


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name == "__all__":
        value: Any = sorted(public for public, home in _homes().items() if home != "ntqr_exact")
    elif name not in _homes():
        raise AttributeError(f"module 'ntqr_exact' has no attribute {name!r}")
    elif _homes()[name] == "ntqr_exact":  # a package that is used by its own name
        return import_module(f"ntqr_exact.{name}")
    else:
        value = getattr(import_module(_homes()[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), "__all__", *_homes()})


def _command() -> "NoReturn":
    from _signal import SIG_DFL, SIGINT, signal

    signal(SIGINT, SIG_DFL)  # while the command is loaded there is nothing to be undone
    from ntqr_exact.cli.start import run

    run()
