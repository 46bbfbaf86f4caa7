"""A citation names one of the five sources and a place in it."""

import pytest

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument


def test_an_unknown_source_is_refused_with_the_known_ones_named():
    with pytest.raises(BadDocument):
        Citation("elsewhere", "eq. 1")
