"""The postulates: polynomials that relate what is true of judges to what is seen in their votes.

>>> from ntqr_exact import postulates
>>> print(postulates.single()["14"])
14: f_{a_1} − (P_a·P^a_{a_1} + P_b·(1 − P^b_{b_1})) = 0
"""

from ntqr_exact.postulates.equations import agreement as agreement
from ntqr_exact.postulates.equations import agreement_solution as agreement_solution
from ntqr_exact.postulates.equations import complete as complete
from ntqr_exact.postulates.equations import independent as independent
from ntqr_exact.postulates.equations import misprints as misprints
from ntqr_exact.postulates.equations import pair as pair
from ntqr_exact.postulates.equations import single as single
from ntqr_exact.postulates.equations import solution as solution
from ntqr_exact.postulates.equations import trio as trio
from ntqr_exact.postulates.postulate import Postulate as Postulate
from ntqr_exact.postulates.postulate import PostulateSet as PostulateSet
from ntqr_exact.postulates.postulate import Role as Role
from ntqr_exact.postulates.postulate import Space as Space
from ntqr_exact.postulates.postulate import Status as Status
