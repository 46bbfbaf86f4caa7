"""The family `best-level`: how good all judges could be at once, on every label."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.alarms.best_level import best_level
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, votes_from, votes_input
from ntqr_exact.vectors.fragments import RATIONAL, TRUTH, described, either, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_NONE = "none"


def compute(document: Document) -> dict[str, Any]:
    """Return the best level and its factor."""
    found = best_level(votes_from(document), every_label=document["every_label"])
    return {"level": found.attained, "factor": _NONE if found.factor is None else found.factor}


def steps(document: Document) -> Iterator[str]:
    """Tell the key that attains the level."""
    found = best_level(votes_from(document), every_label=document["every_label"])
    if found.witness is None:
        yield "under every key some judge is wrong on all questions of a label"
    else:
        for key in found.witness.witnesses.values():
            for label, part in key.by_label.items():
                seen = ", ".join(
                    f"{''.join(pattern)} {count}" for pattern, count in part.counts.items() if count
                )
                yield f"a key: of {label} are {seen or 'no questions'}"
    yield f"no key has a level above {found.proven}"


def random_case(draws: Draws, index: int) -> Case:
    """Return votes of a few questions, of two or three judges and labels in turn."""
    labels, judges = (("ab", 3), ("ab", 2), ("abc", 2), ("ab", 3))[index % 4]
    size = len(labels) + index // 30 + draws.below(3)
    votes = votes_input(draws.counts(size, len(labels) ** judges), labels=labels, judges=judges)
    return Case({**votes, "every_label": index % 3 == 2}, f"{size} questions")


FAMILY = Family(
    *declared("best-level"),
    input=record(PARTS, every_label=described(TRUTH, "whether each label must have a question")),
    expected=record(level=RATIONAL, factor=either(RATIONAL, one_of(_NONE))),
    flags={
        "all-right": lambda _, found: found["level"] == "1",
        "never": lambda _, found: found["level"] == "0",
        "every-label": lambda given, _: given["every_label"],
        "many-labels": lambda given, _: len(given["labels"]) > 2,
        "few-judges": lambda given, _: given["judges"] < 3,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=(*SHARED, "every_label"),
)
