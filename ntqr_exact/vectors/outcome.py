"""`TestRun`: a test that a program was asked, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.vectors.compare import Agreement
from ntqr_exact.vectors.document import Test
from ntqr_exact.vectors.judge import judge_output
from ntqr_exact.vectors.program import Answers, Failure

Outcome = Agreement | Failure

NEAR = mpq(1, 10**6)
"""A float that is no further off is taken for the right value, badly written, when the cause of failures is told."""


@dataclass(frozen=True, slots=True)
class TestRun:
    """A test and what came of it; `words` say what is wrong, and `is_near` whether a tolerance would mend it."""

    __test__ = False  # not one for pytest

    test: Test
    outcome: Outcome
    words: tuple[str, ...] = ()
    is_near: bool = False

    @property
    def is_right(self) -> bool:
        """Whether the output has the expected value."""
        return isinstance(self.outcome, Agreement) and self.outcome is not Agreement.WRONG

    @property
    def is_failed(self) -> bool:
        """Whether it was neither right nor skipped."""
        return not self.is_right and self.outcome is not Failure.SKIPPED


def outcome_of(test: Test, answers: Answers, tolerance: mpq) -> TestRun:
    """Return what came of a test that a program was asked."""
    if test.id in answers.failures:
        failure = answers.failures[test.id]
        return TestRun(test, failure, (failure.value,))
    output = answers.outputs[test.id]
    agreement, words = judge_output(test, output, tolerance)
    is_wrong = agreement is Agreement.WRONG
    return TestRun(
        test, agreement, words, is_wrong and judge_output(test, output, NEAR)[0] is not Agreement.WRONG
    )
