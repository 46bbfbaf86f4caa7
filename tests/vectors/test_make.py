"""Making vectors gives the same bytes however it is done, and whole files or none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadChoice, BadDocument
from ntqr_exact.vectors import make as make_module
from ntqr_exact.vectors.document import write_test
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.files import all_tests, read_family, shipped
from ntqr_exact.vectors.make import make_tests, make_vectors
from ntqr_exact.vectors.registry import chosen_families, family
from ntqr_exact.vectors.specification import Case, Specification

TWO = ("number-parsing", "vote-moments")


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())}


def ids(name: str, **options: int) -> list[str]:
    return [test.id for test in make_tests(chosen_families([name]), **options)]


def tiny(**changes: object) -> Family:
    words = {"name": "tiny", "version": 1, "title": "Tiny", "algorithm": ("Copy.",)}
    words["citations"] = (Citation("ntqr", "eq. 1"),)
    words |= {name: changes.pop(name) for name in ("name", "errors") if name in changes}
    parts: dict[str, object] = {
        "specification": Specification(**words, flags={"even": "n is even", "refused": "not a number"}),
        "input": {},
        "expected": {},
        "shared": (),
        "edge_cases": [Case({"n": 1})],
        "random_case": lambda draws, index: Case({"n": draws.below(index + 1)}),
        "compute": lambda document: document,
        "steps": lambda document: [str(document)],
    }
    return Family(**{**parts, **changes})  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_shipped_set_is_what_the_command_makes(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2) as executor:
        make_vectors(tmp_path, fresh=True, executor=executor)
    made = contents(tmp_path)
    assert sorted(made) == sorted(path.name for path in shipped().iterdir())
    for name, bytes_made in made.items():
        assert (shipped() / name).read_bytes() == bytes_made, f"{name}: make the shipped set again"


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_makes_the_same_bytes(pool: type, tmp_path: Path) -> None:
    make_vectors(tmp_path / "here", names=TWO, count=20)
    with pool(2) as executor:
        make_vectors(tmp_path / "there", names=reversed(TWO), count=20, executor=executor)
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


def test_the_hash_seed_changes_nothing(tmp_path: Path) -> None:
    for seed in ("0", "1"):
        code = (
            "import sys; from pathlib import Path; from ntqr_exact.vectors.make import make_vectors\n"
            f"make_vectors(Path({str(tmp_path / seed)!r}), names=['independent-binary', 'possible-single'], count=9)"
        )
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    assert contents(tmp_path / "0") == contents(tmp_path / "1")


@pytest.mark.parametrize("name", TWO)
def test_ids_stay_when_the_count_grows(name: str) -> None:
    few, many = ids(name, count=5), ids(name, count=12)
    assert many[: len(few)] == few
    assert len(set(many)) == len(many)


def test_another_seed_makes_other_random_tests_and_the_same_edge_cases() -> None:
    one, other = ids("vote-moments", seed=1, count=9), ids("vote-moments", seed=2, count=9)
    assert one[:-9] == other[:-9]
    assert set(one[-9:]).isdisjoint(other[-9:])


def test_random_tests_grow() -> None:
    tests = list(make_tests(chosen_families(["vote-moments"]), count=100))[-100:]
    sizes = [sum(test.input["counts"]) for test in tests]
    assert sum(sizes[:10]) < 10 * sizes[50] < 10 * sizes[-1]


def test_a_second_make_of_one_family_keeps_the_others(tmp_path: Path) -> None:
    make_vectors(tmp_path, names=TWO, count=3)
    make_vectors(tmp_path, names=["vote-moments"], count=4)
    index = json.loads((tmp_path / "index.json").read_text())
    assert [entry["family"] for entry in index["families"]] == list(TWO)
    assert len(list(all_tests(read_family(tmp_path, "vote-moments")))) == index["families"][1]["tests"]


def test_a_file_that_cannot_be_finished_does_not_appear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_vectors(tmp_path, names=TWO, count=3)
    before = contents(tmp_path)
    monkeypatch.setattr(make_module, "_head", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        make_vectors(tmp_path, names=TWO, count=4)
    assert contents(tmp_path) == before


def test_progress_is_told_of_every_test(tmp_path: Path) -> None:
    told: list[str] = []
    (entry,) = make_vectors(tmp_path, names=["vote-moments"], count=3, progress=told.append)
    assert told == ["vote-moments"] * entry["tests"]


def test_a_group_shares_its_parameters_and_a_test_repeats_none() -> None:
    for test in make_tests(chosen_families(["possible-single"]), count=20):
        assert list(test.parameters) == ["labels"]
        assert list(test.body["input"]) == ["responses", "key_counts"]


def test_an_edge_case_that_stands_twice_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    twice = tiny(edge_cases=[Case({"n": 1}, "once"), Case({"n": 1}, "again")])
    monkeypatch.setattr(make_module, "chosen_families", lambda _: [twice])
    monkeypatch.setattr(make_module, "family", lambda _: twice)
    with pytest.raises(BadDocument, match="stands twice in tiny"):
        make_vectors(tmp_path, count=0)


@pytest.mark.parametrize(
    ("case", "changes", "rule"),
    [
        (Case({}, flags=("odd",)), {}, "this flag has no meaning in tiny"),
        (Case({"n": "x"}), {"compute": lambda _: family("nonsense")}, "refused as bad-choice"),
        (
            Case({}, acceptable=True),
            {"compute": lambda _: family("nonsense"), "errors": {"bad-choice": "none"}},
            "acceptable is what the library accepts",
        ),
    ],
)
def test_a_case_that_cannot_be_published_is_refused(
    case: Case, changes: dict[str, object], rule: str
) -> None:
    made = tiny(**changes)
    with pytest.raises(BadDocument, match=rule):
        write_test(made, case, made.answer(case.input))


def test_names_and_witnesses_of_a_family_are_checked() -> None:
    with pytest.raises(BadDocument, match="small letters"):
        tiny(name="Tiny Family")
    with pytest.raises(BadDocument, match="a witness is one of"):
        tiny(witnesses={"my-uncle": lambda *_: True})
    with pytest.raises(BadDocument, match="this flag has no meaning in tiny"):
        tiny(flags={"odd": lambda *_: True})


def test_flags_come_from_predicates_and_a_refusal_is_flagged_by_itself() -> None:
    made = tiny(
        flags={"even": lambda given, found: given == found and found["n"] % 2 == 0},
        errors={"bad-choice": "none"},
        compute=lambda document: document if "n" in document else family("nonsense"),
    )
    flags = [
        write_test(made, Case(document), made.answer(document)).body["flags"]
        for document in ({"n": 1}, {"n": 2}, {})
    ]
    assert flags == [[], ["even"], ["refused"]]


def test_a_random_case_is_drawn_again_until_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tiny(wanted=lambda _, found: found["n"] == 0, edge_cases=[])
    monkeypatch.setattr(make_module, "family", lambda _: made)
    assert [test.input["n"] for test in make_tests([made], count=9)] == [0] * 9


def test_an_unknown_family_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(BadChoice, match=r"the families are .*vote-moments"):
        family("nonsense")


def peak_memory(directory: Path, count: int) -> int:
    tracemalloc.start()
    try:
        make_vectors(directory, names=["number-parsing"], count=count)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_memory_stays_flat_as_the_count_grows(tmp_path: Path) -> None:
    peak_memory(tmp_path, 10)  # imports and caches
    assert peak_memory(tmp_path, 2000) < 2 * peak_memory(tmp_path, 100)
