"""Checking a set finds whatever was done to it, and says all of it."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ntqr_exact.errors import BadDocument
from ntqr_exact.vectors.check import check_vectors
from ntqr_exact.vectors.document import ContentHash, id_of
from ntqr_exact.vectors.files import all_tests
from ntqr_exact.vectors.make import make_vectors

NAME = "vote-moments"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("sound")
    make_vectors(directory, names=[NAME, "confusion-metrics"], count=1)
    return directory


@pytest.fixture
def made(sound: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sound, tmp_path / "set")


def tampered(directory: Path, change: Callable[[Any], object], *, mend_index: bool = True) -> list[str]:
    path = directory / f"{NAME}.json"
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    if mend_index:
        index = json.loads((directory / "index.json").read_text())
        next(entry for entry in index["families"] if entry["family"] == NAME)["sha256"] = hashlib.sha256(
            path.read_bytes()
        ).hexdigest()
        (directory / "index.json").write_text(json.dumps(index))
    return list(check_vectors(directory))


def first(document: Any) -> Any:
    return document["groups"][0]["tests"][0]


def test_what_was_made_is_sound(made: Path) -> None:
    told: list[str] = []
    assert list(check_vectors(made, progress=told.append)) == []
    assert len(told) == sum(
        entry["tests"] for entry in json.loads((made / "index.json").read_text())["families"]
    )


def test_a_changed_byte_is_seen_by_the_index(made: Path) -> None:
    (problem,) = tampered(made, lambda _: None, mend_index=False)  # the same document with other blanks
    assert "the file has the hash" in problem


CHANGES: dict[str, tuple[Callable[[Any], object], str]] = {
    "an expected value": (
        lambda d: first(d)["expected"].update(trio_moment="1/7"),
        "computed /trio_moment: '0', expected '1/7'",
    ),
    "a form that is not canonical": (
        lambda d: first(d)["expected"].update(trio_moment="0/7"),
        "computed /trio_moment: '0' is '0/7'",
    ),
    "a result": (lambda d: first(d).update(result="acceptable"), "the tests have the hash"),
    "a result that is wrong": (
        lambda d: first(d).update(result="invalid"),
        "said to be invalid, found to be valid",
    ),
    "an input": (lambda d: first(d)["input"].update(counts=[9] * 8), "is not the id of its input"),
    "an input beyond all bounds": (lambda d: first(d)["input"].update(counts=[{}]), "input/counts/0"),
    "a parameter": (
        lambda d: d["groups"][0]["parameters"].update(judges="x"),
        "parameters not as in this version",
    ),
    "a flag": (lambda d: first(d).update(flags=["odd"]), "odd is not among the flags"),
    "a witness": (lambda d: first(d).update(witness=["uncle"]), "uncle is not among the witnesses"),
    "a test twice": (lambda d: d["groups"][0]["tests"].append(first(d)), "stands twice"),
    "a test less": (lambda d: d["groups"][0]["tests"].pop(), "tests, the header says"),
    "the algorithm": (
        lambda d: d.update(algorithm=["Guess."]),
        "the header's algorithm is not that of this version",
    ),
    "the version": (lambda d: d.update(version=2), "the header's version is not that of this version"),
    "the kind of a group": (
        lambda d: d["groups"][0].update(kind="random"),
        "stands in a group of the wrong kind",
    ),
    "the schema": (lambda d: d.pop("groups"), "breaks the schema at /: 'groups' is a required property"),
    "the family": (lambda d: d.update(family="other"), "other is no family of this version"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_found(name: str, made: Path) -> None:
    change, words = CHANGES[name]
    problems = tampered(made, change)
    assert any(words in problem for problem in problems), problems
    assert all(problem.startswith(f"{NAME}.json: ") for problem in problems)


def test_all_problems_are_told_not_only_the_first(made: Path) -> None:
    (made / "confusion-metrics.json").write_text('{"broken": ')
    (made / "stray.json").write_text("{}")
    (made / "schema.json").unlink()
    problems = tampered(made, lambda d: first(d)["expected"].update(trio_moment="1/7"))
    assert [problem.split(":")[0] for problem in problems] == [
        "stray.json",
        "schema.json",
        "confusion-metrics.json",
        f"{NAME}.json",
        f"{NAME}.json",
    ]


@pytest.mark.parametrize("content", [b"\xff", b"[", b"{}", b'{"format": "ntqr-exact-vectors-index/1"}'])
def test_a_broken_index_is_refused(content: bytes, made: Path) -> None:
    (made / "index.json").write_bytes(content)
    with pytest.raises(BadDocument, match=r"index\.json"):
        list(check_vectors(made))


def test_a_place_without_vectors_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDocument, match="no vectors are there"):
        list(check_vectors(tmp_path))


def signed(directory: Path, change: Callable[[Any], object]) -> list[str]:
    """What a check finds in a set that was changed with all its ids, hashes and numbers."""

    def change_and_sign(document: Any) -> None:
        change(document)
        content = ContentHash()
        for test in all_tests(document):
            index = test.id.partition("/")[2].rpartition("-")[0]
            test.body["id"] = id_of(NAME, test.input, index or None)
            content.add(test)
        document |= {"tests": content.tests, "content_sha256": content.digest()}

    index = json.loads((directory / "index.json").read_text())
    tampered(directory, change_and_sign)
    count = json.loads((directory / f"{NAME}.json").read_text())["tests"]
    for entry in index["families"]:
        entry["sha256"] = hashlib.sha256((directory / entry["file"]).read_bytes()).hexdigest()
        entry["tests"] = count if entry["family"] == NAME else entry["tests"]
    (directory / "index.json").write_text(json.dumps(index))
    return list(check_vectors(directory))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: first(d).update(flags=[]), "flags not as in this version"),
        (lambda d: first(d).update(witness=[]), "witness not as in this version"),
        (lambda d: first(d).update(comment="another"), "comment not as in this version"),
        (lambda d: first(d).update(result="acceptable"), "said to be acceptable, found to be valid"),
        (lambda d: first(d)["input"].update(counts=[9] * 8), "this version makes vote-moments/489e8009df in"),
        (lambda d: d["groups"][0]["parameters"].update(judges=40), "in its place"),
        (lambda d: d["groups"][0]["tests"].pop(), "and this version makes"),
        (lambda d: d.update(groups=[]), "and this version makes"),
        (lambda d: d.update(random_tests=10**18), "and this version makes"),
    ],
)
def test_a_change_that_was_signed_is_found_and_a_foreign_input_is_not_computed(
    change: Callable[[Any], object], words: str, made: Path
) -> None:
    assert any(words in problem for problem in signed(made, change))
