"""`show`: one test of a set, with the computation by hand, step by step."""

from __future__ import annotations

import json
from importlib.resources.abc import Traversable

from ntqr_exact.errors import BadDocument
from ntqr_exact.vectors.document import Test
from ntqr_exact.vectors.files import all_tests, read_family
from ntqr_exact.vectors.registry import family


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
        lines += [f"  {line}" for line in made.steps(test.input)]
    lines += ["", f"Expected ({body['result']})", *_parts(body["expected"])]
    lines += ["", f"Confirmed by: {', '.join(body['witness'])}"]
    return "\n".join(lines)


def _parts(document: object) -> list[str]:
    if isinstance(document, dict):
        return [f"  {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in document.items()]
    return [f"  {json.dumps(document, ensure_ascii=False)}"]
