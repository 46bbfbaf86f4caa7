"""`solve_independent`: what the votes mean if the judges erred independently of each other."""

from __future__ import annotations

from ntqr_exact.errors import BadVotes, EmptyTest, NotVotes
from ntqr_exact.evaluators.independent_solution import IndependentSolution
from ntqr_exact.evaluators.independent_trio import solve_trio
from ntqr_exact.votes.counts import VoteCounts


def solve_independent(votes: VoteCounts, *, relabelings: bool = False) -> IndependentSolution:
    """Return the evaluations, alarms and answer keys of judges who err independently.

    >>> votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    >>> solution = solve_independent(votes)
    >>> solution.alarms, solution.solutions[0].prevalence["a"]
    ((), mpq(4,5))

    Three judges between two labels are solved in closed form, where every alarm is decided: no alarm means
    that an independent key exists, and it is given. More judges or labels are solved by commuting matrices;
    there a singular or unidentified case is an alarm that leaves the question open. With three or more
    labels `relabelings=True` gives all R! solutions.

    Copies of one judge look perfect to this algebra: it takes their agreement for knowledge, and the
    solution notes it. Raises `BadVotes` for fewer than three judges, `EmptyTest` for no questions.
    """
    if not isinstance(votes, VoteCounts):
        raise NotVotes(
            votes, "independent errors are solved from VoteCounts", "labeled votes have observed()"
        )
    if len(votes.judges) < 3:
        raise BadVotes(votes.judges, "independent errors are solved for three judges or more")
    if votes.size == 0:
        raise EmptyTest(votes, "a test without questions cannot be solved")
    if len(votes.judges) == 3 and len(votes.labels) == 2:
        return solve_trio(votes)
    from ntqr_exact.evaluators.independent_general import solve_general

    return solve_general(votes, relabelings=relabelings)
