"""What is printed decides: a changed digit, sign or index of a printed value changes the verdict of its claim."""

import re
from dataclasses import replace
from itertools import islice

import pytest

from ntqr_exact.citation import SOURCES
from ntqr_exact.errors import NtqrExactError
from ntqr_exact.ledger.book import book
from ntqr_exact.ledger.judgement import DEVIATIONS, Verdict
from ntqr_exact.ledger.printed_value import read_printed

CHANGES = 1
"""Changes tried on each claim; with EVERY_CHANGE=1 all are."""

_SAME = re.compile(r"\(0 \||\| sign\*|[a-z]{3}\|[a-z]{3}")  # (0 − p)² is (0 + p)²; 1 ± sign·x; a hyphen


def changed_texts(text: str):
    """The text with one thing changed: a digit, the index of a judge, or a sign."""
    for place, character in enumerate(text):
        if character.isdecimal():
            index = place > 0 and text[place - 1].isalpha()
            other = int(character) % 3 + 1 if index else (int(character) + 1) % 10
            yield f"{text[:place]}{other}{text[place + 1 :]}"
        elif character in "+-−" and not _SAME.search(f"{text[:place]}|{text[place + 1 :]}"):
            yield f"{text[:place]}{'-' if character == '+' else '+'}{text[place + 1 :]}"


def unseen(claim, most):
    """The changes that the verdict does not tell; unreadable ones aside.

    No change may go unseen where a claim holds. What is only possible can be so with other last digits, too; there
    some change must be seen.
    """
    if claim.verdict in DEVIATIONS and claim["right"]:
        claim = replace(claim, printed=claim["right"], verdict=Verdict.HOLDS, fields={})
    variants = list(changed_texts(claim.printed))
    step = max(1, len(variants) // most)
    verdict = claim.verdict  # that of its check, as another test shows
    if verdict not in (Verdict.HOLDS, Verdict.POSSIBLE):
        return []
    seen, same = 0, []
    for variant in islice(variants, 0, None, step):
        try:
            if claim.printing(variant).find().verdict is verdict:
                same.append((claim.id, variant))
            else:
                seen += 1
        except NtqrExactError:
            continue
    return same if verdict is Verdict.HOLDS or not seen else []


@pytest.mark.parametrize("source", SOURCES)
def test_a_changed_printed_value_changes_the_verdict(source, every_change):
    most = 10**6 if every_change else CHANGES
    held = [claim for claim in book(source).claims.values() if claim.printed]
    assert [each for claim in held for each in unseen(claim, most)] == []


def test_a_raised_or_lowered_last_digit_is_seen_or_the_evidence_says_that_rounding_hides_it():
    cells = [
        each
        for each in book("faithful").claims.values()
        if re.fullmatch(r"-?\d[\d,]*(\.\d+(e-\d+)?)?", each.printed)
    ]
    assert len(cells) > 60
    for claim in cells:
        decimal, finding = read_printed(claim.printed), claim.find()
        for step in (decimal.step, -decimal.step):
            other = claim.printing(decimal.right_text(decimal.value + step)).find()
            if finding.verdict in (Verdict.HOLDS, Verdict.POSSIBLE) and other.verdict is finding.verdict:
                assert re.search("rounding of|not determined", " ".join(finding.evidence)), claim.id


@pytest.mark.parametrize(
    ("identity", "printed"),
    [
        ("ntqr/eq-40", "(1 + 0*root)/2; D12"),
        ("ntqr/table-2/accuracy-a/1/mv", "357/444 = 0.806"),
        ("ntqr/table-2/correlation-a/1-2/gt", "-27/160000 = -0.003"),
        ("ntqr/table-5/accuracy-b/2/iae", "1/2 = 0.5"),
        ("ntqr/table-2/accuracy-a/1/iae", "-"),
        ("ntqr/sec-2/sum", "Rbb1 + Rbb1"),
        ("orderings/def-1/third-point", "<; =; ="),
    ],
)
def test_each_of_these_changes_is_judged_not_to_hold(identity, printed):
    claim = book(identity.partition("/")[0]).claims[identity]
    assert claim.printing(printed).find().verdict not in (Verdict.HOLDS, Verdict.POSSIBLE)
