"""docs/peers.md says what the adapters produce now, for every peer that is installed in the version on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.peers import no_agreement, page
from benchmarks.peers.conformance import ACCEPTED, KINDS, NOT_ASKED, REFUSED, RIGHT, VALUE, Peer, Row, report

TEXT = (Path(__file__).parents[3] / "docs" / "peers.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("peer", page.PEERS, ids=lambda peer: peer.name)
def test_the_page_tells_what_the_adapter_finds(peer: Peer) -> None:
    told = page.section_in(TEXT, peer.name)
    if peer.version is None:
        pytest.skip(f"{peer.name} is not installed")
    if told.splitlines()[0] != f"## {peer.name} {peer.version}":
        pytest.skip(f"the page is about another version than {peer.version}")
    rows = report(peer.asked, cause=peer.cause)
    assert "\n".join(page.section(peer, rows)) == told, "run python -m benchmarks.peers"
    assert page._summary(peer, rows) in TEXT.splitlines()
    unexplained = [cause for cause in page.causes(rows) if any(kind in cause for kind in KINDS)]
    assert unexplained == []


def row(quantity: str, **outcomes: str) -> Row:
    return Row("areas", quantity, outcomes)


def test_a_test_stands_in_the_worst_column_of_its_quantities() -> None:
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


def test_every_row_of_the_page_adds_up_to_the_summary() -> None:
    for peer in page.PEERS:
        lines = page.section_in(TEXT, peer.name).splitlines()
        counts = [
            list(map(int, line.strip("| ").split(" | ")[-5:])) for line in lines if line.startswith("| `")
        ]
        (summary,) = (line for line in TEXT.splitlines() if line.startswith(f"| [{peer.name}]"))
        assert list(map(int, summary.strip("| ").split(" | ")[-5:])) == [
            sum(column) for column in zip(*counts, strict=True)
        ]


def test_the_page_tells_what_others_say_where_agreement_has_no_value() -> None:
    for package in ("krippendorff", "sklearn", "statsmodels"):
        pytest.importorskip(package)
    assert "\n".join(no_agreement.section(TEXT)) in TEXT
