"""Options that say where long work runs: here, in processes of this machine, or on a dask cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_Function = TypeVar("_Function", bound=Callable[..., Any])


def engine_options(function: _Function) -> _Function:
    """Add `--workers N` and `--dask ADDRESS`."""
    dask = click.option("--dask", metavar="ADDRESS", help="Use the dask cluster with this scheduler.")
    workers = click.option(
        "--workers", type=click.IntRange(min=1), help="How many processes of this machine to use."
    )
    return workers(dask(function))
