"""What the tests of pages and pictures share: a parsed page, and a browser without a screen if there is one."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import matplotlib
import pytest

from ntqr_exact import LabeledVoteCounts, VoteCounts

matplotlib.use("Agg")

VOID = {"meta", "br", "hr", "img", "link", "input"}
HOSTILE_LABELS = ("<script>alert(1)</script>", '"><img src=x onerror=alert(2)>')
HOSTILE_JUDGES = ("</style><b onclick='alert(3)'>A", "B&amp; $x_1$ ]]> -->", "评委\u202e3\x07")


@dataclass
class Page(HTMLParser):
    """Elements, attributes and text of a page; an element that is closed out of order is a fault."""

    tags: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def values(self, name: str) -> list[str]:
        return [value for _, key, value in self.attributes if key == name]


@pytest.fixture
def parsed():
    """Take a page apart."""

    def parse(text: str) -> Page:
        page = Page()
        page.feed(text)
        page.close()
        return page

    return parse


@pytest.fixture
def hostile() -> LabeledVoteCounts:
    """Votes whose names try to become elements, attributes, styles and formulas."""
    x, y = HOSTILE_LABELS
    right = {(x, x, x): 5, (x, x, y): 3, (x, y, x): 2, (y, x, x): 1}
    wrong = {(y, y, y): 6, (y, y, x): 2, (y, x, y): 1, (x, y, y): 2}
    parts = zip(HOSTILE_LABELS, (right, wrong), strict=True)
    return LabeledVoteCounts({key: VoteCounts(part, HOSTILE_LABELS, HOSTILE_JUDGES) for key, part in parts})


class Browser:
    """Chromium without a screen and without a network, each time with a new profile."""

    OPTIONS = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
    )

    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder, self.runs = program, folder, 0

    def run(self, page: str, *options: str) -> str:
        self.runs += 1
        own = self.folder / f"run{self.runs}"
        own.mkdir()
        path = own / "page.html"
        path.write_text(page, encoding="utf-8")
        command = [self.program, *self.OPTIONS, f"--user-data-dir={own / 'profile'}", *options, path.as_uri()]
        done = subprocess.run(
            command, capture_output=True, timeout=120, check=True, env={**os.environ, "HOME": str(own)}
        )
        return done.stdout.decode("utf-8")

    def measure(self, page: str, width: int, script: str) -> dict:
        """Return what a function body of `d` (document) and `w` (window) says of the page at a width.

        The page stands in a frame of that width, unchanged: a window of its own cannot be as narrow as a telephone.
        """
        around = f"""<!DOCTYPE html><html><body><iframe id="f" style="border:0;width:{width}px;height:800px"
            srcdoc="{html.escape(page)}"></iframe><script>
            const f = document.getElementById("f");
            f.addEventListener("load", () => {{
              const d = f.contentDocument, w = f.contentWindow;
              document.body.setAttribute("data-found", JSON.stringify((() => {{ {script} }})()));
            }});</script></body></html>"""
        found = re.search(r'data-found="([^"]*)"', self.run(around, "--dump-dom"))
        assert found, "the page did not load in its frame"
        return json.loads(html.unescape(found[1]))


@pytest.fixture
def browser(tmp_path) -> Browser:
    """A browser, or a skip where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if program := shutil.which(name):
            return Browser(program, tmp_path)
    pytest.skip("Chromium is not installed (Debian package chromium)")


@pytest.fixture(autouse=True)
def _closed_figures():
    from matplotlib import pyplot

    yield
    pyplot.close("all")
