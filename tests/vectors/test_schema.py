"""The published schema is a JSON Schema, the shipped files fit it, and our own validator agrees with another."""

from __future__ import annotations

import copy
from typing import Any

import jsonschema
import pytest

from ntqr_exact.errors import BadDocument
from ntqr_exact.vectors.files import all_tests, read_family, shipped
from ntqr_exact.vectors.make import make_tests
from ntqr_exact.vectors.registry import chosen_families, family, family_names
from ntqr_exact.vectors.schema import file_schema, violations


def other_says_valid(document: Any, schema: Any) -> bool:
    return not list(jsonschema.Draft202012Validator(schema).iter_errors(document))


def test_the_published_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(file_schema())


@pytest.mark.parametrize("name", family_names())
def test_the_fragments_of_a_family_are_schemas_that_its_tests_fit(name: str) -> None:
    found = family(name)
    for fragment in (found.input, found.expected):
        jsonschema.Draft202012Validator.check_schema(fragment)
    for test in make_tests(chosen_families([name]), count=20):
        parts = [(test.input, found.input)]
        parts += [(test.body["expected"], found.expected)] if test.body["result"] != "invalid" else []
        for document, fragment in parts:
            assert other_says_valid(document, fragment), test.id
            assert list(violations(document, fragment)) == []


def test_a_shipped_file_fits_the_published_schema() -> None:
    document = read_family(shipped(), "vote-moments")
    assert other_says_valid(document, file_schema())
    assert list(violations(document, file_schema())) == []
    assert list(all_tests(document))


BREAKS = {
    "a header key is missing": lambda d: d.pop("citations"),
    "an unknown key": lambda d: d.update(extra=1),
    "another format": lambda d: d.update(format="ntqr-exact-vectors/2"),
    "a version of zero": lambda d: d.update(version=0),
    "a version that is a truth value": lambda d: d.update(version=True),
    "a version that is a text": lambda d: d.update(version="1"),
    "no algorithm": lambda d: d.update(algorithm=[]),
    "a flag without meaning": lambda d: d["flags"].update(odd=None),
    "a hash too short": lambda d: d.update(content_sha256="ab"),
    "a group of another kind": lambda d: d["groups"][0].update(kind="odd"),
    "a group without tests": lambda d: d["groups"][0].update(tests=[]),
    "a test without result": lambda d: d["groups"][0]["tests"][0].pop("result"),
    "a test with another result": lambda d: d["groups"][0]["tests"][0].update(result="maybe"),
    "an id of another form": lambda d: d["groups"][0]["tests"][0].update(id="vote-moments"),
    "an input that is a list": lambda d: d["groups"][0]["tests"][0].update(input=[]),
    "groups that are an object": lambda d: d.update(groups={}),
}


@pytest.mark.parametrize("name", BREAKS)
def test_both_validators_see_what_is_broken(name: str) -> None:
    document = copy.deepcopy(read_family(shipped(), "vote-moments"))
    BREAKS[name](document)
    assert not other_says_valid(document, file_schema())
    assert list(violations(document, file_schema()))


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (3, {"anyOf": [{"type": "string"}, {"minimum": 4}]}),
        (3, {"anyOf": [{"type": "string"}, {"minimum": 3}]}),
        ("3", {"minimum": 4}),
        ([1, 2], {"maxItems": 1}),
        ([1], {"minItems": 2}),
        ("ab", {"pattern": "^b"}),
        ({"a": 1}, {"additionalProperties": {"type": "string"}}),
        (True, {"type": "integer"}),
        (1, {"const": True}),
        (None, {"type": "null"}),
        ({"x": [0]}, {"properties": {"x": {"items": {"$ref": "#/$defs/n"}}}, "$defs": {"n": {"minimum": 1}}}),
    ],
)
def test_our_validator_agrees_with_another_on_each_keyword(value: Any, schema: Any) -> None:
    assert (not list(violations(value, schema))) == other_says_valid(value, schema)


def test_a_violation_says_where_it_is() -> None:
    document = copy.deepcopy(read_family(shipped(), "vote-moments"))
    document["groups"][0]["tests"][1]["flags"] = "large"
    assert list(violations(document, file_schema())) == [
        "/groups/0/tests/1/flags: 'large' is not of type 'array'"
    ]


def test_a_keyword_that_is_not_known_is_refused_rather_than_passed_over() -> None:
    with pytest.raises(BadDocument, match="keyword"):
        list(violations(1, {"multipleOf": 2}))
