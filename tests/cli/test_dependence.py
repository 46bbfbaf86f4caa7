"""`ntqr-exact dependence`: words, JSON, budgets, claims and certificates."""

import json

from ntqr_exact import VoteCounts, check_dependence_certificate

VOTES = VoteCounts({"aaa": 5, "aab": 1, "aba": 1, "abb": 2, "bab": 1, "bba": 2, "bbb": 4})


def test_words_json_and_certificates_tell_the_same(run, tmp_path):
    path, proofs = tmp_path / "votes.json", tmp_path / "proofs.json"
    path.write_text(VOTES.to_json())
    asked = ("dependence", path, "--budget", "0.05", "--claim", "J1 > J2", "--certificate", proofs)
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    assert "If no error correlation exceeds 1/20 = 0.05" in out
    assert "The accuracy of J1 exceeds the accuracy of J2" in out
    assert "Limits" in out
    certificates = json.loads(proofs.read_text())
    assert len(certificates) > 1
    assert all(map(check_dependence_certificate, certificates))
    document = json.loads(run(*asked, "--json")[1])
    assert document["within"][0]["correlation"] == "1/20"
    assert document["least"]["proven"] == certificates[0]["correlation"]


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
    code, out, _ = run("evaluate", path)
    assert code == 0
    assert "closest assumes that the errors of pairs are as little correlated" in " ".join(out.split())


def test_a_theorem_that_there_is_not_is_one_line(run, tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("A,B,C\nb,a,a\n")
    code, out, err = run("dependence", path, "--labels", "a,b", "--budget", "0.02", "--quick", "--coq")
    assert (code, out, err.count("\n")) == (2, "", 1)
