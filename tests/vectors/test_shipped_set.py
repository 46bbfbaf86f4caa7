"""The set of vectors that ships with the library is large enough, small enough, and all of it registered."""

from __future__ import annotations

from pathlib import Path

from ntqr_exact.vectors.registry import family_names
from tests.vectors.shipped_tests import shipped_document, shipped_tests

SHIPPED = Path(__file__).resolve().parents[2] / "ntqr_exact" / "data" / "vectors"
FEW_MEGABYTES = 8_000_000


def test_every_family_ships_and_nothing_else_does() -> None:
    stems = {path.stem for path in SHIPPED.glob("*.json")}
    assert stems == {*family_names(), "index", "schema"}


def test_there_are_at_least_thirty_families_and_five_thousand_tests_with_ids_of_their_own() -> None:
    ids = [test.id for name in family_names() for test in shipped_tests(name)]
    assert len(family_names()) >= 30
    assert len(set(ids)) == len(ids) >= 5000
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < FEW_MEGABYTES


def test_every_family_cites_a_source_and_explains_itself_without_other_files() -> None:
    for name in family_names():
        document = shipped_document(name)
        assert document["citations"], name
        algorithm = " ".join(document["algorithm"])
        assert not [other for other in family_names() if f"the family {other}" in algorithm], name
        assert all(test.body["witness"] for test in shipped_tests(name)), name
