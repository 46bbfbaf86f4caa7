"""Counting frames of every engine: the same votes from all, counted by the engine itself."""

import shutil
import sys

import dask
import dask.dataframe as dd
import duckdb
import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ntqr_exact import LabeledVoteCounts, VoteCounts, count_frame, count_rows
from ntqr_exact.errors import BadDecisions, BadVotes, DecisionsNote, DecisionsWarning, MissingExtra

DATA = {"A": list("aabab"), "k": list("abbab"), "B": list("abbbb")}
ROWS = list(zip(DATA["A"], DATA["B"], strict=True))


def _duckdb_relation(data):
    return duckdb.connect().from_arrow(pa.table(data))


def _dask(data):
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
    with dask.config.set(scheduler="synchronous"):
        yield ENGINES[request.param]


def columns(frame, *names):
    """Return some columns of a frame of any engine."""
    return nw.from_native(frame).select(*names).to_native()


def test_every_engine_gives_the_votes_of_the_rows(engine):
    frame = engine(DATA)
    assert count_frame(frame, judges=["A", "B"]) == count_rows(ROWS, judges=["A", "B"])
    assert count_frame(frame, judges=["B"]) == count_rows(DATA["B"], judges=["B"], labels=["a", "b"])
    assert count_frame(frame).judges == ("A", "k", "B")
    assert count_frame(columns(frame, "A", "B")) == count_rows(ROWS, judges=["A", "B"])


def test_every_engine_takes_a_truth_column(engine):
    expected = count_rows(ROWS, judges=["A", "B"], truth=DATA["k"])
    assert count_frame(engine(DATA), truth="k") == expected
    assert count_frame(engine(DATA), truth="k", judges=["B", "A"]) == expected.reordered("B", "A")
    assert isinstance(expected, LabeledVoteCounts)


def test_every_engine_takes_named_labels(engine):
    assert count_frame(engine(DATA), labels=["b", "c", "a"]).labels == ("b", "c", "a")
    with pytest.raises(BadDecisions, match=r"column '.+': 'b': the labels are 'a', 'c'"):
        count_frame(engine(DATA), labels=["a", "c"])
    with pytest.raises(BadVotes, match="at least two labels"):
        count_frame(engine(DATA), labels=["a"])


@pytest.mark.parametrize("bad", ["A", "B"])
def test_every_engine_refuses_a_missing_value_and_names_its_column(engine, bad):
    data = {"A": list("aabab"), "B": list("abbbb")}
    data[bad][3] = None
    with pytest.raises(BadDecisions, match="this cell is empty") as caught:
        count_frame(engine(data))
    assert caught.value.column == bad


def test_every_engine_has_the_checks_and_choices_of_a_csv(engine):
    data = {"A": ["a", None, "b", "b"], "B": ["b", "b", "", "b"]}
    with pytest.raises(BadDecisions, match="2 answers of 8 missing: 'A' 1, 'B' 1, on 2 of 4 questions"):
        count_frame(engine(data))
    with pytest.warns(DecisionsNote, match="missing on 2 of 4 questions; these questions are left out"):
        assert count_frame(engine(data), missing="drop") == count_rows(["ab", "bb"], judges=["A", "B"])
    with pytest.warns(DecisionsNote, match="these answers are '-' now"):
        assert count_frame(engine(data), missing="label:-").counts["b-"] == 1
    with pytest.warns(DecisionsWarning, match="'Pass' .* and 'pass' .* differ only in case"):
        count_frame(engine({"A": ["pass", "Pass"], "B": ["pass", "fail"]}))
    with pytest.warns(DecisionsWarning, match="column 'truth' looks like an answer key"):
        count_frame(engine({"A": ["a", "b"], "truth": ["a", "b"]}))
    with pytest.raises(BadDecisions, match="column 'B': 'b ': this label has blanks around it"):
        count_frame(engine({"A": ["a", "b"], "B": ["b ", "a"]}))


def test_a_missing_value_in_a_column_that_is_not_counted_does_not_matter(engine):
    data = {**DATA, "note": ["x", None, "y", "", "z"]}
    assert count_frame(engine(data), judges=["A", "B"]) == count_rows(ROWS, judges=["A", "B"])


def test_every_engine_refuses_floats_and_names_their_column(engine):
    with pytest.raises(
        BadDecisions, match=r"a label is not a fraction|a label is a text, not float"
    ) as caught:
        count_frame(engine({"A": ["a", "b"], "B": [1.0, 2.5]}))
    assert caught.value.column == "B"


def test_every_engine_refuses_an_empty_text_and_names_its_column(engine):
    with pytest.raises(BadDecisions, match="this cell is empty") as caught:
        count_frame(engine({"A": ["a", "b"], "B": ["b", ""]}))
    assert caught.value.column == "B"


def test_every_engine_takes_whole_numbers_and_truth_values_by_their_texts(engine):
    votes = count_frame(engine({"A": [1, 0, 1], "B": [1, 10, 1]}))
    assert votes == VoteCounts({("1", "1"): 2, ("0", "10"): 1}, ["0", "1", "10"], ["A", "B"])
    votes = count_frame(engine({"A": [True, False, True]}))
    assert votes == VoteCounts({("True",): 2, ("False",): 1}, ["False", "True"], ["A"])


@pytest.mark.parametrize("name", ["count", "count_", "len", "count______", "index", "literal", "A b,'\"c"])
@pytest.mark.filterwarnings("ignore:column 'index' looks like")
def test_a_column_may_be_named_like_anything_used_inside(engine, name):
    votes = count_frame(engine({name: list("aab"), "B": list("aba")}))
    assert votes == count_rows(["aa", "ab", "ba"], judges=[name, "B"])


def test_an_unknown_column_is_refused_with_those_there_are(engine):
    for options in ({"judges": ["A", "C"]}, {"truth": "C"}):
        with pytest.raises(BadDecisions, match="there is no such column; the columns are 'A', 'k', 'B'"):
            count_frame(engine(DATA), **options)
    with pytest.raises(BadDecisions, match="the answer key cannot be a judge as well"):
        count_frame(engine(DATA), judges=["A", "k"], truth="k")
    with pytest.raises(BadVotes, match="as a list of texts"):
        count_frame(engine(DATA), judges="AB")


def test_an_empty_frame_needs_named_labels(engine):
    empty = engine({"A": ["x"], "B": ["y"]})
    empty = nw.from_native(empty).filter(nw.col("A") == "none").to_native()
    with pytest.raises(BadVotes, match="there is a header, and no question under it"):
        count_frame(empty)
    assert count_frame(empty, labels=["a", "b"]) == VoteCounts({}, judges=["A", "B"])


def test_categories_are_taken_and_unused_ones_are_not_labels():
    frame = pd.DataFrame({"A": pd.Categorical(["a", "b", "a"], ["z", "b", "a"]), "B": list("aab")})
    assert count_frame(frame) == count_rows(["aa", "ba", "ab"], judges=["A", "B"])
    assert count_frame(pl.from_pandas(frame)) == count_rows(["aa", "ba", "ab"], judges=["A", "B"])
    enum = pl.DataFrame({"A": ["a", "b"]}, schema={"A": pl.Enum(["a", "b", "z"])})
    assert count_frame(enum).labels == ("a", "b")
    dictionary = pa.table({"A": pa.array(["a", "b", "a"]).dictionary_encode()})
    assert count_frame(dictionary) == VoteCounts({"a": 2, "b": 1}, judges=["A"])


@pytest.mark.parametrize("dtype", ["string", "string[pyarrow]", "str", object, "category"])
def test_texts_of_pandas_of_every_kind_are_taken_and_their_missing_values_refused(dtype):
    frame = pd.DataFrame({"A": pd.Series(["a", "b", "a"], dtype=dtype)})
    assert count_frame(frame) == VoteCounts({"a": 2, "b": 1}, judges=["A"])
    frame = pd.DataFrame({"A": pd.Series(["a", None, "b"], dtype=dtype)})
    with pytest.raises(BadDecisions, match="this cell is empty") as caught:
        count_frame(frame)
    assert caught.value.column == "A"


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([1, None, 2], dtype="Int64"),
        pd.Series([True, None, False], dtype="boolean"),
        pd.Series(["a", float("nan"), "b"], dtype=object),
        pd.Series(["a", pd.NA, "b"], dtype=object),
        pd.Series(["a", pd.NaT, "b"], dtype=object),
        pd.Series([pd.NaT, pd.NaT], dtype="datetime64[ns]"),
    ],
)
def test_missing_values_of_pandas_of_every_kind_are_refused(values):
    with pytest.raises(BadDecisions, match="this cell is empty"):
        count_frame(pd.DataFrame({"A": values}))


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([b"x", b"y"]),
        pl.Series(["2020-01-01"]).str.to_date(),
        pl.Series([["a"], ["b"]]),
    ],
)
def test_values_that_are_no_labels_are_refused(values):
    with pytest.raises(BadDecisions, match=r"a label is a text, not (bytes|date|list)"):
        count_frame(pl.DataFrame({"A": values}))


def test_decimals_are_refused_as_fractions():
    with pytest.raises(BadDecisions, match="a label is not a fraction"):
        count_frame(pl.DataFrame({"A": ["1.5", "2"]}).select(pl.col("A").cast(pl.Decimal(4, 2))))


def test_labels_that_are_equal_as_texts_are_one_label():
    frame = pd.DataFrame({"A": pd.Series([1, "1", "2", 1], dtype=object)})
    assert count_frame(frame) == VoteCounts({"1": 3, "2": 1}, ["1", "2"], ["A"])


@pytest.mark.parametrize(
    ("dtype", "values", "labels"),
    [
        ("Int64", [1, 0, 1], ("0", "1")),
        ("UInt8", [1, 0, 1], ("0", "1")),
        ("int64[pyarrow]", [1, 0, 1], ("0", "1")),
        ("boolean", [True, False, True], ("False", "True")),
        ("bool[pyarrow]", [True, False, True], ("False", "True")),
    ],
)
def test_nullable_numbers_and_truth_values_of_pandas_are_taken_by_their_texts(dtype, values, labels):
    votes = count_frame(pd.DataFrame({"A": pd.Series(values, dtype=dtype)}))
    assert votes == VoteCounts({(labels[1],): 2, (labels[0],): 1}, labels, ["A"])


def test_names_of_columns_are_different_texts():
    with pytest.raises(BadDecisions, match="the name of a column is a text, not int"):
        count_frame(pd.DataFrame([["a", "b"], ["b", "b"]]))
    with pytest.raises(BadDecisions, match="'A': this column is named twice"):
        count_frame(pd.DataFrame([["a", "b"]], columns=["A", "A"]))


@pytest.mark.parametrize("frame", [None, 5, "A,B", [("a", "b")], DATA, pd.Series(["a"]), pl.Series(["a"])])
def test_what_is_no_frame_is_refused(frame):
    with pytest.raises(BadDecisions, match="this is not a frame that narwhals knows") as caught:
        count_frame(frame)
    assert caught.value.given == type(frame).__name__


def test_without_narwhals_the_extra_to_install_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(MissingExtra, match=r"\.\[frames\]' in a clone"):
        count_frame(pl.DataFrame(DATA))


def test_a_lazy_frame_brings_only_the_distinct_patterns_to_python(monkeypatch):
    collected = []
    collect = pl.LazyFrame.collect

    def spy(self, *args, **kwargs):
        result = collect(self, *args, **kwargs)
        collected.append(result.shape)
        return result

    monkeypatch.setattr(pl.LazyFrame, "collect", spy)
    frame = pl.LazyFrame({"A": list("ab") * 5000, "B": list("aabb") * 2500, "note": list("x" * 10_000)})
    assert count_frame(frame, judges=["A", "B"]).size == 10_000
    assert collected == [(4, 3)]


def test_a_dask_frame_computes_only_the_distinct_patterns(monkeypatch):
    computed = []
    compute = dd.DataFrame.compute

    def spy(self, *args, **kwargs):
        result = compute(self, *args, **kwargs)
        computed.append(len(result))
        return result

    monkeypatch.setattr(dd.DataFrame, "compute", spy)
    with dask.config.set(scheduler="synchronous"):
        votes = count_frame(_dask({"A": list("ab") * 500, "B": list("aabb") * 250}))
    assert votes.size == 1000
    assert max(computed) <= 4


def test_pyspark_frames_are_counted_by_spark():
    pyspark = pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    session = (
        pyspark.sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    )
    try:
        frame = session.createDataFrame(ROWS, ["A", "B"])
        assert count_frame(frame) == count_rows(ROWS, judges=["A", "B"])
        with pytest.raises(BadDecisions, match="this cell is empty"):
            count_frame(session.createDataFrame([("a", None), ("b", "a")], ["A", "B"]))
    finally:
        session.stop()
