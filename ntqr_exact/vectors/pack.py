"""`pack_zip`, `pack_npm` and `pack_wheel`: a set as a package of data alone, the same bytes each time.

They need no Python, or nothing of this library: a program reads the files and computes for itself.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

from ntqr_exact.vectors.files import INDEX, SCHEMA, read_entry, read_index
from ntqr_exact.vectors.pages import by_subject
from ntqr_exact.vectors.schema_code import Schemas, declarations
from ntqr_exact.vectors.set_version import set_changes, set_version

NAME = "ntqr-vectors"
_MODULE = "ntqr_vectors"
_SUMMARY = "Exact reference test vectors for grading classifiers"
_EPOCH = (1980, 1, 1, 0, 0, 0)

_README = """# NAME {version}

{summary}: {tests} tests in {families} families, as data. `vectors/index.json` lists the
families, and each has a file in `vectors/`, which explains itself:

- `algorithm` says in words how the answer follows from the input, and which inputs are refused;
- `input` and `expected` are JSON Schemas of the two, `numbers` tells how numbers are written in the file (the same
  words in each: surds a + b√d occur only where a schema has a `radicand`; your output need not be in lowest terms);
- `flags` and `errors` tell what the words mean that tests use;
- `groups` holds the tests.

```json
{{"parameters": {{"labels": ["a", "b"], "judges": 3}}, "tests": [
  {{"id": "vote-moments/489e8009df", "input": {{"counts": [1, 0, …, 0]}}, "expected": …, "result": "valid", …}},
```

1. Choose a family from the list below, and read its `algorithm`.
2. For each test of each group put the group's `parameters` and the test's `input` together; they have no key in common.
   This is the input, here `{{"labels": ["a", "b"], "judges": 3, "counts": […]}}`. Compute. Numbers given as
   texts (`"7"`, `"-3/8"`, `"0.375"`, `"4e-7"`) mean exactly what they say; the family `number-parsing` is their
   grammar, for all families.
3. Compare with `expected` by value: `6/8` is right for `3/4`; the order of keys does not matter, that of lists does.
   `result` is `valid` (the answer must be found), `invalid` (the input must be refused, for whatever reason you give)
   or `acceptable` (either).

Or let `ntqr-exact`, a package for Python, compare. `pip install .` in a clone of its source installs it.
`ntqr-exact vectors run FAMILY -- COMMAND` asks a program in any
language, a JSON object a line, and names the likely cause of what is wrong: PROTOCOL.md beside this file is the page of
its protocol, with a whole program in each of Python, JavaScript and R. `ntqr-exact vectors judge FILE` reads lines
of the form `{{"id": "vote-moments/489e8009df", "output": {{"error": "any text"}}}}`, where `output` is your answer.

In JavaScript: `import {{ names, read }} from "NAME"`. In Python: `ntqr_vectors.path()` after the import. In R:
`family <- jsonlite::fromJSON("vectors/vote-moments.json", simplifyVector = FALSE)`; its `groups` have the tests.

Each family needs whole numbers of any size for its largest tests, flagged `large` where there is such a flag:
`Fraction`, `BigInt`, or the package gmp. "surds" are numbers a + b√d beside rationals. Begin with few words.

{table}
""".replace("NAME", NAME)

_JAVASCRIPT = """import { readFileSync } from "node:fs";

const file = (name) => JSON.parse(readFileSync(new URL(`vectors/${name}.json`, import.meta.url), "utf8"));
export const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
export const names = file("index").families.map(({ family }) => family);
export const read = (name) => file(name);
"""

_PYTHON = '''"""Exact reference test vectors: `path()` is the directory of the files."""

from pathlib import Path

__version__ = "{version}"


def path() -> Path:
    """Return the directory of the vectors; index.json in it lists the families."""
    return Path(__file__).parent / "vectors"
'''


def _contents(vectors: Traversable) -> dict[str, bytes]:
    """Return the files that every package has."""
    entries = read_index(vectors)
    found = {f"vectors/{name}": (vectors / name).read_bytes() for name in (INDEX, SCHEMA)}
    found |= {f"vectors/{entry['file']}": (vectors / entry["file"]).read_bytes() for entry in entries}
    total = sum(entry["tests"] for entry in entries)
    readme = _README.format(
        version=set_version(), summary=_SUMMARY, tests=total, families=len(entries), table=_table(vectors)
    )
    licence = (files("ntqr_exact.vectors") / "LICENSE.txt").read_bytes()
    return {
        "README.md": readme.encode(),
        "CHANGES.md": set_changes().lstrip().encode(),
        "LICENSE": licence,
        "PROTOCOL.md": (files("ntqr_exact.vectors") / "protocol.md").read_bytes(),
        **found,
    }


def _table(vectors: Traversable) -> str:
    """Return the families by subject, with how long their words are and whether they have surds."""
    lines = []
    for title, entries in by_subject(read_index(vectors)):
        lines += [
            f"## {title}",
            "",
            "| family | tests | words | numbers | what is computed |",
            "|---|---|---|---|---|",
        ]
        for entry in entries:
            document = read_entry(vectors, entry)
            words = len(" ".join(document["algorithm"]).split())
            schemas = json.dumps([document["input"], document["expected"]])
            numbers = "surds" if '"radicand"' in schemas else "rationals"
            lines.append(f"| {entry['family']} | {entry['tests']} | {words} | {numbers} | {entry['title']} |")
        lines += [""]
    return "\n".join(lines)


def schemas_of(vectors: Traversable) -> Schemas:
    """Return the schemas of input and answer of each family of a set."""
    documents = (read_entry(vectors, entry) for entry in read_index(vectors))
    return {document["family"]: (document["input"], document["expected"]) for document in documents}


def pack_zip(vectors: Traversable) -> tuple[str, bytes]:
    """Return the name and the bytes of a zip file of a set."""
    root = f"{NAME}-{set_version()}"
    return f"{root}.zip", _zipped({f"{root}/{name}": data for name, data in _contents(vectors).items()})


def pack_npm(vectors: Traversable) -> tuple[str, bytes]:
    """Return the name and the bytes of a package for npm, with types."""
    package = {
        "name": NAME,
        "version": set_version(),
        "description": _SUMMARY,
        "license": "MIT",
        "type": "module",
        "exports": {".": {"types": "./index.d.ts", "default": "./index.js"}, "./vectors/*": "./vectors/*"},
        "types": "./index.d.ts",
    }
    contents = {
        "package.json": (json.dumps(package, indent=2) + "\n").encode(),
        "index.js": _JAVASCRIPT.encode(),
        "index.d.ts": declarations(schemas_of(vectors)).encode(),
        **_contents(vectors),
    }
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w") as tar,
    ):
        for name, data in contents.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size, member.mode = len(data), 0o644
            tar.addfile(member, io.BytesIO(data))
    return f"{NAME}-{set_version()}.tgz", packed.getvalue()


def pack_wheel(vectors: Traversable) -> tuple[str, bytes]:
    """Return the name and the bytes of a wheel whose module knows the path of the files."""
    version = set_version()
    information = f"{_MODULE}-{version}.dist-info"
    metadata = (
        f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\nSummary: {_SUMMARY}\nLicense: MIT\n"
        "Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n"
    )
    contents = {f"{_MODULE}/{name}": data for name, data in _contents(vectors).items()}
    contents[f"{_MODULE}/__init__.py"] = _PYTHON.replace("{version}", version).encode()
    contents[f"{information}/METADATA"] = metadata.encode() + contents[f"{_MODULE}/README.md"]
    contents[f"{information}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: ntqr-exact\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    rows = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in contents.items()]
    contents[f"{information}/RECORD"] = "\n".join([*rows, f"{information}/RECORD,,", ""]).encode()
    return f"{_MODULE}-{version}-py3-none-any.whl", _zipped(contents)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _zipped(contents: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(member, data)
    return packed.getvalue()
