"""Counting frames of every engine: the same votes from all, counted by the engine itself."""

import shutil
import sys

import narwhals as nw
import pandas as pd
import pytest

from ntqr_exact import LabeledVoteCounts, count_rows, read_votes
from ntqr_exact.errors import BadDecisions, DecisionsWarning, MissingExtra

pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")

DATA = {"A": list("aabab"), "k": list("abbab"), "B": list("abbbb")}
ROWS = list(zip(DATA["A"], DATA["B"], strict=True))


def _duckdb_relation(data):
    duckdb = pytest.importorskip("duckdb")
    return duckdb.connect().from_arrow(pa.table(data))


def _dask(data):
    dd = pytest.importorskip("dask.dataframe")
    return dd.from_pandas(pd.DataFrame(data), npartitions=3)


ENGINES = {
    "pandas": pd.DataFrame,
    "pandas object": lambda data: pd.DataFrame(data, dtype=object),
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "dask": _dask,
    "duckdb": _duckdb_relation,
    "narwhals": lambda data: nw.from_native(pl.DataFrame(data)),
}


@pytest.fixture(params=ENGINES, autouse=False)
def engine(request):
    if request.param != "dask":
        yield ENGINES[request.param]
        return
    dask = pytest.importorskip("dask")
    with dask.config.set(scheduler="synchronous"):
        yield ENGINES[request.param]


def columns(frame, *names):
    """Return some columns of a frame of any engine."""
    return nw.from_native(frame).select(*names).to_native()


def test_every_engine_gives_the_votes_of_the_rows(engine):
    frame = engine(DATA)
    assert read_votes(frame, judges=["A", "B"]) == count_rows(ROWS, judges=["A", "B"])
    assert read_votes(frame, judges=["B"]) == count_rows(DATA["B"], judges=["B"], labels=["a", "b"])
    assert read_votes(frame).judges == ("A", "k", "B")
    assert read_votes(columns(frame, "A", "B")) == count_rows(ROWS, judges=["A", "B"])


def test_every_engine_takes_a_truth_column(engine):
    expected = count_rows(ROWS, judges=["A", "B"], truth=DATA["k"])
    assert read_votes(engine(DATA), truth="k") == expected
    assert read_votes(engine(DATA), truth="k", judges=["B", "A"]) == expected.marginal("B", "A")
    assert isinstance(expected, LabeledVoteCounts)


def test_every_engine_keeps_drops_or_names_missing_answers(engine):
    rows = [("a", "b"), ("b", None), ("b", "b"), (None, "a"), (None, "a")]
    frame = engine({"A": [row[0] for row in rows], "B": [row[1] for row in rows]})
    with pytest.warns(DecisionsWarning, match="3 of 10 answers are missing, on 3 of 5 questions"):
        assert read_votes(frame) == count_rows(rows, judges=["A", "B"])
    with pytest.warns(DecisionsWarning):
        assert read_votes(frame, missing="drop") == count_rows([rows[0], rows[2]], judges=["A", "B"])
    with pytest.warns(DecisionsWarning):
        assert read_votes(frame, missing="label:c").responses("B") == {"a": 2, "b": 2, "c": 1}


@pytest.mark.filterwarnings("ignore::ntqr_exact.errors.DecisionsWarning")
def test_whole_numbers_next_to_missing_values_are_whole():
    for values in ([1, 0, None], pd.array([1, 0, None], dtype="Int64"), [1.0, 0.0, float("nan")]):
        votes = read_votes(pd.DataFrame({"A": values, "B": [1, 1, 0]}))
        assert dict(votes.counts) == {("1", "1"): 1, ("0", "1"): 1, (None, "0"): 1}


def test_every_engine_takes_whole_numbers_and_truth_values_by_their_texts(engine):
    votes = read_votes(engine({"A": [True, False], "B": [1, 0]}), judges=["A", "B"])
    assert dict(votes.counts) == {("True", "1"): 1, ("False", "0"): 1}


@pytest.mark.parametrize("name", ["count", "count_", "len", "literal", "A b,'\"c"])
def test_a_column_may_be_named_like_anything_used_inside(engine, name):
    assert read_votes(engine({name: ["a", "b"], "B": ["a", "a"]})).judges == (name, "B")


@pytest.mark.parametrize(
    ("frame", "options"),
    [
        (5, {}),
        (DATA, {}),
        (pd.Series(["a"]), {}),
        (pd.DataFrame([["a", "b"]], columns=["A", "A"]), {}),
        (pd.DataFrame([["a", "b"]]), {}),
        (pl.DataFrame({"A": [["a"], ["b"]]}), {}),
        (pl.DataFrame(DATA), {"labels": ["a", "c"]}),
        (pl.DataFrame(DATA), {"judges": ["C"]}),
        (pl.DataFrame(DATA), {"truth": "no_such_file"}),
    ],
)
def test_bad_frames_are_refused(frame, options):
    with pytest.raises(BadDecisions):
        read_votes(frame, **options)


def test_without_narwhals_the_extra_to_install_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(MissingExtra, match=r"\.\[frames\]' in a clone"):
        read_votes(pl.DataFrame(DATA))


def test_a_lazy_frame_brings_only_the_distinct_patterns_to_python(monkeypatch):
    collected = []
    collect = pl.LazyFrame.collect

    def spy(self, *args, **kwargs):
        result = collect(self, *args, **kwargs)
        collected.append(result.shape)
        return result

    monkeypatch.setattr(pl.LazyFrame, "collect", spy)
    frame = pl.LazyFrame({"A": list("ab") * 5000, "B": list("aabb") * 2500, "note": list("x" * 10_000)})
    assert read_votes(frame, judges=["A", "B"]).size == 10_000
    assert collected == [(4, 3)]


def test_pyspark_frames_are_counted_by_spark():
    pyspark = pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    session = (
        pyspark.sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    )
    try:
        frame = session.createDataFrame(ROWS, ["A", "B"])
        assert read_votes(frame) == count_rows(ROWS, judges=["A", "B"])
    finally:
        session.stop()
