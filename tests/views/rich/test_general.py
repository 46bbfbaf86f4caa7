from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gmpy2 import mpq

from ntqr_exact.exact.surd import Surd
from ntqr_exact.views.rich.general import general_html
from ntqr_exact.votes.counts import VoteCounts

THIRD, ROOT, VOTES = mpq(1, 3), Surd.sqrt(2), VoteCounts({"ab": 1})


def twice(number: int) -> int:
    return 2 * number


@dataclass(frozen=True)
class Inner:
    depth: object = None


@dataclass(frozen=True)
class Sample:
    some_share: mpq = THIRD
    root: Surd = ROOT
    name: str = "<i>"
    work: Callable[[int], int] = twice
    parts: tuple[object, ...] = ()
    table: Mapping[str, int] = field(default_factory=dict)
    votes: VoteCounts = VOTES
    unknown: object = None


def test_fields_are_shown_in_words_with_exact_numbers() -> None:
    made = general_html(Sample(table={"<x>": 4}, parts=(1, "two")))
    assert "<td>some share</td><td>1/3 ≈ 0.333333</td>" in made
    assert "<td>root</td><td>√2 ≈ 1.414214</td>" in made
    assert "&lt;i&gt;" in made
    assert "<td>&lt;x&gt;</td><td>4</td>" in made
    assert "<ul><li>1</li><li>two</li></ul>" in made
    assert "<td>unknown</td><td>None</td>" in made


def test_a_function_is_shown_by_its_name_not_by_its_address() -> None:
    assert "<td>work</td><td>twice</td>" in general_html(Sample())


def test_empty_collections_are_said_to_be_so() -> None:
    made = general_html(Sample())
    assert "<td>parts</td><td>none</td>" in made
    assert "<td>table</td><td>none</td>" in made


def test_a_part_with_a_form_of_its_own_keeps_it() -> None:
    assert "Votes of 2 judges on 1 questions" in general_html(Sample())


def test_depth_ends_in_a_short_text() -> None:
    deep = Inner(Inner(Inner(Inner(Inner("x" * 1000)))))
    made = general_html(deep)
    assert made.count("<strong>Inner</strong>") == 3
    assert len(made) < 1500
