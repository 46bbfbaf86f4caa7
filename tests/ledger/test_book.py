"""How a book is written: heads, fields, tables and grids of claims, and how texts become arguments."""

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.ledger.book import Book, read_as
from ntqr_exact.ledger.judgement import Finding, Verdict, as_printed
from ntqr_exact.ledger.printed_value import number_latex


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (str, "a", "a"), (int, "7", 7), (mpq, "3/8", mpq(3, 8)),
        (tuple[mpq, int], "1/2; 3", (mpq(1, 2), 3)), (mpq | None, "1", mpq(1)),
        (dict[str, tuple[int, ...]], "x: 1, 2; y: 3", {"x": (1, 2), "y": (3,)}),
    ],
)  # fmt: skip
def test_texts_become_values_of_the_type_that_a_check_names(kind, text, value):
    assert read_as(kind, text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [(mpq, "x"), (int, "1/2"), (tuple[mpq, mpq], "1")],
)
def test_other_texts_are_refused(kind, text):
    with pytest.raises(NtqrExactError):
        read_as(kind, text)


def is_sum(printed: mpq, first: int, second: int) -> Finding:
    return as_printed(printed == first + second, f"{first} + {second} = {first + second}")


def test_a_table_has_a_claim_in_each_head_line_with_its_fields():
    book = Book("ntqr", "")
    book.table(
        is_sum,
        """
        says: {1} and {2} is {0}.
        one | page 1 | 3 | 1 | 2
        two |        | 5 | 2 | 2 | verdict=misprint | essential
            Two and two
            is five.
            why: it is
            four
            right: 4
        """,
    )
    one, two = book.claims.values()
    assert (one.id, one.statement, one.verdict) == ("ntqr/one", "1 and 2 is 3.", Verdict.HOLDS)
    assert (two.place, two.statement, two["why"], two.essential) == (
        "page 1",
        "Two and two is five.",
        "it is four",
        True,
    )
    assert [each.find().verdict for each in (one, two)] == [one.verdict, two.verdict]
    assert (two.find().right, one.printing("4").find().verdict) == ("4", Verdict.MISPRINT)


def test_a_grid_has_a_claim_in_each_cell():
    book = Book("ntqr", "")
    book.grid(
        is_sum, "t/{row}/{column}", "table, row {row}", "The sum of {row} and {column} is {printed}.",
        """
        | 1 | 2
        3 | 4 | 6 !misprint
            2 garbled: the cell is torn
        5 |   | 7
        """,
    )  # fmt: skip
    assert list(book.claims) == ["ntqr/t/3/1", "ntqr/t/3/2", "ntqr/t/5/2"]
    assert all(each.find().verdict is each.verdict for each in book.claims.values())
    assert book.claims["ntqr/t/3/2"]["garbled"] == "the cell is torn"


@pytest.mark.parametrize(
    "head", ["One | here | 3 | 1 | 2", "one | here | 3 | 1", "one | here | 3 | 1 | 2 | 4"]
)
def test_a_claim_that_does_not_fit_its_check_is_refused(head):
    def judge():
        book = Book("ntqr", "")
        book.table(is_sum, f"{head}\n    a sum")
        return book.claims["ntqr/one"].find()

    with pytest.raises(BadDocument):
        judge()


def test_remarks_and_what_is_missing_are_one_claim_each_with_a_row_for_each_place():
    book = Book("ntqr", "")
    book.words(
        "eq. 1 | a sim | a sum | A letter is missing.\nsection 2 | teh | the |\n    Two letters are exchanged."
    )
    book.missing("section 1 | It is fast | missing: the times")
    words, missing = book.claims.values()
    assert [each.find().verdict for each in (words, missing)] == [Verdict.REMARK, Verdict.NOT_CHECKABLE]
    assert words.rows[1] == ("section 2", "teh", "the", "Two letters are exchanged.")
    assert missing.find().evidence == ("section 1; It is fast; missing: the times",)


def test_a_name_is_given_once():
    book = Book("ntqr", "")
    with pytest.raises(BadDocument):
        book.table(is_sum, "one | here | 3 | 1 | 2\n    a sum\none | there | 3 | 1 | 2\n    a sum")


def test_a_form_given_as_right_must_hold():
    book = Book("ntqr", "")
    book.table(is_sum, "one | here | 4 | 1 | 2\n    a sum\n    right: 5")
    with pytest.raises(BadDocument):
        book.claims["ntqr/one"].find()


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("-3/8", r"-\frac{3}{8}"), ("(1 + √5)/2", r"\frac{1 + \sqrt{5}}{2}"),
        ("√(9/10)/2", r"\frac{\sqrt{\frac{9}{10}}}{2}"), ("1.92e-7", r"1.92 \cdot 10^{-7}"),
    ],
)  # fmt: skip
def test_numbers_are_shown_as_the_sources_print_them(text, latex):
    assert number_latex(text) == latex
