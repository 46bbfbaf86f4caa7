"""Files of Coq checked by Coq itself: compiled by `coqc` and free of axioms; the library once, into a cache."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ntqr_exact.errors import BadDocument, NotSupported
from ntqr_exact.programs import Programs, threads_for_programs

LIBRARY = "NtqrExact"
MODULES = (
    *("Keys", "Questions", "Postulates", "Mixture", "Alarms", "Completeness"),
    *("Decision", "Kinds", "Silence", "Refutations", "Safety", "Failing"),
)
"""The files of the library, each after those that it needs."""

_CLOSED = "Closed under the global context"
_THEOREM = re.compile(r"^\s*(?:Theorem|Lemma|Corollary|Example)\s+(\w+)", re.MULTILINE)
_IMPORTS = re.compile(rf"^From {LIBRARY} Require (?:Import|Export) ([\w\s]+)\.", re.MULTILINE)
_SECONDS = 600
_PROCESSES = 2


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
    kept, depth = "", 0
    for piece in re.split(r"(\(\*|\*\))", text):  # comments may be inside each other
        depth += {"(*": 1, "*)": -1}.get(piece, 0)
        kept += piece if depth == 0 and piece != "*)" else ""
    return tuple(dict.fromkeys(_THEOREM.findall(kept)))


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
            given = _accounted(text, Path(place) / "Given.v")
            checked.append(_checked(path.name, text, run([*_command(folder), given.name], Path(place))))
            progress()
    return checked


def _library(progress: Callable[[], object]) -> tuple[Path, list[CheckedFile]]:
    """Return the folder of the compiled library, made if it is not in the cache, and what was checked."""
    version = run(["coqc", "--version"], Path.cwd()).stdout
    key = hashlib.sha256("\0".join([version, *map(source_of, MODULES)]).encode()).hexdigest()[:16]
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ntqr-exact" / "coq"
    folder = base / key
    if folder.is_dir():  # only what Coq accepted is there
        return folder, [CheckedFile(f"{name}.v", theorems_of(source_of(name))) for name in MODULES]
    base.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=base, ignore_cleanup_errors=True) as made:
        checked = _compiled(Path(made), progress)
        if not any(each.problems for each in checked) and not folder.is_dir():
            shutil.copytree(made, f"{made}.done")
            Path(f"{made}.done").rename(folder)
    return folder, checked


def _compiled(place: Path, progress: Callable[[], object]) -> list[CheckedFile]:
    """Compile the library, two files at a time; a file waits for those before it that it imports."""

    def work(name: str, waiting: list[Future[Any]]) -> CheckedFile:
        wait(waiting)
        _accounted(source_of(name), place / f"{name}.v")
        done = run([*_command(place), f"{name}.v"], place, programs)
        progress()
        return _checked(f"{name}.v", source_of(name), done)

    started: dict[str, Future[CheckedFile]] = {}
    with threads_for_programs(_PROCESSES) as (executor, programs):
        for name in MODULES:
            imported = {word for names in _IMPORTS.findall(source_of(name)) for word in names.split()}
            waiting = [started[each] for each in started if each in imported]
            started[name] = executor.submit(work, name, waiting)
        return [future.result() for future in started.values()]


def _command(library: Path) -> list[str]:
    return ["coqc", "-q", "-Q", str(library), LIBRARY]


def _accounted(text: str, path: Path) -> Path:
    """Write a file that ends with an account of all axioms that its theorems rest on."""
    together = ", ".join(f"@{each}" for each in theorems_of(text))
    account = f"\nDefinition accounted := ({together}).\nPrint Assumptions accounted.\n" if together else ""
    path.write_text(text + account, encoding="utf-8")
    return path


def _checked(shown: str, text: str, done: subprocess.CompletedProcess[str]) -> CheckedFile:
    theorems, said = theorems_of(text), " ".join((done.stdout + done.stderr).split())
    problem = said[:400] if done.returncode else f"it rests on {said[-400:]}" if theorems else "no theorem"
    is_accepted = theorems and done.returncode == 0 and said.endswith(_CLOSED)
    return CheckedFile(shown, theorems, () if is_accepted else (problem,))


def run(
    command: Sequence[str], place: Path, programs: Programs | None = None
) -> subprocess.CompletedProcess[str]:
    """Return what a program did in a folder; one that gives no answer within ten minutes has failed."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with (programs or Programs()).started(command, cwd=place, text=True, **streams) as process:
        try:
            said = process.communicate(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(list(command), 1, "", f"no answer within {_SECONDS} seconds")
    return subprocess.CompletedProcess(list(command), process.returncode, *said)
