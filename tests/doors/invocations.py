"""Command lines with their files: mostly what a user would give, some wide or huge, some that nobody would write."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import click
from hypothesis import strategies as st

from ntqr_exact.cli.main import COMMANDS, cli

LEFT_OUT = {
    "demo",
    *("ledger check", "ledger errata"),
    *("vectors make", "vectors check", "vectors run", "vectors fill"),
    "proofs check",
}
"""They start processes or take minutes; tests of their own try them."""

_NAMES = ["A", "B", "C", "key", "truth", "label", "score", "\x1b[2J", "a b", '"q"', '"x\ny"', "", "\u202e"]
_LABELS = ["a", "b", "c", "", "\x1b]0;x\x07", "a,b", "√", " a"]
_HUGE = [10**k for k in (5, 6, 12, 19, 20, 400, 999)]
_NASTY = [
    *("0", "1", "2", "3", "10", "-1", "1/2", "0.5", "1e5", "1e400", "1e-9999", "nan", "x", "", "1/0"),
    *(
        "9" * 25,
        "9" * 4400,
        "1/" + "9" * 4400,
        "9" * 90_000,
        "0.95",
        "100",
        "key",
        "A,B",
        '"',
        "\x1b[2J",
        "\0",
    ),
]
_USUAL: dict[str, list[str]] = {
    "truth": ["key", "truth"],
    "judges": ["A,B", "A,B,C", "J1,J2,J3", "3", "2"],
    "labels": ["a,b", "a,b,c", "3", "2"],
    "long": ["question,judge,answer", "id,rater,rating", "A,B,C", "A"],
    "delimiter": [",", "comma", "tab", ";"],
    "missing": ["drop", "label:none"],
    "abstain": ["b", "none"],
    "ordinal": ["a,b,c", "1..5", "a,b"],
    "at_least": ["b", "2"],
    "budgets": ["0.02", "0", "1/10", "1"],
    "claims": [
        "A >= 0.5",
        "A - B >= 0",
        "kappa(A) >= 0.1",
        "A > B",
        "A > B on a",
        "A on a > 0.8",
        "share of a > 1/2",
    ],
    "between": ["A,B"],
    "grades": ["second", "first"],
    "level": ["0.95", "0.5", "1/3"],
    "number": ["2", "5"],
    "width": ["3", "10"],
    "seed": ["0", "7"],
    "factor": ["2", "3/2", "1.1", "1000001/1000000"],
    "minimum_grade": ["0", "1/2"],
    "key": ["3,4", "2,2,2", "0,0"],
    "label": ["label"],
    "score": ["score"],
    "positive": ["1", "u"],
    "weight": ["weight"],
    "stratum": ["stratum"],
    "population": ["u=100,v=50", "u=10"],
    "population_rate": ["0.1", "1/3"],
    "threshold": ["1/2", "0"],
    "queries": ["maximum recall @ precision >= 0.5", "minimum fpr @ recall >= 1/3"],
    "control": ["10/100", "108/23679", "3/" + "9" * 30],
    "treatment": ["12/100", "56/23679", "0/1"],
    "precision": ["0.9", "1"],
    "false_omission": ["0.2", "0"],
    "labelled": ["5", "9", "0"],
    "both": ["3", "0"],
    "z": ["1.96", "0"],
    "power": ["0.8", "0.5"],
    "error": ["1/3", "0"],
    "scores": ["max,l2", "max,entropy,l1-uniform"],
    "tolerance": ["0", "1e-9"],
    "certificate": ["out", "first"],
    "checker": ["out", "first"],
    "output": ["out", "/nonexistent/out", ".", "first"],
    "out": ["out", "/nonexistent/out", ".", "first"],
    "equations": ["33e", "26a", "33d"],
    "identities": ["ntqr/eq-33e", "nothing"],
    "questions": ["0", "1", "3", "5"],
    "vectors": [".", "missing"],
    "families": ["grade", "vote-moments"],
}


def _csv(rows: list[list[str]]) -> str:
    return "\n".join(",".join(row) for row in rows) + "\n"


@st.composite
def _decisions(draw: Any) -> str:
    """A CSV of decisions: mostly a good one."""
    columns = draw(st.integers(1, 6))
    usual = st.just([*"ABCDE", "key"][:columns] if draw(st.booleans()) else [*"ABCDE"[: columns - 1], "key"])
    names = draw(
        st.one_of(usual, usual, usual, st.lists(st.sampled_from(_NAMES), min_size=columns, max_size=columns))
    )
    labels = draw(st.sampled_from([["a", "b"], ["a", "b"], ["a", "b", "c"], [*"123"], _LABELS]))
    cells = st.lists(st.sampled_from(labels), min_size=columns, max_size=columns)
    return _csv([names, *draw(st.lists(cells, max_size=30))])


@st.composite
def _large_decisions(draw: Any) -> str:
    """A CSV of decisions with many judges, many labels or many rows, below 100 kB."""
    judges = draw(st.sampled_from([1, 2, 3, 4, 7, 16, 30, 60, 300, 3000]))
    labels = [f"l{i}" for i in range(draw(st.sampled_from([2, 2, 3, 5, 16, 60, 200])))]
    rows = min(draw(st.sampled_from([1, 5, 50, 500, 5000])), 80_000 // (5 * judges))
    random = Random(draw(st.integers(0, 10**6)))
    good = draw(st.sampled_from([0, 1, 5]))
    body = []
    for _ in range(rows):
        key = random.choice(labels)
        body.append(
            [key if random.randrange(good + 1) else random.choice(labels) for _ in range(judges)] + [key]
        )
    names = [f"J{i}" for i in range(1, judges + 1)]
    return _csv([[*names, draw(st.sampled_from(["key", "J0"]))], *body])


@st.composite
def _votes(draw: Any) -> str:
    """A votes file in JSON: mostly a good one, at times with counts of many digits."""
    judges, labels = draw(st.integers(1, 4)), draw(st.sampled_from(["ab", "ab", "abc"]))
    pattern = st.lists(st.sampled_from(labels), min_size=judges, max_size=judges).map(",".join)
    count = draw(
        st.sampled_from(
            [st.integers(0, 40), st.sampled_from(_HUGE), st.integers(0, draw(st.sampled_from(_HUGE)))]
        )
    )
    counts = draw(st.dictionaries(pattern, count, max_size=12))
    document: dict[str, Any] = {
        "labels": [*labels],
        "judges": [f"J{i}" for i in range(1, judges + 1)],
        "counts": counts,
    }
    if draw(st.integers(0, 4)) == 0:
        document = {**document, "counts_by_label": dict.fromkeys(labels, counts)}
        del document["counts"]
    elif draw(st.integers(0, 4)) == 0:
        half = {pattern: count // 2 for pattern, count in counts.items()}
        document = {**document, "graded": {label: half if label == "a" else {} for label in labels}}
    if draw(st.integers(0, 9)) == 0:
        place = draw(st.sampled_from(sorted(document)))
        document[place] = draw(st.sampled_from([None, [], {}, 3, "x", [1], {"a,a": "1/2"}, {"a": None}]))
    return json.dumps(document)


@st.composite
def _long_rows(draw: Any) -> str:
    """A CSV with a row for each answer; at times one is missing or stands twice."""
    header = draw(st.sampled_from(["question,judge,answer", "id,rater,rating", "A,B,C"]))
    rows = [
        f"q{q},{judge},{draw(st.sampled_from('ab'))}"
        for q in range(draw(st.integers(0, 8)))
        for judge in "ABC"
    ]
    wrong = draw(st.sampled_from([0, 0, 0, 1, -1]))
    return "\n".join([header, *(rows + rows[:1] if wrong > 0 else rows[: wrong or None])]) + "\n"


@st.composite
def _json_rows(draw: Any) -> str:
    """Decisions in JSON, as lines or as a list: mostly good ones."""
    answer = st.sampled_from([*"abababab", None, 1, 1.5, True, [], {}, "\ud800", "\x1b[2J"])
    row = st.fixed_dictionaries({"A": answer, "B": answer, "C": st.sampled_from("ab")})
    nested = row.map(lambda one: {"votes": one, "target": "a"})
    rows = draw(st.lists(st.one_of(row, row, nested), max_size=12).map(lambda some: [*map(json.dumps, some)]))
    rows += draw(
        st.sampled_from([[], [], [], ["NaN"], ["[" * 20_000], ['{"A": "a", "A": "b"}'], ["{"], [""]])
    )
    return draw(st.sampled_from(["\n".join(rows), f"[{','.join(rows)}]"]))


def _table(header: str, usual: list[str], wrong: list[str]) -> Any:
    rows = st.one_of(
        st.lists(st.sampled_from(usual), max_size=30),
        st.lists(st.sampled_from(usual), min_size=1, max_size=5).map(lambda some: some * 300),
        st.lists(st.sampled_from([*usual, *wrong]), max_size=9),
    )
    return rows.map(lambda found: "\n".join([header, *found]) + "\n")


_PROBABILITIES = _table(
    "p,q,truth",
    ["1/2,1/2,p", "0.9,0.1,p", "0.2,0.8,q", "1/3,2/3,q", "0.123456789,0.876543211,p"],
    ["1e-9999,1,q", "nan,0,p", "1,0,x", ",,", "1e-99,1,p", "1/3,1/3,p"],
)
_SCORES = _table(
    "label,score,weight,stratum",
    ["1,0.9,2,u", "0,0.1,1,v", "1,1/3,1,u", "0,0.7,1/3,v", "0,1/3,5,u"],
    ["0,1e400,1,u", "x,1,1,v", "1,,1,u", "1,0.5,-1,u", "1,0.5,0,u", "0,1e-99999,1,u", "1,0.5,1e999,v"],
)
_RESULTS = st.lists(
    st.sampled_from(
        ['{"id": "grade-1", "output": 3}', '{"id": 4}', "[]", '{"id": "x", "output": NaN}', "x", "{"]
    )
).map("\n".join)
_DECISIONS = st.one_of(
    _decisions(), _decisions(), _large_decisions(), _votes(), _votes(), _long_rows(), _json_rows()
)
_ANY_FILE = st.one_of(_DECISIONS, _PROBABILITIES, _SCORES, _RESULTS, st.text(max_size=60))
_FILE_OF = {
    "votes_path": _DECISIONS,
    "scores_path": _SCORES,
    "source_path": _PROBABILITIES,
    "results": _RESULTS,
}


def _values(parameter: click.Parameter) -> Any:
    if isinstance(parameter.type, click.Choice):
        return st.sampled_from(
            [*map(str, parameter.type.choices), *map(str, parameter.type.choices), "none such"]
        )
    if parameter.name not in _USUAL and isinstance(parameter.type, (click.IntRange, type(click.INT))):
        return st.sampled_from(["0", "1", "2", "3", "5", "20", "1000", "-1", "9" * 20, "x", ""])
    usual = st.sampled_from(_USUAL.get(parameter.name or "", _NASTY))
    return st.one_of(usual, usual, usual, st.sampled_from(_NASTY))


@st.composite
def invocations(draw: Any) -> tuple[list[str], str, str]:
    """A command with arguments and options of its own, and what its files `first` and `second` hold."""
    context = click.Context(cli)
    words = [draw(st.sampled_from(sorted(set(COMMANDS) - LEFT_OUT)))]
    command = cli.get_command(context, words[0])
    while isinstance(command, click.Group):
        of = [name for name in command.list_commands(context) if f"{words[0]} {name}" not in LEFT_OUT]
        words.append(draw(st.sampled_from(of or ["none"])))
        command = command.get_command(context, words[-1])
    if draw(st.integers(0, 9)) == 0:
        words = ["--work-limit", draw(st.sampled_from(["0", "1000", "1000000", "-1", "x"])), *words]
    first = second = _ANY_FILE
    is_usual = draw(st.integers(0, 9)) > 0
    for parameter in command.params if command else ():
        if isinstance(parameter, click.Argument):
            number = parameter.nargs if parameter.nargs > 0 else draw(st.integers(0, 2))
            name = str(parameter.name)
            if is_usual and name in _FILE_OF:
                first = second = _FILE_OF[name]
            place = "second" if name == "target_path" else "first"
            usual = st.sampled_from(_USUAL.get(name, [place]))
            others = st.sampled_from(["first", "second", "missing", ".", "example:uci-adult", "33e", "2"])
            words += [draw(usual if is_usual else others) for _ in range(number)]
        elif parameter.name not in ("help", "workers", "dask") and (
            parameter.required or draw(st.integers(0, 7)) == 0
        ):
            words.append(draw(st.sampled_from(parameter.opts)))
            is_flag = isinstance(parameter, click.Option) and parameter.is_flag
            words += [] if is_flag else [draw(_values(parameter)) for _ in range(parameter.nargs)]
    return words, draw(first), draw(second)
