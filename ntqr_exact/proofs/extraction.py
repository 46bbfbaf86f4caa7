"""The boolean functions of the library as a program: OCaml that Coq writes from what is proven, compiled here."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import as_file, files
from pathlib import Path
from subprocess import CompletedProcess

from ntqr_exact.errors import NotSupported
from ntqr_exact.proofs.check import Progress, compile_modules, needed, run, silent
from ntqr_exact.proofs.library import LIBRARY, MODULES, source_of

_PROGRAM = "checker"


def compile_library(place: Path, progress: Progress = silent) -> None:
    """Compile the library in a folder, so that files there can import it."""
    needed("coqc")
    texts = {module: source_of(module) for module in MODULES}
    for done in compile_modules(texts, place, progress=progress).values():
        _succeeded(done)


def compile_checker(place: Path) -> Path:
    """Return the proven checker, compiled in a folder that holds the library; `checker.ml` says what it reads.

    Raises `NotSupported` where Coq or OCaml is missing or refuses.
    """
    needed("coqc", "ocamlfind", "ocamlopt")
    with as_file(files("ntqr_exact.proofs") / "extracted") as folder:
        for name in ("Extract.v", "checker.ml"):
            (place / name).write_bytes((folder / name).read_bytes())
    _succeeded(run(["coqc", "-q", "-Q", ".", LIBRARY, "Extract.v"], place))
    # Coq writes interfaces and names that OCaml warns of; none of it is ours.
    sources = ["ntqr_proven.mli", "ntqr_proven.ml", "checker.ml"]
    _succeeded(run(["ocamlfind", "ocamlopt", "-w", "-a", *sources, "-o", _PROGRAM], place))
    return place / _PROGRAM


def ask_checker(checker: Path, questions: Iterable[str]) -> list[str]:
    """Return the answers of the proven checker, one for each question."""
    lines = list(questions)
    done = run([str(checker)], checker.parent, text="".join(f"{line}\n" for line in lines))
    if done.returncode:
        raise NotSupported(
            done.stderr.strip()[-200:], "the checker reads one question a line", "see checker.ml"
        )
    return done.stdout.splitlines()


def _succeeded(done: CompletedProcess[str]) -> None:
    if done.returncode:
        raise NotSupported(done.args[0], f"it failed: {(done.stderr or done.stdout).strip()[-400:]}")
