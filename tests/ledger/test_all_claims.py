"""Laws that every claim obeys, over the whole ledger."""

import ast
import json
import re
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import ntqr_exact.ledger
from ntqr_exact.citation import SOURCES
from ntqr_exact.exact.symbol_formulas import formulas
from ntqr_exact.ledger.entry import ledger, pinned_verdicts
from ntqr_exact.ledger.judgement import DEVIATIONS, Verdict
from ntqr_exact.ledger.pages import pages
from ntqr_exact.ledger.registry import claims, source_file

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = Path(ntqr_exact.ledger.__file__).parent
INDEX = sorted(
    line.split()[0]
    for path in HERE.rglob("index*.txt")
    for line in path.read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
)


@pytest.mark.parametrize("source", SOURCES)
def test_every_numbered_item_of_a_source_has_a_claim(source):
    names = [name for name in claims() if name.startswith(f"{source}/")]
    wanted = [pattern for pattern in INDEX if pattern.startswith(f"{source}/")]
    assert [pattern for pattern in wanted if not any(fnmatchcase(name, pattern) for name in names)] == []


def test_the_index_lists_the_equations_of_the_sources():
    for number in range(1, 49):
        letters = {26: "abcd", 33: "abcdef"}.get(number, [""])
        assert all(any(each.startswith(f"ntqr/eq-{number}{letter}") for each in INDEX) for letter in letters)
    assert all(any(each.startswith(f"faithful/eq-{number}") for each in INDEX) for number in range(1, 21))


def test_every_verdict_is_the_one_pinned(entries):
    assert {entry.claim.id: entry.verdict for entry in entries} == dict(pinned_verdicts())


def test_every_finding_has_evidence_that_can_be_read(entries):
    for entry in entries:
        evidence = [
            *entry.finding.evidence,
            *(line for each in entry.finding.readings for line in each.evidence),
        ]
        assert any(evidence), entry.claim.id
        assert all(len(line) <= 1200 for line in evidence), entry.claim.id
        assert not any(re.search(r"\b(True|False|None)\b|\{'|\['|mpq\(", line) for line in evidence), (
            entry.claim.id
        )
        if entry.verdict in (Verdict.MISPRINT, Verdict.COMPUTATION):
            assert entry.finding.right, f"{entry.claim.id}: the right value is told"


def test_every_claim_says_something_in_its_own_words():
    statements = [claim.statement for claim in claims().values()]
    assert all(len(statement) > 10 and statement.count("$") % 2 == 0 for statement in statements)
    assert len(set(statements)) > len(statements) * 9 // 10


def test_no_check_has_its_verdict_typed_in():
    for path in PACKAGE.glob("*/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
            assert name != "Verdict", f"{path.name} names a verdict"
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


# -- the pages ---------------------------------------------------------------------------------------


def test_the_pages_in_the_documentation_are_those_the_ledger_makes(entries):
    folder = ROOT / "docs" / "ledger"
    made = pages(entries)
    assert {path.name for path in folder.glob("*.md")} == set(made)
    for name, text in made.items():
        assert (folder / name).read_text(encoding="utf-8") == text, f"{name}: run ntqr-exact ledger pages"


def test_the_page_of_a_source_gives_all_the_evidence_of_every_reading(entries):
    made = {name: text.replace("\\", "") for name, text in pages(entries).items()}
    for entry in entries:
        for reading in entry.finding.readings:
            said = formulas(" ".join("; ".join(reading.evidence).split())).replace("\\", "")
            assert said in made[f"{entry.claim.source}.md"], entry.claim.id


@pytest.mark.parametrize("source", SOURCES)
def test_the_note_for_authors_is_fit_to_send(entries, source):
    text = pages(entries)[f"errata_{source}.md"]
    for entry in entries:
        if entry.claim.source == source and entry.verdict in DEVIATIONS:
            assert f"<!-- {entry.claim.id} -->" in text
    summary = source_file(source).summary
    assert 100 < len(summary) < 3500, "a summary fits on a page"
    shown = re.sub(r"<!--.*?-->", "", text)
    assert not re.search(r"`|\b(True|False|None)\b(?! (of|positive|negative))|\bRaa1\b|\{'", shown)
    assert not re.search(r"(\d\S*) to \1(?!\S)", shown), "an interval has two ends"
    entries_of = shown.split("\n### ")[1:]
    assert all("\n- Printed: " in each or "\n| place |" in each for each in entries_of)
    lacking = [each.splitlines()[0] for each in entries_of if "\n- By hand: " not in each]
    assert lacking == [], "each entry tells how to check it by hand"
    assert shown.count("$") % 2 == 0
