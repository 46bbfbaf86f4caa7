"""The table of what has been proven: every derivation and every kind of alarm with its theorem, from the library."""

from __future__ import annotations

from collections.abc import Iterator

from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.postulates.equations import misprints
from ntqr_exact.proofs.coq_votes import ALARM_THEOREMS
from ntqr_exact.proofs.library import LibraryTheorem, library_theorems

_FOUND = {"x": "rates_found", "y": "other_rates_found", "d": "gaps_found"}
_OF_KEYS = {
    "16R": "equation_16_in_counts",
    "20": "equation_27",
    "34": "equation_35",
    "33a": "equation_16",
    "33b": "equation_16",
    "37": "equation_33d",
    "Delta_12": "delta12_of_mixture",
    "Delta_13": "delta13_of_mixture",
    "Delta_23": "delta23_of_mixture",
    "T": "trio_of_mixture",
    "39": "prevalence_quadratic",
    "s^2": "discriminant_of_mixture",
    "40": "prevalence_found",
    **{f"{letter}_{judge}": name for letter, name in _FOUND.items() for judge in (1, 2, 3)},
}
"""Derivations whose theorem about keys is not called after the equation."""

_OTHERS = {
    "logical alarm, single judges, any number of labels": "single_alarm_sound",
    "logical alarm, pairs, trios, any group, any number of labels": "proves_sound",
    "least dependence, four judges": "tetrad_sound",
    "least dependence, three judges": "heywood_sound",
    "least dependence, a cycle of judges": "signs_sound",
    "least dependence by the rank of covariances, any number of labels": "rank_sound",
    "least dependence in whole numbers, two labels": "whole_sound",
    "least dependence and ranges by boxes of rates, any number of labels": "excludes_sound",
    "least dependence by boxes of rates, two labels, every key": "excludes_sound_for_all",
    "ranges by products of bounds, two labels": "products_sound",
    "none of the seven kinds, if and only if a key exists": "silent_iff",
    "a key exists, as one function decides": "decide_iff",
}


def _theorem_of(equation: str) -> LibraryTheorem | None:
    """Return the theorem about answer keys that belongs to an equation, if the library has one.

    >>> _theorem_of("33a").name
    'equation_16'
    """
    return library_theorems().get(_OF_KEYS.get(equation, f"equation_{equation}"))


def proven_table() -> str:
    """Return the table of derivations and of kinds of alarm, as Markdown."""
    return "\n".join([*_equations(), "", *_alarms(), ""])


def _equations() -> Iterator[str]:
    yield "| equation | steps, each checked by `ring` | theorem about keys | refuted as printed |"
    yield "|---|---|---|---|"
    wrong = set(misprints().names)
    for name in derivation_names():
        derivation, found = derive(name), _theorem_of(name)
        of_keys = f"`{found.name}` ({found.module})" if found else ""
        printed = f"`printed_{name.replace('16R', '16_in_counts')}_is_wrong`" if name in wrong else ""
        yield f"| {name} | {len(derivation.steps)} | {of_keys} | {printed} |"


def _alarms() -> Iterator[str]:
    yield "| alarm or bound | meaning | theorem |"
    yield "|---|---|---|"
    for kind, name in ALARM_THEOREMS.items():
        yield _row(kind.title, kind.value, name)
    for title, name in _OTHERS.items():
        yield _row(title, library_theorems()[name].words, name)


def _row(title: str, words: str, name: str) -> str:
    return f"| {title} | {words} | `{name}` ({library_theorems()[name].module}) |"
