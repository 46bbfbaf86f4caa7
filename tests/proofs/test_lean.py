"""Lean, where it is installed, accepts every derivation and refuses a changed claim or cofactor."""

import shutil
import subprocess

import pytest

from ntqr_exact.postulates.derivations import derivation_names, derive

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("lean") is None, reason="Lean is not installed"),
]


def checked(tmp_path, text):
    path = tmp_path / "derivations.lean"
    path.write_text(text, encoding="utf-8")
    return subprocess.run(["lean", path], capture_output=True, text=True, check=False)


def test_lean_accepts_every_derivation(tmp_path):
    parts = (
        f"namespace D{number}\n{derive(name).to_lean()}\nend D{number}\n"
        for number, name in enumerate(derivation_names())
    )
    done = checked(tmp_path, "\n".join(parts))
    assert (done.returncode, done.stdout) == (0, "")


def test_lean_refuses_a_changed_claim(tmp_path):
    text = derive("33d").to_lean()
    changed = text.replace(" = 0 := by\n  --", " + 1 = 0 := by\n  --", 1)
    assert changed != text
    assert "error" in checked(tmp_path, changed).stdout


@pytest.mark.parametrize("name", ["30", "33d", "35"])
def test_lean_refuses_a_changed_cofactor(tmp_path, name):
    changed = derive(name).to_lean().replace(" = (", " = 2 * (", 1)
    assert " = 2 * (" in changed
    assert "error" in checked(tmp_path, changed).stdout
