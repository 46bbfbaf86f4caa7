"""The reference is whole: every public name is on a page, and every option of every command."""

import importlib.util
import re
from pathlib import Path

import click

import ntqr_exact
from ntqr_exact.cli.main import COMMANDS, cli

DOCS = Path(__file__).resolve().parents[2] / "docs"


def loaded(name):
    specification = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_every_public_name_is_once_in_the_reference():
    pages = "\n".join(loaded("api_pages").api_pages().values())
    listed = re.findall(r"^\.\. auto(?:class|function):: ntqr_exact\.(\w+)$", pages, re.MULTILINE)
    assert sorted(listed) == [name for name in ntqr_exact.__all__ if name not in {"errors", "postulates"}]


def test_the_page_of_the_command_has_every_command_and_option():
    page = loaded("command_reference").command_reference()
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert f"\n## ntqr-exact {name}\n" in page
        for parameter in command.params:
            for option in parameter.opts if isinstance(parameter, click.Option) else ():
                assert option in page
