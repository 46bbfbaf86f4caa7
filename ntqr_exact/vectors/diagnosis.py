"""`TestRun`, what came of a test that a program was asked, and `diagnosis`, what the failed ones point to.

A flag, or a value of an input, is named only if it tells failed tests from right ones: half of the tests with it
fail or more, and of the others at most a quarter as many. Where nearly everything fails no special case is to blame.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.vectors.compare import Agreement
from ntqr_exact.vectors.document import Test
from ntqr_exact.vectors.family import REFUSED
from ntqr_exact.vectors.judge import judge_output
from ntqr_exact.vectors.program import Answers, Failure
from ntqr_exact.vectors.specification import cause_of

Outcome = Agreement | Failure

_NEAR = mpq(1, 10**6)
"""A float that is no further off is taken for the right value, badly written, when the cause of failures is told."""
_FEW_VALUES = 12
"""An input with more different values than these is no choice among some."""
_FEW_TESTS = 3
_NAMED = 5
_KEY = re.compile(r".*: the key .* is (missing|too much)")


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
        test, agreement, words, is_wrong and judge_output(test, output, _NEAR)[0] is not Agreement.WRONG
    )


def diagnosis(family: str, tests: Iterable[TestRun]) -> list[str]:
    """Return what the failed tests have in common, in words; what explains most of them first."""
    tried = [one for one in tests if one.outcome is not Failure.SKIPPED]
    failed = [one for one in tried if one.is_failed]
    if not any(isinstance(one.outcome, Agreement) for one in failed) and not any(
        one.is_right for one in tried
    ):
        return []  # nothing was answered, and how the program ended tells why
    near = sum(one.is_near for one in failed)
    if failed and 2 * near >= len(failed):
        return [
            f"floats ({near} of {len(failed)} failed answers are within {_NEAR} of what is expected): "
            'write numbers as texts, such as "3/8", or give --tolerance'
        ]
    keys = Counter(words for one in failed for words in set(one.words) if _KEY.fullmatch(words))
    common = [words for words in keys if 3 * keys[words] >= 2 * len(failed)]
    if common:
        return [f"{words} ({keys[words]} of {len(failed)} failed answers)" for words in sorted(common)]
    named = list(_telling(family, tried))
    answerable = [one for one in tried if not _is_refusal(one)]
    wrong = sum(one.is_failed for one in answerable)
    if not named and wrong and 4 * wrong >= 3 * len(answerable):
        return [
            f"nearly everything fails ({wrong} of {len(answerable)} tests with an answer): "
            "begin with the first failed test"
        ]
    return named


def _telling(family: str, tried: list[TestRun]) -> Iterator[str]:
    choices = _choices(tried)
    features = {one.test.id: {*one.test.body["flags"], *_chosen(one, choices)} for one in tried}
    found = []
    for feature in sorted(set().union(*features.values())):
        # a program that is all wrong may still refuse well, so refusals are no measure for other tests
        pool = [one for one in tried if feature == REFUSED or not _is_refusal(one)]
        with_it = [one for one in pool if feature in features[one.test.id]]
        others = [one for one in pool if feature not in features[one.test.id]]
        fails = sum(one.is_failed for one in with_it)
        elsewhere = sum(one.is_failed for one in others)
        has = len(with_it)
        if (
            with_it
            and others
            and fails
            and 2 * fails >= has
            and 4 * elsewhere * has <= fails * len(others)
            and (feature in with_it[0].test.body["flags"] or has >= _FEW_TESTS)
        ):
            told = f"{feature} ({fails} of {has} fail, {elsewhere} of {len(others)} others)"
            cause = cause_of(family, feature)
            found.append((fails, has, f"{told}: {cause}" if cause else told))
    found.sort(key=lambda one: (-one[0], *one[1:]))
    yield from (words for *_, words in found[:_NAMED])


def _is_refusal(one: TestRun) -> bool:
    return bool(one.test.body["result"] == "invalid")


def _choices(tried: list[TestRun]) -> set[str]:
    """Return the parts of the input that are one of a few values."""
    values: dict[str, set[str]] = {}
    for one in tried:
        for name, value in one.test.input.items():
            plain = isinstance(value, str | int) or value is None
            values.setdefault(name, set()).add(json.dumps(value if plain else [one.test.id]))
    return {name for name, some in values.items() if 1 < len(some) <= _FEW_VALUES}


def _chosen(one: TestRun, choices: set[str]) -> Iterator[str]:
    for name, value in one.test.input.items():
        if name in choices:
            yield f"{name} = {json.dumps(value, ensure_ascii=False)}"
