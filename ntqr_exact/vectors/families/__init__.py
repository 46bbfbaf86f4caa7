"""All families of vectors, a module for each subject."""

from importlib import import_module

_NAMES = (
    "varieties postulates independent keys panels alarms confusion samples shares significance confidence"
)

SUBJECTS = tuple(import_module(f"{__name__}.{name}") for name in _NAMES.split())
"""The modules, in the order in which documentation lists them."""
