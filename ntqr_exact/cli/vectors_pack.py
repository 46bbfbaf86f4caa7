"""`ntqr-exact vectors pack`: the vectors as a package of data alone, for npm, for pip, or as a zip file."""

from __future__ import annotations

from pathlib import Path

import click

from ntqr_exact.exact.json_text import write_json
from ntqr_exact.vectors.files import shipped
from ntqr_exact.vectors.pack import pack_npm, pack_wheel, pack_zip, schemas_of
from ntqr_exact.vectors.schema_code import forms_module
from ntqr_exact.vectors.set_version import record_of, set_version
from ntqr_exact.whole_file import whole_file, write_whole

_FORMS = {"npm": pack_npm, "pypi": pack_wheel, "zip": pack_zip}


@click.command("pack")
@click.option("--npm", is_flag=True, help="A package for npm, with types for TypeScript.")
@click.option("--pypi", is_flag=True, help="A wheel; `ntqr_vectors.path()` is where its files are.")
@click.option("--zip", is_flag=True, help="A zip file.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    show_default="here",
    help="Where the packages go.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what the next version will be compared with to this file.",
)
@click.option(
    "--forms",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the forms of inputs and answers to this file, a module of JavaScript.",
)
def pack_command(*, out: Path, record: Path | None, forms: Path | None, **wanted: bool) -> None:
    """Write the set that ships as packages of data alone; all three forms unless some are named.

    The set has a version of its own: a changed expectation is a major version, a new test a minor one.
    """
    chosen = [form for form, is_wanted in wanted.items() if is_wanted]
    if record is not None:
        write_whole(record, write_json({"version": set_version(), "record": record_of(shipped())}))
    if forms is not None:
        write_whole(forms, forms_module(schemas_of(shipped())))
    if (record or forms) and not chosen:
        return
    out.mkdir(parents=True, exist_ok=True)
    for form in chosen or _FORMS:
        name, data = _FORMS[form](shipped())
        with whole_file(out / name) as file:
            file.write(data)
        click.echo(out / name)
