"""JSON Schemas of the vectors as types of TypeScript."""

from __future__ import annotations

import json

from ntqr_exact.vectors.fragments import RATIONAL, SURD, WHOLE, Fragment

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


_NAMED = ((RATIONAL, "Rational"), (WHOLE, "Whole"), (SURD, "Surd"))
_PLAIN = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}


def _type_of(schema: Fragment) -> str:
    """Return the type of a schema.

    >>> _type_of({"type": "array", "items": {"anyOf": [{"type": "null"}, {"enum": ["a", "b"]}]}})
    '(null | "a" | "b")[]'
    """
    plain = {key: value for key, value in schema.items() if key != "description"}
    found = next((name for named, name in _NAMED if plain == named), None)
    if found is not None:
        return found
    if "enum" in plain:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in plain["enum"])
    if "anyOf" in plain:
        return " | ".join(dict.fromkeys(_type_of(part) for part in plain["anyOf"]))
    if plain.get("type") == "array":
        inner = _type_of(plain["items"])
        return f"({inner})[]" if {"anyOf", "enum"} & set(plain["items"]) else f"{inner}[]"
    return _object(plain) if plain.get("type") == "object" else _PLAIN.get(plain.get("type", ""), "unknown")


def _object(schema: Fragment) -> str:
    if "properties" not in schema:
        return f"Record<string, {_type_of(schema['additionalProperties'])}>"
    parts = (
        f"{json.dumps(name)}{'' if name in schema['required'] else '?'}: {_type_of(part)}"
        for name, part in schema["properties"].items()
    )
    return f"{{ {'; '.join(parts)} }}"


def declarations(families: dict[str, tuple[Fragment, Fragment]]) -> str:
    """Return the declarations for a package of vectors, from the schemas of input and answer of each family."""
    inputs, answers = (
        "\n".join(f"  {json.dumps(name)}: {_type_of(pair[place])};" for name, pair in families.items())
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
