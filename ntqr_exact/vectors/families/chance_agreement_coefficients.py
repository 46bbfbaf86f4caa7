"""The family `chance-agreement-coefficients`: how much judges agree beyond chance, with missing answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.graded.answer_table import AnswerTable
from ntqr_exact.graded.chance_agreement import Coefficient, Weights, agreement
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.fragments import NULL, RATIONAL, TEXT, either, list_of, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_REASONS = {Undefined.NO_PAIRS: "no-pairs", Undefined.ONE_LABEL: "one-label"}
_KINDS = tuple(kind.value for kind in Coefficient)


def compute(document: Document) -> dict[str, Any]:
    """Return the coefficient, or why it has no value."""
    table = AnswerTable(document["answers"], document["labels"])
    found = agreement(table, document["coefficient"], weights=document["weights"])
    if isinstance(found, Undefined):
        return {"value": None, "undefined": _REASONS[found]}
    return {"value": str(found), "undefined": None}


def steps(document: Document) -> Iterator[str]:
    """Tell how often each question got each label, and the coefficient."""
    table = AnswerTable(document["answers"], document["labels"])
    for answers, count in table.rows:
        given = " ".join("–" if answer is None else answer for answer in answers)
        tally = ", ".join(f"{label} {answers.count(label)}" for label in table.labels)
        yield f"{given} ({count} times): {tally}"
    found = compute(document)
    yield f"{document['coefficient']}: {found['value'] or found['undefined']}"


def random_case(draws: Draws, index: int) -> Case:
    """Return a table of answers that grows with the index; the coefficients in turn."""
    kind = _KINDS[index % len(_KINDS)]
    judges = 2 if kind in ("cohen", "scott") else draws.between(2, 4)
    labels = ["1", "2", "4"][: draws.between(2, 3)]
    weights = (
        ("nominal", "ordinal", "interval", "ratio")
        if kind == "krippendorff"
        else ("nominal", "linear", "quadratic")
    )
    cells = labels if kind == "fleiss" else [*labels, *labels, None]
    answers = [[draws.pick(cells) for _ in range(judges)] for _ in range(draws.between(2, 4 + index // 15))]
    given = {"labels": labels, "answers": answers, "coefficient": kind, "weights": draws.pick(weights)}
    return Case(given, f"{kind} of {judges} judges")


FAMILY = Family(
    *declared("chance-agreement-coefficients"),
    input=record(
        labels=list_of(TEXT), answers=list_of(list_of(either(TEXT, NULL))), coefficient=TEXT, weights=TEXT
    ),
    expected=record(value=either(RATIONAL, NULL), undefined=either(one_of(*_REASONS.values()), NULL)),
    flags={
        "undefined": lambda _, found: found["value"] is None,
        "missing": lambda given, _: any(None in row for row in given["answers"]),
        "weighted": lambda given, _: given["weights"] != Weights.NOMINAL.value,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
)
