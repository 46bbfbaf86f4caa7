"""Files of Coq checked by Coq itself: compiled by `coqc`, looked at again by `coqchk`, and free of axioms."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from ntqr_exact.errors import BadDocument, NotSupported
from ntqr_exact.proofs.coq_votes import LIBRARY

MODULES = ("Keys", "Mixture", "Alarms", "Completeness", "Decision")
"""The files of the library, each after those that it needs."""

_CLOSED = "Closed under the global context"
_THEOREM = re.compile(r"^\s*(?:Theorem|Lemma|Corollary|Example)\s+(\w+)", re.MULTILINE)
_UNPROVEN = re.compile(
    r"\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|Hypothesis|Variable)\b"
)
_SECONDS = 600


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file of Coq: its theorems, and what is wrong with it; nothing, if the kernel accepts it without axioms."""

    name: str
    theorems: tuple[str, ...]
    problems: tuple[str, ...]


def check_proofs(paths: Sequence[Path] = (), *, seconds: int = _SECONDS) -> list[CheckedFile]:
    """Return what Coq says of the library and of further files.

    Raises `NotSupported` where Coq is not installed, and `BadDocument` for a file that cannot be read.
    """
    missing = [tool for tool in ("coqc", "coqchk") if shutil.which(tool) is None]
    if missing:
        raise NotSupported(
            ", ".join(missing), "Coq is not installed here", "install it (Debian: apt install coq)"
        )
    with tempfile.TemporaryDirectory() as folder, as_file(files("ntqr_exact.proofs") / "coq") as library:
        place = Path(folder)
        found = [_checked(library / f"{name}.v", name, place, seconds) for name in MODULES]
        for number, path in enumerate(paths, start=1):
            found.append(_checked(path, f"Given{number}", place, seconds))
        if not any(each.problems for each in found):
            names = [
                f"{LIBRARY}.{name}" for name in (*MODULES, *(f"Given{n}" for n in range(1, len(paths) + 1)))
            ]
            found[-1] = _confirmed(
                found[-1], _run(["coqchk", "-silent", "-o", "-Q", ".", LIBRARY, *names], place, seconds)
            )
        return found


def _checked(path: Path, module: str, place: Path, seconds: int) -> CheckedFile:
    """Compile a file as a module of the library, with an account of the axioms of each of its theorems."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadDocument(str(path), f"the file cannot be read: {error}") from None
    plain = _without_comments(text)
    theorems = tuple(dict.fromkeys(_THEOREM.findall(plain)))
    sections = "Section" in plain  # what a section assumes becomes part of its theorems, so it is no axiom
    words = {
        word for word in _UNPROVEN.findall(plain) if not sections or word not in {"Hypothesis", "Variable"}
    }
    problems = [f"the word {word}" for word in sorted(words)]
    asked = "\n".join(f"Print Assumptions {name}." for name in theorems)
    (place / f"{module}.v").write_text(f"{text}\n{asked}\n", encoding="utf-8")
    done = _run(["coqc", "-q", "-Q", ".", LIBRARY, f"{module}.v"], place, seconds)
    if done.returncode:
        problems.append(" ".join((done.stderr or done.stdout).split())[:400])
    elif done.stdout.count(_CLOSED) < len(theorems):
        problems.append("axioms: " + " ".join(done.stdout.replace(_CLOSED, "").split())[:400])
    if not theorems:
        problems.append("no theorem")
    return CheckedFile(path.name, theorems, tuple(problems))


def _confirmed(last: CheckedFile, done: subprocess.CompletedProcess[str]) -> CheckedFile:
    """Add what `coqchk` found: a failure, or axioms in what all the files rest on."""
    said = " ".join((done.stdout + done.stderr).split())
    if done.returncode == 0 and re.search(r"\* Axioms: <none>", said):
        return last
    return CheckedFile(last.name, last.theorems, (*last.problems, f"coqchk: {said[-400:]}"))


def _run(command: Sequence[str], place: Path, seconds: int) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, cwd=place, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(list(command), 1, "", f"no answer within {seconds} seconds")


def _without_comments(text: str) -> str:
    """Return the text without comments, which may stand inside each other."""
    kept: list[str] = []
    depth = 0
    for piece in re.split(r"(\(\*|\*\))", text):
        if piece == "(*":
            depth += 1
        elif piece == "*)":
            depth -= 1
        elif depth == 0:
            kept.append(piece)
    return "".join(kept)
