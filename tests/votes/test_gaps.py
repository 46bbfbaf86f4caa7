"""Evaluators on small votes with gaps, against the lists of answers and all answer keys."""

import itertools
import math
import random
from fractions import Fraction

import pytest

from ntqr_exact import agreement, count_rows, majority_vote, solve_agreement, solve_independent
from ntqr_exact.answer import Answer
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.sampling.chance_agreement import Coefficient
from ntqr_exact.study import answers_study

JUDGES = range(3)
PAIRS = [*itertools.combinations(JUDGES, 2)]


def draw(seed, most=9, kinds=(2, 3)):
    """Return the labels, and the questions with at least one answer."""
    rng = random.Random(seed)
    labels = ("a", "b", "c")[: rng.choice(kinds)]
    rows = [tuple(rng.choice((None, *labels)) for _ in JUDGES) for _ in range(rng.randint(3, most))]
    return labels, [row if any(row) else (rng.choice(labels), *row[1:]) for row in rows]


@pytest.mark.parametrize("seed", range(60))
def test_the_majority_is_among_the_answers_given(seed):
    labels, rows = draw(seed)
    majority = majority_vote(count_rows(rows, labels=labels), ties="first-label").key
    assert all(max(labels, key=p.count) == label for label in labels for p in majority.by_label[label].counts)


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
    study = answers_study.study_chance(votes)
    pairs = {(one.coefficient, one.judges): one.value for one in study.coefficients if len(one.judges) == 2}
    for kind, pair in itertools.product((Coefficient.COHEN, Coefficient.SCOTT), PAIRS):
        part = votes.marginal(pair)
        assert pairs[kind, part.judges] == agreement(part, kind)
    monkeypatch.setattr(answers_study, "_MAX_GROUPS", 1)
    common = [votes.common(pair).size for pair in PAIRS]
    (kept,) = {
        one.judges for one in answers_study.study_chance(votes).coefficients if len(one.judges) == 2
    } or {0}
    assert kept == 0 or votes.common(*kept).size == max(common)
