"""`show`: a family's specification for a person, or one test of a set with the computation by hand, step by step."""

from __future__ import annotations

import json
import textwrap
from importlib.resources.abc import Traversable
from typing import Any

from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.vectors.document import Test
from ntqr_exact.vectors.files import all_tests, read_family
from ntqr_exact.vectors.form_notation import Fragment, name_of
from ntqr_exact.vectors.registry import family
from ntqr_exact.vectors.specification import Document, cause_of, real_bug


def find_test(vectors: Traversable, wanted: str) -> Test:
    """Return the test of a set with an id; raises `BadDocument` if there is none, or a broken one."""
    document = read_family(vectors, wanted.partition("/")[0])
    for test in all_tests(document):
        if test.id == wanted:
            return test
    raise BadDocument(
        wanted, f"the set has no such test among its {document['tests']} of {document['family']}"
    )


def show(test: Test) -> str:
    """Return what a test asks, how the answer is computed, and the answer, in lines."""
    made = family(test.id.partition("/")[0])
    body, words = test.body, made.specification
    lines = [f"{test.id}: {words.title}", *(f"  from {citation}" for citation in words.citations)]
    lines += [f"  {body['comment']}"] if body["comment"] else []
    lines += [f"  flag {flag}: {words.flags.get(flag, 'not explained')}" for flag in body["flags"]]
    lines += ["", "Input", *_parts(test.input), "", "By hand"]
    if body["result"] == "invalid":
        kind = body["expected"]["error"]
        lines.append(f"  refused as {kind}: {words.errors.get(kind, 'not explained')}")
    else:
        lines += [f"  {line}" for line in told_steps(test)]
    lines += ["", f"Expected ({body['result']})", *_parts(body["expected"])]
    lines += ["", f"Confirmed by: {', '.join(body['witness'])}"]
    return "\n".join(lines)


def told_steps(test: Test) -> list[str]:
    """Return the computation by hand; raises `BadDocument` for an input that is not one of its family."""
    made = family(test.id.partition("/")[0])
    if test.body["result"] == "invalid":
        return []
    try:
        made.compute(test.input)  # what takes too much is refused by the library; the steps have no limits
        return list(made.steps(test.input))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, NtqrExactError):
            raise
        raise BadDocument(
            test.id,
            f"this input of {made.name} cannot be computed: {type(error).__name__}",
            "see: vectors check",
        ) from None


def show_family(vectors: Traversable, name: str) -> str:
    """Return what a family asks: its words, the forms of input and answer, refusals, flags, and a worked test."""
    document = read_family(vectors, name)
    lines = [f"{name}, version {document['version']}: {document['title']}"]
    lines += [f"  from {citation}" for citation in document["citations"]]
    for title, sentences in (("What is computed", document["algorithm"]), ("Numbers", document["numbers"])):
        lines += ["", title, *(_filled(sentence) for sentence in sentences)]
    for title, schema in (("Input", document["input"]), ("Expected", document["expected"])):
        lines += ["", title, *(f"  {line}" for line in form_lines(schema))]
    lines += ["", "Refusals", *(f"  {kind}: {words}" for kind, words in document["errors"].items())]
    lines += ["", f"Flags of the {document['tests']} tests"]
    lines += [f"  {flag}: {words}{_finds(name, flag)}" for flag, words in document["flags"].items()]
    return "\n".join([*lines, "", "A test", "", show(shortest_test(document))])


def shortest_test(document: Document) -> Test:
    """Return the test of a family that is the easiest to follow by hand: the shortest with an answer."""
    answered = [test for test in all_tests(document) if test.body["result"] == "valid"]
    if not answered:
        raise BadDocument(document["family"], "the family has no test with an answer", "see: vectors check")
    return min(answered, key=lambda test: len(json.dumps([test.input, test.body["expected"]])))


def form_lines(schema: Any, name: str = "") -> list[str]:
    """Return a JSON Schema in lines for a person: each part with its form, parts of parts further in.

    >>> from ntqr_exact.vectors.form_notation import form
    >>> form_lines(form({"rate": "rational", "counts": ["count"]}))
    ['an object', '  rate: a rational as a text', '  counts: a list', '    of: a whole number']
    """
    match schema:  # a file that was tampered with may hold anything
        case {"description": str(description)}:
            words = f"{_form(schema)}, {description}"
        case _:
            words = _form(schema)
    lines = [f"{name}: {words}" if name else words]
    if isinstance(schema, dict) and name_of(schema) is None:
        required, more = _part(schema, "required", list), _part(schema, "additionalProperties", dict)
        parts = {
            part if part in required else f"{part} (may be absent)": inner
            for part, inner in _part(schema, "properties", dict).items()
        }
        parts |= {"of": schema["items"]} if "items" in schema else {}
        parts |= {"each key": more} if more else {}
        for part, inner in parts.items():
            lines += [f"  {line}" for line in form_lines(inner, part)]
        for inner in _part(schema, "anyOf", list):
            lines += [f"  {line}" for line in form_lines(inner, "or")]
    return lines


def _part(schema: Fragment, name: str, kind: type) -> Any:
    found = schema.get(name)
    return found if isinstance(found, kind) else kind()


def _form(schema: Any) -> str:
    known = name_of(schema) if isinstance(schema, dict) else None
    if known is not None:
        return _FORMS[known]
    match schema:
        case {"enum": list(values)}:
            return " | ".join(map(str, values))
        case {"anyOf": _}:
            return "one of"
        case {"type": "array"}:
            return f"a list of {schema['minItems']}" if "minItems" in schema else "a list"
        case {"type": "object"}:
            return "an object"
    return "any value"


_FORMS = {
    "rational": "a rational as a text",
    "whole": "a whole number as a text",
    "surd": "a + b√d, an object of rational, coefficient and radicand",
    "number": "a rational as a text, or an object a + b√d",
    "given": "a JSON integer, or a number as a text",
    "count": "a whole number",
    "integer": "an integer",
    "text": "a text",
    "truth": "true or false",
    "null": "null",
    "anything": "any value",
}


def _finds(name: str, flag: str) -> str:
    bug = real_bug(name, flag)
    return f". Finds: {cause_of(name, flag)}" + (f". Seen: {bug}" if bug else "")


def _filled(sentence: str) -> str:
    return textwrap.fill(
        sentence, 110, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False
    )


def _parts(document: object) -> list[str]:
    if isinstance(document, dict):
        return [f"  {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in document.items()]
    return [f"  {json.dumps(document, ensure_ascii=False)}"]
