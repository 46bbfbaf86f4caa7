"""The stand-alone checker: what it accepts is true, what is changed is refused, and it runs without the library."""

from __future__ import annotations

import ast
import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ntqr_exact import (
    VoteCounts,
    breakdown_point,
    check_dependence_certificate,
    evaluate_within,
    least_dependence,
)
from ntqr_exact.dependence import budget_checker as checker

VOTES = VoteCounts({"aaa": 20, "bbb": 12, "aab": 5, "bba": 3, "aba": 4, "bab": 2})
FOUR = VoteCounts({"aabb": 9, "abab": 1, "aaaa": 7, "bbbb": 8, "abba": 2})
TRIO = VoteCounts({"aaa": 16, "aab": 6, "aba": 3, "abb": 1, "baa": 2, "bab": 1, "bba": 2, "bbb": 4})
CERTIFICATES = {
    "least": least_dependence(FOUR).certificate,
    "ranges": evaluate_within(VOTES, "1/50").certificate,
    "pairs": evaluate_within(VOTES, "1/50", orders=(2,), better_than_chance=["J1", "J2"]).certificate,
    "trio": evaluate_within(TRIO, "1/50", better_than_chance="J1").certificate,
    "none": evaluate_within(FOUR, "1/100").certificate,
    "claim": breakdown_point(VOTES, "J1 > 1/2").certificate,
    "comparison": breakdown_point(VOTES, "J1 on a > 1/4").certificate,
}


def sealed(document: dict) -> dict:
    """Return a changed certificate with the words and the checksum that go with it."""
    document["statement"] = checker.statement(document)
    document["checksum"] = checker.checksum(document)
    return document


@pytest.mark.parametrize("name", CERTIFICATES)
def test_certificates_are_accepted_also_after_json(name: str) -> None:
    assert check_dependence_certificate(json.loads(json.dumps(CERTIFICATES[name]))) == []


@pytest.mark.parametrize("name", CERTIFICATES)
def test_any_change_without_a_new_checksum_is_a_problem(name: str) -> None:
    for field in CERTIFICATES[name]:
        for other in (None, "1/7", [], 3, {}):
            changed = {**CERTIFICATES[name], field: other}
            assert changed == CERTIFICATES[name] or check_dependence_certificate(changed)


@pytest.mark.parametrize("name", CERTIFICATES)
def test_the_checker_also_checks_the_sentences(name: str) -> None:
    document = copy.deepcopy(CERTIFICATES[name])
    document["statement"] = document["statement"].replace("J1", "J2").replace("covariance", "correlation")
    document["checksum"] = checker.checksum(document)
    assert "the statement is not what" in check_dependence_certificate(document)[0]


def test_words_say_which_covariances_are_limited_and_who_is_assumed() -> None:
    ranges = CERTIFICATES["ranges"]
    for orders, assumed in (([2], []), ([2, 3], []), ([2], ["J1", "J3"])):
        words = checker.statement({**ranges, "orders": orders, "assumed": assumed})
        assert ("two or three judges" in words, "two judges" in words) == (3 in orders, 3 not in orders)
        assert ("no worse than chance: J1, J3" in words) == bool(assumed)


def test_stronger_statements_are_problems() -> None:
    least, ranges, none, claim = (
        copy.deepcopy(CERTIFICATES[n]) for n in ("least", "ranges", "none", "claim")
    )
    least["budget"] = "1/4"
    none["budget"] = "1/4"
    claim["budget"] = "1/4"
    assert all(check_dependence_certificate(sealed(document)) for document in (least, none, claim))
    for place in range(len(ranges["ranges"])):
        narrow = copy.deepcopy(ranges)
        narrow["ranges"][place][1] = narrow["ranges"][place][2]
        assert narrow == ranges or check_dependence_certificate(sealed(narrow))
    without = {**ranges, "assumed": []}
    assert check_dependence_certificate(sealed(without))


@pytest.mark.parametrize("label", ["a", "b"])
def test_keys_with_one_label_only_are_not_forgotten(label: str) -> None:
    votes = {"labels": ["a", "b"], "judges": ["J1", "J2"], "counts": [[["a", "b"], 1]]}
    share = {"label": label, "judge": None}  # of one question: 1 or 0
    document = {**CERTIFICATES["claim"], "votes": votes, "budget": "1", "orders": [2], "assumed": []}
    for claim, is_proven in ((("2", share), True), ((share, "1/2"), False)):
        stated = {**document, "claim": dict(zip(("greater", "lesser"), claim, strict=True))}
        assert (check_dependence_certificate(sealed(stated)) == []) == is_proven


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("format", "another"),
        ("orders", [3]),
        ("orders", [2, 3, 4]),
        ("budget", "-1"),
        ("budget", "1e999999999"),
        ("budget", 0),
        ("strict", 1),
        ("strict", True),
        ("cells", 0),
        ("cells", 10**9),
        ("assumed", ["J9"]),
        ("assumed", ["J1", "J1"]),
        ("votes", {"labels": ["a", "b", "c"], "judges": ["J1", "J2"], "counts": [[["a", "b"], 1]]}),
        ("votes", {"labels": ["a", "b"], "judges": ["J1", "J2"], "counts": []}),
        ("votes", {"labels": ["a", "b"], "judges": ["J1", "J2"], "counts": [[["a", "b"], 0]]}),
        ("votes", {"labels": ["a", "b"], "judges": ["J1", "J2"], "counts": [[["a"], 1]]}),
        (
            "votes",
            {"labels": ["a", "b"], "judges": ["J1", "J2"], "counts": [[["a", "b"], 1], [["a", "b"], 1]]},
        ),
        ("extra", 1),
        ("ranges", [["1/2", "0", "1"]]),
        ("claim", {"greater": "1/2", "lesser": "1/3"}),
    ],
)
def test_malformed_parts_are_problems(field: str, other: object) -> None:
    document = {**copy.deepcopy(CERTIFICATES["ranges"]), field: other}
    try:
        sealed(document)
    except (KeyError, TypeError, AttributeError, ValueError):
        document["checksum"] = checker.checksum(document)
    assert check_dependence_certificate(document)


@pytest.mark.parametrize("document", [None, [], {}, "text", {"format": checker.FORMAT}, 7])
def test_anything_but_a_certificate_is_a_problem(document: object) -> None:
    assert check_dependence_certificate(document)


def test_checker_imports_the_standard_library_only_and_runs_alone(tmp_path: Path) -> None:
    source = Path(checker.__file__).read_text(encoding="utf-8")
    modules = {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
    assert not any(module.startswith("ntqr_exact") for module in modules)
    program, proofs = tmp_path / "alone.py", tmp_path / "proofs.json"
    program.write_text(source, encoding="utf-8")
    broken = {**CERTIFICATES["none"], "budget": "1/3"}
    for content, code in ((list(CERTIFICATES.values()), 0), ([broken], 1)):
        proofs.write_text(json.dumps(content), encoding="utf-8")
        run = subprocess.run(
            [sys.executable, "-I", program, proofs], capture_output=True, text=True, check=False
        )
        assert run.returncode == code
        assert len(run.stdout.splitlines()) == len(content)
