"""The counts of patterns as a read-only mapping in which a pattern that was not seen counts 0."""

from __future__ import annotations

from ntqr_exact.errors import BadVotes
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.names import Pattern, check_pattern


class PatternCounts(FrozenMapping[Pattern, int]):
    """The counts of the patterns that were seen; any other pattern of the same votes counts 0."""

    __slots__ = ("_labels", "_width")

    def __init__(self, counts: dict[Pattern, int], labels: tuple[str, ...], width: int) -> None:
        """Keep counts that are checked and in canonical order."""
        super().__init__(counts)
        self._labels = labels
        self._width = width

    def __getitem__(self, pattern: Pattern | str) -> int:
        """Return how often a pattern was seen; it may be written as one text if labels are characters."""
        try:
            return self._items[pattern]  # type: ignore[index]
        except (KeyError, TypeError):  # not seen, or written as a text or a list
            checked = check_pattern(pattern, self._labels)
        if len(checked) != self._width:
            raise BadVotes(pattern, f"a pattern here has {self._width} labels")
        return self._items.get(checked, 0)

    def __contains__(self, pattern: object) -> bool:
        """Whether a pattern was seen at all, in any way that it may be written."""
        try:
            return self[pattern] > 0  # type: ignore[index]
        except BadVotes:
            return False

    def __repr__(self) -> str:
        """Return the patterns and counts, as texts where every label is one character."""
        short = all(len(label) == 1 for label in self._labels)
        return repr(
            {("".join(pattern) if short else pattern): count for pattern, count in self._items.items()}
        )
