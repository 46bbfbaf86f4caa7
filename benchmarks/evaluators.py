"""Evaluators and alarms against the package `ntqr`: the same results first, then the times."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import lcm

from benchmarks.measure import Ratio, compare
from benchmarks.peers.sympy_numbers import surd_from_sympy
from ntqr_exact import LabeledVoteCounts, VoteCounts
from ntqr_exact.alarms.misalignment import find_misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.commuting_matrices import solve_general
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.varieties.consistent import ConsistentSet

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its own, about its own future
    from ntqr import ErrorIndependentEvaluation, TrioLabelVoteCounts, TrioVoteCounts, __version__
    from ntqr.alarms import SingleClassifierAxiomsAlarm
    from ntqr.r2.evaluations import PosteriorSingleEvaluations, SingleClassifierEvaluations
    from ntqr.r2.examples import uciadult_label_counts
    from ntqr.r2.raxioms import SingleClassifierAxioms
    from ntqr.r2.uci_adult_20240415 import data_sketches

PEER = f"ntqr {__version__}"
TRIO = list(product("ab", repeat=3))


def rows(*, quick: bool) -> list[Ratio]:
    return [
        _one_trio(rounds=3 if quick else 8),
        _many_trios(data_sketches[:10] if quick else data_sketches),
        _single_alarm(size=8 if quick else 20, limit=1 / 3_000 if quick else 1 / 100_000),
        _single_evaluations(size=200 if quick else 1000),
        _three_labels(rounds=20 if quick else 60),
    ]


def _one_trio(rounds: int) -> Ratio:
    peer_votes, votes = _peer_votes(uciadult_label_counts), _votes(uciadult_label_counts)
    _require_same(ErrorIndependentEvaluation(peer_votes), solve_independent(votes))  # and warms its caches
    return compare(
        "independent trio, their UCI adult example",
        PEER,
        ours=lambda: solve_independent(votes),
        theirs=lambda: ErrorIndependentEvaluation(peer_votes),
        limit=1 / 500,
        repeats=rounds,
        our_repeats=30,
    )


def _many_trios(sketches: tuple[Mapping[str, Mapping[tuple[str, ...], int]], ...]) -> Ratio:
    pairs = [(_peer_votes(sketch), _votes(sketch)) for sketch in sketches]
    for peer_votes, votes in pairs[:3]:
        _require_same(ErrorIndependentEvaluation(peer_votes), solve_independent(votes))
    return compare(
        f"independent trios, their {len(pairs)} data sketches",
        PEER,
        ours=lambda: [solve_independent(votes) for _, votes in pairs],
        theirs=lambda: [ErrorIndependentEvaluation(peer_votes) for peer_votes, _ in pairs],
        limit=1 / 1000,
        repeats=1,
        our_repeats=30,
    )


def _single_alarm(*, size: int, limit: float) -> Ratio:
    axioms = [SingleClassifierAxioms(("a", "b"), judge) for judge in "ijk"]
    alarm = SingleClassifierAxiomsAlarm(size, axioms, SingleClassifierEvaluations)
    alarm.set_safety_specification([2, 2])
    # The votes spread over all patterns, so that ours has as much to add up as it can have.
    counts = dict.fromkeys(TRIO, size // 8)
    counts["a", "a", "b"] += size % 8
    votes = VoteCounts(counts)
    responses = [tuple(votes.responses(judge).values()) for judge in range(3)]
    specification = SafetySpecification(2)
    if alarm.are_misaligned(responses) != find_misalignment(votes, specification, group_size=1).is_misaligned:
        raise ValueError("the two alarms differ")
    return compare(
        f"single-judge alarm of three judges, Q = {size}",
        PEER,
        ours=lambda: find_misalignment(votes, specification, group_size=1),
        theirs=lambda: alarm.are_misaligned(responses),
        limit=limit,
        repeats=1,
        our_repeats=30,
    )


def _single_evaluations(*, size: int) -> Ratio:
    on_a = size * 472 // 1000
    peer = PosteriorSingleEvaluations(TrioVoteCounts({("a", "a", "a"): on_a, ("b", "b", "b"): size - on_a}))

    projection = ConsistentSet(VoteCounts({"a": on_a, "b": size - on_a})).projection()
    theirs = peer.all_possible_evaluations(0)
    if list(projection.points()) != [(key, *right) for key, rights in theirs.items() for right in rights]:
        raise ValueError("the two sets of evaluations differ")
    return compare(
        f"all single-judge evaluations, Q = {size}",
        PEER,
        ours=lambda: list(projection.points()),
        theirs=lambda: peer.all_possible_evaluations(0),
        limit=1 / 50,
        repeats=1,
        our_repeats=30,
    )


def _three_labels(rounds: int) -> Ratio:
    two, three = good_judges("ab"), good_judges("abc")
    for votes in (two, three):
        if solve_general(votes).solutions[0].accuracy[0]["a"] != Fraction(3, 4):
            raise ValueError("the accuracy that was put in does not come out")
    return compare(
        "independent trio, R = 3",
        "the same routine, R = 2",
        ours=lambda: solve_general(three),
        theirs=lambda: solve_general(two),
        limit=10,
        repeats=rounds,
        our_repeats=30,
    )


def good_judges(labels: str) -> VoteCounts:
    """Return the votes of three independent judges who are right on 3/4 of each label, all equally frequent."""
    wrong = Fraction(1, 4 * (len(labels) - 1))
    shares = {}
    for pattern in product(labels, repeat=3):
        share = Fraction(0)
        for true in labels:
            term = Fraction(1, len(labels))
            for given in pattern:
                term *= Fraction(3, 4) if given == true else wrong
            share += term
        shares[pattern] = share
    size = lcm(*(share.denominator for share in shares.values()))
    return VoteCounts({pattern: share * size for pattern, share in shares.items()}, tuple(labels))


def _votes(label_counts: Mapping[str, Mapping[tuple[str, ...], int]]) -> VoteCounts:
    return LabeledVoteCounts({label: VoteCounts(counts) for label, counts in label_counts.items()}).observed()


def _peer_votes(label_counts: Mapping[str, Mapping[tuple[str, ...], int]]) -> TrioVoteCounts:
    return TrioLabelVoteCounts(label_counts).to_TrioVoteCounts()


def _require_same(theirs: ErrorIndependentEvaluation, ours: IndependentSolution) -> None:
    def numbers(prevalence, accuracy):  # type: ignore[no-untyped-def]
        return (prevalence["a"], *(right[label] for right in accuracy for label in "ab"))

    mine = {numbers(solution.prevalence, solution.accuracy) for solution in ours.solutions}
    peer = {
        tuple(map(surd_from_sympy, numbers(solution["prevalence"], solution["accuracy"])))
        for solution in theirs.evaluation_exact
    }
    if mine != peer:
        raise ValueError("the two solutions of independent errors differ")
