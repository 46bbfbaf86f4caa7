"""Exact JSON: read strictly, written canonically, and the numbers survive the trip."""

import json
import tracemalloc
from fractions import Fraction

import pytest
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadDocument, BadNumber
from ntqr_exact.exact.enclosure import Enclosure, LogSumKey
from ntqr_exact.exact.json_text import as_document, decode_number, exact_json, read_json, write_json
from ntqr_exact.exact.surd import Surd

# -- reading ----------------------------------------------------------------------------------------


def test_a_document_is_read_as_it_is():
    text = '{"b": [1, -2, "3/8", true, false, null], "a": {"ü": "\\u00fc", "e": {}}}'
    assert read_json(text) == {"b": [1, -2, "3/8", True, False, None], "a": {"ü": "ü", "e": {}}}
    assert list(read_json(text)) == ["b", "a"]
    assert type(read_json("7")) is int


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '[{"b": {"a": 1, "c": 2, "a": 3}}]'])
def test_a_key_given_twice_is_refused(text):
    with pytest.raises(BadDocument):
        read_json(text)


@pytest.mark.parametrize("number", ["0.375", "1.0", "-0.0", "1e5", "1E-5", "1e999999999", "1.5e-999999999"])
def test_a_fractional_number_is_refused_and_a_text_is_advised(number):
    with pytest.raises(BadDocument) as caught:
        read_json(f'{{"rate": {number}}}')
    assert caught.value.given == number
    assert caught.value.remedy == f'write the number as a text, "{number}"'


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("7" * 1_000_000, BadNumber),
        ("7" * 100_001, BadNumber),
        ("0." + "7" * 1_000_000, BadDocument),
        ("1e" + "9" * 1_000_000, BadDocument),
    ],
)
def test_an_absurdly_long_number_is_refused_quickly_with_a_short_message(text, error):
    tracemalloc.start()
    try:
        with pytest.raises(error) as caught:
            read_json(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(str(caught.value)) < 250
    assert peak < 5 * len(text) + 50_000


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 101 + "]" * 101, r'"\ud800"'])
def test_deep_nesting_and_half_a_surrogate_pair_are_refused(text):
    assert read_json("[" * 100 + "]" * 99 + ", []]")
    with pytest.raises(BadDocument) as caught:
        read_json(text)
    assert caught.value.given == text


@pytest.mark.parametrize(
    ("text", "place"),
    [("", "line 1, column 1"), ('{"a": 1,\n "b" 2}', "line 2, column 6"), ("[01]", "line 1, column 3")],
)
def test_a_syntax_error_says_where(text, place):
    with pytest.raises(BadDocument) as caught:
        read_json(text)
    assert caught.value.given == text
    assert place in str(caught.value)


# -- writing ----------------------------------------------------------------------------------------


def test_the_bytes_are_canonical():
    document = {
        "text": "√2 “ü”",
        "counts": [0, -7, 2**53, -(2**53)],
        "large": [2**53 + 1, -(2**53) - 1],
        "huge": 10**5000,
        "pair": (mpq(3, 8), mpq(-7)),
        "surds": [Surd("1/2", "3/10", 5), Surd("3/8")],
        "plain": [True, False, None],
        "empty": [{}, []],
        3: "a key",
    }
    huge = "1" + "0" * 5000
    assert write_json(document) == (
        '{\n  "text": "√2 “ü”",\n'
        '  "counts": [\n    0,\n    -7,\n    9007199254740992,\n    -9007199254740992\n  ],\n'
        '  "large": [\n    "9007199254740993",\n    "-9007199254740993"\n  ],\n'
        f'  "huge": "{huge}",\n'
        '  "pair": [\n    "3/8",\n    "-7"\n  ],\n'
        '  "surds": [\n    {\n'
        '      "rational": "1/2",\n      "coefficient": "3/10",\n      "radicand": "5"\n    },\n'
        '    "3/8"\n  ],\n'
        '  "plain": [\n    true,\n    false,\n    null\n  ],\n'
        '  "empty": [\n    {},\n    []\n  ],\n'
        '  "3": "a key"\n}\n'
    )


@pytest.mark.parametrize("value", [0.5, float("nan"), 1j, b"x", Fraction(1, 2), object()])
def test_a_type_without_an_exact_form_is_refused(value):
    for document in ([value], {"key": (value,)}):
        with pytest.raises(BadDocument) as caught:
            write_json(document)
        assert caught.value.given is value
    with pytest.raises(BadDocument):
        write_json({1: "a", "1": "b"})


documents = st.recursive(
    st.none() | st.booleans() | st.text(max_size=5) | st.integers(-(2**53), 2**53),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@given(documents)
def test_what_is_written_is_read_back_and_written_the_same(document):
    text = write_json(document)
    assert read_json(text) == document == json.loads(text)
    assert write_json(read_json(text)) == text
    assert text.endswith("\n")


# -- numbers ----------------------------------------------------------------------------------------

rationals = st.fractions().map(mpq)
surds = st.builds(Surd, rationals, rationals, st.integers(-(10**6), 10**6))


@given(rationals)
def test_a_rational_is_a_text_in_lowest_terms(number):
    assert as_document(number) == str(Fraction(number)) == as_document(Surd(number))
    assert decode_number(as_document(number)) == number
    assert type(decode_number(as_document(number))) is mpq


@given(surds)
def test_a_surd_goes_through_json_and_comes_back(surd):
    document = read_json(write_json(surd))
    assert document == as_document(surd)
    assert decode_number(document) == surd
    assert isinstance(document, str) == surd.is_rational


@pytest.mark.parametrize(
    "document",
    [
        7,
        0.5,
        None,
        True,
        [],
        {},
        {"rational": "1", "coefficient": "1"},
        {"rational": "1", "coefficient": "1", "radicand": "2", "more": "3"},
        {"rational": 1, "coefficient": "1", "radicand": "2"},
        {"rational": "1", "coefficient": 1, "radicand": "2"},
        {"rational": "1", "coefficient": "1", "radicand": 2},
        {"Rational": "1", "coefficient": "1", "radicand": "2"},
    ],
)
def test_other_documents_are_refused_as_numbers(document):
    with pytest.raises(BadDocument) as caught:
        decode_number(document)
    assert caught.value.remedy == 'write a text such as "3/8", or a surd object of three texts'
    assert caught.value.given == document


def test_a_large_count_inside_of_a_value_is_a_text():
    class Held:
        def to_document(self):
            return {"count": 2**60}

    assert json.loads(write_json([Held()])) == [{"count": str(2**60)}]


def test_json_dumps_writes_every_number_exactly_and_it_can_be_made_again():
    third, root, area = mpq(1, 3), Surd("1/2", "3/10", 7), Enclosure("1/3", "1/2")
    loss = LogSumKey(((10**30, 3), (-2, 2)), 5)
    whole = mpz(10) ** 5000
    numbers = [third, root, area, loss, whole, LogSumKey((), infinite=True)]
    text = json.dumps(numbers, default=exact_json)
    assert json.loads(write_json(numbers)) == json.loads(text)
    one, two, ends, logarithms, long, infinite = json.loads(text)
    assert (decode_number(one), decode_number(two)) == (third, root)
    assert Enclosure(ends["lower"], ends["upper"]) == area
    terms = tuple((int(c), int(m)) for c, m in logarithms["logarithms"])
    assert LogSumKey(terms, int(logarithms["divisor"])) == loss
    assert mpz(long) == whole
    assert infinite == {"infinite": True}
    with pytest.raises(BadDocument):
        exact_json(0.5)
