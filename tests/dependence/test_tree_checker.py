"""Certificates: the checker stands alone, and refuses every change that breaks a proof."""

from __future__ import annotations

import copy
import functools
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy
import pytest

from ntqr_exact import (
    VoteCounts,
    breakdown_point,
    check_dependence_certificate,
    evaluate_within,
    example,
    least_dependence,
    tetrad_bound,
)
from ntqr_exact.dependence import tree_checker as checker
from ntqr_exact.dependence.panel import anchor, certificate, checker_source, problem_of
from ntqr_exact.dependence.proof_search import refute
from ntqr_exact.dependence.quick_ranges import CELLS
from ntqr_exact.dependence.ranges import RangeProof
from ntqr_exact.dependence.short_proof import moments_certificate
from ntqr_exact.dependence.tree_checker import Box, Problem, _most_in, added, checksum, problems
from tests.dependence.brute_force import all_keys, dependence, random_votes

ADULT = example("uci-adult-imaginary").votes
THREE = VoteCounts({"aaaa": 5, "bbbb": 4, "cccc": 6, "abca": 2, "acbb": 3, "bcab": 1}, labels=("a", "b", "c"))
SKEWED = VoteCounts({"aaa": 43, "aab": 24, "aba": 24, "abb": 37, "baa": 29, "bab": 60, "bba": 48, "bbb": 135})


def least() -> dict[str, Any]:
    problem = problem_of(ADULT, "1/100", (2,), better=(anchor(ADULT),))
    return certificate(ADULT, problem, (), refute(problem, nodes=300).root.document())


def products() -> dict[str, Any]:
    return next(
        end.certificate
        for end in evaluate_within(SKEWED, "1/200", effort="1/1000").ends
        if end.proof is RangeProof.PRODUCTS and end.goal.judge is None and end.is_upper
    )


MAKE: dict[str, Callable[[], dict[str, Any]]] = {
    "LEAST": least,
    "CLAIM": lambda: breakdown_point(ADULT, "3 > 1").certificate,
    "WHOLE": lambda: least_dependence(ADULT).certificate,
    "PRODUCTS": products,
    "SHORT": lambda: moments_certificate(ADULT, tetrad_bound(ADULT), (2,)),
    "RANK": lambda: moments_certificate(THREE, tetrad_bound(THREE), (2,)),
}


@functools.cache
def of(kind: str) -> dict[str, Any]:
    """A certificate of each kind, made when it is first asked for."""
    return MAKE[kind]()


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "checksum": checksum(document)}


def leaves(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "weights" in tree:
        yield tree
    else:
        yield from leaves(tree["below"])
        yield from leaves(tree["above"])


@pytest.mark.slow
def test_the_checker_runs_alone_as_one_file(tmp_path: Path) -> None:
    """Without site packages: neither this library nor gmpy2 can be imported."""
    alone, file = tmp_path / "checker.py", tmp_path / "proof.json"
    alone.write_text(checker_source(), encoding="utf-8")
    broken = {**of("WHOLE"), "correlation": "1/4"}
    file.write_text(json.dumps([*map(of, MAKE), sealed(broken)]), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(alone), str(file)], capture_output=True, text=True, check=True
    )
    told = [line.split(": ", 1)[1] for line in done.stdout.splitlines()]
    assert told == ["proven"] * 6 + ["so large a correlation is not proven"]


@pytest.mark.parametrize("kind", MAKE)
def test_a_change_of_any_value_is_refused(kind: str) -> None:
    document, rng = of(kind), random.Random(1)
    assert check_dependence_certificate(document)
    for _ in range(60):
        changed = copy.deepcopy(document)
        _change_something(rng, changed)
        if changed != document:
            assert not check_dependence_certificate(changed)


def _change_something(rng: random.Random, part: Any) -> None:
    """Walk to a random leaf of the document and change it, or drop something on the way."""
    keys = list(part) if isinstance(part, dict) else list(range(len(part)))
    if not keys:
        return
    key = rng.choice(keys)
    if isinstance(part[key], dict | list) and part[key] and rng.random() < 0.9:
        _change_something(rng, part[key])
    elif rng.random() < 0.3:
        del part[key]
    else:
        part[key] = rng.choice(["0", "1/3", 7, None, "a", [], -1])


def test_a_proof_does_not_prove_more_than_it_does_even_with_a_new_checksum() -> None:
    larger = {**of("LEAST"), "correlation": str(2 * Fraction(of("LEAST")["correlation"]))}
    assert problems(sealed(larger))[0].endswith("do not contradict each other")
    assert problems(sealed({**of("LEAST"), "better_than_chance": []}))
    assert problems(sealed({**of("CLAIM"), "conditions": []}))
    assert problems(sealed({**of("SHORT"), "correlation": "1/50"}))
    assert problems(sealed({**of("RANK"), "correlation": "1/5"}))
    assert problems(sealed({**of("RANK"), "left": of("RANK")["left"][:2], "right": of("RANK")["right"][:2]}))
    assert problems(
        sealed({**of("WHOLE"), "correlation": str(Fraction(of("WHOLE")["correlation"]) + Fraction(1, 10**9))})
    )
    assert problems(sealed({**of("WHOLE"), "judges": of("WHOLE")["judges"][:2]}))
    assert problems(sealed({**of("WHOLE"), "kind": "Heywood"}))
    assert problems(sealed({**of("WHOLE"), "orders": [3]}))
    assert problems(sealed({**of("LEAST"), "orders": [3]}))


def moved(document: dict[str, Any], by: str) -> dict[str, Any]:
    """The claim about a share at a number that lies further inside."""
    changed = copy.deepcopy(document)
    for row in changed["conditions"][0]["weights"]:
        row[3] = str(Fraction(row[3]) + Fraction(by))  # P − t, times the questions
    return sealed(changed)


def test_products_of_ranges_prove_their_end_and_nothing_further_inside() -> None:
    assert of("PRODUCTS")["proof"] == {"products": CELLS}
    assert not problems(sealed(of("PRODUCTS")))
    inside = moved(of("PRODUCTS"), "1/1000")
    assert problems(inside)[0].endswith("leave room")
    assert not problems(moved(of("PRODUCTS"), "-1/1000"))
    for harm in (
        {"correlation": "1/100"},
        {"conditions": []},
        {"orders": [3]},
        {"orders": [2]},
        {"proof": {"products": 0}},
        {"proof": {"products": 1}},
        {"proof": {"products": "48"}},
        {"proof": {"products": CELLS, "more": 1}},
    ):
        assert problems(sealed({**of("PRODUCTS"), **harm})), harm
    three = {**of("PRODUCTS")["votes"], "labels": ["a", "b", "c"]}
    assert problems(sealed({**of("PRODUCTS"), "votes": three}))


def test_every_leaf_of_a_proof_is_needed() -> None:
    """Turning off one leaf, or one weight of it, leaves its box open."""
    for number in range(0, sum(1 for _ in leaves(of("LEAST")["proof"])), 7):
        emptied = copy.deepcopy(of("LEAST"))
        list(leaves(emptied["proof"]))[number]["weights"] = []
        assert problems(sealed(emptied))


@pytest.mark.parametrize(
    "harm",
    [
        lambda proof: proof["weights"][0].__setitem__(1, "-1"),
        lambda proof: proof["weights"][0].__setitem__(1, 3),
        lambda proof: proof["weights"][0].__setitem__(0, ["pair", 0, [1, 0], [0, 0], "low low"]),
        lambda proof: proof["weights"][0].__setitem__(0, ["pair", 0, [0, 0], [0, 0], "low low"]),
        lambda proof: proof["weights"][0].__setitem__(0, ["condition", 5]),
        lambda proof: proof["weights"][0].__setitem__(0, ["trio", 0, [0, 1, 2], [0, 0, 0], "+"]),
    ],
)
def test_rows_that_do_not_exist_and_weights_that_are_no_positive_texts_are_refused(harm: Any) -> None:
    changed = copy.deepcopy(of("LEAST"))
    harm(next(leaves(changed["proof"])))
    assert problems(sealed(changed))


@pytest.mark.parametrize("document", [None, [], {}, {"format": "else"}, {"format": checker.FORMAT}, 7])
def test_what_is_no_certificate_is_refused(document: Any) -> None:
    assert not check_dependence_certificate(document)


@pytest.mark.parametrize("document", [[], [{}], "", 7, None, numpy.array([1])])
def test_what_is_no_object_is_malformed(document: Any) -> None:
    assert problems(document)[0].startswith("malformed")


def by_places(key: dict[str, Any], labels: str) -> list[dict[tuple[int, ...], int]]:
    return [{tuple(map(labels.index, p)): n for p, n in key[label].items()} for label in labels]


def box_around(rng: random.Random, problem: Problem, key: list[dict[tuple[int, ...], int]]) -> Box:
    """A box with the rates of a key, mostly at its corners, where a trio may differ most."""
    box: Box = {}
    for label, i, r in problem.root():
        size = sum(key[label].values())
        rate = Fraction(sum(n for p, n in key[label].items() if p[i] == r), size) if size else Fraction(1, 2)
        low, high = (rng.choice([rate, Fraction(end)]) for end in (0, 1))
        box[label, i, r] = (low, high)
    return box


@pytest.mark.parametrize("labels", ["ab", "abc"])
@pytest.mark.parametrize("orders", [(3,), (2, 3)])
def test_no_sum_is_negative_for_a_key_in_the_box(labels: str, orders: tuple[int, ...]) -> None:
    rng = random.Random(len(labels) + len(orders))
    for _ in range(60):
        votes = random_votes(rng, 3, labels, 6)
        key = rng.choice(list(all_keys(votes)))
        counts = problem_of(votes, 0, orders).counts
        problem = Problem(counts, len(labels), dependence(key, 3, orders), orders)
        shares = by_places(key, labels)
        box = box_around(rng, problem, shares)
        tight = problem.tightened(box)
        sizes = [sum(share.values()) for share in shares]
        for (label, i, r), (low, high) in tight.items():
            right = sum(n for p, n in shares[label].items() if p[i] == r)
            assert not sizes[label] or low * sizes[label] <= right <= high * sizes[label]
        places = range(len(labels)), problem.answers, problem.answers, problem.answers, "+-"
        for label, r, s, t, sign in product(*places):
            (terms,) = problem.row(("trio", label, (0, 1, 2), (r, s, t), sign), box).values()
            assert sum(n * added(terms, p) for p, n in shares[label].items()) >= 0


def test_what_a_condition_does_not_exceed_in_a_cell_it_does_not_exceed_for_a_key_there() -> None:
    rng = random.Random(6)
    for _ in range(80):
        votes = random_votes(rng, 2, "ab", 8)
        key = by_places(rng.choice(list(all_keys(votes))), "ab")
        sizes = [sum(share.values()) for share in key]
        if not all(sizes):
            continue
        share, rates = Fraction(sizes[0], votes.size), []
        for label, i in product((0, 1), repeat=2):
            rate = Fraction(sum(n for p, n in key[label].items() if p[i] == 0), sizes[label])
            rates.append(tuple(rng.choice([rate, Fraction(end)]) for end in (0, 1)))
        ends = tuple(rng.choice([share, Fraction(end)]) for end in (0, 1))
        names = [(), ((0, 0),), ((0, 1),), ((1, 0),), ((1, 1),)]
        condition = {label: {name: rng.randint(-5, 5) for name in names} for label in (0, 1)}
        value = sum(n * added(condition[label], p) for label in (0, 1) for p, n in key[label].items())
        assert Fraction(value, votes.size) <= _most_in(condition, ends, (rates[:2], rates[2:]))
