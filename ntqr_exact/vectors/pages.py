"""A page for each family, and an index by subject: the specification as documentation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable

from ntqr_exact.vectors.files import read_family, read_index
from ntqr_exact.vectors.registry import family
from ntqr_exact.vectors.show import form_lines, shortest_test
from ntqr_exact.vectors.specification import Document, cause_of, real_bug

_SUBJECTS = {
    "numbers": "Numbers, and reading them",
    "votes": "Votes, postulates and what they allow",
    "judges": "Evaluating judges without a key",
    "dependence": "How much dependence is proven, and what it leaves",
    "graded": "A few graded questions, and agreement",
    "alarms": "Safety and its alarms",
    "metrics": "Metrics with a key",
    "significance": "Significance of model-based metrics",
    "confidence": "Confidence and estimates from it",
}
"""What the index is divided into; the specification of a family names one of them."""


def pages(vectors: Traversable) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page, in Markdown; the index is first."""
    entries = read_index(vectors)
    lines, names = ["# The families", ""], []
    for title, some in by_subject(entries):
        lines += [f"## {title}", "", "| family | tests | |", "|---|---:|---|"]
        lines += [
            f"| [{one['family']}]({one['family']}.md) | {one['tests']} | {one['title']} |" for one in some
        ]
        lines += [""]
        names += [one["family"] for one in some]
    yield "index.md", "\n".join([*lines, "```{toctree}", ":hidden:", "", *names, "```", ""])
    for entry in entries:
        yield f"{entry['family']}.md", _page(read_family(vectors, entry["family"]))


def by_subject(entries: Iterable[Document]) -> Iterator[tuple[str, list[Document]]]:
    """Yield the title of each subject that has families, and the entries of the index that belong to it."""
    found: dict[str, list[Document]] = {subject: [] for subject in _SUBJECTS}
    for entry in entries:
        found[family(entry["family"]).specification.subject].append(entry)
    yield from ((_SUBJECTS[subject], some) for subject, some in found.items() if some)


def _page(document: Document) -> str:
    name = document["family"]
    lines = [
        f"# {name}",
        "",
        f"{document['title']}. Version {document['version']}, {document['tests']} tests.",
    ]
    lines += ["", f"From: {'; '.join(document['citations'])}.", "", "## What is computed", ""]
    lines += [f"{_escaped(sentence)}\n" for sentence in document["algorithm"]]
    for title, schema in (("Input", document["input"]), ("Expected", document["expected"])):
        lines += [f"## {title}", "", "```text", *form_lines(schema), "```", ""]
    lines += ["## Refusals", ""]
    lines += [f"- `{kind}`: {_escaped(words)}" for kind, words in document["errors"].items()]
    lines += ["", "## Flags", "", "| flag | meaning | made to find |", "|---|---|---|"]
    for flag, words in document["flags"].items():
        bug = real_bug(name, flag)
        finds = cause_of(name, flag) + (f"; {bug}" if bug else "")
        lines.append(f"| `{flag}` | {_escaped(words)} | {_escaped(finds)} |")
    test = shortest_test(document)
    steps = family(name).steps(test.input)
    lines += [
        "",
        "## A test, step by step",
        "",
        f"`{test.id}`: {_escaped(test.body['comment'])}",
        "",
        "```text",
    ]
    lines += [f"input    {json.dumps(test.input, ensure_ascii=False)}", *steps]
    lines += [f"expected {json.dumps(test.body['expected'], ensure_ascii=False)}", "```", ""]
    return "\n".join(lines)


def _escaped(words: str) -> str:
    """Return words in which Markdown sees no marks."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|$~" else sign for sign in words)
