"""Files of Coq checked by Coq itself: compiled by `coqc` and free of axioms; the library once, into a cache."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from ntqr_exact.errors import BadDocument, NotSupported

LIBRARY = "NtqrExact"
MODULES = (
    *("Keys", "Questions", "Postulates", "Mixture", "Alarms", "Completeness"),
    *("Decision", "Kinds", "Silence", "Refutations", "Safety", "Failing"),
)
"""The files of the library, each after those that it needs."""

_THEOREM = re.compile(r"^\s*(?:Theorem|Lemma|Corollary|Example)\s+(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file of Coq: its theorems, and what is wrong with it; nothing, if Coq accepts it without axioms."""

    name: str
    theorems: tuple[str, ...]
    problems: tuple[str, ...] = ()


@cache
def source_of(module: str) -> str:
    """Return the text of a file of the library."""
    return (files("ntqr_exact.proofs") / "coq" / f"{module}.v").read_text(encoding="utf-8")


def theorems_of(text: str) -> tuple[str, ...]:
    """Return the names of the theorems of a file of Coq, in order."""
    return tuple(dict.fromkeys(_THEOREM.findall(re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL))))


def check_proofs(paths: Sequence[Path] = (), *, progress: Callable[[], object] = bool) -> list[CheckedFile]:
    """Return what Coq says of the library and of further files; `progress` is called for each that is checked.

    Raises `NotSupported` where Coq is not installed, and `BadDocument` for a file that cannot be read.
    """
    if shutil.which("coqc") is None:
        raise NotSupported("coqc", "Coq must be installed", "Debian: apt install coq")
    folder, checked = _library(progress)
    with tempfile.TemporaryDirectory() as place:
        for path in paths:
            try:
                text = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise BadDocument(str(path), f"the file cannot be read: {error}") from None
            checked.append(_checked(path.name, text, Path(place), folder, progress))
    return checked


def _library(progress: Callable[[], object]) -> tuple[Path, list[CheckedFile]]:
    """Return the folder of the compiled library, made if it is not in the cache, and what was checked."""
    version = _run("coqc", "--version").stdout
    key = hashlib.sha256("\0".join([version, *map(source_of, MODULES)]).encode()).hexdigest()[:16]
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ntqr-exact" / "coq" / key
    if folder.is_dir():  # only what Coq accepted is there
        return folder, [CheckedFile(f"{name}.v", theorems_of(source_of(name))) for name in MODULES]
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as place:
        made = Path(place)
        checked = [_checked(f"{name}.v", source_of(name), made, made, progress) for name in MODULES]
        if not any(each.problems for each in checked) and not folder.is_dir():
            made.rename(folder)
    return folder, checked


def _checked(name: str, text: str, place: Path, library: Path, progress: Callable[[], object]) -> CheckedFile:
    """Compile a file that ends by printing all axioms that its theorems use."""
    theorems = theorems_of(text)
    together = ", ".join(f"@{each}" for each in theorems)
    account = f"\nDefinition accounted := ({together}).\nPrint Assumptions accounted.\n" if theorems else ""
    file = name if place == library else "Given.v"
    (place / file).write_text(text + account, encoding="utf-8")
    done = _run("coqc", "-q", "-Q", str(library), LIBRARY, file, place=place)
    progress()
    output = " ".join((done.stdout + done.stderr).split())
    if done.returncode or not theorems:
        return CheckedFile(name, theorems, (output[:400] if done.returncode else "no theorem",))
    is_closed = output.endswith("Closed under the global context")
    return CheckedFile(name, theorems, () if is_closed else (f"it rests on {output[-400:]}",))


def _run(*command: str, place: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
