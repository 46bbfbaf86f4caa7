"""A source as a book: claims in the order of its text, each next to the check that judges it.

A claim is a head line and what follows it. The head has the name, the place, what is printed there and further arguments
of the check, with `verdict=` where the verdict is not *holds*, and `essential` where the authors should read it first:

    eq-20 | eq. 20 | a12 = 1 - e1 - e2 + e12 | verdict=misprint | essential
    Two judges agree if neither errs or both do.
    why: Pairs on which both err are taken away twice.
    right: a12 = 1 - e1 - e2 + 2*e12

What follows is the statement in our own words and fields: `why` and `by hand` tell an author what is wrong and how to see
it; `quote` is the place as printed, `right` what should be printed there (the check holds with it), `instead` the same in
words; `garbled` says what the extraction of the text may have spoilt, `note` is one more line of evidence, `theorem` what
the Coq library proves; a claim `with` another is told there. A claim without a check has a `remark` or says what is
`missing`. The docstring of a check is its only claim; `table` and `grid` give many claims to one check. A check reads its
arguments, which are texts, as its annotations say.
"""

from __future__ import annotations

import inspect
import re
import textwrap
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import SOURCES, Citation
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.judgement import DEVIATIONS, Finding, Verdict, noted

Check = Callable[..., Finding]
_FIELDS = "why|by hand|quote|right|instead|garbled|note|remark|missing|with|theorem"
_FIELD = re.compile(rf"({_FIELDS}):(?: (.*))?")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)*")


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a source; the module's text says what the fields are."""

    id: str
    place: str
    statement: str
    check: Check | None = None
    printed: str = ""
    args: tuple[str, ...] = ()
    verdict: Verdict = Verdict.HOLDS
    essential: bool = False
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The key of the source, the first part of the id."""
        return self.id.partition("/")[0]

    @property
    def citation(self) -> Citation:
        """The place, with its source."""
        return Citation(self.source, self.place)

    def __getitem__(self, name: str) -> str:
        return self.fields.get(name, "")

    def printing(self, text: str) -> Claim:
        """Return the claim as it would be if something else were printed."""
        return replace(self, printed=text)

    def find(self) -> Finding:
        """Run the check on what is printed; or return the remark, or what is missing.

        Raises `BadDocument` if the claim deviates, and does so also with what is given as right.
        """
        if self.check is None:
            missing = f"missing: {self['missing']}"
            verdict = Verdict.REMARK if self["remark"] else Verdict.NOT_CHECKABLE
            return Finding(verdict, (self["remark"] or missing,))
        found = noted(self.check(*self.values()), *self["note"].split(" // "))
        if found.verdict in DEVIATIONS and self["right"] and self.printed:
            again = replace(self, printed=self["right"], fields={}).find()
            if again.verdict in DEVIATIONS:
                raise BadDocument(self["right"], f"given as right in {self.id}, but it is not")
            return replace(found, right=self["right"])
        return found

    def values(self) -> list[Any]:
        """Return the arguments of the check, read as its annotations say."""
        kinds = _kinds(self.check)
        texts = [self.printed, *self.args] if self.printed else list(self.args)
        if not _required(self.check) <= len(texts) <= len(kinds):
            raise BadDocument(self.id, f"its check takes {len(kinds)} arguments, and {len(texts)} are given")
        return [read_as(kind, text) for kind, text in zip(kinds.values(), texts, strict=False)]


@cache
def _kinds(check: Check | None) -> dict[str, Any]:
    hints = typing.get_type_hints(check)
    return {name: hints[name] for name in inspect.signature(check or bool).parameters}


@cache
def _required(check: Check | None) -> int:
    defaults = [each.default for each in inspect.signature(check or bool).parameters.values()]
    return sum(each is inspect.Parameter.empty for each in defaults)


def read_as(kind: Any, text: str, separators: str = ";,") -> Any:
    """Return a text as a value of the type wanted: parts of a tuple are separated by ; and within them by commas.

    >>> read_as(tuple[mpq, ...], "1/2; 3"), read_as(dict[str, int], "all: 7; some: 3")
    ((mpq(1,2), mpq(3,1)), {'all': 7, 'some': 3})

    Raises `BadDocument` or `BadNumber` for a text of another form.
    """
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return read_as(next(each for each in inner if each is not type(None)), text)
    if origin is typing.Literal and text in inner:
        return text
    if origin is tuple:
        parts = [part.strip() for part in text.split(separators[0])] if text else []
        kinds = [inner[0]] * len(parts) if inner[-1] is ... else list(inner)
        if len(kinds) == len(parts):
            return tuple(read_as(each, part, separators[1:]) for each, part in zip(kinds, parts, strict=True))
    if origin is dict:
        pairs = [part.partition(":") for part in text.split(separators[0])]
        return {key.strip(): read_as(inner[1], part.strip(), separators[1:]) for key, _, part in pairs}
    if isinstance(kind, type) and origin is None:
        return _read_plain(kind, text)
    raise BadDocument(text, f"not of the form {kind}")


def _read_plain(kind: type, text: str) -> Any:
    if hasattr(kind, "from_text"):
        return kind.from_text(text)
    if issubclass(kind, str):
        return kind(text)
    if issubclass(kind, Enum) and text in {each.value for each in kind}:
        return kind(text)
    if kind is bool and text in ("yes", "no"):
        return text == "yes"
    if kind is mpq:
        return rational(text)
    if kind is int and rational(text).denominator == 1:
        return int(rational(text))
    raise BadDocument(text, f"not a {kind.__name__}")


@dataclass
class Book:
    """The claims of one source, by name, in the order of its text, with a summary for its authors."""

    source: str
    summary: str
    claims: dict[str, Claim] = field(default_factory=dict)

    def claim(self, check: Check) -> Check:
        """Add the claim that the docstring of a check tells."""
        head, *body = inspect.cleandoc(check.__doc__ or "").splitlines()
        self._add(check, head, body)
        return check

    def table(self, check: Check, text: str, *args: str, says: str = "") -> None:
        """Add claims of one check: a head line each, what follows it indented; no place means the one before.

        The statement is `says`, with the printed text and the arguments in their places, where none is written.
        """
        for head, body in _entries(text):
            self._add(check, head, body, args=args, says=says)

    def text(self, text: str) -> None:
        """Add claims without a check: remarks, and what cannot be checked."""
        for head, body in _entries(text):
            self._add(None, head, body)

    def grid(self, check: Check, name: str, place: str, says: str, text: str, *args: str) -> None:
        """Add a claim for each cell of a table, whose rows and columns are arguments of the check, after `args`.

        Cells are separated by |; a cell without a claim is empty, and `!misprint` in it is its verdict. Lines under a
        row that begin with a column tell its fields.
        """
        head, _, rows = text.strip("\n").partition("\n")
        columns = [each.strip() for each in head.split("|")][1:]
        for line, body in _entries(rows):
            row, *cells = (cell.strip() for cell in line.split("|"))
            more: dict[str, list[str]] = {column: [] for column in columns}
            for each in body:
                column, _, words = each.partition(" ")
                more[column].append(words)
            for column, cell in zip(columns, cells, strict=True):
                if cell:
                    printed, _, verdict = (part.strip() for part in cell.partition("!"))
                    named = {"row": row, "column": column}
                    parts = [name, place, printed, *args, *row.split("/"), column]
                    head = " | ".join(part.format(**named) for part in parts)
                    head += f" | verdict={verdict}" if verdict else ""
                    if "essential" in more[column]:
                        more[column].remove("essential")
                        head += " | essential"
                    self._add(check, head, [says.format(printed=printed, **named), *more[column]])

    def _add(self, check: Check | None, head: str, body: list[str], args: tuple[str, ...] = (), says: str = "") -> None:
        while body and body[0].startswith("| "):
            head = f"{head} {body.pop(0)}"
        name, place, *cells = (cell.strip() for cell in head.split(" | "))
        verdict, essential, statement, fields = Verdict.HOLDS, False, list[str](), dict[str, list[str]]()
        if cells and cells[-1] == "essential":
            essential = bool(cells.pop())
        if cells and cells[-1].startswith("verdict="):
            verdict = Verdict(cells.pop().removeprefix("verdict="))
        current = statement
        for line in body:
            match = _FIELD.fullmatch(line)
            current = fields.setdefault(match[1], []) if match else current
            current.append((match[2] or "") if match else line)
        takes = check is not None and next(iter(_kinds(check)), "") == "printed"
        printed, given = (cells[0], cells[1:]) if takes else ("", cells)
        if not place:
            place = next(reversed(self.claims.values())).place
        texts = {key: " ".join(lines).strip() for key, lines in fields.items()}
        says = " ".join(statement).strip() or says.format(printed, *given, printed=printed)
        identity = f"{self.source}/{name}"
        if (
            not _NAME.fullmatch(name)
            or identity in self.claims
            or (check is None) != bool(texts.keys() & {"remark", "missing"})
        ):
            raise BadDocument(identity, "a claim has a name of its own, and a check, a remark or what is missing")
        if check is None:
            verdict = Verdict.REMARK if "remark" in texts else Verdict.NOT_CHECKABLE
        claim = Claim(identity, place, says, check, printed, (*given, *args), verdict, essential, texts)
        self.claims[identity] = claim

    def printed(self, name: str) -> str:
        """Return what is printed at another claim, for a check that compares places."""
        return self.claims[f"{self.source}/{name}"].printed


def _entries(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each head line, and the lines that are indented below it."""
    head, body = "", list[str]()
    for line in textwrap.dedent(text).splitlines():
        if line.startswith(" "):
            body.append(line.strip())
        elif line:
            if head:
                yield head, body
            head, body = line, []
    yield head, body


class UnknownClaim(NtqrExactError, ValueError):
    """An id that no claim has."""


@cache
def book(source: str) -> Book:
    """Return the book of a source; no other is loaded."""
    return typing.cast(Book, import_module(f"ntqr_exact.ledger.{source}").BOOK)


@cache
def claims() -> dict[str, Claim]:
    """Return all claims by id, source after source, in the order of the text.

    >>> claims()["ntqr/eq-1"].printed
    'Qa + Qb = Q'
    """
    return {name: each for source in SOURCES for name, each in book(source).claims.items()}


def claim(identity: str) -> Claim:
    """Return a claim by its id; raise `UnknownClaim` with the nearest ids if there is none."""
    source = identity.partition("/")[0]
    known = book(source).claims if source in SOURCES else {}
    if identity not in known:
        from difflib import get_close_matches

        near = get_close_matches(identity, list(claims()), n=4)
        hint = f"perhaps {', '.join(near)}; " if near else ""
        remedy = f"{hint}sources are {', '.join(SOURCES)}, and `ntqr-exact ledger --list` lists all ids"
        raise UnknownClaim(identity, "no claim has this id", remedy)
    return known[identity]
