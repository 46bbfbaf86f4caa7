"""What is exported to Coq says what it should, and Coq's kernel accepts it and refuses what was changed."""

import random
import re
import shutil
from itertools import product

import pytest

from ntqr_exact import VoteCounts, example
from ntqr_exact.cli.main import main
from ntqr_exact.errors import BadVotes, NotSupported
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.proofs import check as checking
from ntqr_exact.proofs.check import check_proofs
from ntqr_exact.proofs.coq_identity import derivation_to_coq
from ntqr_exact.proofs.coq_votes import votes_to_coq

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")

SMALL = {"aab": 1, "aba": 1, "baa": 1}


def test_votes_are_written_in_the_order_of_the_table_with_the_verdict():
    text = votes_to_coq(VoteCounts(SMALL))
    assert "Table 0 1 1 0 1 0 0 0." in text
    assert "Theorem no_independent_key : ~ has_independent_key votes." in text
    assert "Theorem independent_key : has_independent_key" in votes_to_coq(VoteCounts({"aaa": 2, "bbb": 1}))
    with pytest.raises(BadVotes, match="three judges and two labels"):
        votes_to_coq(VoteCounts({"ab": 1}))


def test_a_derivation_states_every_given_equation_and_its_claim():
    derivation = derive("33d")
    text = derivation_to_coq(derivation)
    statement = text[text.index("Theorem") : text.index("Proof.\n  intros")]
    assert statement.count("== 0 ->") == len(derivation.given)
    assert "accuracy_a_1 * accuracy_b_2" in statement.rpartition("->")[2]
    assert text.count("assert (step_") == len(derivation.steps)


def test_without_coq_the_check_says_so(monkeypatch, capsys):
    monkeypatch.setattr(checking.shutil, "which", lambda _: None)
    with pytest.raises(NotSupported, match="not installed"):
        check_proofs()
    assert main(["proofs", "check"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
@needs_coq
def test_changed_files_are_refused(tmp_path):
    right = derivation_to_coq(derive("33a"))
    votes = votes_to_coq(example("two-norm").votes)
    changed = {
        "cofactor": right.replace("transitivity (", "transitivity (2 * ", 1),
        "claim": re.sub(r"== 0\.\nProof", "+ 1 == 0.\nProof", right, count=1),
        "admitted": re.sub(r"Proof\.\n  intros(.|\n)*Qed\.", "Admitted.", right),
        "axiom": right.replace("Theorem", "Axiom wrong : 0 == 1.\nTheorem"),
        "verdict": votes.replace("~ has_independent_key", "has_independent_key"),
    }
    paths = []
    for name, text in changed.items():
        assert text not in (right, votes)
        paths.append(tmp_path / f"{name}.v")
        paths[-1].write_text(text, encoding="utf-8")
    found = {each.name: each.problems for each in check_proofs(paths)}
    assert all(found[path.name] for path in paths)
    assert not any(found[f"{name}.v"] for name in checking.MODULES)


@pytest.mark.slow
@needs_coq
def test_the_kernel_accepts_every_derivation_and_all_small_votes(tmp_path):
    paths = []
    for number, name in enumerate(derivation_names()):
        paths.append(tmp_path / f"derivation_{number}.v")
        paths[-1].write_text(derivation_to_coq(derive(name)), encoding="utf-8")
    patterns = ["".join(pattern) for pattern in product("ab", repeat=3)]
    draw = random.Random(3)
    for number in range(10):
        counts = {pattern: draw.randrange(4) for pattern in patterns}
        paths.append(tmp_path / f"votes_{number}.v")
        paths[-1].write_text(votes_to_coq(VoteCounts({**counts, "aaa": 1})), encoding="utf-8")
    assert [each.problems for each in check_proofs(paths) if each.problems] == []
