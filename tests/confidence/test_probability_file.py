"""Files of vectors: a column for each label, one perhaps for the truth; errors tell line and column."""

import io

import pytest

from ntqr_exact.confidence.probability_file import read_vectors
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.errors import BadDecisions


def read(text, **options):
    return read_vectors(io.StringIO(text), **options)


def test_columns_are_labels_and_the_truth_is_looked_up():
    found = read("truth,a,b\nb,0.25,3/4\n\na,1,0\n", truth="truth")
    assert found.names == ("a", "b")
    assert found.vectors == (ProbabilityVector((1, 3), 4), ProbabilityVector((1, 0), 1))
    assert found.labels == (1, 0)
    assert read("a,b\n1/2,1/2\n", truth="truth").labels is None
    assert read("a;b\n1/2;1/2\n", delimiter=";").vectors == (ProbabilityVector((1, 1), 2),)


def test_rows_are_normalised_where_it_is_asked_for():
    assert read("a,b,c\n0.33,0.33,0.33\n", normalise=True).vectors == (ProbabilityVector.uniform(3),)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("a,b\n0.5,0.6\n", {}, "line 2: .*these to 11/10; normalise"),
        ("a,b\n0.5,0.5\n-1,2\n", {}, "line 3: .*negative"),
        ("a,b\n0.5,x\n", {}, "line 2, column 'b': 'x': not a number"),
        ("a,b\n0.5\n", {}, "line 2: .*2 cells"),
        ("a,a\n0.5,0.5\n", {}, "line 1: .*different names"),
        ("a,truth\n1,a\n", {"truth": "truth"}, "two labels"),
        ("a,b,truth\n1,0,c\n", {"truth": "truth"}, "line 2, column 'truth': 'c': the labels are a, b"),
        ("a,b\n", {}, "no vectors in this file"),
        ("", {}, "empty"),
        ("a,b\n0,0\n", {"normalise": True}, "line 2: .*shares of nothing"),
        ('a,b\n"1,0\n', {}, "proper CSV"),
        ("a,b\n1,0\n", {"delimiter": "ab"}, "one character"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text, options, words):
    with pytest.raises(BadDecisions, match=words):
        read(text, **options)


def test_files_on_disk(tmp_path):
    path = tmp_path / "vectors.csv"
    path.write_text("a,b\n" + "1/2,1/2\n" * 9000, encoding="utf-8-sig")
    seen = []
    assert len(read_vectors(path, progress=seen.append).vectors) == 9000
    assert seen == [8192]
    path.write_bytes(b"a,b\n\xff,1\n")
    with pytest.raises(BadDecisions, match="UTF-8"):
        read_vectors(path)
    with pytest.raises(BadDecisions, match="cannot be read"):
        read_vectors(tmp_path / "none.csv")
