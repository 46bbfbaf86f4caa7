"""Named choices: an option that is an enum may also be given by its text."""

from __future__ import annotations

from enum import Enum
from typing import Self

from ntqr_exact.errors import BadChoice


class Choice(Enum):
    """An enum whose call takes a member, its value, or its name in any case ("at-least")."""

    @classmethod
    def _missing_(cls, value: object) -> Self:
        for member in cls:
            if isinstance(value, str) and value.upper().replace("-", "_") == member.name:
                return member
        raise BadChoice(value, f"{cls.__name__} must be one of {', '.join(member.name for member in cls)}")
