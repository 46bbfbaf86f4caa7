"""Every family is declared whole, and what ships has the flags that its predicates tell."""

from __future__ import annotations

import ast
import functools
import json
import re
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

import ntqr_exact.vectors
from ntqr_exact.vectors.document import Test
from ntqr_exact.vectors.family import REFUSED, Expectation
from ntqr_exact.vectors.files import schema_text
from ntqr_exact.vectors.make import make_vectors
from ntqr_exact.vectors.pages import pages
from ntqr_exact.vectors.registry import family, family_names
from tests.vectors.shipped_tests import shipped_document, shipped_tests

PACKAGE = Path(ntqr_exact.vectors.__file__).parent
FAMILIES = PACKAGE / "families"
LEAST_TESTS = 5
PRINTED = ("example", "source")
"""Flags of tests that a source prints: there are as many as it has."""


@functools.cache
def published() -> jsonschema.Draft202012Validator:
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_text()))
    return jsonschema.Draft202012Validator(json.loads(schema_text()))


def expectation(test: Test) -> Expectation:
    return Expectation(test.body["expected"], "invalid" if test.body["result"] == "invalid" else "valid")


@pytest.mark.parametrize("name", family_names())
def test_a_family_is_named_like_its_file_and_explains_itself(name: str) -> None:
    found = family(name)
    assert found.name == name
    assert len(" ".join(found.specification.algorithm)) > 100
    assert all(case.comment for case in found.edge_cases)
    answered = [test.input for test in shipped_tests(name) if test.body["result"] == "valid"]
    assert all(list(found.steps(document)) for document in answered[:2])


@pytest.mark.slow
@pytest.mark.parametrize("name", family_names())
def test_every_edge_case_is_told_step_by_step(name: str) -> None:
    for test in shipped_tests(name):
        if test.kind == "edge" and test.body["result"] != "invalid":
            assert list(family(name).steps(test.input)), test.id


@pytest.mark.parametrize("name", family_names())
def test_shipped_flags_are_those_that_the_predicates_tell(name: str) -> None:
    found = family(name)
    for test in shipped_tests(name)[::3]:
        answer = expectation(test)
        told = found.flags_of(test.input, answer)
        decided = {REFUSED} if answer.result == "invalid" else {*found.flags, REFUSED}
        assert set(test.body["flags"]) & decided == told, test.id
        assert found.witnesses_of(test.input, answer) == test.body["witness"], test.id


def test_every_flag_and_every_error_occurs_and_every_outcome_that_a_flag_names_has_five_tests_or_more() -> (
    None
):
    for name in family_names():
        words, tests = family(name).specification, shipped_tests(name)
        flags = Counter(flag for test in tests for flag in test.body["flags"])
        assert set(flags) == set(words.flags), name
        assert {flag for flag in words.flags if flags[flag] < LEAST_TESTS} <= set(PRINTED), name
        invalid = [test for test in tests if test.body["result"] == "invalid"]
        assert {test.body["expected"]["error"] for test in invalid} == set(words.errors), name


def test_shipped_documents_fit_the_schemas() -> None:
    for name in family_names():
        document = shipped_document(name)
        assert published().is_valid({**document, "groups": []}), name
        test = [test for test in shipped_tests(name) if test.body["result"] != "invalid"][-1]
        assert jsonschema.Draft202012Validator(document["input"]).is_valid(test.input), name
        assert jsonschema.Draft202012Validator(document["expected"]).is_valid(test.body["expected"]), name


@pytest.mark.slow
@pytest.mark.parametrize("name", family_names())
def test_schemas_are_schemas_and_every_shipped_document_fits_them(name: str) -> None:
    document = shipped_document(name)
    assert published().is_valid(document)
    for fragment in (document["input"], document["expected"]):
        jsonschema.Draft202012Validator.check_schema(fragment)
    of_input = jsonschema.Draft202012Validator(document["input"])
    of_answer = jsonschema.Draft202012Validator(document["expected"])
    for test in shipped_tests(name):
        assert of_input.is_valid(test.input), test.id
        assert test.body["result"] == "invalid" or of_answer.is_valid(test.body["expected"]), test.id


@pytest.mark.parametrize(
    "names", [("grade", "majority"), pytest.param(family_names(), marks=pytest.mark.slow, id="all")]
)
def test_each_family_has_a_page_and_stands_once_in_the_index(names: tuple[str, ...], tmp_path: Path) -> None:
    make_vectors(tmp_path, names=names)
    made = dict(pages(tmp_path))
    assert sorted(made) == sorted(["index.md", *(f"{name}.md" for name in names)])
    index = made["index.md"]
    assert all(index.count(f"[{name}]({name}.md)") == 1 for name in names)
    assert "| `ties` | some questions are tied | the policy for ties is not followed |" in made["majority.md"]
    assert "tied\\_questions: how many questions are tied" in made["majority.md"]


def test_a_family_imports_no_family() -> None:
    for path in (*FAMILIES.glob("*.py"), *(PACKAGE / "forms").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            imported = [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            imported += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not [name for name in imported if ".families" in name], path.name


def test_each_file_of_the_families_belongs_to_one_and_shared_words_are_shared() -> None:
    stems = {path.name for path in FAMILIES.iterdir() if path.suffix in (".toml", ".json")}
    assert stems == {f"{name}.{kind}" for name in family_names() for kind in ("toml", "json")}
    texts = [(FAMILIES / f"{name}.toml").read_text(encoding="utf-8") for name in family_names()]
    words = re.findall(r"^([a-z-]+) = ", (PACKAGE / "words.toml").read_text(encoding="utf-8"), re.MULTILINE)
    for word in words:
        assert sum(f"{{{word}}}" in text for text in texts) >= 2, word
