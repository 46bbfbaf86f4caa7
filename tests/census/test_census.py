"""The census: totals, symmetry, and that it loses nothing when it is killed."""

import json
import random
import signal
import subprocess
import sys
import time
from random import Random

import pytest

from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.census.census import RECOUNT, Census, take_census
from ntqr_exact.census.chunk import Checkpoint, ChunkTask, _digest, merged, tally_chunk
from ntqr_exact.census.enumeration import votes_count
from ntqr_exact.errors import BadDocument, BadNumber, NotSupported
from ntqr_exact.evaluators.independent.independence_class import IndependenceClass as Kind
from ntqr_exact.evaluators.independent.independence_class import alarm_mask, possible_masks

TOTALS = {
    5: (304, 0, 96, 16, 0, 104, 272),
    8: (1936, 216, 1464, 392, 72, 1398, 957),
    10: (4676, 1056, 5616, 2048, 428, 3900, 1724),
    12: (9316, 3456, 14936, 7448, 1620, 10688, 2924),
}


@pytest.mark.parametrize("questions", TOTALS)
@pytest.mark.parametrize("symmetry", [False, True])
def test_the_totals_in_full_and_up_to_symmetry_are_the_same(questions, symmetry):
    census = take_census(questions, symmetry=symmetry, ranks_per_chunk=7000)
    assert tuple(share.votes for share in census.classes().values()) == TOTALS[questions]
    assert census.total.votes == votes_count(questions) == sum(TOTALS[questions])
    assert census.with_key.votes == TOTALS[questions][0] + TOTALS[questions][-1]
    assert census.holds()


def test_twelve_questions_have_4765_votes_up_to_symmetry():
    census = take_census(12, symmetry=True)
    assert census.total.orbits == 4765
    assert sum(share.orbits for share in census.classes().values()) == 4765


def test_the_alarms_are_those_of_the_combinations():
    census = take_census(9, symmetry=True)
    combinations = census.combinations()
    for kind, share in census.alarms().items():
        assert share.votes == sum(other.votes for (_, fired), other in combinations.items() if kind in fired)
    assert sum(share.votes for share in combinations.values()) == census.total.votes
    alarms, classes = census.alarms(), census.classes()
    assert alarms[AlarmKind.IMAGINARY] == classes[Kind.IMAGINARY]
    assert alarms[AlarmKind.IRRATIONAL] == classes[Kind.IRRATIONAL]
    both = alarms[AlarmKind.NO_ROOT].votes + alarms[AlarmKind.CONTRADICTION].votes
    assert both == classes[Kind.CONTRADICTORY].votes
    assert {kind for kind, fired in combinations if not fired} == {Kind.INDEPENDENT, Kind.UNIDENTIFIED}


def test_a_census_that_lacks_votes_does_not_hold():
    census = take_census(4)
    *rows, (code, mask, size, count) = census.rows
    assert not Census(4, False, (*rows, (code, mask, size, count - 1))).holds()
    up_to_symmetry = take_census(4, symmetry=True)
    first, *others = up_to_symmetry.rows
    assert not Census(4, True, ((*first[:3], first[3] + 1), *others)).holds()


def test_json_is_the_same_bytes_every_time():
    text = take_census(6, symmetry=True, ranks_per_chunk=100).to_json()
    assert text == take_census(6, symmetry=True, ranks_per_chunk=1000).to_json()
    document = json.loads(text)
    assert document["total"] == {"orbits": 200, "votes": 1716}
    assert document["combinations"][0]["class"] == "independent"


def test_other_than_three_judges_and_no_questions_are_refused():
    with pytest.raises(NotSupported, match="three judges between two labels"):
        take_census(5, judges=4)
    with pytest.raises(BadNumber, match="at least one question"):
        take_census(0)


# -- checkpoints --------------------------------------------------------------------------------------

SMALL = {"ranks_per_chunk": 200}


def test_progress_tells_of_all_votes_also_when_going_on(tmp_path):
    path, seen = tmp_path / "kept", []
    take_census(6, checkpoint=path, progress=seen.append, **SMALL)
    assert sum(seen) == 1716
    again = []
    take_census(6, checkpoint=path, progress=again.append, **SMALL)
    assert sum(again) == 1716


def test_of_a_finished_census_only_a_sample_is_counted_again(tmp_path, monkeypatch):
    path, counted = tmp_path / "kept", []
    census = take_census(6, checkpoint=path, **SMALL)
    before = path.read_bytes()
    monkeypatch.setattr(
        "ntqr_exact.census.census.tally_chunk", lambda task: counted.append(task.start) or tally_chunk(task)
    )
    assert take_census(6, checkpoint=path, **SMALL) == census
    assert path.read_bytes() == before
    assert len(set(counted)) == len(counted) == RECOUNT < before.count(b"\n") - 1


@pytest.mark.parametrize(
    "forge",
    [
        lambda chunk: chunk["rows"][0].__setitem__(0, 99),
        lambda chunk: chunk["rows"][0].__setitem__(0, chunk["rows"][-1][0]),
        lambda chunk: chunk["rows"][0].__setitem__(1, 1 << 40),
        lambda chunk: chunk["rows"][0].__setitem__(3, -1),
        lambda chunk: chunk["rows"][0].__setitem__(2, True),
        lambda chunk: chunk.__setitem__("start", False),
        lambda chunk: chunk.__setitem__("rows", None),
        lambda chunk: chunk.__setitem__("rows", [[1]]),
        lambda chunk: chunk.__setitem__("start", 7),
        lambda chunk: chunk.clear(),
        lambda chunk: chunk.__setitem__("more", 1),
    ],
)
def test_a_forged_chunk_whose_checksum_is_right_is_refused(tmp_path, forge):
    path = tmp_path / "kept"
    take_census(4, checkpoint=path)
    header, line = (line.partition(" ")[2] for line in path.read_text().splitlines())
    chunk = json.loads(line)
    forge(chunk)
    texts = (header, json.dumps(chunk))
    path.write_text("".join(f"{_digest(header, text)} {text}\n" for text in texts))
    with pytest.raises(BadDocument):
        take_census(4, checkpoint=path)


def test_two_counts_of_one_chunk_are_refused_and_the_same_one_twice_is_not(tmp_path):
    path = tmp_path / "kept"
    census = take_census(6, checkpoint=path, **SMALL)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[1]]))
    assert take_census(6, checkpoint=path, **SMALL) == census
    header, chunk = lines[0].partition(" ")[2].strip(), json.loads(lines[1].partition(" ")[2])
    exchange(Kind.INDEPENDENT, Kind.UNIDENTIFIED)(chunk["rows"])
    text = json.dumps(chunk)
    path.write_text("".join([*lines, f"{_digest(header, text)} {text}\n"]))
    with pytest.raises(BadDocument, match="another count of a chunk"):
        take_census(6, checkpoint=path, **SMALL)


def forge(path, change):
    """Change the rows of the second chunk, and make its checksum right."""
    header, *lines = (line.partition(" ")[2] for line in path.read_text().splitlines())
    chunk = json.loads(lines[1])
    change(chunk["rows"])
    lines[1] = json.dumps(chunk)
    path.write_text("".join(f"{_digest(header, text)} {text}\n" for text in (header, *lines)))


def exchange(first, second):
    """Move a vote from one class to another, each with alarms that it allows."""

    def change(rows):
        one, two = (next(row for row in rows if row[0] == kind) for kind in (first, second))
        one[3], two[3] = one[3] + 1, two[3] - 1

    return change


def test_chunks_that_are_taken_on_trust_are_told_of(tmp_path):
    path = tmp_path / "kept"
    census = take_census(6, checkpoint=path, **SMALL)
    assert census.trusted == 0
    chunks = path.read_text().count("\n") - 1
    for recount, trusted in ((RECOUNT, chunks - RECOUNT), (0, chunks), (chunks + 1, 0), ("all", 0)):
        again = take_census(6, checkpoint=path, recount=recount, **SMALL)
        assert again == census
        assert again.trusted == trusted
        assert again.to_json() == census.to_json()
    with pytest.raises(BadNumber, match="negative"):
        take_census(6, checkpoint=path, recount=-1, **SMALL)


@pytest.mark.parametrize("symmetry", [False, True])
def test_a_forged_class_with_the_right_totals_is_found_where_all_is_counted_again(tmp_path, symmetry):
    path = tmp_path / "kept"
    census = take_census(6, checkpoint=path, symmetry=symmetry, **SMALL)
    forge(path, exchange(Kind.INDEPENDENT, Kind.UNIDENTIFIED))
    forged = take_census(6, checkpoint=path, recount=0, symmetry=symmetry, **SMALL)
    assert forged != census
    assert forged.trusted > 0
    with pytest.raises(
        BadDocument, match="chunk at 200 was counted again, and is not what the checkpoint says"
    ):
        take_census(6, checkpoint=path, recount="all", symmetry=symmetry, **SMALL)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda rows: rows[0].__setitem__(3, rows[0][3] + 1), id="a vote too many"),
        pytest.param(lambda rows: rows[0].__setitem__(3, rows[0][3] - 1), id="a vote too few"),
        pytest.param(lambda rows: rows[0].__setitem__(0, Kind.IMAGINARY), id="a class without its alarms"),
        pytest.param(lambda rows: rows[0].__setitem__(1, 127), id="all alarms at once"),
        pytest.param(lambda rows: rows[0].__setitem__(2, 2), id="an orbit without symmetry"),
        pytest.param(lambda rows: rows.reverse(), id="rows in another order"),
        pytest.param(lambda rows: rows.append(rows[0]), id="a row twice"),
    ],
)
def test_a_forged_chunk_that_no_chunk_can_be_is_found_without_counting(tmp_path, change):
    path = tmp_path / "kept"
    take_census(6, checkpoint=path, **SMALL)
    forge(path, change)
    with pytest.raises(BadDocument, match="line 3 of the checkpoint is not a chunk of this census"):
        take_census(6, checkpoint=path, recount=0, **SMALL)


def test_the_classes_and_alarms_that_go_together_are_those_of_the_census():
    seen = {
        (kind, alarm_mask(fired)) for size in (10, 12) for kind, fired in take_census(size).combinations()
    }
    assert seen == {(kind, mask) for kind, masks in possible_masks().items() for mask in masks}


def test_an_orbit_has_a_size_that_divides_the_order_of_the_group(tmp_path):
    path = tmp_path / "kept"
    take_census(6, checkpoint=path, symmetry=True, **SMALL)
    forge(path, lambda rows: rows[0].__setitem__(2, 5))
    with pytest.raises(BadDocument, match="line 3 of the checkpoint is not a chunk of this census"):
        take_census(6, checkpoint=path, symmetry=True, recount=0, **SMALL)


def test_what_is_forged_is_found_before_new_chunks_are_counted(tmp_path):
    path = tmp_path / "kept"
    take_census(6, checkpoint=path, **SMALL)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:4]))
    forge(path, exchange(Kind.INDEPENDENT, Kind.UNIDENTIFIED))
    before = path.read_bytes()
    with pytest.raises(BadDocument, match="counted again"):
        take_census(6, checkpoint=path, recount="all", **SMALL)
    assert path.read_bytes() == before


def test_chunks_that_are_deeply_nested_are_refused(tmp_path):
    path = tmp_path / "kept"
    take_census(4, checkpoint=path)
    header = path.read_text().splitlines()[0].partition(" ")[2]
    texts = header, "[" * 100_000
    path.write_text("".join(f"{_digest(header, text)} {text}\n" for text in texts))
    with pytest.raises(BadDocument, match="line 2"):
        take_census(4, checkpoint=path)


def test_a_checkpoint_that_holds_itself_twice_is_refused(tmp_path):
    path = tmp_path / "kept"
    take_census(4, checkpoint=path)
    path.write_bytes(2 * path.read_bytes())
    with pytest.raises(BadDocument, match="line 3"):
        take_census(4, checkpoint=path)


def test_a_checkpoint_cut_off_at_any_byte_leads_to_the_same_census(tmp_path):
    path = tmp_path / "kept"
    census = take_census(5, checkpoint=path, ranks_per_chunk=300)
    whole = path.read_bytes()
    for length in {*range(0, len(whole), 3), *range(len(whole) - 5, len(whole) + 1)}:
        path.write_bytes(whole[:length])
        assert take_census(5, checkpoint=path, ranks_per_chunk=300) == census
        assert sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())


def test_a_changed_byte_is_an_error_or_changes_nothing(tmp_path):
    path = tmp_path / "kept"
    census = take_census(5, checkpoint=path, ranks_per_chunk=300)
    whole = path.read_bytes()
    refused = 0
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            assert take_census(5, checkpoint=path, ranks_per_chunk=300) == census
        except BadDocument:
            refused += 1
    assert refused > len(whole) * 9 // 10


def test_chunks_may_stand_in_any_order_and_twice(tmp_path):
    path = tmp_path / "kept"
    census = take_census(6, checkpoint=path, **SMALL)
    header, *lines = path.read_bytes().splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    path.write_bytes(b"".join([header, *lines[:5], lines[2], lines[0]]))
    assert take_census(6, checkpoint=path, **SMALL) == census


@pytest.mark.parametrize(
    "other",
    [{"questions": 7}, {"symmetry": True}, {"ranks_per_chunk": 100}],
    ids=lambda other: next(iter(other)),
)
def test_the_checkpoint_of_another_census_is_refused(tmp_path, other):
    path = tmp_path / "kept"
    take_census(6, checkpoint=path, **SMALL)
    with pytest.raises(BadDocument, match="another census"):
        take_census(**{"questions": 6, "checkpoint": path, **SMALL, **other})


def test_a_header_of_another_census_is_refused_whatever_its_checksum(tmp_path):
    path = tmp_path / "kept"
    take_census(6, checkpoint=path, **SMALL)
    header, *lines = path.read_text().splitlines(keepends=True)
    text = header.partition(" ")[2].rstrip("\n")
    other = text.replace('"questions": 6', '"questions": 7')
    for named in (text, other):
        path.write_text("".join([f"{_digest(named, other)} {other}\n", *lines]))
        with pytest.raises(BadDocument, match="checkpoint of"):
            take_census(6, checkpoint=path, **SMALL)


def test_a_file_that_is_something_else_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "letter"
    for text in (b"Dear reader", b"Dear reader,\nhow are you?\n"):
        path.write_bytes(text)
        with pytest.raises(BadDocument, match="not the checkpoint"):
            take_census(5, checkpoint=path)
        assert path.read_bytes() == text
    with pytest.raises(BadDocument, match="cannot be opened"):
        take_census(5, checkpoint=tmp_path / "no" / "folder")
    with pytest.raises(BadDocument, match="cannot be opened"):
        take_census(5, checkpoint=tmp_path / ("x" * 1000))


def test_a_chunk_of_another_census_in_the_file_is_refused(tmp_path):
    take_census(6, checkpoint=tmp_path / "one", **SMALL)
    take_census(6, checkpoint=tmp_path / "two", symmetry=True, **SMALL)
    one, two = ((tmp_path / name).read_bytes().splitlines(keepends=True) for name in ("one", "two"))
    (tmp_path / "one").write_bytes(b"".join([*one[:3], two[4]]))
    with pytest.raises(BadDocument, match="line 4"):
        take_census(6, checkpoint=tmp_path / "one", **SMALL)


def test_a_chunk_that_was_not_counted_to_its_end_is_an_error(tmp_path):
    header = {"census": 1, "judges": 3, "questions": 5, "symmetry": False, "ranks": 300}
    with Checkpoint(tmp_path / "kept", header) as kept:
        kept.add(tally_chunk(ChunkTask(5, False, 0, 200)))
    with pytest.raises(BadDocument, match="line 2 of the checkpoint is not a chunk of this census"):
        take_census(5, checkpoint=tmp_path / "kept", ranks_per_chunk=300)


def test_two_censuses_do_not_write_to_one_file(tmp_path):
    path = tmp_path / "kept"
    header = {"census": 1, "judges": 3, "questions": 6, "symmetry": False, "ranks": 200}
    with Checkpoint(path, header), pytest.raises(BadDocument, match="another process"):
        take_census(6, checkpoint=path, **SMALL)


RUN = """
import sys
from ntqr_exact.census.census import take_census
from ntqr_exact.executors import engine
if __name__ == "__main__":
    with engine(workers=int(sys.argv[3]) or None) as executor:
        census = take_census(sys.argv[1], checkpoint=sys.argv[2], ranks_per_chunk=400, executor=executor)
    print(census.to_json())
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_a_census_killed_again_and_again_loses_no_finished_chunk(tmp_path, workers):
    path, script = tmp_path / "kept", tmp_path / "run.py"
    script.write_text(RUN, encoding="utf-8")
    questions = 14
    expected = take_census(questions).to_document()
    chance = random.Random(workers)
    kills = lines = 0
    while True:
        process = subprocess.Popen(
            [sys.executable, script, str(questions), path, str(workers)], stdout=subprocess.PIPE, text=True
        )
        if kills < 4:
            while process.poll() is None and _lines(path) <= lines:
                time.sleep(0.002)
            time.sleep(chance.uniform(0, 0.05))
            process.send_signal(signal.SIGKILL)
        output, _ = process.communicate(timeout=120)
        assert _lines(path) >= lines
        lines = _lines(path)
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
        kills += 1
    assert json.loads(output) == expected
    assert kills == 4


def _lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


PEAK = """
import resource, sys
from ntqr_exact.census.census import take_census
take_census(sys.argv[1], symmetry=sys.argv[2] == "1", checkpoint=sys.argv[3], ranks_per_chunk=1 << 16)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", [0, 1])
def test_memory_stays_flat_as_the_work_grows_tenfold(tmp_path, symmetry):
    def peak(questions):
        arguments = [sys.executable, "-c", PEAK, str(questions), str(symmetry), tmp_path / str(questions)]
        return int(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)

    assert votes_count(24) > 10 * votes_count(16)
    unit = 1 if sys.platform == "darwin" else 1024
    assert (peak(24) - peak(16)) * unit < 12 * 2**20


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
