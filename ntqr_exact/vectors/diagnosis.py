"""`diagnosis`: what the failed tests of a family point to.

A flag, or a value of an input, is named only if it tells failed tests from right ones: half of the tests with it
fail or more, and of the others at most a quarter as many. Where nearly everything fails no special case is to blame.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ntqr_exact.vectors.causes import cause_of
from ntqr_exact.vectors.compare import Agreement
from ntqr_exact.vectors.family import REFUSED
from ntqr_exact.vectors.outcome import NEAR, TestRun
from ntqr_exact.vectors.program import Failure

_FEW_VALUES = 12
"""An input with more different values than these is no choice among some."""
_FEW_TESTS = 3
_NAMED = 5
_KEY = re.compile(r".*: the key .* is (missing|too much)")


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
            f"floats ({near} of {len(failed)} failed answers are within {NEAR} of what is expected): "
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
