"""Names: no two public classes have one name."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_no_two_classes_have_one_name() -> None:
    sources = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "ntqr_exact").rglob("*.py"))]
    names = [name for source in sources for name in re.findall(r"^class ([^_\W]\w*)", source, re.MULTILINE)]
    assert len(names) > 50
    assert [name for name, places in Counter(names).items() if places > 1] == []
