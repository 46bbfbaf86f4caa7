"""The error tree keeps its operands, and its messages fit on one line whatever was given."""

import copy
import inspect
import pickle
from fractions import Fraction

import numpy
import pandas
import pytest
import sympy
from gmpy2 import mpq, mpz

from ntqr_exact import errors
from ntqr_exact.errors import NtqrExactError, shown


class Unshowable:
    def __repr__(self):
        raise RuntimeError


CLASSES = [
    cls
    for _, cls in inspect.getmembers(errors, inspect.isclass)
    if cls.__module__ == errors.__name__ and not issubclass(cls, Warning)
]


@pytest.mark.parametrize("cls", CLASSES)
def test_every_error_is_ours_and_one_that_other_code_catches(cls):
    assert issubclass(cls, NtqrExactError)
    builtin = (ValueError, TypeError, ArithmeticError, ImportError, NotImplementedError, RuntimeError)
    assert cls is NtqrExactError or issubclass(cls, builtin)


@pytest.mark.parametrize("cls", CLASSES)
def test_given_rule_and_remedy_are_kept_and_survive_pickling_and_copying(cls):
    error = cls(mpq(1, 3), "the rule", "the remedy")
    for twin in (error, pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(twin) is cls
        assert (twin.given, twin.rule, twin.remedy) == (mpq(1, 3), "the rule", "the remedy")
        assert str(twin) == "mpq(1,3): the rule; the remedy"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x" * 118, repr("x" * 118)),
        ("x" * 119 + "y", "'" + "x" * 56 + "..." + "x" * 58 + "y'"),
        ("x" * 10**6 + "y", "'" + "x" * 56 + "..." + "x" * 58 + "y'"),
        ("\n" * 61, repr("\n" * 61)[:57] + "..." + repr("\n" * 61)[-60:]),
        (2**200 - 1, str(2**200 - 1)),
        (2**200, "an integer of 201 bits"),
        (-(2**200), "an integer of 201 bits"),
        (True, "True"),
        (b"x" * 117, repr(b"x" * 117)),
        (b"x" * 118, repr(b"x" * 118)[:57] + "..." + repr(b"x" * 118)[-60:]),
        (mpz(10) ** 1000, f"mpz(1{'0' * 52}...{'0' * 59})"),
        ((10**5000, 1), "a tuple that cannot be shown"),
        (Unshowable(), "a Unshowable that cannot be shown"),
        (numpy.array([[1, 2], [3, 4]]), "array([[1, 2], [3, 4]])"),
        (pandas.Series([1, 2]), "0 1 1 2 dtype: int64"),
        (Fraction(10**5000, 3), "a Fraction that cannot be shown"),
        (sympy.Integer(10) ** 5000, "a Integer that cannot be shown"),
    ],
)
def test_shown_value_is_short(value, text):
    assert shown(value) == text
    assert str(NtqrExactError(value, "rule")) == f"{text}: rule"
