"""Panels with gaps: Dawid and Skene's key, and how many judges must fail whatever the key."""

from __future__ import annotations

from itertools import product
from typing import Any

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadChoice, BadNumber, BadVotes, EmptyTest
from ntqr_exact.evaluators.dawid_skene import dawid_skene as estimate
from ntqr_exact.evaluators.grade import share_right
from ntqr_exact.exact.rational import rational
from ntqr_exact.vectors.family import Document, family
from ntqr_exact.vectors.inputs import Draws
from ntqr_exact.votes.counts import VoteCounts

_LEVELS = ("1/2", "2/3", "3/4", "4/5", "9/10", "0", "1/3")


def _answers(draws: Draws, labels: list[str], judges: int, number: int) -> list[list[str | None]]:
    """Return answers of judges who are right more often than not, with gaps, but none to a whole question."""
    rows = []
    for _ in range(number):
        truth = draws.pick(labels)
        row = [None if draws.below(8) == 0 else draws.pick((truth, truth, *labels)) for _ in range(judges)]
        rows.append([truth, *row[1:]] if not any(row) else row)
    return rows


def _patterns(draws: Draws, index: int) -> Document:
    labels, judges = list("abc"[: draws.between(2, 3)]), draws.between(2, 5)
    rows = _answers(draws, labels, judges, 3 + index // 8)
    patterns = [list(row) for row in dict.fromkeys(map(tuple, rows))]
    return {"labels": labels, "patterns": patterns, "counts": [draws.between(1, 9) for _ in patterns]}


@family("dawid_skene: hard assignments, one answer of each kind added", draw=_patterns)
def dawid_skene(labels: Any, patterns: Any, counts: Any) -> Document:
    """Dawid and Skene's answer key as a fixed point in whole numbers.

    labels are the R labels. patterns lists the answers that the judges gave to a question, one for each judge, null
    where a judge gave none; counts says how many questions have each pattern. Refuse as bad-votes another number of
    counts than of patterns, patterns of different lengths, a pattern that is there twice or has no answer, and an
    answer that is not a label; as bad-number a negative count; as empty-test if all counts are 0. An input has one
    fault at most.

    A key gives each pattern with a count above 0 a label. The first key gives it the label that most of its answers
    are, of several the first in the order of labels. With a key, n_j(l, r) is the number of questions of label l on
    which judge j answered r, and n_j(l) their sum over r. The next key gives each pattern the label l for which the
    product over its answers r of judges j of (1 + n_j(l, r))/(R + n_j(l)) is the largest; of several equal ones the
    label that the pattern has, if it is among them, or else the first of them. So on, until a key is one that was there
    before, or 100 keys were there.

    key: for each pattern, in order, its label in the last key, null if its count is 0. rounds: how many different keys
    there were. key_counts: for each label the number of its questions, as a text. accuracy: for each judge the share
    of the questions that it answered on which its answer is the label; null without answers.
    """
    if len(counts) != len(patterns) or len({tuple(pattern) for pattern in patterns}) != len(patterns):
        raise BadVotes(patterns, "patterns must be different, with a count for each")
    if not patterns or any(len(row) != len(patterns[0]) or not any(row) for row in patterns):
        raise BadVotes(patterns, "patterns must have an answer of some judge, and one length")
    names = [f"J{judge + 1}" for judge in range(len(patterns[0]))]
    votes = VoteCounts(dict(zip(map(tuple, patterns), counts, strict=True)), labels, names)
    result = estimate(votes)
    label_of = {
        row: label for label, part in result.key.by_label.items() for row, n in part.counts.items() if n
    }
    return {
        "key": [label_of.get(tuple(pattern)) for pattern in patterns],
        "rounds": result.rounds,
        "key_counts": [str(count) for count in result.key.key_counts.values()],
        "accuracy": [share_right(result.key, judge) for judge in range(len(names))],
    }


def _questions(draws: Draws, index: int) -> Document:
    labels = list("abc"[: draws.between(2, 3)])
    number = draws.between(1, (4 + index // 30, 3 + index // 60)[len(labels) - 2])
    answers = _answers(draws, labels, draws.between(1, 4), number)
    measure = draws.pick(("every_label", "overall"))
    return {"labels": labels, "answers": answers, "level": draws.pick(_LEVELS), "measure": measure}


@family("ntqr: section 3, of whose postulates it is a consequence", draw=_questions)
def failing_judges(labels: Any, answers: Any, level: Any, measure: Any) -> Document:
    """How many judges must fail, whatever the answer key.

    answers has for each question the answers of the judges, null where a judge gave none. An answer key gives each
    question one of the labels. With the measure every_label a judge passes under a key if for each label, the share of
    right answers among the questions of this label that it answered is above level; a label without such questions
    asks for nothing. With the measure overall it passes if its number of right answers is above level times the number
    of questions that it answered; so without answers it fails. Refuse as empty-test without questions; as
    bad-votes questions with different numbers of answers, and an answer that is not a label; as bad-number a level
    below 0 or from 1 on; as bad-choice another measure. An input has one fault at most.

    least: the smallest number of judges that fail, over all keys. if_trusted: for each judge, in order, the smallest
    number of judges that fail, over the keys under which this judge passes; null if there is none.
    """
    bar = rational(level)
    if not answers:
        raise EmptyTest(answers, "answers must have at least one question")
    if any(len(row) != len(answers[0]) or not {*row} <= {*labels, None} for row in answers):
        raise BadVotes(answers, "answers must have one of the labels or null for each judge")
    if not 0 <= bar < 1:
        raise BadNumber(level, "level must be from 0 to below 1")
    if measure not in ("every_label", "overall"):
        raise BadChoice(measure, "measure must be every_label or overall")
    check_work("the answer keys of a panel", len(labels) ** len(answers) * len(answers[0]))
    judges = range(len(answers[0]))
    failing = [
        [judge for judge in judges if _fails([row[judge] for row in answers], key, bar, measure)]
        for key in product(labels, repeat=len(answers))
    ]
    trusted = [min((len(some) for some in failing if judge not in some), default=None) for judge in judges]
    return {"least": min(map(len, failing)), "if_trusted": trusted}


def _fails(given: list[Any], key: tuple[Any, ...], bar: Any, measure: str) -> bool:
    for label in {*key} if measure == "every_label" else (None,):
        asked = [
            (one, true)
            for one, true in zip(given, key, strict=True)
            if one is not None and label in (None, true)
        ]
        if (asked or label is None) and not sum(one == true for one, true in asked) > bar * len(asked):
            return True
    return False
