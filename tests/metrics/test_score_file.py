"""Score files: columns, classes, exact decimals, and errors that name the place."""

import gzip
import io
import random

import pytest
from gmpy2 import mpq

from ntqr_exact.columns.whole_numbers import Multiples, power_multiples
from ntqr_exact.errors import BadDecisions
from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics import score_file
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.score_file import read_scores
from ntqr_exact.metrics.weights import exact_weights


def read(text, **options):
    return read_scores(io.StringIO(text), label="y", score="s", **options)


def test_columns_are_found_by_name_and_decimals_are_exact():
    samples = read("T,s,w,y\nB,0.1,1/3, true \nrest,1e-1,2,false\n\n", weight="w", stratum="T")
    assert samples.scores == [mpq(1, 10), mpq(1, 10)]
    assert samples.weights == [mpq(1, 3), mpq(2)]
    assert samples.strata == ["B", "rest"]
    assert samples.labels == ["true", "false"]
    assert samples.classes == ("false", "true")


@pytest.mark.parametrize(
    ("labels", "positive", "classes"),
    [
        (("0", "1"), None, ("0", "1")),
        (("1", "-1"), None, ("-1", "1")),
        (("No", "YES"), None, ("No", "YES")),
        (("1", "1"), None, ("0", "1")),
        (("ham", "spam"), "spam", ("ham", "spam")),
        (("0", "1"), "0", ("1", "0")),
        (("x", "x"), "x", ("not x", "x")),
    ],
)
def test_the_positive_label_is_known_or_named(labels, positive, classes):
    assert read(f"y,s\n{labels[0]},1\n{labels[1]},2\n", positive=positive).classes == classes


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        ("", {}, "line 1: .*empty"),
        ("y,x\n1,2\n", {}, "a column must be one of 'y', 'x'"),
        ("y,y,s\n1,1,2\n", {}, "different names"),
        ("y,s\n", {}, "at least one sample"),
        ("y,s\n1,0.5\n0,x\n", {}, "line 3, column 's': number must be"),
        ("y,s\n1,nan\n", {}, "line 2, column 's'"),
        ("y,s\n1\n", {}, "line 2: .*2 cells"),
        ("y,s\n ,1\n", {}, "line 2, column 'y': a cell must not be empty"),
        ("y,s\na,1\nb,2\nc,3\n", {}, "two labels, not 3"),
        ("y,s\na,1\nb,2\n", {}, "one be named as positive"),
        ("y,s\n1,1\n0,2\n", {"positive": "2"}, "one of '0', '1'"),
        ('y,s\n"1,1\n', {}, "proper CSV"),
        ("y,s\n1,1\n", {"delimiter": ";;"}, "one character"),
    ],
)
def test_errors_name_line_and_column(text, options, complaint):
    with pytest.raises(BadDecisions, match=complaint):
        read(text, **options)


def test_files_are_read_with_or_without_a_mark_and_refused_when_missing_or_binary(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(b"\xef\xbb\xbfy;s\r\n1;0.5\r\n0;0.25\r\n")
    assert read_scores(path, label="y", score="s", delimiter=";").scores == [mpq(1, 2), mpq(1, 4)]
    with pytest.raises(BadDecisions):
        read_scores(tmp_path / "missing.csv", label="y", score="s")
    path.write_bytes(b"y,s\n1,\xff\n")
    with pytest.raises(BadDecisions):
        read_scores(path, label="y", score="s")


CELLS = {
    "y": ["1", "0", " 1", "0 ", '"1"', '"0"', "", '"a ""b"""', "ü", '1"', "0" * 70],
    "s": [
        *("0.5", ".25", "-3", "+7.", "1e-5", "2E+3", '"0.75"', " 0.5 ", "000.10", "12345678901234567.8"),
        *("1234567890123456789012", "100000000000000000000000", "0.100000000000000000000000", "-0", "1e-300"),
        *("1/3", "", "x", "1e", "1e5.", "1e+", "--1", "1.2.3", ".", "+", "1_0", "1e99999", "٣", "0x10"),
        *('"1\n2"', '"1\n"', "1e999", "9223372036854775808", "-9223372036854775808"),
    ],
    "note": ["", "a", '"a,b"', '"a\nb"', '"a ""x"" b"', 'a"b', "é", '"a\r\nb"', '""', '"x"y'],
}


def outcome(path, **options):
    try:
        found = read_scores(path, label="y", score="s", positive="1", **options)
    except BadDecisions as error:
        return str(error)
    return found.labels, list(found.scores), found.strata, found.classes


def test_hostile_tables_are_read_as_cell_by_cell(tmp_path, monkeypatch):
    path, read = tmp_path / "table.csv", 0
    monkeypatch.setattr(score_file, "_BLOCK", 4)
    monkeypatch.setattr(score_file, "_MIN_ROWS_OF_ARRAYS", 8)
    for seed in range(300):
        generator = random.Random(seed)
        usual = generator.choice([2, 5, 6])
        # Most cells are plain, so that both ways of reading are taken, and errors come late.
        lines = [
            ",".join(
                generator.choice(cells[:usual] if generator.random() < 0.97 else cells)
                for cells in CELLS.values()
            )
            for _ in range(generator.randrange(40))
        ]
        text = "y,s,note\n" + generator.choice(["\n", "\r\n", "\r"]).join(lines)
        path.write_bytes(text.encode())
        options = generator.choice([{}, {}, {"stratum": "note"}]) | {"delimiter": ",", "header": True}
        found = outcome(path, **options)
        with monkeypatch.context() as patch:
            patch.setattr(score_file, "_decimals", lambda _: None)
            assert found == outcome(path, **options), text
        read += not isinstance(found, str)
    assert read > 40


@pytest.mark.parametrize("powers", [(0, 0), (-3, 2), (-18, 0), (-300, 20)])
def test_decimals_rank_and_weigh_as_their_rationals(powers):
    generator = random.Random(powers[0])
    pairs = [
        (generator.randint(-1, 1) * generator.randrange(10 ** generator.randint(1, 18)), power)
        for power in (generator.randint(*powers) for _ in range(60))
    ]
    pairs += [(5, 0), (50, -1), (0, 3), (-5, 0), (-50, -1)]  # ties across powers
    column = power_multiples(*zip(*pairs, strict=True), 10)
    exact = [number * mpq(10) ** power for number, power in pairs]
    assert list(column) == [column[place] for place in range(len(column))] == exact
    labels, weights = [place % 3 == 0 for place in range(65)], [place % 4 for place in range(65)]
    assert rank(labels, column, weights) == rank(labels, exact, weights)
    positive = power_multiples(*zip(*((abs(number), power) for number, power in pairs), strict=True), 10)
    assert list(exact_weights(positive, 65)) == list(map(abs, exact))


def test_a_large_file_holds_multiples_and_a_damaged_one_is_refused(tmp_path):
    path = tmp_path / "large.csv.gz"
    packed = gzip.compress(b"y,s\r\n" + b"1,0.5\r\n0,1e-5\r\n" * 20_000)
    path.write_bytes(packed)
    samples = read_scores(path, label="y", score="s")
    assert isinstance(samples.scores, Multiples)
    assert (len(samples.scores), samples.scores[1]) == (40_000, rational("1e-5"))
    for size in (len(packed) // 2, 30):
        path.write_bytes(packed[:size])
        with pytest.raises(BadDecisions):
            read_scores(path, label="y", score="s")
