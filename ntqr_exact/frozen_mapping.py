"""`FrozenMapping`: a dictionary that cannot change, so that values that hold one can be hashed, copied and sent.

>>> counts = FrozenMapping({"a": 3, "b": 1})
>>> counts["a"], counts == {"b": 1, "a": 3}, hash(counts) == hash(FrozenMapping({"b": 1, "a": 3}))
(3, True, True)

The standard library has a read-only view of a dictionary, which can be neither hashed nor pickled, and nothing else; a
package for these thirty lines would be one more thing to install.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import TypeVar

_Key = TypeVar("_Key")
_Value_co = TypeVar("_Value_co", covariant=True)


class FrozenMapping(Mapping[_Key, _Value_co]):
    """A mapping in the order given; equal to every mapping of the same items, and shown as the dictionary it equals."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[_Key, _Value_co] | None = None) -> None:
        """Copy the items."""
        self._items: dict[_Key, _Value_co] = dict(items or {})

    def __getitem__(self, key: _Key) -> _Value_co:
        """Return the value of a key."""
        return self._items[key]

    def __iter__(self) -> Iterator[_Key]:
        """Iterate over the keys."""
        return iter(self._items)

    def __len__(self) -> int:
        """Return how many keys there are."""
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
        """Agree with equality, which does not look at the order."""
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        """Return the dictionary, which every constructor takes in its place."""
        return repr(self._items)
