"""Files of Coq checked by Coq itself: compiled by `coqc`, looked at again by `coqchk`, and free of axioms."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, as_completed, wait
from dataclasses import dataclass
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

from ntqr_exact.errors import BadDocument, NotSupported
from ntqr_exact.programs import Programs, threads_for_programs
from ntqr_exact.proofs.library import LIBRARY, MODULES, theorems_of, without_comments

_CLOSED = "Closed under the global context"
_ACCOUNT = re.compile(rf"^(?:{_CLOSED}|Axioms:)$", re.MULTILINE)
_SOUND = ("Axioms", "type-in-type", "unsafe (co)fixpoints", "positivity is assumed")
_UNPROVEN = re.compile(
    r"\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|Hypothesis|Variable)\b"
)
_IMPORTS = re.compile(rf"^From {LIBRARY} Require (?:Import|Export) ([\w\s]+)\.", re.MULTILINE)
_SECONDS = 600
_PROCESSES = 2


Progress: TypeAlias = Callable[[], object]
"""What is called when a file has been compiled."""


def silent() -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class CheckedTheorem:
    """A theorem and the axioms that it rests on, as Coq tells them."""

    name: str
    axioms: str = ""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file of Coq: its theorems, and what is wrong with it; nothing, if the kernel accepts it without axioms."""

    name: str
    theorems: tuple[CheckedTheorem, ...]
    problems: tuple[str, ...]


def check_proofs(
    paths: Sequence[Path] = (), *, seconds: int = _SECONDS, progress: Progress = silent
) -> list[CheckedFile]:
    """Return what Coq says of the library and of further files; `progress` hears of each that is compiled.

    Raises `NotSupported` where Coq is not installed, and `BadDocument` for a file that cannot be read.
    """
    needed("coqc", "coqchk")
    with tempfile.TemporaryDirectory() as folder, as_file(files("ntqr_exact.proofs") / "coq") as library:
        place = Path(folder)
        texts = {name: _read(library / f"{name}.v") for name in MODULES}
        shown = {name: f"{name}.v" for name in MODULES}
        for number, path in enumerate(paths, start=1):
            texts[f"Given{number}"], shown[f"Given{number}"] = _read(path), path.name
        accounted = {name: _accounted(text) for name, text in texts.items()}
        compiled = compile_modules(accounted, place, seconds, progress)
        found = []
        for name, text in texts.items():
            done, is_closed = compiled[name], compiled[name].stdout.rstrip().endswith(_CLOSED)
            if done.returncode == 0 and not is_closed:
                done = compile_modules({name: _accounted(text, each=True)}, place, seconds)[name]
            found.append(_checked(shown[name], text, done, is_closed=is_closed))
        if not any(each.problems for each in found):
            names = [f"{LIBRARY}.{name}" for name in texts]
            found[-1] = _confirmed(
                found[-1], run(["coqchk", "-silent", "-o", "-Q", ".", LIBRARY, *names], place, seconds)
            )
        return found


def compile_modules(
    texts: Mapping[str, str], place: Path, seconds: int = _SECONDS, progress: Progress = silent
) -> dict[str, subprocess.CompletedProcess[str]]:
    """Return what `coqc` said of each file, two at a time; a file waits for those before it that it imports."""

    def compiled(name: str, text: str, waiting: list[Future[Any]]) -> subprocess.CompletedProcess[str]:
        wait(waiting)
        (place / f"{name}.v").write_text(text, encoding="utf-8")
        return run(["coqc", "-q", "-Q", ".", LIBRARY, f"{name}.v"], place, seconds, programs=programs)

    started: dict[str, Future[subprocess.CompletedProcess[str]]] = {}
    with threads_for_programs(_PROCESSES) as (executor, programs):
        for name, text in texts.items():
            imported = {word for names in _IMPORTS.findall(text) for word in names.split()}
            waiting = [future for other, future in started.items() if other in imported]
            started[name] = executor.submit(compiled, name, text, waiting)
        for _ in as_completed(started.values()):
            progress()
    return {name: future.result() for name, future in started.items()}


def _accounted(text: str, *, each: bool = False) -> str:
    """Return a file that ends with an account of the axioms of its theorems: of all together, or of each."""
    theorems = theorems_of(text)
    if not theorems:
        return text
    # Coq looks through all that a theorem rests on, much the same for each: once for all is many times quicker.
    together = f"Definition accounted := ({', '.join(f'@{name}' for name in theorems)})."
    asked = theorems if each else ("accounted",)
    lines = [text, *(() if each else (together,)), *(f"Print Assumptions {name}." for name in asked), ""]
    return "\n".join(lines)


def needed(*tools: str) -> None:
    """Raise `NotSupported` for programs that are not installed."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        raise NotSupported(
            ", ".join(missing),
            "not installed here",
            "install it (Debian: apt install coq, which brings OCaml with it)",
        )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadDocument(str(path), "the file is not UTF-8") from None
    except OSError as error:
        raise BadDocument(str(path), f"the file cannot be read: {error.strerror}") from None


def _checked(
    shown: str, text: str, done: subprocess.CompletedProcess[str], *, is_closed: bool
) -> CheckedFile:
    """Return what is wrong with a file that was compiled, and the axioms of each of its theorems; none, if closed."""
    plain = without_comments(text)
    theorems = theorems_of(text)
    sections = "Section" in plain  # what a section assumes becomes part of its theorems, so it is no axiom
    words = {
        word for word in _UNPROVEN.findall(plain) if not sections or word not in {"Hypothesis", "Variable"}
    }
    problems = [f"the word {word}" for word in sorted(words)]
    if done.returncode:
        problems.append(" ".join((done.stderr or done.stdout).split())[:400])
        return CheckedFile(shown, tuple(map(CheckedTheorem, theorems)), tuple(problems))
    starts = [match.start() for match in _ACCOUNT.finditer(done.stdout)][-len(theorems) or None :]
    accounts = [done.stdout[start:end].strip() for start, end in pairwise([*starts, len(done.stdout)])]
    found = tuple(
        CheckedTheorem(name, "" if account == _CLOSED else " ".join(account.split())[:400])
        for name, account in zip(theorems, [_CLOSED] * len(theorems) if is_closed else accounts, strict=True)
    )
    problems += [f"{theorem.name} rests on {theorem.axioms}" for theorem in found if theorem.axioms]
    if not theorems:
        problems.append("no theorem")
    return CheckedFile(shown, found, tuple(problems))


def _confirmed(last: CheckedFile, done: subprocess.CompletedProcess[str]) -> CheckedFile:
    """Add what `coqchk` found: a failure, or axioms in what all the files rest on."""
    said = " ".join((done.stdout + done.stderr).split())
    if done.returncode == 0 and all(f"{promise}: <none>" in said for promise in _SOUND):
        return last
    return CheckedFile(last.name, last.theorems, (*last.problems, f"coqchk: {said[-400:]}"))


def run(
    command: Sequence[str],
    place: Path,
    seconds: int = _SECONDS,
    *,
    text: str = "",
    programs: Programs | None = None,
) -> subprocess.CompletedProcess[str]:
    """Return what a program did in a folder; one that gives no answer in time has failed."""
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with (programs or Programs()).started(command, cwd=place, text=True, **streams) as process:
        try:
            said = process.communicate(text, timeout=seconds)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(list(command), 1, "", f"no answer within {seconds} seconds")
    return subprocess.CompletedProcess(list(command), process.returncode, *said)
