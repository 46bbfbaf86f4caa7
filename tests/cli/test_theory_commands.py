"""`postulates`, `derive`, `ledger` and `proofs` print what the library builds and checks."""

import json
from dataclasses import replace

import pytest

from ntqr_exact.ledger.book import book, claims
from ntqr_exact.ledger.judgement import DEVIATIONS, Verdict
from ntqr_exact.postulates import complete, derivations, independent, pair, single, trio
from ntqr_exact.postulates.checker import problems
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.postulates.equations import misprints
from ntqr_exact.postulates.polynomial import read_document

SOME = "ntqr/eq-1*"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", single().rates),
        ("--form responses", single().responses),
        ("--judges 2", pair().rates),
        ("--judges 3 --form responses", trio().responses),
        ("--judges 4 --independent", independent(4)),
        ("--judges 2 --labels x,y,z --form responses", complete(2, ("x", "y", "z")).responses),
    ],
)
def test_postulates_are_printed_in_every_notation(run, words, expected):
    command = ["postulates", *words.split()]
    code, out, err = run(*command)
    assert (code, err) == (0, "")
    assert out.splitlines() == [str(postulate) for postulate in expected]
    latex = run(*command, "--format", "latex")[1]
    assert latex.splitlines() == [f"{p.latex()} % {p.name}" for p in expected]
    documents = json.loads(run(*command, "--json")[1])["postulates"]
    assert [read_document(d["polynomial"]) for d in documents] == [p.polynomial for p in expected]


@pytest.mark.parametrize(
    "words",
    [
        "--judges 0",
        "--judges 99",
        "--judges two",
        "--labels a",
        "--labels a,a",
        "--judges 2 --labels a,b,c",
        "--independent --form responses",
    ],
)
def test_bad_postulates_are_one_line(refused, words):
    refused("postulates", *words.split())


def test_derivations_are_printed_and_listed(run, refused):
    assert run("derive", "33d")[1].startswith(str(derive("33d")))
    assert "is 1/24, not 0." in run("derive", "33e")[1]  # the printed equation is refuted
    assert (
        run("derive", "33e", "33d", "--latex")[1] == f"{derive('33e').latex()}\n\n{derive('33d').latex()}\n"
    )
    listed = json.loads(run("derive", "--json")[1])
    assert [one["equation"] for one in listed] == list(derivation_names())
    assert run("derive")[1].count("\n") == len(listed)
    assert "16R" in refused("derive", "7")


def test_all_derivations_are_checked(run, monkeypatch):
    code, out, _ = run("derive", "--check")
    assert code == 0
    lines = out.splitlines()
    assert [line.split(":")[0] for line in lines] == list(derivation_names())
    assert all(": proven" in line for line in lines)
    assert sum("refuted by a test of" in line for line in lines) == len(misprints())
    documents = json.loads(run("derive", "--all", "--json")[1])
    assert all(problems(document) == [] for document in documents)
    assert sum("refuted_as_printed" in document for document in documents) == len(misprints())
    monkeypatch.setattr(derivations.Derivation, "problems", lambda _: ["wrong"])
    code, out, _ = run("derive", "16", "--check")
    assert (code, out) == (1, "16: FAILED: wrong\n")


def test_ledger_counts_and_filters_claims(run, refused):
    code, out, err = run("ledger", "--id", SOME)
    chosen = [name for name in claims() if name.startswith("ntqr/eq-1")]
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].split()[-1] == str(len(chosen))
    assert run("ledger", "check", "--id", SOME) == (code, out, err)
    document = json.loads(run("ledger", "--id", SOME, "--json")[1])
    assert [each["id"] for each in document["claims"]] == chosen
    out = run("ledger", "--id", "ntqr/eq-4*", "--verdict", "misprint")[1]
    expected = [
        name
        for name, claim in claims().items()
        if claim.verdict is Verdict.MISPRINT and name.startswith("ntqr/eq-4")
    ]
    assert [line.split()[1] for line in out.splitlines() if line.startswith("misprint")] == expected != []
    refused("ledger", "--id", "ntqr/nothing*")


def test_ledger_shows_a_claim_and_the_errata(run, refused):
    out = run("ledger", "show", "ntqr/eq-33e")[1]
    assert all(word in out for word in ("Claim", "Printed", "Verdict", "Evidence", "Right", "Proof"))
    assert "ntqr/eq-33" in refused("ledger", "show", "ntqr/eq-33z")
    code, out, _ = run("ledger", "errata", "bias_adjusted")
    deviating = [
        name
        for name, claim in claims().items()
        if name.startswith("bias_adjusted/") and claim.verdict in DEVIATIONS
    ]
    assert code == 0
    assert deviating
    assert all(name in out for name in deviating)


def test_verdict_that_differs_from_the_book_exits_with_1(run, monkeypatch):
    changed = replace(claims()["ores/table/f1"], verdict=Verdict.WRONG)
    monkeypatch.setitem(book("ores").claims, "ores/table/f1", changed)
    code, _, err = run("ledger", "--id", "ores/table/f1")
    assert (code, err) == (1, "ores/table/f1: holds, but the book says wrong\n")


@pytest.mark.slow
def test_workers_give_the_same_ledger(run):
    alone = run("ledger", "--id", SOME, "--json")
    assert run("ledger", "--id", SOME, "--json", "--workers", "2") == alone


def test_proofs_check_without_coq_says_what_to_install(run, monkeypatch):
    monkeypatch.setenv("PATH", "")
    code, _, err = run("proofs", "check")
    assert code == 2
    assert "Coq" in err
