"""Judges whose errors are independent: moments of their votes, rates without a key, and alarms."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import NotSupported
from ntqr_exact.evaluation import rational_rate
from ntqr_exact.evaluators.agreement_solution import solve_agreement
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.closed_form_trio import PAIRS, whole_moments
from ntqr_exact.evaluators.independent.independent_solution import Identification
from ntqr_exact.vectors.family import Document, Draw, family
from ntqr_exact.vectors.inputs import Draws, counts_of, votes_of


@family(
    "ntqr: eq. 34", "ntqr: eq. 40, its parts", draw=lambda draws, index: draws.votes(2 + index * index // 4)
)
def vote_moments(labels: Any, judges: Any, counts: Any) -> Document:
    """Moments of the votes of three judges between two labels.

    {votes}
    Refuse as bad-votes unless there are exactly R^N counts, as bad-number a count that is not a whole number or
    negative, and as empty-test if Q = 0. frequencies: f_v = (count of pattern v)/Q, for the eight patterns in the
    order of the counts. rates: for judge i = 1, 2, 3, f_bi is the sum of the frequencies of the four patterns in which
    judge i answers the second label, b.

    pair_moments: for the pairs 12, 13, 23 in this order, Δ_ij = f_bibj − f_bi·f_bj, where f_bibj is the sum of the
    frequencies of the two patterns in which judges i and j both answer b. trio_moment: T = f_bbb − (f_b1·f_b2·f_b3 +
    f_b1·Δ_23 + f_b2·Δ_13 + f_b3·Δ_12). pair_product: Π = Δ_12·Δ_13·Δ_23. discriminant: A = T² + 4Π.
    """
    votes = votes_of(labels, judges, counts)
    moments, sixth = whole_moments([*map(votes.counts.get, votes.patterns())]), mpq(votes.size) ** 6
    return {
        "frequencies": [votes.frequency(pattern) for pattern in votes.patterns()],
        "rates": [votes.response_rate(judge, votes.labels[1]) for judge in range(3)],
        "pair_moments": [votes.pair_moment(i, j) for i, j in PAIRS],
        "trio_moment": votes.trio_moment(0, 1, 2),
        "pair_product": moments.pair_product / sixth,
        "discriminant": moments.discriminant / sixth,
    }


def _independent(labels: str, judges: int) -> Draw:
    """Return what draws votes of independent judges, in turn as they are and with a question moved, and any votes."""

    def draw(draws: Draws, index: int) -> Document:
        if index % 3 == 2 and len(labels) < 4:
            return draws.votes(6 + index // 2, ((labels, judges),))
        true = range(len(labels))
        weights = [draws.between(1, 2 + index // 30) for _ in labels]
        rates = [[draws.counts(1, len(labels)) for _ in labels] for _ in range(judges)]
        for judge, label in product(rates, true):
            judge[label][label] += (
                2 + index % 2
            )  # right more often than wrong, so that the rates are identified
        counts = [
            sum(weights[t] * prod(rates[j][t][given] for j, given in enumerate(pattern)) for t in true)
            for pattern in product(true, repeat=judges)
        ]
        if index % 3:
            counts[draws.pick([place for place, count in enumerate(counts) if count])] -= 1
            counts[draws.below(len(counts))] += 1
        return {"labels": list(labels), "judges": judges, "counts": counts}

    return draw


def _alarms(solution: Any) -> list[str]:
    return sorted({alarm.kind.title.replace(" ", "-") for alarm in solution.alarms})


@family("ntqr: section 5", "ntqr: eq. 40", draw=_independent("ab", 3))
def independent_binary(labels: Any, judges: Any, counts: Any) -> Document:
    """Three judges between two labels who err independently.

    {votes}
    Refuse as bad-votes unless there are exactly eight counts, as bad-number a count that is not a whole number or
    negative, and as empty-test if Q = 0. Moments: f_ai and f_bi = 1 − f_ai are the shares of the questions to which
    judge i answered a and b; f_bibj that in which judges i and j both answered b. Δ_ij = f_bibj − f_bi·f_bj; T = f_bbb
    − (f_b1·f_b2·f_b3 + f_b1·Δ_23 + f_b2·Δ_13 + f_b3·Δ_12); Π = Δ_12·Δ_13·Δ_23; A = T² + 4Π.

    quadratic: [A, −A, Π], the coefficients of A·P² − A·P + Π. If some Δ is zero: (1) If T is not zero, or exactly one
    Δ is zero, identification is none and the alarm is contradiction. (2) If T = 0 and two or three Δ are zero,
    identification is family, without an alarm: the answers of a judge whose Δ with another is not zero (of any
    judge, if all are zero) taken for the true labels are a key under which errors are independent. In both cases
    solutions and keys are empty.

    If no Δ is zero: alarm negative-product if Π < 0. If A = 0: alarm no-root, identification none, and that is all.
    Otherwise identification is identified; alarm imaginary if A < 0; alarm irrational if A > 0 is not the square of a
    rational number.

    solutions: for s = √A (for A < 0, i·√(−A)) and then for s = −√A: prevalence P_a = (1 + T/s)/2, and for each judge
    i, with jk the two others, the pair [x_i, y_i], x_i = f_ai + (s − T)/(2Δ_jk), y_i = f_bi + (s + T)/(2Δ_jk). All lie
    in Q(√A). Alarm out-of-range if A > 0 and one of P_a, x_i, y_i is less than 0 or more than 1.

    Alarm not-whole if A is the square of a rational and, in the first solution, one of these numbers is not whole:
    Q·P_a; and for each of the eight patterns Q·P_a times the product over the judges m of (x_m if m answers a, else 1
    − x_m), and Q·(1 − P_a) times the product over the judges m of (y_m if m answers b, else 1 − y_m).

    {alarms-sorted}
    keys: empty if identification is not identified or there is an alarm; otherwise for each solution the list of the
    eight numbers Q·P_a times the product of (x_m or 1 − x_m), in the order of the patterns: how many questions of the
    first label got each pattern.
    """
    solution = solve_independent(votes_of(labels, judges, counts))
    quadratic, (a, b) = solution.quadratic, labels
    # A family of solutions may hold many keys, none of which comes first.
    keys = solution.keys if solution.identification is Identification.IDENTIFIED else ()
    return {
        "quadratic": [] if quadratic is None else [quadratic.leading, quadratic.linear, quadratic.constant],
        "identification": solution.identification.name.lower(),
        "solutions": [
            {"prevalence": one.prevalence[a], "accuracies": [[right[a], right[b]] for right in one.accuracy]}
            for one in solution.solutions
        ],
        "alarms": _alarms(solution),
        "key_exists": not solution.alarms,
        "keys": [counts_of(key.by_label[a]) for key in keys],
    }


@family("ntqr: eq. 22", "ntqr: eq. 23, with 1 − 2a in place of 1 − a", draw=_independent("ab", 3))
def agreement_solution(labels: Any, judges: Any, counts: Any) -> Document:
    """Error rates from agreement rates.

    {votes}
    Refuse as bad-votes unless there are three judges, two labels and exactly eight counts, as bad-number a negative
    count, and as empty-test if Q = 0. An input has one fault at most. agreements: a_12, a_13, a_23, the shares of the
    questions on which two judges give the same answer. square: c² = (2a_12 − 1)·(2a_13 − 1)·(2a_23 − 1). If error
    rates of pairs multiply over the whole test, 2a_ij − 1 = (1 − 2e_i)·(1 − 2e_j).

    If c² = 0, branches is empty. If exactly one of the three factors is zero the alarm is contradiction (a judge with
    e = 1/2 would make two of them zero), otherwise no alarm; and that is all. branches: for c = √c² (for c² <
    0, i·√(−c²)) and then for c = −√c² the list of e_1, e_2, e_3 with e_i = (1 − c/(2a_jk − 1))/2, jk being the two
    other judges. All lie in Q(c).

    If c² < 0, the alarm is imaginary, and that is the only one. Otherwise: alarm irrational if c² is not the square of
    a rational; alarm out-of-range if some e_i in one of the branches is less than 0 or more than 1; alarm not-whole if
    Q·e_i of a rational e_i of the first branch, or Q·e_i·e_j of two, is not a whole number. alarms: the set of
    alarms as a list in alphabetical order.
    """
    solution = solve_agreement(votes_of(labels, judges, counts))
    return {
        "agreements": list(solution.agreements.values()),
        "square": solution.square,
        "branches": [list(errors) for errors in solution.branches],
        "alarms": _alarms(solution),
    }


def _components(labels: Any, judges: Any, counts: Any) -> Document:
    solution = solve_independent(votes_of(labels, judges, counts))
    if solution.identification is Identification.FAMILY:
        raise NotSupported("votes", "the rates must be identified")
    identified = solution.identification is Identification.IDENTIFIED
    rows: list[tuple[list[mpq], str]] = []
    if identified:
        one = solution.solutions[0]
        rates = {label: [list(judge[label].values()) for judge in one.response_rates] for label in one.labels}
        numbers = {
            label: [one.prevalence[label], *(r for row in rates[label] for r in row)] for label in one.labels
        }
        rows = sorted(([*map(rational_rate, numbers[label])], label) for label in one.labels)[::-1]
    return {
        "identification": solution.identification.name.lower(),
        "components": [{"share": one.prevalence[label], "rates": rates[label]} for _, label in rows],
        "alarms": _alarms(solution),
        "key_exists": not solution.alarms,
        "key": [counts_of(solution.keys[0].by_label[label]) for _, label in rows if solution.keys],
    }


@family("ntqr: section 6, more than two labels announced and not printed", draw=_independent("abc", 3))
def independent_three_labels(labels: Any, judges: Any, counts: Any) -> Document:
    """Three judges between three labels who err independently.

    {votes} {independent-refused} {response-matrices} {matrices-decide} {identification} {rates-from-eigenvectors}
    {rates-out-of-range} {components} {alarms-sorted} {independent-key}
    """
    return _components(labels, judges, counts)


@family("ntqr: section 6, more than two labels announced and not printed", draw=_independent("abcd", 3))
def independent_four_labels(labels: Any, judges: Any, counts: Any) -> Document:
    """Three judges between four labels who err independently.

    {votes} {independent-refused} {response-matrices} {matrices-decide} {identification} {rates-from-eigenvectors}
    {rates-out-of-range} {components} {alarms-sorted} {independent-key}
    """
    return _components(labels, judges, counts)


@family("ntqr: section 5", draw=_independent("ab", 4))
def independent_four_judges(labels: Any, judges: Any, counts: Any) -> Document:
    """Four judges between two labels who err independently.

    {votes} {independent-refused} {response-matrices} {matrices-decide} {identification} {rates-from-eigenvectors}
    identified: alarm out-of-range if a share or a rate is not from 0 to 1. Alarm not-reproduced if for one of the
    patterns with a count above 0 this count is not the sum over the true labels of Q·share·(product of the rates of
    the judges): that trios look independent is not enough. Without another alarm, alarm not-whole if one of the counts
    of the key, below, is not a whole number.

    {components} {alarms-sorted} {independent-key}
    """
    return _components(labels, judges, counts)
