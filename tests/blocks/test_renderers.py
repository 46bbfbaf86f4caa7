"""Blocks become text and HTML: the same words, tables that align and fold, names that stay text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from gmpy2 import mpq

from ntqr_exact import Surd
from ntqr_exact.blocks import html
from ntqr_exact.blocks.block import (
    MOST_ROWS,
    Abridged,
    Bullets,
    Code,
    Facts,
    Heading,
    Picture,
    Section,
    Sentence,
    Table,
)
from ntqr_exact.blocks.html import block_html, number, study_html, tag, text
from ntqr_exact.blocks.text import block_text, section_text, table_text

BAD = '"><script>x</script>'
ALL = (
    Heading(BAD),
    Sentence(BAD, BAD, fires=True),
    Bullets((BAD, Sentence(BAD))),
    Table(BAD, (BAD, BAD), ((BAD, Sentence(BAD, BAD, fires=False)),), BAD),
    Facts(BAD, ((BAD, Abridged(BAD, BAD)),)),
    Code(BAD),
    Sentence(BAD, BAD, fires=False),
)


class Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, _: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


def parsed(markup: str) -> Words:
    found = Words()
    found.feed(markup)
    return found


def test_every_kind_of_block_escapes_what_is_text() -> None:
    found = parsed(block_html(ALL))
    assert "script" not in found.tags
    assert found.words.count(BAD) == 18


def test_text_omits_pictures_and_html_calls_a_function_to_draw() -> None:
    blocks = (Sentence("seen"), Picture("p", "c", "plot_roc", ()))
    assert block_text(blocks) == "seen"
    assert parsed(block_html(blocks)).words.split() == ["seen"]
    assert "DRAWN" in block_html(blocks, lambda picture: picture.caption and type(block_html(()))("DRAWN"))


def test_sections_have_underlined_titles_and_all_but_the_first_fold() -> None:
    sections = [Section("a", "First", (Sentence("1"),)), Section("b", "Second", (Sentence("2"),))]
    assert section_text(sections) == "First\n-----\n1\n\nSecond\n------\n2"
    assert study_html(sections).count("<details>") == 1


def test_numbers_are_aligned_right_and_words_left() -> None:
    rows = [("A", 5, "yes", mpq(1, 4)), ("BB", 12, "no", None)]
    assert table_text(["", "n", "word", "share"], rows, indent=0).split("\n") == [
        "     n  word       share",
        "A    5  yes   1/4 = 0.25",
        "BB  12  no             –",
    ]


def test_long_sentences_are_wrapped_and_long_names_are_not_broken() -> None:
    text = block_text([Sentence("word " * 40 + "x" * 150)])
    assert [len(line) <= 100 for line in text.split("\n")] == [True, True, True, False]


def test_a_long_table_folds_and_a_very_long_one_says_what_it_leaves_out() -> None:
    short, long = (block_html([Table("T", ("n",), tuple((n,) for n in range(size)))]) for size in (16, 17))
    assert not short.startswith("<details>")
    assert long.startswith("<details><summary>T: 17 rows</summary>")
    table = Table("T", ("n",), tuple((n,) for n in range(MOST_ROWS + 5)))
    left_out = f"T (the first {MOST_ROWS} of {MOST_ROWS + 5} rows)"
    assert parsed(block_html([table])).tags.count("tr") == MOST_ROWS + 1
    assert left_out in block_html([table])
    assert block_text([table]).startswith(f"{left_out}:\n")
    assert len(block_text([table]).split("\n")) == MOST_ROWS + 2


@pytest.mark.parametrize(
    ("value", "in_table", "in_facts", "in_page"),
    [
        (mpq(1, 3), "1/3 ≈ 0.333333", "1/3 ≈ 0.333333", "1/3 ≈ 0.333333"),
        (Surd.sqrt(-2), "i·√2 (imaginary)", "i·√2 (imaginary)", "i·√2 (imaginary)"),
        (Abridged("≈ 1", "in full"), "≈ 1", "≈ 1 (in full)", "≈ 1in full"),
        (
            Surd(mpq(1, 10**15), mpq(1), 2),
            "≈ 1.414214",
            "(1 + 1000000000000000·√2)/1000000000000000 ≈ 1.414214",
            "≈ 1.414214(1 + 1000000000000000·√2)/1000000000000000",
        ),
        (10**40, "≈ 1.00000e40", "≈ 1.00000e40", "≈ 1.00000e40" + "1" + "0" * 40),
        (True, "yes", "yes", "yes"),
    ],
)
def test_a_value_is_short_in_a_table_in_full_among_facts_and_folds_out_in_a_page(
    value: object, in_table: str, in_facts: str, in_page: str
) -> None:
    table = Table("T", ("n", "v"), (("x", value),))
    assert block_text([table]).split("\n")[-1].split("  ")[-1] == in_table
    assert block_text([Facts("T", (("x", value),))]) == f"T:\n  x: {in_facts}"
    assert parsed(block_html([table])).words == f"Tnvx{in_page}"


def test_every_way_of_making_markup_escapes_what_is_text() -> None:
    made = [text(BAD), tag("td", BAD), tag("td", "x", title=BAD), html.fold(BAD, BAD), number(BAD)]
    for markup in made:
        assert "<script" not in markup
        assert "&lt;script&gt;" in markup
        assert isinstance(markup, html.Markup)


def test_markup_is_not_escaped_again() -> None:
    assert text(text("<")) == "&lt;"
    assert tag("p", tag("b", "&")) == "<p><b>&amp;</b></p>"
