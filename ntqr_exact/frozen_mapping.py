"""`FrozenMapping`: a dictionary that cannot change, so that values that hold one can be hashed, copied and sent."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class FrozenMapping(dict[_Key, _Value]):
    """A dictionary without the methods that change one, and with a hash."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a FrozenMapping cannot change; make a dict of it")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenMapping, (dict(self),)
