"""What the shell completes beside commands and options: equations, families, examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import click
from click.shell_completion import CompletionItem

_Complete: TypeAlias = "Callable[[click.Context, click.Parameter, str], list[CompletionItem]]"


def completing(names: Callable[[], Iterable[str]], *, or_files: bool = False) -> _Complete:
    """Return what click asks for the words that can follow: names that begin so, and files where they will do.

    The names are asked for when somebody presses the key, not before.
    """

    def complete(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
        found = [CompletionItem(name) for name in names() if name.startswith(begun)]
        return found if (found and begun) or not or_files else [*found, CompletionItem(begun, type="file")]

    return complete
