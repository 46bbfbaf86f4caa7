"""A page for each family and an index by subject, for the site: the specification as documentation."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ntqr_exact.vectors.family import Document
from ntqr_exact.vectors.files import all_tests, family_of, names_in, read_family, shipped


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
