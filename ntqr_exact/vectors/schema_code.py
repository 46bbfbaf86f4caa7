"""JSON Schemas of the vectors as code: types of TypeScript, and forms that read and write JSON in JavaScript."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ntqr_exact.vectors.form_notation import Fragment, name_of

Schemas: TypeAlias = Mapping[str, tuple[Fragment, Fragment]]
"""The schemas of input and answer of each family."""


@dataclass(frozen=True, slots=True)
class _Language:
    """How a schema is written: the names of whole schemas, and what stands for each way to put parts together.

    `listed` is given the code of the items, their schema and the length or none; `objects` the code of each
    part and the names of those that may be absent.
    """

    names: Mapping[str, str]
    words: Callable[[Sequence[Any]], str]
    choice: Callable[[Sequence[str]], str]
    listed: Callable[[str, Fragment, int | None], str]
    objects: Callable[[Mapping[str, str], Sequence[str]], str]
    mapped: Callable[[str], str]

    def code(self, schema: Fragment) -> str:
        """Return the code of a schema."""
        known = name_of(schema)
        if known is not None and known in self.names:
            return self.names[known]
        if "enum" in schema:
            return self.words(schema["enum"])
        if "anyOf" in schema:
            return self.choice([self.code(part) for part in schema["anyOf"]])
        if schema.get("type") == "array":
            return self.listed(self.code(schema["items"]), schema["items"], schema.get("minItems"))
        if "properties" in schema:
            parts = {json.dumps(name): self.code(part) for name, part in schema["properties"].items()}
            absent = [json.dumps(name) for name in schema["properties"] if name not in schema["required"]]
            return self.objects(parts, absent)
        return self.mapped(self.code(schema["additionalProperties"]))


def _written(values: Sequence[Any]) -> list[str]:
    return [json.dumps(value, ensure_ascii=False) for value in values]


def _record_type(parts: Mapping[str, str], absent: Sequence[str]) -> str:
    found = (f"{name}{'?' * (name in absent)}: {part}" for name, part in parts.items())
    return f"{{ {'; '.join(found)} }}"


def _record_form(parts: Mapping[str, str], absent: Sequence[str]) -> str:
    found = ", ".join(f"{name}: {part}" for name, part in parts.items())
    return f"f.record({{ {found} }}, [{', '.join(absent)}])" if absent else f"f.record({{ {found} }})"


_TYPESCRIPT = _Language(
    names={
        "rational": "Rational",
        "whole": "Whole",
        "surd": "Surd",
        "text": "string",
        "truth": "boolean",
        "null": "null",
        "anything": "unknown",
        **dict.fromkeys(("integer", "count"), "number"),
    },
    words=lambda values: " | ".join(_written(values)),
    choice=lambda parts: " | ".join(dict.fromkeys(parts)),
    listed=lambda inner, items, _: f"({inner})[]" if {"anyOf", "enum"} & set(items) else f"{inner}[]",
    objects=_record_type,
    mapped=lambda inner: f"Record<string, {inner}>",
)
_SAME = ("rational", "whole", "surd", "number", "given", "integer", "count", "truth", "anything")
_JAVASCRIPT = _Language(
    names={"text": "f.string", "null": "f.nothing", **{name: f"f.{name}" for name in _SAME}},
    words=lambda values: f"f.word({', '.join(_written(values))})",
    choice=lambda parts: f"f.either({', '.join(parts)})",
    listed=lambda inner, _, size: f"f.list({inner})" if size is None else f"f.list({inner}, {size})",
    objects=_record_form,
    mapped=lambda inner: f"f.mapping({inner})",
)

_HEAD = """/** A rational number in lowest terms, such as "7" or "-3/8". */
export type Rational = string;
/** A whole number of any size, as a text. */
export type Whole = string;
/** The number rational + coefficient·√radicand. */
export interface Surd { rational: Rational; coefficient: Rational; radicand: Whole }
export interface Refusal { error: string }
export interface Test<Input, Expected> {
  id: string;
  comment: string;
  flags: string[];
  input: Partial<Input>;
  expected: Expected | Refusal;
  result: "valid" | "invalid" | "acceptable";
  witness: string[];
}
export interface Group<Input, Expected> {
  kind: "edge" | "random";
  parameters: Partial<Input>;
  tests: Test<Input, Expected>[];
}
export interface Family<Input, Expected> {
  family: string;
  version: number;
  title: string;
  algorithm: string[];
  flags: Record<string, string>;
  errors: Record<string, string>;
  groups: Group<Input, Expected>[];
}
"""


def declarations(families: Schemas) -> str:
    """Return the types of TypeScript for a package of vectors.

    >>> '"f": "a" | "b";' in declarations({"f": ({"type": "string"}, {"enum": ["a", "b"]})})
    True
    """
    inputs, answers = (
        "\n".join(
            f"  {json.dumps(name)}: {_TYPESCRIPT.code(pair[place])};" for name, pair in families.items()
        )
        for place in (0, 1)
    )
    return (
        f"{_HEAD}export interface Inputs {{\n{inputs}\n}}\nexport interface Expectations {{\n{answers}\n}}\n"
        "export type Name = keyof Inputs & keyof Expectations;\n"
        "/** The version of the set. */\nexport const version: string;\n"
        "/** The names of all families. */\nexport const names: Name[];\n"
        "/** Return a family, read from its file. */\n"
        "export function read<N extends Name>(name: N): Family<Inputs[N], Expectations[N]>;\n"
    )


def forms_module(families: Schemas) -> str:
    """Return the module of JavaScript that tells the form of each family's input and answer.

    The forms themselves, what reads and writes them, it imports from a module `forms.mjs` beside it.

    >>> text = forms_module({"f": ({"type": "string"}, {"type": "array", "items": {"enum": ["a", "b"]}})})
    >>> print(*text.splitlines()[1:], sep="\\n")
    import * as f from "./forms.mjs";
    export const schemas = {
      "f": { input: f.string, expected: f.list(f.word("a", "b")) },
    };
    """
    lines = [
        f"  {json.dumps(name)}: {{ input: {_JAVASCRIPT.code(given)}, expected: {_JAVASCRIPT.code(answer)} }},"
        for name, (given, answer) in families.items()
    ]
    return "\n".join(
        (
            "// Made by `ntqr-exact vectors pack --forms FILE` from the schemas of the families: not to be edited.",
            'import * as f from "./forms.mjs";',
            "export const schemas = {",
            *lines,
            "};",
            "",
        )
    )
