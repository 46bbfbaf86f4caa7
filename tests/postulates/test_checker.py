"""The checker needs only Python, accepts what is right, and refuses every way of being wrong."""

import ast
import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ntqr_exact.postulates import checker
from ntqr_exact.postulates.checker import problems

SOURCE = Path(checker.__file__)
RIGHT = {
    "format": "ntqr-exact derivation 1",
    "claim": {"z^2": "1", "x^4": "-1"},
    "given": [
        {"name": "y", "polynomial": {"y": "1", "x": "-1"}},
        {"name": "z", "polynomial": {"z": "1", "x*y": "-1"}, "defines": "z"},
    ],
    "steps": [
        {"name": "lemma", "target": {"z": "1", "x^2": "-1"},
         "terms": [{"generator": "z", "cofactor": {"1": "1"}}, {"generator": "y", "cofactor": {"x": "1"}}]},
        {"name": "end", "target": {"z^2": "1", "x^4": "-1"},
         "terms": [{"generator": "lemma", "cofactor": {"z": "1", "x^2": "1"}}]},
    ],
}  # fmt: skip


def test_it_imports_nothing_but_the_standard_library():
    imported = set()
    for node in ast.walk(ast.parse(SOURCE.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    assert imported <= {"__future__", "json", "sys", "fractions", "pathlib", "typing"}


def test_it_accepts_a_right_derivation():
    assert problems(RIGHT) == []


def changed(*path_and_value):
    document = copy.deepcopy(RIGHT)
    *path, last, value = path_and_value
    place = document
    for key in path:
        place = place[key]
    place[last] = value
    return document


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (changed("steps", 0, "terms", 1, "cofactor", {"x": "-1"}), "not the target"),
        (changed("steps", 1, "terms", 0, "generator", "end"), "neither given nor proven"),
        (changed("steps", 1, "name", "lemma"), "takes the name"),
        (changed("claim", {"z^2": "1"}), "the last step is not the claim"),
        (changed("steps", []), "the last step is not the claim"),
        (changed("given", 1, "name", "y"), "given twice"),
        (changed("given", 1, "defines", "x"), "does not define"),
        (changed("given", 1, "defines", "w"), "does not define"),
        (changed("given", 1, "polynomial", {"z": "1", "z*x": "1"}), "does not define"),
        # an assumption in disguise: y is known already, and y = x² is news
        (
            changed("given", 1, {"name": "z", "polynomial": {"y": "1", "x^2": "-1"}, "defines": "y"}),
            "'z' does not define 'y' anew",
        ),
        (changed("format", "other"), "unknown format"),
        (changed("claim", {"z^0": "1"}), "malformed"),
        (changed("claim", {"z": "1/0"}), "malformed"),
        (changed("claim", {"z": 1}), "malformed"),
        (changed("claim", {"z*y": "1", "y*z": "1"}), "malformed"),
        ([], "malformed"),
    ],
)
def test_it_refuses_a_wrong_one(document, expected):
    assert any(expected in problem for problem in problems(document))


def test_it_runs_alone_as_a_script(tmp_path):
    script = tmp_path / "alone.py"
    script.write_text(SOURCE.read_text(encoding="utf-8"), encoding="utf-8")
    right, wrong = tmp_path / "right.json", tmp_path / "wrong.json"
    right.write_text(json.dumps(RIGHT))
    wrong.write_text(json.dumps(changed("claim", {})))
    run = subprocess.run(
        [sys.executable, "-I", script, right, wrong], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert "right.json: proven" in run.stdout
    assert "wrong.json: the last step is not the claim" in run.stdout
