"""`make_vectors`: write families of vectors into a directory, a test at a time, on any executor.

Nothing is held in memory but the tests under way. A file appears whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO

from ntqr_exact.errors import BadDocument
from ntqr_exact.sweep import sweep
from ntqr_exact.vectors.document import ContentHash, Test, id_of, write_header, write_test
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.files import (
    INDEX,
    SCHEMA,
    all_tests,
    index_entries,
    index_text,
    read_entry,
    schema_text,
    shipped,
)
from ntqr_exact.vectors.registry import chosen_families, family
from ntqr_exact.vectors.specification import Document
from ntqr_exact.whole_file import whole_file, write_whole

DEFAULT_SEED = 1
DEFAULT_COUNT = 150
"""How many random tests of each family the set has that ships with the library."""
_CHUNK = 8


@dataclass(frozen=True, slots=True)
class Task:
    """One test to be made: the edge case at a place, or the random case with an index."""

    family: str
    kind: str
    index: int
    seed: int


def make_vectors(
    directory: Path,
    *,
    names: Iterable[str] = (),
    seed: int = DEFAULT_SEED,
    count: int = DEFAULT_COUNT,
    fresh: bool = False,
    executor: Executor | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Document]:
    """Write the named families, or all, with `count` random tests each; return their entries in the index.

    A family that ships with these words, edge cases, seed and count is copied, unless `fresh` values are asked for.
    `progress` is told the family of each test as it is written. Other families in the directory stay, with
    their entries. Raises `BadDocument` for an edge case that stands twice in a family.
    """
    families = chosen_families(names)
    directory.mkdir(parents=True, exist_ok=True)
    index_entries(directory)  # a broken index is refused before anything is computed
    entries = {} if fresh else _shipped_entries(families, seed=seed, count=count)
    write_whole(directory / SCHEMA, schema_text())
    for name, entry in entries.items():
        with (shipped() / entry["file"]).open("rb") as file:
            _publish(directory, entry, file)
        for _ in range(entry["tests"]):
            progress(name)
    computed = [one for one in families if one.name not in entries]
    tests = make_tests(computed, seed=seed, count=count, executor=executor)
    for name, of_family in groupby(tests, key=lambda test: test.id.partition("/")[0]):
        entries[name] = _write_family(
            directory, family(name), _reported(of_family, name, progress), seed=seed, count=count
        )
    return [entries[family.name] for family in families]


def _publish(directory: Path, entry: Document, content: IO[bytes]) -> None:
    """Put a family's file and its entry in place, one process at a time: others may make families of the same set."""
    with _alone(directory):
        with whole_file(directory / entry["file"]) as file:
            shutil.copyfileobj(content, file)
        entries = {one["family"]: one for one in index_entries(directory)} | {entry["family"]: entry}
        write_whole(directory / INDEX, index_text(entries[name] for name in sorted(entries)))


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Hold the lock of a folder; it ends with the process, whatever ends that."""
    try:
        import fcntl
    except ImportError:  # a system without it
        yield
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _shipped_entries(families: Iterable[Family], *, seed: int, count: int) -> dict[str, Document]:
    """Return the entries of what ships for the families that have not changed since."""
    found = {}
    entries = {entry["family"]: entry for entry in index_entries(shipped())}
    for one in families:
        if one.name in entries:
            document = read_entry(shipped(), entries[one.name])
            made = document["tests"], document["content_sha256"]
            header = write_header(one, seed=seed, random_tests=count, tests=made[0], content=made[1])
            edges = [test.id for test in all_tests(document) if test.kind == "edge"]
            if edges == [id_of(one.name, case.input) for case in one.edge_cases] and all(
                document[part] == value for part, value in header.items()
            ):
                found[one.name] = entries[one.name]
    return found


def make_tests(
    families: Iterable[Family],
    *,
    seed: int = DEFAULT_SEED,
    count: int = DEFAULT_COUNT,
    executor: Executor | None = None,
) -> Iterator[Test]:
    """Yield the tests of families, one after the other, with their expected values computed.

    >>> [test.id for test in make_tests(chosen_families(["vote-moments"]), count=0)][0]
    'vote-moments/489e8009df'
    """
    return sweep(make_test, work(families, seed=seed, count=count), executor=executor, chunk=_CHUNK)


def work(families: Iterable[Family], *, seed: int, count: int) -> Iterator[Task]:
    """Yield what is to be made: of each family the edge cases, then the random ones."""
    for one in families:
        yield from (Task(one.name, "edge", place, seed) for place in range(len(one.edge_cases)))
        yield from (Task(one.name, "random", index, seed) for index in range(count))


def make_test(task: Task) -> Test:
    """Return one test with its expected value computed."""
    made = family(task.family)
    if task.kind == "edge":
        case = made.edge_cases[task.index]
        return write_test(made, case, made.answer(case.input))
    draws = Draws.of(task.seed, task.family, task.index)
    while True:
        case = made.random_case(draws, task.index)
        answer = made.answer(case.input)
        if made.wanted(case.input, answer.expected):
            return write_test(made, case, answer, task.index)


def _reported(tests: Iterable[Test], name: str, progress: Callable[[str], None]) -> Iterator[Test]:
    edges: set[str] = set()
    for test in tests:
        if test.id in edges:
            raise BadDocument(test.input, f"this edge case stands twice in {name}")
        if test.kind == "edge":
            edges.add(test.id)
        yield test
        progress(name)


def _write_family(directory: Path, made: Family, tests: Iterator[Test], *, seed: int, count: int) -> Document:
    """Write the groups first, since the header tells their hash; then put the header before them."""
    content = ContentHash()
    with tempfile.TemporaryFile(dir=directory) as groups, tempfile.TemporaryFile(dir=directory) as whole:
        _write_groups(groups, tests, content)
        header = write_header(
            made, seed=seed, random_tests=count, tests=content.tests, content=content.digest()
        )
        groups.seek(0)
        whole.write(_head(header).encode())
        shutil.copyfileobj(groups, whole)
        whole.write(b"]\n}\n")
        whole.seek(0)
        entry = {
            "family": made.name,
            "version": made.specification.version,
            "title": made.specification.title,
            "file": f"{made.name}.json",
            "tests": content.tests,
            "sha256": hashlib.file_digest(whole, "sha256").hexdigest(),
        }
        whole.seek(0)
        _publish(directory, entry, whole)
    return entry


def _head(header: Document) -> str:
    """Return the header up to the groups; texts are spread out for reading, schemas stand on one line."""
    parts = []
    for name, value in header.items():
        on_a_line = name in {"input", "expected"} or not isinstance(value, dict | list) or not value
        text = json.dumps(value, ensure_ascii=False, indent=None if on_a_line else 1)
        parts.append(f'"{name}": {text}')
    return "{\n" + ",\n".join(parts) + ',\n"groups": [\n'


def _write_groups(file: IO[bytes], tests: Iterator[Test], content: ContentHash) -> None:
    """Write a group for each run of tests with the same kind and parameters, a line for each test."""
    between_groups = b""
    for _, run in groupby(tests, key=lambda test: test.group):
        between_tests = b""
        for test in run:
            content.add(test)
            if not between_tests:
                parameters = json.dumps(test.parameters, ensure_ascii=False)
                start = f'{{"kind": "{test.kind}", "parameters": {parameters}, "tests": [\n'
                file.write(between_groups + start.encode())
            file.write(between_tests + json.dumps(test.body, ensure_ascii=False).encode())
            between_tests = b",\n"
        file.write(b"\n]}")
        between_groups = b",\n"
    file.write(b"\n" if between_groups else b"")
