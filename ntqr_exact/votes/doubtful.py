"""What is counted as it stands but is perhaps not meant so: near-labels, keys and numbers taken for judges.

Each is a `DecisionsWarning`; the command prints them, and a program may turn them into errors as any warning.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Mapping, Sequence

from ntqr_exact.errors import DecisionsWarning

_KEYS = frozenset(
    (
        *("truth", "true_label", "true_labels", "label", "labels", "gold", "gold_label", "key", "answer_key"),
        *(
            "target",
            "ground_truth",
            "groundtruth",
            "correct",
            "correct_answer",
            "reference",
            "expected",
            "y_true",
        ),
    )
)
_NUMBERS = frozenset(
    (
        *("id", "ids", "index", "idx", "no", "nr", "number", "row", "question", "question_number", "item"),
        *("uuid", "guid", "prompt", "text"),
    )
)
_MISSING = frozenset(("na", "n/a", "nan", "null", "none", "<na>", "missing"))
_FEW_QUESTIONS = 5
_INSTEAD = "if it is no judge, name the judges (--judges)"


def warn_of_doubtful_columns(judges: Sequence[str], counts: Mapping[tuple[str, ...], int]) -> None:
    """Warn of columns that were taken for judges because nobody named the judges, and look like something else."""
    size = sum(counts.values())
    for place, judge in enumerate(judges):
        word = "_".join(judge.casefold().replace("-", " ").split())
        if word in _KEYS:
            _warn(
                f"column {judge!r} looks like an answer key, and is counted as a judge; name it as truth (--truth)"
            )
        elif word in _NUMBERS or word.endswith("_id"):
            _warn(f"column {judge!r} looks like the number or text of a question; {_INSTEAD}")
        elif size >= _FEW_QUESTIONS and len({pattern[place] for pattern in counts}) == size:
            _warn(f"all answers of {judge!r} are different; {_INSTEAD}")


def warn_of_doubtful_labels(answers: Mapping[str, int]) -> None:
    """Warn of labels that differ only in case or blanks, and of labels that look like a missing answer."""
    spelt: dict[str, list[str]] = {}
    for label in sorted(answers):
        spelt.setdefault(_plain(label), []).append(label)
    for plain, labels in spelt.items():
        if len(labels) > 1:
            told = " and ".join(f"{label!r} ({answers[label]} times)" for label in labels)
            _warn(
                f"the labels {told} differ only in case, blanks or encoding, and are counted as different answers"
            )
        if plain in _MISSING:
            told = f"{labels[0]!r} ({answers[labels[0]]} times)"
            _warn(
                f"the label {told} looks like a missing answer; leave such cells empty, or say it is an abstention"
            )


def _plain(label: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", label).casefold().split())


def _warn(text: str) -> None:
    warnings.warn(text, DecisionsWarning, stacklevel=2)
