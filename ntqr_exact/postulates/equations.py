"""The equations as data: those that the paper names, in one table of texts, and the complete sets for N judges.

Texts are in the short names of `notation`; `u1` and `v1` mean x1 − fa1 and y1 − fb1: how far an accuracy exceeds
the share of such answers. On the questions of true label l, let r_m be the accuracy of judge m if it voted l, else 1
minus it, and s_m = +1 or −1 accordingly. Then the share of a pattern v among all questions is

    f_v = Σ_l P_l Σ_S Π_{m∉S} r_m Π_{m∈S} s_m Γ^l_S,

where S runs over the empty set (Γ = 1) and all sets of two or more judges. It is the expansion of the mean of
Π_m (r_m + s_m·z_m), where z_m = (1 if judge m is right else 0) − accuracy has mean 0.

The solution for three independent judges is written without any division: with s = P_a·P_b·d_1·d_2·d_3, where
d_i = x_i + y_i − 1, all that is wanted is linear in s, and s² = A = T² + 4·Δ_12·Δ_13·Δ_23 has two roots.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import TypeAlias

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes, NotANumber
from ntqr_exact.postulates.notation import (
    LETTERS,
    Variable,
    accuracy,
    correlation,
    definition_of,
    frequency,
    key_responses,
    read_name,
    responses,
)
from ntqr_exact.postulates.polynomial import Polynomial, read_text
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space, Status
from ntqr_exact.votes.names import check_labels

_AB = ("a", "b")
_MAX_PATTERNS = 1024
_MAX_JUDGES_IN_RATES = 6
"""A pattern of n judges has up to 2·3^n terms when its rates are multiplied out."""

_Kind: TypeAlias = Callable[[dict[int, str]], Variable]
_DATA = tomllib.loads(files("ntqr_exact.data").joinpath("equations.toml").read_text(encoding="utf-8"))


def single(labels: Sequence[str] = _AB) -> PostulateSet:
    """Return the complete postulates of one judge, and the one postulate that they amount to, eqs. 1 to 16.

    >>> print(single().responses["16R"])
    16R: R^a_{a_1} − R^b_{b_1} − R_{a_1} + Q_b = 0
    """
    return complete(1, two_labels(labels)) + _table("single", two_labels(labels))


def pair(labels: Sequence[str] = _AB) -> PostulateSet:
    """Return the complete postulates of two judges, the moment Δ, and the basis of the paper (18, 26, 33 to 35 and 37).

    33a to 33c have no correlation; 33d, which is also 37, fixes P_a·Γ^a + P_b·Γ^b given both individual evaluations.
    """
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
    """Return definitions of Δ, T, d and s, the moments of independent judges, eq. 39 and all closed forms.

    >>> print(solution()["40"])
    40: s·(2·P_a − 1) − T = 0
    """
    return _table("solution", two_labels(labels))


def misprints() -> PostulateSet:
    """Return the equations that do not hold as printed; the right form has the same name in another set.

    >>> print(misprints()["16R"])
    16R: R^a_{a_1} − R^b_{b_1} − R_{a_1} + R_{b_1} = 0
    """
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
    checked = _checked_labels(judges, labels)
    wanted = tuple(spaces)
    result: list[Postulate] = []
    if Space.RESPONSES in wanted:
        result += _in_responses(judges, checked)
    if Space.RATES in wanted and (len(checked) == 2 or wanted == (Space.RATES,)):
        result += complete_rates(judges, two_labels(checked))
    return PostulateSet(result)


def independent(judges: int, labels: Sequence[str] = _AB) -> PostulateSet:
    """Return f_v = Σ_l P_l Π_m P^l_{v_m}: the complete postulates without the correlations, eqs. 41 to 48 and beyond.

    They are a hypothesis, not postulates. With three or more labels the response rates are variables, with the
    postulates that they sum to 1.

    >>> print(independent(1).rates[1])
    f(a): f_{a_1} − (P_a·P^a_{a_1} + P_b·(1 − P^b_{b_1})) = 0
    """
    return PostulateSet(complete_rates(judges, _checked_labels(judges, labels), independent=True))


def two_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels if they are two."""
    checked = check_labels(labels)
    if len(checked) != 2:
        rule = "with correlations, postulates in rates are for two labels"
        raise BadVotes(checked, rule, "those in responses, and independent ones, are for any number")
    return checked


def _checked_labels(judges: int, labels: Sequence[str]) -> tuple[str, ...]:
    if isinstance(judges, bool) or not isinstance(judges, int):
        raise NotANumber(judges, "judges must be a whole number")
    checked = check_labels(labels)
    # A huge number is compared first, so that nothing is raised to it.
    if (
        not 1 <= judges <= _MAX_PATTERNS
        or len(checked) > len(LETTERS)
        or len(checked) ** judges > _MAX_PATTERNS
    ):
        rule = f"there must be 1 to {_MAX_PATTERNS} patterns and at most {len(LETTERS)} labels"
        raise BadVotes(judges, rule, "take another number of judges or labels")
    return checked


def answers(pattern: Sequence[str]) -> dict[int, str]:
    """Return the answers of judges 0, 1, … in a pattern."""
    return dict(enumerate(pattern))


def expected_frequency(
    given: Mapping[int, str], labels: Sequence[str] = _AB, *, independent: bool = False
) -> Polynomial:
    """Return F_v = Σ_l P_l · (joint rate of v on l): what the frequency of the answers, in letters, must be."""
    return read_text(_expected(given, LETTERS[: len(labels)], independent=independent))


def _expected(given: Mapping[int, str], letters: str, *, independent: bool) -> str:
    """Return F_v as a text. With three or more labels only independent judges are meant."""
    return " + ".join(
        f"P{key}*{_joint_rate(key, given, letters, independent=independent)}" for key in letters
    )


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
            others = [rate for judge, rate in rates.items() if judge not in subset]
            text += (" - " if wrong % 2 else " + ") + "*".join([correlation(key, subset).name, *others])
    return f"({text})" if " " in re.sub(r"\(.*?\)", "", text) else text


def _rate(key: str, answer: str, judge: int, letters: str) -> str:
    right = accuracy(key, judge).name
    if answer == key:
        return right
    return f"(1 - {right})" if len(letters) == 2 else f"P{key}{answer}{judge + 1}"


def complete_rates(judges: int, labels: tuple[str, ...], *, independent: bool = False) -> list[Postulate]:
    """Return the complete postulates in rates, with or without correlations."""
    if judges > _MAX_JUDGES_IN_RATES:
        rule = f"judges must be <= {_MAX_JUDGES_IN_RATES} in rates"
        raise BadVotes(judges, rule, "take spaces=[Space.RESPONSES]")
    letters, make = LETTERS[: len(labels)], _Maker(judges, labels, Space.RATES)
    result = [make("5", " + ".join(f"P{key}" for key in letters) + " - 1", "eq. 5", f"P{letters[-1]}")]
    place = "appendix 7.1, eqs. 41 to 48" if independent else "section 5, announced and not printed"
    for name, pattern in make.patterns("independent" if independent else "rates"):
        seen, text = frequency(pattern).name, _expected(pattern, letters, independent=independent)
        role = Role.HYPOTHESIS if independent else Role.POSTULATE
        result.append(make(name, f"{seen} - ({text})", place, seen, role))
    result += [make.total("1"), *make.marginals([frequency])]
    for judge, key in itertools.product(range(judges if len(labels) > 2 else 0), letters):
        rates = [_rate(key, given, judge, letters) for given in letters]
        name = f"P^{labels[letters.index(key)]}_{judge + 1}"
        result.append(make(name, f"{' + '.join(rates)} - 1", "section 3, the excluded middle", rates[-1]))
    return result


def _in_responses(judges: int, labels: tuple[str, ...]) -> list[Postulate]:
    letters, make = LETTERS[: len(labels)], _Maker(judges, labels, Space.RESPONSES)
    result = [make("1", " + ".join(f"Q{key}" for key in letters) + " - Q", "eq. 1", "Q")]
    for name, pattern in make.patterns("responses"):
        seen, by_key = responses(pattern).name, [key_responses(key, pattern).name for key in letters]
        result.append(make(name, f"{seen} - ({' + '.join(by_key)})", "eqs. 11 and 12", seen))
    for key, label in zip(letters, labels, strict=True):
        every = " + ".join(key_responses(key, pattern).name for _, pattern in make.patterns("responses"))
        result.append(make(f"Q({label})", f"Q{key} - ({every})", "section 3, the excluded middle", f"Q{key}"))
    kinds: list[_Kind] = [responses, *(partial(key_responses, key) for key in letters)]
    return [*result, make.total("Q"), *make.marginals(kinds)]


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes the postulates of one complete set; what the paper prints has its number for a name."""

    judges: int
    labels: tuple[str, ...]
    space: Space

    def __call__(
        self, name: str, text: str, place: str, solved_for: str, role: Role = Role.POSTULATE
    ) -> Postulate:
        printed = name[0].isdigit() and name[-1] not in "RP" and len(self.labels) == 2
        citation = Citation("ntqr", f"eq. {name.rstrip('RP')}" if name[0].isdigit() else place)
        status = Status.PRINTED if printed else Status.DERIVED
        return Postulate(name, text, self.space, citation, status, role, solved_for, self.labels)

    def patterns(self, kind: str) -> Iterator[tuple[str, dict[int, str]]]:
        """Yield the name of each pattern, and its answers in letters."""
        printed = _PRINTED_NAMES.get((self.judges, kind), ()) if len(self.labels) == 2 else ()
        letter = "R" if self.space is Space.RESPONSES else "f"
        for place, indexes in enumerate(itertools.product(range(len(self.labels)), repeat=self.judges)):
            pattern = ",".join(self.labels[index] for index in indexes)
            name = printed[place] if printed else f"{letter}({pattern})"
            yield name, answers([LETTERS[index] for index in indexes])

    def total(self, whole: str) -> Postulate:
        """Return eq. 13, 18 or 38, the completeness condition; R or P marks the space that is not printed."""
        in_responses = self.space is Space.RESPONSES
        name, printed_space = _PRINTED_TOTALS.get(self.judges, ("total ", None))
        if self.space is not printed_space:
            name += "R" if in_responses else "f" if printed_space is None else "P"
        seen = [(responses if in_responses else frequency)(pattern).name for _, pattern in self.patterns("")]
        return self(name, f"{' + '.join(seen)} - {whole}", "eqs. 13, 18 and 38", seen[0])

    def marginals(self, kinds: Iterable[_Kind]) -> Iterator[Postulate]:
        """Yield the definitions of what one judge answers as sums over the patterns of all judges."""
        for judge, letter in itertools.product(
            range(self.judges if self.judges > 1 else 0), LETTERS[: len(self.labels)]
        ):
            for kind in kinds:
                yield self.marginal({judge: letter}, kind)

    def marginal(self, given: dict[int, str], kind: _Kind) -> Postulate:
        """Return f_{a_i} = Σ f_v over the patterns in which judge i answered a, and likewise for more judges."""
        parts = [kind(pattern).name for _, pattern in self.patterns("") if given.items() <= pattern.items()]
        defined, name = kind(given).name, kind(given).written(self.labels)
        return self(name, f"{defined} - ({' + '.join(parts)})", "section 4", defined, Role.DEFINITION)


def marginal_definition(given: dict[int, str], judges: int) -> Postulate:
    """Return the definition of f_{a_i} or f_{a_i,b_j} by the frequencies of the patterns of all judges."""
    return _Maker(judges, _AB, Space.RATES).marginal(given, frequency)
