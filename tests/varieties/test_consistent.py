"""The set of consistent evaluations: the issue's numbers, laws, reasons, errors."""

import itertools
import random

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from ntqr_exact.errors import BadVotes, EmptyTest, NotAnEvaluation, NotSupported
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.exact.surd import Surd
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.group import individual
from ntqr_exact.varieties.linear_range import LinearStatistic, right_answers
from ntqr_exact.varieties.reachable import ReachableSums
from ntqr_exact.varieties.verdict import Accepted, Membership, Refused
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

PATTERNS = ["".join(p) for p in itertools.product("ab", repeat=3)]
THOUSAND = VoteCounts(dict(zip(PATTERNS, (269, 88, 88, 60, 81, 74, 64, 276), strict=True)))
KEY = {"a": 400, "b": 600}


def votes_of(judges, labels="ab", most=6):
    patterns = list(itertools.product(labels, repeat=judges))
    counts = st.lists(st.integers(0, most), min_size=len(patterns), max_size=len(patterns))
    names = [f"J{i + 1}" for i in range(judges)]
    return counts.map(lambda c: VoteCounts(dict(zip(patterns, c, strict=True)), tuple(labels), names))


any_votes = st.one_of(votes_of(1), votes_of(2), votes_of(3), votes_of(2, "abc", 2))

# -- the numbers of the sources ---------------------------------------------------------------------


def test_a_thousand_questions_have_the_known_counts():
    consistent = ConsistentSet(THOUSAND)
    assert consistent.count() == 14445808519252500
    assert consistent.count_at(KEY) == 33259347089633
    by_key = consistent.counts_by_key()
    assert len(by_key) == 1001
    assert by_key[400, 600] == 33259347089633
    assert sum(by_key.values()) == consistent.count()


def test_one_judge_with_472_answers_a_of_1000_has_250217_evaluations():
    projection = ConsistentSet(VoteCounts({"a": 472, "b": 528})).projection()
    assert projection.count() == 250217 == 473 * 529
    assert sum(projection.count_at({"a": q, "b": 1000 - q}) for q in range(1001)) == 250217
    for q in (0, 1, 471, 472, 473, 528, 529, 1000):
        assert projection.count_at({"a": q, "b": 1000 - q}) == min(q, 472) - max(0, q - 528) + 1


def test_the_point_that_a_linear_program_accepts_is_refused_with_the_reason():
    consistent = ConsistentSet(VoteCounts({"aab": 1, "aba": 1, "baa": 1, "bbb": 1}))
    point = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 1, "b": 1}] * 3)
    assert point not in consistent
    verdict = consistent.explain(point)
    assert verdict.answer is Membership.NO
    (breach,) = verdict.breaches
    assert "between 1/2 and 1/2: no whole number, though a fraction would do" in breach.postulate
    assert breach.residual == 1
    assert point not in list(consistent.projection())


# -- laws -------------------------------------------------------------------------------------------


@given(any_votes)
def test_counts_at_all_keys_add_up_to_the_count(votes):
    consistent = ConsistentSet(votes)
    by_key = consistent.counts_by_key()
    assert sum(by_key.values()) == consistent.count()
    for key, n in list(by_key.items())[::5]:
        assert consistent.count_at(dict(zip(votes.labels, key, strict=True))) == n


@given(votes_of(3), st.permutations(range(3)))
def test_the_order_of_judges_does_not_matter(votes, order):
    assert ConsistentSet(votes.reordered(*order)).counts_by_key() == ConsistentSet(votes).counts_by_key()


@given(st.one_of(votes_of(2), votes_of(3)))
def test_exchanging_the_labels_exchanges_the_keys(votes):
    swapped = ConsistentSet(votes.swapped_labels()).counts_by_key()
    assert {key[::-1]: n for key, n in swapped.items()} == ConsistentSet(votes).counts_by_key()


@settings(max_examples=25)
@given(votes_of(3, most=2), st.permutations(range(3)))
def test_projection_commutes_with_the_order_of_judges_and_labels(votes, order):
    shadow = ConsistentSet(votes).projection()
    assert ConsistentSet(votes.reordered(*order)).projection().count() == shadow.count()
    assert ConsistentSet(votes.swapped_labels()).projection().count() == shadow.count()


@settings(max_examples=25)
@given(any_votes, st.integers(0, 10**9))
def test_what_is_drawn_is_consistent_and_so_is_its_shadow(votes, seed):
    consistent = ConsistentSet(votes)
    group = consistent.sample(seed=seed)
    assert group in consistent
    assert group == consistent.sample(seed=seed)
    again = consistent.sample(seed=seed, at=group.key_counts)
    assert again in consistent
    assert again.key_counts == group.key_counts
    if len(votes.labels) == 2:
        assert individual(group) in consistent
        if votes.size:
            assert individual(group).rates() in consistent


def test_enumeration_is_lazy_and_in_order():
    consistent = ConsistentSet(THOUSAND)
    first = next(iter(consistent))
    assert first.key_counts == {"a": 0, "b": 1000}
    assert next(consistent.at(KEY)).key_counts == KEY
    small = ConsistentSet(VoteCounts({"aa": 1, "ab": 2, "bb": 1}))
    order = [tuple(g.by_label["a"].counts[p] for p in ("aa", "ab", "ba", "bb")) for g in small]
    assert order == sorted(order)
    assert len(order) == small.count() == 12


# -- reasons ----------------------------------------------------------------------------------------


def breaches(votes, evaluation):
    verdict = ConsistentSet(votes).explain(evaluation)
    assert isinstance(verdict, Refused)
    assert str(verdict).startswith("no:\n")
    return [(b.postulate, b.residual, b.citation.place) for b in verdict.breaches]


def test_a_group_evaluation_that_gives_other_votes_is_refused_pattern_by_pattern():
    votes = VoteCounts({"ab": 2, "bb": 1})
    graded = LabeledVoteCounts({"a": VoteCounts({"ab": 3}), "b": VoteCounts({"ba": 1})})
    found = breaches(votes, graded)
    assert [(words.split(" add")[0], residual) for words, residual, _ in found] == [
        ("the questions with the answers a,b", 1),
        ("the questions with the answers b,a", 1),
        ("the questions with the answers b,b", -1),
    ]
    assert {place for *_, place in found} == {"eqs. 26a to 26d, in counts"}
    fitting = LabeledVoteCounts({"a": VoteCounts({"ab": 2}), "b": VoteCounts({"bb": 1})})
    assert ConsistentSet(votes).explain(fitting) == Accepted(fitting)


def test_other_labels_or_judges_are_another_test():
    votes = VoteCounts({"ab": 1})
    graded = LabeledVoteCounts({"a": votes})
    for other in (graded.with_judges(["X", "Y"]), graded.with_labels(["x", "y"])):
        assert breaches(votes, other)[0][0] == "the labels and judges are those of the votes"
    single = CountEvaluation.from_correct({"a": 1, "b": 0}, [{"a": 1, "b": 0}])
    assert breaches(votes, single)[0][0] == "the labels and judges are those of the votes"
    assert breaches(votes, single.rates())[0][0] == "the labels and judges are those of the votes"


def test_key_counts_and_single_judges_come_first():
    votes = VoteCounts({"ab": 2, "bb": 2})
    more = CountEvaluation.from_correct({"a": 3, "b": 2}, [{"a": 1, "b": 1}] * 2)
    assert breaches(votes, more) == [("the key counts add up to the 4 questions", 1, "eq. 1")]
    other = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 2, "b": 1}, {"a": 0, "b": 2}])
    found = breaches(votes, other)
    assert [(residual, place) for _, residual, place in found] == [
        (1, "eqs. 11 and 12"),
        (-1, "eqs. 11 and 12"),
    ]
    assert "'a' of judge 'J1'" in found[0][0]


@pytest.mark.parametrize(
    ("counts", "key", "right", "words", "excess"),
    [
        ({"aa": 1, "ab": 1, "ba": 1, "bb": 1}, 1, (1, 1), None, 0),
        ({"ab": 2, "ba": 2}, 2, (2, 2), "R^a_a[J1] + R^a_a[J2] ≤ Q_a + N_aa", 2),
        ({"ab": 2, "ba": 2}, 2, (0, 0), "R^a_a[J1] + R^a_a[J2] ≥ Q_a − N_bb", 2),
        ({"aa": 2, "bb": 2}, 2, (2, 1), "R^a_a[J1] − R^a_a[J2] ≤ N_ab", 1),
        ({"aa": 2, "bb": 2}, 2, (1, 2), "R^a_a[J2] − R^a_a[J1] ≤ N_ba", 1),
    ],
)
def test_a_pair_is_refused_by_the_inequality_it_breaks(counts, key, right, words, excess):
    votes = VoteCounts(counts)
    of_b = votes.size - key
    rows = [{"a": s, "b": of_b - votes.responses(i)["a"] + s} for i, s in enumerate(right)]
    evaluation = CountEvaluation.from_correct({"a": key, "b": of_b}, rows)
    if words is None:
        assert evaluation in ConsistentSet(votes)
    else:
        assert breaches(votes, evaluation) == [(words, excess, "eqs. 26a to 26d, in counts")]


def test_a_trio_that_no_fraction_saves_is_refused_with_the_gap():
    # Every pair passes; the votes aaa are missing, on which all three would have to be right.
    votes = VoteCounts({"aab": 2, "aba": 2, "baa": 2, "bbb": 2})
    evaluation = CountEvaluation.from_correct(
        {"a": 2, "b": 6}, [{"a": 2, "b": 4}, {"a": 2, "b": 4}, {"a": 2, "b": 4}]
    )
    ((words, residual, _),) = breaches(votes, evaluation)
    assert "at least" in words
    assert residual > 0


# -- rates ------------------------------------------------------------------------------------------


def test_rates_are_taken_to_counts_or_refused():
    votes = VoteCounts({"a": 2, "b": 2})
    consistent = ConsistentSet(votes)
    assert Evaluation.from_accuracies({"a": "1/2", "b": "1/2"}, [{"a": "1/2", "b": "1/2"}]) in consistent
    found = breaches(votes, Evaluation.from_accuracies({"a": "1/3", "b": "2/3"}, [{"a": 0, "b": 0}]))
    assert found[0][:2] == ("Q·P_a is a whole number", mpq(1, 3))
    root = Surd.sqrt(2) / 2
    assert (
        breaches(votes, Evaluation.from_accuracies({"a": root, "b": 1 - root}, [{"a": 0, "b": 0}]))[0][1]
        == 4 * root
    )
    assert (
        breaches(votes, Evaluation.from_accuracies({"a": "1/2", "b": "1/2"}, [{"a": 2, "b": 2}]))[0][1] == -2
    )
    imaginary = Surd.sqrt(-1)
    assert (
        Evaluation.from_accuracies({"a": imaginary, "b": 1 - imaginary}, [{"a": 0, "b": 0}]) not in consistent
    )


def test_response_rates_that_do_not_add_up_are_refused():
    rows = [{"a": {"a": "1/2", "b": 0}, "b": {"a": "1/2", "b": "1/2"}}]
    found = breaches(VoteCounts({"a": 2, "b": 2}), Evaluation({"a": "1/2", "b": "1/2"}, rows))
    assert found[0][:2] == ("the answers of judge 'J1' to the questions of 'a' add up to Q·P_a", -1)


def correlated(graded):
    """Return a group evaluation in rates, with all correlations, computed question by question."""
    rates = individual(graded).rates()
    gammas = {}
    for label, votes in graded.by_label.items():
        for size in range(2, len(graded.judges) + 1):
            for subset in itertools.combinations(range(len(graded.judges)), size):
                total = mpq(0)
                for pattern, count in votes.counts.items():
                    product = mpq(count, votes.size)
                    for place in subset:
                        product *= (pattern[place] == label) - rates.accuracy[place][label]
                    total += product
                gammas[label, subset] = total
    return Evaluation(rates.prevalence, rates.response_rates, gammas)


@settings(max_examples=20)
@given(st.one_of(votes_of(2, most=3), votes_of(3, most=2)), st.integers(0, 10**6))
def test_rates_with_all_correlations_mean_a_group_evaluation(votes, seed):
    consistent = ConsistentSet(votes)
    group = consistent.sample(seed=seed)
    if all(group.key_counts.values()):
        verdict = consistent.explain(correlated(group))
        assert verdict == Accepted(group)


def test_wrong_or_missing_correlations_are_noticed():
    votes = VoteCounts({"aa": 2, "ab": 1, "ba": 1, "bb": 2})
    grades = [{"a": "2/3", "b": "2/3"}] * 2
    half = {"a": "1/2", "b": "1/2"}
    right = Evaluation.from_accuracies(half, grades, {("a", (0, 1)): "-1/9", ("b", (0, 1)): "2/9"})
    assert right in ConsistentSet(votes)
    wrong = Evaluation.from_accuracies(half, grades, {("a", (0, 1)): "2/9", ("b", (0, 1)): "2/9"})
    assert wrong not in ConsistentSet(votes)
    negative = Evaluation.from_accuracies(half, grades, {("a", (0, 1)): "5/9", ("b", (0, 1)): "-4/9"})
    assert any("is not negative" in words for words, *_ in breaches(votes, negative))
    with pytest.raises(NotSupported, match="every label"):
        ConsistentSet(votes).explain(Evaluation.from_accuracies(half, grades, {("a", (0, 1)): "-1/9"}))


# -- ranges, correlations, errors -------------------------------------------------------------------


def test_right_answers_have_the_range_of_the_single_interval():
    consistent = ConsistentSet(THOUSAND)
    found = consistent.range_of(right_answers(THOUSAND, "J1", "b"), at=KEY)
    answered_a = THOUSAND.responses(0)["a"]
    assert (found.minimum, found.maximum) == (600 - answered_a, min(600, 1000 - answered_a))
    assert consistent.range_of(right_answers(THOUSAND, 0)).maximum == 1000
    statistic = LinearStatistic({("a", "aab"): "1/3"})
    assert consistent.range_of(statistic).maximum == mpq(88, 3)


def test_correlations_over_all_keys_reach_a_quarter_or_stay_at_zero():
    found = ConsistentSet(THOUSAND).correlation_range("a", 0, 1)
    assert (found.minimum, found.maximum) == (mpq(-1, 4), mpq(1, 4))
    only_alike = ConsistentSet(VoteCounts({"aa": 2, "bb": 1})).correlation_range("b", 0, 1)
    assert (only_alike.minimum, only_alike.maximum) == (0, mpq(1, 4))


def test_a_label_without_questions_has_no_correlation_range():
    consistent = ConsistentSet(VoteCounts({"aa": 1, "bb": 1}))
    with pytest.raises(EmptyTest):
        consistent.correlation_range("a", 0, 1, at={"a": 0, "b": 2})
    with pytest.raises(EmptyTest):
        ConsistentSet(VoteCounts({}, judges=["X", "Y"])).correlation_range("a", 0, 1)


def test_inconsistent_grades_have_no_correlations():
    votes = VoteCounts({"ab": 2, "ba": 2})
    evaluation = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 2, "b": 2}] * 2)
    assert ConsistentSet(votes).pair_correlations(evaluation, 0, 1) == ()


@pytest.mark.parametrize(
    ("use", "error", "words"),
    [
        (lambda c: c.explain("abc"), NotAnEvaluation, "not str"),
        (
            lambda c: c.projection().explain(LabeledVoteCounts({"a": c.votes})),
            NotAnEvaluation,
            "CountEvaluation",
        ),
        (lambda c: c.range_of({("x", "aaa"): 1}), BadVotes, "a true label and a pattern"),
        (lambda c: c.range_of({("a", "aa"): 1}), BadVotes, "3 labels"),
        (lambda c: c.range_of({("a", "abx"): 1}), BadVotes, "'x' is not one of the labels"),
        (lambda c: c.correlation_range("x", 0, 1), BadVotes, "'a', 'b'"),
        (lambda c: c.correlation_range("a", 0, 9), BadVotes, "a judge is one of"),
        (lambda c: right_answers(c.votes, 0, "x"), BadVotes, "'a', 'b'"),
        (lambda _: ConsistentSet({"aaa": 1}), BadVotes, "not dict"),
        (lambda c: ConsistentSet(LabeledVoteCounts({"a": c.votes})), BadVotes, "observed"),
    ],
)
def test_errors_say_what_is_allowed(use, error, words):
    with pytest.raises(error) as caught:
        use(ConsistentSet(THOUSAND))
    assert words in str(caught.value)


def test_the_shadow_of_a_trio_is_counted_by_two_methods():
    votes = VoteCounts(dict(zip(PATTERNS, (9, 4, 3, 2, 4, 1, 2, 8), strict=True)))
    projection = ConsistentSet(votes).projection()
    assert projection.count() == ReachableSums.of(votes).count()
    assert projection.count_at({"a": 12, "b": 21}) == len(list(projection.at({"a": 12, "b": 21})))
    with pytest.raises(NotSupported, match="the limit is 2000000"):
        ConsistentSet(THOUSAND).projection().count()
    assert ConsistentSet(THOUSAND).projection().count_at({"a": 10, "b": 990}) == 11**3


def test_four_judges_are_refused_by_a_trio_even_where_bits_do_not_reach():
    counts = {(*p, "a"): 500 for p in (("a", "a", "b"), ("a", "b", "a"), ("b", "a", "a"), ("b", "b", "b"))}
    votes = VoteCounts(counts)
    grades = [{"a": 501, "b": 501}] * 3 + [{"a": 1002, "b": 0}]
    evaluation = CountEvaluation.from_correct({"a": 1002, "b": 998}, grades)
    assert breaches(votes, evaluation)
    fits = CountEvaluation.from_correct({"a": 0, "b": 2000}, [{"a": 0, "b": 1000}] * 3 + [{"a": 0, "b": 0}])
    with pytest.raises(NotSupported, match="vectors"):
        ConsistentSet(votes).explain(fits)


def test_more_than_a_method_can_do_is_said_with_the_limit():
    generator = random.Random(1)
    patterns = list(itertools.product("ab", repeat=4))
    four = VoteCounts({p: generator.randint(50, 70) for p in patterns})
    with pytest.raises(NotSupported, match="the limit is"):
        ConsistentSet(four).projection().count()
    graded = ConsistentSet(four).sample(seed=1)
    with pytest.raises(NotSupported, match="two or three judges"):
        ConsistentSet(four).pair_correlations(individual(graded), 0, 1)
    with pytest.raises(NotSupported, match="up to 3 judges"):
        ConsistentSet(four).nearest(individual(graded))
    assert ConsistentSet(four).count_at(graded.key_counts) > 0
    three = VoteCounts({("a", "b"): 40_000}, ("a", "b", "c"))
    with pytest.raises(NotSupported, match="bits"):
        ConsistentSet(three).count_at({"a": 40_000})


@pytest.mark.parametrize("patterns", ["a b", "aa ab ba bb", "aaa aab aba abb baa bab bba bbb"])
def test_points_are_the_numbers_of_the_evaluations_in_the_same_order(patterns):
    names = patterns.split()
    votes = VoteCounts({name: 1 + place % 2 for place, name in enumerate(names)})
    projection = ConsistentSet(votes).projection()
    expected = [
        (e.key_counts["a"], *(count for right in e.correct for count in (right["a"], right["b"])))
        for e in projection
    ]
    assert list(projection.points()) == expected
    assert len(expected) == projection.count()


def test_points_of_more_labels_or_judges_are_not_listed():
    with pytest.raises(NotSupported, match="two labels and up to three judges"):
        next(ConsistentSet(VoteCounts({"a": 1}, labels=("a", "b", "c"))).projection().points())
    with pytest.raises(NotSupported, match="two labels and up to three judges"):
        next(ConsistentSet(VoteCounts({"aaaa": 1})).projection().points())
