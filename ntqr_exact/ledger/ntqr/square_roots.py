"""Table 1 of the source and the square roots it compares: √A of eq. 40 and c of the agreement solution."""

from __future__ import annotations

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluators.agreement_solution import solve_agreement
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import Exact, all_of, decided, not_checkable
from ntqr_exact.ledger.ntqr.printed_cells import fraction_finding, printed_tables
from ntqr_exact.ledger.ntqr.synthetic_trio import synthetic_moments, synthetic_votes


def _c_factor(printed: str) -> Finding:
    """Judge c by what eq. 22 needs, with factors 2a − 1; with factors 1 − a eq. 23 is a misprint itself."""
    by_misprint, right = (Surd.sqrt(square) for square in _squares_of_c().values())
    origins: dict[str, Exact] = {"it is made with eq. 23 as misprinted, c² = Π(1 − a)": by_misprint}
    return fraction_finding(printed, right, "c = √Π(2a − 1), which solves eq. 22,", origins)


def _squares_of_c() -> dict[str, mpq]:
    solution = solve_agreement(synthetic_votes())
    product = mpq(1)
    for rate in solution.agreements.values():
        product *= 1 - rate
    return {
        "by eq. 23 as printed, c² = Π(1 − a)": product,
        "the c that solves eq. 22, c² = Π(2a − 1)": solution.square,
    }


def _independent_root(_: str) -> Finding:
    discriminant = synthetic_moments().discriminant
    root = Surd.sqrt(discriminant)
    return decided(root.is_rational, f"A = {discriminant} = ({root})²", right="√A is irrational")


def _agreement_root(_: str) -> Finding:
    return all_of(
        {
            name: decided(
                not Surd.sqrt(square).is_rational, f"{name}: c² = {square} is not a rational square"
            )
            for name, square in _squares_of_c().items()
        }
    )


def _no_resolved_roots(printed: str) -> Finding:
    """Judge a sentence by how its root resolves on independent judges: a word says which roots cannot be."""
    if printed not in ("resolved", "unresolved"):
        raise BadDocument(printed, "resolved or unresolved roots")
    root = Surd.sqrt(synthetic_moments().discriminant)
    return decided(
        root.is_rational is (printed == "unresolved"),
        f"√A = {root} on the synthetic evaluation: it resolves",
        "for independent judges √A = P_aP_b|d_1d_2d_3|, which is rational: no root is left unresolved",
        right="unresolved" if root.is_rational else "resolved",
        slip=True,
        arose="the word says the opposite of what is meant, as the next sentences of the text show",
    )


def _content(_: str) -> Finding:
    return not_checkable("the rows of table 1, which the extraction of the text lost")


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/table-1/content",
        "table 1",
        Kind.NUMBER,
        "Table 1 compares the square roots of the two evaluators on the synthetic evaluation.",
        _content,
        garbled="The body of table 1 is missing from the extracted text.",
    ),
    Claim(
        "ntqr/table-1/independent-root",
        "table 1 and section 5.1",
        Kind.SENTENCE,
        r"On the synthetic evaluation the root $\sqrt A$ of eq. 40 resolves into a rational number.",
        _independent_root,
    ),
    Claim(
        "ntqr/table-1/agreement-root",
        "table 1 and section 5.1",
        Kind.SENTENCE,
        "On the synthetic evaluation the root $c$ of the agreement solution does not resolve.",
        _agreement_root,
    ),
    Claim(
        "ntqr/table-1/resolved-square-roots",
        "section 5.1, on table 1",
        Kind.SENTENCE,
        "An evaluator of independent judges cannot have resolved square roots, by construction.",
        _no_resolved_roots,
        printed="resolved",
        by_hand="Δ_ij = P_aP_bd_id_j and T = P_aP_b(P_a − P_b)d_1d_2d_3 give A = T² + 4Π = (P_aP_bd_1d_2d_3)².",
    ),
    Claim(
        "ntqr/table-10/caption/c",
        "table 10, caption",
        Kind.NUMBER,
        "The factor $c$ of the agreement solution on the synthetic evaluation.",
        _c_factor,
        printed=printed_tables()["synthetic"]["table-10-c"],
        by_hand="2a − 1 of the three pairs is 3461/12500, 3687/25000 and 771/3125; their product is the square of c.",
    ),
)
