"""Judgement: from printed and exact values to a finding. Here, and nowhere else, verdicts are made.

A claim that fails is a misprint if it is a slip of the pen for which the right value or formula is known (`slip`), a
computation if the right rule was carried out wrongly or on wrong numbers (`arithmetic`), and wrong otherwise. A value
that nothing printed contradicts, and that the source does not determine, is possible. What cannot be decided from what
is printed is not checkable, and says what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.printed_value import Rounding, read_printed

Exact: TypeAlias = "mpq | Surd"


class Verdict(Enum):
    """How a claim stands."""

    HOLDS = "holds"
    POSSIBLE = "possible"
    MISPRINT = "misprint"
    COMPUTATION = "computation"
    WRONG = "wrong"
    DEPENDS = "depends"
    NOT_CHECKABLE = "not checkable"
    REMARK = "remark"


DEVIATIONS = (Verdict.WRONG, Verdict.COMPUTATION, Verdict.MISPRINT, Verdict.DEPENDS)
"""The verdicts that say that something is not as printed, or not in every reading; the worst first."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a claim, and how the claim stands if it is understood so."""

    name: str
    verdict: Verdict
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict with the exact evidence that decides it; not made by hand, but by the functions below.

    `right` is the right value, formula or statement where the printed one is not; `arose` is how the printed one
    came about, if that can be shown; `proof` is a document for the independent checker (a derivation), if there
    is one.
    """

    verdict: Verdict
    evidence: tuple[str, ...]
    right: str = ""
    arose: str = ""
    readings: tuple[Reading, ...] = ()
    proof: Mapping[str, Any] | None = field(default=None, compare=False)


def decided(
    truth: bool,
    *evidence: str,
    right: str = "",
    slip: bool = False,
    arithmetic: bool = False,
    arose: str = "",
    proof: Mapping[str, object] | None = None,
) -> Finding:
    """Return the finding of a claim that was computed to be true or false; empty lines of evidence are left out.

    >>> decided(2 + 2 == 5, "2 + 2 = 4").verdict
    <Verdict.WRONG: 'wrong'>
    """
    evidence = tuple(filter(None, evidence))
    if truth:
        return Finding(Verdict.HOLDS, evidence, proof=proof)
    verdict = Verdict.COMPUTATION if arithmetic else Verdict.MISPRINT if slip else Verdict.WRONG
    return Finding(verdict, evidence, right=right, arose=arose, proof=proof)


def as_printed(truth: bool, *evidence: str, **details: Any) -> Finding:
    """Return the finding of a printed value or formula, with what `decided` takes: right as printed, or a misprint.

    >>> as_printed(2 + 2 == 5, "2 + 2 = 4", right="4").verdict
    <Verdict.MISPRINT: 'misprint'>
    """
    return decided(truth, *evidence, slip=True, **details)


def possible(truth: bool, *evidence: str, right: str = "", slip: bool = True) -> Finding:
    """Return the finding of a value that the source does not determine: nothing printed contradicts it, or something.

    >>> possible(3 in range(5), "0 to 4 can be").verdict
    <Verdict.POSSIBLE: 'possible'>
    """
    found = decided(truth, *evidence, right=right, slip=slip)
    return replace(found, verdict=Verdict.POSSIBLE) if truth else found


def equal(printed: str | Exact, exact: Exact, what: str, *, arose: str = "") -> Finding:
    """Return whether a printed exact number is the right one.

    >>> equal("3/8", mpq(6, 16), "P_a").evidence
    ('P_a = 3/8 = 0.375',)
    """
    value = rational(printed) if isinstance(printed, str) else printed
    return decided(value == exact, f"{what} = {with_decimal(exact)}", right=str(exact), slip=True, arose=arose)


def rounded(printed: str, exact: Exact, what: str, *, arose: str = "") -> Finding:
    """Return whether the exact number rounds to the printed decimal: to nearest, by any usual rule for halves.

    >>> rounded("0.81", mpq(357, 443), "P").verdict, rounded("0.80", mpq(357, 443), "P").arose
    (<Verdict.HOLDS: 'holds'>, 'digits were cut off instead of rounded')
    """
    decimal = read_printed(printed)
    rule = decimal.rule_for(exact)
    if rule is Rounding.CUT and not arose:
        arose = "digits were cut off instead of rounded"
    places = max(6, decimal.places - (decimal.exponent or 0) + 2)
    evidence = f"{what} = {with_decimal(exact, places)}, which rounds to {decimal.right_text(exact)}"
    return decided(
        rule not in (Rounding.NONE, Rounding.CUT),
        evidence + (f" ({rule.value})" if rule in (Rounding.HALF_UP, Rounding.HALF_DOWN) else ""),
        right=decimal.right_text(exact),
        slip=True,
        arose=arose,
    )


def within(printed: str, low: mpq, high: mpq, what: str, *, arose: str = "") -> Finding:
    """Return whether a printed decimal can come from an exact value between `low` and `high`.

    This judges what was computed from rounded inputs: the claim holds if some value of the interval rounds to the
    printed one, and is a misprint if none does.
    """
    decimal = read_printed(printed)
    can_be = low <= decimal.high and decimal.low <= high
    places = max(9, decimal.places - (decimal.exponent or 0) + 3)
    return decided(
        can_be,
        f"{what} lies between {with_decimal(low, places)} and {with_decimal(high, places)}",
        f"{printed} stands for {decimal.interval_text()}",
        right=" to ".join(dict.fromkeys((decimal.right_text(low), decimal.right_text(high)))),
        slip=True,
        arose=arose,
    )


def noted(finding: Finding, *remarks: str) -> Finding:
    """Return the finding with further lines of evidence, empty ones aside; they do not change the verdict.

    >>> noted(decided(True, "1 + 1 = 2"), "as everybody knows").evidence
    ('1 + 1 = 2', 'as everybody knows')
    """
    return replace(finding, evidence=(*finding.evidence, *filter(None, remarks)))


def by_reading(readings: Mapping[str, Finding]) -> Finding:
    """Return the finding of a claim that can be understood in several ways, each with its own finding.

    It depends if they differ; if all agree, the verdict is theirs.
    """
    if not readings:
        raise BadDocument(readings, "a claim has at least one reading")
    entries = tuple(Reading(name, each.verdict, each.evidence) for name, each in readings.items())
    verdicts = {each.verdict for each in entries}
    first = next(iter(readings.values()))
    evidence = tuple(f"{name}: {each.verdict.value}" for name, each in readings.items())
    if len(verdicts) == 1:
        return Finding(first.verdict, evidence, first.right, first.arose, entries, first.proof)
    right = "; ".join(f"{name}: {each.right}" for name, each in readings.items() if each.right)
    arose = "; ".join(f"{name}: {each.arose}" for name, each in readings.items() if each.arose)
    return Finding(Verdict.DEPENDS, evidence, right=right, arose=arose, readings=entries)


def all_of(parts: Mapping[str, Finding]) -> Finding:
    """Return the finding of a claim with several parts, as a cell with a fraction and a decimal: all must hold.

    The worst part decides: wrong, computation, misprint, depends, not checkable, possible, holds.
    """
    if not parts:
        raise BadDocument(parts, "a claim has at least one part")
    order = (*DEVIATIONS, Verdict.NOT_CHECKABLE, Verdict.POSSIBLE, Verdict.HOLDS)
    verdict = min((each.verdict for each in parts.values()), key=order.index)
    evidence = tuple(line for each in parts.values() for line in each.evidence)
    right = "; ".join(f"{name}: {each.right}" for name, each in parts.items() if each.right)
    arose = "; ".join(each.arose for each in parts.values() if each.arose)
    readings = tuple(reading for each in parts.values() for reading in each.readings)
    proof = next((each.proof for each in parts.values() if each.proof is not None), None)
    return Finding(verdict, tuple(dict.fromkeys(evidence)), right, arose, readings, proof)


def underdetermined(worlds: Mapping[str, bool], missing: str) -> Finding:
    """Return that a claim is not checkable, if worlds that agree with all that is printed differ in its truth.

    `worlds` describes each such world and says whether the claim is true in it. If it is true, or false, in all,
    that is the verdict; but only a complete list of worlds may be given then.
    """
    evidence = tuple(f"{name}: the claim is {'true' if truth else 'false'}" for name, truth in worlds.items())
    if len(set(worlds.values())) == 2:
        return Finding(Verdict.NOT_CHECKABLE, (*evidence, f"missing: {missing}"))
    return decided(all(worlds.values()), *evidence)


def not_checkable(missing: str, *evidence: str) -> Finding:
    """Return that what would be needed to check a claim is not in the source, nor follows from it."""
    return Finding(Verdict.NOT_CHECKABLE, (*evidence, f"missing: {missing}"))


def counterexample(cases: Iterable[tuple[str, bool]], *, checked: str, proof: str = "") -> Finding:
    """Return whether all cases are true; the first that is not, in the order given, is the counterexample.

    `proof` says why the cases suffice for the claim at large; without it, the evidence says what was checked.
    """
    number = 0
    for text, truth in cases:
        number += 1
        if not truth:
            return decided(False, f"counterexample: {text}")
    return decided(number > 0, proof, f"true in all {number} cases: {checked}")
