"""Groups of commands: without a command, they show their help."""

from __future__ import annotations

import click


class HelpfulGroup(click.Group):
    """A group that takes the absence of everything for `--help`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Ask for help if nothing is asked."""
        return super().parse_args(ctx, args or ["--help"])
