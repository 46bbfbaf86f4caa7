"""Draw the pictures of the gallery from the code of `plots.md`: `python docs/gallery.py [NAME]`.

The picture of the README, `failing_judges`, is in git, and is drawn only if it is named.
"""

from __future__ import annotations

import doctest
import io
import re
import sys
from pathlib import Path
from typing import Any

import matplotlib

from ntqr_exact import example, failing_curve
from ntqr_exact.views.plots import plot_failing_judges
from ntqr_exact.views.plots.style import themed, variables

PAGE = Path(__file__).parent / "plots.md"
PANEL = "digits-parity"
"""The example of the README."""
_ENTRY = re.compile(
    r"^### .*?\n.*?```python\n(.*?)```\n\n!\[.*?\]\((images/gallery/(\w+)\.svg)\)", re.MULTILINE | re.DOTALL
)


def entries() -> dict[str, tuple[str, Path]]:
    """Return for each function of the gallery its program and the file of its picture."""
    text = PAGE.read_text(encoding="utf-8")
    parser = doctest.DocTestParser()
    return {
        name: ("".join(example.source for example in parser.get_examples(code)), PAGE.parent / path)
        for code, path, name in _ENTRY.findall(text)
    }


def draw(program: str) -> Any:
    """Return the figure that a program of the gallery calls `drawing`."""
    names: dict[str, Any] = {}
    exec(program, names)
    made = names["drawing"]
    return (made[0] if isinstance(made, list) else made).figure


def save_themed(figure: Any, path: Path) -> None:
    """Write a light figure as an SVG that is light or dark as the reader's system is."""
    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "ntqr-exact", "svg.fonttype": "none"}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    style = f"<style>@media (prefers-color-scheme: dark) {{ svg {{ {variables('dark')} }} }}</style>"
    drawing = re.sub(r"(<svg[^>]*>)", rf"\1\n {style}", themed(file.getvalue().decode()), count=1)
    path.write_text(drawing, encoding="utf-8")


def main(names: list[str]) -> None:
    """Write all pictures, or those that are named."""
    matplotlib.use("Agg")
    for name, (program, path) in entries().items():
        if not names or name in names:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_themed(draw(program), path)
    if "failing_judges" in names:
        save_themed(readme_picture(), PAGE.parent / "images" / "failing_judges.svg")


def readme_picture() -> Any:
    """Draw how many judges of the README's panel must fail."""
    panel = example(PANEL)
    axes = plot_failing_judges(failing_curve(panel.votes), truth=panel.evaluation)
    axes.set_title(f"{panel.votes.size} questions, {len(panel.votes.judges)} judges: how many must fail?")
    return axes.figure


if __name__ == "__main__":
    main(sys.argv[1:])
