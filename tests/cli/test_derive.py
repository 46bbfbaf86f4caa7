"""`ntqr-exact derive` prints derivations step by step and checks them with the independent checker."""

import json

import pytest

from ntqr_exact.cli import derive as command
from ntqr_exact.cli import main as frame
from ntqr_exact.postulates.checker import problems
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.postulates.equations import misprints


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = frame.main(["derive", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_one_equation_step_by_step(run):
    code, out, err = run("33d")
    assert (code, err) == (0, "")
    assert out.startswith(str(derive("33d")))


def test_a_misprinted_equation_is_refuted_beside_its_derivation(run):
    _, out, _ = run("33e")
    assert "Equation 33e (Corrada-Emmanuel 2023, eq. 33e; corrected)" in out
    assert "as printed (Corrada-Emmanuel 2023, eq. 33e) fails" in out
    assert "is 1/24, not 0." in out


def test_all_are_checked(run):
    code, out, _ = run("--all", "--check")
    assert code == 0
    lines = out.splitlines()
    assert [line.split(":")[0] for line in lines] == list(derivation_names())
    assert all(": proven" in line for line in lines)
    assert sum("refuted by a test of" in line for line in lines) == len(misprints())


def test_json_is_what_the_checker_reads(run):
    code, out, _ = run("39", "--json")
    assert code == 0
    assert problems(json.loads(out)) == []
    _, out, _ = run("--all", "--check", "--json")
    documents = json.loads(out)
    assert len(documents) == len(derivation_names())
    assert all(document["problems"] == [] == problems(document) for document in documents)
    refuted = [document["equation"] for document in documents if "refuted_as_printed" in document]
    assert len(refuted) == len(misprints())


def test_a_failed_check_is_exit_code_1(run, monkeypatch):
    class Broken:
        def problems(self):
            return ["the combination is not the target"]

    monkeypatch.setattr(command, "derive", lambda _name: Broken())
    code, out, _ = run("16", "--check")
    assert code == 1
    assert "16: FAILED: the combination is not the target" in out


def test_an_unknown_equation_is_exit_code_2_and_lists_what_there_is(run):
    code, out, err = run("7")
    assert (code, out) == (2, "")
    assert "'7': equations that can be derived are 13, 16, 16R" in err
    assert err.count("\n") == 1


def test_without_an_equation_it_lists_them(run):
    code, out, _ = run()
    assert code == 0
    assert "33d" in out


def test_check_alone_checks_everything(run):
    code, out, _ = run("--check")
    assert code == 0
    assert out == run("--all", "--check")[1]


def test_the_list_of_statements_as_json_and_as_latex(run):
    code, out, _ = run("--json")
    assert code == 0
    told = {one["equation"]: one for one in json.loads(out)}
    assert list(told) == list(derivation_names())
    assert told["33a"]["statement"] == "P_a·(P^a_{a_1} − f_{a_1}) − P_b·(P^b_{b_1} − f_{b_1}) = 0"
    assert f"{told['33e']['latex']} % 33e" in run("--latex")[1].splitlines()
    assert f"33a       {told['33a']['statement']}" in run()[1].splitlines()


def test_a_derivation_in_latex(run):
    assert run("33e", "33d", "--latex")[1] == f"{derive('33e').latex()}\n\n{derive('33d').latex()}\n"
