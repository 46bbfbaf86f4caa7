"""Evaluators on small votes with gaps, against the lists of answers and all answer keys."""

import itertools
import random
from fractions import Fraction

import pytest

from ntqr_exact import PartialKey, agreement, count_rows, dawid_skene, grade, majority_vote
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.sampling.chance_agreement import Coefficient
from ntqr_exact.study import answers_study

JUDGES = range(3)
PAIRS = [*itertools.combinations(JUDGES, 2)]


def draw(seed, most=9):
    """Return the labels, the questions with at least one answer, and a key."""
    rng = random.Random(seed)
    labels = ("a", "b", "c")[: rng.choice((2, 3))]
    rows = [tuple(rng.choice((None, *labels)) for _ in JUDGES) for _ in range(rng.randint(3, most))]
    rows = [row if any(row) else (rng.choice(labels), *row[1:]) for row in rows]
    return labels, rows, [rng.choice(labels) for _ in rows]


def covariance(pairs):
    """Return the mean of the products minus the product of the means."""
    means = [Fraction(sum(each), len(pairs)) for each in zip(*pairs, strict=True)]
    return Fraction(sum(x * y for x, y in pairs), len(pairs)) - means[0] * means[1]


@pytest.mark.parametrize("seed", range(60))
def test_keys_grade_each_judge_on_its_answers(seed):
    labels, rows, truth = draw(seed)
    votes, evaluation = count_rows(rows, labels=labels), grade(count_rows(rows, labels=labels, truth=truth))
    for j, label in itertools.product(JUDGES, labels):
        given = [row[j] for row, true in zip(rows, truth, strict=True) if row[j] and true == label]
        right = Fraction(given.count(label), len(given)) if given else Undefined.NO_QUESTIONS
        assert evaluation.accuracy[j][label] == right
    for (i, j), label in itertools.product(PAIRS, labels):
        both = [row for row, true in zip(rows, truth, strict=True) if row[i] and row[j] and true == label]
        result = (
            covariance([(r[i] == label, r[j] == label) for r in both]) if both else Undefined.NO_QUESTIONS
        )
        assert evaluation.correlations[label, (i, j)] == result
    majority = majority_vote(votes, ties="first-label").key
    assert all(max(labels, key=p.count) == label for label in labels for p in majority.by_label[label].counts)
    _is_fixed_point(dawid_skene(votes), labels)


def _is_fixed_point(estimate, labels):
    """Check that every pattern has a label under which its answers are most likely, by the rates of the key."""
    key = estimate.key

    def rate(judge, label, answer):
        row = key.confusion(judge)[label]
        return Fraction(1 + row[answer], len(labels) + sum(row.values()))

    for label, pattern in ((one, p) for one in labels for p in key.by_label[one].counts):
        likely = dict.fromkeys(labels, 1)
        for (j, answer), one in itertools.product(enumerate(pattern), labels):
            likely[one] *= rate(j, one, answer) if answer else 1
        assert likely[label] == max(likely.values()) or estimate.rounds == 100


@pytest.mark.parametrize("seed", range(60))
def test_coefficients_follow_their_definitions(seed, monkeypatch):
    labels, rows, _ = draw(seed)
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


@pytest.mark.parametrize("seed", range(40))
def test_graded_ranges_are_attained_by_keys_and_intervals_count_the_own_answers(seed):
    labels, rows, truth = draw(seed, most=7)
    votes, graded = count_rows(rows, labels=labels), count_rows(rows[:2], labels=labels, truth=truth[:2])
    graded = graded.relabeled({}, labels)
    key = PartialKey(votes, graded, drawn="at_random")
    keys = [truth[:2] + list(rest) for rest in itertools.product(labels, repeat=len(rows) - 2)]
    for j in JUDGES:
        ranges, own = key.ranges(j), [n for n, row in enumerate(rows) if row[j]]
        right = [sum(rows[n][j] == each[n] for n in own) for each in keys]
        assert ranges.right == (min(right), max(right))
        for label in labels:
            asked = [[rows[n][j] == label for n in own if each[n] == label] for each in keys]
            rates = [Fraction(sum(one), len(one)) for one in asked if one]
            ends = (ranges.accuracy_on[label].lower, ranges.accuracy_on[label].upper)
            assert ends == ((min(rates), max(rates)) if rates else (Undefined.NO_QUESTIONS,) * 2)
        general = key.interval(lambda p, label, j=j: p[j] == label, lambda p, j=j: p[j] is not None)
        assert key.right_answers(j) == general
    for i, j in PAIRS:
        both, pair = [n for n, row in enumerate(rows) if row[i] and row[j]], key.pair_ranges(i, j)
        marks = [[(rows[n][i] == each[n], rows[n][j] == each[n]) for n in both] for each in keys]
        leads = [sum(x - y for x, y in one) for one in marks]
        assert pair.difference == (min(leads), max(leads))
        if both:
            values = [covariance(one) for one in marks]
            assert (pair.covariance.lower, pair.covariance.upper) == (min(values), max(values))
