"""A file is written whole or not at all, and nothing else is left."""

import os
import stat
import subprocess
import sys
import threading

import pytest

from ntqr_exact.errors import BadDocument
from ntqr_exact.whole_file import write_whole


def test_a_finished_file_takes_the_place_of_the_old_one(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_bytes(b"old")
    write_whole(path, "new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("ending", [ValueError, KeyboardInterrupt])
def test_unfinished_file_leaves_the_old_one_and_no_part(tmp_path, monkeypatch, ending):
    path = tmp_path / "kept.txt"
    path.write_bytes(b"old")
    seen = []

    def fail(_handle):
        seen.append((path.read_bytes(), len([*tmp_path.iterdir()])))
        raise ending

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ending):
        write_whole(path, "new")
    assert seen == [(b"old", 2)]
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_on_the_disk_before_it_takes_its_name(tmp_path, monkeypatch):
    steps = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *args, name=name, real=real: (steps.append(name), real(*args)))
    write_whole(tmp_path / "file", "new")
    assert steps == ["fsync", "replace", "fsync"]


def test_others_may_read_it_as_any_file_of_this_user(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "kept.txt", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "kept.txt").stat().st_mode) == 0o640


def test_a_link_stays_a_link_and_a_file_keeps_its_mode(tmp_path):
    path, link = tmp_path / "kept.txt", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o600)
    link.symlink_to(path)
    write_whole(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_is_closed_to_writing_stays(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        write_whole(path, "new")
    assert path.read_bytes() == b"old"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_text()))
    reader.start()
    write_whole(path, "new")
    reader.join()
    assert read == ["new"]
    assert stat.S_ISFIFO(path.stat().st_mode)


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="open files have no names on this system")
def test_a_pipe_without_a_name_is_written_to():
    reading, writing = os.pipe()
    write_whole(f"/dev/fd/{writing}", "new")
    os.close(writing)
    with open(reading, "rb") as reader:
        assert reader.read() == b"new"


def test_a_link_to_itself_and_a_folder_that_is_not_there_are_refused(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "link")
    with pytest.raises(OSError, match="symbolic links"):
        write_whole(tmp_path / "link", "new")
    with pytest.raises(IsADirectoryError):
        write_whole(f"{tmp_path}/folder/", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["link"]


def test_the_input_is_refused_as_output(tmp_path):
    path = tmp_path / "in.csv"
    path.write_bytes(b"old")
    os.link(path, tmp_path / "same.csv")
    with pytest.raises(BadDocument):
        write_whole(tmp_path / "same.csv", "new", inputs=[str(path)])
    assert path.read_bytes() == b"old"


def test_a_killed_writer_leaves_the_old_file(tmp_path):
    (tmp_path / "kept.txt").write_text("old")
    program = (
        "import os, sys; from ntqr_exact.whole_file import write_whole\n"
        "os.fsync = lambda _: os.kill(os.getpid(), 9); write_whole(sys.argv[1], 'new')"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "kept.txt")], check=False)
    assert (tmp_path / "kept.txt").read_text() == "old"
