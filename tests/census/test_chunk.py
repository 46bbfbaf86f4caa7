"""The tally of a chunk: the same in arrays and one by one, and chunks add up in any order."""

import sys
from random import Random

import pytest

from ntqr_exact.census.chunk import ChunkTask, merged, tally_chunk
from ntqr_exact.census.enumeration import votes_count


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize(("questions", "start", "stop"), [(5, 0, 792), (6, 100, 900), (9, 5000, 5600)])
def test_a_chunk_comes_to_the_same_without_numpy(monkeypatch, questions, start, stop, symmetry):
    task = ChunkTask(questions, symmetry, start, stop)
    in_arrays = tally_chunk(task)
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert tally_chunk(task) == in_arrays


@pytest.mark.parametrize("symmetry", [False, True])
def test_chunks_of_any_size_in_any_order_add_up_to_the_whole(symmetry):
    total = votes_count(8)
    whole = tally_chunk(ChunkTask(8, symmetry, 0, total)).rows
    starts = list(range(0, total, 700))
    Random(3).shuffle(starts)
    chunks = [tally_chunk(ChunkTask(8, symmetry, start, min(start + 700, total))) for start in starts]
    assert merged(row for chunk in chunks for row in chunk.rows) == whole
    assert [chunk.start for chunk in chunks] == starts
