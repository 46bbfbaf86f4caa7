"""The reference is whole: every public name stands on a page, and every parameter and command is told."""

import importlib.util
import re
from pathlib import Path

import click

from ntqr_exact.cli.main import COMMANDS, cli

DOCS = Path(__file__).resolve().parents[2] / "docs"


def loaded(name):
    specification = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


STUB = (DOCS.parent / "ntqr_exact" / "__init__.pyi").read_text(encoding="utf-8")
PUBLIC = sorted(set(re.findall(r"import (\w+) as \1$", STUB, re.MULTILINE)) - {"errors", "postulates"})


def test_every_public_name_stands_once_in_the_reference_as_it_is_imported():
    pages = [path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.md")]
    told = re.findall(r"^\.\. auto(?:class|function):: ntqr_exact\.(\w+)$", "\n".join(pages), re.MULTILINE)
    assert sorted(told) == PUBLIC


def test_the_page_of_the_command_has_every_command_and_option():
    page = loaded("command_reference").command_reference()
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert f"\n## ntqr-exact {name}\n" in page
        for parameter in command.params:
            for option in parameter.opts if isinstance(parameter, click.Option) else ():
                assert option in page
