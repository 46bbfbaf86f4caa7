"""`complete(n)`: all postulates that n judges obey, in responses and in rates; `independent(n)`: those without Γ.

They are complete because they give the share of every pattern, and so all that is observed of a test.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from ntqr_exact.algebra.notation import (
    Quantity,
    Variable,
    frequency,
    key_count,
    key_responses,
    of_judges,
    prevalence,
    response_rate,
    responses,
)
from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes, NotANumber
from ntqr_exact.postulates.construction import answers, expected_frequency, extensions, polynomial
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space, Status
from ntqr_exact.votes.names import Pattern, check_labels

_MOST_PATTERNS = 1024
"""R^n of the largest set in responses; each pattern is a postulate."""

_MOST_JUDGES_IN_RATES = 6
"""A pattern of n judges has up to 2·3^n terms when its rates are multiplied out."""

_IN_RATES = {1: ("14", "15"), 2: ("26a", "26b", "26c", "26d")}
_INDEPENDENT = {3: ("41", "42", "43", "47", "44", "46", "45", "48")}
"""In the order of the patterns aaa, aab, aba, abb, baa, bab, bba, bbb, which is not the paper's."""
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
    checked = _checked_labels(judges, labels)
    wanted = tuple(spaces)
    found: list[Postulate] = []
    if Space.RESPONSES in wanted:
        found += _in_responses(judges, checked)
    if Space.RATES in wanted and (len(checked) == 2 or wanted == (Space.RATES,)):
        found += _in_rates(judges, checked, remedy="take spaces=[Space.RESPONSES]")
    return PostulateSet(found)


def independent(judges: int, labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return f_v = Σ_l P_l Π_m P^l_{v_m}: the complete postulates without the correlations, eqs. 41 to 48 and beyond.

    They are a hypothesis, not postulates: a test satisfies them if all its error correlations are 0, and
    otherwise only where these cancel between the labels, as in P_a·Γ^a + P_b·Γ^b = 0. With three or more
    labels the response rates are variables, with the postulates that they sum to 1.

    >>> print(independent(1).rates[1])
    f(a): −P_a·P^a_{a_1} + P_b·P^b_{b_1} − P_b + f_{a_1} = 0
    """
    checked = _checked_labels(judges, labels)
    found = _in_rates(judges, checked, independent=True)
    for judge, label in itertools.product(range(judges if len(checked) > 2 else 0), checked):
        rates = [response_rate(label, given, judge) for given in checked]
        form, place = _sum(rates) - 1, "section 3, the excluded middle"
        found.append(_postulate(f"P^{label}_{judge + 1}", form, Space.RATES, place, rates[-1]))
    return PostulateSet(found)


def _checked_labels(judges: int, labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels if there are postulates for them and the judges that can be written out."""
    if isinstance(judges, bool) or not isinstance(judges, int):
        raise NotANumber(judges, "the number of judges is an integer")
    checked = check_labels(labels)
    if judges < 1:
        raise BadVotes(judges, "a test needs at least one judge")
    # Compared first, so that a huge number is never raised to.
    if judges > _MOST_PATTERNS or len(checked) ** judges > _MOST_PATTERNS:
        rule = f"there is a postulate for every pattern, at most {_MOST_PATTERNS}"
        raise BadVotes(judges, rule, "take fewer judges or labels")
    return checked


def _in_rates(
    judges: int, labels: tuple[str, ...], *, independent: bool = False, remedy: str = ""
) -> list[Postulate]:
    if judges > _MOST_JUDGES_IN_RATES:
        rule = f"postulates in rates are written out for at most {_MOST_JUDGES_IN_RATES} judges"
        raise BadVotes(judges, rule, remedy)
    space, role = Space.RATES, Role.HYPOTHESIS if independent else Role.POSTULATE
    shares = [prevalence(label) for label in labels]
    found = [_postulate("5", _sum(shares) - 1, space, "eq. 5", shares[-1], status=_status(labels))]
    printed = (_INDEPENDENT if independent else _IN_RATES).get(judges, ()) if len(labels) == 2 else ()
    other = "appendix 7.1, eqs. 41 to 48" if independent else "section 5, announced and not printed"
    for pattern, number in itertools.zip_longest(itertools.product(labels, repeat=judges), printed):
        form = expected_frequency(answers(pattern), labels, independent=independent)
        found.append(_of_pattern(pattern, form, number, space, other=other, role=role))
    found.append(_total(judges, labels, space, Polynomial.constant(1)))
    for judge, label in itertools.product(range(judges if judges > 1 else 0), labels):
        found.append(marginal_definition({judge: label}, judges, labels))
    return found


def _in_responses(judges: int, labels: tuple[str, ...]) -> list[Postulate]:
    space, questions = Space.RESPONSES, of_judges(Quantity.QUESTIONS)
    patterns = list(itertools.product(labels, repeat=judges))
    form = _sum(map(key_count, labels)) - polynomial(questions)
    found = [_postulate("1", form, space, "eq. 1", questions, status=_status(labels))]
    printed = ("11", "12") if judges == 1 and len(labels) == 2 else ()
    for pattern, number in itertools.zip_longest(patterns, printed):
        by_key = _sum(key_responses(label, answers(pattern)) for label in labels)
        found.append(_of_pattern(pattern, by_key, number, space, other="eqs. 11 and 12"))
    for label in labels:
        form = polynomial(key_count(label)) - _sum(
            key_responses(label, answers(pattern)) for pattern in patterns
        )
        place = "section 3, the excluded middle"
        found.append(_postulate(f"Q({label})", form, space, place, key_count(label)))
    found.append(_total(judges, labels, space, polynomial(questions)))
    for judge, label in itertools.product(range(judges if judges > 1 else 0), labels):
        given = {judge: label}
        wider = [answers(pattern) for pattern in extensions(given, judges, labels)]
        found.append(_defined(responses(given), map(responses, wider), space))
        found += [
            _defined(key_responses(key, given), (key_responses(key, one) for one in wider), space)
            for key in labels
        ]
    return found


def marginal_definition(given: dict[int, str], judges: int, labels: Sequence[str]) -> Postulate:
    """Return f_{a_i} = Σ f_v over the patterns in which judge i answered a, and likewise for more judges."""
    parts = (frequency(answers(pattern)) for pattern in extensions(given, judges, labels))
    return _defined(frequency(given), parts, Space.RATES)


def _defined(total: Variable, parts: Iterable[Variable], space: Space) -> Postulate:
    form = polynomial(total) - _sum(parts)
    return _postulate(total.symbol, form, space, "section 4", total, role=Role.DEFINITION)


def _of_pattern(
    pattern: Pattern,
    expected: Polynomial,
    number: str | None,
    space: Space,
    *,
    other: str,
    role: Role = Role.POSTULATE,
) -> Postulate:
    """Return that a pattern is seen as expected, under the paper's number, or else a name like f(a,a,b)."""
    letter, seen = ("f", frequency) if space is Space.RATES else ("R", responses)
    variable = seen(answers(pattern))
    name = number or f"{letter}({','.join(pattern)})"
    place, status = (f"eq. {name}", Status.PRINTED) if number else (other, Status.DERIVED)
    return _postulate(name, polynomial(variable) - expected, space, place, variable, status=status, role=role)


def _total(judges: int, labels: tuple[str, ...], space: Space, whole: Polynomial) -> Postulate:
    """Return eq. 13, 18 or 38, the completeness condition; R or P marks the space not printed."""
    name, place, status = (
        f"total {'R' if space is Space.RESPONSES else 'f'}",
        "eqs. 13, 18 and 38",
        Status.DERIVED,
    )
    if judges in _PRINTED_TOTALS:
        name, printed_space = _PRINTED_TOTALS[judges]
        place = f"eq. {name}"
        if space is printed_space:
            status = _status(labels)
        else:
            name += "R" if space is Space.RESPONSES else "P"
    seen = frequency if space is Space.RATES else responses
    variables = [seen(answers(pattern)) for pattern in itertools.product(labels, repeat=judges)]
    return _postulate(name, _sum(variables) - whole, space, place, variables[0], status=status)


def _sum(variables: Iterable[Variable]) -> Polynomial:
    return sum_of(map(polynomial, variables))


def _status(labels: Sequence[str]) -> Status:
    return Status.PRINTED if len(labels) == 2 else Status.DERIVED


def _postulate(
    name: str,
    form: Polynomial,
    space: Space,
    place: str,
    solved_for: Variable,
    *,
    status: Status = Status.DERIVED,
    role: Role = Role.POSTULATE,
) -> Postulate:
    return Postulate(name, form, space, Citation("ntqr", place), status, role, solved_for.name)
