"""Checks: named functions with typed parameters that claims share.

A check is a public function that returns a `Finding`. A claim names it as `module.function`; the module is that of its
source (`ledger/SOURCE/module.py`), or `equations`, which all sources share. Its first parameter takes what is
printed, if the claim has something printed; the keyword parameters take the claim's `with`. The annotations say how
data become values: a number is written as a string, and a type of its own reads itself by `from_data`.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache, partial
from importlib.util import find_spec
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.judgement import Finding

_SHARED = "equations"


@cache
def check_named(source: str, name: str) -> Callable[..., Finding]:
    """Return the check that claims of a source call `module.function`.

    Raises `BadDocument` if there is none.
    """
    module, dot, function = name.partition(".")
    place = f"ntqr_exact.ledger.{module if module == _SHARED else f'{source}.{module}'}"
    if dot and not function.startswith("_") and find_spec(place) is not None:
        found = getattr(importlib.import_module(place), function, None)
        if (
            getattr(found, "__module__", "") == place
            and typing.get_type_hints(found).get("return") is Finding
        ):
            return typing.cast("Callable[..., Finding]", found)
    raise BadDocument(name, f"no check of {source} has this name", "as in identities.identity")


def bound(source: str, name: str, printed: Any, parameters: Mapping[str, Any]) -> Callable[[], Finding]:
    """Return a check with its arguments, read from data as its annotations say; what does not fit is refused."""
    function = check_named(source, name)
    hints = typing.get_type_hints(function)
    positional, keyword = _parameters(function)
    data = dict(parameters)
    if (printed != "") != bool(positional):
        words = "takes something printed" if positional else "takes nothing printed"
        raise BadDocument(name, f"this check {words}")
    required = {each.name for each in keyword if each.default is inspect.Parameter.empty}
    if not required <= set(data) <= {each.name for each in keyword}:
        raise BadDocument(
            sorted(data), f"{name} takes {', '.join(each.name for each in keyword) or 'nothing'}"
        )
    values = {key: read_as(hints[key], value) for key, value in data.items()}
    return partial(function, *(read_as(hints[each], printed) for each in positional), **values)


def printed_value(source: str, name: str, printed: Any) -> Any:
    """Return something printed as the value that a check takes; plain numbers stay as they are printed."""
    function = check_named(source, name)
    positional, _ = _parameters(function)
    return _as_printed(read_as(typing.get_type_hints(function)[positional[0]], printed), printed)


def _as_printed(value: Any, printed: Any) -> Any:
    """Return a value with the texts of its plain numbers in place of the numbers: 0.38 is not shown as 19/50."""
    if isinstance(value, type(mpq())):
        return printed
    if isinstance(value, tuple) and isinstance(printed, list):
        return tuple(map(_as_printed, value, printed))
    if isinstance(value, Mapping) and isinstance(printed, Mapping):
        return {key: _as_printed(part, printed[key]) for key, part in value.items()}
    return value


@cache
def _parameters(function: Callable[..., Any]) -> tuple[tuple[str, ...], tuple[inspect.Parameter, ...]]:
    """Return the name of the parameter for what is printed, if there is one, and the keyword parameters."""
    parameters = inspect.signature(function).parameters.values()
    keyword = tuple(each for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY)
    return tuple(each.name for each in parameters if each not in keyword), keyword


def read_as(kind: Any, value: Any) -> Any:
    """Return data as a value of the type wanted.

    >>> read_as(tuple[mpq, ...], ["1/2", "3"]), read_as(int, 7)
    ((mpq(1,2), mpq(3,1)), 7)

    Raises `BadDocument` for data of another form.
    """
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        chosen = [each for each in inner if each is not type(None)]
        return read_as(chosen[0], value) if len(chosen) == 1 else value
    if origin is typing.Literal:
        return _one_of(value, inner)
    if origin is tuple and isinstance(value, list | tuple):
        kinds = [inner[0]] * len(value) if len(inner) == 2 and inner[1] is ... else list(inner)
        if len(kinds) == len(value):
            return tuple(read_as(each, part) for each, part in zip(kinds, value, strict=True))
    elif origin is not None and isinstance(value, Mapping):
        return {key: read_as(inner[1], part) for key, part in value.items()}
    elif origin is None:
        return _read_plain(kind, value)
    raise BadDocument(value, f"here stands {kind}")


def _read_plain(kind: Any, value: Any) -> Any:
    """Return data as a value of a plain type: one that reads itself, a number, an enum, a dataclass from a table."""
    if kind is Any or (kind in (str, bool) and type(value) is kind):
        return value
    if hasattr(kind, "from_data"):
        return kind.from_data(value)
    if kind is mpq and isinstance(value, str):
        return rational(value)
    if kind is int and type(value) in (int, str) and rational(value).denominator == 1:
        return int(rational(value))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(_one_of(value, [each.value for each in kind]))
    hints = typing.get_type_hints(kind) if dataclasses.is_dataclass(kind) else {}
    if isinstance(value, Mapping) and hints and set(value) <= set(hints):
        return kind(**{key: read_as(hints[key], part) for key, part in value.items()})
    raise BadDocument(value, f"here stands a {getattr(kind, '__name__', kind)}, with numbers as strings")


def _one_of(value: Any, allowed: Any) -> Any:
    if value not in allowed:
        raise BadDocument(value, f"one of {', '.join(map(str, allowed))}")
    return value
