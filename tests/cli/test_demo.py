"""`ntqr-exact demo`: the exact numbers of the votes that ship."""

import json

from ntqr_exact import example

WORDS = [
    "The test: three classifiers on 1000 items of the two-norm data set",
    "Source: Corrada-Emmanuel 2023, section 5.2, tables 2 and 3.",
    "1000 questions, 3 judges (1, 2, 3), labels a, b.",
    "a, a, a    181  181/1000 = 0.181",
    "b, b, b    233  233/1000 = 0.233",
    "  1      472  528    59/125 = 0.472    66/125 = 0.528",
    "  2, 3     123/200 = 0.615",
    "  1, 2     6381/125000 = 0.051048",
    "  1, 3       831/15625 = 0.053184",
    "  2, 3    27951/500000 = 0.055902",
    "  1, 2, 3  -883439/125000000 ≈ -0.007068",
    "Share of questions on which all judges agree: 207/500 = 0.414.",
    "The answer key is known: 400 of a, 600 of b.",
    "judge 1 right on a    297/400 = 0.7425  357/443 ≈ 0.805869   ≈ 0.764477",
    "ALARM, irrational: the discriminant A is not the square of a rational",
    "Right answers, if the key has 362 of a, 638 of b:",
    "Error correlations that pairs of judges can have with it:",
    "error rate of judge 1: (575 - √65182)/1150 ≈ 0.277993",
    "every trio: no alarm: all judges could be safe if 0 to 905 of the 1000 questions are a",
]


def test_the_demo_tells_the_exact_numbers(run):
    code, out, err = run("demo")
    assert (code, err) == (0, "")
    assert [words for words in WORDS if words not in out] == []


def test_the_demo_as_json_has_the_exact_numbers(run):
    code, out, err = run("demo", "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["example"] == "two-norm"
    assert document["votes"] == example("two-norm").votes.to_document()
    assert document["key_counts"] == {"a": 400, "b": 600}
    assert document["response_rates"]["1"] == {"a": "59/125", "b": "66/125"}
    assert document["agreement_of_all"] == "207/500"
    assert document["evaluations"]["nearest"]["key_counts"] == {"a": 362, "b": 638}
    assert [verdict["misaligned"] for verdict in document["misalignment"]] == [False] * 3
