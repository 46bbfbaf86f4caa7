"""`ntqr-exact examples` writes files, and the command beside each of them reads it."""

import json
import re
import shlex

import pytest

from ntqr_exact.examples import FILES


def test_every_file_is_written_and_nothing_of_the_user_is_replaced(run, tmp_path):
    code, out, err = run("examples", tmp_path / "new" / "folder")
    assert (code, err) == (0, "")
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(FILES)
    assert all(f"{name}: {told}" in out for name, told in FILES.items())
    assert run("examples", tmp_path / "new" / "folder")[0] == 0  # the same files may stand there
    (tmp_path / "scores.csv").write_text("mine")
    assert run("examples", tmp_path)[0] == 2
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["scores.csv"]
    (tmp_path / "file").write_text("")
    assert run("examples", tmp_path / "file" / "below")[0] == 2


@pytest.mark.parametrize("name", [name for name, told in FILES.items() if "`" in told])
def test_the_command_beside_a_file_reads_it(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    run("examples", ".")
    command = re.search("`(.+)`", FILES[name])[1]
    assert name in command
    code, out, _ = run(*shlex.split(command))
    assert code == 0
    assert out


def test_the_names_are_told_in_json(run, tmp_path):
    assert (
        json.loads(run("examples", tmp_path, "--json")[1])[str(tmp_path / "scores.csv")]
        == FILES["scores.csv"]
    )
