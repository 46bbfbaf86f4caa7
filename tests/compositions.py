"""All ways to write a number as an ordered sum, for tests on every small case."""

from collections.abc import Iterator


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
    else:
        for first in range(total + 1):
            yield from ((first, *rest) for rest in compositions(total - first, parts - 1))
