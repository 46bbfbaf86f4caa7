"""The equations as data: those that the paper names, in one table of texts, and the complete sets for N judges.

Texts are in the short names of `notation`; `u1` and `v1` mean x1 − fa1 and y1 − fb1. On the questions of label l let
r_m be the accuracy of judge m if it voted l, else 1 minus it, and s_m = +1 or −1 accordingly. A pattern v has the share
f_v = Σ_l P_l Σ_S Π_{m∉S} r_m Π_{m∈S} s_m Γ^l_S, where S runs over the empty set (Γ = 1) and all sets of two or more
judges: the mean of Π_m (r_m + s_m·z_m), where z_m = (1 if judge m is right else 0) − accuracy has mean 0.

The solution for three independent judges has no division: with s = P_a·P_b·d_1·d_2·d_3, where d_i = x_i + y_i − 1, all
that is wanted is linear in s, and s² = A = T² + 4·Δ_12·Δ_13·Δ_23 has two roots.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.postulates.notation import LETTERS, definition_of, name_of, read_name
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space, Status
from ntqr_exact.votes.names import check_labels

_AB = ("a", "b")
_MAX_PATTERNS = 1024
_MAX_JUDGES_IN_RATES = 6
"""A pattern of n judges has up to 2·3^n terms when its rates are multiplied out."""

_DATA = tomllib.loads(files("ntqr_exact.data").joinpath("equations.toml").read_text(encoding="utf-8"))


def single(labels: Sequence[str] = _AB) -> PostulateSet:
    """Return the complete postulates of one judge, and the one postulate that they amount to, eqs. 1 to 16."""
    return complete(1, two_labels(labels)) + _table("single", two_labels(labels))


def pair(labels: Sequence[str] = _AB) -> PostulateSet:
    """Return the complete postulates of two judges, the moment Δ, and the basis of the paper (18, 26, 33 to 35, 37)."""
    return complete(2, two_labels(labels)) + _table("pair", two_labels(labels))


def trio(labels: Sequence[str] = _AB) -> PostulateSet:
    """Return eq. 38 and the eight postulates that the paper announces, with all pair and trio correlations."""
    return complete(3, two_labels(labels))


def agreement(labels: Sequence[str] = _AB) -> PostulateSet:
    """Return what holds of the agreement a and the errors e of judges 1 and 2, independent or not, eqs. 19 to 32."""
    return _table("agreement", two_labels(labels))


def agreement_solution() -> PostulateSet:
    """Return the hypothesis e_ij = e_i·e_j for three judges, and the solution that follows from it.

    With it 2a_ij − 1 = (1−2e_i)(1−2e_j), so that c = (1−2e_1)(1−2e_2)(1−2e_3) has
    c² = Π(2a_ij − 1), where the paper's eq. 23 has Π(1 − a_ij), and eq. 22 is c = (2e_i − 1)(1 − 2a_jk).
    """
    return _table("agreement_solution")


def solution(labels: Sequence[str] = _AB) -> PostulateSet:
    """Return definitions of Δ, T, d and s, the moments of independent judges, eq. 39 and all closed forms."""
    return _table("solution", two_labels(labels))


def misprints() -> PostulateSet:
    """Return the equations that do not hold as printed; the right form has the same name in another set."""
    return _table("misprints")


def expand_excesses(text: str) -> str:
    """Return a text with x1 − fa1 in place of u1, and y1 − fb1 in place of v1."""
    for excess, right, label in (("u", "x", "a"), ("v", "y", "b")):
        text = re.sub(rf"\b{excess}(\d)", rf"({right}\1 - f{label}\1)", text)
    return text


@cache
def _table(table: str, labels: tuple[str, ...] = _AB) -> PostulateSet:
    """Return the rows of a table, those on a pair written out for the three pairs of judges."""
    rows = []
    for row in _DATA[table]:
        trios = ("123", "132", "231") if "{" in row[0] else ("123",)
        rows += [[c.format(*t, p=f"({t[0]},{t[1]})" * (t != "123")) for c in row] for t in trios]
    result = []
    for name, formula, place, marks, solved_for in rows:
        status, _, role = marks.partition(", ")
        text = expand_excesses(formula) or f"{solved_for} - ({definition_of(read_name(solved_for))})"
        space = Space.RESPONSES if name == "16R" else Space.RATES
        kinds = Citation("ntqr", place), Status[status.upper()], Role[(role or "postulate").upper()]
        result.append(Postulate(name, text, space, *kinds, solved_for, labels))
    return PostulateSet(result)


# -- complete sets ------------------------------------------------------------------------------------

_PRINTED_NAMES = {
    (1, "rates"): ("14", "15"),
    (2, "rates"): ("26a", "26b", "26c", "26d"),
    (3, "independent"): ("41", "42", "43", "47", "44", "46", "45", "48"),
    (1, "responses"): ("11", "12"),
}
"""Names of patterns in the paper, in the order aaa, aab, aba, …, which is not the paper's."""
_PRINTED_TOTALS = {1: ("13", Space.RESPONSES), 2: ("18", Space.RATES), 3: ("38", Space.RATES)}


def complete(
    judges: int, labels: Sequence[str] = _AB, *, spaces: Iterable[Space] = tuple(Space)
) -> PostulateSet:
    """Return the complete postulates of `judges` judges who choose between `labels`.

    They give the share of every pattern, and so all that is observed of a test: in responses, R_v = Σ_l R^l_v for any
    number of labels; in rates for two labels, with all error correlations of two and more judges.

    >>> print(complete(2).rates["26b"])
    26b: f_{a_1,b_2} − (P_a·(P^a_{a_1}·(1 − P^a_{a_2}) − Γ^a_{1,2}) + P_b·((1 − P^b_{b_1})·P^b_{b_2} − Γ^b_{1,2})) = 0

    Raises `BadVotes` for more judges than can be written out, and for rates alone of three labels.
    """
    checked, wanted = _checked_labels(judges, labels), tuple(spaces)
    result: list[Postulate] = []
    if Space.RESPONSES in wanted:
        result += _complete(judges, checked, "responses")
    if Space.RATES in wanted and (len(checked) == 2 or wanted == (Space.RATES,)):
        result += _complete(judges, two_labels(checked), "rates")
    return PostulateSet(result)


def independent(judges: int, labels: Sequence[str] = _AB) -> PostulateSet:
    """Return f_v = Σ_l P_l Π_m P^l_{v_m}: the complete postulates without the correlations, eqs. 41 to 48 and beyond.

    They are a hypothesis, not postulates. With three or more labels the response rates are variables, with the
    postulates that they sum to 1.

    >>> print(independent(1).rates[1])
    f(a): f_{a_1} − (P_a·P^a_{a_1} + P_b·(1 − P^b_{b_1})) = 0
    """
    return PostulateSet(_complete(judges, _checked_labels(judges, labels), "independent"))


def two_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels; raises `BadVotes` if they are not two."""
    checked = check_labels(labels)
    if len(checked) != 2:
        rule = "labels must be two for postulates in rates with correlations"
        raise BadVotes(checked, rule, "postulates in responses, and independent ones, take any number")
    return checked


def _checked_labels(judges: int, labels: Sequence[str]) -> tuple[str, ...]:
    checked, number = check_labels(labels), whole_number(judges)
    # The number of judges is compared first, so that nothing is raised to a huge one.
    fits = 1 <= number <= _MAX_PATTERNS and len(checked) ** number <= _MAX_PATTERNS
    if not fits or len(checked) > len(LETTERS):
        rule = f"there must be 1 to {_MAX_PATTERNS} patterns and at most {len(LETTERS)} labels"
        raise BadVotes(judges, rule, "take another number of judges or labels")
    return checked


def expected_frequency(given: Mapping[int, str], letters: str = "ab", *, independent: bool = False) -> str:
    """Return F_v = Σ_l P_l · (joint rate of v on l) as a text: what the frequency of the answers must be.

    With three or more labels only independent judges are meant.
    """
    rates = {key: _joint_rate(key, given, letters, independent=independent) for key in letters}
    return " + ".join(f"P{key}*{rate}" for key, rate in rates.items())


def _joint_rate(key: str, given: Mapping[int, str], letters: str, *, independent: bool) -> str:
    """Return the share of the questions of a label that the judges answer as given.

    >>> _joint_rate("a", {0: "a", 1: "b"}, "ab", independent=False)
    '(x1*(1 - x2) - Ga12)'
    """
    rates = {judge: _rate(key, answer, judge, letters) for judge, answer in given.items()}
    text = "*".join(rates.values())
    for size in range(2, 1 if independent else len(given) + 1):
        for subset in itertools.combinations(given, size):
            wrong = sum(given[judge] != key for judge in subset)
            correlation = name_of(f"G{key}", dict.fromkeys(subset, ""))
            others = [rate for judge, rate in rates.items() if judge not in subset]
            text += (" - " if wrong % 2 else " + ") + "*".join([correlation, *others])
    return f"({text})" if " " in re.sub(r"\(.*?\)", "", text) else text


def _rate(key: str, answer: str, judge: int, letters: str) -> str:
    right = {"a": "x", "b": "y"}.get(key, "P" + 2 * key) + str(judge + 1)
    if answer == key:
        return right
    return f"(1 - {right})" if len(letters) == 2 else f"P{key}{answer}{judge + 1}"


def _complete(judges: int, labels: tuple[str, ...], kind: str) -> list[Postulate]:
    """Return the complete postulates in responses, in rates, or in rates of independent judges.

    What the paper prints has its number for a name; R or P marks a total in the space in which it is not printed.
    """
    space = Space.RESPONSES if kind == "responses" else Space.RATES
    if space is Space.RATES and judges > _MAX_JUDGES_IN_RATES:
        rule = f"judges must be <= {_MAX_JUDGES_IN_RATES} in rates"
        raise BadVotes(judges, rule, "take spaces=[Space.RESPONSES]")
    letters, make = LETTERS[: len(labels)], partial(_made, space=space, labels=labels, role=Role.POSTULATE)
    patterns = [dict(enumerate(pattern)) for pattern in itertools.product(letters, repeat=judges)]
    middle = "section 3, the excluded middle"
    if space is Space.RATES:
        seen, whole, place = "f", "1", "section 5, announced and not printed"
        first = make("5", " + ".join(f"P{key}" for key in letters) + " - 1", "eq. 5", f"P{letters[-1]}")
    else:
        seen, whole, place = "R", "Q", "eqs. 11 and 12"
        first = make("1", " + ".join(f"Q{key}" for key in letters) + " - Q", "eq. 1", "Q")
    result, role = [first], Role.POSTULATE
    if kind == "independent":
        place, role = "appendix 7.1, eqs. 41 to 48", Role.HYPOTHESIS
    names = [name_of(seen, pattern) for pattern in patterns]
    printed = _PRINTED_NAMES.get((judges, kind), ()) if len(labels) == 2 else ()
    for index, (solved_for, pattern) in enumerate(zip(names, patterns, strict=True)):
        text = " + ".join(name_of(f"R{key}", pattern) for key in letters)
        if space is Space.RATES:
            text = expected_frequency(pattern, letters, independent=kind == "independent")
        answers = ",".join(labels[letters.index(letter)] for letter in pattern.values())
        name = printed[index] if printed else f"{seen}({answers})"
        result.append(make(name, f"{solved_for} - ({text})", place, solved_for, role=role))
    for key, label in zip(letters, labels, strict=True) if space is Space.RESPONSES else ():
        every = " + ".join(name_of(f"R{key}", pattern) for pattern in patterns)
        result.append(make(f"Q({label})", f"Q{key} - ({every})", middle, f"Q{key}"))
    name, printed_space = _PRINTED_TOTALS.get(judges, ("total ", None))
    if space is not printed_space:
        name += "R" if space is Space.RESPONSES else "f" if printed_space is None else "P"
    result.append(make(name, f"{' + '.join(names)} - {whole}", "eqs. 13, 18 and 38", names[0]))
    prefixes = [seen, *(f"R{key}" for key in letters if space is Space.RESPONSES)]
    for judge, letter in itertools.product(range(judges), letters if judges > 1 else ""):
        result += [marginal({judge: letter}, prefix, judges, labels) for prefix in prefixes]
    several = letters if space is Space.RATES and len(labels) > 2 else ""
    for judge, key in itertools.product(range(judges), several):
        rates = [_rate(key, given, judge, letters) for given in letters]
        name = f"P^{labels[letters.index(key)]}_{judge + 1}"
        result.append(make(name, f"{' + '.join(rates)} - 1", middle, rates[-1]))
    return result


def marginal(given: dict[int, str], prefix: str, judges: int, labels: tuple[str, ...] = _AB) -> Postulate:
    """Return f_{a_i} = Σ f_v over the patterns in which judge i answered a, and likewise for more judges, or R."""
    patterns = (dict(enumerate(each)) for each in itertools.product(LETTERS[: len(labels)], repeat=judges))
    parts = [name_of(prefix, pattern) for pattern in patterns if given.items() <= pattern.items()]
    defined, space = name_of(prefix, given), Space.RATES if prefix == "f" else Space.RESPONSES
    name, text = read_name(defined).written(labels), f"{defined} - ({' + '.join(parts)})"
    return _made(name, text, "section 4", defined, space=space, labels=labels, role=Role.DEFINITION)


def _made(
    name: str, text: str, place: str, solved_for: str, *, space: Space, labels: tuple[str, ...], role: Role
) -> Postulate:
    is_number = name[0].isdigit()
    is_printed = is_number and name[-1] not in "RP" and len(labels) == 2
    citation = Citation("ntqr", f"eq. {name.rstrip('RP')}" if is_number else place)
    status = Status.PRINTED if is_printed else Status.DERIVED
    return Postulate(name, text, space, citation, status, role, solved_for, labels)
