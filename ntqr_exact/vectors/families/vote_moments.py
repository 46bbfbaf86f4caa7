"""The family `vote-moments`: the moments of three judges between two labels, from the counts of patterns."""

from __future__ import annotations

from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.moments import moment_steps, moments_document
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, votes_from, votes_input
from ntqr_exact.vectors.fragments import RATIONAL, described, list_of, record
from ntqr_exact.vectors.specification import Case, declared


def random_case(draws: Draws, index: int) -> Case:
    """Return uniform counts that add up to a number of questions growing with the index."""
    size = 2 + index * index // 4 + draws.below(3)
    return Case(votes_input(draws.counts(size, 8)), f"{size} questions")


FAMILY = Family(
    *declared("vote-moments"),
    input=record(PARTS),
    expected=record(
        frequencies=list_of(RATIONAL, exactly=8),
        rates=described(list_of(RATIONAL, exactly=3), "f_b1, f_b2, f_b3"),
        pair_moments=described(list_of(RATIONAL, exactly=3), "Δ_12, Δ_13, Δ_23"),
        trio_moment=described(RATIONAL, "T"),
        pair_product=described(RATIONAL, "Π"),
        discriminant=described(RATIONAL, "A"),
    ),
    random_case=random_case,
    compute=lambda document: moments_document(votes_from(document)),
    steps=lambda document: moment_steps(votes_from(document)),
    shared=SHARED,
)
