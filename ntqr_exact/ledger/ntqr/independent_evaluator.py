"""Claims of section 5.1: what is said of the solution for independent judges and of the three tests."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, counterexample, decided
from ntqr_exact.ledger.ntqr.counting import small_tests, value_in
from ntqr_exact.ledger.ntqr.graded_tests import TESTS, is_real, moments_of
from ntqr_exact.ledger.ntqr.identities import Hypothesis, hypotheses, written_test
from ntqr_exact.ledger.ntqr.small_votes import moments, votes_of_size, votes_text
from ntqr_exact.ledger.ntqr.symbols import read, symbols
from ntqr_exact.ledger.ntqr.trio import EQ_40, observed_only
from ntqr_exact.postulates.derivations import derive
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.votes.counts import VoteCounts

_APPENDIX = {"7.1": "generating polynomials", "7.2": "synthetic evaluation"}
"""What the two sections of the appendix are about."""


def _algebraic(_printed: str) -> Finding:
    value, radicand = (read(part) for part in EQ_40.split(";"))
    names = sorted({*value.variables(), *radicand.variables()})
    fine = observed_only(value.numerator) and observed_only(value.denominator)
    return decided(
        fine and observed_only(radicand.numerator),
        f"eq. 40 is made of {len(names)} quantities seen in the votes, by + − × ÷ and one square root",
    )


def _reference(printed: str) -> Finding:
    if printed not in _APPENDIX:
        raise BadDocument(printed, f"the sections of the appendix are {', '.join(_APPENDIX)}")
    right = next(section for section, about in _APPENDIX.items() if about == "synthetic evaluation")
    return decided(
        printed == right,
        f"section {printed} is about {_APPENDIX[printed]}; tables 8 to 11 belong to section {right}",
        right=right,
        slip=True,
    )


def _rational_evaluations(_printed: str) -> Finding:
    names = [symbols()[name].variables()[0] for name in ("Pa", "x1", "y1")]

    def cases() -> Iterator[tuple[str, bool]]:
        for test in small_tests(1, 4):
            values = [value_in(test, name) for name in names]
            yield written_test(test), all(value is None or isinstance(value, mpq) for value in values)

    return counterexample(
        cases(),
        checked="tests of up to 4 questions",
        proof="P_a = Q_a/Q, P^a_a = R^a_a/Q_a and P^b_b = R^b_b/Q_b are quotients of whole numbers",
    )


def _may_be_irrational(_printed: str) -> Finding:
    votes = next(
        votes
        for size in itertools.count(1)
        for votes in votes_of_size(size)
        if moments(votes)[2] > 0 and moments(votes)[0] and not Surd.sqrt(moments(votes)[2]).is_rational
    )
    third, _, radicand = moments(votes)
    return decided(
        True,
        f"smallest votes: {votes_text(votes)} have A = {radicand}, so P_a = {(1 - third / Surd.sqrt(radicand)) / 2}",
    )


def _root_proves(_printed: str) -> Finding:
    derivation = derive("s^2")
    votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    keys = list(ConsistentSet(votes))
    fine = [all(each.residual(key) == 0 for each in hypotheses(Hypothesis.INDEPENDENT)) for key in keys]
    return decided(
        not derivation.problems(),
        "independence makes A = (P_aP_bd_1d_2d_3)², the square of a rational; so an irrational root refutes it",
        f"not conversely: {votes_text(votes)} have √A = {Surd.sqrt(moments(votes)[2])}, and of their {len(keys)} keys "
        f"{sum(fine)} satisfy eqs. 41 to 48 and {len(keys) - sum(fine)} do not",
        proof=derivation.to_document(),
    )


def _one_imaginary(printed: str) -> Finding:
    imaginary = [test for test in TESTS if not is_real(test)]
    return decided(
        len(imaginary) == int(printed),
        *(f"{test}: A = {moments_of(test).discriminant}" for test in TESTS),
        right=str(len(imaginary)),
        slip=True,
    )


def _others_go_well(_printed: str) -> Finding:
    real = [test for test in TESTS if is_real(test)]
    roots = {test: Surd.sqrt(moments_of(test).discriminant) for test in real}
    return by_reading(
        {
            "the solution is real": decided(len(real) == 2, f"A > 0 for {', '.join(real)}"),
            "the square root resolves, as it must for independent judges": decided(
                all(root.is_rational for root in roots.values()),
                *(f"{test}: √A = {root}" for test, root in roots.items()),
                right="in none of the three tests are the judges error independent: each root shows it",
            ),
        }
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/sec-5-1/purely-algebraic",
        "section 5.1, list",
        Kind.SENTENCE,
        "Eq. 40 is algebraic and has no parameters but statistics of the votes.",
        _algebraic,
    ),
    Claim(
        "ntqr/sec-5-1/rational-evaluations",
        "section 5.1",
        Kind.SENTENCE,
        "Evaluations of finite tests are rational.",
        _rational_evaluations,
    ),
    Claim(
        "ntqr/sec-5-1/appendix-section",
        "section 5.1",
        Kind.SENTENCE,
        "The synthetic evaluation is in section 7.1 of the appendix.",
        _reference,
        printed="7.1",
    ),
    Claim(
        "ntqr/sec-5-1/may-be-irrational",
        "section 5.1, after table 1",
        Kind.SENTENCE,
        "The independent evaluator need not give rational numbers.",
        _may_be_irrational,
    ),
    Claim(
        "ntqr/sec-5-1/root-proves-correlation",
        "section 5.1, after table 1",
        Kind.THEOREM,
        "If the square root of eq. 40 does not resolve, the judges are not error independent.",
        _root_proves,
    ),
    Claim(
        "ntqr/sec-5-1/one-imaginary",
        "section 5.1, last sentences",
        Kind.COUNT,
        "One of the three tests has an imaginary solution.",
        _one_imaginary,
        printed="1",
    ),
    Claim(
        "ntqr/sec-5-1/others-go-well",
        "section 5.1, last sentences",
        Kind.SENTENCE,
        "The independent evaluator does well on the two other tests.",
        _others_go_well,
    ),
)
