"""The postulates: polynomials that relate what is true of judges to what is seen in their votes.

>>> from ntqr_exact import postulates
>>> print(postulates.single()["14"])
14: −P_a·P^a_{a_1} + P_b·P^b_{b_1} − P_b + f_{a_1} = 0
"""

from ntqr_exact.postulates.agreement import agreement, agreement_solution
from ntqr_exact.postulates.complete import complete
from ntqr_exact.postulates.independent import independent
from ntqr_exact.postulates.misprints import misprints
from ntqr_exact.postulates.pair import pair
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space, Status
from ntqr_exact.postulates.single import single
from ntqr_exact.postulates.solution import solution
from ntqr_exact.postulates.trio import trio

__all__ = [
    "Postulate",
    "PostulateSet",
    "Role",
    "Space",
    "Status",
    "agreement",
    "agreement_solution",
    "complete",
    "independent",
    "misprints",
    "pair",
    "single",
    "solution",
    "trio",
]
