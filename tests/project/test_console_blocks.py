"""What the documents print after a command is what the command prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ntqr_exact.cli import main as frame

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    path
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if "```console" in path.read_text(encoding="utf-8")
)
LEFT_OUT = "[…]"


def parts(text: str) -> list[tuple[str, str]]:
    """The files to be saved, as (name, content), and the sessions, as ("", content), in order."""
    found, end = [], 0
    for match in re.finditer(r"^```(text|json|console)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        kind, content = match.groups()
        named = re.search(r"`([\w.]+)`:\s*$", text[end : match.start()])
        if kind == "console" or named:
            found.append(("" if kind == "console" else named[1], content))
        end = match.end()
    return found


def fits(printed: str, actual: str) -> bool:
    """Whether the output is what is printed, where a line […] stands for any number of lines."""
    lines = [
        r"(?:.*\n)*" if line == LEFT_OUT else re.escape(line) + r"\n" for line in printed.strip().split("\n")
    ]
    text = "".join(f"{line.rstrip()}\n" for line in actual.strip().split("\n"))
    return re.fullmatch("".join(lines), text) is not None


@pytest.mark.parametrize(
    "path",
    [
        # The tutorial has a session of every command.
        pytest.param(path, marks=pytest.mark.slow if path.name == "tutorial.md" else (), id=path.name)
        for path in DOCUMENTS
    ],
)
def test_a_session_in_a_document_runs_as_it_is_printed(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sessions = 0
    for name, content in parts(path.read_text(encoding="utf-8")):
        if name:
            (tmp_path / name).write_text(content, encoding="utf-8")
            continue
        for entry in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
            command, _, printed = entry.partition("\n")
            words = shlex.split(command)
            assert words[0] == "ntqr-exact", command
            frame.main(words[1:])
            captured = capsys.readouterr()
            assert fits(printed, captured.out + captured.err), f"{command}\n{captured.out}{captured.err}"
            sessions += 1
    assert sessions


def test_the_comparison_sees_a_difference():
    assert fits("a\n[…]\nd\n", "a\nb\nc\nd\n")
    assert fits("a\nb\n", "a\nb\n")
    assert not fits("a\n[…]\nd\n", "a\nb\nc\n")
    assert not fits("a\nb\n", "a\nc\n")
    assert not fits("[…]\nx\n[…]\n", "a\nxy\n")
