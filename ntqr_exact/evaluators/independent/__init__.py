"""What the votes mean if the judges erred independently of each other.

Three judges between two labels are solved in closed form (`closed_form_trio`), more judges or labels by commuting
matrices (`commuting_matrices`). Both return an `IndependentSolution`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from ntqr_exact.errors import BadVotes, EmptyTest, NotVotes
from ntqr_exact.evaluators.independent.closed_form_trio import solve_trio
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.votes.counts import VoteCounts


def solve_independent(votes: VoteCounts) -> IndependentSolution:
    """Return the evaluations, alarms and answer keys of three judges or more who err independently.

    With gaps, the questions that all judges answered are solved, and the result says how many. An alarm proves that no
    answer key makes the errors independent; `keys` has such keys where they exist.

    >>> solution = solve_independent(VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1}))
    >>> solution.alarms, solution.solutions[0].prevalence["a"]
    ((), mpq(4,5))

    Raises `BadVotes` for fewer than three judges, `EmptyTest` for no questions.
    """
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts", "labeled votes have observed()")
    if len(votes.judges) < 3:
        raise BadVotes(votes.judges, "votes must have at least 3 judges")
    common = votes.common()
    if common.size == 0:
        raise EmptyTest(votes, "votes must have a question that all judges answered")
    if len(common.judges) == 3 and len(common.labels) == 2:
        result = solve_trio(common)
    else:
        from ntqr_exact.evaluators.independent.commuting_matrices import solve_general

        result = solve_general(common)
    if notes := tuple(_notes(votes, common)):
        return replace(result, notes=(*result.notes, *notes))
    return result


def _notes(votes: VoteCounts, common: VoteCounts) -> Iterator[str]:
    if common.size < votes.size:
        yield f"Solved on the {common.size} of {votes.size} questions that all judges answered."
    columns = list(zip(*common.counts, strict=True))
    for i, j in combinations(range(len(columns)), 2):
        if columns[i] == columns[j]:
            yield (
                f"{votes.judges[i]} and {votes.judges[j]} never disagree: copies of one judge look perfect to the "
                "algebra of independent errors."
            )
            return
