"""The prose of the errata cannot drift from the evidence: every number in it is one that a check printed."""

import re
from fractions import Fraction

from ntqr_exact.citation import SOURCES
from ntqr_exact.ledger.book import book
from ntqr_exact.ledger.judgement import DEVIATIONS

REFERENCES = re.compile(
    r"\b(eqs?\.|equations?|postulates?|tables?|sections?|figures?|rows?|items?|classifiers?|judges?|pairs?|exp) ?"
    r"\d[\d.]*[a-f]?(,? ?(and|to)? ?\d[\d.]*[a-f]?\b)*|(?<![.\d])\d\d[a-f]\b",
    re.IGNORECASE,
)
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?:/\d+)?(?![\w])")
OF_FORMULAS = {"0", "1", "2", "3", "4", "1/2"}


def numbers(text: str) -> list[str]:
    text = re.sub(r"\\frac(\d)(\d)", r"\1/\2", re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\1/\2", text))
    text = re.sub(r"[_^](\{[^{}]*\}|\\?\w)", "", REFERENCES.sub("", text).replace("−", "-"))
    return [each for each in NUMBER.findall(text) if each not in OF_FORMULAS]


def value(text: str) -> Fraction:
    above, _, below = text.partition("/")
    return Fraction(above) / (int(below or 1) or 1)


def support(entry) -> str:
    claim, finding = entry.claim, entry.finding
    lines = [*finding.evidence, *(line for each in finding.readings for line in (each.name, *each.evidence))]
    return " ".join(
        [*lines, finding.right, finding.arose, claim.printed, claim["right"], claim["quote"], *claim.args]
    )


def test_every_number_in_the_prose_for_authors_is_in_the_evidence(entries):
    by_name = {}
    for entry in entries:
        name = f"{entry.claim.source}/{entry.claim['with']}" if entry.claim["with"] else entry.claim.id
        by_name.setdefault(name, []).append(entry)
    missing = {}
    for group in by_name.values():
        known = {value(each) for each in NUMBER.findall(" ".join(map(support, group)).replace("−", "-"))}
        for entry in group:
            if entry.verdict in DEVIATIONS:
                prose = " ".join(entry.claim[field] for field in ("why", "by hand", "instead"))
                lacking = [each for each in numbers(prose) if value(each) not in known]
                if lacking:
                    missing[entry.claim.id] = lacking
    assert missing == {}


def test_every_number_in_a_summary_is_in_the_evidence_of_its_source(entries):
    for source in SOURCES:
        own = " ".join(support(entry) for entry in entries if entry.claim.source == source).replace("−", "-")
        known = {value(each) for each in NUMBER.findall(own)}
        assert [each for each in numbers(book(source).summary) if value(each) not in known] == [], source


def test_a_number_that_no_check_printed_is_found():
    assert numbers("leave 69 of them, $\\frac{1309}{21312}$ by eq. 37 and table 11") == ["69", "1309/21312"]
