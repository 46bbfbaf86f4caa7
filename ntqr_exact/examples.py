"""Data that ships with the library: the votes of the paper's tests and of real panels, with their keys."""

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
from ntqr_exact.varieties.compositions import individual
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_DATA = files("ntqr_exact.data")
_TABLES = tomllib.loads(_DATA.joinpath("examples.toml").read_text(encoding="utf-8"))

FILES: dict[str, str] = _TABLES["files"]
"""Files that `write_files` writes, each with its content and a command that reads it."""


EXAMPLES: dict[str, dict[str, Any]] = _TABLES["tests"]
"""The three tests of the paper."""

PANELS: dict[str, dict[str, Any]] = _TABLES["panels"]
"""Real panels with their keys."""


@dataclass(frozen=True, slots=True)
class Example:
    """Votes with what is known of their answer key, where they come from, and the file of the package that has them.

    A real panel has its whole key (`labeled`). Of the paper's tests only the number of right answers of each judge on
    each label is printed, so `labeled` is `None`; `evaluation` holds these counts.
    """

    title: str
    citation: Citation
    origin: str
    path: Traversable
    votes: VoteCounts
    evaluation: CountEvaluation
    labeled: LabeledVoteCounts | None


def example(name: str) -> Example:
    """Return an example by its name; raises `BadDocument` with the known names.

    >>> example("two-norm").votes.size, example("breast-cancer").labeled.judges[:2]
    (1000, ('logistic regression', 'naive Bayes'))
    """
    row = (EXAMPLES | PANELS).get(name)
    if row is None:
        raise BadDocument(name, f"the name of an example must be one of {', '.join(EXAMPLES | PANELS)}")
    path, origin, labeled = _DATA.joinpath(row["file"]), row["origin"], None
    text = path.read_text("utf-8")
    if name in PANELS:
        labeled = LabeledVoteCounts.from_json(text)
        votes, evaluation = labeled.observed(), individual(labeled)
    else:
        origin = _TABLES["origin"] + origin
        votes = VoteCounts.from_json(text)
        evaluation = CountEvaluation.from_correct(_TABLES["key_counts"], row["right"])
    return Example(row["title"], Citation(*row["citation"]), origin, path, votes, evaluation, labeled)


def write_files(directory: str | os.PathLike[str]) -> list[Path]:
    """Write the example files into a directory, which is made if needed, and return their paths.

    Raises `BadDocument` if a different file of that name exists: files of the user are never replaced.
    """
    target = Path(directory)
    contents = {target / name: _DATA.joinpath("files", name).read_bytes() for name in FILES}
    for path, content in contents.items():
        if path.exists() and (not path.is_file() or path.read_bytes() != content):
            raise BadDocument(str(path), "another file of this name exists", "choose another directory")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for path, content in contents.items():
            path.write_bytes(content)
    except OSError as error:
        raise BadDocument(str(target), f"the examples cannot be written: {error.strerror}") from None
    return list(contents)
