"""`checked`: a public function that was given something of a wrong kind says so, and names the argument.

Nothing is looked at before the function runs: it takes whatever works, and what it refuses in words of its own stays
so. Only where Python's own error comes out, such as that None has no length, the arguments are held against their
annotations, and the first that does not fit is named. If all fit, the error stays what it is: a fault of ours.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import update_wrapper
from inspect import Parameter, signature
from itertools import islice
from numbers import Integral
from types import FunctionType, SimpleNamespace, UnionType
from typing import IO, Any, Literal, NoReturn, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ntqr_exact.errors import BadArgument, NtqrExactError
from ntqr_exact.exact.rational import rational

_Function = TypeVar("_Function", bound=Callable[..., Any])

_LOOKED_AT = 10**6
"""So many items of what was given are looked at: a range may have no end that anybody lives to see."""

_OTHERS = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_RAW = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, AssertionError, OSError)


def checked(function: _Function) -> _Function:
    """Let a function name the argument that does not fit, where it would only fail.

    >>> @checked
    ... def length(names: Sequence[str]) -> int:
    ...     return len(names)
    >>> length(7)
    Traceback (most recent call last):
    ntqr_exact.errors.BadArgument: 7: the argument names of length is a Sequence[str]
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except raw as error:
            diagnose(function, error, args, kwargs)

    raw, diagnose = _RAW, _diagnose
    # With the globals of its module it is at home there, for doctest as for pickle.
    wrapper = FunctionType(
        call.__code__, cast(FunctionType, function).__globals__, function.__name__, None, call.__closure__
    )
    return cast(_Function, update_wrapper(wrapper, function))


def _diagnose(
    function: Callable[..., Any], error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> NoReturn:
    """Raise the error of the tree that the arguments deserve, or else the one that came."""
    if isinstance(error, NtqrExactError):
        raise error
    try:
        given = signature(function).bind(*args, **kwargs).arguments
    except TypeError:  # too few, too many or unknown ones: Python's words name them
        raise error from None
    home = sys.modules[function.__module__].__dict__
    consumed = None
    for name, value in given.items():
        parameter = signature(function).parameters[name]
        annotation = parameter.annotation
        if not isinstance(annotation, str) or value is parameter.default or parameter.kind in _OTHERS:
            continue
        whose = f"the argument {name} of {function.__qualname__.removesuffix('.__init__')}"
        if getattr(value, "closed", False) is True:
            raise BadArgument(value, f"{whose} is a closed file", "open it again") from None
        if not _fits(value, annotation, _Names(home)):
            raise BadArgument(value, f"{whose} is a {annotation}") from None
        if isinstance(value, Iterator):  # what it held is gone, and cannot be looked at again
            consumed = BadArgument(value, f"an item of {whose} does not fit {annotation}")
    if consumed is not None:
        raise consumed from None
    raise error


class _Exact:
    """What stands for anything that the door for numbers takes."""


class _Names(dict[str, Any]):
    """What a name in an annotation stands for, in its module or in another of ours; anything if it is not found."""

    def __getitem__(self, name: str) -> Any:
        """Look into the module, Python's own names, and all of our modules; an alias is read in turn."""
        if name == "RationalLike":
            return _Exact
        ours = (module.__dict__ for known, module in sys.modules.items() if known.startswith("ntqr_exact"))
        places = (dict(self), builtins.__dict__, *ours)
        kind = next((place[name] for place in places if name in place), Any)
        return self.kind(kind) if isinstance(kind, str) else kind

    def kind(self, annotation: str) -> Any:
        """Return what an annotation means."""
        try:
            return get_type_hints(SimpleNamespace(__annotations__={"it": annotation}), {}, self)["it"]
        except (TypeError, AttributeError, NameError):  # nothing that can be asked for
            return Any


def _fits(value: Any, kind: Any, names: _Names) -> bool:  # noqa: PLR0911, PLR0912 - a case each
    """Tell whether a value fits a kind, as far as its outer form goes and that of its items."""
    if isinstance(kind, str):
        kind = names.kind(kind)
    inner = get_args(kind)
    if isinstance(kind, UnionType) or get_origin(kind) is Union:
        return any(_fits(value, one, names) for one in inner)
    kind = get_origin(kind) or kind
    if kind is Literal:
        return any(type(value) is type(one) and value == one for one in inner)
    if kind is None:
        return value is None
    if kind is _Exact:
        return _is_exact(value)
    if kind is bool:
        return isinstance(value, bool) or type(value).__name__ == "bool_"
    if kind is int:
        return isinstance(value, Integral) and not isinstance(value, bool)
    if kind is Hashable:
        return _works(hash, value)
    if not isinstance(kind, type) or kind is Any:
        return True
    if issubclass(kind, Enum):
        return isinstance(value, kind | str)
    if kind is IO:  # whatever gives lines
        return hasattr(value, "__next__")
    if kind is tuple and inner and ... not in inner:
        return (
            isinstance(value, Sequence)
            and not isinstance(value, str)
            and _is_sequence(value)
            and len(value) == len(inner)
            and all(_fits(one, each, names) for one, each in zip(value, inner, strict=True))
        )
    if kind in (Mapping, dict):
        return isinstance(value, Mapping) and (
            len(inner) != 2
            or all(_fits(key, inner[0], names) and _fits(one, inner[1], names) for key, one in value.items())
        )
    if kind in (Iterable, Sequence, list, tuple):
        return (
            (kind is Iterable or _is_sequence(value))
            and not isinstance(value, bytes | bytearray | memoryview)
            and _works(iter, value)
            and (not inner or isinstance(value, Iterator) or _items_fit(value, inner, names))
        )
    try:
        return isinstance(value, kind)
    except TypeError:  # a protocol that cannot be asked for
        return True


def _is_sequence(value: Any) -> bool:
    return hasattr(type(value), "__getitem__") and not isinstance(value, Mapping | set) and _works(len, value)


def _items_fit(value: Any, kinds: tuple[Any, ...], names: _Names) -> bool:
    """Tell whether all items fit one of the kinds; a text is one of its own items, and nothing else may be."""
    try:
        items = list(islice(value, _LOOKED_AT))
    except Exception:  # what has items by their names is asked for its first
        return False
    return all(
        isinstance(value, str) if one is value else any(_fits(one, kind, names) for kind in kinds)
        for one in items
    )


def _works(function: Callable[[Any], object], value: Any) -> bool:
    """Tell whether a value can be asked this: an array without a dimension has all that is iterable, and is not."""
    try:
        function(value)
    except Exception:
        return False
    return True


def _is_exact(value: Any) -> bool:
    try:
        rational(value)
    except NtqrExactError:
        return False
    return True
