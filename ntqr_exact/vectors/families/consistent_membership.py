"""The family `consistent-membership`: whether an answer key gives the judges these right answers, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.explanation import KEY_COUNTS, PAIR, SINGLE, TRIO, first_label_point
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.varieties.verdict import Accepted, Verdict
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.flags import named
from ntqr_exact.vectors.forms.individual import PARTS, evaluation_from, graded_counts
from ntqr_exact.vectors.forms.votes import SHARED, pattern_names, votes_from
from ntqr_exact.vectors.fragments import TRUTH, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts

_LEVELS = {KEY_COUNTS: "key-counts", SINGLE: "single", PAIR: "pair", TRIO: "trio"}
_BROKEN = ("none", "key-counts", "single", "pair", "trio", "whole")
_MOST_TRIED = 4096


def compute(document: Document) -> dict[str, Any]:
    """Return whether the evaluation is consistent, and the fewest judges whose postulates fail."""
    votes, evaluation = votes_from(document), evaluation_from(document)
    verdict = ConsistentSet(votes).explain(evaluation)
    return {"consistent": bool(verdict), "broken": _broken(votes, evaluation, verdict)}


def _broken(votes: VoteCounts, evaluation: CountEvaluation, verdict: Verdict) -> str:
    if isinstance(verdict, Accepted):
        return "none"
    level = _LEVELS[verdict.breaches[0].citation]
    if level == "trio":
        key, right = first_label_point(evaluation)
        return "whole" if TrioDecision.of(votes).joint_interval(key, right).holds_a_number else "trio"
    return level


def steps(document: Document) -> Iterator[str]:
    """Tell why: the postulates that fail, or a key that shows that none does."""
    votes, evaluation = votes_from(document), evaluation_from(document)
    verdict = ConsistentSet(votes).explain(evaluation)
    q, right = first_label_point(evaluation)
    yield f"Q_a = {q}, Q_b = {evaluation.key_counts[votes.labels[1]]}; s = {', '.join(map(str, right))}"
    if isinstance(verdict, Accepted):
        of_a = verdict.witness.by_label[votes.labels[0]]
        counts = ", ".join(f"{''.join(pattern)} {count}" for pattern, count in of_a.counts.items())
        yield f"consistent: let these questions be the ones of a: {counts or 'none'}"
    else:
        yield f"not consistent: {_broken(votes, evaluation, verdict)}"
        yield from (f"  {breach}" for breach in verdict.breaches)


def random_case(draws: Draws, index: int) -> Case:
    """Return the evaluation of a key, as it is, with right answers moved, or for votes with gaps."""
    judges = 1 + index % 3
    width = 2**judges
    size = 3 + index // (1, 2, 6)[judges - 1] + draws.below(4)
    counts = draws.counts(size, width)
    if judges == 3 and draws.below(2):
        parity = draws.below(2)
        names = pattern_names("ab", 3)
        four = iter([count + 1 for count in draws.counts(size, 4)])
        counts = [next(four) if name.count("a") % 2 == parity else 0 for name in names]
    of_a = [draws.between(0, count) for count in counts]
    document = graded_counts(counts, of_a, judges)
    questions = sum(counts)
    if draws.below(3) == 0:
        return Case(document, f"the evaluation of a key of {questions} questions")
    for place, (right, wrong) in enumerate(document["right"]):
        room = range(
            -min(right, wrong, 3),
            min(document["key_counts"][0] - right, document["key_counts"][1] - wrong, 3) + 1,
        )
        step = draws.pick(room)
        document["right"][place] = [right + step, wrong + step]
    return Case(document, f"near the evaluation of a key of {questions} questions")


def _is_small(document: Document, _: Any) -> bool:
    """Tell whether every answer key can be tried."""
    counts = document["counts"]
    ways = prod(max(count, 0) + 1 for count in counts)
    return bool(ways <= _MOST_TRIED) and len(counts) == 2 ** document["judges"]


FAMILY = Family(
    *declared("consistent-membership"),
    input=record(PARTS),
    expected=record(consistent=TRUTH, broken=one_of(*_BROKEN)),
    flags=named("broken", _BROKEN),
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"brute-force": _is_small},
)
