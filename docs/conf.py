"""How the documentation is built: `python -m sphinx -W -b html docs build/docs`."""

import shutil
import sys
from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))
import gallery
from api_pages import api_pages
from architecture_map import table as layers
from command_reference import command_reference

from benchmarks import panels as real_panels
from ntqr_exact import __version__
from ntqr_exact.exact.show import formulas
from ntqr_exact.ledger.report import ledger
from ntqr_exact.ledger.report import pages as ledger_pages
from ntqr_exact.vectors.files import pages

project = "ntqr_exact"
author = "The ntqr_exact contributors"
release = version = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_merge_streams = True
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb", ".rst": "restructuredtext"}
exclude_patterns = ["build", "reference/layers.md"]

default_role = "code"  # docstrings write `name` for code
autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "all"
add_module_names = True
autodoc_default_options = {"members": True, "show-inheritance": True}

# The notebooks are next to this folder; the site takes them from a copy inside it, which git ignores.
shutil.rmtree(Path(__file__).parent / "lessons", ignore_errors=True)  # a lesson may have another name now
shutil.copytree(
    Path(__file__).parent.parent / "notebooks",
    Path(__file__).parent / "lessons",
    ignore=shutil.ignore_patterns("README.md", ".ipynb_checkpoints"),
)


def made(name, text):
    """Write a page that git ignores, if it has changed."""
    path = Path(__file__).parent / name
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


# Pages made from the code: each family of vectors, the command, and the public names of each package.
for page, content in pages():
    made(f"vector_families/{page}", content)
made("reference/command.md", command_reference())
for page, content in api_pages().items():
    made(f"reference/{page}", content)
# Pictures and measurements that `python -m docs` makes: where they are not there, the pictures are drawn now.
if not (Path(__file__).parent / "images" / "gallery").exists():
    gallery.main([])
for page, command in (
    ("peers", "benchmarks.peers"),
    ("benchmarks", "benchmarks --page"),
):
    if not (Path(__file__).parent / f"{page}.md").exists():
        made(f"{page}.md", f"# {page.capitalize()}\n\nThis page is written by `python -m {command}`.\n")
if not (Path(__file__).parent / "real_panels.md").exists():
    made("real_panels.md", real_panels.page(None))
made("reference/layers.md", layers() + "\n")
# The ledger, checked now: every claim of each source, and the notes for its authors.
for page, content in ledger_pages(list(ledger())).items():
    made(f"ledger/{page}", content)

html_math_renderer = "mathml"  # formulas are in the page itself, and need no network
html_theme = "furo"
html_title = f"ntqr_exact {version}"
html_show_copyright = False


def escape_bars(_app, _what, _name, _object, _options, lines):
    """Write |U| so that reStructuredText does not take it for a substitution."""
    lines[:] = [line.replace("|", r"\|") if not line.lstrip().startswith(">>>") else line for line in lines]


def set_symbols(_app, _what, _name, _object, _options, lines):
    """Set the symbols of a docstring as formulas, outside of what is typed there."""
    is_typed = False
    for place, line in enumerate(lines):
        is_typed = line.lstrip().startswith(">>>") or (is_typed and line.strip() != "")
        if not is_typed:
            lines[place] = formulas(line, ":math:`", "`")


def visit_inline_formula(self, node):
    """Write a formula inside a line as MathML."""
    self.body.append(convert(node.astext(), display="inline"))
    raise nodes.SkipNode


def visit_formula(self, node):
    """Write a formula on a line of its own as MathML."""
    self.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app):
    """Connect what docstrings need."""
    app.add_html_math_renderer("mathml", (visit_inline_formula, None), (visit_formula, None))
    app.connect("autodoc-process-docstring", escape_bars)
    app.connect("autodoc-process-docstring", set_symbols)
