"""`ntqr-exact dependence`: words, JSON, budgets, claims and certificates."""

import json
import subprocess
import sys

from ntqr_exact import VoteCounts, check_dependence_certificate

VOTES = VoteCounts({"aaa": 5, "aab": 1, "aba": 1, "abb": 2, "bab": 1, "bba": 2, "bbb": 4})


def test_words_json_and_certificates_tell_the_same(run, tmp_path):
    path, proofs = tmp_path / "votes.json", tmp_path / "proofs.json"
    path.write_text(VOTES.to_json())
    asked = ("dependence", path, "--budget", "0.05", "--claim", "J1 > J2", "--certificate", proofs)
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    assert "If no error covariance exceeds 1/20" in out
    assert "Assumed: J" in out
    assert "The accuracy of J1 exceeds the accuracy of J2" in out
    assert "Limits" in out
    certificates = json.loads(proofs.read_text())
    assert len(certificates) > 1
    assert not any(map(check_dependence_certificate, certificates))
    document = json.loads(run(*asked, "--json")[1])
    assert document["within"][0]["correlation"] == "1/20"
    assert document["within"][0]["assumed"]


def test_bad_budgets_and_claims_are_one_line_and_exit_code_2(run):
    for options in (
        ("--budget", "much"),
        ("--budget", "-1"),
        ("--claim", "3 better than 1"),
        ("--claim", "3 > you"),
    ):
        code, out, err = run("dependence", "example:two-norm", *options)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1


def test_four_judges_without_a_solution_are_graded_by_the_closest_key(run, tmp_path):
    path = tmp_path / "votes.json"
    path.write_text(VoteCounts({"aaaa": 9, "bbbb": 8, "aabb": 3, "abab": 2, "baab": 4}).to_json())
    code, out, _ = run("evaluate", "--details", path)
    assert code == 0
    assert "closest assumes that the errors of pairs are as little correlated" in " ".join(out.split())


def test_three_labels_have_no_bound_and_say_so(run, tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("A,B,C\nb,a,a\nc,c,a\na,b,c\n")
    code, out, _ = run("dependence", path)
    assert code == 0
    assert "no bound on dependence is claimed" in " ".join(out.split())
    code, _, err = run("dependence", path, "--budget", "0.02")
    assert (code, err.count("\n")) == (2, 1)


def test_the_written_checker_accepts_the_written_certificates(run, tmp_path):
    path, proofs, program = (tmp_path / name for name in ("votes.json", "proofs.json", "checker.py"))
    path.write_text(VOTES.to_json())
    assert run("dependence", path, "--budget", "0.02", "--certificate", proofs, "--checker", program)[0] == 0
    done = subprocess.run(
        [sys.executable, "-I", program, proofs], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
