"""A source as a book: claims in the order of its text, each next to the check that judges it.

A claim is a head line and what follows it. The head has the name, the place, what is printed there and further arguments
of the check, then `verdict=` where the verdict is not *holds*, `essential` where the authors should read it first, and
`coq=` with the theorems of the Coq library that prove it:

    eq-20 | eq. 20 | a12 = 1 - e1 - e2 + e12 | verdict=misprint | essential
    Two judges agree if neither errs or both do.
    why: Pairs on which both err are taken away twice.
    right: a12 = 1 - e1 - e2 + 2*e12

What follows is the statement in our own words and fields: `why` and `by hand` tell an author what is wrong and how to see
it; `quote` is the place as printed, `right` what should be printed there (the check holds with it), `instead` the same in
words; `garbled` says what the extraction of the text may have spoilt; `note` is one more line of evidence; a claim `with`
another is reported with it. A check reads its arguments, which are texts, as its annotations say.
"""

from __future__ import annotations

import inspect
import re
import textwrap
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import SOURCES, Citation
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.judgement import DEVIATIONS, Finding, Verdict, noted

Check = Callable[..., Finding]
_FIELD = re.compile(r"(why|by hand|quote|right|instead|garbled|note|with):(?: (.*))?")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)*")
_OPTION = re.compile(r"(verdict|coq)=(.+)|(essential)")


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a source; `rows` are the rows of a claim over a table that was read, not computed."""

    id: str
    place: str
    statement: str
    check: Check | None = None
    printed: str = ""
    args: tuple[str, ...] = ()
    verdict: Verdict = Verdict.HOLDS
    essential: bool = False
    fields: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[tuple[str, ...], ...] = ()

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
        """Run the check on what is printed; a claim without a check has its rows as evidence.

        Raises `BadDocument` if the claim deviates, and does so also with what is given as right.
        """
        if self.check is None:
            return Finding(self.verdict, tuple("; ".join(filter(None, row)) for row in self.rows))
        finding = noted(self.check(*self.values()), *self["note"].split(" // "))
        if finding.verdict in DEVIATIONS and self["right"] and self.printed:
            again = replace(self, printed=self["right"], fields={}).find()
            if again.verdict in DEVIATIONS:
                raise BadDocument(self["right"], f"what {self.id} gives as right must hold")
            return replace(finding, right=self["right"])
        return finding

    def values(self) -> list[Any]:
        """Return the arguments of the check, read as its annotations say."""
        kinds, required = _kinds(self.check)
        texts = [self.printed, *self.args] if self.printed else list(self.args)
        if not required <= len(texts) <= len(kinds):
            raise BadDocument(self.id, f"a claim must give its check {required} to {len(kinds)} arguments, not {len(texts)}")
        return [read_as(kind, text) for kind, text in zip(kinds.values(), texts, strict=False)]


@cache
def _kinds(check: Check | None) -> tuple[dict[str, Any], int]:
    """Return the types of the parameters of a check by name, and how many have no default."""
    hints, parameters = typing.get_type_hints(check), inspect.signature(check or bool).parameters
    required = sum(each.default is inspect.Parameter.empty for each in parameters.values())
    return {name: hints[name] for name in parameters}, required


def read_as(kind: Any, text: str, separators: str = ";,") -> Any:  # noqa: PLR0911  (a return for each kind)
    """Return a text as a value of the type wanted: parts of a tuple are separated by ; and within them by commas.

    >>> read_as(tuple[mpq, ...], "1/2; 3"), read_as(dict[str, int], "all: 7; some: 3")
    ((mpq(1,2), mpq(3,1)), {'all': 7, 'some': 3})

    Raises `BadDocument`, `BadNumber` or `ValueError` for a text of another form.
    """
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if isinstance(kind, types.UnionType):
        return read_as(inner[0], text)
    if origin is tuple:
        parts = [part.strip() for part in text.split(separators[0])]
        kinds = [inner[0]] * len(parts) if inner[-1] is ... else list(inner)
        if len(kinds) == len(parts):
            return tuple(read_as(each, part, separators[1:]) for each, part in zip(kinds, parts, strict=True))
    elif origin is dict:
        pairs = [part.partition(":") for part in text.split(separators[0])]
        return {key.strip(): read_as(inner[1], part.strip(), separators[1:]) for key, _, part in pairs}
    elif hasattr(kind, "from_text"):
        return kind.from_text(text)
    elif kind is mpq:
        return rational(text)
    elif kind is int and rational(text).denominator == 1:
        return int(rational(text))
    elif kind is not int:
        return kind(text)
    raise BadDocument(text, f"an argument must have the form {kind}")


@dataclass
class Book:
    """The claims of one source, by name, in the order of its text, with a summary for its authors."""

    source: str
    summary: str
    claims: dict[str, Claim] = field(default_factory=dict)

    def claim(self, check: Check) -> Check:
        """Add the claim that is the docstring of a check."""
        head, *body = inspect.cleandoc(check.__doc__ or "").splitlines()
        self._add(check, head, body)
        return check

    def table(self, check: Check, text: str = "") -> Check:
        """Add claims of one check, by default those in its docstring: a head line each, what follows it indented.

        No place means the one before. A first line `says: …` is the statement where none is written, with the cells after
        the place put in; without it the statement is the printed formula.
        """
        says = ""
        for head, body in _entries(text or inspect.cleandoc(check.__doc__ or "")):
            if head.startswith("says: "):
                says = " ".join([head.removeprefix("says: "), *body])
            else:
                self._add(check, head, body, says)
        return check

    def grid(
        self, check: Check, name: str, place: str, says: str, text: str, *args: str, words: Mapping[str, str] | None = None
    ) -> None:
        """Add a claim for each cell of a table, whose rows and columns are arguments of the check, after `args`.

        Cells are separated by |; an empty cell has no claim. `!misprint` in a cell is its verdict, and `!misprint with NAME` says
        that it is reported with another claim. Lines under a row that begin with columns are their fields. `{Row}` and
        `{Column}` in the place and the statement are `words` for people.
        """
        head, _, rows = text.strip("\n").partition("\n")
        columns = [each.strip() for each in head.split("|")][1:]
        for line, body in _entries(rows):
            row, *cells = (cell.strip() for cell in line.split("|"))
            for column, cell in zip(columns, cells, strict=True):
                printed, _, options = (part.strip() for part in cell.partition("!"))
                verdict, _, other = options.partition(" with ")
                more = [words for keys, _, words in (line.partition(" ") for line in body) if column in keys.split(",")]
                named = {"row": row, "column": column, "printed": printed}
                named |= {"Row": (words or {}).get(row, row), "Column": (words or {}).get(column, column)}
                parts = [name, place, printed, *args, *row.split("/"), column]
                parts += [f"verdict={verdict}"] * bool(verdict) + ["essential"] * ("essential" in more)
                lines = [says.format(**named), *(each for each in more if each != "essential")]
                if cell:
                    self._add(check, " | ".join(parts).format(**named), lines + [f"with: {other}"] * bool(other))

    def words(self, text: str) -> None:
        """Add one claim over all remarks on words and references: place, as printed, as it should be, remark."""
        self._rows("words", "Remarks on words, symbols and references, which were read and not computed.", Verdict.REMARK, text)

    def missing(self, text: str) -> None:
        """Add one claim over all that the source does not let one check: place, statement, what is missing."""
        self._rows("not-in-the-text", "What cannot be checked from the text.", Verdict.NOT_CHECKABLE, text)

    def _rows(self, name: str, statement: str, verdict: Verdict, text: str) -> None:
        rows = tuple(tuple(c.strip() for c in " ".join([head, *body]).split(" | ")) for head, body in _entries(text))
        identity = f"{self.source}/{name}"
        self.claims[identity] = Claim(identity, "the whole text", statement, verdict=verdict, rows=rows)

    def _add(self, check: Check, head: str, body: list[str], says: str = "") -> None:
        while body and body[0].startswith(("| ", "; ", "= ")):
            head = f"{head} {body.pop(0)}"
        name, place, *cells = (cell.strip() for cell in head.split(" | "))
        fields: dict[str, list[str]] = {"": []}
        options: dict[str, str] = {}
        while cells and (option := _OPTION.fullmatch(cells[-1])):
            cells.pop()
            options[option[1] or option[3]] = option[2] or ""
        current = fields[""]
        for line in body:
            match = _FIELD.fullmatch(line)
            current = fields.setdefault(match[1], []) if match else current
            current.append((match[2] or "") if match else line)
        texts = {key: " ".join(lines).strip() for key, lines in fields.items()}
        if "coq" in options:
            texts["theorem"] = options["coq"]
        statement = texts.pop("") or says.format(*cells)
        kinds = _kinds(check)[0]
        printed = cells.pop(0) if next(iter(kinds), "") == "printed" else ""
        statement = statement or f"${kinds['printed'].from_text(printed).latex()}$."
        place = place or next(reversed(self.claims.values())).place
        identity, verdict = f"{self.source}/{name}", Verdict(options.get("verdict", "holds"))
        if not _NAME.fullmatch(name) or identity in self.claims:
            raise BadDocument(identity, "the id of a claim must be well formed and unique")
        essential = "essential" in options
        self.claims[identity] = Claim(identity, place, statement, check, printed, tuple(cells), verdict, essential, texts)

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
    """Return all claims by id, source after source, in the order of the text."""
    return {name: each for source in SOURCES for name, each in book(source).claims.items()}


def claim(identity: str) -> Claim:
    """Return a claim by its id; raise `UnknownClaim` with the nearest ids if there is none."""
    source = identity.partition("/")[0]
    known = book(source).claims if source in SOURCES else {}
    if identity not in known:
        from difflib import get_close_matches

        near = get_close_matches(identity, list(claims()), n=4)
        hint = f"perhaps {', '.join(near)}; " if near else ""
        remedy = f"{hint}sources are {', '.join(SOURCES)}, and `ntqr-exact ledger check --source NAME` lists ids"
        raise UnknownClaim(identity, "id must be that of a claim", remedy)
    return known[identity]
