"""`ntqr-exact significance`: all readings side by side, in words and as JSON."""

import json
import re

import pytest

from ntqr_exact.cli import main as frame
from ntqr_exact.exact.json_text import decode_number

BOLD = ["--control", "108/23679", "--treatment", "56/23679"]
RATES = ["--precision", "0.8897", "--false-omission", "0.22769"]


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setitem(frame.COMMANDS, "significance", "ntqr_exact.cli.significance:significance")

    def in_process(*arguments):
        code = frame.main(["significance", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return in_process


TABLE = """\
Treatment − control under each reading of the variance:
  reading          around    difference    variance                interval  decision                N for power 4/5
  estimated-rates  real       -0.001454  1.27705e-7  [-0.002154, -0.000753]  the treatment is lower            10973
  estimator        real       -0.001454  1.27705e-7  [-0.002154, -0.000753]  the treatment is lower            10973
  given-labels     real       -0.001454  1.48299e-5   [-0.009002, 0.006094]  no difference is shown                –
  deterministic    observed   -0.002196  2.91392e-7  [-0.003254, -0.001138]  the treatment is lower            10973
"""


def test_all_readings_stand_side_by_side_with_words(run):
    code, out, err = run(*BOLD, *RATES)
    assert (code, err) == (0, "")
    for words in (
        "control: 108 of 23679 observed positive, p^O = 4/877 ≈ 0.004561; really p^R ≈ 0.230709\n",
        "treatment: 56 of 23679 observed positive, p^O = 56/23679 ≈ 0.002365; really p^R ≈ 0.229256\n",
        "  precision π: 8897/10000 = 0.8897\n  false omission φ: 22769/100000 = 0.22769\n"
        "  δ = π − φ: 66201/100000 = 0.66201\n  samples: independent\n"
        "  critical value: z = 49/25 (a level of 0.950004)\n  ends of intervals: closed\n",
        "The readings differ:\n\n- the treatment is lower: estimated-rates, estimator, deterministic\n",
        "- given-labels: [N₊π(1−π) + N₋φ(1−φ)]/N²; the real share of just these outputs",
    ):
        assert words in out
    assert TABLE in out


def test_a_count_of_a_total_is_not_a_reduced_fraction(run):
    small = run("--control", "1/2", "--treatment", "0/2", *RATES)[1]
    large = run("--control", "500/1000", "--treatment", "0/1000", *RATES)[1]
    assert "1 of 2 observed positive" in small
    assert "500 of 1000 observed positive" in large
    for out, decided in ((small, "no difference is shown"), (large, "the treatment is lower")):
        assert re.search(rf"\n  deterministic .*{decided}", out)


def test_json_holds_exact_numbers(run):
    code, out, _ = run(*BOLD, *RATES, "--json")
    document = json.loads(out)
    assert code == 0
    assert document["control"] == {
        "positives": 108,
        "size": 23679,
        "observed_rate": "4/877",
        "real_rate": "20233217/87700000",
        "counts": {"negative": 23571, "positive": 108},
    }
    assert document["critical"]["z"] == "49/25"
    assert (document["paired"], document["both"], document["ends"]) == (False, None, "closed")
    plain = document["readings"][3]
    assert (plain["reading"], plain["difference"]) == ("deterministic", "-52/23679")
    lower, upper = map(decode_number, plain["interval"])
    assert [lower.decimal(9), upper.decimal(9)] == plain["decimals"]
    assert (plain["decision"], plain["smallest_size"]) == ("the treatment is lower", 10973)
    assert plain["size_is_exact"]
    assert document["words"].startswith("The readings differ:")


def test_a_level_means_the_true_quantile(run):
    assert (
        "z ≈ 1.959963985, the true quantile for the level 19/20" in run(*BOLD, *RATES, "--level", "0.95")[1]
    )
    document = json.loads(run(*BOLD, *RATES, "--level", "0.95", "--json")[1])
    assert (document["critical"]["level"], document["critical"]["decimal"]) == ("19/20", "1.959963984540054")
    assert "interval" not in document["readings"][0]


def test_z_ends_and_pairs_can_be_named(run):
    out = run(*BOLD, *RATES, "--z", "5/2", "--ends", "open", "--both", "20")[1]
    assert (
        "samples: paired\n  critical value: z = 5/2 (a level of 0.987581)\n  ends of intervals: open" in out
    )
    assert "(-0.00" in out
    assert json.loads(run(*BOLD, *RATES, "--both", "20", "--json")[1])["both"] == 20


def test_a_labelled_set_gives_rates_with_variances(run):
    document = json.loads(run(*BOLD, "--labelled", "500", "62", "80", "271", "--json")[1])
    assert document["metric"]["precision"] == "250/281"
    assert document["metric"]["precision_variance"] == "7750/44297121"
    by_reading = {reading["reading"]: reading["variance"] for reading in document["readings"]}
    assert by_reading["estimated-rates"] != by_reading["estimator"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--control", "1/1", "--treatment", "0/2", *RATES], "a variance needs at least 2 outputs"),
        (["--control", "3/2", "--treatment", "0/2", *RATES], "at most as many positives as outputs"),
        (["--control", "0/0", "--treatment", "0/2", *RATES], "a sample holds outputs"),
        (
            ["--control", "0.5", "--treatment", "0/2", *RATES],
            "is not a count of a total; write it like 108/23679",
        ),
        (["--control", "-1/2", "--treatment", "0/2", *RATES], "is not a count of a total"),
        ([*BOLD, "--precision", "1.1", "--false-omission", "0"], "a probability must lie between 0 and 1"),
        ([*BOLD, "--precision", "nan", "--false-omission", "0"], "not a number"),
        ([*BOLD, "--precision", "1"], "give --precision and --false-omission, or --labelled"),
        ([*BOLD, *RATES, "--labelled", "1", "2", "3", "4"], "leave --precision and --false-omission out"),
        ([*BOLD, "--labelled", "1", "0", "3", "4"], "at least 2 outputs observed as positive"),
        ([*BOLD, *RATES, "--level", "95"], "level must be strictly between 0 and 1"),
        ([*BOLD, *RATES, "--z", "0"], "critical must be > 0"),
        ([*BOLD, *RATES, "--z", "2", "--level", "0.9"], "two ways to give one value"),
        ([*BOLD, *RATES, "--both", "57"], "from 0 to 56 questions are positive in both"),
        ([*BOLD[:2], *RATES], "Missing option '--treatment'"),
    ],
)
def test_bad_input_is_one_line_on_stderr_and_exit_code_2(run, arguments, complaint):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1
