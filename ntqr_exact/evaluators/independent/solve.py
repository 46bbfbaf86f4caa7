"""`solve_independent`: what the votes mean if the judges erred independently of each other."""

from __future__ import annotations

from dataclasses import replace

from ntqr_exact.errors import BadNumber, BadVotes, EmptyTest, NotVotes
from ntqr_exact.evaluators.copies import copy_notes
from ntqr_exact.evaluators.independent.closed_form_trio import solve_trio
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.votes.counts import VoteCounts

EFFORT = 25_000
"""The most steps of the search for a key where the judges are not identified: about a second."""


@checked
def solve_independent(
    votes: VoteCounts, *, relabelings: bool = False, effort: int = EFFORT
) -> IndependentSolution:
    """Return the evaluations, alarms and answer keys of judges who err independently.

    >>> votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    >>> solution = solve_independent(votes)
    >>> solution.alarms, solution.solutions[0].prevalence["a"]
    ((), mpq(4,5))

    Three judges between two labels are solved in closed form. More judges or labels are solved by commuting
    matrices; where these do not identify the rates, two labels are decided in closed form again, and three or
    more by a complete search of at most `effort` steps. No alarm means that an independent key exists, and
    it is given; alarms prove that there is none. If the search ends first, `existence` is `UNDECIDED`, and asking for
    the alarms raises `Undecided`. With three or more labels `relabelings=True` gives all R! solutions.

    Copies of one judge look perfect to this algebra: it takes their agreement for knowledge, and the
    solution notes it. Raises `BadVotes` for fewer than three judges, `EmptyTest` for no questions,
    `BadNumber` for an effort that is not a whole number from 1.
    """
    if not isinstance(votes, VoteCounts):
        rule = "independent errors are solved from VoteCounts"
        raise NotVotes(votes, rule, "labeled votes have observed()")
    votes.without_gaps("the solution for independent errors")
    if len(votes.judges) < 3:
        raise BadVotes(votes.judges, "independent errors are solved for three judges or more")
    if votes.size == 0:
        raise EmptyTest(votes, "a test without questions cannot be solved")
    if whole_number(effort) < 1:
        raise BadNumber(effort, "an effort is a number of steps, at least 1")
    if len(votes.judges) == 3 and len(votes.labels) == 2:
        return solve_trio(votes)
    from ntqr_exact.evaluators.independent.commuting_matrices import solve_general

    found = solve_general(votes, relabelings=relabelings, effort=whole_number(effort))
    return replace(found, notes=(*found.notes, *copy_notes(votes)))
