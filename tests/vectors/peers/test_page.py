"""The page of peers: what it says of each that is installed adds up, and the part of one that is not is kept."""

from __future__ import annotations

import pytest

from benchmarks.peers import page
from benchmarks.peers.conformance import ACCEPTED, KINDS, NOT_ASKED, REFUSED, RIGHT, VALUE, Peer, Row, report


def row(quantity: str, **outcomes: str) -> Row:
    return Row("areas", quantity, outcomes)


def test_a_test_counts_in_the_worst_column_of_its_quantities() -> None:
    first = row("x", a=RIGHT, b=RIGHT, c=RIGHT, d=NOT_ASKED, e=NOT_ASKED, f=REFUSED, g=VALUE, h=ACCEPTED)
    second = row("y", a=RIGHT, b=VALUE, c=REFUSED, d=NOT_ASKED, e=RIGHT, f=ACCEPTED, g=REFUSED, h=RIGHT)
    assert page.standing([first, second]) == {
        "passed": 2,
        "failed": 2,
        "refused wrongly": 2,
        "accepted wrongly": 1,
        "not comparable": 1,
    }


def test_the_part_of_a_peer_that_is_not_installed_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = Peer("no-such-package", {}, lambda *_: "", ())
    monkeypatch.setattr(page, "PEERS", (absent,))
    summary = "| [no-such-package](#x) | 1.0 | 3 |"
    old = (
        f"# T\n\n{summary}\n\n## other 2\n\nb\n\n## no-such-package 1.0\n\na table\n\n## ppi-python\n\nold\n"
    )
    made = page.page(old)
    assert summary in made.splitlines()
    assert "## no-such-package 1.0\n\na table\n\n## ppi-python" in made
    assert "## other" not in made
    assert "Not run yet." in page.page("")


@pytest.mark.slow
@pytest.mark.parametrize("peer", page.PEERS, ids=lambda peer: peer.name)
def test_every_failure_of_a_peer_has_a_cause_and_rows_add_up(peer: Peer) -> None:
    if peer.version is None:
        pytest.skip(f"{peer.name} is not installed")
    rows = report(peer.asked, cause=peer.cause)
    assert [cause for cause in page.causes(rows) if any(kind in cause for kind in KINDS)] == []
    lines = [line for line in page.section(peer, rows) if line.startswith("| `")]
    counts = [list(map(int, line.strip("| ").split(" | ")[-5:])) for line in lines]
    summary = page._summary(peer, rows)
    assert list(map(int, summary.strip("| ").split(" | ")[-5:])) == [
        sum(column) for column in zip(*counts, strict=True)
    ]
