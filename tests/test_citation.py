"""A citation names one of the five sources and a place in it."""

import pytest

from ntqr_exact.citation import SOURCES, Citation
from ntqr_exact.errors import BadDocument


def test_there_are_five_sources_each_under_its_key():
    assert list(SOURCES) == ["ntqr", "faithful", "bias_adjusted", "ores", "orderings"]
    assert all(source.key == key for key, source in SOURCES.items())


@pytest.mark.parametrize("source", SOURCES.values())
def test_every_source_says_who_what_and_where(source):
    assert source.short
    assert source.authors
    assert source.title
    assert source.where
    assert source.year in (None, 2023)


def test_a_citation_reads_like_one():
    assert str(Citation("ntqr", "eq. 33e")) == "Corrada-Emmanuel 2023, eq. 33e"


def test_citations_are_values():
    assert Citation("ores", "recall") == Citation("ores", "recall") != Citation("ores", "precision")
    assert len({Citation("ores", "recall"), Citation("ores", "recall")}) == 1
    with pytest.raises(AttributeError):
        Citation("ores", "recall").place = "elsewhere"


def test_an_unknown_source_is_refused_with_the_known_ones_named():
    with pytest.raises(BadDocument):
        Citation("elsewhere", "eq. 1")
