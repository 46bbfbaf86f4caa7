"""Names: no class has the name of a public one."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import ntqr_exact

ROOT = Path(__file__).resolve().parents[2]


def test_no_class_has_the_name_of_a_public_one() -> None:
    sources = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "ntqr_exact").rglob("*.py"))]
    names = [name for source in sources for name in re.findall(r"^class ([^_\W]\w*)", source, re.MULTILINE)]
    assert len(names) > 50
    assert [
        name for name, places in Counter(names).items() if places > 1 and name in ntqr_exact.__all__
    ] == []
