"""Makes `docs/notation.md` from the table of notation: `python docs/notation_page.py`."""

from __future__ import annotations

from pathlib import Path

from ntqr_exact.postulates.notation import NOTATION, read_name

PAGE = Path(__file__).with_name("notation.md")
_HEAD = """\
# Notation

<!-- Made by `python docs/notation_page.py`; change ntqr_exact/data/notation.toml, not this page. -->

One short name, one symbol, one meaning. The rows show label a (and b) and judges 1, 2, 3. Short names call the labels
a, b, c, … in their order; printed symbols have the labels of the votes. *Seen in*: a quantity of the votes is known to
everybody, one of the answer key only to those who have the key.

| short name | symbol | LaTeX | seen in | meaning |
|---|---|---|---|---|
"""


def notation_page() -> str:
    """Return the page."""
    rows = []
    for row in NOTATION.values():
        for name in row.examples.split():
            text, latex = (read_name(name).written(latex=latex) for latex in (False, True))
            rows.append(f"| `{name}` | `{text}` | ${latex}$ | {row.side} | {row.meaning} |\n")
    return _HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(notation_page(), encoding="utf-8")
