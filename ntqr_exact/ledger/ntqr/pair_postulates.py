"""Checks of sections 4.1 and 4.3: the postulates of two judges, eqs. 24 to 26, 33 to 35 and 37."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

from gmpy2 import mpq

from ntqr_exact.algebra.ideal import Ideal
from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.judgement import Finding, by_reading, decided
from ntqr_exact.ledger.ntqr.counting import definition, small_tests, value_in
from ntqr_exact.ledger.ntqr.identities import in_parameters, written_test
from ntqr_exact.ledger.ntqr.symbols import Printed, read, symbols
from ntqr_exact.ledger.registry import printed as printed_at
from ntqr_exact.postulates.pair import pair

_BASIS = ("33a", "33b", "33c", "33d", "33e", "33f")


@dataclass(frozen=True, slots=True)
class Some:
    """So many of the postulates named."""

    number: int
    of: tuple[str, ...]


def _line(name: str) -> Polynomial:
    """Return a postulate as the source prints it."""
    return read(printed_at(f"ntqr/eq-{name}")).polynomial()


def postulate(printed: Printed, *, name: str) -> Finding:
    """Judge a postulate of two judges by counting, and by the library's own of that name."""
    found = definition(printed)
    if printed.formula.polynomial() == pair().rates[name].polynomial:
        return found
    return decided(False, *found.evidence, right=str(pair().rates[name]), slip=True)


def entangled(printed: tuple[str, ...]) -> Finding:
    """Judge that the postulates named, all with a correlation among 26, hold accuracies and correlations together."""
    mixed = [name for name in ("26a", "26b", "26c", "26d") if {"accuracy", "correlation"} <= _sorts(name)]
    return decided(
        list(printed) == mixed, f"accuracies and correlations stand together in {', '.join(mixed)}"
    )


def disentangled(printed: tuple[str, ...]) -> Finding:
    """Judge which of the postulates 33 hold no correlations."""
    free = [name for name in _BASIS if "correlation" not in _sorts(name)]
    return decided(
        list(printed) == free, f"no correlation stands in {', '.join(free)}", right=", ".join(free), slip=True
    )


def _sorts(name: str) -> set[str]:
    return {variable.split("_")[0] for variable in _line(name).variables()}


def same_ideal(*, first: tuple[str, ...], second: tuple[str, ...]) -> Finding:
    """Compare the ideals of two sets of postulates: as printed, and in the library's form."""
    known = pair().rates
    base = [each.polynomial for each in known if each.name in ("5", "18", "34") or each.name.startswith("f_")]
    complete = Ideal([*base, *(_line(name) for name in first)])
    outside = [name for name in second if in_parameters(_line(name))]
    corrected = complete.equals(Ideal([*base, *(known[name].polynomial for name in second)]))
    return decided(
        not outside and corrected,
        f"as printed, {' and '.join(outside) or 'none'} does not vanish on all tests that obey {', '.join(first)}",
        "with Γ^a and Γ^b exchanged in 33e and 33f both ideals are equal"
        if corrected
        else "even the right forms have another ideal",
        right="33a to 33d as printed, 33e and 33f with Γ^a and Γ^b exchanged",
        slip=True,
    )


def three_independent(*, some: tuple[Some, ...]) -> Finding:
    """Judge 'two of the first three and one of the last three' in three senses of independence."""
    chosen = product(*(combinations(each.of, each.number) for each in some))
    choices = {each: _generates(each) for each in (sum(parts, ()) for parts in chosen)}
    good = [", ".join(choice) for choice, generates in choices.items() if generates]
    rank, total = _jacobian_rank(), sum(each.number for each in some)
    return by_reading(
        {
            "some such choice implies all six": decided(
                bool(good), f"these do: {'; '.join(good) or 'none'}", right="33a, 33b and 33d", slip=True
            ),
            "every such choice implies all six": decided(
                len(good) == len(choices),
                f"{len(good)} of the {len(choices)} choices {'does' if len(good) == 1 else 'do'}",
                "33c adds nothing to one of 33a, 33b where u_1 = v_1 = 0; 33e and 33f do not give back 33d",
                right="only 33a, 33b and 33d",
            ),
            "so many satisfy no polynomial relation (algebraic independence)": decided(
                rank == total,
                f"the Jacobian of the six has rank {rank} at a rational point, so that at least {rank} "
                "satisfy no polynomial relation",
                right=f"at least {rank}",
            ),
        }
    )


def _generates(choice: tuple[str, ...]) -> bool:
    """Tell whether postulates chosen from the right six imply all of them, over the ring of excesses."""
    forms = _in_excesses()
    unknown = [name for name in choice if name not in forms]
    if unknown:
        raise BadDocument(unknown, f"the postulates here are {', '.join(forms)}")
    return Ideal([forms[name] for name in choice]).equals(Ideal(forms.values()))


def _in_excesses() -> dict[str, Polynomial]:
    """Return the six right forms in P_a, u_i = x_i − f_{a_i}, v_i = y_i − f_{b_i} and Γ − Δ.

    With f and Δ as they are, x, y, Γ can be shifted by them without changing what implies what.
    """
    shift = {name: Polynomial() for name in ("fa1", "fa2", "fb1", "fb2", "D12")}
    images = {symbols()[name].variables()[0]: value for name, value in shift.items()}
    images[symbols()["Pb"].variables()[0]] = 1 - symbols()["Pa"]
    known = pair().rates
    return {name: known[name].polynomial.substitute(images) for name in _BASIS}


def _jacobian_rank() -> int:
    """Return the rank of ∂(33a … 33f) at a rational point: a lower bound of the algebraic rank."""
    from ntqr_exact.algebra.rational_matrix import kernel  # loads sympy

    forms = _in_excesses()
    names = sorted({name for form in forms.values() for name in form.variables()})
    point = dict(zip(names, (mpq(1, number) for number in (2, 3, 5, 7, 11, 13, 17)), strict=True))
    rows = tuple(
        tuple(mpq(_derivative(form, name).evaluate(point)) for name in names)  # type: ignore[arg-type]
        for form in forms.values()
    )
    return len(names) - len(kernel(rows))


def _derivative(form: Polynomial, name: str) -> Polynomial:
    """Return ∂form/∂name, term by term."""
    parts = []
    for monomial, coefficient in form.terms.items():
        powers = dict(monomial)
        if name in powers:
            factor = Polynomial.constant(coefficient * powers[name])
            powers[name] -= 1
            for variable, power in powers.items():
                factor = factor * Polynomial.variable(variable) ** power
            parts.append(factor)
    return sum_of(parts)


def two_definitions(printed: tuple[Printed, Printed]) -> Finding:
    """Judge that two forms of a pair's moment are the same for every test, and are that moment."""
    moment = read("D12").polynomial()
    same = [not in_parameters(each.formula.polynomial() - moment) for each in printed]
    return decided(
        all(same),
        "their difference vanishes identically in the parameters: f_{a_i} = 1 − f_{b_i}",
        right="f_bb − f_b·f_b and f_aa − f_a·f_a",
        slip=True,
    )


def holds_for_correlated(*, names: tuple[str, ...]) -> Finding:
    """Judge that postulates which imply all six of 33 hold for every pair, also for one with correlated errors."""
    failing = [name for name in names if in_parameters(_line(name))]
    test = next(each for each in small_tests(2) if value_in(each, symbols()["Ga12"].variables()[0]))
    return decided(
        _generates(names) and not failing,
        f"{', '.join(names)} imply all six, and vanish identically in P_a, x, y and Γ",
        f"as in a test with correlated errors: {written_test(test)}",
    )
