"""`check_vectors`: is a set of vectors whole and well formed, and is every test what this version makes?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from importlib.resources.abc import Traversable
from itertools import islice
from typing import Any

from gmpy2 import mpq, mpz

from ntqr_exact.errors import NtqrExactError, module_of_extra, shown
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.sweep import sweep
from ntqr_exact.vectors.compare import compare
from ntqr_exact.vectors.document import ContentHash, Test, id_of, write_header
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.files import INDEX, SCHEMA, all_tests, read_document, read_index, schema_text
from ntqr_exact.vectors.form_notation import Fragment, form
from ntqr_exact.vectors.make import Task, make_test, work
from ntqr_exact.vectors.registry import family, family_names
from ntqr_exact.vectors.specification import Document

_SHOWN_VIOLATIONS = 20
_CHUNK = 8
_LONGEST = 200


def check_vectors(
    directory: Traversable,
    *,
    executor: Executor | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[str]:
    """Yield every problem of a set, in words; nothing if it is sound.

    Looks at the index, the hashes of files and of contents, the schema, the ids, flags and errors, and makes every
    test again from the seed: an input that was put in by hand is never computed. `progress` is told the family of
    each test that is made. Raises `BadDocument` if the index is missing or broken.
    """
    entries = read_index(directory)
    known = {INDEX, SCHEMA, *(entry["file"] for entry in entries)}
    for path in sorted(directory.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".json") and path.name not in known:
            yield f"{path.name}: not in {INDEX}"
    if not (directory / SCHEMA).is_file():
        yield f"{SCHEMA}: missing"
    elif (directory / SCHEMA).read_bytes() != schema_text().encode():
        yield f"{SCHEMA}: not the schema of this version"
    sound: list[Document] = []
    for entry in entries:
        problems = _check_file(directory, entry, sound)
        yield from (f"{entry['file']}: {problem}" for problem in problems)
    questions = (
        question
        for entry in sound  # read again, so that one family is in memory at a time
        for question in _tasks(read_document(directory / entry["file"]))
    )
    for name, found in sweep(_make_again, questions, executor=executor, chunk=_CHUNK):
        progress(name)
        yield from (f"{name}.json: {problem}" for problem in found)


def _check_file(directory: Traversable, entry: Document, sound: list[Document]) -> Iterator[str]:
    """Yield what is wrong with a file without computing; add its entry to `sound` if that can be done."""
    path = directory / entry["file"]
    try:
        document = read_document(path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except NtqrExactError as error:
        yield error.rule
        return
    if digest != entry["sha256"]:
        yield f"the file has the hash {digest}, the index says {entry['sha256']}"
    broken = list(islice(validator(read_json(schema_text()))(document), _SHOWN_VIOLATIONS))
    if broken:
        yield from (f"breaks the schema at {problem}" for problem in broken)
        return
    tests = list(all_tests(document))
    for name in ("family", "version", "title", "tests"):
        if document[name] != entry[name]:
            yield f"the header's {name} is {shown(document[name])}, the index says {shown(entry[name])}"
    if document["family"] not in family_names():
        yield from _check_content(document, tests)
        yield f"{document['family']} is no family of this version, so that nothing was computed"
        return
    made = family(document["family"])
    yield from _check_content(document, tests)
    yield from _check_forms(tests, made)
    yield from _check_header(document, made)
    wanted = len(made.edge_cases) + document["random_tests"]
    if len(tests) == wanted:
        sound.append(entry)
    else:
        yield f"holds {len(tests)} tests, and this version makes {wanted}: none was computed"


def _check_forms(tests: list[Test], made: Family) -> Iterator[str]:
    """Yield what breaks the schemas of this version; those in the file may have been changed to anything."""
    of_input = validator(made.input)
    of_answer = validator(made.expected)
    of_refusal = validator(form({"error": " | ".join(f"'{kind}'" for kind in made.specification.errors)}))
    for test in tests:
        yield from (f"{test.id}: input{problem}" for problem in of_input(test.input))
        fits = of_refusal if test.body["result"] == "invalid" else of_answer
        yield from (f"{test.id}: expected{problem}" for problem in fits(test.body["expected"]))


def _check_content(document: Document, tests: list[Test]) -> Iterator[str]:
    content = ContentHash()
    seen: set[str] = set()
    for test in tests:
        content.add(test)
        if test.id in seen:
            yield f"{test.id} stands twice"
        seen.add(test.id)
        index = test.id.partition("/")[2].rpartition("-")[0]
        if test.id != id_of(document["family"], test.input, index or None) or index.lstrip("0") != (
            index if index != "0" else ""
        ):
            yield f"{test.id} is not the id of its input"
        if bool(index) != (test.kind == "random"):
            yield f"{test.id} stands in a group of the wrong kind"
        for kind, names in (("flags", test.body["flags"]), ("witnesses", test.body["witness"])):
            yield from (
                f"{test.id}: {name} is not among the {kind}" for name in names if name not in document[kind]
            )
    if content.tests != document["tests"]:
        yield f"holds {content.tests} tests, the header says {document['tests']}"
    if content.digest() != document["content_sha256"]:
        yield f"the tests have the hash {content.digest()}, the header says {document['content_sha256']}"


def _check_header(document: Document, made: Family) -> Iterator[str]:
    wanted = write_header(
        made,
        seed=int(mpz(document["seed"])),
        random_tests=document["random_tests"],
        tests=document["tests"],
        content=document["content_sha256"],
    )
    yield from (
        f"the header's {name} is not that of this version"
        for name in wanted
        if document[name] != wanted[name]
    )


def _tasks(document: Document) -> Iterator[tuple[Task, Test]]:
    """Yield the tests of a file, each with what is to be made in its place."""
    seed, count = int(mpz(document["seed"])), document["random_tests"]
    tasks = work([family(document["family"])], seed=seed, count=count)
    return zip(tasks, all_tests(document), strict=True)


def _make_again(question: tuple[Task, Test]) -> tuple[str, list[str]]:
    """Return the family, and where one of its tests differs from what this version makes."""
    task, test = question
    made = make_test(task)
    if made.id != test.id:
        return task.family, [f"{test.id}: this version makes {made.id} in its place"]
    said, found = test.body["result"], made.body["result"]
    if said != found:
        return task.family, [f"{test.id}: said to be {said}, found to be {found}"]
    findings = compare(test.body["expected"], made.body["expected"], tolerance=mpq(0))
    problems = [f"{test.id}: computed {finding.words}" for finding in findings]
    parts = {**test.body, "parameters": test.parameters}, {**made.body, "parameters": made.parameters}
    names = [name for name in parts[1] if name != "expected" and parts[0][name] != parts[1][name]]
    return task.family, [*problems, *(f"{test.id}: {name} not as in this version" for name in names)]


def validator(schema: Fragment) -> Callable[[Any], Iterator[str]]:
    """Return the function that yields where and how a document breaks a schema; nothing if it fits.

    Raises `MissingExtra` without jsonschema.

    >>> list(validator({"properties": {"n": {"minimum": 0}}})({"n": -1}))
    ['/n: -1 is less than the minimum of 0']
    """
    rule = "a set of vectors is checked against its schema with it"
    against = module_of_extra("jsonschema", rule, "vectors").Draft202012Validator(schema)

    def violations(document: Any) -> Iterator[str]:
        for error in against.iter_errors(document):
            place = "/".join(map(str, error.absolute_path))
            words = error.message
            yield f"/{place}: {words if len(words) <= _LONGEST else f'…{words[-_LONGEST:]}'}"

    return violations
