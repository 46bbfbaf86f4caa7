"""The set of vectors that ships with the library is large enough, small enough, and all of it registered."""

import json
from pathlib import Path

from ntqr_exact.vectors.registry import family_names

SHIPPED = Path(__file__).resolve().parents[2] / "ntqr_exact" / "data" / "vectors"
FEW_MEGABYTES = 8_000_000


def files():
    return [path for path in SHIPPED.glob("*.json") if path.stem not in ("index", "schema")]


def shipped_tests(path):
    document = json.loads(path.read_text(encoding="utf-8"))
    return [test for group in document["groups"] for test in group["tests"]]


def test_every_family_ships_and_nothing_else_does():
    assert sorted(path.stem for path in files()) == sorted(family_names())


def test_there_are_at_least_thirty_families_and_five_thousand_tests_in_a_few_megabytes():
    assert len(files()) >= 30
    assert sum(len(shipped_tests(path)) for path in files()) >= 5000
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < FEW_MEGABYTES


def test_ids_are_unique_across_all_families():
    ids = [test["id"] for path in files() for test in shipped_tests(path)]
    assert len(set(ids)) == len(ids)


def test_a_good_part_of_every_family_has_a_second_witness():
    for path in files():
        tests = shipped_tests(path)
        assert 2 * sum(bool(test["witness"]) for test in tests) >= len(tests), path.stem


def test_every_family_cites_a_source_and_explains_itself_without_other_files():
    for path in files():
        document = json.loads(path.read_text(encoding="utf-8"))
        assert document["citations"], path.stem
        others = [f"the family {name}" for name in family_names()]
        assert not [words for words in others if words in " ".join(document["algorithm"])], path.stem
