"""Files of vectors: a header, then a test a line. The shipped files are the truth.

A test has its own `input`, together with the `parameters` of its group, and what is `expected`. `recomputed` answers
all tests of a file again, `filled` those without an answer, and `fresh` makes new inputs from a seed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice
from typing import Any

from ntqr_exact.errors import BadChoice, BadDocument, module_of_extra
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.vectors.family import FAMILIES, Document, Family
from ntqr_exact.vectors.inputs import Draws

FORMAT = "ntqr-exact-vectors/2"
SCHEMA = "schema.json"
_HEADER = ("format", "family", "title", "citations", "algorithm", "flags", "errors", "input", "expected")
_TEST = ("id", "comment", "flags", "input", "expected", "result")
_SHOWN = 20
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Test:
    """A test as it is in a file, with the kind and the parameters of its group."""

    __test__ = False  # not one for pytest

    kind: str
    parameters: Document
    body: Document

    @property
    def id(self) -> str:
        """The id."""
        return str(self.body["id"])

    @property
    def input(self) -> Document:
        """The whole input: what the group shares and what is the test's own."""
        return {**self.parameters, **self.body["input"]}


def shipped() -> Traversable:
    """Return the directory of the set that ships with the library."""
    return files("ntqr_exact.data") / "vectors"


def names_in(directory: Traversable) -> list[str]:
    """Return the families that a directory has files of; raises `BadDocument` if there are none."""
    files = (path.name for path in directory.iterdir()) if directory.is_dir() else iter(())
    names = sorted(name.removesuffix(".json") for name in files if name.endswith(".json") and name != SCHEMA)
    if not names:
        rule = "a set of vectors must have a file for each family"
        raise BadDocument(str(directory), rule, "see: vectors make --out")
    return names


def read_family(directory: Traversable, name: str) -> Document:
    """Return the file of a family, fit to be used; raises `BadChoice` or `BadDocument` if it is missing or broken."""
    if name not in (names := names_in(directory)):
        raise BadChoice(name, f"family must be one of {', '.join(names)}")
    document = read_document(directory / f"{name}.json")
    if not _is_usable(document) or document["family"] != name:
        raise BadDocument(f"{name}.json", "the file must be a file of vectors", "see: vectors check")
    return document  # type: ignore[no-any-return]


def read_document(path: Traversable) -> Any:
    """Return a JSON document, read strictly; raises `BadDocument` with the file's name."""
    if not path.is_file():  # a pipe or a device may never end
        raise BadDocument(path.name, "the file cannot be read: no such plain file exists")
    try:
        return read_json(path.read_bytes().decode())
    except UnicodeDecodeError:
        raise BadDocument(path.name, "the file must be UTF-8") from None
    except OSError as error:
        raise BadDocument(path.name, f"the file cannot be read: {error.strerror}") from None
    except BadDocument as error:
        raise BadDocument(path.name, error.rule, error.remedy) from None


def _is_usable(document: Any) -> bool:
    """Whether a file can be read as tests; its schema is stricter."""
    if not isinstance(document, dict) or {*_HEADER, "groups"} - set(document):
        return False
    return isinstance(document["groups"], list) and all(
        isinstance(group, dict)
        and isinstance(group.get("parameters"), dict)
        and isinstance(group.get("tests"), list)
        and all(
            isinstance(body, dict)
            and not set(_TEST) - set(body)
            and isinstance(body["id"], str)
            and isinstance(body["input"], dict)
            and isinstance(body["flags"], list)
            for body in group["tests"]
        )
        for group in document["groups"]
    )


def all_tests(document: Document) -> Iterator[Test]:
    """Yield the tests of a file, in order."""
    for group in document["groups"]:
        for body in group["tests"]:
            yield Test(group.get("kind", "edge"), group["parameters"], body)


def id_of(name: str, given: Document, index: int | str | None = None) -> str:
    """Return the id of a test: its family, the index of a random one, and ten digits of the hash of its input.

    The same question has the same id for ever; an id never means another question.

    >>> id_of("vote-moments", {"counts": [1]}), id_of("vote-moments", {"counts": [1]}, 7)
    ('vote-moments/0c4d108b7b', 'vote-moments/7-0c4d108b7b')
    """
    canonical = json.dumps(given, sort_keys=True, separators=(",", ":"), ensure_ascii=False)  # as in RFC 8785
    digest = hashlib.sha256(canonical.encode()).hexdigest()[:10]
    return f"{name}/{digest}" if index is None else f"{name}/{index}-{digest}"


def text_of(document: Document) -> str:
    """Return the text of a file: short parts of the header over lines, its schemas and each test on one."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    parts = [
        f"{line(name)}: {json.dumps(value, ensure_ascii=False, indent=None if name in ('input', 'expected') else 1)}"
        for name, value in document.items()
        if name != "groups"
    ]
    groups = []
    for group in document["groups"]:
        head = line({name: value for name, value in group.items() if name != "tests"})[:-1]
        groups.append(f'{head}, "tests": [\n' + ",\n".join(map(line, group["tests"])) + "\n]}")
    return "{\n" + ",\n".join(parts) + ',\n"groups": [\n' + ",\n".join(groups) + "\n]\n}\n"


def recomputed(document: Document) -> Document:
    """Return a file with its words from the specification and every answer computed anew.

    What is refused as before keeps the kind that it has, since any kind is right. Raises `BadChoice` for a family that
    this version does not have.
    """
    one = family_of(document["family"])
    return {**document, **_words(one), "groups": [_mapped(group, one) for group in document["groups"]]}


def _mapped(group: Document, one: Family) -> Document:
    return {**group, "tests": [_answered({**body}, group["parameters"], one) for body in group["tests"]]}


def _answered(body: Document, parameters: Document, one: Family) -> Document:
    expected, result = one.answer({**parameters, **body["input"]})
    said = body["result"]
    if result == "invalid" == said:
        return body
    kept = result == "valid" and said == "acceptable"
    return {**body, "expected": expected, "result": said if kept else result}


def filled(document: Any) -> Document:
    """Return a file with an answer to each input: of a whole file, or of {"family": name, "tests": [{"input": …}, …]}.

    Answers that are there stay. Raises `BadDocument` for what is not such a file, and for an input without the form
    that the family asks for.
    """
    match document:
        case {"family": str(name), "groups": list(groups)} | {"family": str(name), "tests": list() as groups}:
            one = family_of(name)
        case _:
            rule = 'a file to fill must have "family" and a list of "tests", each with its "input"'
            raise BadDocument("vectors", rule)
    groups = groups if "groups" in document else [{"tests": groups}]
    header = {key: value for key, value in read_family(shipped(), name).items() if key != "groups"}
    fits = validator(header["input"])
    return {**header, "groups": [_filled_group(group, one, fits) for group in groups]}


def _filled_group(group: Any, one: Family, fits: Callable[[Any], Iterator[str]]) -> Document:
    match group:
        case {"tests": [{"input": dict()}, *_] as tests}:
            parameters = group.get("parameters", {})
        case _:
            raise BadDocument("groups", 'a group must have a list of "tests", each with its "input"')
    return {
        "kind": group.get("kind", "edge"),
        "parameters": parameters,
        "tests": [_filled_test(body, parameters, one, fits) for body in tests],
    }


def _filled_test(body: Any, parameters: Any, one: Family, fits: Callable[[Any], Iterator[str]]) -> Document:
    if (
        not isinstance(parameters, dict)
        or not isinstance(body, dict)
        or not isinstance(body.get("input"), dict)
    ):
        raise BadDocument("tests", 'a test must be an object with its "input", an object')
    given = {**parameters, **body["input"]}
    for problem in fits(given):
        raise BadDocument(f"input{problem}", f"input must have the form that vectors list {one.name} shows")
    is_answered = {"expected", "result"} <= set(body)
    expected, result = (body["expected"], body["result"]) if is_answered else one.answer(given)
    return {
        "id": body.get("id", id_of(one.name, given)),
        "comment": body.get("comment", ""),
        "flags": body.get("flags", []),
        "input": body["input"],
        "expected": expected,
        "result": result,
    }


def fresh(name: str, *, seed: int, count: int) -> Document:
    """Return a file of fresh inputs from a seed with their exact answers; the same for the same seed.

    >>> [test.id for test in all_tests(fresh("vote-moments", seed=7, count=1))]
    ['vote-moments/0-e858bcfbea']
    """
    one = family_of(name)
    tests = []
    for index in range(count):
        given = one.draw(Draws.of(seed, name, index), index)
        expected, result = one.answer(given)
        body = {"id": id_of(name, given, index), "comment": f"seed {seed}", "flags": [], "input": given}
        tests.append({**body, "expected": expected, "result": result})
    header = {key: value for key, value in read_family(shipped(), name).items() if key != "groups"}
    return {**header, **_words(one), "groups": [{"kind": "random", "parameters": {}, "tests": tests}]}


def _words(one: Family) -> Document:
    return {"title": one.title, "citations": one.citations, "algorithm": one.algorithm}


def family_of(name: str) -> Family:
    """Return a family by its name; raises `BadChoice` with the known names."""
    import ntqr_exact.vectors.families  # noqa: F401  # fills FAMILIES

    if name not in FAMILIES:
        raise BadChoice(name, f"family must be one of {', '.join(sorted(FAMILIES))}")
    return FAMILIES[name]


def problems_of(document: Any) -> Iterator[str]:
    """Yield all that is wrong with a file, in words: its form, ids, flags, and every answer computed anew."""
    schema = read_document(shipped() / SCHEMA)
    broken = [f"breaks the schema at {words}" for words in islice(validator(schema)(document), _SHOWN)]
    yield from broken
    if broken:
        return
    name, tests = document["family"], list(all_tests(document))
    fits, right = validator(document["input"]), validator(document["expected"])
    for place, test in enumerate(tests):
        index = test.id.partition("/")[2].rpartition("-")[0]
        if test.id != id_of(name, test.input, index or None) or bool(index) != (test.kind == "random"):
            yield f"{test.id} is not the id of its input"
        if any(test.id == other.id for other in tests[:place]):
            yield f"{test.id} is there twice"
        unknown = [flag for flag in test.body["flags"] if flag not in document["flags"]]
        yield from (f"{test.id}: {flag} is not among the flags" for flag in unknown)
        yield from (f"{test.id}: input{words}" for words in fits(test.input))
        if test.body["result"] != "invalid":
            yield from (f"{test.id}: expected{words}" for words in right(test.body["expected"]))
    yield from stale(document)


def stale(document: Document) -> Iterator[str]:
    """Yield which tests have another answer now, and which words of the header are not those of the specification."""
    now = recomputed(document)
    yield from (
        f"the {name} is not that of the specification" for name in _HEADER if document[name] != now[name]
    )
    for test, other in zip(all_tests(document), all_tests(now), strict=True):
        if test.body != other.body:
            yield f"{test.id}: computed {json.dumps(other.body['expected'], ensure_ascii=False)[:_LONGEST]}"


def validator(schema: Document) -> Callable[[Any], Iterator[str]]:
    """Return what yields where and how a document breaks a JSON Schema; raises `MissingExtra` without jsonschema.

    >>> list(validator({"properties": {"n": {"minimum": 0}}})({"n": -1}))
    ['/n: -1 is less than the minimum of 0']
    """
    rule = "documents are checked against a JSON Schema with it"
    against = module_of_extra("jsonschema", rule, "vectors").Draft202012Validator(schema)

    def violations(document: Any) -> Iterator[str]:
        for error in against.iter_errors(document):
            short = error.message if len(error.message) <= _LONGEST else f"…{error.message[-_LONGEST:]}"
            yield f"/{'/'.join(map(str, error.absolute_path))}: {short}"

    return violations


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page, in Markdown; the index is first."""
    from ntqr_exact.vectors.families import SUBJECTS

    documents = {name: read_family(shipped(), name) for name in names_in(shipped())}
    index, order = ["# The families", ""], []
    for subject in SUBJECTS:
        some = [name for name in documents if family_of(name).compute.__module__ == subject.__name__]
        index += [f"## {(subject.__doc__ or '').strip()}", "", "| family | tests | |", "|---|---:|---|"]
        for name in some:
            number = sum(1 for _ in all_tests(documents[name]))
            index.append(f"| [{name}]({name}.md) | {number} | {documents[name]['title']} |")
        index.append("")
        order += some
    yield "index.md", "\n".join([*index, "```{toctree}", ":hidden:", "", *order, "```", ""])
    yield from ((f"{name}.md", page(document)) for name, document in documents.items())


def page(document: Document) -> str:
    """Return the page of a family: what is computed, the forms of input and answer, refusals, flags, and a test."""
    lines = [f"# {document['family']}", "", f"{document['title']}.", ""]
    lines += [f"From: {'; '.join(document['citations'])}.", "", "## What is computed", ""]
    lines += [f"{_escaped(paragraph)}\n" for paragraph in document["algorithm"]]
    for title, schema in (("Input", document["input"]), ("Expected", document["expected"])):
        lines += [f"## {title}", "", "```json", json.dumps(schema, ensure_ascii=False, indent=1), "```", ""]
    for title, words in (("Refusals", document["errors"]), ("Flags", document["flags"])):
        listed = [f"- `{name}`: {_escaped(meaning)}" for name, meaning in words.items()]
        lines += [f"## {title}", "", *listed, ""]
    test = min(
        (one for one in all_tests(document) if one.body["result"] == "valid"),
        key=lambda one: len(json.dumps([one.input, one.body["expected"]])),
    )
    lines += ["## A test", "", f"`{test.id}`: {_escaped(test.body['comment'])}", "", "```text"]
    lines += [f"input    {json.dumps(test.input, ensure_ascii=False)}"]
    return "\n".join([*lines, f"expected {json.dumps(test.body['expected'], ensure_ascii=False)}", "```", ""])


def _escaped(words: str) -> str:
    """Return words in which Markdown sees no marks."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|$~" else sign for sign in words)
