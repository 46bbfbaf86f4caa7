"""A file is written whole or not at all, and nothing is left beside it."""

import os
import stat

import pytest

from ntqr_exact.whole_file import whole_file


def test_a_finished_file_takes_the_place_of_the_old_one(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_bytes(b"old")
    with whole_file(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def write_half(path, ending):
    with whole_file(path) as file:
        file.write(b"half")
        raise ending


@pytest.mark.parametrize("ending", [ValueError, KeyboardInterrupt])
def test_an_unfinished_one_leaves_what_was_there_and_no_part(tmp_path, ending):
    path = tmp_path / "kept.txt"
    path.write_bytes(b"old")
    with pytest.raises(ending):
        write_half(path, ending)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_others_may_read_it_as_any_file_of_this_user(tmp_path):
    before = os.umask(0o027)
    try:
        with whole_file(tmp_path / "kept.txt") as file:
            file.write(b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "kept.txt").stat().st_mode) == 0o640
