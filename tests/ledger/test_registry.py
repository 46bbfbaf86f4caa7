"""Claims are data: what a file may hold, how data become typed arguments, and what is refused."""

from enum import Enum
from typing import Literal

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.ledger.claim import Claim, Kind, bound, check_named, read_as
from ntqr_exact.ledger.judgement import Verdict
from ntqr_exact.ledger.printed_value import latex_of
from ntqr_exact.ledger.registry import _expanded, claim, claims


def test_every_claim_with_a_check_has_arguments_that_fit_it():
    for each in claims().values():
        if each.check:
            bound(each.source, each.check, each.printed, each.parameters)


class Colour(Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("kind", "data", "value"),
    [
        (str, "a", "a"),
        (int, "7", 7),
        (mpq, "3/8", mpq(3, 8)),
        (Colour, "red", Colour.RED),
        (Literal["a", "b"], "b", "b"),
        (tuple[mpq, int], ["1/2", 3], (mpq(1, 2), 3)),
        (dict[str, mpq], {"x": "0.5"}, {"x": mpq(1, 2)}),
        (mpq | None, "1", mpq(1)),
    ],
)
def test_data_become_values_of_the_type_that_a_check_names(kind, data, value):
    assert read_as(kind, data) == value


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (mpq, 1), (mpq, "x"), (int, "1/2"), (int, True), (str, 1), (Colour, "blue"), (Literal["a"], "c"),
        (tuple[mpq, mpq], ["1"]), (tuple[mpq, ...], "1"), (dict[str, mpq], ["1"]),
    ],
)  # fmt: skip
def test_data_of_another_type_are_refused(kind, data):
    with pytest.raises(NtqrExactError):
        read_as(kind, data)


def test_a_check_is_found_by_its_name_and_its_parameters_are_checked():
    assert check_named("ntqr", "identities.identity").__name__ == "identity"
    for name in ("identities.in_parameters", "identities.nothing", "nowhere.identity", "identity"):
        with pytest.raises(BadDocument):
            check_named("ntqr", name)
    for printed, parameters in (("", {}), ("Pa = 1", {"unknown": "1"}), ("Pa = 1", {"hypothesis": "never"})):
        with pytest.raises(BadDocument):
            bound("ntqr", "identities.identity", printed, parameters)


def test_a_family_is_one_claim_for_each_printed_cell():
    family = {
        "over": ["judge", "label"],
        "id": "ntqr/t/<label>/<judge>",
        "place": "t, <label>",
        "statement": "<judge> on <label>",
        "words": {"label": {"a": "first", "b": "second"}},
        "by_hand": {"a": "so"},
        "with": {"digits": 3},
        "printed": {"1": {"a": "1/2", "b": "1/3"}},
        "but": {"1/b": {"garbled": "torn"}},
    }
    first, second = _expanded(family)
    assert (first["id"], first["place"], first["statement"]) == ("ntqr/t/a/1", "t, first", "1 on first")
    assert first["with"] == {"digits": 3, "judge": "1", "label": "a"}
    assert (first["by_hand"], "by_hand" in second) == ("so", False)
    assert (second["printed"], second["garbled"], "garbled" in first) == ("1/3", "torn", False)
    with pytest.raises(BadDocument):
        list(_expanded({**family, "but": {"2/b": {}}}))


@pytest.mark.parametrize(
    "changed",
    [
        {"id": "ntqr"}, {"id": "nobody/eq-1"}, {"check": ""}, {"remark": "a word"}, {"kind": Kind.WORDING},
        {"missing": "all"},
    ],
)  # fmt: skip
def test_a_claim_is_judged_in_exactly_one_way(changed):
    fields = {
        "id": "ntqr/eq-1", "place": "eq. 1", "kind": Kind.IDENTITY, "statement": "one", "check": "a.b", "printed": "1",
    }  # fmt: skip
    Claim(**fields)
    with pytest.raises(BadDocument):
        Claim(**{**fields, **changed})


def test_a_remark_is_not_computed_and_what_is_missing_is_told():
    assert claim("ntqr/references/1-and-2").find().verdict is Verdict.REMARK
    assert claim("ntqr/sec-7-2/random-choice").find().evidence == (
        "missing: how the rates of table 8 were drawn",
    )


def test_a_form_given_as_right_must_hold():
    wrong = claim("ntqr/eq-20")
    assert wrong.find().right == wrong.text(wrong.right)
    with pytest.raises(BadDocument):
        Claim(
            wrong.id, wrong.place, wrong.kind, wrong.statement, wrong.check, wrong.printed,
            parameters=wrong.parameters, right="a12 = 3 - e1 - e2 + 2*e12",
        ).find()  # fmt: skip


@pytest.mark.parametrize(
    ("value", "latex"),
    [
        ("-3/8", r"$-\frac{3}{8}$"),
        ("(1 + √5)/2", r"$\frac{1 + \sqrt{5}}{2}$"),
        ("√(9/10)/2", r"$\frac{\sqrt{\frac{9}{10}}}{2}$"),
        ("1.92e-7", r"$1.92 \cdot 10^{-7}$"),
        ("a word", "a word"),
    ],
)
def test_numbers_are_shown_as_the_sources_print_them(value, latex):
    assert latex_of(value) == latex
