"""Everything that a report tells of a test, computed once: grades by every evaluator, and every alarm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.alarms.misalignment import Misalignment, find_misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.errors import EmptyTest
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate, Undefined, defined
from ntqr_exact.evaluators.agreement_solution import AgreementSolution, solve_agreement
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.independent.solve import EFFORT, solve_independent
from ntqr_exact.evaluators.majority import MajorityEvaluation, TiePolicy, majority_vote
from ntqr_exact.exact.surd import Surd
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.from_rates import counts_from_rates
from ntqr_exact.varieties.group import individual
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Progress = Callable[[str], None]

_LARGEST_SEARCH = 5_000
"""Questions up to which the nearest consistent evaluation is looked for."""


@dataclass(frozen=True, slots=True)
class Study:
    """A test and what was found out about it.

    `key` are the grades by the answer key, if it is known, and `key_counts` the same in whole numbers. `reference` are
    whole-number grades that the votes allow, at which correlations are told; `reference_name` says which.
    """

    votes: VoteCounts
    labeled: LabeledVoteCounts | None
    key: Evaluation | None
    key_counts: CountEvaluation | None
    ties: TiePolicy
    majority: MajorityEvaluation
    solution: IndependentSolution | None
    trios: tuple[tuple[tuple[str, ...], IndependentSolution], ...]
    agreement: AgreementSolution | None
    specification: SafetySpecification
    verdicts: tuple[Misalignment, ...]
    reference: CountEvaluation
    reference_name: str

    @property
    def is_binary(self) -> bool:
        """Whether there are two labels."""
        return len(self.votes.labels) == 2

    @property
    def best(self) -> Evaluation | None:
        """The independent solution to show, see `best_solution`."""
        return best_solution(self.solution)


def study(
    votes: VoteCounts | LabeledVoteCounts,
    *,
    known: Evaluation | None = None,
    specification: SafetySpecification | None = None,
    ties: TiePolicy | str = TiePolicy.FIRST_LABEL,
    effort: int = EFFORT,
    progress: Progress = lambda _: None,
) -> Study:
    """Return everything about a test; `known` are grades that are known where the votes have no key of their own.

    >>> found = study(VoteCounts({"aaa": 2, "aab": 1, "bbb": 2}))
    >>> found.majority.ties, [verdict.is_misaligned for verdict in found.verdicts]
    (0, [False, False, False])

    `progress` is told what comes next. Raises `EmptyTest` for a test without questions.
    """
    labeled = votes if isinstance(votes, LabeledVoteCounts) else None
    observed = votes.observed() if isinstance(votes, LabeledVoteCounts) else votes
    if observed.size == 0:
        raise EmptyTest(observed, "a test without questions has nothing to report")
    key = grade(labeled, order=min(3, len(observed.judges))) if labeled is not None else known
    counts = individual(labeled) if labeled is not None else _counts(observed, known)
    progress("grades")
    policy = TiePolicy(ties)
    majority = majority_vote(observed, ties=policy)
    judges = len(observed.judges)
    solution = solve_independent(observed, effort=effort) if judges >= 3 else None
    trios = []
    for places in combinations(range(judges), 3) if judges > 3 else ():
        names = tuple(observed.judges[place] for place in places)
        progress(f"trio {', '.join(names)}")
        trios.append((names, solve_independent(observed.marginal(*places), effort=effort)))
    agreement = solve_agreement(observed) if judges == 3 and len(observed.labels) == 2 else None
    progress("alarms")
    asked = SafetySpecification() if specification is None else specification
    largest = min(judges, 3) if len(observed.labels) == 2 else 1
    verdicts = [find_misalignment(observed, asked, group_size=size) for size in range(1, largest + 1)]
    name, reference = _reference(observed, counts, best_solution(solution), majority)
    return Study(
        observed,
        labeled,
        key,
        counts,
        policy,
        majority,
        solution,
        tuple(trios),
        agreement,
        asked,
        tuple(verdicts),
        reference,
        name,
    )


def best_solution(solution: IndependentSolution | None) -> Evaluation | None:
    """Return of the real solutions the one under which the judges are right most often; `None` if not all are real.

    >>> votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    >>> best_solution(solve_independent(votes)).accuracy[2]
    {'a': mpq(1,1), 'b': mpq(1,1)}
    """
    if solution is None or not all(map(_is_real, solution.solutions)):
        return None
    return max(solution.solutions, key=lambda one: _total(_accuracies(one)), default=None)


def right_in_all(evaluation: Evaluation, judge: int) -> mpq | Surd:
    """Return the share of all questions on which a judge is right, Σ_l P_l·P^l_{l_i}.

    >>> right_in_all(Evaluation.from_accuracies({"a": "1/4", "b": "3/4"}, [{"a": 1, "b": "1/3"}]), 0)
    mpq(1,2)
    """
    pairs = [(evaluation.prevalence[label], right) for label, right in evaluation.accuracy[judge].items()]
    return _total([defined(share) * defined(right) for share, right in pairs if right is not _NOTHING])


_NOTHING = Undefined.NO_QUESTIONS


def _is_real(evaluation: Evaluation) -> bool:
    return all(not isinstance(rate, Surd) or rate.is_real for rate in _accuracies(evaluation))


def _accuracies(evaluation: Evaluation) -> list[Rate]:
    return [rate for right in evaluation.accuracy for rate in right.values()]


def _total(rates: list[Rate] | list[mpq | Surd]) -> mpq | Surd:
    total: mpq | Surd = mpq(0)
    for rate in rates:
        total = total + defined(rate)
    return total


def _counts(votes: VoteCounts, known: Evaluation | None) -> CountEvaluation | None:
    found = None if known is None else counts_from_rates(votes, known)
    return found if isinstance(found, CountEvaluation) else None


def _reference(
    votes: VoteCounts, key: CountEvaluation | None, best: Evaluation | None, majority: MajorityEvaluation
) -> tuple[str, CountEvaluation]:
    if key is not None:
        return "the answer key", key
    if (
        best is not None
        and len(votes.labels) == 2
        and len(votes.judges) == 3
        and votes.size <= _LARGEST_SEARCH
    ):
        return "the whole numbers nearest to the independent solution", ConsistentSet(votes).nearest(
            best
        ).evaluation
    return "the majority's key", individual(majority.key)
