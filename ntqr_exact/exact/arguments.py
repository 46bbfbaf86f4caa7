"""`checked`: a public function that was given something of a wrong kind says so, and names the argument.

Nothing is looked at before the function runs: it takes whatever works, and what it refuses in words of its own stays
so. Only where Python's own error comes out, such as that None has no length, the arguments are held against their
annotations, and the first that does not fit is named. If all fit, the error stays what it is: a fault of ours.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import update_wrapper
from inspect import Parameter, signature
from types import FunctionType, UnionType
from typing import IO, Any, NoReturn, TypeVar, cast, get_args, get_origin

from ntqr_exact.errors import BadArgument, NtqrExactError
from ntqr_exact.exact.rational import rational

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Fits = Callable[[Any], bool]

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
        if not _reading(ast.parse(annotation, mode="eval").body, home)(value):
            raise BadArgument(value, f"{whose} is a {annotation}") from None
        if isinstance(value, Iterator):  # what it held is gone, and cannot be looked at again
            consumed = BadArgument(value, f"an item of {whose} does not fit {annotation}")
    if consumed is not None:
        raise consumed from None
    raise error


def _reading(node: ast.expr, home: Mapping[str, Any]) -> _Fits:  # noqa: PLR0911 - a case each
    """Return what tells whether a value fits an annotation, as far as its outer form goes and that of its items."""
    match node:
        case ast.BinOp(left=left, right=right):
            return _one_of([_reading(left, home), _reading(right, home)])
        case ast.Constant(value=None):
            return lambda value: value is None
        case ast.Constant(value=str() as text):
            return _reading(ast.parse(text, mode="eval").body, home)
        case ast.Subscript(value=kind, slice=items):
            outer = _named(kind, home)
            if isinstance(outer, str):
                return _plain(outer, home)
            inner = items.elts if isinstance(items, ast.Tuple) else [items]
            return _container(outer, [_reading(one, home) for one in inner], is_fixed=not _is_open(inner))
        case ast.Name() | ast.Attribute():
            return _plain(_named(node, home), home)
    return _anything


def _named(node: ast.expr, home: Mapping[str, Any]) -> Any:
    """Return what a name stands for, in its module or in another of ours; anything if that is not to be found."""
    match node:
        case ast.Name(id="RationalLike"):
            return _EXACT
        case ast.Name(id=name):
            ours = (
                module.__dict__ for known, module in sys.modules.items() if known.startswith("ntqr_exact")
            )
            return next((place[name] for place in (home, builtins.__dict__, *ours) if name in place), Any)
        case ast.Attribute(value=value, attr=name):
            return getattr(_named(value, home), name, Any)
    return Any


_EXACT = object()
"""What stands for anything that the door for numbers takes."""


def _plain(kind: Any, home: Mapping[str, Any]) -> _Fits:  # noqa: PLR0911 - a case each
    if kind is _EXACT:
        return _is_exact
    if isinstance(kind, str):  # an alias
        return _reading(ast.parse(kind, mode="eval").body, home)
    if isinstance(kind, UnionType) or get_origin(kind) is not None:
        parts = [_plain(one, home) for one in get_args(kind)]
        if isinstance(kind, UnionType):
            return _one_of(parts)
        return _container(get_origin(kind), parts, is_fixed=... not in get_args(kind))
    if kind is bool:
        return lambda value: isinstance(value, bool) or type(value).__name__ == "bool_"
    if kind is int:
        return lambda value: hasattr(type(value), "__index__") and not isinstance(value, bool)
    if not isinstance(kind, type):
        return _anything
    if issubclass(kind, Enum):
        return lambda value: isinstance(value, kind | str)
    return _container(kind, [])


def _is_a(value: Any, kind: type) -> bool:
    try:
        return isinstance(value, kind)
    except TypeError:  # a protocol that cannot be asked for
        return True


def _one_of(kinds: Sequence[_Fits]) -> _Fits:
    return lambda value: any(fits(value) for fits in kinds)


def _is_open(items: Sequence[ast.expr]) -> bool:
    return any(isinstance(one, ast.Constant) and one.value is ... for one in items)


def _container(kind: Any, inner: Sequence[_Fits], *, is_fixed: bool = False) -> _Fits:
    if not isinstance(kind, type):
        return _anything
    if kind is IO:  # whatever gives lines
        return lambda value: hasattr(value, "__next__")
    if kind is tuple and is_fixed and inner:
        return lambda value: (
            isinstance(value, Sequence)
            and not isinstance(value, str)
            and len(value) == len(inner)
            and all(fits(one) for fits, one in zip(inner, value, strict=True))
        )
    if kind in (Mapping, dict):
        return lambda value: (
            isinstance(value, Mapping)
            and (len(inner) != 2 or all(inner[0](key) and inner[1](one) for key, one in value.items()))
        )
    if kind in (Iterable, Sequence, list, tuple):
        wanted = ("__iter__",) if kind is Iterable else ("__len__", "__getitem__")
        return lambda value: (
            all(hasattr(type(value), name) for name in wanted)
            and not isinstance(value, bytes)
            and (kind is Iterable or not isinstance(value, Mapping | set))
            and _items_fit(value, inner)
        )
    return lambda value: _is_a(value, kind)


def _items_fit(value: Any, inner: Sequence[_Fits]) -> bool:
    return not (inner and isinstance(value, list | tuple | set | frozenset | str)) or all(
        any(fits(one) for fits in inner) for one in value if one is not value
    )


def _is_exact(value: Any) -> bool:
    try:
        rational(value)
    except NtqrExactError:
        return False
    return True


def _anything(value: Any) -> bool:  # noqa: ARG001
    return True
