"""`FrozenMapping`: a dictionary that cannot change, so that values that hold one can be hashed, copied and sent."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import TypeVar

_Key = TypeVar("_Key")
_Value_co = TypeVar("_Value_co", covariant=True)


class FrozenMapping(Mapping[_Key, _Value_co]):
    """A mapping in the order given; equal to every mapping of the same items, and shown as the dictionary it equals."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[_Key, _Value_co] | None = None) -> None:
        self._items: dict[_Key, _Value_co] = dict(items or {})

    def __getitem__(self, key: _Key) -> _Value_co:
        return self._items[key]

    def __iter__(self) -> Iterator[_Key]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def keys(self) -> KeysView[_Key]:
        """Return the keys, as quickly as a dictionary does; so do `items` and `values`."""
        return self._items.keys()

    def items(self) -> ItemsView[_Key, _Value_co]:
        """Return the keys with their values."""
        return self._items.items()

    def values(self) -> ValuesView[_Value_co]:
        """Return the values."""
        return self._items.values()

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)
