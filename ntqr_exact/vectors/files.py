"""Reading a set of vectors: a directory with an index, a schema and a file for each family."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from ntqr_exact.errors import BadDocument, shown
from ntqr_exact.exact.json_text import read_json, write_json
from ntqr_exact.vectors.document import RESULTS, Test
from ntqr_exact.vectors.specification import Document

INDEX = "index.json"
SCHEMA = "schema.json"
_INDEX_FORMAT = "ntqr-exact-vectors-index/1"

_ENTRY = {"family": str, "version": int, "title": str, "file": str, "tests": int, "sha256": str}
_HEADER = {
    "format": str,
    "family": str,
    "version": int,
    "title": str,
    "citations": list,
    "algorithm": list,
    "numbers": list,
    "results": dict,
    "flags": dict,
    "errors": dict,
    "witnesses": dict,
    "input": dict,
    "expected": dict,
    "seed": str,
    "random_tests": int,
    "tests": int,
    "content_sha256": str,
    "groups": list,
}
_GROUP = {"kind": str, "parameters": dict, "tests": list}
_BODY = {"id": str, "comment": str, "flags": list, "input": dict, "result": str, "witness": list}
_TEXTS = {"citations", "algorithm", "numbers", "results", "flags", "errors", "witnesses", "witness"}
_FILE = re.compile(r"[a-z][a-z0-9-]*\.json")


def shipped() -> Traversable:
    """Return the directory of the set that ships with the library."""
    return files("ntqr_exact.data") / "vectors"


def schema_text() -> str:
    """Return the published JSON Schema (draft 2020-12) of a file of vectors."""
    return (files("ntqr_exact.vectors") / "schema.json").read_text(encoding="utf-8")


def set_in(directory: Traversable | None) -> Traversable:
    """Return where a set is: in a directory, in the folder `vectors` of an unpacked package, or what ships."""
    if directory is None:
        return shipped()
    inside = directory / "vectors"
    return inside if not (directory / INDEX).is_file() and (inside / INDEX).is_file() else directory


def index_text(entries: Iterable[Document]) -> str:
    """Return the index of a set: of each family the version, the file, the number of tests and the file's hash."""
    return write_json({"format": _INDEX_FORMAT, "families": list(entries)})


def index_entries(directory: Traversable) -> list[Document]:
    """Return the entries of a set's index whose files are there; none if there is no index."""
    if not (directory / INDEX).is_file():
        return []
    return [entry for entry in read_index(directory) if (directory / entry["file"]).is_file()]


def read_index(directory: Traversable) -> list[Document]:
    """Return the entries of a set's index; raises `BadDocument` if there is none or it is broken."""
    path = directory / INDEX
    if not path.is_file():
        raise BadDocument(
            str(directory), f"no vectors are there: {INDEX} is missing", "make them: vectors make --out"
        )
    match read_document(path):
        case {"format": str(form), "families": list(entries)} if form == _INDEX_FORMAT:
            pass
        case _:
            raise BadDocument(INDEX, f"an index has the format {_INDEX_FORMAT} and a list of families")
    for entry in entries:
        if not _is_entry(entry):
            raise BadDocument(INDEX, f"an entry has {', '.join(_ENTRY)}; this one is {shown(entry)}")
    names = [entry["family"] for entry in entries]
    for name in names:
        if names.count(name) > 1:
            raise BadDocument(INDEX, f"the family {name} stands twice")
    return entries


def _is_entry(entry: Any) -> bool:
    return (
        isinstance(entry, dict)
        and {name: type(value) for name, value in entry.items()} == _ENTRY
        and _FILE.fullmatch(entry["file"]) is not None
    )


def _is_file(document: Any) -> bool:
    """Whether the parts are there and of their types, so that a file can be read; its schema says much more."""
    return _has(document, _HEADER) and all(
        _has(group, _GROUP)
        and all(
            _has(body, _BODY)
            and "expected" in body
            and body["result"] in RESULTS
            and (body["result"] != "invalid" or _has(body["expected"], {"error": str}))
            for body in group["tests"]
        )
        for group in document["groups"]
    )


def _has(document: Any, parts: Mapping[str, type]) -> bool:
    if not isinstance(document, dict):
        return False
    for name, kind in parts.items():
        value: Any = document.get(name)
        if not isinstance(value, kind):
            return False
        texts: Any = value.values() if isinstance(value, dict) else value
        if name in _TEXTS and not all(isinstance(one, str) for one in texts):
            return False
    return True


def read_document(path: Traversable) -> Any:
    """Return a JSON document, read strictly; raises `BadDocument` with the file's name."""
    if not path.is_file():  # a pipe or a device may never end
        raise BadDocument(path.name, "the file cannot be read: there is no such plain file")
    try:
        return read_json(path.read_bytes().decode())
    except UnicodeDecodeError:
        raise BadDocument(path.name, "the file is not UTF-8") from None
    except OSError as error:
        raise BadDocument(path.name, f"the file cannot be read: {error.strerror}") from None
    except BadDocument as error:
        raise BadDocument(path.name, error.rule, error.remedy) from None


def all_tests(document: Document) -> Iterator[Test]:
    """Yield the tests of a family's file, in order."""
    for group in document["groups"]:
        for body in group["tests"]:
            yield Test(group["kind"], group["parameters"], body)


def read_entry(directory: Traversable, entry: Document) -> Document:
    """Return the file of an entry of the index; raises `BadDocument` if it is not the one that was made."""
    path = directory / entry["file"]
    document: Document = read_document(path)
    if not _is_file(document):
        raise BadDocument(
            entry["file"], "the file has not the form of a file of vectors", "see: vectors check"
        )
    found = document["family"], sum(1 for _ in all_tests(document))
    if (
        hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]
        or found != (entry["family"], entry["tests"])
        or not entry["tests"]
    ):
        raise BadDocument(
            entry["file"], "the file is not the one that the index tells of", "see: vectors check"
        )
    return document


def read_family(directory: Traversable, name: str) -> Document:
    """Return the file of a family in a set; raises `BadDocument` if the set has none, or a broken one."""
    for entry in read_index(directory):
        if entry["family"] == name:
            return read_entry(directory, entry)
    raise BadDocument(name, "the set has no such family", "see: vectors list")
