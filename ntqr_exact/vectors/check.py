"""`check_vectors`: is a set of vectors whole, well formed, and are its expected values what we compute?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from importlib.resources.abc import Traversable
from itertools import islice

from gmpy2 import mpq, mpz

from ntqr_exact.errors import NtqrExactError, shown
from ntqr_exact.sweep import sweep
from ntqr_exact.vectors.compare import compare
from ntqr_exact.vectors.document import ContentHash, Test, id_of, write_header
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.files import INDEX, SCHEMA, all_tests, read_document, read_index
from ntqr_exact.vectors.fragments import form
from ntqr_exact.vectors.registry import family, family_names
from ntqr_exact.vectors.schema import file_schema, schema_text, validator
from ntqr_exact.vectors.specification import Document

_SHOWN_VIOLATIONS = 20
_CHUNK = 8


def check_vectors(
    directory: Traversable,
    *,
    executor: Executor | Callable[[], Executor] | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[str]:
    """Yield every problem of a set, in words; nothing if it is sound.

    Looks at the index, the hashes of files and of contents, the schema, the ids, flags and errors, and
    computes every expected value again. `progress` is told the family of each test that is computed. Raises
    `BadDocument` if the index is missing or broken.
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
        (entry["family"], test)
        for entry in sound  # read again, so that one family is in memory at a time
        for test in all_tests(read_document(directory / entry["file"]))
    )
    for name, found in sweep(_compute_again, questions, executor=executor, chunk=_CHUNK):
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
    broken = list(islice(validator(file_schema())(document), _SHOWN_VIOLATIONS))
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
    sound.append(entry)


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


def _compute_again(question: tuple[str, Test]) -> tuple[str, list[str]]:
    """Return the family, and what is wrong with the expected value of one of its tests."""
    name, test = question
    try:
        answer = family(name).answer(test.input)
    except Exception as error:  # a file that was tampered with may hold anything
        return name, [f"{test.id}: cannot be computed: {type(error).__name__}"]
    result = "valid" if test.body["result"] == "acceptable" else test.body["result"]
    if answer.result != result:
        return name, [f"{test.id}: said to be {test.body['result']}, found to be {answer.result}"]
    findings = compare(test.body["expected"], answer.expected, tolerance=mpq(0))
    return name, [f"{test.id}: computed {finding.words}" for finding in findings]
