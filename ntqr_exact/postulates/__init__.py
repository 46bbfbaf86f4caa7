"""The postulates: polynomials that relate what is true of judges to what is seen in their votes.

>>> from ntqr_exact import postulates
>>> print(postulates.single()["14"])
14: f_{a_1} − (P_a·P^a_{a_1} + P_b·(1 − P^b_{b_1})) = 0
"""

from ntqr_exact.postulates.equations import (
    agreement,
    agreement_solution,
    complete,
    independent,
    misprints,
    pair,
    single,
    solution,
    trio,
)
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space, Status

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
