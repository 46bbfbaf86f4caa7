"""How many judges must fail: against every answer key of small votes, with certificates, whole and tampered."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from fractions import Fraction

import pytest
from gmpy2 import mpq

from ntqr_exact import VoteCounts, check_failing_certificate, example, failing_curve, failing_judges
from ntqr_exact.alarms import failing_search
from ntqr_exact.alarms.failing_search import Panel
from ntqr_exact.errors import BadChoice, BadNumber, EmptyTest, NotVotes
from tests.alarms import every_key

SHAPES = ((2, 2, 6), (3, 2, 6), (4, 2, 6), (5, 2, 5), (6, 2, 4), (2, 3, 5), (3, 3, 4), (4, 3, 4))
LEVELS = ("0", "1/3", "1/2", "3/5", "2/3", "3/4", "4/5", "9/10")
MEASURES = ("every_label", "overall")


def drawn_case(seed: int) -> tuple[VoteCounts, str, str]:
    draw = random.Random(seed)
    judges, labels, questions = SHAPES[seed % len(SHAPES)]
    votes = every_key.drawn_votes(
        draw, judges=judges, labels=labels, questions=questions, gaps=bool(seed // 8 % 2)
    )
    return votes, draw.choice(LEVELS), MEASURES[seed % 2 if seed % 3 else 0]


def failing(key, votes: VoteCounts, level: str, measure: str) -> set[str]:
    found = set()
    for place, judge in enumerate(votes.judges):
        shares = [every_key.right_and_size(key, place, label) for label in votes.labels]
        if measure == "overall":  # a judge without answers is not right on more than a share of them
            passes = sum(right for right, _ in shares) > Fraction(level) * sum(size for _, size in shares)
        else:
            passes = all(not size or right > Fraction(level) * size for right, size in shares)
        if not passes:
            found.add(judge)
    return found


@pytest.mark.parametrize("start", range(0, 200, 40))
def test_no_key_has_fewer_failing_judges_than_proven_and_one_has_what_is_attained(start: int) -> None:
    for seed in range(start, start + 40):
        votes, level, measure = drawn_case(seed)
        every = [failing(key, votes, level, measure) for key in every_key.keys(votes)]
        least = min(map(len, every))
        found = failing_judges(votes, level, measure=measure)
        assert found.proven <= least <= found.attained
        assert found.is_exact
        always = set.intersection(*(judges for judges in every if len(judges) == least))
        assert set(found.must_fail) <= always
        assert check_failing_certificate(json.loads(found.to_json())) == []


def test_trusted_judges_pass_under_the_keys_that_count() -> None:
    named = always = 0
    for seed in range(80):
        votes, level, measure = drawn_case(seed)
        trusted = votes.judges[0]
        every = [failing(key, votes, level, measure) for key in every_key.keys(votes)]
        every = [judges for judges in every if trusted not in judges]
        if not every:
            with pytest.raises(BadChoice):
                failing_judges(votes, level, measure=measure, trust=[trusted])
            continue
        found = failing_judges(votes, level, measure=measure, trust=[trusted])
        assert found.proven == found.attained == min(map(len, every))
        assert trusted not in found.must_fail
        assert {*found.always_fail} <= set.intersection(*every)
        always += len(found.always_fail)
        assert check_failing_certificate(found.to_document()) == []
        named += len(found.must_fail)
    assert named > always > 0


def test_a_pair_has_one_threshold_and_the_curve_has_it_exactly() -> None:
    for seed in range(16):
        draw, labels = random.Random(seed), 2 + seed % 2
        votes = every_key.drawn_votes(draw, judges=2, labels=labels, questions=5, gaps=seed % 4 > 1)
        every = list(every_key.keys(votes))
        for measure in MEASURES:
            curve = failing_curve(votes, measure=measure)
            assert curve.is_exact
            for level in [Fraction(n, d) for d in range(1, 7) for n in range(d)]:
                least = min(len(failing(key, votes, str(level), measure)) for key in every)
                assert curve.proven(str(level)) == least


def tampered(document: dict, draw: random.Random) -> dict:
    changed = copy.deepcopy(document)
    kind = draw.randrange(6)
    if kind == 0:
        changed["proven"] += 1
    elif kind == 1:
        changed["attained"] -= 1
    elif kind == 2 and any(len(group["judges"]) + len(changed["labels"]) > 4 for group in changed["groups"]):
        # a pair of two labels is tried key by key if it is not listed
        changed["groups"] = [g for g in changed["groups"] if len(g["judges"]) + len(changed["labels"]) <= 4]
    elif kind == 3 and changed["groups"]:
        draw.choice(changed["groups"])["leaves"] = [{"where": [], "rows": []}]
    elif kind == 4 and changed["tree"].get("parts"):
        draw.choice(changed["tree"]["parts"])["failures"] += 1
        changed["proven"] += 1
    else:
        changed["key"][0] = [str(int(x) + 1) for x in changed["key"][0]]
    return changed


def test_tampered_certificates_are_refused() -> None:
    draw = random.Random(6)
    for seed in range(60):
        document = failing_judges(*drawn_case(seed)[:2]).to_document()
        for _ in range(4):
            changed = tampered(document, draw)
            assert check_failing_certificate(changed), changed


def test_the_checker_accepts_a_pair_only_if_no_key_lets_both_pass() -> None:
    draw, answers = random.Random(11), Counter()
    tree = {"parts": [{"kind": "clique", "judges": [0, 1], "failures": 1}]}
    for seed in range(50):
        votes = every_key.drawn_votes(draw, judges=2, labels=2, questions=6, gaps=seed % 3 == 0)
        every = list(every_key.keys(votes))
        for level, measure in ((level, measure) for level in LEVELS for measure in MEASURES):
            sets = [failing(key, votes, level, measure) for key in every]
            document = failing_judges(votes, level, measure=measure).to_document()
            claimed = document | {"proven": 1, "tree": tree, "must_fail": []}
            assert (check_failing_certificate(claimed) == []) == all(sets)
            answers[all(sets)] += 1
    assert min(answers.values()) > 100


def test_many_judges_are_counted_within_the_budget() -> None:
    draw = random.Random(7)
    rows = [tuple(draw.choice("ab") for _ in range(25)) for _ in range(60)]
    votes = VoteCounts(Counter(rows))
    found = failing_judges(votes, "4/5", budget=100_000)
    assert 15 < found.proven <= found.attained < 25
    assert check_failing_certificate(found.to_document()) == []
    assert found.proven >= failing_judges(votes, "2/3", budget=0).proven


def test_a_real_panel_is_counted_exactly_at_every_level() -> None:
    votes = example("medqa").votes
    for level, least in (("1/2", 0), ("2/3", 0), ("4/5", 2), ("9/10", 3)):
        found = failing_judges(votes, level)
        assert (found.proven, found.attained) == (least, least)
        assert check_failing_certificate(found.to_document()) == []


def test_the_staircase_of_many_judges_and_labels_takes_no_search_of_every_pair(monkeypatch) -> None:
    draw, searched = random.Random(3), []
    votes = VoteCounts(Counter(tuple(draw.choice("abc") for _ in range(12)) for _ in range(20)), tuple("abc"))
    monkeypatch.setattr(failing_search, "best_level", lambda *_, **__: searched.append(0))
    curve = failing_curve(votes)
    assert not searched
    assert not curve.is_exact
    for level in ("3/5", "3/4"):  # counts of right answers prove all that they prove overall
        assert curve.proven(level) == failing_curve(votes, measure="overall").proven(level) > 0


def test_counts_of_right_answers_prove_on_every_label_what_they_prove_overall() -> None:
    draw = random.Random(12)
    votes = VoteCounts(
        Counter(tuple(draw.choice("aabcd") for _ in range(9)) for _ in range(40)), tuple("abcd")
    )
    for level in ("1/4", "1/3", "1/2", "2/3"):
        found = failing_judges(votes, level, budget=0)
        assert found.proven >= failing_judges(votes, level, measure="overall", budget=0).proven
        assert check_failing_certificate(found.to_document()) == []


def test_judges_without_answers_have_a_curve_and_a_certificate() -> None:
    rows = {("a", "a", None, None, "c"): 1, (None, "a", None, None, "b"): 2, (None, "b", None, None, "c"): 1}
    for votes in (VoteCounts(rows, tuple("abc")), VoteCounts({("a", "b", None, None): 3}, tuple("ab"))):
        for measure, silent in (("every_label", 0), ("overall", 2)):
            assert failing_curve(votes, measure=measure).proven(0) >= silent
            found = failing_judges(votes, "3/5", measure=measure, trust=[1])
            assert found.proven == found.attained > silent
            assert check_failing_certificate(found.to_document()) == []


def test_a_pair_at_its_threshold_is_certified_however_large() -> None:
    draw = random.Random(9)
    for size in (30, 3000, 30_000):
        votes = VoteCounts({pattern: draw.randint(1, size) for pattern in ("aa", "ab", "ba", "bb")})
        ((level, _),) = failing_curve(votes).steps
        found = failing_judges(votes, level)
        assert (found.proven, found.attained) == (1, 1)
        document = found.to_document()
        assert check_failing_certificate(document) == []
        lower = document | {"level": str(level - Fraction(1, 10**6))}
        assert check_failing_certificate(lower)


VOTES = VoteCounts({"ab": 1, "ba": 1})


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: failing_judges(VOTES, 1), BadNumber),
        (lambda: failing_judges(VOTES, "-1/2"), BadNumber),
        (lambda: failing_judges(VOTES, "1/2", measure="some"), BadChoice),
        (lambda: failing_judges(VOTES, "1/2", trust=["J1", "J2"]), BadChoice),
        (lambda: failing_judges({"ab": 1}, "1/2"), NotVotes),
        (lambda: failing_curve(VoteCounts({}, judges=["A"])), EmptyTest),
    ],
)
def test_bad_input_is_refused(call, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("seed", range(12))
def test_the_answers_of_a_group_are_its_votes_with_gaps(seed: int) -> None:
    votes, _, _ = drawn_case(seed)
    panel = Panel(votes, mpq(1, 2), "every_label")
    group = random.Random(seed).sample(range(len(votes.judges)), 2)
    question = panel.question(group, merged=True)
    expected = Counter()
    for pattern, count in votes.counts.items():
        answers = tuple(None if pattern[j] is None else votes.labels.index(pattern[j]) for j in group)
        expected[answers] += count
    expected = {answers: count for answers, count in expected.items() if count}
    assert list(zip(question.patterns, question.counts, strict=True)) == list(expected.items())
