"""Agreement beyond chance: Krippendorff's example, peers, and every 0/0."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from ntqr_exact import VoteCounts, agreement, count_rows
from ntqr_exact.errors import BadChoice, BadNumber, BadVotes, NotVotes
from ntqr_exact.exact.undefined_value import Undefined

_ROWS = ["123321412...", "1233224125.3", ".33323422 51.".replace(" ", ""), "1233244125 1.".replace(" ", "")]
EXAMPLE = count_rows(
    [[None if cell == "." else cell for cell in question] for question in zip(*_ROWS, strict=True)],
    labels=["1", "2", "3", "4", "5"],
)
"""Krippendorff's own example: four observers, twelve units, five values, missing answers."""


@pytest.mark.parametrize(
    ("weights", "alpha"),
    [
        ("nominal", "113/152"),
        ("ordinal", "108577/133160"),
        ("interval", "951/1120"),
        ("ratio", "18222619/22852465"),
    ],
)
def test_krippendorffs_own_example(weights: str, alpha: str) -> None:
    assert agreement(EXAMPLE, "krippendorff", weights=weights) == mpq(alpha)


def tables(judges: int, labels: str = "abc", *, missing: bool) -> st.SearchStrategy[VoteCounts]:
    cell = st.sampled_from([*labels, None] if missing else [*labels])
    names = [f"J{number}" for number in range(judges)]
    return st.lists(st.tuples(*[cell] * judges), min_size=1, max_size=12).map(
        lambda rows: count_rows(rows, labels=list(labels), judges=names)
    )


def by_pairs(table: VoteCounts, kind: str, power: int) -> Fraction | None:
    """The coefficients from their definitions on single pairs of answers: slow, and independent of tables."""
    size = len(table.labels)
    place = {label: k for k, label in enumerate(table.labels)}

    def weight(a: str, b: str) -> Fraction:
        if power == 0:
            return Fraction(a == b)
        return 1 - Fraction(abs(place[a] - place[b]), size - 1) ** power

    questions = [
        [a for a in row if a is not None] for row, count in table.counts.items() for _ in range(count)
    ]
    pairs = [
        [weight(*pair) for pair in permutations(answers, 2)] for answers in questions if len(answers) > 1
    ]
    if not pairs:
        return None
    by_question = sum(sum(some) / len(some) for some in pairs) / len(pairs)
    answered = [answers for answers in questions if answers]
    share = {
        label: sum(Fraction(answers.count(label), len(answers)) for answers in answered) / len(answered)
        for label in table.labels
    }
    both = [answers for answers in questions if len(answers) == 2]
    every = sum(weight(a, b) for a in table.labels for b in table.labels)
    match kind:
        case "percent_pooled":
            return sum(map(sum, pairs)) / Fraction(sum(map(len, pairs)))
        case "percent_by_question":
            return by_question
        case "cohen":
            chance = sum(weight(x[0], y[1]) for x in both for y in both) / len(both) ** 2
        case "scott":
            flat = [answer for answers in both for answer in answers]
            chance = sum(weight(x, y) for x in flat for y in flat) / len(flat) ** 2
        case "fleiss":
            flat = [answer for answers in questions for answer in answers]
            chance = sum(weight(x, y) for x in flat for y in flat) / len(flat) ** 2
        case "gwet":
            chance = every * sum(p * (1 - p) for p in share.values()) / (size * (size - 1))
        case "brennan_prediger":
            chance = every / size**2
    return None if chance == 1 else (by_question - chance) / (1 - chance)


@pytest.mark.parametrize(("weights", "power"), [("nominal", 0), ("linear", 1), ("quadratic", 2)])
@pytest.mark.parametrize(
    ("kind", "judges", "missing"),
    [
        ("percent_pooled", 4, True),
        ("percent_by_question", 4, True),
        ("cohen", 2, True),
        ("scott", 2, True),
        ("fleiss", 3, False),
        ("gwet", 4, True),
        ("brennan_prediger", 3, True),
    ],
)
@settings(max_examples=15)
@given(data=st.data())
def test_each_coefficient_is_its_definition_on_pairs(
    *, kind: str, judges: int, missing: bool, weights: str, power: int, data: st.DataObject
) -> None:
    table = data.draw(tables(judges, missing=missing))
    found = agreement(table, kind, weights=weights)
    assert (None if isinstance(found, Undefined) else Fraction(str(found))) == by_pairs(table, kind, power)


PAIR = VoteCounts(
    {("1", "1"): 7, ("1", "2"): 3, ("2", "3"): 2, ("3", "3"): 5, ("3", "1"): 1}, ["1", "2", "3"]
)


@given(tables(3, "123", missing=True), st.sampled_from(["nominal", "ordinal", "interval", "ratio"]))
def test_alpha_is_that_of_the_krippendorff_package(table: VoteCounts, weights: str) -> None:
    peer = pytest.importorskip("krippendorff")
    found = agreement(table, "krippendorff", weights=weights)
    if isinstance(found, Undefined):
        return
    rows = [row for row, count in table.counts.items() for _ in range(count)]
    data = [
        [float("nan") if cell is None else float(cell) for cell in judge] for judge in zip(*rows, strict=True)
    ]
    theirs = peer.alpha(reliability_data=data, level_of_measurement=weights, value_domain=[1.0, 2.0, 3.0])
    assert abs(float(found) - theirs) < 1e-9


def test_zero_over_zero_has_no_value_and_says_why() -> None:
    same = VoteCounts({"aa": 3})
    for kind in ("cohen", "scott", "fleiss", "krippendorff"):
        assert agreement(same, kind) is Undefined.ONE_LABEL
    assert agreement(same, "gwet") == agreement(same, "brennan_prediger") == 1
    alone = VoteCounts({("a", None): 1, (None, "b"): 1})
    for kind in ("percent_pooled", "percent_by_question", "cohen", "scott", "gwet", "krippendorff"):
        assert agreement(alone, kind) is Undefined.NO_PAIRS


@pytest.mark.parametrize(
    ("votes", "kind", "weights", "error"),
    [
        (VoteCounts({"aaa": 3, "aab": 1}), "cohen", "nominal", BadVotes),
        (VoteCounts({"aaa": 3, "aab": 1}), "scott", "nominal", BadVotes),
        (EXAMPLE, "fleiss", "nominal", BadVotes),
        (PAIR, "cohen", "interval", BadChoice),
        (PAIR, "krippendorff", "linear", BadChoice),
        (VoteCounts({("a", None): 1}), "krippendorff", "interval", BadNumber),
        (VoteCounts({("-1", "2"): 1}, ["-1", "2"]), "krippendorff", "ratio", BadNumber),
        (VoteCounts({("0", "0.0"): 1}, ["0", "0.0"]), "krippendorff", "ratio", BadNumber),
        ([("a", "b")], "krippendorff", "nominal", NotVotes),
    ],
)
def test_a_coefficient_refuses_data_that_it_does_not_cover(votes, kind, weights, error) -> None:
    with pytest.raises(error):
        agreement(votes, kind, weights=weights)
