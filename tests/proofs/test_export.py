"""Derivations become files that Coq accepts alone, and refuses when anything in them is changed."""

import shutil
import subprocess

import pytest

from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.proofs.export import derivations_to_coq, theorem_name

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")


def accepted(text, folder):
    path = folder / "derivation.v"
    path.write_text(text, encoding="utf-8")
    run = subprocess.run(["coqc", "-q", path.name], cwd=folder, capture_output=True, text=True, check=False)
    return run.returncode == 0 and "Axioms" not in run.stdout


@pytest.mark.parametrize("name", derivation_names())
def test_a_derivation_states_every_given_equation_and_its_claim(name):
    derivation = derive(name)
    text = derivations_to_coq([derivation, derivation])
    statement = text[text.index("Theorem") : text.index("Proof.\n  intros")]
    assert statement.count("== 0 ->") == len(derivation.given)
    assert text.count("assert (step_") == len(derivation.steps)
    assert text.count(f"Theorem {theorem_name(derivation)}") == 1


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", ["13", "16", "30", "33e", "40"])
def test_coq_accepts_a_derivation_and_refuses_a_changed_one(name, tmp_path):
    text = derivations_to_coq([derive(name)])
    assert accepted(text, tmp_path)
    assert not accepted(text.replace("transitivity (", "transitivity (1 + ", 1), tmp_path)
    claim = text[: text.index("== 0.\nProof.")]
    assert not accepted(text.replace(claim, claim[:-1] + "+ 1 "), tmp_path)
