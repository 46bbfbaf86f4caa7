"""The agreement-rate solution: what the votes mean if error rates multiply over the whole test.

With two labels, judges agree where both are right or both wrong: a_ij = 1 − e_i − e_j + 2e_ij (eq. 27; eq. 20
prints 2 for 1). The hypothesis e_ij = e_i e_j then says 2a_ij − 1 = (1 − 2e_i)(1 − 2e_j), and for three judges

    1 − 2e_i = ± c/(2a_jk − 1),   c² = (2a_12 − 1)(2a_13 − 1)(2a_23 − 1).

The source prints c² with factors 1 − a (eq. 23); with the right c its eq. 22 solves the hypothesis. The
hypothesis is not independence of errors given the true label: under that, e_ij − e_i e_j is
P_aP_b(x_i − y_i)(x_j − y_j).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod

import gmpy2
from gmpy2 import mpq

from ntqr_exact.alarms.alarm import Alarm, AlarmKind, ProofValue, alarm_lines
from ntqr_exact.blocks.block import Block, Bullets, Facts, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.errors import BadVotes, EmptyTest, NotVotes
from ntqr_exact.evaluation import Evaluation, defined, plain
from ntqr_exact.evaluators.independent.independent_solution import rate_text
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.exact.show import shown
from ntqr_exact.exact.surd import Surd
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import VoteCounts

_PAIRS = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, slots=True)
class AgreementSolution(Value):
    """Both branches of the error rates e_1, e_2, e_3, and the alarms that refute the hypothesis.

    The branches mirror each other: e_i in one is 1 − e_i in the other.
    """

    votes: VoteCounts
    agreements: Mapping[tuple[int, int], mpq]
    square: mpq
    branches: tuple[tuple[mpq | Surd, ...], ...]
    alarms: tuple[Alarm, ...]
    note: str = ""

    def blocks(self) -> Iterator[Block]:
        """Yield the error rates, the alarms and the note."""
        caption = "If the error rates of every pair multiplied over the whole test (e_ij = e_i·e_j)"
        for errors in self.branches[:1]:
            judges = zip(self.votes.judges, errors, strict=True)
            rows = tuple((f"error rate of judge {judge}", rate_text(rate)) for judge, rate in judges)
            yield Facts(caption, rows)
            yield Sentence("Or 1 minus each of these.")
        if self.alarms:
            yield Bullets(tuple(alarm_lines(self.alarms)))
        if self.note:
            yield Sentence(self.note)


def solve_agreement(votes: VoteCounts) -> AgreementSolution:
    """Return the error rates of three judges between two labels if e_ij = e_i e_j for every pair.

    >>> votes = VoteCounts({"aaa": 6, "aab": 3, "aba": 2, "abb": 1, "baa": 0, "bab": 0, "bba": 0, "bbb": 0})
    >>> solve_agreement(votes).branches[0]
    (mpq(0,1), mpq(1,4), mpq(1,3))

    Votes with gaps are solved on the questions that all three answered, and `note` says how many. Raises `BadVotes`
    unless there are three judges and two labels.
    """
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts", "labeled votes have observed()")
    if len(votes.judges) != 3 or len(votes.labels) != 2:
        given = f"{len(votes.judges)} and {len(votes.labels)}"
        raise BadVotes(given, "votes must have 3 judges and 2 labels")
    every, votes = votes, votes.common()
    if votes.size == 0:
        raise EmptyTest(every, "votes must have a question that all judges answered")
    notes = []
    if votes != every:
        notes.append(f"Solved on the {votes.size} of {every.size} questions that all answered.")
    agreements = FrozenMapping({pair: votes.agreement(*pair) for pair in _PAIRS})
    excess = [2 * rate - 1 for rate in agreements.values()]
    if excess.count(mpq(0)) > 1:
        note = "an error rate of 1/2 fits, and hides those of the others."
        notes.insert(0, f"Judges agree on exactly half of the questions: {note}")
    square = prod(excess, start=mpq(1))
    branches: tuple[tuple[mpq | Surd, ...], ...] = ()
    if square:
        root, opposite = Surd.sqrt(square), excess[::-1]
        branches = tuple(tuple(plain((1 - s * root / each) / 2) for each in opposite) for s in (1, -1))
    solution = AgreementSolution(votes, agreements, square, branches, (), " ".join(notes))
    return replace(solution, alarms=tuple(_alarms(solution)))


def independence_defect(evaluation: Evaluation, first: int, second: int) -> mpq | Surd:
    """Return e_ij − e_i e_j of two judges whose errors are independent given the label.

    It is P_aP_b(x_i − y_i)(x_j − y_j): zero only if one of the judges is equally accurate on both labels.
    """
    if not isinstance(evaluation, Evaluation) or len(evaluation.labels) != 2:
        raise NotVotes(evaluation, "evaluation must be an Evaluation of two labels")
    a, b = evaluation.labels
    result = defined(evaluation.prevalence[a]) * defined(evaluation.prevalence[b])
    for judge in map(whole_number, (first, second)):
        if judge >= len(evaluation.accuracy):
            raise BadVotes(judge, f"a judge must be an index from 0 to {len(evaluation.accuracy) - 1}")
        right = evaluation.accuracy[judge]
        result = result * (defined(right[a]) - defined(right[b]))
    return result


def _alarms(solution: AgreementSolution) -> Iterator[Alarm]:
    """Yield what refutes the hypothesis; a 2a − 1 is zero only with a judge of e = 1/2, and then two of them are."""
    votes, square, branches = solution.votes, solution.square, solution.branches
    half = [pair for pair, rate in solution.agreements.items() if 2 * rate == 1]
    if len(half) == 1:
        i, j = (judge + 1 for judge in half[0])
        message = (
            f"judges {i} and {j} agree on half of the questions, so one of them has error rate 1/2 and must "
            "agree on half with the third judge, too"
        )
        yield Alarm(AlarmKind.CONTRADICTION, message, {f"agreement_{i}{j}": mpq(1, 2)})
    if square < 0:
        message = f"c² = {shown(square)} is negative, so the error rates are imaginary"
        yield Alarm(AlarmKind.IMAGINARY, message, {"square": square})
    if square <= 0:
        return
    rational = {
        judge: e for judge, e in zip(votes.judges, branches[0], strict=True) if not isinstance(e, Surd)
    }
    if not rational:
        whole = square.numerator * square.denominator
        below = gmpy2.isqrt(whole)
        yield Alarm(
            AlarmKind.IRRATIONAL,
            f"c² = {shown(square)} is not the square of a rational: numerator times denominator lies between "
            f"{shown(below)}² and {shown(below + 1)}²",
            {"square": square, "product": whole, "lower_root": below, "upper_root": below + 1},
        )
    for number, errors in enumerate(branches, start=1):
        for judge, rate in zip(votes.judges, errors, strict=True):
            if not 0 <= rate <= 1:
                message = f"in branch {number} the error rate of {judge} is {rate_text(rate)}"
                yield Alarm(AlarmKind.OUT_OF_RANGE, message, {"branch": number, "judge": judge, "rate": rate})
    # In the other branch both are right on this many questions: Q(1 − e_i)(1 − e_j), whole if these numbers are.
    for group in (*combinations(rational, 1), *combinations(rational, 2)):
        who, count = " and ".join(group), votes.size * prod(rational[judge] for judge in group)
        if count.denominator == 1:
            continue
        what = f"errors of {who}"
        proof: dict[str, ProofValue] = {"judge": who, "count": count}
        if len(group) == 2:
            what, proof = f"questions on which {who} both err", {"judges": ", ".join(group), "count": count}
        yield Alarm(AlarmKind.NOT_WHOLE, f"the number of {what} would be {shown(count)}", proof)
