"""`ntqr-exact demo`: the exact numbers of the votes that ship."""

import json

from ntqr_exact import example, rational


def test_the_demo_tells_the_exact_numbers(run):
    code, out, err = run("demo")
    assert (code, err) == (0, "")
    for words in ("300 questions, 4 judges", "gpt-4o-mini", "0.817", "0.707", "√657031321", "≈ 0.764477"):
        assert words in out
    assert "ALARM" in out


def test_the_demo_as_json_has_the_exact_numbers(run):
    code, out, err = run("demo", "--json")
    assert (code, err) == (0, "")
    screen = json.loads(out)["medqa"]
    votes = example("medqa").votes
    assert screen["questions"] == votes.size == 300
    assert [one["judge"] for one in screen["judges"]] == list(votes.judges)
    assert [rational(one["by_key"]) for one in screen["judges"]] == [
        rational(share) for share in ("41/75", "53/75", "197/300", "9/20")
    ]
