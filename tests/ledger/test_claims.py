"""Laws that every claim obeys, over the whole ledger."""

import ast
import hashlib
import json
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import ntqr_exact.ledger
from ntqr_exact.citation import SOURCES
from ntqr_exact.ledger.book import book, claims
from ntqr_exact.ledger.judgement import DEVIATIONS, Verdict
from ntqr_exact.ledger.report import entry_text, errata, ledger, pages

PACKAGE = Path(ntqr_exact.ledger.__file__).parent
PLACES = {  # the numbered items of each source
    "ntqr": ["thm-1", "algorithm-1", *(f"eq-26{c}" for c in "abcd"), *(f"eq-33{c}" for c in "abcdef")]
    + [f"{kind}-{n}" for kind, last in (("eq", 48), ("table", 11), ("fig", 8)) for n in range(1, last + 1)],
    "faithful": ["table-1", "table-2", *(f"eq-{n}" for n in range(1, 21))],
    "bias_adjusted": ["sets", "error-rate", "testing", "precision", "recall", "f1", "aupr", "bootstrap"],
    "ores": ["table", *(f"sec-1-{n}" for n in range(1, 13))],
    "orderings": [
        *("alg-1", "def-1", "thm-1", "thm-2", "fig-1", *(f"lemma-{n}" for n in (1, 2, 3))),
        *(f"eq-{n}" for n in (1, 2, 3)),
        *(f"table-{n}" for n in (1, 2, 3, 4)),
    ],
}
TOLD_WITH = {
    "ntqr/eq-4": "ntqr/eq-1",
    "ntqr/fig-3": "ntqr/sec-3/plane",
    "ntqr/fig-4": "ntqr/sec-3/plane",
    "orderings/eq-3": "orderings/eq-1",
    "orderings/table-4": "orderings/table-1/rows",
    "faithful/eq-2": "faithful/eq-1",
    "faithful/eq-4": "faithful/eq-3",
    "faithful/eq-6": "faithful/eq-5",
    "faithful/eq-7": "faithful/words",
}  # items that another claim holds, too

SUMS = "1672b6db936b 56221da45c49 e8560c9c3dda 59c600d40417 657548e0a5bb"
"""A checksum of all numbers and verdicts that are computed for each source; words may change."""


@pytest.mark.parametrize("source", SOURCES)
def test_every_numbered_item_of_a_source_has_a_claim(source):
    names = list(book(source).claims)
    items = [TOLD_WITH.get(f"{source}/{each}", f"{source}/{each}") for each in PLACES[source]]
    assert [each for each in items if not any(re.match(rf"{each}\D?", n) for n in names)] == []


def test_every_verdict_is_the_one_in_the_book(entries):
    assert [(each.claim.id, each.verdict) for each in entries if each.differs] == []


@pytest.mark.parametrize(("source", "expected"), [*zip(SOURCES, SUMS.split(), strict=True)])
def test_computed_numbers_change_only_on_purpose(entries, source, expected):
    findings = [replace(each.finding, proof=None) for each in entries if each.claim.source == source]
    computed = [sorted(re.findall(r"\d+|Verdict\.\w+", repr(each))) for each in findings]
    result = hashlib.sha256(repr(computed).encode()).hexdigest()[:12]
    assert result == expected, "compare `ntqr-exact ledger check --json` before and after the change"


def test_a_claim_is_reported_with_one_that_exists():
    known = claims()
    names = {f"{each.source}/{each['with']}" for each in known.values() if each["with"]}
    assert names <= set(known)
    assert not any(known[name]["with"] for name in names)


def test_every_finding_has_evidence_that_can_be_read(entries):
    for entry in entries:
        lines = [
            *entry.finding.evidence,
            *(line for each in entry.finding.readings for line in each.evidence),
        ]
        assert any(lines), entry.claim.id
        assert all(len(line) <= 1200 for line in lines), entry.claim.id
        assert not re.search(r"\b(True|False|None)\b|\{'|\['|mpq\(", "\n".join(lines)), entry.claim.id
        assert not re.search(r"\{'|\['|mpq\(", entry_text(entry).partition("\nProof")[0]), entry.claim.id
        if entry.verdict in (Verdict.MISPRINT, Verdict.COMPUTATION):
            assert entry.finding.right or entry.claim["instead"], f"{entry.claim.id}: no right value"
        assert ("Coq" in entry_text(entry)) == bool(entry.claim["theorem"]), entry.claim.id


def test_every_claim_says_something_in_its_own_words():
    statements = [claim.statement for claim in claims().values()]
    assert all(len(statement) > 10 and statement.count("$") % 2 == 0 for statement in statements)
    assert len(set(statements)) > len(statements) * 9 // 10


def test_no_check_has_its_verdict_typed_in():
    shared = {"book.py", "judgement.py", "report.py"}
    for path in PACKAGE.rglob("*.py"):
        if path.name not in shared:
            tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            names = {node.id for node in tree if isinstance(node, ast.Name)}
            assert "Verdict" not in names, f"{path.name} names a verdict"
            assert "Finding(" not in path.read_text(encoding="utf-8"), path.name


def test_findings_travel_between_processes_and_are_the_same_there(entries):
    some = [entry.claim.id for entry in entries[:: max(1, len(entries) // 20)]]
    with ProcessPoolExecutor(2) as pool:
        away = {entry.claim.id: entry.finding for entry in ledger(some, executor=pool)}
    assert away == {entry.claim.id: entry.finding for entry in entries if entry.claim.id in set(some)}


def test_documents_are_exact_json(entries):
    floats = []
    json.loads(json.dumps([entry.to_document() for entry in entries]), parse_float=floats.append)
    assert floats == []


def test_the_page_of_a_source_has_every_claim_once(entries):
    made = pages(entries)
    for entry in entries:
        assert made[f"{entry.claim.source}.md"].count(f"## `{entry.claim.id}`\n") == 1


@pytest.mark.parametrize("source", SOURCES)
def test_the_note_for_authors_is_fit_to_send(entries, source):
    own = [entry for entry in entries if entry.claim.source == source]
    text = errata(source, own)
    for entry in own:
        if entry.verdict in DEVIATIONS:
            assert f"<!-- {entry.claim.id} -->" in text
        if entry.claim.essential:
            assert f"*{entry.verdict.value}* (" in text, "the kinds of entries are explained"
    assert 100 < len(book(source).summary) < 3500, "a summary fits on a page"
    shown = re.sub(r"<!--.*?-->", "", text)
    assert not re.search(r"[|:] +\|", shown), "every row has a note"
    assert not re.search(r"`|\b(True|False|None)\b(?! (of|positive|negative))|\bRaa1\b|\{'", shown)
    assert not re.search(r"(\d\S*) to \1(?!\S)", shown), "an interval has two ends"
    assert shown.count("$") % 2 == 0
