"""Refutations: the smallest test, answer key and all, on which an equation fails.

Every test that can be given is a point of the variety of the complete postulates, so that one test with
a residual that is not zero refutes a claim for good. Tests are searched in order of their size.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates.equations import agreement_solution, independent, misprints
from ntqr_exact.postulates.notation import read_name
from ntqr_exact.postulates.postulate import Postulate, Role
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_LARGEST_SEARCHED = 4
"""Questions of the largest test searched by default: 3876 tests of three judges."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """A test on which the claim has a residual that is not zero."""

    claim: Postulate
    test: LabeledVoteCounts
    residual: mpq | Surd

    def __str__(self) -> str:
        parts = []
        for label, votes in self.test.by_label.items():
            seen = ", ".join(f"{','.join(pattern)} × {count}" for pattern, count in votes.counts.items())
            parts.append(f"true label {label}: {seen or 'none'}")
        text = (
            f"Equation {self.claim.name} as printed ({self.claim.citation}) fails: on the test with answers"
        )
        return f"{text}\n  {'; '.join(parts)}\n  {self.claim.polynomial}\n  is {self.residual}, not 0."


@cache
def refute_misprint(name: str) -> Refutation | None:
    """Return the smallest counterexample to a printed equation.

    >>> refutation = refute_misprint("16R")
    >>> refutation.test.observed(), refutation.residual
    (VoteCounts({'b': 1}, labels=('a', 'b'), judges=('J1',)), mpq(1,1))
    """
    hypotheses: Sequence[Postulate] = ()
    if name == "23":
        hypotheses = [postulate for postulate in agreement_solution() if postulate.name.startswith("21")]
    elif name == "40":
        hypotheses = [postulate for postulate in independent(3) if postulate.role is Role.HYPOTHESIS]
    return refute(misprints()[name], hypotheses)


def refute(
    claim: Postulate, hypotheses: Sequence[Postulate] = (), *, largest: int = _LARGEST_SEARCHED
) -> Refutation | None:
    """Return the first test, smallest first, that satisfies the hypotheses and not the claim; `None` proves nothing."""
    involved = (claim, *hypotheses)
    variables = [read_name(name) for postulate in involved for name in postulate.polynomial.variables()]
    judges = max((judge + 1 for variable in variables for judge in variable.judges), default=1)
    for size in range(1, largest + 1):
        for test in all_tests(judges, size):
            residual = claim.residual(test)
            if isinstance(residual, Undefined) or residual == 0:
                continue
            if all(hypothesis.residual(test) == 0 for hypothesis in hypotheses):
                return Refutation(claim, test, residual)
    return None


def all_tests(judges: int, size: int, labels: Sequence[str] = ("a", "b")) -> Iterator[LabeledVoteCounts]:
    """Iterate over all tests of a size: every way of putting questions into true labels and patterns.

    >>> sum(1 for _ in all_tests(1, 2))
    10
    """
    if size < 1 or judges < 1:
        raise BadVotes((judges, size), "judges and size must be >= 1")
    names = tuple(f"J{number}" for number in range(1, judges + 1))
    cells = [(label, pattern) for label in labels for pattern in itertools.product(labels, repeat=judges)]
    for chosen in itertools.combinations_with_replacement(cells, size):
        counts: dict[str, dict[tuple[str, ...], int]] = {label: {} for label in labels}
        for label, pattern in chosen:
            counts[label][pattern] = counts[label].get(pattern, 0) + 1
        yield LabeledVoteCounts({label: VoteCounts(counts[label], labels, names) for label in labels})
