"""Files of vectors: a column for each label, one perhaps for the truth; errors tell line and column."""

import io
import random

import pytest

from ntqr_exact.columns.whole_numbers import power_multiples
from ntqr_exact.confidence.atc import atc
from ntqr_exact.confidence.probability_vector import (
    ProbabilityVector,
    VectorTable,
    read_vectors,
    table_of_decimals,
)
from ntqr_exact.errors import BadDecisions, BadSamples
from ntqr_exact.metrics import score_file


def read(text, **options):
    return read_vectors(io.StringIO(text), **options)


def test_columns_are_labels_and_the_truth_is_looked_up():
    found = read("truth,a,b\nb,0.25,3/4\n\na,1,0\n", truth="truth")
    assert found.names == ("a", "b")
    assert found.vectors == (ProbabilityVector((1, 3), 4), ProbabilityVector((1, 0), 1))
    assert found.labels == (1, 0)
    assert read("a,b\n1/2,1/2\n", truth="truth").labels is None
    assert read("a;b\n1/2;1/2\n", delimiter=";").vectors == (ProbabilityVector((1, 1), 2),)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("a,b\n0.5,0.6\n", {}, "row 1: .*sum to 1"),
        ("a,b\n0.5,0.5\n-1,2\n", {}, "row 2: .*negative"),
        ("a,b\n0.5,x\n", {}, "line 2, column 'b': number must be"),
        ("a,b\n0.5\n", {}, "line 2: .*2 cells"),
        ("a,a\n0.5,0.5\n", {}, "line 1: .*different names"),
        ("a,truth\n1,a\n", {"truth": "truth"}, "two labels or more"),
        ("a,b,truth\n1,0,c\n", {"truth": "truth"}, "column 'truth'.*row 1 must have one of a, b"),
        ("a,b\n", {}, "at least one vector"),
        ("", {}, "empty"),
        ("a,b\n0,0\n", {"normalise": True}, "row 1: .*positive"),
        ('a,b\n"1,0\n', {}, "proper CSV"),
        ("a,b\n1,0\n", {"delimiter": "ab"}, "one character"),
    ],
)
def test_errors_name_their_place(text, options, words):
    with pytest.raises(BadDecisions, match=words):
        read(text, **options)


@pytest.mark.parametrize(
    ("digits", "extra"), [(4, "1,0,0"), (17, "1,0,0"), (17, "1e-25,0.5,0.25"), (17, "1e-400,1,0")]
)
def test_a_large_file_is_a_table_with_the_same_vectors(tmp_path, monkeypatch, digits, extra):
    generator = random.Random(digits)
    rows = [sorted(generator.randrange(10**digits) for _ in range(2)) for _ in range(300)]
    shares = [(low, high - low, 10**digits - high) for low, high in rows]
    path, normalise = tmp_path / "vectors.csv", extra != "1,0,0"
    cells = [[f"0.{n:0{digits}d}" for n in row] for row in shares]
    path.write_text("a,b,c,truth\n" + "".join(f"{','.join(row)},b\n" for row in cells) + f"{extra},c\n")
    plain = read_vectors(path, truth="truth", normalise=normalise)
    monkeypatch.setattr(score_file, "_MIN_ROWS_OF_ARRAYS", 1)
    found = read_vectors(path, truth="truth", normalise=normalise)
    assert isinstance(found.vectors, VectorTable)
    assert tuple(found.vectors) == plain.vectors
    assert found.labels == plain.labels == (*[1] * 300, 2)
    for score in ("max", "entropy"):
        estimate = atc(found.vectors, found.vectors, labels=found.labels, score=score)
        assert estimate == atc(plain.vectors, plain.vectors, labels=plain.labels, score=score)
    path.write_text("a,b\n" + "0.5,0.5\n" * 60 + "0.5,0.6\n")
    with pytest.raises(BadDecisions, match="row 61"):
        read_vectors(path)


def test_sums_of_long_decimals_do_not_overflow():
    nines = power_multiples([10**18 - 1], [-18], 10)
    assert list(table_of_decimals([nines] * 10, normalise=True)) == [ProbabilityVector((1,) * 10, 10)]
    # The units of these numbers sum to 10^18 modulo 2^64 only.
    last = (2**64 + 10**18) - 18 * (10**18 - 1)
    short = power_multiples([last], [-18], 10)
    with pytest.raises(BadSamples):
        table_of_decimals([nines] * 18 + [short])
