"""`ntqr-exact ledger`: claims checked when the command runs, filters, one claim in full, errata, exit codes."""

import json
from dataclasses import replace

import pytest

from ntqr_exact.cli import main as frame
from ntqr_exact.ledger.book import book, claims
from ntqr_exact.ledger.judgement import DEVIATIONS, Verdict

SOME = "ntqr/eq-1*"


@pytest.fixture
def call(capsys):
    def run(*arguments):
        code = frame.main(["ledger", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_the_summary_counts_the_verdicts_of_the_claims_chosen(call):
    code, out, err = call("--id", SOME)
    chosen = [name for name in claims() if name.startswith("ntqr/eq-1")]
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].split()[-1] == str(len(chosen))
    assert all(name in out for name in chosen)


def test_a_verdict_filters_the_lines(call):
    _, out, _ = call("--id", "ntqr/eq-*", "--verdict", "misprint")
    listed = [line for line in out.splitlines() if line.startswith("misprint")]
    expected = [
        name
        for name, claim in claims().items()
        if claim.verdict is Verdict.MISPRINT and name.startswith("ntqr/eq-")
    ]
    assert [line.split()[1] for line in listed] == expected


def test_json_holds_evidence_and_verdict(call):
    code, out, _ = call("--id", SOME, "--json")
    document = json.loads(out)
    assert code == 0
    assert {each["id"] for each in document["claims"]} == {n for n in claims() if n.startswith("ntqr/eq-1")}
    assert all(each["evidence"] for each in document["claims"])


def test_one_claim_in_full_has_statement_evidence_and_proof(call):
    code, out, _ = call("show", "ntqr/eq-33e")
    assert code == 0
    assert "MISPRINT" in out.splitlines()[0]
    for word in ("Claim", "Printed", "Verdict", "Evidence", "Right", "Proof"):
        assert word in out


def test_an_unknown_id_names_the_nearest(call):
    code, _, err = call("show", "ntqr/eq-33z")
    assert code == 2
    assert "ntqr/eq-33" in err
    assert err.count("\n") == 1


def test_a_pattern_that_fits_nothing_is_refused(call):
    code, _, err = call("--id", "ntqr/nothing*")
    assert code == 2
    assert "no claim has an id of this form" in err


def test_a_verdict_that_differs_from_the_book_is_told_and_exits_with_1(call, monkeypatch):
    changed = replace(claims()["ores/table/f1"], verdict=Verdict.WRONG)
    monkeypatch.setitem(book("ores").claims, "ores/table/f1", changed)
    code, _, err = call("--id", "ores/table/f1")
    assert code == 1
    assert "ores/table/f1: holds, but the book says wrong" in err


def test_errata_of_a_source_list_its_deviations(call):
    code, out, _ = call("errata", "bias_adjusted")
    assert code == 0
    assert out.startswith("# Notes on ")
    deviating = [
        name
        for name, claim in claims().items()
        if name.startswith("bias_adjusted/") and claim.verdict in DEVIATIONS
    ]
    assert deviating
    assert all(name in out for name in deviating)


@pytest.mark.slow
def test_workers_find_the_same(call):
    alone = call("--id", SOME, "--json")
    assert call("--id", SOME, "--json", "--workers", "2") == alone
