"""The family `nearest-evaluation`: the consistent evaluation in whole numbers that is nearest to a point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Undefined
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.exact.json_text import decode_number, encode_number
from ntqr_exact.exact.surd import Surd
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.consistent_membership import (
    EVALUATION_PARTS,
    KEY_RULE,
    evaluation_from,
    graded_counts,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import (
    COUNT,
    NULL,
    NUMBER,
    TEXT,
    described,
    either,
    list_of,
    record,
)
from ntqr_exact.vectors.votes_input import SHARED, WORDS, votes_from, votes_input
from ntqr_exact.votes.counts import VoteCounts

_RATE = either(TEXT, NUMBER, NULL)


def compute(document: Document) -> dict[str, Any]:
    """Return the nearest consistent evaluation and its squared distance."""
    votes, target = votes_from(document), _target(document)
    at = None if "at" not in document else dict(zip(document["labels"], document["at"], strict=True))
    found = ConsistentSet(votes).nearest(target, at=at)
    evaluation = found.evaluation
    return {
        "key_counts": list(evaluation.key_counts.values()),
        "right": [list(right.values()) for right in evaluation.correct],
        "squared_distance": found.squared_distance,
    }


def _target(document: Document) -> CountEvaluation | Evaluation:
    if "right" in document:
        return evaluation_from(document)
    labels = document["labels"]
    rates = [[*map(_read, row)] for row in (document["prevalence"], *document["accuracies"])]
    prevalence, *accuracies = (dict(zip(labels, row, strict=True)) for row in rates)
    return Evaluation.from_accuracies(prevalence, accuracies)


def _read(rate: Any) -> Any:
    return Undefined.NO_QUESTIONS if rate is None else decode_number(rate)


def steps(document: Document) -> Iterator[str]:
    """Tell the point, the terms of the least distance, and the candidates that differ in one number."""
    votes, found = votes_from(document), compute(document)
    q, rest = _coordinates(document, votes.size)
    yield f"the point: q = {q}" + "".join(
        f"; x_{judge} = {x}, y_{judge} = {y}" for judge, (x, y) in enumerate(rest, start=1)
    )
    if "at" in document:
        yield f"among the evaluations with the key counts {document['at']}"
    best = (found["key_counts"][0], *(right[0] for right in found["right"]))
    yield f"nearest: key counts {found['key_counts']}, right {found['right']}"
    terms = [
        (best[0], q),
        *(
            (s, x)
            for pair, row in zip(found["right"], rest, strict=True)
            for s, x in zip(pair, row, strict=True)
        ),
    ]
    yield f"D = {' + '.join(f'({s} − ({x}))²' for s, x in terms)} = {found['squared_distance']}"
    yield "(Q_a, s_1, …) one step away from it:"
    for place, step in product(range("at" in document, len(best)), (-1, 1)):
        other = tuple(number + step * (place == index) for index, number in enumerate(best))
        yield f"  {other}: {_told(votes, other, q, rest)}"


def _coordinates(document: Document, size: int) -> tuple[Any, list[list[Any]]]:
    """Return q, and x and y of each judge: the point in numbers of questions."""
    if "right" in document:
        return document["key_counts"][0], document["right"]
    prevalence = [decode_number(rate) for rate in document["prevalence"]]
    rows = [
        [
            0 if rate is None else size * share * decode_number(rate)
            for share, rate in zip(prevalence, row, strict=True)
        ]
        for row in document["accuracies"]
    ]
    return size * prevalence[0], rows


def _told(votes: VoteCounts, point: tuple[int, ...], q: Any, rest: list[list[Any]]) -> str:
    """Return whether there is such a candidate, and its distance."""
    (a, b), (key, *right) = votes.labels, point
    wrong = [key - votes.responses(judge)[b] for judge in range(len(right))]
    pairs = [(s, s - more) for s, more in zip(right, wrong, strict=True)]
    if not (0 <= key <= votes.size) or any(
        not (0 <= s <= key and 0 <= t <= votes.size - key) for s, t in pairs
    ):
        return "not consistent"
    evaluation = CountEvaluation.from_correct({a: key, b: votes.size - key}, [{a: s, b: t} for s, t in pairs])
    if evaluation not in ConsistentSet(votes):
        return "not consistent"
    gaps = [
        key - q,
        *(s - x for pair, row in zip(pairs, rest, strict=True) for s, x in zip(pair, row, strict=True)),
    ]
    return f"D = {sum(gap * gap for gap in gaps)}"


def edge_cases() -> Iterator[Case]:
    """Yield points that are consistent, ties, far points, given key counts, rates, irrational points, refusals."""
    yield _counts([1, 1], [2, 0], [[2, 0]], "the point is a key count away")
    yield _counts([2, 3], [2, 3], [[1, 2]], "the point is consistent: distance 0")
    yield _counts([2, 3], [2, 3], [[2, 2]], "right answers on a and b that do not fit: a tie", "tie")
    yield _counts([2, 3], [2, 3], [[1, 3]], "the same on the other side: a tie", "tie")
    yield _counts([2, 3], [5, 0], [[0, 0]], "a far point")
    yield _counts([2, 3], [0, 5], [[0, 0]], "another far point", "tie")
    yield _counts([2, 3], [3, 2], [[0, 0]], "a judge who is never right: consistent")
    yield _counts([2, 3], [7, 7], [[7, 7]], "a point of another test", "tie")
    yield _counts([1, 1, 1, 1], [2, 2], [[0, 0], [0, 0]], "a pair: all wrong is not consistent", "tie")
    yield _counts([1, 1, 1, 1], [2, 2], [[2, 2], [2, 2]], "a pair: all right is not consistent", "tie")
    yield _counts([2, 0, 0, 2], [2, 2], [[1, 1], [2, 2]], "two copies of one judge cannot differ", "tie")
    yield _counts([2, 0, 0, 2], [3, 1], [[3, 0], [0, 0]], "two copies, a far point")
    yield _counts([3, 2, 1, 4], [5, 5], [[3, 2], [4, 4]], "a pair, a point near by")
    odd = [0, 1, 1, 0, 1, 0, 0, 1]
    one = [[1, 1], [1, 1], [1, 1]]
    yield _counts(
        odd, [2, 2], one, "a trio: consistent in fractions only, and the nearest is one away", "tie"
    )
    yield _counts([1, 0, 0, 1, 0, 1, 1, 0], [2, 2], one, "the other parity", "tie")
    yield _counts(
        [0, 2, 2, 0, 2, 0, 0, 2], [4, 4], [[2, 2], [2, 2], [3, 3]], "gaps with larger counts", "tie"
    )
    yield _counts([1] * 8, [4, 4], [[4, 4], [4, 4], [4, 4]], "three judges without an error, not consistent")
    yield _counts([1] * 8, [0, 8], [[0, 8], [0, 0], [0, 4]], "three judges, a far point", "tie")
    yield _counts([2, 3], [2, 3], [[1, 2]], "other key counts are asked for", at=[4, 1])
    yield _counts([2, 3], [2, 3], [[1, 2]], "all questions are b", at=[0, 5])
    yield _counts([1, 1, 1, 1], [2, 2], [[2, 2], [2, 2]], "a pair at given key counts", at=[1, 3])
    yield _counts(odd, [2, 2], one, "a trio at given key counts", "tie", at=[2, 2])
    yield _rates([3, 1], ["1/2", "1/2"], [["1", "1/2"]], "rates that are consistent")
    yield _rates([3, 1], ["1/3", "2/3"], [["1/2", "1/3"]], "rates between whole numbers")
    yield _rates([3, 1], ["1/8", "7/8"], [["1", "1/2"]], "rates half way: a tie is possible", "tie")
    yield _rates([3, 1], ["1", "0"], [["3/4", None]], "P_b = 0 with an undefined rate")
    yield _rates([3, 1], ["-1", "2"], [["2", "-1"]], "rates out of range")
    yield _rates([3, 1], ["1/2", "0"], [["1", "1/2"]], "prevalences that do not add up to 1", "tie")
    yield _rates([1, 1, 1, 1], ["1/2", "1/2"], [["3/4", "3/4"], ["3/4", "3/4"]], "a pair in rates", "tie")
    yield from _irrational()
    yield from _refusals()


def _irrational() -> Iterator[Case]:
    """Yield points with irrational coordinates, such as the solutions for independent judges."""
    tests = {
        "Q = 6, √A irrational": [0, 1, 1, 0, 1, 0, 0, 3],
        "Q = 10, √A = 3√5/100": [3, 1, 1, 0, 0, 1, 1, 3],
        "Q = 6, √A rational": [0, 0, 0, 1, 2, 1, 1, 1],
        "the two-norm test": [181, 90, 86, 115, 86, 109, 100, 233],
    }
    for name, counts in tests.items():
        tie = ["tie"] if name == "Q = 6, √A rational" else []
        for solution in solve_independent(votes_from(votes_input(counts))).solutions:
            a, b = solution.labels
            prevalence = [solution.prevalence[a], solution.prevalence[b]]
            accuracies = [[right[a], right[b]] for right in solution.accuracy]
            yield _rates(counts, prevalence, accuracies, f"{name}: the solution for independent judges", *tie)
    half = encode_number(Surd(0, "1/2", 2))
    rest = encode_number(Surd(1, "-1/2", 2))
    yield _rates([3, 4], [half, rest], [["1/2", "1/2"]], "P_a = √2/2")
    close = encode_number(Surd("-7/4", "5/4", 2))
    yield _rates([3, 1], ["1/8", "7/8"], [[close, "4/7"]], "irrational, near a tie")


def _refusals() -> Iterator[Case]:
    """Yield inputs to refuse."""
    yield _refused(
        [2, 3],
        {"key_counts": [2, 3], "right": [[1, 2]], "at": [3, 3]},
        "given key counts of six questions for five",
    )
    yield _refused(
        [2, 3], {"key_counts": [2, 3], "right": [[1, 2]], "at": [6, -1]}, "a given key count is negative"
    )
    yield _refused(
        [2, 3], {"key_counts": [2, 3], "right": [[3, 2]]}, "right more often than there are questions"
    )
    yield _refused([2, 3], {"key_counts": [2, 3], "right": [[-1, 2]]}, "a negative number of right answers")
    yield _refused([2, -3], {"key_counts": [2, 3], "right": [[1, 2]]}, "a negative count")
    yield _refused(
        [2, 3], {"key_counts": [2, 3], "right": [[1, 2], [1, 2]]}, "two judges for the votes of one"
    )
    imaginary = encode_number(Surd("1/2", 1, -1))
    yield _refused(
        [2, 3], {"prevalence": ["1/2", "1/2"], "accuracies": [[imaginary, "1/2"]]}, "an imaginary rate"
    )
    unlike = [[encode_number(Surd(0, "1/2", 2)), encode_number(Surd(0, "1/2", 3))]]
    yield _refused([2, 3], {"prevalence": ["1/2", "1/2"], "accuracies": unlike}, "√2 and √3 in one point")


def random_case(draws: Draws, index: int) -> Case:
    """Return in turn a point near the evaluation of a key, any small point, and a point in rates."""
    judges = 1 + index % 3
    if index % 2:
        size = 2 + min(index // 8, (12, 9, 5)[judges - 1]) + draws.below(3)
        counts = draws.counts(size, 2**judges)
        if index % 4 == 1:
            key = draws.counts(size, 2)
            right = [[draws.between(0, key[0]), draws.between(0, key[1])] for _ in range(judges)]
            at = {"at": draws.counts(size, 2)} if draws.below(4) == 0 else {}
            return _counts(counts, key, right, f"any point of {size} questions", **at)
        share = draws.share(9)
        rates = [[draws.share(9), draws.share(9)] for _ in range(judges)]
        return _rates(counts, [share, 1 - share], rates, f"rates for {size} questions")
    size = 4 + index // (1, 2, 6)[judges - 1] + draws.below(3)
    counts = draws.counts(size, 2**judges)
    document = graded_counts(counts, [draws.between(0, count) for count in counts], judges)
    key = document["key_counts"]
    right = [
        [min(max(0, count + draws.between(-1, 1)), most) for count, most in zip(row, key, strict=True)]
        for row in document["right"]
    ]
    return _counts(counts, key, right, f"near the evaluation of a key of {size} questions")


def _counts(
    counts: Sequence[int],
    key_counts: list[int],
    right: list[list[int]],
    comment: str,
    *flags: str,
    at: list[int] | None = None,
) -> Case:
    document = {
        **votes_input(counts, judges=len(right)),
        "key_counts": key_counts,
        "right": right,
        **({} if at is None else {"at": at}),
    }
    return _case(document, comment, *flags)


def _rates(
    counts: Sequence[int], prevalence: Sequence[Any], accuracies: Sequence[Any], comment: str, *flags: str
) -> Case:
    document = {
        **votes_input(counts, judges=len(accuracies)),
        "prevalence": [*map(_written, prevalence)],
        "accuracies": [[*map(_written, row)] for row in accuracies],
    }
    return _case(document, comment, "rates", *flags)


def _written(rate: Any) -> Any:
    return rate if rate is None or isinstance(rate, str | dict) else encode_number(rate)


def _case(document: Document, comment: str, *flags: str) -> Case:
    """Return a case whose flags also tell what comes out."""
    distance = compute(document)["squared_distance"]
    words = ["consistent"] if distance == 0 else []
    words += ["irrational"] if isinstance(distance, Surd) and not distance.is_rational else []
    words += ["at"] if "at" in document else []
    return Case(document, comment, (*flags, *words))


def _refused(counts: list[int], parts: Document, comment: str) -> Case:
    return Case({**votes_input(counts, judges=1), **parts}, comment, ("refused",))


FAMILY = Family(
    name="nearest-evaluation",
    version=1,
    title="The consistent evaluation nearest to a point",
    citations=(
        Citation("ntqr", "section 3"),
        Citation("ntqr", "figure 8, estimates projected to the nearest consistent integers"),
    ),
    algorithm=(
        WORDS + " Here R = 2, and N is 1, 2 or 3.",
        "The point has the coordinates q, and x_i and y_i for each judge i: numbers of questions, whole or not. It "
        "is given in one of two forms. With key_counts and right: q = Q_a, x_i = R^a_a and y_i = R^b_b, whole "
        "numbers. With prevalence P_a, P_b and accuracies p_i, r_i: q = Q·P_a, x_i = Q·P_a·p_i, y_i = Q·P_b·r_i; "
        "they may be surds a + b√d, and lie anywhere. An accuracy that is null belongs to a prevalence of 0, and its "
        "coordinate is 0.",
        "Refuse as bad-votes a number of counts that is not 2^N, a point for another number of judges, and right "
        "answers in key_counts and right that are more than the questions of their label; as bad-number a negative "
        "count, key count or right; as not-ordered an imaginary coordinate; as not-a-surd coordinates with radicands "
        "whose roots are not rational multiples of each other; as bad-key-counts a given at that has a negative "
        "number or whose sum is not Q.",
        "A key says for each pattern v how many of its c_v questions have the true label a: a whole number k_v with "
        "0 ≤ k_v ≤ c_v. Under it, Q_a = Σ k_v, and s_i is the sum of k_v over the patterns in which judge i answers "
        "a. The candidates are the (Q_a; s_1, …, s_N) that some key has. The votes then give R^b_b = t_i = "
        "s_i − Q_a + R_bi, with R_bi the number of answers b of judge i. If at is given, only those with Q_a = the "
        "first number in at.",
        KEY_RULE,
        "The squared distance is D = (Q_a − q)² + Σ_i ((s_i − x_i)² + (t_i − y_i)²). Take the candidate with the least "
        "D; among several, the one that comes first when (Q_a, s_1, …, s_N) are compared number by number, smaller "
        "first.",
        "key_counts: [Q_a, Q_b] of this candidate. right: [s_i, t_i] for each judge. squared_distance: its D, which "
        "may be a surd. To compare u + w√d with 0 exactly where u and w have different signs, compare u² with w²d.",
        "A search that is enough: go through all candidates in a box around the point; if the best D in it is not more "
        "than the square of the least distance from the point to the outside of the box, it is the best of all.",
    ),
    input=record(
        {
            **EVALUATION_PARTS,
            "prevalence": described(list_of(_RATE, exactly=2), "P_a, P_b"),
            "accuracies": described(list_of(list_of(_RATE, exactly=2)), "for each judge P^a_a and P^b_b"),
            "at": described(list_of({"type": "integer"}, exactly=2), "key counts that the answer must have"),
        },
        optional=("key_counts", "right", "prevalence", "accuracies", "at"),
    ),
    expected=record(
        key_counts=list_of(COUNT, exactly=2),
        right=list_of(list_of(COUNT, exactly=2)),
        squared_distance=NUMBER,
    ),
    flags={
        "tie": "several evaluations are equally near, and the order decides (told of the edge cases only)",
        "consistent": "the point itself is consistent, and the distance is zero",
        "rates": "the point is given in rates",
        "irrational": "the distance is irrational",
        "at": "the key counts of the answer are given",
        "refused": "the input is refused",
    },
    errors={
        "bad-votes": "a point for other judges, or right answers that are more than the questions",
        "bad-number": "a count, key count or number of right answers is negative",
        "bad-key-counts": "the key counts asked for do not make up the questions",
        "not-ordered": "an imaginary coordinate",
        "not-a-surd": "coordinates that lie in no common quadratic field",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={
        "brute-force": lambda document: (
            sum(document["counts"]) <= (12, 8, 5)[document["judges"] - 1] and min(document["counts"]) >= 0
        ),
    },
)
