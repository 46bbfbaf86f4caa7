"""Claims of the abstract and of section 1, eqs. 1 to 5."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluators.majority import majority_vote
from ntqr_exact.exact.rational import rational
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, counterexample, decided
from ntqr_exact.ledger.ntqr.counting import definition, first_disagreement, in_counts, small_tests, values_in
from ntqr_exact.ledger.ntqr.identities import identity, written_test
from ntqr_exact.ledger.ntqr.symbols import read, written
from ntqr_exact.postulates.complete import complete
from ntqr_exact.postulates.postulate import Space
from ntqr_exact.postulates.refutations import all_tests
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def _right_answers(test: LabeledVoteCounts) -> list[int]:
    return [
        sum(counts[label] for label, counts in test.confusion(judge).items())
        for judge in range(len(test.judges))
    ]


def _majority(_printed: str) -> Finding:
    """Look for the smallest test on which majority vote ranks the only best judge as the only worst one."""
    for test in small_tests(3):
        true, voted = _right_answers(test), _right_answers(majority_vote(test.observed()).key)
        best = [judge for judge in range(3) if true[judge] == max(true)]
        worst = [judge for judge in range(3) if voted[judge] == min(voted)]
        if best == worst and len(best) == 1:
            return decided(
                True,
                f"{written_test(test)}: right answers {true}, by the majority's key {voted}",
                "the best judge, who stands alone, is graded last",
            )
    return decided(False, "majority vote ranks the best judge well in every small test")


def _consistency(_printed: str) -> Finding:
    point = {"Qa": "1/2", "Qb": "1/2", "Raa1": "1/2", "Rbb1": "0", "Ra1": "1", "Rb1": "0", "Q": "1"}
    values = {read(name).variables()[0]: rational(value) for name, value in point.items()}
    solves = all(
        read(text).evaluate(values) == 0
        for text in ("Qa + Qb = Q", "Raa1 - Rbb1 = Ra1 - Qb", "Ra1 + Rb1 = Q")
    )
    return by_reading(
        {
            "equations alone": decided(
                not solves,
                "one question, answered a: Q_a = Q_b = R^a_a = 1/2, R^b_b = 0 solves them all, yet no key has it",
                right="together with whole counts that are not negative",
            ),
            "equations, whole counts and eqs. 6 and 7": counterexample(
                _decided_by_counts(),
                checked="the solutions are exactly the evaluations of tests, one judge, up to 5 questions",
                proof="a solution says how many a votes and how many b votes are right; a key can have any such",
            ),
        }
    )


def _decided_by_counts() -> Iterator[tuple[str, bool]]:
    for size in range(1, 6):
        for said in range(size + 1):
            solutions = sum(
                right_a - right_b == said - (size - key)
                for key in range(size + 1)
                for right_a in range(key + 1)
                for right_b in range(size - key + 1)
            )
            votes = VoteCounts({"a": said, "b": size - said})
            count = ConsistentSet(votes).count()
            yield f"a×{said}, b×{size - said}: {solutions} solutions, {count} evaluations", solutions == count


def _each_point(_printed: str) -> Finding:
    def cases() -> Iterator[tuple[str, bool]]:
        for judges, size in ((1, 2), (1, 3), (2, 2), (2, 3), (3, 2)):
            labels = tuple("abc"[:size])
            known = complete(judges, labels, spaces=[Space.RESPONSES])
            patterns = sum(each.solved_for.startswith("responses_") for each in known)
            true = all(each.residual(test) == 0 for test in all_tests(judges, 1, labels) for each in known)
            yield f"N = {judges}, R = {size}: {patterns} postulates R_v = Σ R^l_v and sums of them", true

    return counterexample(
        cases(),
        checked="N ≤ 3 with R = 2, N ≤ 2 with R = 3, each postulate on each test of one question; "
        "they are linear, so on every test",
        proof="R_v = Σ_l R^l_v puts each question with answers v under its one true label, for any N, Q and R",
    )


def datasets_named(printed: str) -> Finding:
    """Compare data sets that are named with those of the tests whose results are given."""
    titles = [each.title for each in EXAMPLES.values()]
    named = [name.strip() for name in printed.split(",")]
    used = sorted({name for name in ("UCI adult", "mushroom", "two-norm") if any(name in t for t in titles)})
    missing = [name for name in named if not any(name in title for title in titles)]
    return decided(
        not missing and set(used) <= set(named),
        f"the {len(titles)} tests with results are of {', '.join(used)}",
        *(f"no figure, table or section reports a test of {name}" for name in missing),
        right=", ".join(used),
    )


def _equivalent_forms(printed: str) -> Finding:
    """Turn 5 into 4 by the definitions 2 and 3: the quotient of both must be a unit, 1/Q."""
    first, second = (part.strip() for part in printed.split(";"))
    by_definition = read(second).substitute(
        {read(name).variables()[0]: read(f"{count}/Q") for name, count in (("Pa", "Qa"), ("Pb", "Qb"))}
    )
    return decided(
        (by_definition * read("Q")).equals(read(first)),
        f"Q·({written(second)}) with P = Q_l/Q is {written(first)} where Q ≠ 0",
        right="Q times the second is the first",
    )


def _dual(printed: str) -> Finding:
    in_rates, in_responses = (part.strip() for part in printed.split(";"))
    same = in_counts(read(in_rates)).equals(in_counts(read(in_responses) / read("Q")))
    same = same and in_counts(read(in_rates)).is_zero()
    without = next(test for test in small_tests(1) if test.key_counts["a"] == 0)
    return by_reading(
        {
            "both labels have questions": decided(
                same,
                f"{written(in_rates)}, times Q, is {written(in_responses)} in counts",
                right="eq. 14 times Q is eq. 11",
            ),
            "any test": decided(
                False,
                f"{written_test(without)}: Q_a = 0, so that P^a_a = R^a_a/Q_a has no value in ML space",
                right="where Q_a and Q_b are not 0",
            ),
        }
    )


def _whole_numbers(_printed: str) -> Finding:
    correlation = read("Raa1a2/Qa - Raa1/Qa*(Raa2/Qa)")
    example = "none is small"
    for test in small_tests(2):
        if test.key_counts["a"]:
            value = correlation.evaluate(values_in(test, correlation.variables()) or {})
            if value not in (-1, 0, 1):
                example = f"{written_test(test)}: Γ^a = {value}"
                break
    return by_reading(
        {
            "numbers of right answers": decided(
                True, "Q_a, R^a_{a_i}, R^b_{b_i}, R^a_{a_i,a_j}, … count questions, so they are whole"
            ),
            "error correlations too": decided(
                example == "none is small", example, right="Q_a²·Γ^a is whole: it is n_11·n_00 − n_10·n_01"
            ),
        }
    )


def _soundness(_printed: str) -> Finding:
    both = first_disagreement("Qa")

    def cases() -> Iterator[tuple[str, bool]]:
        for size in range(1, 7):
            for said in range(size + 1):
                count = ConsistentSet(VoteCounts({"a": said, "b": size - said})).count()
                yield f"a×{said}, b×{size - said} has {count} consistent evaluations", count >= 2

    found = counterexample(
        cases(),
        checked="votes of one judge, up to 6 questions",
        proof="any votes allow the key with only a and the key with only b; so (R_a+1)(R_b+1) ≥ 2 evaluations",
    )
    same_votes = f"the same vote: {both[0]}; {both[1]} (Q_a)" if both else ""
    return decided(both is not None and not found.right, same_votes, *found.evidence)


_SCALE = re.compile(r"(-?\d+) to (-?\d+): (\d+)")


def _score_scale(printed: str) -> Finding:
    """Count the whole numbers from the first to the last, both included."""
    match = _SCALE.fullmatch(printed)
    if match is None:
        raise BadDocument(printed, "a scale is written as '0 to 100: 101'")
    low, high, responses = (int(number) for number in match.groups())
    values = high - low + 1
    return decided(
        values == responses,
        f"from {low} to {high} in steps of 1 there are {values} values, so R = {values}",
        right=f"R = {values}",
        slip=True,
        arose="the first value was not counted" if values == responses + 1 else "",
    )


def _thermometer(printed: str) -> Finding:
    low, high, first, second = (int(number) for number in re.findall(r"-?\d+", printed))
    responses = high - low + 1
    return by_reading(
        {
            "49 and 102 are two readings": decided(
                low <= first <= high and low <= second <= high,
                f"both {first} and {second} lie between {low} and {high}",
            ),
            "49 and 102 are values of R, as R is used before": decided(
                first == second == responses,
                f"R counts the possible responses, and these are {responses} from {low} to {high}",
                right=f"R = {responses}; the two are responses, not values of R",
            ),
        }
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/abstract/majority-vote",
        "abstract",
        Kind.SENTENCE,
        "Majority vote is not a safe way to find the best of some judges who may know little.",
        _majority,
    ),
    Claim(
        "ntqr/abstract/consistency",
        "abstract",
        Kind.SENTENCE,
        "Complete postulates can prove or disprove that an evaluation is logically consistent with the votes.",
        _consistency,
    ),
    Claim(
        "ntqr/abstract/each-point",
        "abstract and section 1",
        Kind.THEOREM,
        "For any number of judges $N$, questions $Q$ and responses $R$ there is a complete set of postulates.",
        _each_point,
    ),
    Claim(
        "ntqr/abstract/datasets",
        "abstract",
        Kind.SENTENCE,
        "The three evaluations that compare independence with majority vote are of these data sets.",
        datasets_named,
        printed="UCI adult, two-norm",
    ),
    Claim(
        "ntqr/eq-1",
        "eq. 1",
        Kind.IDENTITY,
        "Every question is an $a$ or a $b$ question: $Q_a + Q_b = Q$.",
        identity,
        printed="Qa + Qb = Q",
        by_hand="Each question has exactly one true label.",
    ),
    Claim("ntqr/eq-2", "eq. 2", Kind.DEFINITION, r"$\hat P_a = Q_a/Q$.", definition, printed="Pa = Qa/Q"),
    Claim("ntqr/eq-3", "eq. 3", Kind.DEFINITION, r"$\hat P_b = Q_b/Q$.", definition, printed="Pb = Qb/Q"),
    Claim("ntqr/eq-4", "eq. 4", Kind.IDENTITY, "Eq. 1 again.", identity, printed="Qa + Qb = Q"),
    Claim(
        "ntqr/eq-5", "eq. 5", Kind.IDENTITY, r"$\hat P_a + \hat P_b = 1$.", definition, printed="Pa + Pb = 1"
    ),
    Claim(
        "ntqr/sec-1/equivalent-forms",
        "section 1, eqs. 4 and 5",
        Kind.IDENTITY,
        "Eqs. 4 and 5 say the same, by the definitions 2 and 3.",
        _equivalent_forms,
        printed="Qa + Qb = Q; Pa + Pb = 1",
    ),
    Claim(
        "ntqr/sec-1/dual-language",
        "section 1",
        Kind.SENTENCE,
        "The same postulates can be written in rates and in responses, by a change of variables.",
        _dual,
        printed="fa1 = Pa*x1 + Pb*(1 - y1); Ra1 = Raa1 + Rba1",
    ),
    Claim(
        "ntqr/sec-1-1/soundness",
        "section 1.1",
        Kind.SENTENCE,
        "Without the answer key no evaluation can be shown to be the true one.",
        _soundness,
    ),
    Claim(
        "ntqr/sec-1-1/integers",
        "section 1.1",
        Kind.SENTENCE,
        "In $(N, T, Q, R)$ space whatever measures correctness is a whole number.",
        _whole_numbers,
    ),
    Claim(
        "ntqr/sec-1-2/scores",
        "section 1.2",
        Kind.COUNT,
        "Whole scores from 0 to 100 make a test with $R = 100$.",
        _score_scale,
        printed="0 to 100: 100",
        by_hand="From 0 to 9 there are ten digits, not nine.",
    ),
    Claim(
        "ntqr/sec-1-2/thermometer",
        "section 1.2",
        Kind.SENTENCE,
        "Readings from -50 to 150 degrees lose the physical relation of $R = 49$ to $R = 102$.",
        _thermometer,
        printed="-50 to 150: 49, 102",
    ),
)
