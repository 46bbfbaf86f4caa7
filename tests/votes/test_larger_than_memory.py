"""Counting more decisions than fit into memory: CSV streamed, and Parquet in an engine with a cap on its memory."""

import subprocess
import sys
import tracemalloc

import pytest

from ntqr_exact import read_votes

pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
BLOCK = 100_000
BLOCKS = 40
LABELS = ["a" * 150, "b" * 150]

COUNT = """
import resource, sys
engine, path, cap = sys.argv[1], sys.argv[2], int(sys.argv[3])
from ntqr_exact import read_votes
if engine == "polars":
    import polars
    frame = polars.scan_parquet(path)
else:
    import duckdb
    connection = duckdb.connect()
    connection.execute("set threads = 1")
    connection.execute("set enable_progress_bar = false")  # it would go to the output
    frame = connection.read_parquet(path)
    resource.setrlimit(resource.RLIMIT_AS, (cap, cap))
votes = read_votes(frame)
print(votes.size, *votes.counts.values(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.fixture(scope="module")
def decisions(tmp_path_factory):
    """Plain, uncoded texts, so that nothing short of reading in pieces keeps them small."""
    path = tmp_path_factory.mktemp("large") / "decisions.parquet"
    labels = pa.array(LABELS)
    columns = {
        judge: labels.take(pa.array([number // step % 2 for number in range(BLOCK)]))
        for judge, step in (("A", 1), ("B", 2), ("C", 4))
    }
    table = pa.table(columns)
    with pq.ParquetWriter(path, table.schema, compression="snappy", use_dictionary=False) as writer:
        for _ in range(BLOCKS):
            writer.write_table(table)
    return path, table.nbytes * BLOCKS


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the limits of memory are those of Linux")
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_parquet_file_larger_than_the_memory_is_counted_by_its_engine(decisions, engine):
    pytest.importorskip(engine)
    path, size = decisions
    cap = size * 3 // 4
    output = subprocess.run(
        [sys.executable, "-c", COUNT, engine, path, str(cap)], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    rows, *counts, peak = map(int, output.split())
    assert rows == BLOCK * BLOCKS
    assert counts == [rows // 8] * 8
    assert peak * 1024 < cap


@pytest.mark.slow
def test_memory_for_a_csv_stays_flat_as_its_rows_grow_fivefold(tmp_path):
    def peak(rows):
        path = tmp_path / f"{rows}.csv"
        path.write_text("A,B,C\n" + "a,b,a\nb,b,a\n" * (rows // 2), encoding="utf-8")
        read_votes(path)
        tracemalloc.start()
        assert read_votes(path).size == rows
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(1_000_000) < peak(200_000) * 3 // 2
