"""Judges who err independently of each other: what their votes then mean, and whether they can be so.

`solve_independent` (in `solve`) is the entry. It picks the way by the number of judges and labels:

- `closed_form_trio`: three judges, two labels. The votes become the whole numbers Q²Δ, Q³T and
  Q⁶A; the solution is in closed form over Q(√A), with answers where some Δ vanish.
- `commuting_matrices`: more judges or labels. Common eigenvectors of rational matrices are the response rates.

Both return an `IndependentSolution` (`independent_solution`): the evaluations, the alarms that refute independence, and
an answer key under which the errors are independent, if there is one. `independence_class` sorts the votes of a trio
into seven classes.
"""

from ntqr_exact.evaluators.independent.solve import solve_independent as solve_independent
