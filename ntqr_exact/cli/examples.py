"""`ntqr-exact examples`: write files to try the commands on."""

from __future__ import annotations

import click

from ntqr_exact.cli import options
from ntqr_exact.examples import FILES, write_files


@click.command()
@click.argument("directory", metavar="DIR", type=click.Path(file_okay=False))
@options.json_option
def examples(directory: str, *, as_json: bool) -> None:
    """Write files of every kind that is read here into DIR, to try the commands on.

    They are made up. A file of yours is never replaced. Published votes need no file: `example:two-norm` names them.

    \b
    Example:
      ntqr-exact examples . && ntqr-exact evaluate decisions.csv --judges ada,bo,cyd
    """
    written = write_files(directory)
    if as_json:
        options.show_json({str(path): FILES[path.name] for path in written})
        return
    for path in written:
        click.echo(f"{path}: {FILES[path.name]}")
