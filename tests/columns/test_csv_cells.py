"""Tables in blocks: the same rows, numbers, names and errors as the reader finds row by row."""

import contextlib
import gzip
import random

import numpy
import pytest

from ntqr_exact.columns import csv_cells
from ntqr_exact.columns.csv_cells import CellBlock, Decimals, cell_blocks, decimal_cells, named_cells
from ntqr_exact.errors import BadDecisions
from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics import score_file
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.score_file import read_scores
from ntqr_exact.metrics.weights import exact_weights
from ntqr_exact.votes import tables
from ntqr_exact.votes.tables import open_table

HEADER = "y,s,note\n"


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(csv_cells, "BLOCK_BYTES", 64)
    monkeypatch.setattr(tables, "_START", 64)


def blocks_of(path):
    """Return the blocks up to the first row that is refused, each with its rows as the reader finds them."""
    found = []
    with contextlib.suppress(BadDecisions), open_table(path, delimiter=",", header=True) as table:
        line = table.after_header()
        for block in cell_blocks(table.read, ",", len(table.columns)):
            is_plain = isinstance(block, CellBlock)
            rows = table.rows_in(block.data if is_plain else block, line, and_rest=not is_plain)
            found.append((is_plain, list(rows), block))
            line += block.data.count(b"\n") if is_plain else 0
    return found


def outcome(read, *arguments, **options):
    try:
        found = read(*arguments, label="y", score="s", positive="1", **options)
    except BadDecisions as error:
        return str(error)
    return found.labels, list(found.scores), list(found.weights), found.strata, found.classes


CELLS = {
    "y": ["1", "0", " 1", "0 ", '"1"', '"0"', "", '"a ""b"""', "ü", '1"', "0" * 70],
    "s": [
        *("0.5", ".25", "-3", "+7.", "1e-5", "2E+3", '"0.75"', " 0.5 ", "000.10", "12345678901234567.8"),
        *("1234567890123456789012", "100000000000000000000000", "0.100000000000000000000000", "-0", "1e-300"),
        *("1/3", "", "x", "1e", "1e5.", "1e+", "--1", "1.2.3", ".", "+", "1_0", "1e99999", "٣", "0x10"),
    ],
    "note": ["", "a", '"a,b"', '"a\nb"', '"a ""x"" b"', 'a"b', "é", '"a\r\nb"', '""', '"x"y'],
}


@pytest.mark.usefixtures("small_blocks")
def test_hostile_tables_are_read_as_row_by_row(tmp_path, monkeypatch):
    path, plain, read = tmp_path / "table.csv", 0, 0
    for seed in range(200):
        generator = random.Random(seed)
        # Most cells are plain, so that both ways of reading are taken, and errors come late.
        usual = generator.choice([2, 5, 6])
        lines = [
            ",".join(
                generator.choice(cells[:usual] if generator.random() < 0.99 else cells)
                for cells in CELLS.values()
            )
            for _ in range(generator.randrange(40))
        ]
        end = generator.choice(["\n", "\n", "\n", "\r\n", "\r\n", "\r"])
        text = HEADER + end.join(line if generator.random() < 0.99 else "" for line in lines)
        data = (
            generator.choice([b"", b"\xef\xbb\xbf"]) + text.encode() + generator.choice([b"", b"\n", b"\n\n"])
        )
        if generator.random() < 0.05:
            data = data.replace(b"a", b"\xff")
        path.write_bytes(data)
        options = generator.choice([{}, {}, {"stratum": "note"}])
        options |= {"delimiter": ",", "header": True}
        found = outcome(read_scores, path, **options)
        with monkeypatch.context() as patch:
            patch.setattr(score_file, "find_spec", lambda _: None)
            expected = outcome(read_scores, path, **options)
        assert found == expected, data
        read += not isinstance(found, str)
        for is_plain, rows, block in blocks_of(path):
            plain += is_plain
            assert not is_plain or spelled(block) == [list(row) for _, row in rows]
    assert plain > 100
    assert read > 40


def spelled(block):
    return [
        [
            block.text[start:end].tobytes().decode().replace('""', '"')
            for start, end in zip(*places, strict=True)
        ]
        for places in zip(block.starts.tolist(), block.ends.tolist(), strict=True)
    ]


def test_cells_are_plain_decimals_or_left_to_the_conversion():
    for cell in CELLS["s"]:
        text = numpy.frombuffer(f"{cell},".encode(), dtype=numpy.uint8)
        found = decimal_cells(text, numpy.array([0]), numpy.array([len(text) - 1]))
        assert found is None or list(found) == [rational(cell)], cell
    taken = CELLS["s"][:6] + CELLS["s"][7:9] + CELLS["s"][11:15]
    text = numpy.frombuffer((",".join(taken) + ",").encode(), dtype=numpy.uint8)
    ends = numpy.flatnonzero(text == ord(","))
    assert list(decimal_cells(text, numpy.append(0, ends[:-1] + 1), ends)) == list(map(rational, taken))


def test_names_are_found_without_the_blanks_around_them():
    text = numpy.frombuffer(b"a,b ,a,a long name of many bytes,b,", dtype=numpy.uint8)
    ends = numpy.flatnonzero(text == ord(","))
    names = named_cells(text, numpy.append(0, ends[:-1] + 1), ends)
    assert names == ["a", "b", "a", "a long name of many bytes", "b"]


def drawn(seed, powers):
    generator = random.Random(seed)
    digits = [
        generator.randint(-1, 1) * generator.randrange(10 ** generator.randint(1, 18)) for _ in range(60)
    ]
    pairs = [(one, generator.randint(*powers)) for one in digits]
    pairs += [(5, 0), (50, -1), (0, 3), (-5, 0), (-50, -1)]  # ties across powers
    return Decimals(*(numpy.array(part, dtype=numpy.int64) for part in zip(*pairs, strict=True)))


@pytest.mark.parametrize("powers", [(0, 0), (-3, 2), (-18, 0), (-300, 20)])
@pytest.mark.parametrize("seed", range(5))
def test_decimals_rank_and_weigh_as_their_rationals(seed, powers):
    column = drawn(seed, powers)
    labels = [place % 3 == 0 for place in range(len(column))]
    weights = [place % 4 for place in range(len(column))]
    assert rank(labels, column, weights) == rank(labels, list(column), weights)
    assert [column[place] for place in range(len(column))] == list(column)
    assert list(Decimals.joined([column, column[1:]])) == [*column, *list(column)[1:]]
    positive = Decimals(abs(column.digits), column.powers)
    assert exact_weights(positive, len(positive)).values() == list(positive)


def test_a_large_file_is_read_in_blocks_of_plain_cells(tmp_path, monkeypatch):
    path = tmp_path / "large.csv"
    path.write_text("y,s\r\n" + "1,0.5\r\n0,1e-5\r\n" * 80_000, newline="")
    progress = []
    samples = read_scores(path, label="y", score="s", progress=progress.append)
    assert isinstance(samples.scores, Decimals)
    assert len(samples.scores) == sum(progress) == 160_000
    assert samples.scores[1] == rational("1e-5")
    monkeypatch.setattr(csv_cells, "BLOCK_BYTES", 4096)
    monkeypatch.setattr(tables, "_START", 4096)
    path.write_text("y,s\n" + "1,0.5\n" * 20_000 + "0,?\n")
    with pytest.raises(BadDecisions):
        read_scores(path, label="y", score="s")


@pytest.mark.usefixtures("small_blocks")
def test_a_packed_file_that_is_damaged_is_refused(tmp_path):
    path = tmp_path / "packed.csv.gz"
    generator = random.Random(1)
    rows = "".join(f"{generator.randrange(2)},{generator.random()}\n" for _ in range(2000))
    packed = gzip.compress(f"y,s\n{rows}".encode())
    for size in (len(packed) // 2, 30):
        path.write_bytes(packed[:size])
        with pytest.raises(BadDecisions):
            read_scores(path, label="y", score="s")
