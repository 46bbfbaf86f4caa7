"""Data that ships with the library: votes of published tests, with their sources.

>>> example("two-norm").votes.size, example("two-norm").key_counts
(1000, {'a': 400, 'b': 600})
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.arguments import checked
from ntqr_exact.votes.counts import VoteCounts

_DATA = "ntqr_exact.data"


@dataclass(frozen=True, slots=True)
class Example:
    """Votes of a published test, what its source says of the answer key, and where they come from.

    The source says how often each judge was right on each label, but not how often they were right together;
    so `evaluation` holds each judge's own counts.
    """

    name: str
    title: str
    file: str
    evaluation: CountEvaluation
    citation: Citation
    origin: str

    @property
    def path(self) -> Traversable:
        """The votes file inside the installed package."""
        return files(_DATA).joinpath(self.file)

    @property
    def votes(self) -> VoteCounts:
        """The votes, read from the file."""
        return VoteCounts.from_json(self.path.read_text(encoding="utf-8"))

    @property
    def key_counts(self) -> dict[str, int]:
        """How many questions have each true label."""
        return dict(self.evaluation.key_counts)


_TABLES = tomllib.loads(files(_DATA).joinpath("examples.toml").read_text(encoding="utf-8"))


def _example(name: str, row: dict[str, Any]) -> Example:
    right = [{"a": a, "b": b} for a, b in zip(row["right"]["a"], row["right"]["b"], strict=True)]
    evaluation = CountEvaluation.from_correct(_TABLES["key_counts"], right)
    origin = _TABLES["origin"] + (_TABLES["misprinted"] if row["is_misprinted"] else "")
    return Example(name, row["title"], row["file"], evaluation, Citation("ntqr", row["place"]), origin)


EXAMPLES = {name: _example(name, row) for name, row in _TABLES["tests"].items()}

FILES: dict[str, str] = _TABLES["files"]
"""Files that `write_files` writes, each with what it holds and a command that reads it."""


@checked
def example(name: str) -> Example:
    """Return an example by its name; raises `BadDocument` with the names there are."""
    if name not in EXAMPLES:
        raise BadDocument(name, f"the examples are {', '.join(EXAMPLES)}")
    return EXAMPLES[name]


def write_files(directory: str | os.PathLike[str]) -> list[Path]:
    """Write the files into a directory, which is made if need be, and return their paths.

    Raises `BadDocument` where another file of such a name is there: nothing of the user's is replaced.
    """
    target = Path(directory)
    contents = {target / name: files(f"{_DATA}.files").joinpath(name).read_bytes() for name in FILES}
    for path, content in contents.items():
        if path.exists() and (not path.is_file() or path.read_bytes() != content):
            raise BadDocument(str(path), "there is another file of this name", "choose another directory")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for path, content in contents.items():
            path.write_bytes(content)
    except OSError as error:
        raise BadDocument(str(target), f"the examples cannot be written: {error.strerror}") from None
    return list(contents)
