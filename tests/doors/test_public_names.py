"""Every public name, called with what people pass by mistake: it works, or an error of the tree names what is wrong."""

import importlib.util
import io
from collections import deque
from contextlib import AbstractContextManager
from enum import Enum
from pathlib import Path

import numpy
import pytest

import ntqr_exact
import ntqr_exact.study.study
from ntqr_exact.errors import BadArgument, NtqrExactError

_SPEC = importlib.util.spec_from_file_location("public_calls", Path(__file__).parent / "public_calls.py")
public = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(public)

EVERY = 29
"""The quick test tries every twenty-ninth combination, the slow one all."""

CALLABLES = {"a class", "a function"}
"""Where a function of the user's is asked for, these are one, and what they raise is their own."""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    """A wrong thing that is a text may be taken for the name of a file to write."""
    monkeypatch.chdir(tmp_path)


def use(function, args, kwargs):
    result = function(*args, **kwargs)
    if isinstance(result, ntqr_exact.MetricFunction):
        result([0, 1, 2], [0, 1, 1])
    elif isinstance(result, AbstractContextManager):
        with result:
            pass


def is_asked_for(function, place, thing):
    return thing in CALLABLES and place in (1, "progress", "executor") and function is not None


def raw_errors(folder, *, every):
    """Call each name with each argument replaced by each wrong thing; yield what is not an error of the tree."""
    number = 0
    for name, function, args, kwargs in public.calls(folder):
        for place in (*range(len(args)), *kwargs):
            for thing in public.wrong_things():
                number += 1
                if number % every or is_asked_for(function, place, thing):
                    continue
                changed, options = list(args), dict(kwargs)
                (changed if isinstance(place, int) else options)[place] = public.wrong_things()[thing]
                try:
                    use(function, changed, options)
                except NtqrExactError as error:
                    if not str(error).strip() or "\n" in str(error):
                        yield name, place, thing, "an error of one line"
                except Exception as error:
                    yield name, place, thing, repr(error)[:200]


def test_every_public_name_is_called_or_is_a_value_that_a_function_makes(tmp_path):
    called = {name for name, *_ in public.calls(tmp_path)}
    rest = [getattr(ntqr_exact, name) for name in set(ntqr_exact.__all__) - called]
    assert all(
        issubclass(one, Enum | ntqr_exact.study.study.Part | ntqr_exact.study.study.Study) for one in rest
    ), rest


def test_the_calls_that_are_changed_work_as_they_are(tmp_path):
    for name, function, args, kwargs in public.calls(tmp_path):
        if not name.startswith("check_"):
            use(function, args, kwargs)


def test_a_wrong_thing_is_taken_or_named_by_an_error_of_the_tree(tmp_path):
    assert list(raw_errors(tmp_path, every=EVERY)) == []


@pytest.mark.slow
def test_every_wrong_thing_in_every_place_is_taken_or_named_by_an_error_of_the_tree(tmp_path):
    assert list(raw_errors(tmp_path, every=1)) == []


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: ntqr_exact.bootstrap([1, 2], None, resamples=2, seed=1), "statistic of bootstrap"),
        (lambda: ntqr_exact.roc_auc(None, ["0.5"]), "argument labels of"),
        (lambda: ntqr_exact.read_votes(io.StringIO("A\na\n"), delimiter=7), "delimiter of read_votes"),
        (lambda: ntqr_exact.corrected_share([], sensitivity=(1, 2), specificity=(1, 2)), "called_positive"),
        (lambda: ntqr_exact.atc([["1/2", "1/2"]], None, error=0), "target of atc"),
        (lambda: ntqr_exact.CountEvaluation({"a": 1, "b": 1}, None), "confusion of CountEvaluation"),
        (lambda: ntqr_exact.CountEvaluation({"a": 1, "b": 1}, numpy.array([1])), "confusion of CountEval"),
        (lambda: ntqr_exact.Evaluation({"a": 1, "b": 0}, deque(["ab"])), "response_rates of Evaluation"),
        (lambda: ntqr_exact.AnswerTable(range(3), ["a", "b"]), "rows of AnswerTable"),
        (lambda: ntqr_exact.VoteCounts({"ab": 1}, numpy.array(3)), "labels of VoteCounts"),
        (lambda: ntqr_exact.rank([True], [1], classes=[[], [1]]), "classes of rank"),
    ],
)
def test_the_error_names_the_argument(call, argument):
    with pytest.raises(BadArgument, match=argument):
        call()


def test_an_error_of_our_own_making_stays_visible_where_all_arguments_fit():
    from ntqr_exact.exact.arguments import checked

    @checked
    def broken(numbers: list[int]) -> int:
        return numbers.length

    with pytest.raises(AttributeError):
        broken([1])
    with pytest.raises(TypeError, match="missing 1 required"):
        broken()
