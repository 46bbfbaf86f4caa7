"""`ntqr-exact vectors`: make, list, check, judge, show."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ntqr_exact.cli import main as frame
from ntqr_exact.vectors.files import all_tests, index_text, read_family, read_index, shipped
from ntqr_exact.vectors.registry import family
from ntqr_exact.vectors.set_version import set_version

TESTS = len(family("vote-moments").edge_cases) + 5
TWO_NORM = [181, 90, 86, 115, 86, 109, 100, 233]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setitem(frame.COMMANDS, "vectors", "ntqr_exact.cli.vectors:vectors")

    def in_process(*arguments: object) -> tuple[int, str, str]:
        code = frame.main(["vectors", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return in_process


@pytest.fixture
def made(run: Run, tmp_path: Path) -> Path:
    code, out, err = run(
        "make", "--out", tmp_path / "set", "--family", "vote-moments", "--count", 5, "--workers", 1
    )
    assert (code, err) == (0, "")
    assert out.startswith(f"{TESTS} tests in 1 families written to ")
    return tmp_path / "set"


def of_set(directory: Path) -> list[dict[str, Any]]:
    document = json.loads((directory / "vote-moments.json").read_text())
    return [test for group in document["groups"] for test in group["tests"]]


def results(directory: Path, path: Path, **changes: Any) -> Path:
    lines = [{"id": test["id"], "output": test["expected"]} for test in of_set(directory)]
    path.write_text("".join(json.dumps({**line, **changes}) + "\n" for line in lines))
    return path


def test_make_takes_several_workers_and_another_seed(run: Run, made: Path, tmp_path: Path) -> None:
    options = ("--family", "vote-moments", "--count", 5, "--workers", 2)
    assert run("make", "--out", tmp_path / "again", *options)[0] == 0
    assert run("make", "--out", tmp_path / "other", *options, "--seed", 0)[0] == 0
    assert (made / "vote-moments.json").read_bytes() == (
        tmp_path / "again" / "vote-moments.json"
    ).read_bytes()
    assert (made / "vote-moments.json").read_bytes() != (
        tmp_path / "other" / "vote-moments.json"
    ).read_bytes()


@pytest.mark.parametrize("seed", ["-1", "1/2", "one", "0.5"])
def test_a_seed_that_is_no_whole_number_is_refused(run: Run, tmp_path: Path, seed: str) -> None:
    code, _, err = run("make", "--out", tmp_path, "--seed", seed)
    assert code == 2
    assert len(err.splitlines()) == 1


def test_make_refuses_an_unknown_family_and_a_file_for_a_directory(run: Run, tmp_path: Path) -> None:
    code, _, err = run("make", "--out", tmp_path, "--family", "nonsense")
    assert code == 2
    assert "the families are" in err
    (tmp_path / "file").write_text("")
    assert run("make", "--out", tmp_path / "file")[0] == 2


def test_the_shipped_set_is_listed_in_words_and_as_json(run: Run, made: Path) -> None:
    code, out, _ = run("list")
    assert code == 0
    assert "vote-moments" in out
    families = json.loads(run("list", "--json")[1])["families"]
    told = f"{sum(f['tests'] for f in families)} tests in {len(families)} families, version {set_version()}"
    assert out.splitlines()[-1] == told
    assert run("list", "--vectors", made)[1].endswith(f"not version {set_version()}, which ships\n")


def test_check_passes_what_was_made_and_fails_what_was_changed(run: Run, made: Path) -> None:
    code, out, _ = run("check", made, "--workers", 1)
    assert code == 0
    assert out.startswith(f"{TESTS} tests in 1 families: sound")
    path = made / "vote-moments.json"
    path.write_text(path.read_text().replace('"trio_moment": "2/27"', '"trio_moment": "2/28"', 1))
    code, out, _ = run("check", made, "--workers", 2)
    assert code == 1
    assert "expected '2/28'" in out
    assert out.endswith("3 problems\n")  # the file's hash, the tests' hash, the value
    document = json.loads(run("check", made, "--json", "--workers", 1)[1])
    assert (document["passes"], len(document["problems"])) == (False, 3)


def test_check_refuses_a_place_without_vectors(run: Run, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        code, _, err = run("check", place)
        assert code == 2
        assert "no vectors are there" in err


def test_right_results_pass(run: Run, made: Path, tmp_path: Path) -> None:
    path = results(made, tmp_path / "results.jsonl")
    code, out, _ = run("judge", path, "--vectors", made)
    assert code == 0
    assert out.endswith("all that was tried passes\n")
    assert json.loads(run("judge", path, "--vectors", made, "--json")[1])["passes"] is True


def test_floats_pass_within_a_tolerance_only_and_are_reported(run: Run, made: Path, tmp_path: Path) -> None:
    def floated(value: Any) -> Any:
        if isinstance(value, dict):
            return value if "error" in value else {name: floated(part) for name, part in value.items()}
        if isinstance(value, list):
            return [floated(part) for part in value]
        top, _, bottom = value.partition("/")
        return int(top) / int(bottom or "1")

    path = tmp_path / "results.jsonl"
    lines = [{"id": test["id"], "output": floated(test["expected"])} for test in of_set(made)]
    path.write_text("\n".join(map(json.dumps, lines)))
    assert run("judge", path, "--vectors", made)[0] == 1
    code, out, _ = run("judge", path, "--vectors", made, "--tolerance", "1e-9")
    assert code == 0
    assert "floats were taken within 1/1000000000" in out
    tally = json.loads(run("judge", path, "--vectors", made, "--tolerance", "1e-9", "--json")[1])["families"]
    assert tally["vote-moments"]["inexact"] == sum(test["result"] == "valid" for test in of_set(made))


def test_wrong_results_fail_and_a_broken_line_is_unreadable(run: Run, made: Path, tmp_path: Path) -> None:
    path = results(made, tmp_path / "results.jsonl", output=7)
    code, out, _ = run("judge", path, "--vectors", made)
    assert code == 1
    assert f"wrong: {TESTS}" in out
    assert f"and {TESTS - 20} more (--json lists all)" in out
    path.write_text(path.read_text() + "{broken\n")
    code, out, _ = run("judge", path, "--vectors", made)
    assert code == 2
    assert f"unreadable lines: 1\n  line {TESTS + 1}: not JSON" in out


@pytest.mark.parametrize("arguments", [("--tolerance", "-1"), ("--tolerance", "x"), ("--family", "nonsense")])
def test_judge_refuses_bad_options(run: Run, made: Path, tmp_path: Path, arguments: tuple[str, str]) -> None:
    code, out, err = run("judge", results(made, tmp_path / "r.jsonl"), "--vectors", made, *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_judge_refuses_results_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    assert run("judge", tmp_path / "none.jsonl")[0] == 2
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe")
    code, _, err = run("judge", tmp_path / "bytes.jsonl")
    assert code == 2
    assert "not UTF-8" in err


def test_a_test_is_shown_by_hand(run: Run, made: Path) -> None:
    (test,) = [test for test in of_set(made) if test["input"]["counts"] == TWO_NORM]
    code, out, _ = run("show", test["id"], "--vectors", made)
    assert code == 0
    assert "A = T² + 4Π = 657031321/1000000000000" in out
    assert "Confirmed by: reference" in out
    assert "flag source: votes of a test in the source" in out
    shown = json.loads(run("show", test["id"], "--vectors", made, "--json")[1])
    assert shown["input"]["judges"] == 3
    assert shown["steps"][-1] == "A = T² + 4Π = 657031321/1000000000000"


def test_a_refusal_is_shown_with_its_reason(run: Run, made: Path) -> None:
    test = next(test for test in of_set(made) if test["result"] == "invalid")
    assert "refused as empty-test: there is no question" in run("show", test["id"], "--vectors", made)[1]


@pytest.mark.parametrize("wanted", ["nonsense", "nonsense/1", "vote-moments/0123456789"])
def test_an_unknown_id_is_refused(run: Run, made: Path, wanted: str) -> None:
    code, _, err = run("show", wanted, "--vectors", made)
    assert code == 2
    assert "no such" in err


BROKEN_SETS: dict[str, Callable[[Any], Any]] = {
    "no object": lambda _: [],
    "no header": lambda _: {"groups": [{}]},
    "no input": lambda document: {**document, "groups": [{**document["groups"][0], "tests": [{}]}]},
    "no tests": lambda document: {**document, "groups": [], "tests": 0},
    "another family": lambda document: {**document, "family": "possible-single"},
    "a refusal without a kind": lambda document: {
        **document,
        "groups": [
            {**group, "tests": [{**test, "expected": 7, "result": "invalid"} for test in group["tests"]]}
            for group in document["groups"]
        ],
    },
}


@pytest.mark.parametrize("name", BROKEN_SETS)
def test_judge_and_show_refuse_a_set_that_breaks_the_schema(
    run: Run, made: Path, tmp_path: Path, name: str
) -> None:
    test, path = of_set(made)[0]["id"], results(made, tmp_path / "results.jsonl")
    file = made / "vote-moments.json"
    file.write_text(json.dumps(BROKEN_SETS[name](json.loads(file.read_text()))))
    for arguments in (("judge", path), ("show", test)):
        code, _, err = run(*arguments, "--vectors", made)
        assert code == 2
        assert "vote-moments.json" in err
        assert err.endswith("see: vectors check\n")


def write_signed(directory: Path, document: Any) -> None:
    """Write the file of a family, and into the index what it is now."""
    (directory / "vote-moments.json").write_text(json.dumps(document))
    digest = hashlib.sha256((directory / "vote-moments.json").read_bytes()).hexdigest()
    index = json.loads((directory / "index.json").read_text())
    index["families"][0] |= {"sha256": digest, "tests": sum(len(one["tests"]) for one in document["groups"])}
    (directory / "index.json").write_text(json.dumps(index))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"input": {"labels": 7}}, "cannot be computed: TypeError; see: vectors check"),
        ({"input": {"judges": 40}}, "there are 2^40 patterns"),
        ({"input": {"judges": 10**9}}, "there are 2^1000000000 patterns"),
        ({"result": "invalid", "expected": {"error": "x"}}, "no test with an answer; see: vectors check"),
        ({"result": "nonsense"}, "the file has not the form of a file of vectors"),
    ],
)
def test_show_refuses_tests_that_were_tampered_with(
    run: Run, made: Path, change: dict[str, Any], words: str
) -> None:
    document = json.loads((made / "vote-moments.json").read_text())
    for test in of_set(made):
        document["groups"] = [{**document["groups"][0], "tests": [{**test, **change}]}]
    document["groups"][0]["parameters"] = {"labels": ["a", "b"], "judges": 3, "counts": [1] * 8}
    write_signed(made, document)
    code, out, err = run("show", "vote-moments", "--vectors", made)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert words in err


TWO = {"labels": ["a", "b"], "key_counts": [2, 3], "questions": 5}


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("possible-group", {**TWO, "judges": 10**6}, ""),
        ("possible-group", {**TWO, "judges": 10**9}, "the limit"),
        ("possible-group", {**TWO, "judges": 10**30}, "the limit"),
        ("mcnemar-test", {"control_only": 10**9, "treatment_only": 2}, "the limit"),
        ("fisher-test", {"control": [11, 10**30], "treatment": [20, 10**18]}, "the limit"),
        ("share-coverage", {"n": 10**9, "p": "0", "level": "0.9"}, "the limit"),
        ("share-coverage", {"n": 10**3, "p": f"1/{10**4000}", "level": "0.9"}, "the limit"),
        pytest.param("share-coverage", {"n": 10**4, "p": "1/2", "level": "0.9"}, "", marks=pytest.mark.slow),
    ],
)
def test_show_tells_a_test_with_huge_numbers_soon_or_refuses_it(
    run: Run, tmp_path: Path, name: str, given: dict[str, Any], words: str
) -> None:
    document = read_family(shipped(), name)
    (body, *_) = (test.body for test in all_tests(document) if test.body["result"] == "valid")
    test = {**body, "id": f"{name}/huge", "input": given}
    document = {**document, "groups": [{"kind": "edge", "parameters": {}, "tests": [test]}]}
    text = json.dumps(document)
    (tmp_path / f"{name}.json").write_text(text)
    (entry,) = (one for one in read_index(shipped()) if one["family"] == name)
    entry |= {"tests": 1, "sha256": hashlib.sha256(text.encode()).hexdigest()}
    (tmp_path / "index.json").write_text(index_text([entry]))
    begun = time.process_time()
    code, _, err = run("show", test["id"], "--vectors", tmp_path)
    assert time.process_time() - begun < 15
    assert (code, words in err) == (2 if words else 0, True)


@pytest.mark.parametrize(
    "schema", [{"properties": []}, {"anyOf": 5}, {"items": 5}, {"enum": 5}, {"required": 5}]
)
def test_a_schema_that_is_none_is_shown_as_far_as_it_can_be(run: Run, made: Path, schema: Any) -> None:
    write_signed(made, {**json.loads((made / "vote-moments.json").read_text()), "input": schema})
    assert run("show", "vote-moments", "--vectors", made)[0] == 0
    assert run("check", made, "--workers", 1)[0] == 1


def test_an_index_that_tells_of_another_family_or_number_of_tests_is_refused(
    run: Run, made: Path, tmp_path: Path
) -> None:
    path, index = results(made, tmp_path / "results.jsonl"), json.loads((made / "index.json").read_text())
    for change in ({"tests": 10**30}, {"tests": -1}, {"family": "grade"}):
        entry = {**index["families"][0], **change}
        (made / "index.json").write_text(json.dumps({**index, "families": [entry]}))
        code, _, err = run("judge", path, "--vectors", made, "--family", entry["family"])
        assert code == 2
        assert "the file is not the one that the index tells of" in err


def test_a_device_or_a_pipe_is_no_file_of_vectors_and_endless_results_are_refused(
    run: Run, made: Path
) -> None:
    code, _, err = run("judge", "/dev/zero", "--vectors", made)
    assert code == 2
    assert "a line of results has at most" in err
    (made / "vote-moments.json").unlink()
    os.mkfifo(made / "vote-moments.json")
    code, _, err = run("show", "vote-moments", "--vectors", made)
    assert code == 2
    assert "there is no such plain file" in err


def test_an_index_with_a_family_twice_is_refused(run: Run, made: Path) -> None:
    index = json.loads((made / "index.json").read_text())
    index["families"] *= 2
    (made / "index.json").write_text(json.dumps(index))
    code, _, err = run("check", made, "--workers", 1)
    assert code == 2
    assert "the family vote-moments stands twice" in err


def test_an_index_that_tells_another_version_or_title_is_found(run: Run, made: Path) -> None:
    index = json.loads((made / "index.json").read_text())
    index["families"][0].update(version=7, title="Guesses")
    (made / "index.json").write_text(json.dumps(index))
    code, out, _ = run("check", made, "--workers", 1)
    assert code == 1
    assert "the header's version is 1, the index says 7" in out
    assert "the index says 'Guesses'" in out


def test_results_with_a_byte_order_mark_are_read(run: Run, made: Path, tmp_path: Path) -> None:
    path = results(made, tmp_path / "results.jsonl")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert run("judge", path, "--vectors", made)[0] == 0


def test_a_line_without_an_output_is_reported_with_its_id(run: Run, made: Path, tmp_path: Path) -> None:
    path, test = tmp_path / "results.jsonl", of_set(made)[0]["id"]
    path.write_text(json.dumps({"id": test}) + "\n")
    code, out, _ = run("judge", path, "--vectors", made)
    assert code == 2
    assert f"line 1: {test}: a result is an object" in out
