"""The counts of patterns as a read-only mapping in which a pattern that was not seen counts 0, and as a table."""

from __future__ import annotations

from collections.abc import Mapping

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.show import aligned, latex_cell, latex_text
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.names import Pattern, check_pattern


class PatternCounts(FrozenMapping[Pattern, int]):
    """The counts of the patterns that were seen; any other pattern of the same votes counts 0."""

    __slots__ = ("_has_gaps", "_labels", "_width")

    def __init__(self, counts: dict[Pattern, int], labels: tuple[str, ...], width: int) -> None:
        super().__init__(counts)
        self._labels = labels
        self._width = width
        self._has_gaps: bool | None = None

    @property
    def has_gaps(self) -> bool:
        """Whether some pattern has a gap; looked up once."""
        if self._has_gaps is None:
            self._has_gaps = any(None in pattern for pattern in self._items)
        return self._has_gaps

    def __getitem__(self, pattern: Pattern | str) -> int:
        try:
            return self._items[pattern]  # type: ignore[index]
        except (KeyError, TypeError):  # not seen, or written as a text or a list
            checked = check_pattern(pattern, self._labels)
        if len(checked) != self._width:
            raise BadVotes(pattern, f"a pattern here has {self._width} labels")
        return self._items.get(checked, 0)

    def __contains__(self, pattern: object) -> bool:
        try:
            return self[pattern] > 0  # type: ignore[index]
        except BadVotes:
            return False

    def __repr__(self) -> str:
        short = all(len(label) == 1 for label in self._labels)
        return repr(
            {
                ("".join(map(str, pattern)) if short and None not in pattern else pattern): count
                for pattern, count in self._items.items()
            }
        )


def table_text(judges: tuple[str, ...], counts: Mapping[Pattern, int], shares: Mapping[Pattern, mpq]) -> str:
    """Return a line for each pattern seen, with its count and its share of the questions."""
    rows = [(*judges, "count", "share")]
    rows += [(*map(_cell, pattern), str(counts[pattern]), str(share)) for pattern, share in shares.items()]
    if len(rows) == 1:
        return f"no questions for {', '.join(judges)}"
    return "\n".join(aligned(rows, to_the_left=[*(True for _ in judges), False, False], between=" "))


def table_latex(judges: tuple[str, ...], counts: Mapping[Pattern, int], shares: Mapping[Pattern, mpq]) -> str:
    """Return the same table as a LaTeX array, names escaped."""
    rows = [[*map(_text, judges), "n", "f"]]
    rows += [
        [*(_text(_cell(label)) for label in pattern), str(counts[pattern]), latex_cell(share)]
        for pattern, share in shares.items()
    ]
    header, *lines = (" & ".join(row) for row in rows)
    body = header + r" \\ \hline " + r" \\ ".join(lines) if lines else header
    return rf"\begin{{array}}{{{'c' * len(judges)}|rr}} {body} \end{{array}}"


def _cell(label: str | None) -> str:
    return "-" if label is None else label


def _text(name: str) -> str:
    return rf"\text{{{latex_text(name)}}}"
