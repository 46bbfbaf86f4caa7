"""The HTML of any value of the library, and its registration in a notebook."""

from __future__ import annotations

from typing import Any

from ntqr_exact.errors import BadChoice
from ntqr_exact.views.rich.form_table import GENERAL, SPECIAL, special_form
from ntqr_exact.views.rich.general import general_html


def html(value: object) -> str:
    """Return a value of the library as HTML, everything in it escaped; long parts fold.

    >>> from ntqr_exact import Surd
    >>> html(Surd.sqrt(2))
    '√2 ≈ 1.414214'

    Any other value of the library is shown by its fields. Raises `BadChoice` for what is no value of the library.
    """
    kind = type(value)
    if kind.__module__.partition(".")[0] != "ntqr_exact":
        raise BadChoice(value, "HTML is made of values of this library")
    form = special_form(kind)
    return form(value) if form is not None else general_html(value)


def register(display_formatter: Any) -> None:
    """Teach the display formatter of an IPython shell the HTML form of every class in the tables.

    Nothing is imported for it: IPython finds a class by its name when a value of it is shown.
    """
    formatter = display_formatter.formatters["text/html"]
    for module, name in SPECIAL:
        formatter.for_type_by_name(module, name, html)
    for module, names in GENERAL.items():
        for name in names:
            formatter.for_type_by_name(module, name, html)


def load_ipython_extension(shell: Any) -> None:
    """Register the forms in a notebook: `%load_ext ntqr_exact.views.rich`."""
    register(shell.display_formatter)
