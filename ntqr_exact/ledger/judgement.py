"""Judgement: from printed and exact values to a finding. Here, and nowhere else, verdicts are made.

A claim that fails is a misprint if it is a slip for which the right value or formula is known (`slip`), a computation if
the right rule was applied wrongly or to wrong numbers (`arithmetic`), and wrong otherwise. A value that nothing printed
contradicts, and that the source does not determine, is possible. What the source does not decide is not checkable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.printed_value import Rounding, read_printed

Exact: TypeAlias = "mpq | Surd"


class Verdict(Enum):
    """The result of judging a claim."""

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
    """One way to understand a claim, with its verdict."""

    name: str
    verdict: Verdict
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict with the exact evidence for it, made by the functions below.

    `right` is the right value, formula or statement; `arose` says how the printed one came about, if that can be shown;
    `proof` is a derivation for the independent checker.
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
    """Return the finding of a claim that was computed to be true or false; empty lines of evidence are left out."""
    evidence = tuple(filter(None, evidence))
    if truth:
        return Finding(Verdict.HOLDS, evidence, proof=proof)
    verdict = Verdict.COMPUTATION if arithmetic else Verdict.MISPRINT if slip else Verdict.WRONG
    return Finding(verdict, evidence, right=right, arose=arose, proof=proof)


def as_printed(truth: bool, *evidence: str, **details: Any) -> Finding:
    """Return the finding of a printed value or formula: it holds, or is a misprint. `details` are those of `decided`."""
    return decided(truth, *evidence, slip=True, **details)


def possible(truth: bool, *evidence: str, right: str = "", slip: bool = True) -> Finding:
    """Return the finding of a value that the source does not determine, and that nothing, or something, contradicts."""
    finding = decided(truth, *evidence, right=right, slip=slip)
    return replace(finding, verdict=Verdict.POSSIBLE) if truth else finding


def equal(printed: str | Exact, exact: Exact, what: str) -> Finding:
    """Return whether a printed exact number is the right one."""
    value = rational(printed) if isinstance(printed, str) else printed
    return as_printed(value == exact, f"{what} = {with_decimal(exact)}", right=str(exact))


def rounded(printed: str, exact: Exact, what: str, *, arose: str = "") -> Finding:
    """Return whether the exact number rounds to the printed decimal: to nearest, by any usual rule for halves."""
    decimal = read_printed(printed)
    rule, right = decimal.rule_for(exact), decimal.right_text(exact)
    if rule is Rounding.CUT:
        arose = arose or "digits were cut off instead of rounded"
    evidence = f"{what} = {with_decimal(exact, max(6, decimal.digits + 2))}, which rounds to {right}"
    evidence += f" ({rule.value})" if rule is Rounding.HALF else ""
    return as_printed(decimal.rounds(exact), evidence, right=right, arose=arose)


def within(printed: str, low: mpq, high: mpq, what: str, *, arose: str = "") -> Finding:
    """Return whether some exact value between `low` and `high` rounds to the printed decimal."""
    decimal = read_printed(printed)
    places = max(9, decimal.digits + 3)
    return as_printed(
        low <= decimal.high and decimal.low <= high,
        f"{what} lies between {with_decimal(low, places)} and {with_decimal(high, places)}",
        f"{printed} stands for [{decimal.low}, {decimal.high}]",
        right=" to ".join(dict.fromkeys((decimal.right_text(low), decimal.right_text(high)))),
        arose=arose,
    )


def noted(finding: Finding, *remarks: str) -> Finding:
    """Return the finding with further lines of evidence, without empty ones; the verdict stays."""
    return replace(finding, evidence=(*finding.evidence, *filter(None, remarks)))


def _joined(parts: Mapping[str, Finding], name: str) -> str:
    return "; ".join(f"{key}: {getattr(each, name)}" for key, each in parts.items() if getattr(each, name))


def by_reading(readings: Mapping[str, Finding]) -> Finding:
    """Return the finding of a claim that can be understood in several ways: it depends if their verdicts differ."""
    entries = tuple(Reading(name, each.verdict, each.evidence) for name, each in readings.items())
    first = next(iter(readings.values()))
    evidence = tuple(f"{name}: {each.verdict.value}" for name, each in readings.items())
    if len({each.verdict for each in entries}) == 1:
        return replace(first, evidence=evidence, readings=entries)
    return Finding(Verdict.DEPENDS, evidence, _joined(readings, "right"), _joined(readings, "arose"), entries)


def all_of(parts: Mapping[str, Finding]) -> Finding:
    """Return the finding of a claim with several parts, as a cell with a fraction and a decimal: the worst part decides."""
    order = (*DEVIATIONS, Verdict.NOT_CHECKABLE, Verdict.POSSIBLE, Verdict.HOLDS)
    verdict = min((each.verdict for each in parts.values()), key=order.index)
    evidence = tuple(dict.fromkeys(line for each in parts.values() for line in each.evidence))
    arose = "; ".join(each.arose for each in parts.values() if each.arose)
    readings = tuple(reading for each in parts.values() for reading in each.readings)
    return Finding(verdict, evidence, _joined(parts, "right"), arose, readings)


def undecided(worlds: Mapping[str, bool], missing: str) -> Finding:
    """Return that a claim is not checkable if worlds that agree with all that is printed differ in its truth.

    `worlds` describes each and says whether the claim is true in it; if all agree, they must be all worlds there are.
    """
    evidence = tuple(f"{name}: the claim is {'true' if truth else 'false'}" for name, truth in worlds.items())
    return not_checkable(missing, *evidence) if len(set(worlds.values())) == 2 else decided(all(worlds.values()), *evidence)


def not_checkable(missing: str, *evidence: str) -> Finding:
    """Return that what is needed to check a claim is not in the source, nor follows from it."""
    return Finding(Verdict.NOT_CHECKABLE, (*evidence, f"missing: {missing}"))


def all_cases(cases: Iterable[tuple[str, bool]], *, checked: str, proof: str = "") -> Finding:
    """Return whether all cases are true; the first that is not is the counterexample.

    `proof` says why the cases suffice for the claim at large; without it, the evidence says what was checked.
    """
    number = 0
    for text, truth in cases:
        if not truth:
            return decided(False, f"counterexample: {text}")
        number += 1
    return decided(number > 0, proof, f"true in all {number} cases: {checked}")
