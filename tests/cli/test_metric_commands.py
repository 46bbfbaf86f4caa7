"""`metrics`, `significance` and `atc` print what the library computes and refuse bad input."""

import pytest
from gmpy2 import mpq

from ntqr_exact import bootstrap_area

SCORES = "y,s,T,w\n1,0.9,B,1\n0,0.9,B,1/2\n1,0.1,R,2\n0,0.3,R,1\n"
SOURCE = "a,b,c,truth\n0.5,0.3,0.2,a\n0.9,0.05,0.05,a\n0.4,0.4,0.2,b\n0.1,0.2,0.7,c\n"
TARGET = "a,b,c\n0.5,0.25,0.25\n0.8,0.1,0.1\n0.35,0.35,0.3\n"
MODELS = ["significance", "--control", "108/23679", "--treatment", "56/23679"]
RATES = ["--precision", "0.8897", "--false-omission", "0.22769"]


@pytest.fixture
def scores(file):
    return ("metrics", file(SCORES, "scores.csv"), "--label", "y", "--score", "s")


@pytest.fixture
def pair(file):
    return ("atc", file(SOURCE, "source.csv"), file(TARGET, "target.csv"))


def test_metrics_prints_the_areas_of_four_samples(run, document, scores):
    out = run(*scores)[1]
    assert "4 samples at 3 different scores" in out
    assert "roc_auc: 3/8 = 0.375" in out
    result = document(*scores, "--query", "maximum recall @ fpr <= 0.5")
    assert result["cells"] == {"tp": "1", "fp": "1", "fn": "1", "tn": "1"}
    assert (result["roc_auc"], result["at_threshold"]["precision"]) == ("3/8", "1/2")
    assert result["queries"] == [
        {"query": "maximum recall @ fpr <= 1/2", "threshold": "9/10", "value": "1/2", "condition": "1/2"}
    ]


def test_metrics_takes_weights_strata_rates_and_rules(document, scores):
    assert document(*scores, "--weight", "w")["at_threshold"]["precision"] == "2/3"
    strata = document(*scores, "--stratum", "T", "--population", "B=10,R=100")
    assert (strata["strata"]["samples"]["R"], strata["strata"]["weights"]["R"]) == (2, "20/11")
    assert strata["at_threshold"]["recall"] == "1/11"
    above = document(*scores, "--threshold", "0.91")
    assert above["at_threshold"]["precision"] == {"undefined": "no sample is predicted to be positive"}
    assert document(*scores, "--population-rate", "0.1")["at_threshold"]["precision"] == "1/10"
    assert document(*scores, "--positive", "0")["roc_auc"] == "5/8"
    areas = [mpq(strata[f"pr_auc_{anchor}"]) for anchor in ("none", "first", "one")]
    assert areas[0] < areas[1] < areas[2]


def test_many_scores_have_areas_with_proven_digits(document, file):
    path = file("y,s\n" + "".join(f"{n % 3 == 0:d},{n - 700}\n" for n in range(1500)))
    area = document("metrics", path, "--label", "y", "--score", "s")["average_precision"]
    assert mpq(area["lower"]) < mpq(area["upper"]) < mpq(area["lower"]) + mpq(1, 10**20)
    assert len(area["decimal"]) == 22


def test_areas_are_bootstrapped_with_their_weights(document, scores):
    result = document(*scores, "--weight", "w", "--resamples", "50", "--seed", "4")["intervals"]
    columns = [[1, 0, 1, 0], ["0.9", "0.9", "0.1", "0.3"], [1, "1/2", 2, 1]]
    for area in ("average_precision", "roc_auc"):
        drawn = bootstrap_area(*columns, area=area, resamples=50, seed=4).interval()
        assert (result[area]["lower"], result[area]["upper"]) == (str(drawn.lower), str(drawn.upper))


@pytest.mark.parametrize(
    "words",
    [
        "--label z",
        "--score T",
        "--label s",
        "--label T",
        '--query "best recall"',
        "--population-rate 1.2",
        "--stratum T",
        "--population B=1",
        "--stratum T --population B=1,R=9",
        "--stratum T --population B=9",
        "--stratum T --population B",
        "--stratum T --population B=9,R=9 --weight w",
    ],
)
def test_bad_scores_are_one_line(refused, scores, words):
    refused(*scores, *words.split(" "))


@pytest.mark.slow
def test_significance_decides_under_every_reading(run, document):
    out = run(*MODELS, *RATES)[1]
    assert "control: 108 of 23679 observed positive" in out
    assert "The readings differ" in out
    result = document(*MODELS, *RATES)
    assert result["control"]["real_rate"] == "20233217/87700000"
    plain = result["readings"][3]
    assert (plain["reading"], plain["difference"]) == ("deterministic", "-52/23679")
    assert (plain["decision"], plain["smallest_size"]) == ("the treatment is lower", 10973)
    level = document(*MODELS, *RATES, "--level", "0.95")["critical"]
    assert (level["level"], level["decimal"]) == ("19/20", "1.959963984540054")
    assert document(*MODELS, *RATES, "--both", "20")["joint"][1][1] == 20


@pytest.mark.parametrize(
    "words",
    [
        [*MODELS, "--control", "3/2", *RATES],
        [*MODELS, "--control", "0.5", *RATES],
        [*MODELS, "--precision", "1.1", "--false-omission", "0"],
        [*MODELS, "--precision", "1"],
        [*MODELS, *RATES, "--z", "0"],
        [*MODELS, *RATES, "--z", "2", "--level", "0.9"],
        [*MODELS[:3], *RATES],
    ],
)
def test_bad_models_are_one_line(refused, words):
    refused(*words)


def test_atc_estimates_the_error(run, document, pair):
    assert "below it, which estimates the error: 1/3 ≈ 0.333333" in run(*pair)[1]
    result = document(*pair, "--resamples", "20")
    assert result["source"] == {"size": 4, "gamma": "1/4", "share": "1/4"}
    assert result["threshold"] == {"vector": ["1/2", "3/10", "1/5"], "value": "1/2"}
    assert result["interval"]["method"] == "percentile"
    surd = {"rational": "0", "coefficient": "1/10", "radicand": "38"}
    assert document(*pair, "--score", "l2")["threshold"]["value"] == surd
    assert "error: 1/2 = 0.5" in run(*pair, "--error", "1/2")[1]
    assert document(*pair[:2], pair[1])["target"]["real_error"] == "1/4"


def test_bad_confidences_are_one_line(run, refused, file, pair):
    command, source, target = pair
    refused(command, source, "none.csv")
    refused(command, target, target)
    for more in (["--error", "2"], ["--score", "best"], ["--resamples", "5", "--level", "2"]):
        refused(*pair, *more)
    refused(command, source, file("a,b\n1,0\n", "two.csv"))
    uneven = file("a,b,c\n0.3,0.3,0.3\n", "uneven.csv")
    assert "uneven.csv" in refused(command, source, uneven)
    assert run(command, source, uneven, "--normalise")[0] == 0
