"""The family `consistent-membership`: whether an answer key gives the judges these right answers, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.explanation import KEY_COUNTS, PAIR, SINGLE, TRIO, first_label_point
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.varieties.verdict import Accepted, Verdict
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import TRUTH, Fragment, described, list_of, one_of, record
from ntqr_exact.vectors.votes_input import PARTS, SHARED, WORDS, pattern_names, votes_from, votes_input
from ntqr_exact.votes.counts import VoteCounts

_LEVELS = {KEY_COUNTS: "key-counts", SINGLE: "single", PAIR: "pair", TRIO: "trio"}
_INTEGER: Fragment = {"type": "integer"}
_MOST_TRIED = 4096

EVALUATION_PARTS: dict[str, Fragment] = {
    **PARTS,
    "key_counts": described(list_of(_INTEGER, exactly=2), "Q_a, Q_b"),
    "right": described(
        list_of(list_of(_INTEGER, exactly=2)),
        "for each judge how often it is right on the questions of a, R^a_a, and of b, R^b_b",
    ),
}
"""Votes, and an individual evaluation of their judges in whole numbers."""

EVALUATION_WORDS = (
    "An individual evaluation says how many questions have the true label a and b (key_counts: Q_a, Q_b) and for each "
    "judge i how often it is right on them (right: s_i = R^a_a and t_i = R^b_b). There are two labels."
)
EVALUATION_REFUSALS = (
    "Refuse as bad-votes a number of counts that is not 2^N, and a judge who is right more often on a label than it "
    "has questions; as bad-number a negative number."
)
EVALUATION_ERRORS = {
    "bad-votes": "the number of counts is not 2^N, or a judge is right more often than there are questions",
    "bad-number": "a count, key count or number of right answers is negative",
}


def evaluation_from(document: Document) -> CountEvaluation:
    """Return the individual evaluation of an input."""
    labels = document["labels"]
    return CountEvaluation.from_correct(
        dict(zip(labels, document["key_counts"], strict=True)),
        [dict(zip(labels, right, strict=True)) for right in document["right"]],
    )


def evaluation_input(counts: Sequence[int], key_of_a: int, right_on_a: Sequence[int]) -> Document:
    """Return votes with the evaluation that has Q_a and these right answers on a, and what follows from the votes.

    The postulate of one judge gives the right answers on b: R^b_b = Q_b − R_a + R^a_a.
    """
    judges = len(right_on_a)
    document = votes_input(counts, judges=judges)
    votes = votes_from(document)
    of_b = votes.size - key_of_a
    right = [[s, of_b - votes.responses(place)["a"] + s] for place, s in enumerate(right_on_a)]
    return {**document, "key_counts": [key_of_a, of_b], "right": right}


def graded_counts(counts: Sequence[int], of_a: Sequence[int], judges: int) -> Document:
    """Return votes with the evaluation under the key that has so many questions of a in each pattern."""
    names = pattern_names("ab", judges)
    right = [
        sum(k for name, k in zip(names, of_a, strict=True) if name[judge] == "a") for judge in range(judges)
    ]
    return evaluation_input(counts, sum(of_a), right)


KEY_RULE = (
    "It need not be searched for. One judge: a key exists if 0 ≤ s_1 ≤ R_a1 and 0 ≤ Q_a − s_1 ≤ R_b1, with R_a1 "
    "and R_b1 the numbers of its answers. Two judges i, j: let e be the number of questions of a on which both "
    "answer a; then m_aa = e, m_ab = s_i − e, m_ba = s_j − e and m_bb = Q_a − s_i − s_j + e questions of a have "
    "each two answers w of theirs, and a key exists if for some whole e each 0 ≤ m_w ≤ N_w, the number of "
    "questions with the answers w. Three judges i, j, h: if for some such e also Σ_w max(0, m_w − c_wb) ≤ s_h ≤ "
    "Σ_w min(m_w, c_wa), where c_wa and c_wb count the questions with the answers w of i and j and the answer a "
    "or b of h."
)
"""When a key has given right answers on the first label, for families that need no reasons."""


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


def edge_cases() -> Iterator[Case]:
    """Yield one judge at its bounds, a pair at each of its bounds, trios with gaps, other key counts, refusals."""
    for key, right in ((0, 0), (1, 0), (1, 1), (3, 0), (3, 1), (3, 2), (4, 1), (4, 2), (5, 2)):
        yield _case(
            evaluation_input([2, 3], key, [right]), f"one judge, R_a = 2, R_b = 3: Q_a = {key}, s = {right}"
        )
    wrong = evaluation_input([2, 3], 2, [1])
    yield _case({**wrong, "right": [[2, 2]]}, "one judge, and the right answers on b do not fit")
    yield _case({**wrong, "key_counts": [2, 2]}, "one judge, and a question is missing")
    yield _case({**wrong, "key_counts": [3, 3], "right": [[2, 3]]}, "one judge, and a question too many")
    # c_aa = 2, c_ab = 1, c_ba = 3, c_bb = 2 at Q_a = 4: R_a1 = 3, R_a2 = 5.
    for first, second in product(range(4), range(5)):
        yield _case(evaluation_input([2, 1, 3, 2], 4, [first, second]), f"a pair: s = {first}, {second}")
    odd = [0, 1, 1, 0, 1, 0, 0, 1]
    yield _case(evaluation_input(odd, 2, [1, 1, 1]), "a trio: fractions would do, whole numbers do not")
    yield _case(evaluation_input(odd, 2, [1, 1, 2]), "a trio: two of one parity and a third")
    yield _case(evaluation_input(odd, 2, [2, 1, 1]), "a trio: another two")
    yield _case(evaluation_input(odd, 2, [1, 1, 0]), "a trio: nothing in common")
    yield _case(evaluation_input([1, 0, 0, 1, 0, 1, 1, 0], 2, [1, 1, 1]), "the other parity: the same gap")
    yield _case(evaluation_input([1, 1, 1, 0, 1, 0, 0, 1], 2, [1, 1, 1]), "one vote aaa closes the gap")
    doubled = [0, 2, 2, 0, 2, 0, 0, 2]
    for rights in ([2, 2, 2], [1, 2, 2], [3, 3, 3], [2, 3, 3]):
        yield _case(evaluation_input(doubled, 4, rights), f"counts doubled: s = {rights}")
    yield _case(evaluation_input([2, 0, 0, 0, 0, 0, 0, 2], 2, [1, 1, 1]), "three copies of one judge")
    yield _case(evaluation_input([1, 0, 0, 1, 0, 1, 1, 0], 1, [0, 0, 0]), "every pair can, the three cannot")
    yield _case(evaluation_input([1, 1, 1, 0, 1, 0, 0, 0], 2, [1, 1, 1]), "four questions, at most one wrong")
    norm = [181, 90, 86, 115, 86, 109, 100, 233]
    yield _case(evaluation_input(norm, 400, [295, 276, 295]), "right answers on the two-norm votes", "large")
    yield _case(
        evaluation_input(norm, 400, [250, 250, 250]), "other right answers on the two-norm votes", "large"
    )
    empty = votes_input([0, 0, 0, 0], judges=2)
    yield _case(
        {**empty, "key_counts": [0, 0], "right": [[0, 0], [0, 0]]}, "no question: the empty evaluation"
    )
    yield _refused({"right": [[3, 1]]}, "right more often on a than it has questions")
    yield _refused({"right": [[1, 4]]}, "right more often on b than it has questions")
    yield _refused({"right": [[-1, 1]]}, "a negative number of right answers")
    yield _refused({"key_counts": [6, -1], "right": [[1, 0]]}, "a negative key count")
    yield _refused({"counts": [6, -1]}, "a negative count")
    yield _refused({"counts": [5]}, "a count is missing")


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
        return _case(document, f"the evaluation of a key of {questions} questions")
    for place, (right, wrong) in enumerate(document["right"]):
        room = range(
            -min(right, wrong, 3),
            min(document["key_counts"][0] - right, document["key_counts"][1] - wrong, 3) + 1,
        )
        step = draws.pick(room)
        document["right"][place] = [right + step, wrong + step]
    return _case(document, f"near the evaluation of a key of {questions} questions")


def _case(document: Document, comment: str, *flags: str) -> Case:
    """Return a case whose flag tells what comes out; an evaluation that makes none is flagged as refused."""
    answer = FAMILY.answer(document)
    return Case(
        document, comment, (*flags, answer.expected["broken"] if answer.result == "valid" else "refused")
    )


def _refused(parts: Document, comment: str) -> Case:
    document = {**votes_input([2, 3], judges=1), "key_counts": [2, 3], "right": [[1, 2]], **parts}
    return Case(document, comment, ("refused",))


def _is_small(document: Document) -> bool:
    """Tell whether every answer key can be tried."""
    counts = document["counts"]
    ways = 1
    for count in counts:
        ways *= max(count, 0) + 1
    return ways <= _MOST_TRIED and len(counts) == 2 ** document["judges"]


FAMILY = Family(
    name="consistent-membership",
    version=1,
    title="Whether right answers are consistent with the votes of one, two or three judges",
    citations=(
        Citation("ntqr", "eqs. 11 and 12"),
        Citation("ntqr", "eqs. 26a to 26d, in counts"),
        Citation("ntqr", "section 5, the eight postulates of a trio, in counts"),
    ),
    algorithm=(
        WORDS,
        EVALUATION_WORDS,
        EVALUATION_REFUSALS,
        "A key says for each pattern v how many of its c_v questions have the true label a: a whole number k_v with "
        "0 ≤ k_v ≤ c_v. The evaluation is consistent if some key has Q_a = Σ k_v, s_i = the sum of k_v over the "
        "patterns in which judge i answers a, and t_i = the sum of c_v − k_v over those in which it answers b.",
        "consistent: whether this is so. broken: the first of these words that applies.",
        "key-counts: Q_a + Q_b is not Q.",
        "single: for some judge i, with R_ai the number of its answers a, s_i + Q_b − t_i is not R_ai.",
        "pair: for some two judges i, j no whole number e satisfies 0 ≤ e ≤ N_aa, 0 ≤ s_i − e ≤ N_ab, "
        "0 ≤ s_j − e ≤ N_ba and 0 ≤ Q_a − s_i − s_j + e ≤ N_bb, where N are the counts of the answers of these two.",
        "trio: for three judges no real number e does, where e is Σ k over the patterns aaa and aab. Given e, the "
        "numbers m_aa = e, m_ab = s_1 − e, m_ba = s_2 − e and m_bb = Q_a − s_1 − s_2 + e say how many questions of "
        "label a have each pair of answers of judges 1 and 2; it must be 0 ≤ m_w ≤ c_wa + c_wb for each pair w, and "
        "Σ_w max(0, m_w − c_wb) ≤ s_3 ≤ Σ_w min(m_w, c_wa). If some e does, then some multiple of 1/2.",
        "whole: for three judges a fraction e does, and no whole number e.",
        "none: a key exists, and consistent is true.",
    ),
    input=record(EVALUATION_PARTS),
    expected=record(consistent=TRUTH, broken=one_of("none", "key-counts", "single", "pair", "trio", "whole")),
    flags={
        "none": "the evaluation is consistent",
        "key-counts": "the key counts do not add up to the questions",
        "single": "the votes of a judge alone refute the evaluation",
        "pair": "each judge alone could, but the votes of two judges refute the evaluation",
        "trio": "every two judges could, but the votes of three refute the evaluation, even in fractions",
        "whole": "consistent in fractions, but no whole number of questions does it: no linear program sees it",
        "large": "a thousand questions",
        "refused": "the input is refused",
    },
    errors=EVALUATION_ERRORS,
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"brute-force": _is_small},
)
