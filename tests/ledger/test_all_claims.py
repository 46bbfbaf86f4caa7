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
from ntqr_exact.errors import NtqrExactError
from ntqr_exact.ledger.claim import Kind
from ntqr_exact.ledger.entry import Entry, ledger
from ntqr_exact.ledger.finding import Verdict
from ntqr_exact.ledger.pages import pages
from ntqr_exact.ledger.pins import pinned_verdicts
from ntqr_exact.ledger.registry import claims

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = Path(ntqr_exact.ledger.__file__).parent
INDEX = sorted(
    (path, line.split()[0])
    for path in HERE.rglob("index*.txt")
    for line in path.read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
)


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return list(ledger())


def test_there_are_claims_of_all_five_sources_and_at_least_250(entries):
    assert {entry.claim.source for entry in entries} == set(SOURCES)
    assert len(entries) >= 250


@pytest.mark.parametrize(("path", "pattern"), INDEX, ids=[pattern for _, pattern in INDEX])
def test_every_numbered_item_of_the_sources_has_a_claim(path, pattern):
    assert any(fnmatchcase(name, pattern) for name in claims()), f"{path.parent.name} lacks {pattern}"


def test_the_index_lists_items_of_all_five_sources():
    assert {pattern.split("/")[0] for _, pattern in INDEX} == set(SOURCES)
    for number in range(1, 49):
        letters = {26: "abcd", 33: "abcdef"}.get(number, [""])
        assert all(
            any(pattern.startswith(f"ntqr/eq-{number}{letter}") for _, pattern in INDEX) for letter in letters
        ), number
    assert all(any(pattern.startswith(f"faithful/eq-{n}") for _, pattern in INDEX) for n in range(1, 21))


def test_every_verdict_is_the_one_pinned(entries):
    assert {entry.claim.id: entry.verdict for entry in entries} == dict(pinned_verdicts())


def test_every_finding_has_evidence_that_can_be_read(entries):
    for entry in entries:
        finding = entry.finding
        assert finding.evidence, entry.claim.id
        assert all(0 < len(line) <= 1200 for line in finding.evidence), entry.claim.id
        assert len(finding.evidence) <= 12, entry.claim.id
        if finding.verdict is Verdict.MISPRINT:
            assert finding.right, f"{entry.claim.id}: a misprint has a right value"


def test_every_claim_says_something_in_its_own_words(entries):
    statements = [entry.claim.statement for entry in entries]
    assert all(len(statement) > 10 and statement.count("$") % 2 == 0 for statement in statements)
    assert len(set(statements)) > len(statements) * 9 // 10


def test_no_claim_has_its_verdict_typed_in():
    for path in PACKAGE.glob("*/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
            if name == "Finding" and isinstance(getattr(node, "ctx", None), ast.Load):
                continue  # as the type of what a check returns
            assert name != "Verdict", f"{path.name} names a verdict"
        assert "Finding(" not in path.read_text(encoding="utf-8"), path.name


def disturbed(printed: str) -> list[str]:
    """The printed text with one thing changed: each digit in turn, or each sign."""
    changed = []
    for place, character in enumerate(printed):
        if character.isdecimal():
            other = str((int(character) + 1) % 10)
            changed.append(printed[:place] + other + printed[place + 1 :])
        elif character in "+-":
            other = "-" if character == "+" else "+"
            changed.append(printed[:place] + other + printed[place + 1 :])
    return changed


def test_another_printed_value_has_another_finding(entries):
    """No check ignores what is printed: some change of a digit or sign changes what is found."""
    blind = []
    for entry in entries:
        variants = disturbed(entry.claim.printed)
        if not variants:
            continue
        step = max(1, len(variants) // 6)
        if not any(_differs(entry, variant) for variant in variants[::step]):
            blind.append(entry.claim.id)
    assert blind == []


def _differs(entry: Entry, printed: str) -> bool:
    try:
        return entry.claim.check(printed) != entry.finding
    except (NtqrExactError, ValueError, KeyError, IndexError):
        return True


def test_numbers_and_counts_have_a_printed_value_that_is_data(entries):
    for entry in entries:
        if entry.claim.kind in (Kind.NUMBER, Kind.COUNT):
            assert re.search(r"\d", entry.claim.printed) or entry.claim.garbled, entry.claim.id


def test_a_deleted_check_is_seen(entries):
    """A claim without its check has no verdict at all, so that the pins no longer fit."""
    assert set(pinned_verdicts()) == {entry.claim.id for entry in entries}


def test_findings_travel_between_processes_and_are_the_same_there(entries):
    some = [entry.claim.id for entry in entries[:: max(1, len(entries) // 40)]]
    with ProcessPoolExecutor(2) as pool:
        away = {entry.claim.id: entry.finding for entry in ledger(some, executor=pool)}
    assert away == {entry.claim.id: entry.finding for entry in entries if entry.claim.id in set(some)}


def test_documents_are_exact_json(entries):
    floats = []
    json.loads(json.dumps([entry.to_document() for entry in entries]), parse_float=floats.append)
    assert floats == []


def test_the_pages_in_the_documentation_are_those_the_ledger_makes(entries):
    folder = ROOT / "docs" / "ledger"
    made = pages(entries)
    assert {path.name for path in folder.glob("*.md")} == set(made)
    for name, text in made.items():
        assert (folder / name).read_text(encoding="utf-8") == text, f"{name}: run ntqr-exact ledger pages"


def test_pages_and_errata_give_all_the_evidence_of_every_reading(entries):
    made = {name: text.replace("\\", "") for name, text in pages(entries).items()}
    for entry in entries:
        for reading in entry.finding.readings:
            said = "; ".join(reading.evidence).replace("\\", "")
            assert said in made[f"{entry.claim.source}.md"], entry.claim.id
            if entry.verdict is Verdict.DEPENDS:
                assert said in made[f"errata_{entry.claim.source}.md"], entry.claim.id


def test_errata_name_every_deviation(entries):
    made = pages(entries)
    for entry in entries:
        if entry.verdict in (Verdict.MISPRINT, Verdict.WRONG, Verdict.DEPENDS):
            assert f"`{entry.claim.id}`" in made[f"errata_{entry.claim.source}.md"]
