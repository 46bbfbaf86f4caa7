"""The vectors are packages of data alone: they install from the file without a network, and are read there."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ntqr_exact.cli.main import main
from ntqr_exact.vectors import pack
from ntqr_exact.vectors.files import read_index, shipped
from ntqr_exact.vectors.make import make_vectors
from ntqr_exact.vectors.pack import pack_npm, pack_wheel, pack_zip, schemas_of
from ntqr_exact.vectors.schema_code import declarations, forms_module
from ntqr_exact.vectors.set_version import next_version, record_of, set_changes, set_version
from tests.vectors.shipped_tests import shipped_document, shipped_tests

ROOT = Path(__file__).resolve().parents[2]
RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))
NAMES = [entry["family"] for entry in read_index(shipped())]


def written(directory: Path, packed: tuple[str, bytes]) -> Path:
    path = directory / packed[0]
    path.write_bytes(packed[1])
    return path


FEW = ("mcnemar-test", "vote-moments")


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of two families: what installs it installs any."""
    directory = tmp_path_factory.mktemp("few")
    make_vectors(directory, names=FEW)
    return directory


def test_the_version_has_grown_by_the_rule_since_it_was_recorded() -> None:
    least = next_version(RECORDED["version"], RECORDED["record"], record_of(shipped()))
    remedy = "write it into release.toml, then: vectors pack --record tests/vectors/recorded.json"
    assert set_version() == least, f"the shipped set needs version {least}; {remedy}"


def test_the_changes_tell_of_the_version() -> None:
    assert f"\n## {set_version()}\n" in set_changes()
    assert f"{len(NAMES)} families" in set_changes()


def test_packing_twice_gives_the_same_bytes_with_the_licence_of_the_project(few: Path) -> None:
    assert all(pack_it(few) == pack_it(few) for pack_it in (pack_npm, pack_wheel, pack_zip))
    assert pack._contents(few)["LICENSE"] == (ROOT / "LICENSE").read_bytes()


def test_the_zip_file_holds_every_family(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(written(tmp_path, pack_zip(shipped()))) as archive:
        root = f"ntqr-vectors-{set_version()}"
        names = archive.namelist()
        assert {f"{root}/vectors/{name}.json" for name in (*NAMES, "index", "schema")} <= set(names)
        total = sum(entry["tests"] for entry in read_index(shipped()))
        readme = archive.read(f"{root}/README.md").decode()
        assert f"{total} tests" in readme
        assert all(f"| {name} | " in readme for name in NAMES)
        assert (
            "| surd-arithmetic | " in readme.partition("## Numbers, and reading them")[2].partition("##")[0]
        )
        assert "the family `number-parsing` is their\n   grammar, for all families" in readme
        assert archive.read(f"{root}/PROTOCOL.md").startswith(b"# The protocol of `vectors run`")
        archive.extractall(tmp_path)
    assert main(["vectors", "list", "--vectors", str(tmp_path / root)]) == 0
    assert capsys.readouterr().out.endswith(f" families, version {set_version()}\n")
    assert '{"id": "vote-moments/489e8009df", "output": {"error": "any text"}}' in readme


def test_pip_installs_the_wheel_without_a_network(few: Path, tmp_path: Path) -> None:
    wheel = written(tmp_path, pack_wheel(few))
    target = tmp_path / "there"
    arguments = ["install", "--quiet", "--no-index", "--no-deps", "--target", str(target), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *arguments], check=True, timeout=120)
    code = "import ntqr_vectors, json; print(len(json.load(open(ntqr_vectors.path() / 'index.json'))['families']))"
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=target, check=True, capture_output=True, text=True
    )
    assert int(ran.stdout) == len(FEW)


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_npm_installs_the_package_without_a_network(few: Path, tmp_path: Path) -> None:
    packed = written(tmp_path, pack_npm(few))
    project = tmp_path / "project"
    project.mkdir()
    (project / "package.json").write_text('{"name": "p", "version": "1.0.0", "type": "module"}')
    arguments = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", str(packed)]
    subprocess.run(arguments, cwd=project, check=True, timeout=120)
    (project / "main.mjs").write_text(
        'import { names, read, version } from "ntqr-vectors";\n'
        "console.log(JSON.stringify([version, names.length, read(names[0]).groups.length > 0]));\n"
    )
    ran = subprocess.run(["node", "main.mjs"], cwd=project, check=True, capture_output=True, text=True)
    assert json.loads(ran.stdout) == [set_version(), len(FEW), True]


def test_types_are_made_from_the_schemas_and_so_are_the_forms_of_the_example_program() -> None:
    documents = {name: shipped_document(name) for name in NAMES}
    schemas = {name: (found["input"], found["expected"]) for name, found in documents.items()}
    types = declarations(schemas)
    assert '"quantiles": "lower" | "averaged"; "metric": string; "strata": (number | string)[][]' in types
    assert '"outcomes": Rational[][]' in types
    kept = ROOT / "docs" / "vectors_runner" / "schemas.mjs"
    remedy = f"ntqr-exact vectors pack --forms {kept.relative_to(ROOT)}"
    assert kept.read_text(encoding="utf-8") == forms_module(schemas), remedy


def test_the_command_writes_the_forms(few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ntqr_exact.cli.vectors_pack.shipped", lambda: few)
    assert main(["vectors", "pack", "--forms", str(tmp_path / "schemas.mjs")]) == 0
    assert (tmp_path / "schemas.mjs").read_text(encoding="utf-8") == forms_module(schemas_of(few))


PAIRED = shipped_tests("mcnemar-test")
ANSWERED = sum(test.body["result"] == "valid" for test in PAIRED)
LEAN = {"PATH": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
PLUGIN = ["-p", "ntqr_exact.vectors.pytest_plugin", "--ntqr-vectors", "mcnemar-test"]


@pytest.mark.parametrize(
    ("body", "failed"),
    [
        ("import page\ndef answer(given): return page.answer(**given)", 0),
        ("def answer(given): raise ValueError('bad-number')", ANSWERED),
    ],
)
def test_the_plugin_makes_each_vector_a_test_of_a_function(body: str, failed: int, tmp_path: Path) -> None:
    page = (ROOT / "ntqr_exact" / "vectors" / "protocol.md").read_text(encoding="utf-8")
    (tmp_path / "page.py").write_text(page.partition("```python\n")[2].partition("\nfor line in")[0])
    (tmp_path / "mine.py").write_text(body)
    arguments = ["-m", "pytest", "-q", *PLUGIN, "--function", "mine:answer", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [sys.executable, *arguments],
        check=False,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{tmp_path}:{ROOT}", **LEAN},
    )
    right = f"{len(PAIRED) - failed} passed"
    assert ran.stdout.splitlines()[-1].startswith(f"{failed} failed, {right}" if failed else right), (
        ran.stdout
    )


def test_the_plugin_asks_for_a_function_that_there_is(tmp_path: Path) -> None:
    for more in ([], ["--function", "json:dumps", "--ntqr-vectors", "nonsense"]):
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *PLUGIN, *more],
            check=False,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={"PYTHONPATH": str(ROOT), **LEAN},
        )
        assert ran.returncode == 4, more
