"""Singular, a computer algebra system of its own, agrees on membership, equality, bases, elimination.

`apt-get install singular` brings it; without it these tests are skipped.
"""

import shutil
import subprocess

import pytest

from ntqr_exact.postulates import Role, agreement, independent, misprints, pair, single, solution
from ntqr_exact.postulates.derivations import Ideal, derivation_names, derive, eliminate_prevalence
from ntqr_exact.postulates.polynomial import read_formula
from ntqr_exact.votes.counts import VoteCounts

SINGULAR = shutil.which("Singular")
pytestmark = pytest.mark.skipif(
    SINGULAR is None, reason="Singular is not installed (apt-get install singular)"
)
PATTERNS = ["aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb"]


class Session:
    """Polynomials written in Singular's language, in a ring of the variables v1, v2, …"""

    def __init__(self, polynomials, order="dp"):
        names = sorted({name for polynomial in polynomials for name in polynomial.variables()})
        self.short = {name: f"v{number}" for number, name in enumerate(names, start=1)}
        self.lines = [f"ring r = 0, ({','.join(self.short.values()) or 'v'}), {order};", "option(redSB);"]

    def written(self, polynomial):
        terms = [
            "*".join([f"({coefficient})", *(f"{self.short[name]}^{power}" for name, power in monomial)])
            for monomial, coefficient in polynomial.terms.items()
        ]
        return "+".join(terms) or "0"

    def ideal(self, name, polynomials):
        self.lines.append(f"ideal {name} = {','.join(map(self.written, polynomials)) or '0'};")

    def run(self, *lines):
        script = "\n".join([*self.lines, *lines, "quit;"])
        run = subprocess.run(
            [SINGULAR, "-q"], input=script, capture_output=True, text=True, check=True, timeout=60
        )
        assert "?" not in run.stdout, run.stdout
        return run.stdout.split()


def definitions_put_in(polynomial):
    """Write a claim on a pair in patterns, so that few variables remain."""
    known = {p.solved_for: p.polynomial for p in pair().rates if p.role is Role.DEFINITION}
    for name in ("D12", "fa1", "fb1", "fa2", "fb2"):
        variable = read_formula(name)
        polynomial = polynomial.substitute({name: variable - known[name]})
    return polynomial


@pytest.mark.slow
def test_singular_finds_every_claim_in_the_ideal_of_what_is_given():
    for name in derivation_names():
        derivation = derive(name)
        given = [postulate.polynomial for postulate in derivation.given]
        claim = derivation.claim.polynomial
        session = Session([*given, claim])
        if name in ("38", "39", "s^2", "40", "T") or name[:2] in ("d_", "x_", "y_"):
            continue  # many variables: checked step by step below
        session.ideal("i", given)
        session.lines.append(f"poly p = {session.written(claim)};")
        assert session.run("reduce(p, std(i));") == ["0"], name


@pytest.mark.parametrize("name", ["T", "38", "39", "s^2", "40", "d_1", "x_1", "y_1"])
def test_singular_expands_every_step_of_the_long_derivations(name):
    known = {each.name: each.polynomial for each in derive(name).given}
    for step in derive(name).steps:
        pairs = [(cofactor, known[used]) for used, cofactor in step.cofactors]
        session = Session([step.target, *(each for pair_of in pairs for each in pair_of)])
        terms = [f"({session.written(c)})*({session.written(g)})" for c, g in pairs]
        assert session.run(f"poly p = {session.written(step.target)} - ({'+'.join(terms)});", "p;") == ["0"]
        known[step.name] = step.target


@pytest.mark.parametrize("name", ["33e", "33f"])
def test_singular_does_not_find_the_misprints_in_the_ideal(name):
    known = pair().rates
    given = [known[other].polynomial for other in ("5", "26a", "26b", "26c", "26d")]
    for postulate, inside in ((misprints()[name], False), (known[name], True)):
        claim = definitions_put_in(postulate.polynomial)
        session = Session([*given, claim])
        session.ideal("i", given)
        assert (session.run(f"reduce({session.written(claim)}, std(i)) == 0;") == ["1"]) is inside


def test_singular_agrees_that_26_and_33a_33b_33d_have_one_ideal():
    known = pair().rates
    shared = [known["5"].polynomial, known["18"].polynomial]
    one = [*shared, *(known[name].polynomial for name in ("26a", "26b", "26c", "26d"))]
    other = [*shared, *(definitions_put_in(known[name].polynomial) for name in ("33a", "33b", "33d"))]
    session = Session(one + other)
    session.ideal("i", one)
    session.ideal("j", other)
    sizes = session.run("i = std(i); j = std(j);", "size(reduce(i, j));", "size(reduce(j, i));")
    assert sizes == ["0", "0"]
    assert Ideal(one).equals(Ideal(other))


@pytest.mark.parametrize(
    "polynomials",
    [
        [single().rates[name].polynomial for name in ("5", "14", "15")],
        [pair().rates[name].polynomial for name in ("5", "26a", "26b", "26c", "26d")],
        [pair().rates["33c"].polynomial, pair().rates["33a"].polynomial],
        [agreement()[name].polynomial for name in ("27", "29", "28")],
        [independent(3)[name].polynomial for name in ("5", "41", "48")],
        [solution()[name].polynomial for name in ("39", "s^2", "40")],
        [each.polynomial for each in single().responses],
    ],
    ids=["single", "26", "33a 33c", "agreement", "two of the trio", "quadratic", "responses"],
)
def test_reduced_bases_agree(polynomials):
    session = Session(polynomials, "lp")
    session.ideal("i", polynomials)
    (size,) = session.run("i = std(i);", "size(i);")
    assert len(Ideal(polynomials, tuple(session.short)).basis()) == int(size)


@pytest.mark.parametrize(
    "counts",
    [
        (181, 90, 86, 115, 86, 109, 100, 233),
        (0, 1, 1, 0, 1, 0, 0, 3),
        (3, 1, 1, 0, 0, 1, 1, 3),
        (0, 1, 1, 0, 1, 0, 0, 0),
        (1, 1, 1, 1, 1, 1, 1, 1),
        (5, 4, 3, 2, 1, 7, 6, 9),
    ],
)
def test_singular_eliminates_to_the_same_polynomial_in_the_prevalence(counts):
    votes = VoteCounts(dict(zip(PATTERNS, counts, strict=True)))
    numbers = [
        p.specialise(votes).polynomial for p in independent(3) if p.role is Role.HYPOTHESIS or p.name == "5"
    ]
    found = eliminate_prevalence(votes)
    session = Session([*numbers, found])
    session.ideal("i", numbers)
    others = "*".join(short for name, short in session.short.items() if name != "Pa")
    session.lines.append(f"ideal e = std(eliminate(i, {others}));")
    session.ideal("ours", [found])
    assert session.run("ours = std(ours);", "size(reduce(e, ours));", "size(reduce(ours, e));") == ["0", "0"]
