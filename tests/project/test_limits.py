"""Limits and thresholds that a page states are those of the code."""

from __future__ import annotations

from pathlib import Path

import pytest
from gmpy2 import mpq

from ntqr_exact.blocks import block
from ntqr_exact.evaluators import dawid_skene
from ntqr_exact.exact import rational
from ntqr_exact.study import screen, verdict
from ntqr_exact.varieties import sampling
from ntqr_exact.votes import shapes, tables

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("exact_numbers.md", f"more than {rational.MAX_DIGITS:,} digits".replace(",", " ")),
        ("consistent_sets.md", f"refused after {sampling.MAX_DRAWS // 10**6} million splits"),
        ("votes.md", f"at most {tables.MAX_PIPED >> 20} MiB"),
        ("votes.md", f"more than {shapes.MAX_LABEL_LENGTH} characters"),
        ("how_to/send_a_report.md", f"cut at {block.MOST_ROWS} rows"),
        ("studies.md", f"a covariance of {float(screen.BUDGET):.2f}"),
        ("studies.md", f"differs from it by more than {float(verdict.MAX_ERROR):.2f}"),
        ("studies.md", f"Krippendorff's alpha is at most {float(verdict.SLIGHT):.2f}"),
        ("studies.md", f"Dawid-Skene differ by more than {float(verdict.MAX_DIFFERENCE):.2f}"),
        ("studies.md", f"on more than {float(verdict.MAX_MOVED):.2f} of the questions"),
        ("studies.md", f"is at most {float(verdict.MIN_RELIABILITY):.2f}"),
        ("evaluators.md", f"by more than {float(dawid_skene.SHARE_MARGIN):.2f}"),
        ("studies.md", f"at most {verdict.FAILING_LEVEL} of some label"),
        ("evaluators.md", f"more than {({mpq(1, 5): 'a fifth'})[dawid_skene.DIFFERENT]} of the questions"),
    ],
)
def test_stated_limit_is_that_of_the_code(page: str, words: str) -> None:
    assert words in (DOCS / page).read_text(encoding="utf-8")
