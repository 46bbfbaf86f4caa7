"""The published schema is a JSON Schema, and what breaks it is found and told."""

from __future__ import annotations

import copy
import json
import sys
from typing import Any

import jsonschema
import pytest

from ntqr_exact.errors import MissingExtra
from ntqr_exact.vectors.check import validator
from ntqr_exact.vectors.files import read_family, schema_text, shipped


@pytest.fixture(scope="module")
def document() -> Any:
    found = read_family(shipped(), "vote-moments")
    return {**found, "groups": [{**found["groups"][0], "tests": found["groups"][0]["tests"][:3]}]}


def test_the_published_schema_is_one_and_a_shipped_file_fits_it(document: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_text()))
    assert list(validator(json.loads(schema_text()))(document)) == []


BREAKS = {
    "a header key is missing": lambda d: d.pop("citations"),
    "an unknown key": lambda d: d.update(extra=1),
    "another format": lambda d: d.update(format="ntqr-exact-vectors/2"),
    "a version of zero": lambda d: d.update(version=0),
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
def test_what_is_broken_is_seen(name: str, document: Any) -> None:
    broken = copy.deepcopy(document)
    BREAKS[name](broken)
    assert list(validator(json.loads(schema_text()))(broken))


def test_a_violation_says_where_it_is(document: Any) -> None:
    broken = copy.deepcopy(document)
    broken["groups"][0]["tests"][1]["flags"] = "large"
    assert list(validator(json.loads(schema_text()))(broken)) == [
        "/groups/0/tests/1/flags: 'large' is not of type 'array'"
    ]


def test_without_jsonschema_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(MissingExtra, match=r"\.\[vectors\]' in a clone"):
        validator({})
