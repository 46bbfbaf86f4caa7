"""Laws of all families: shipped answers are computed anew, files fit the schema, generators make what fits."""

from __future__ import annotations

import copy
import functools
import json
import re
from collections import Counter
from pathlib import Path

import pytest

import ntqr_exact.vectors.families  # fills FAMILIES
from ntqr_exact.errors import BadChoice, BadDocument
from ntqr_exact.vectors import files
from ntqr_exact.vectors.family import FAMILIES, Document
from ntqr_exact.vectors.files import (
    all_tests,
    family_of,
    filled,
    fresh,
    id_of,
    page,
    pages,
    problems_of,
    read_family,
    shipped,
)
from ntqr_exact.vectors.words import WORDS

NAMES = files.names_in(shipped())
STEP = 20
PRINTED = ("example", "source")
"""Flags of tests that a source prints: there are as many as it has."""

document = functools.cache(functools.partial(read_family, shipped()))


def few(name: str, step: int = STEP) -> Document:
    """A file with some of the tests of a family."""
    groups = [{**group, "tests": group["tests"][::step]} for group in document(name)["groups"]]
    return {**document(name), "groups": groups}


@pytest.mark.parametrize("name", NAMES)
def test_some_shipped_tests_are_sound_and_computed_the_same(name: str) -> None:
    assert list(problems_of(few(name))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_shipped_file_is_made_anew_byte_for_byte(name: str) -> None:
    assert list(problems_of(document(name))) == []  # every answer is computed anew
    assert files.text_of(document(name)) == (shipped() / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_fresh_inputs_fit_the_schema_and_are_the_same_for_the_same_seed(name: str) -> None:
    made = fresh(name, seed=3, count=5)
    assert list(problems_of(made)) == []
    assert made == fresh(name, seed=3, count=5)
    assert made["groups"] != fresh(name, seed=4, count=5)["groups"]
    results = Counter(test.body["result"] for test in all_tests(made))
    assert results["valid"] >= 4


def test_shipped_files_and_families_are_the_same() -> None:
    assert family_of("grade").subject == "keys"
    assert sorted(FAMILIES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_specification_is_whole_and_every_flag_and_refusal_occurs(name: str) -> None:
    header, tests = document(name), list(all_tests(document(name)))
    assert len(" ".join(header["algorithm"])) > 100
    assert header["citations"]
    flags = Counter(flag for test in tests for flag in test.body["flags"])
    assert set(flags) == set(header["flags"])
    refused = {test.body["expected"]["error"] for test in tests if test.body["result"] == "invalid"}
    assert refused == set(header["errors"])
    assert len({test.id for test in tests}) == len(tests) > 150


def test_shared_words_are_shared() -> None:
    texts = [one.compute.__doc__ or "" for one in FAMILIES.values()]
    used = Counter(word for text in texts for word in set(re.findall(r"\{([a-z0-9-]+)\}", text)))
    assert set(used) == set(WORDS)


def test_each_family_has_a_page_and_is_once_in_the_index() -> None:
    made = dict(pages())
    assert sorted(made) == sorted(["index.md", *(f"{name}.md" for name in NAMES)])
    assert all(made["index.md"].count(f"[{name}]({name}.md)") == 1 for name in NAMES)
    assert made["index.md"].count("\n## ") == len(ntqr_exact.vectors.families.SUBJECTS)
    assert "tied\\_questions: how many questions are tied" in page(document("majority"))


def broken(change: str) -> Document:
    made = copy.deepcopy(few("grade", 60))
    del made["groups"][2:]
    body = made["groups"][0]["tests"][0]
    match change:
        case "answer":
            body["expected"] = {"prevalence": ["1/3"], **body["expected"]} | {"prevalence": ["1/3", "2/3"]}
        case "input":
            body["input"] = {**body["input"], "counts_by_key": [[1] * 8, [0] * 8]}
        case "flag":
            body["flags"] = ["unknown"]
        case "twice":
            made["groups"][0]["tests"].append(body)
        case "words":
            made["algorithm"] = ["Guess."]
        case "form":
            body["expected"] = {}
        case "refusal":
            body.update(result="invalid", expected={"error": "bad-votes"})
        case "schema":
            del body["comment"]
    return made


@pytest.mark.parametrize("change", ["answer", "input", "flag", "twice", "words", "form", "refusal", "schema"])
def test_a_changed_file_is_not_sound(change: str) -> None:
    assert list(problems_of(broken(change))) != []


def test_an_unchanged_file_is_sound() -> None:
    assert list(problems_of(broken("nothing"))) == []


def test_any_kind_of_refusal_is_accepted() -> None:
    made = copy.deepcopy(document("grade"))
    for test in all_tests(made):
        if test.body["result"] == "invalid":
            test.body["expected"]["error"] = next(iter(made["errors"]))
    assert list(problems_of({**made, "groups": made["groups"][:1]})) == []


def test_own_inputs_are_answered_and_answers_that_are_there_stay() -> None:
    given = {"labels": [1, 0], "scores": ["2", "1"]}
    tests = [
        {"input": given},
        {"input": {**given, "scores": [1]}},
        {"input": given, "expected": 1, "result": "valid"},
    ]
    found = [test.body for test in all_tests(filled({"family": "areas", "tests": tests}))]
    assert [body["result"] for body in found] == ["valid", "invalid", "valid"]
    assert found[0]["expected"]["roc_auc"] == "1"
    assert found[0]["id"] == id_of("areas", given)
    assert found[1]["expected"] == {"error": "bad-samples"}
    assert found[2]["expected"] == 1
    whole = few("areas", 40)
    assert filled(whole)["groups"] == whole["groups"]


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"family": "nothing", "tests": [{"input": {}}]}, BadChoice),
        ({"family": "areas", "tests": [{"input": {"labels": [1]}}]}, BadDocument),
        ({"family": "areas", "tests": [{"input": {"labels": "ab", "scores": []}}]}, BadDocument),
        ({"family": "areas", "tests": []}, BadDocument),
        ({"family": "areas", "tests": [{"input": 1}]}, BadDocument),
        ({"family": "areas", "groups": [{"parameters": 1, "tests": [{"input": {}}]}]}, BadDocument),
        ({"family": "areas", "groups": [1]}, BadDocument),
        ({"family": "areas"}, BadDocument),
        ([], BadDocument),
    ],
)
def test_invalid_file_to_fill_is_refused(asked: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        filled(asked)


def test_files_that_are_missing_or_broken_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDocument):
        files.names_in(tmp_path)
    for text in ("{", "[]", '{"groups": []}', json.dumps({**document("grade"), "groups": [1]}), "\ufeff"):
        (tmp_path / "grade.json").write_text(text, encoding="utf-8")
        with pytest.raises(BadDocument):
            read_family(tmp_path, "grade")
    (tmp_path / "grade.json").write_bytes(b"\xff")
    with pytest.raises(BadDocument):
        read_family(tmp_path, "grade")
    with pytest.raises(BadChoice):
        read_family(tmp_path, "areas")
