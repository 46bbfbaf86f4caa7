"""The library is what it says: every theorem asked for is there, and the check accepts nothing that Coq does not."""

import os
import shutil
from itertools import islice, product

import pytest

from ntqr_exact import VoteCounts, example, failing_judges, solve_independent
from ntqr_exact.errors import BadDocument, BadVotes, NotSupported
from ntqr_exact.postulates.equations import misprints
from ntqr_exact.proofs import check
from ntqr_exact.proofs.check import MODULES, check_proofs, source_of, theorems_of
from ntqr_exact.proofs.export import failing_to_coq, solution_to_coq

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
THEOREMS = {name: module for module in MODULES for name in theorems_of(source_of(module))}


def test_the_library_has_what_is_promised_in_few_lines_and_assumes_nothing():
    promised = "decide_iff silent_iff independent_is_a_mixture leaf_sound safety_leaf_sound clique_fails parts_add_up"
    assert set(promised.split()) <= set(THEOREMS)
    assert sum(source_of(module).count("\n") for module in MODULES) <= 2600
    for module in MODULES:
        words = set(source_of(module).replace(".", " ").split())
        assert not words & {"Admitted", "admit", "Axiom", "Axioms", "Parameter", "Conjecture"}, module


@pytest.mark.parametrize("name", misprints().names)
def test_every_misprint_is_refuted_in_the_library(name):
    assert f"printed_{name.replace('16R', '16_in_counts')}_is_wrong" in THEOREMS


def test_votes_become_a_theorem_on_each_alarm_or_on_a_key():
    every = (
        dict(zip(product("ab", repeat=3), counts, strict=True)) for counts in product((0, 1, 3), repeat=8)
    )
    alarms = [solve_independent(VoteCounts(counts)).alarms for counts in islice(every, 1, None, 7)]
    kinds = {alarm.kind.name.lower() for each in alarms for alarm in each}
    assert len(kinds) == 7
    assert {f"{kind}_sound" for kind in kinds} <= set(THEOREMS)
    assert "Theorem irrational :" in solution_to_coq(solve_independent(example("two-norm").votes))
    key = solution_to_coq(solve_independent(VoteCounts({"aaa": 2, "bbb": 1})))
    assert "Theorem independent_key" in key
    with pytest.raises(BadVotes):
        solution_to_coq(solve_independent(VoteCounts({"aaab": 1, "bbba": 2})))


def test_a_count_of_failing_judges_becomes_a_theorem_if_its_proof_has_no_cases():
    assert "at_least_3" in failing_to_coq(failing_judges(example("medqa").votes, "9/10"))
    for votes, level in ((VoteCounts({"ab": 1, "ba": 1}), "1/2"), (example("medqa").votes, "1/2")):
        with pytest.raises(NotSupported):
            failing_to_coq(failing_judges(votes, level))


def test_without_coq_the_check_says_so(monkeypatch):
    monkeypatch.setattr(check.shutil, "which", lambda _tool: None)
    with pytest.raises(NotSupported):
        check_proofs()


def test_a_library_of_which_coq_refuses_a_part_is_never_kept(tmp_path, monkeypatch):
    refuses_one = 'case "$*" in *Safety.v) exit 1;; esac; echo Closed under the global context'
    (tmp_path / "coqc").write_text(f"#!/bin/sh\n{refuses_one}\n")
    (tmp_path / "coqc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for _ in range(2):
        assert [one.name for one in check_proofs() if one.problems] == ["Safety.v"]


@needs_coq
@pytest.mark.slow
def test_the_check_compiles_once_and_refuses_axioms_and_false_theorems(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(check, "MODULES", ("Questions", "Safety", "Failing"))
    panel = failing_to_coq(failing_judges(example("medqa").votes, "4/5"))
    texts = {
        "medqa.v": panel,
        "tampered.v": panel.replace("(2 <= failures", "(3 <= failures"),
        "good.v": "Theorem one : 1 + 1 = 2. Proof. reflexivity. Qed.",
        "false.v": "Theorem one : 1 + 1 = 3. Proof. reflexivity. Qed.",
        "axiom.v": "Axiom no : 1 = 2. Theorem two : 1 = 2. Proof. exact no. Qed.",
        "import.v": "From NtqrExact Require Import Failing.\nTheorem yes : True. Proof. exact I. Qed.",
        "empty.v": "(* Theorem no : True. *)",
    }
    paths = [tmp_path / name for name in texts]
    for path in paths:
        path.write_text(texts[path.name], encoding="utf-8")
    found = check_proofs(paths)
    assert [bool(one.problems) for one in found[3:]] == [False, True, False, True, True, False, True]
    assert not any(one.problems for one in found[:3])
    (compiled,) = (tmp_path / "ntqr-exact" / "coq").iterdir()
    before = sorted(path.stat().st_mtime_ns for path in compiled.iterdir())
    assert check_proofs(paths) == found
    assert sorted(path.stat().st_mtime_ns for path in compiled.iterdir()) == before
    with pytest.raises(BadDocument):
        check_proofs([tmp_path / "missing.v"])
