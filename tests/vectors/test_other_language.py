"""Somebody without Python can use the vectors: a runner in JavaScript answers three families, all exactly."""

import shutil
import subprocess
from pathlib import Path

import pytest

from ntqr_exact.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
RUNNER = ROOT / "docs" / "vectors_runner" / "runner.mjs"
SHIPPED = ROOT / "ntqr_exact" / "data" / "vectors"
FAMILIES = ("vote-moments", "possible-single", "number-parsing")

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def judged(results, capsys, *options):
    named = [word for family in FAMILIES for word in ("--family", family)]
    code = main(["vectors", "judge", str(results), *named, *options])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


@pytest.fixture
def results(tmp_path):
    ran = subprocess.run(["node", RUNNER, SHIPPED], capture_output=True, check=True, text=True, timeout=60)
    path = tmp_path / "results.jsonl"
    path.write_text(ran.stdout, encoding="utf-8")
    return path


def test_the_runner_in_javascript_answers_every_test_of_its_families(results, capsys):
    code, told = judged(results, capsys)
    assert code == 0, told


def test_a_wrong_sign_in_it_is_found(results, capsys):
    text = results.read_text(encoding="utf-8")
    changed = text.replace('"trio_moment":"-', '"trio_moment":"', 1)
    assert changed != text
    results.write_text(changed, encoding="utf-8")
    code, told = judged(results, capsys)
    assert code == 1
    assert "vote-moments/" in told
