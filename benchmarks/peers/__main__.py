"""`python -m benchmarks.peers [FILE]`: write docs/peers.md, or FILE, from the peers that are installed.

What the file says of a peer that is not installed stays; crowd-kit is not among the extras, because it brings large
packages that it does not need here (`pip install crowd-kit`).
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.peers.page import PEERS, page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "peers.md"


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    for peer in PEERS:
        print(f"{peer.name}: {peer.version or 'not installed, its part is kept'}", file=sys.stderr)
    path.write_text(page(path.read_text(encoding="utf-8") if path.exists() else ""), encoding="utf-8")


if __name__ == "__main__":
    main()
