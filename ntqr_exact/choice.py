"""Named choices: an option that is an enum may also be given by its text."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

from ntqr_exact.errors import BadChoice

_Choice = TypeVar("_Choice", bound=Enum)


def chosen(value: object, kind: type[_Choice]) -> _Choice:
    """Return the member of `kind` that is meant: itself, its value, or its name in any case ("at-least").

    Raises `BadChoice` for anything else: a choice is never guessed.
    """
    if isinstance(value, kind):
        return value
    if isinstance(value, str):
        for member in kind:
            if value == member.value or value.upper().replace("-", "_") == member.name:
                return member
    raise BadChoice(value, f"{kind.__name__} must be one of {', '.join(member.name for member in kind)}")
