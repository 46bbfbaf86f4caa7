"""Checks of the abstract and of section 1: what complete postulates are said to do."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import prod

from ntqr_exact.evaluators.majority import majority_vote
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, counterexample, decided
from ntqr_exact.ledger.ntqr.counting import in_counts, small_tests, votes_text
from ntqr_exact.ledger.ntqr.identities import Printed, read, written_test
from ntqr_exact.postulates.equations import complete
from ntqr_exact.postulates.notation import Quantity, read_name
from ntqr_exact.postulates.postulate import Space
from ntqr_exact.postulates.refutations import all_tests
from ntqr_exact.varieties.compositions import compositions
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def _right_answers(test: LabeledVoteCounts) -> list[int]:
    return [
        sum(counts[label] for label, counts in test.confusion(judge).items())
        for judge in range(len(test.judges))
    ]


def majority_unsafe() -> Finding:
    """Look for the smallest test on which majority vote ranks the only best judge as the only worst one."""
    for test in small_tests(3):
        true, voted = _right_answers(test), _right_answers(majority_vote(test.observed()).key)
        best = [judge for judge in range(3) if true[judge] == max(true)]
        worst = [judge for judge in range(3) if voted[judge] == min(voted)]
        if best == worst and len(best) == 1:
            return decided(
                True,
                f"{written_test(test)}: the judges have {', '.join(map(str, true))} right answers, "
                f"by the majority's key {', '.join(map(str, voted))}",
                "the best judge, who stands alone, is graded last",
            )
    return decided(False, "majority vote ranks the best judge well in every small test")


def consistency() -> Finding:
    """Judge that the postulates of one judge, for whole counts within eqs. 6 and 7, allow just what some key allows."""

    def cases() -> Iterator[tuple[str, bool]]:
        for size in range(1, 6):
            for said in range(size + 1):
                solutions = sum(
                    right_a - right_b == said - (size - key)
                    for key in range(size + 1)
                    for right_a in range(key + 1)
                    for right_b in range(size - key + 1)
                )
                count = ConsistentSet(VoteCounts({"a": said, "b": size - said})).count()
                yield (
                    f"a×{said}, b×{size - said}: {solutions} solutions, {count} evaluations",
                    solutions == count,
                )

    return counterexample(
        cases(),
        checked="the whole solutions are exactly the evaluations of tests, one judge, up to 5 questions",
        proof="a solution says how many a votes and how many b votes are right; a key can have any such",
    )


def each_point() -> Finding:
    """Judge that each small number of judges and labels has its complete postulates."""

    def cases() -> Iterator[tuple[str, bool]]:
        for judges, size in ((1, 2), (1, 3), (2, 2), (2, 3), (3, 2)):
            labels = tuple("abc"[:size])
            known = complete(judges, labels, spaces=[Space.RESPONSES])
            patterns = sum(read_name(each.solved_for).kind is Quantity.RESPONSES for each in known)
            true = all(each.residual(test) == 0 for test in all_tests(judges, 1, labels) for each in known)
            yield f"N = {judges}, R = {size}: {patterns} postulates R_v = Σ R^l_v and sums of them", true

    return counterexample(
        cases(),
        checked="N ≤ 3 with R = 2, N ≤ 2 with R = 3, each postulate on each test of one question; "
        "they are linear, so on every test",
        proof="R_v = Σ_l R^l_v puts each question with answers v under its one true label, for any N, Q and R",
    )


def datasets(printed: tuple[str, ...]) -> Finding:
    """Judge that the data sets named are those of the three tests."""
    titles = [each.title for each in EXAMPLES.values()]
    missing = [name for name in printed if not any(name in title for title in titles)]
    unnamed = [title for title in titles if not any(name in title for name in printed)]
    return as_printed(not missing and not unnamed, f"the tests with results are {'; '.join(titles)}")


def equivalent_forms(printed: tuple[Printed, Printed]) -> Finding:
    """Judge two equations that say the same: by P = Q_l/Q, Q times the second is the first."""
    first, second = printed
    by_definition = second.formula.substitute(
        {read(name).variables()[0]: read(f"{count}/Q") for name, count in (("Pa", "Qa"), ("Pb", "Qb"))}
    )
    return as_printed(
        (by_definition * read("Q")).equals(first.formula),
        f"Q·({second.text()}) with P = Q_l/Q is {first.text()} where Q ≠ 0",
    )


def two_languages(printed: tuple[Printed, Printed]) -> Finding:
    """Judge that a postulate in rates, times Q, is one in responses; both must hold."""
    rates, responses = (in_counts(each.formula) for each in printed)
    return as_printed(
        rates == 0 and responses == 0,
        f"{printed[0].text()} and {printed[1].text()} are both true in the counts of a general test",
    )


def never_sound(*, judges: int, largest: int) -> Finding:
    """Judge that no votes leave a single evaluation: Π(c + 1) are consistent, for counts c of the patterns."""

    def cases() -> Iterator[tuple[str, bool]]:
        patterns = list(itertools.product("ab", repeat=judges))
        for size in range(1, largest + 1):
            for counts in compositions(size, len(patterns)):
                votes = VoteCounts(dict(zip(patterns, counts, strict=True)))
                number = ConsistentSet(votes).count()
                text = f"{votes_text(votes)} has {number} consistent evaluations"
                yield text, number == prod(count + 1 for count in counts) >= 2

    return counterexample(
        cases(),
        checked=f"all votes of {judges} judge{'s' * (judges > 1)} on up to {largest} questions",
        proof="each pattern's c questions can have 0 to c true labels a, so Π(c + 1) ≥ 2 evaluations are consistent",
    )


def score_scale(printed: int, *, low: int, high: int) -> Finding:
    """Judge how many responses whole scores between two numbers are."""
    values = high - low + 1
    return by_reading(
        {
            f"both {low} and {high} can be given": decided(
                printed == values,
                f"from {low} to {high} there are {values} whole numbers",
                right=f"R = {values}",
            ),
            f"only one of {low} and {high} can be given": decided(
                printed == values - 1, f"without one of the ends there are {values - 1}"
            ),
        }
    )
