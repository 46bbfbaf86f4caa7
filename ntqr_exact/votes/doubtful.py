"""What is perhaps not meant so: near-labels, keys and numbers taken for judges, a row for each answer.

What is counted as it stands is a `DecisionsWarning`; the command prints them, and a program may turn them into errors
as any warning. A row for each answer is refused.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Mapping, Sequence

from ntqr_exact.errors import BadDecisions, DecisionsWarning

_KEYS = frozenset(
    (
        *("truth", "true_label", "true_labels", "label", "labels", "gold", "gold_label", "key", "answer_key"),
        *("target", "ground_truth", "groundtruth", "correct", "correct_answer", "reference", "expected"),
        "y_true",
    )
)
_NUMBERS = frozenset(
    (
        *("id", "ids", "index", "idx", "no", "nr", "number", "row", "question", "question_number", "item"),
        *("uuid", "guid", "prompt", "text"),
    )
)
_JUDGES = frozenset(
    (
        *("judge", "judge_id", "judge_name", "annotator", "annotator_id", "rater", "rater_id", "worker"),
        *("worker_id", "model", "model_id", "model_name", "grader", "evaluator", "labeler", "classifier"),
    )
)
_ANSWERS = frozenset(
    (
        *("answer", "label", "vote", "verdict", "decision", "choice", "rating", "score", "grade", "judgment"),
        *("response", "prediction", "annotation", "value", "output", "category", "class"),
    )
)
_MISSING = frozenset(("na", "n/a", "nan", "null", "none", "<na>", "missing"))
_FEW_QUESTIONS = 5
_INSTEAD = "if it is no judge, name the judges (--judges)"


def refuse_long_form(columns: Sequence[str], truth: str | None) -> None:
    """Raise `BadDecisions` for columns that hold a row for each answer, with the line that reshapes them.

    >>> refuse_long_form(["item", "gpt", "claude"], None)
    """
    words = {_word(column): column for column in columns if column != truth}
    kinds = (
        (lambda word: _is_number(word) and word not in _JUDGES),
        _JUDGES.__contains__,
        _ANSWERS.__contains__,
    )
    found = [word for kind in kinds for word in list(filter(kind, words))[:1]]
    if len(found) < len(kinds):
        return
    question, judge, answer = (words[word] for word in found)
    index, key = (question, "") if truth is None else ([question, truth], f".reset_index({truth!r})")
    raise BadDecisions(
        [question, judge, answer],
        "by these columns there is a row for each answer; a row for each question is needed, with a column for each "
        "judge",
        f"reshape it, with pandas by frame.pivot(index={index!r}, columns={judge!r}, values={answer!r}){key}"
        ".to_csv('wide.csv', index=False); or name the judges (--judges) if they are columns here",
    )


def warn_of_doubtful_columns(judges: Sequence[str], counts: Mapping[tuple[str, ...], int]) -> None:
    """Warn of columns that nobody named and that look like no judge; raises `BadDecisions` for numbers of questions."""
    size = sum(counts.values())
    for place, judge in enumerate(judges):
        word = _word(judge)
        all_differ = size >= _FEW_QUESTIONS and len({pattern[place] for pattern in counts}) == size
        if word in _KEYS:
            _warn(
                f"column {judge!r} looks like an answer key, and is counted as a judge; name it as truth (--truth)"
            )
        elif _is_number(word) and all_differ:
            rule = "this column numbers the questions, and is no judge"
            raise BadDecisions(judge, rule, "name the judges (--judges)")
        elif _is_number(word):
            _warn(f"column {judge!r} looks like the number or text of a question; {_INSTEAD}")
        elif all_differ:
            _warn(f"all answers of {judge!r} are different; {_INSTEAD}")


def warn_of_doubtful_labels(answers: Mapping[str, int], filler: str) -> None:
    """Warn of labels that differ only in case or blanks, and of those but the filler that look like missing answers."""
    spelt: dict[str, list[str]] = {}
    for label in sorted(answers):
        spelt.setdefault(_plain(label), []).append(label)
    for plain, labels in spelt.items():
        if len(labels) > 1:
            told = " and ".join(f"{label!r} ({answers[label]} times)" for label in labels)
            _warn(
                f"the labels {told} differ only in case, blanks or encoding, and are counted as different answers"
            )
        if plain in _MISSING and labels[0] != filler:
            told = f"{labels[0]!r} ({answers[labels[0]]} times)"
            _warn(
                f"the label {told} looks like a missing answer; leave such cells empty, or say it is an abstention"
            )


def _word(column: str) -> str:
    return "_".join(column.casefold().replace("-", " ").split())


def _is_number(word: str) -> bool:
    return word in _NUMBERS or word.endswith("_id")


def _plain(label: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", label).casefold().split())


def _warn(text: str) -> None:
    warnings.warn(text, DecisionsWarning, stacklevel=2)
