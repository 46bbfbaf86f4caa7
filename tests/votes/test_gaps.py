"""Evaluators on small votes with gaps, against the lists of answers and all answer keys."""

import inspect
import itertools
import math
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

import ntqr_exact as nx
from ntqr_exact import agreement, count_rows, solve_agreement, solve_independent
from ntqr_exact.answer import Answer
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.study import answers_study

JUDGES = range(3)
PAIRS = [*itertools.combinations(JUDGES, 2)]


def draw(seed, most=9, kinds=(2, 3)):
    """Return the labels, and the questions with at least one answer."""
    rng = random.Random(seed)
    labels = ("a", "b", "c")[: rng.choice(kinds)]
    rows = [tuple(rng.choice((None, *labels)) for _ in JUDGES) for _ in range(rng.randint(3, most))]
    return labels, [row if any(row) else (rng.choice(labels), *row[1:]) for row in rows]


PAGE = Path(__file__).parents[2].joinpath("docs", "votes.md").read_text(encoding="utf-8")
RULES = PAGE.partition("What each evaluator does with gaps")[2].partition("**An abstention**")[0]
ROUTINES = [name for name in nx.__all__ if inspect.isroutine(getattr(nx, name))]
FIRST = {name: str(inspect.signature(getattr(nx, name))).partition(",")[0] for name in ROUTINES}
EVALUATORS = [name for name, argument in FIRST.items() if re.search("Votes|PartialKey", argument)]


@pytest.mark.parametrize("name", [*EVALUATORS, "ConsistentSet", "SafeRegion", "PartialKey"])
def test_every_evaluator_says_what_it_does_with_gaps_in_its_docstring_and_on_the_page(name):
    assert re.search(r"\bgaps?\b|answered", getattr(nx, name).__doc__)
    assert re.search(rf"^\|.*`{name}`.*\| \w", RULES, re.MULTILINE)


@pytest.mark.parametrize(
    "evaluate",
    [
        solve_independent,
        solve_agreement,
        nx.least_dependence,
        nx.tetrad_bound,
        lambda votes: nx.evaluate_within(votes, "1/10"),
        lambda votes: nx.breakdown_point(votes, "J1 > J2"),
    ],
)
def test_only_questions_that_all_answered_count(evaluate):
    for seed in range(6):
        _, rows = draw(seed, most=30, kinds=(2,))
        votes, whole = (count_rows(some, labels=["a", "b"]) for some in (rows, filter(all, rows)))
        both = [evaluate(each).to_document() for each in (votes, whole)] if whole.size else [{}]
        assert {name for name in both[0] if both[0][name] != both[1][name]} <= {"note", "notes"}


@pytest.mark.parametrize("seed", range(60))
def test_three_judges_are_solved_on_the_questions_that_all_answered(seed):
    labels, rows = draw(seed, most=8, kinds=(2,))
    rows.append(("a", "b", "b"))
    votes, common = count_rows(rows), [row for row in rows if all(row)]
    independent, agreeing = solve_independent(votes), solve_agreement(votes)
    assert independent.votes == agreeing.votes == count_rows(common, labels=labels)
    exists = multiplies = False
    for key in itertools.product(labels, repeat=len(common)):
        right = [[x == true for x in row] for row, true in zip(common, key, strict=True)]
        parts = [[r for r, true in zip(right, key, strict=True) if true == label] for label in labels]
        groups = [*PAIRS, (0, 1, 2)]
        exists |= not any(central(part, group) for part in parts for group in groups)
        multiplies |= not any(central(right, pair) for pair in PAIRS)
    if independent.existence is not Answer.UNDECIDED:
        assert (independent.existence is Answer.YES) == exists
    assert not (agreeing.alarms and multiplies)


def central(rows, group):
    """Return the sum of the products of deviations of some columns."""
    means = [Fraction(sum(row[j] for row in rows), max(1, len(rows))) for j in group]
    return sum(math.prod(row[j] - mean for j, mean in zip(group, means, strict=True)) for row in rows)


@pytest.mark.parametrize("seed", range(60))
def test_coefficients_follow_their_definitions(seed, monkeypatch):
    labels, rows = draw(seed)
    votes, given = count_rows(rows, labels=labels), [[x for x in row if x] for row in rows]
    several = [each for each in given if len(each) > 1]
    pooled = sorted(x for each in several for x in each)
    # Krippendorff: pairs of answers to one question that differ, each question weighted by 1/(answers − 1).
    apart = sum(Fraction(x != y, len(g) - 1) for g in several for x, y in itertools.permutations(g, 2))
    by_chance = sum(x != y for x, y in itertools.permutations(pooled, 2))
    alpha = 1 - (len(pooled) - 1) * apart / by_chance if by_chance else agreement(votes)
    assert agreement(votes) == alpha
    assert by_chance or isinstance(alpha, Undefined)
    if several and len({*map(len, given)}) == 1:
        observed = sum(
            Fraction(sum(x == y for x, y in itertools.permutations(g, 2)), len(g) * (len(g) - 1))
            for g in given
        ) / len(given)
        expected = sum(Fraction(pooled.count(label), len(pooled)) ** 2 for label in labels)
        assert expected == 1 or agreement(votes, "fleiss") == (observed - expected) / (1 - expected)
    monkeypatch.setattr(answers_study, "_MAX_GROUPS", 1)
    common = [votes.common(pair).size for pair in PAIRS]
    chances = answers_study.study_chance(votes).coefficients
    kept = {one.judges for one in chances if len(one.judges) == 2}
    assert [votes.common(*pair).size for pair in kept] in ([], [max(common)])
