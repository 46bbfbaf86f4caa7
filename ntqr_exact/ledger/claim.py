"""`Claim`: where a statement stands, what it says, what is printed there, and by what check it is judged.

Claims are data: `ntqr_exact/data/ledger/SOURCE.toml` holds those of a source, and `registry` reads them. A check is a
public function that returns a `Finding`. A claim names it as `module.function`; the module is that of its source
(`ledger/SOURCE/module.py`), or `equations`, which all sources share. Its first parameter takes what is printed, if the
claim has something printed; the keyword parameters take the claim's `with`. The annotations say how data become
values: a number is written as a string, and a type of its own reads itself by `from_data`.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, partial
from importlib.util import find_spec
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.ledger.judgement import DEVIATIONS, Finding, Verdict, noted
from ntqr_exact.ledger.printed_value import latex_of, text_of

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


_ID = re.compile(r"[a-z0-9_]+(/[a-z0-9][a-z0-9-]*)+")


class Kind(Enum):
    """What sort of statement a claim is."""

    DEFINITION = "definition"
    IDENTITY = "identity"
    COUNT = "count"
    NUMBER = "number"
    DECISION = "decision"
    THEOREM = "theorem"
    SENTENCE = "sentence"
    WORDING = "wording"


class ErrataSection(Enum):
    """Where a deviation stands in the note for the authors."""

    ERROR = "error"
    WORDING = "wording"
    EXTRACTION = "extraction"


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a source.

    `statement` tells in our own words what is claimed, with formulas in LaTeX between dollar signs. `printed` holds
    what stands in the source, as data: text, lists and tables, with numbers as strings. `check` names the function
    (`module.function`) that is given `printed` and `parameters` and computes the finding.

    What no computation decides has no check. An editor's `remark` on a word or a reference is marked as such; and
    `missing` says what would be needed to judge a claim that the source leaves open.

    `quote` is the printed place in LaTeX where it cannot be made from `printed`. `right` is what should be printed,
    in the form of `printed`; the claim with it in place of `printed` holds, which a test shows. `why` tells an author
    what is wrong, `by_hand` how to see it with pencil and paper, `garbled` what the extraction of the text may have
    spoilt. Claims that share a `group` are one fact. `theorem` names what the Coq library of `proofs` proves of it.
    `note` is one more line of evidence, or several, in words that no computation makes.
    """

    id: str
    place: str
    kind: Kind
    statement: str
    check: str = ""
    printed: Any = ""
    garbled: str = ""
    by_hand: str = ""
    parameters: Mapping[str, Any] = FrozenMapping({})
    quote: str = ""
    right: Any = ""
    why: str = ""
    remark: str = ""
    missing: str = ""
    group: str = ""
    section: ErrataSection | None = None
    theorem: str = ""
    note: str | list[str] = ""

    def __post_init__(self) -> None:
        """Refuse an id of another form or of no source, and a claim that is not judged in exactly one way."""
        if not _ID.fullmatch(self.id):
            raise BadDocument(self.id, "an id is source/place, in small letters, digits and -")
        Citation(self.source, self.place)
        if sum(map(bool, (self.check, self.remark, self.missing))) != 1:
            raise BadDocument(self.id, "a claim has either a check, or a remark, or what is missing")
        if (self.kind is Kind.WORDING) != bool(self.remark):
            raise BadDocument(self.id, "a remark is of the kind 'wording', and nothing else is")

    @property
    def source(self) -> str:
        """The key of the source, the first part of the id."""
        return self.id.partition("/")[0]

    @property
    def citation(self) -> Citation:
        """The place, with its source."""
        return Citation(self.source, self.place)

    def printing(self, value: Any) -> Claim:
        """Return the claim as it would be if something else were printed."""
        return replace(self, printed=value)

    def text(self, printed: Any) -> str:
        """Return something printed here, or right here, as a line of text."""
        return text_of(self._value(printed))

    def latex(self, printed: Any) -> str:
        """Return something printed here, or right here, as Markdown with LaTeX."""
        return latex_of(self._value(printed))

    def _value(self, printed: Any) -> Any:
        return printed_value(self.source, self.check, printed) if self.check and printed != "" else printed

    def find(self) -> Finding:
        """Run the check on what is printed; or return the remark, or what is missing.

        Raises `BadDocument` if the claim deviates, and does so also with what is given as right.
        """
        if self.remark:
            return Finding(Verdict.REMARK, (self.remark,))
        if self.missing:
            return Finding(Verdict.NOT_CHECKABLE, (f"missing: {self.missing}",))
        found = bound(self.source, self.check, self.printed, self.parameters)()
        found = noted(found, *([self.note] if isinstance(self.note, str) else self.note))
        if found.verdict in DEVIATIONS and self.right != "":
            if replace(self, printed=self.right, right="").find().verdict in DEVIATIONS:
                raise BadDocument(self.right, f"given as right in {self.id}, but it is not")
            return replace(found, right=self.text(self.right))
        return found


@dataclass(frozen=True, slots=True)
class Group:
    """One fact behind several claims, as the note for the authors tells it."""

    id: str
    place: str
    why: str
    quote: str = ""
    right: str = ""
    by_hand: str = ""
    section: ErrataSection | None = None
