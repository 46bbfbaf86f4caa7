"""`complete(n, labels)`: all postulates that n judges obey, in responses and in rates.

They are complete because they give the share of every pattern, and so all that is observed of a test.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from ntqr_exact.algebra.notation import (
    Quantity,
    frequency,
    key_count,
    key_responses,
    of_judges,
    prevalence,
    responses,
)
from ntqr_exact.algebra.polynomial import sum_of
from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes, NotANumber
from ntqr_exact.postulates.construction import answers, expected_frequency, extensions, polynomial
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space, Status
from ntqr_exact.votes.names import Pattern, check_labels

_MOST_PATTERNS = 1024
"""R^n of the largest set in responses; each pattern is a postulate."""

MOST_JUDGES_IN_RATES = 6
"""A pattern of n judges has up to 2·3^n terms when its rates are multiplied out."""

_PRINTED_IN_RATES = {1: ("14", "15"), 2: ("26a", "26b", "26c", "26d")}
_PRINTED_IN_RESPONSES: Mapping[int, Sequence[str]] = {1: ("11", "12")}
_PRINTED_TOTALS = {1: ("13", Space.RESPONSES), 2: ("18", Space.RATES), 3: ("38", Space.RATES)}


def complete(
    judges: int, labels: Sequence[str] = ("a", "b"), *, spaces: Iterable[Space] = tuple(Space)
) -> PostulateSet:
    """Return the complete postulates of `judges` judges who choose between `labels`.

    In responses they are linear, for any number of labels: R_v = Σ_l R^l_v and what goes with it. In
    rates they are there for two labels, with all error correlations of two and more judges:
    f_v = Σ_l P_l Σ_S Π_{m∉S} r_m Π_{m∈S} s_m Γ^l_S (see `construction`).

    >>> print(complete(2).rates["26b"])
    26b: P_a·P^a_{a_1}·P^a_{a_2} + P_b·P^b_{b_1}·P^b_{b_2} − P_a·P^a_{a_1} + P_a·Γ^a_{1,2}
      − P_b·P^b_{b_2} + P_b·Γ^b_{1,2} + f_{a_1,b_2} = 0
    >>> print(complete(1, ("a", "b", "c")).responses["R(b)"])
    R(b): −R^a_{b_1} − R^b_{b_1} − R^c_{b_1} + R_{b_1} = 0

    Raises `BadVotes` for more judges than can be written out, and for rates alone of three labels.
    """
    count, checked = check_size(judges, labels)
    wanted = tuple(spaces)
    found: list[Postulate] = []
    if Space.RESPONSES in wanted:
        found += _in_responses(count, checked)
    if Space.RATES in wanted and (len(checked) == 2 or wanted == (Space.RATES,)):
        found += _in_rates(count, checked)
    return PostulateSet(found)


def check_size(
    judges: int, labels: Sequence[str], *, most_judges: int | None = None
) -> tuple[int, tuple[str, ...]]:
    """Return judges and labels if there are postulates for them that can be written out."""
    if isinstance(judges, bool) or not isinstance(judges, int):
        raise NotANumber(judges, "the number of judges is an integer")
    checked = check_labels(labels)
    if judges < 1:
        raise BadVotes(judges, "a test needs at least one judge")
    # Compared first, so that a huge number is never raised to.
    if judges > _MOST_PATTERNS or len(checked) ** judges > _MOST_PATTERNS:
        raise BadVotes(
            judges,
            f"there is a postulate for every pattern, at most {_MOST_PATTERNS}",
            "take fewer judges or labels",
        )
    if most_judges is not None and judges > most_judges:
        raise BadVotes(judges, f"postulates in rates are written out for at most {most_judges} judges")
    return judges, checked


def pattern_name(letter: str, pattern: Pattern, printed: Mapping[int, Sequence[str]], place: int) -> str:
    """Return the paper's number where it prints the equation of a pattern, else a name like f(a,a,b)."""
    if len(pattern) in printed and place < len(printed[len(pattern)]):
        return printed[len(pattern)][place]
    return f"{letter}({','.join(pattern)})"


def prevalences_sum_to_one(labels: Sequence[str]) -> Postulate:
    """Return eq. 5, P_a + P_b = 1."""
    return Postulate(
        "5",
        sum_of(polynomial(prevalence(label)) for label in labels) - 1,
        Space.RATES,
        Citation("ntqr", "eq. 5"),
        _status(labels),
        solved_for=prevalence(labels[-1]).name,
    )


def frequencies_sum_to_one(judges: int, labels: Sequence[str]) -> Postulate:
    """Return eq. 18 or 38, Σ_v f_v = 1: the completeness condition, in rates."""
    total = sum_of(
        polynomial(frequency(answers(pattern))) for pattern in itertools.product(labels, repeat=judges)
    )
    first = frequency(answers((labels[0],) * judges))
    name, status, place = _total(judges, labels, Space.RATES)
    return Postulate(name, total - 1, Space.RATES, Citation("ntqr", place), status, solved_for=first.name)


def _in_rates(judges: int, labels: Sequence[str]) -> list[Postulate]:
    if judges > MOST_JUDGES_IN_RATES:
        raise BadVotes(
            judges,
            f"postulates in rates are written out for at most {MOST_JUDGES_IN_RATES} judges",
            "take spaces=[Space.RESPONSES]",
        )
    found = [prevalences_sum_to_one(labels)]
    for place, pattern in enumerate(itertools.product(labels, repeat=judges)):
        seen = frequency(answers(pattern))
        printed = judges in _PRINTED_IN_RATES
        name = pattern_name("f", pattern, _PRINTED_IN_RATES, place)
        found.append(
            Postulate(
                name,
                polynomial(seen) - expected_frequency(answers(pattern), labels),
                Space.RATES,
                Citation("ntqr", f"eq. {name}" if printed else "section 5, announced and not printed"),
                Status.PRINTED if printed else Status.DERIVED,
                solved_for=seen.name,
            )
        )
    return [*found, frequencies_sum_to_one(judges, labels), *_marginals_in_rates(judges, labels)]


def _in_responses(judges: int, labels: Sequence[str]) -> list[Postulate]:
    questions = polynomial(of_judges(Quantity.QUESTIONS))
    patterns = list(itertools.product(labels, repeat=judges))
    found = [
        Postulate(
            "1",
            sum_of(polynomial(key_count(label)) for label in labels) - questions,
            Space.RESPONSES,
            Citation("ntqr", "eq. 1"),
            _status(labels),
            solved_for=of_judges(Quantity.QUESTIONS).name,
        )
    ]
    for place, pattern in enumerate(patterns):
        seen = responses(answers(pattern))
        printed = judges in _PRINTED_IN_RESPONSES and len(labels) == 2
        name = pattern_name("R", pattern, _PRINTED_IN_RESPONSES if printed else {}, place)
        by_key = sum_of(polynomial(key_responses(label, answers(pattern))) for label in labels)
        found.append(
            Postulate(
                name,
                polynomial(seen) - by_key,
                Space.RESPONSES,
                Citation("ntqr", f"eq. {name}" if printed else "eqs. 11 and 12"),
                Status.PRINTED if printed else Status.DERIVED,
                solved_for=seen.name,
            )
        )
    found += [
        Postulate(
            f"Q({label})",
            polynomial(key_count(label))
            - sum_of(polynomial(key_responses(label, answers(pattern))) for pattern in patterns),
            Space.RESPONSES,
            Citation("ntqr", "section 3, the excluded middle"),
            Status.DERIVED,
            solved_for=key_count(label).name,
        )
        for label in labels
    ]
    total = sum_of(polynomial(responses(answers(pattern))) for pattern in patterns) - questions
    name, status, place_of_total = _total(judges, labels, Space.RESPONSES)
    found.append(
        Postulate(
            name,
            total,
            Space.RESPONSES,
            Citation("ntqr", place_of_total),
            status,
            solved_for=responses(answers(patterns[0])).name,
        )
    )
    return found + _marginals_in_responses(judges, labels)


def _marginals_in_rates(judges: int, labels: Sequence[str]) -> list[Postulate]:
    if judges == 1:
        return []
    return [
        marginal_definition({judge: label}, judges, labels) for judge in range(judges) for label in labels
    ]


def marginal_definition(given: dict[int, str], judges: int, labels: Sequence[str]) -> Postulate:
    """Return f_{a_i} = Σ f_v over the patterns in which judge i answered a, and likewise for more judges."""
    seen = frequency(given)
    return Postulate(
        seen.symbol,
        polynomial(seen)
        - sum_of(polynomial(frequency(answers(pattern))) for pattern in extensions(given, judges, labels)),
        Space.RATES,
        Citation("ntqr", "section 4"),
        Status.DERIVED,
        Role.DEFINITION,
        seen.name,
    )


def _marginals_in_responses(judges: int, labels: Sequence[str]) -> list[Postulate]:
    if judges == 1:
        return []
    found = []
    for judge, label in itertools.product(range(judges), labels):
        patterns = list(extensions({judge: label}, judges, labels))
        sums = [(responses({judge: label}), [responses(answers(pattern)) for pattern in patterns])] + [
            (
                key_responses(key, {judge: label}),
                [key_responses(key, answers(pattern)) for pattern in patterns],
            )
            for key in labels
        ]
        found += [
            Postulate(
                total.symbol,
                polynomial(total) - sum_of(map(polynomial, parts)),
                Space.RESPONSES,
                Citation("ntqr", "section 4"),
                Status.DERIVED,
                Role.DEFINITION,
                total.name,
            )
            for total, parts in sums
        ]
    return found


def _total(judges: int, labels: Sequence[str], space: Space) -> tuple[str, Status, str]:
    """Return name, status and place of the completeness condition; R or P marks the space not printed."""
    printed = _PRINTED_TOTALS.get(judges)
    if printed is None:
        name = "total R" if space is Space.RESPONSES else "total f"
        return name, Status.DERIVED, "eqs. 13, 18 and 38"
    number, printed_space = printed
    if space is printed_space:
        return number, _status(labels), f"eq. {number}"
    return f"{number}{'R' if space is Space.RESPONSES else 'P'}", Status.DERIVED, f"eq. {number}"


def _status(labels: Sequence[str]) -> Status:
    return Status.PRINTED if len(labels) == 2 else Status.DERIVED
