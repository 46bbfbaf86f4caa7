"""A citation names one of the five sources and a place in it."""

import pytest

from ntqr_exact.citation import SOURCES, Citation
from ntqr_exact.errors import BadDocument


@pytest.mark.parametrize("source", SOURCES.values())
def test_every_source_has_authors_a_title_and_a_place(source):
    assert source.short
    assert source.authors
    assert source.title
    assert source.where
    assert source.year in (None, 2023)


def test_an_unknown_source_is_refused_with_the_known_ones_named():
    with pytest.raises(BadDocument):
        Citation("elsewhere", "eq. 1")
