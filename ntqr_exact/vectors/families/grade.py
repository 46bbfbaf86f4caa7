"""The family `grade`: votes with an answer key, graded with all rates and error correlations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import Rate, Undefined
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, described, either, list_of, one_of, record
from ntqr_exact.vectors.votes_input import PARTS, SHARED, votes_from, votes_input
from ntqr_exact.votes.labeled import LabeledVoteCounts

UNDEFINED = "undefined"
"""The word for a rate that would be a share of no questions."""

RATE = either(RATIONAL, one_of(UNDEFINED))
KEYED = described(list_of(PARTS["counts"]), "for each true label the counts of all patterns on its questions")


def key_from(document: Document) -> LabeledVoteCounts:
    """Return the votes with their key; raises `BadVotes` unless there is a list of counts for each label."""
    labels, by_key = document["labels"], document["counts_by_key"]
    if len(labels) != len(by_key):
        raise BadVotes(len(by_key), f"there are {len(labels)} true labels, and a list of counts for each")
    return LabeledVoteCounts(
        {
            label: votes_from({**document, "counts": counts})
            for label, counts in zip(labels, by_key, strict=True)
        }
    )


def key_input(counts_by_key: Sequence[Sequence[int]], *, labels: str = "ab", judges: int = 3) -> Document:
    """Return the input of votes with their key."""
    rows = [votes_input(counts, labels=labels, judges=judges)["counts"] for counts in counts_by_key]
    return {"labels": list(labels), "judges": judges, "counts_by_key": rows}


def written(rate: Rate) -> Any:
    """Return a rate, or the word for one that is not defined."""
    return UNDEFINED if isinstance(rate, Undefined) else rate


def compute(document: Document) -> dict[str, Any]:
    """Return prevalence, response rates, pair and trio correlations."""
    key = key_from(document)
    found = grade(key, order=3)
    judges = range(document["judges"])

    def correlations(length: int) -> list[list[Any]]:
        subsets = list(combinations(judges, length))
        return [[written(found.correlations[label, subset]) for subset in subsets] for label in key.labels]

    return {
        "prevalence": [written(found.prevalence[label]) for label in key.labels],
        "response_rates": [
            [[written(rates[true][given]) for given in key.labels] for true in key.labels]
            for rates in found.response_rates
        ],
        "pair_correlations": correlations(2),
        "trio_correlations": correlations(3),
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the shares, the rates of every judge on every label, and how the correlations come about."""
    found, key = compute(document), key_from(document)
    yield f"key counts: {key.key_counts}, Q = {key.size}"
    for place, label in enumerate(key.labels):
        yield f"P_{label} = {key.key_counts[label]}/{key.size} = {found['prevalence'][place]}"
        for judge, rates in enumerate(found["response_rates"]):
            given = key.confusion(judge)[label]
            shares = ", ".join(map(str, rates[place]))
            yield f"  judge {judge + 1} gave {given} on the questions of {label}: rates {shares}"
        for length, name in ((2, "pair_correlations"), (3, "trio_correlations")):
            subsets = combinations(range(document["judges"]), length)
            for subset, value in zip(subsets, found[name][place], strict=True):
                names = ", ".join(str(judge + 1) for judge in subset)
                yield f"  Γ of judges {names}: mean of the products of (1 if right else 0) − accuracy = {value}"


def edge_cases() -> Iterator[Case]:
    """Yield empty labels, perfect and wrong judges, vanishing correlations, more judges and labels, refusals."""
    none, one = [0] * 8, [1] * 8
    aaa, bbb = [3, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 2]
    yield _case([aaa, bbb], "three judges who are always right")
    yield _case([bbb, aaa], "three judges who are always wrong: their errors do not vary")
    yield _case([[0, 1, 0, 0, 0, 0, 0, 0], none], "one question, and no question of b")
    yield _case([none, [0, 1, 0, 0, 0, 0, 0, 0]], "one question, and no question of a")
    yield _case([one, one], "every pattern once on each label: everything is 1/2 and nothing correlated")
    yield _case([[1, 0, 0, 1, 0, 1, 1, 0], one], "pairs uncorrelated on a, but not the trio")
    yield _case([one, [1, 0, 0, 1, 0, 1, 1, 0]], "the same on b: right is another answer there")
    yield _case([[0, 1, 1, 0, 1, 0, 0, 1], [2, 0, 0, 0, 0, 0, 0, 1]], "a trio correlation of the other sign")
    yield _case([[1, 0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 1]], "judges who err together")
    yield _case([[0, 0, 0, 1, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0, 1, 0]], "two err together, one against them")
    yield _case([[27, 9, 9, 3, 9, 3, 3, 1], [1, 3, 3, 9, 3, 9, 9, 27]], "independent errors")
    yield _case(
        [[27, 9, 9, 3, 9, 3, 3, 2], [1, 3, 3, 9, 3, 9, 9, 27]], "independent errors, one question more"
    )
    yield _case([[181, 90, 86, 115, 86, 109, 100, 0], [0, 0, 0, 0, 0, 0, 0, 233]], "a thousand questions")
    yield _case([[2, 1], [0, 3]], "one judge: no pairs", judges=1)
    yield _case([[0, 0], [0, 3]], "one judge, one label", judges=1)
    yield _case([[2, 1, 0, 4], [1, 0, 3, 3]], "two judges: no trio", judges=2)
    yield _case([[1, *[0] * 14, 1], list(range(16))], "four judges: six pairs and four trios", judges=4)
    three = [[4, 1, 0, 2, 0, 1, 1, 1, 0], [0, 1, 0, 1, 5, 1, 0, 0, 2], [1, 0, 1, 0, 2, 1, 0, 1, 6]]
    yield _case(three, "three labels, two judges", labels="abc", judges=2)
    yield _case([three[0], [0] * 9, three[2]], "three labels, one without questions", labels="abc", judges=2)
    large = [10**17 * count + place for place, count in enumerate((7, 3, 2, 5, 1, 1, 4, 9))]
    yield _case([large, large[::-1]], "counts beyond doubles", "large")
    yield _case([large, none], "counts beyond doubles, one label", "large")
    yield Case(key_input([none, none]), "no question at all", ("refused",))
    yield Case(key_input([one, [1, 1, -1, 1, 1, 1, 1, 1]]), "a negative count", ("refused",))
    yield Case(key_input([one, [1] * 7]), "a count is missing", ("refused",))
    yield Case(key_input([one]), "the counts of a label are missing", ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return votes with a key, in turn of three, two, four judges and of three labels."""
    labels, judges = (("ab", 3), ("ab", 2), ("abc", 2), ("ab", 3), ("ab", 4), ("abc", 3))[index % 6]
    size = 2 + index // 2 + draws.below(6)
    cells = len(labels) ** (judges + 1)
    counts = draws.counts(size, cells)
    width = cells // len(labels)
    by_key = [counts[start : start + width] for start in range(0, cells, width)]
    return _case(by_key, f"any votes and any key of {size} questions", labels=labels, judges=judges)


def _case(
    by_key: Sequence[Sequence[int]], comment: str, *flags: str, labels: str = "ab", judges: int = 3
) -> Case:
    outcome = [
        *(["empty-label"] if any(not any(counts) for counts in by_key) else []),
        *(["many-labels"] if len(labels) > 2 else []),
        *(["few-judges"] if judges < 3 else []),
    ]
    return Case(key_input(by_key, labels=labels, judges=judges), comment, (*flags, *outcome))


FAMILY = Family(
    name="grade",
    version=1,
    title="Grading by an answer key: rates and error correlations",
    citations=(Citation("ntqr", "eq. 24"), Citation("ntqr", "eq. 25")),
    algorithm=(
        "The input gives the labels, the number N of judges and, for each true label in the order of the labels, a "
        "list of counts: how many questions with this true label got each of the R^N patterns, in lexicographic order "
        "with the last judge changing fastest (for two labels and three judges: aaa aab aba abb baa bab bba bbb). A "
        "count is a whole number that is not negative; one beyond 2^53 is a text. An input has one fault at most.",
        "Refuse as bad-votes unless there is a list for each label and a count in it for each pattern; as bad-number "
        "a negative count; as empty-test if all counts are zero.",
        "Q_l is the sum of the counts of the true label l, and Q the sum of all Q_l. "
        "prevalence: Q_l/Q for each label l, in order.",
        "response_rates: for each judge, for each true label l, for each label k in order, the share of the Q_l "
        "questions to which the judge answered k. Where Q_l = 0, each of these is the word undefined.",
        "The accuracy p_i of judge i on label l is its rate of answers l there. On a question of label l let "
        "u_i = 1 − p_i if the judge is right (answers l) and −p_i if not; with more than two labels all wrong answers "
        "are alike.",
        "pair_correlations: for each true label l, a list with a number for each pair of judges i < j, in the order "
        "12, 13, …, 23, …: the mean of u_i·u_j over the Q_l questions; the word undefined where Q_l = 0.",
        "trio_correlations: for each true label, a list with a number for each trio i < j < k, in lexicographic "
        "order: the mean of u_i·u_j·u_k; the word undefined where Q_l = 0. With fewer than two, or three, judges the "
        "lists of pairs, or trios, are empty.",
    ),
    input=record(labels=PARTS["labels"], judges=PARTS["judges"], counts_by_key=KEYED),
    expected=record(
        prevalence=list_of(RATIONAL),
        response_rates=list_of(list_of(list_of(RATE))),
        pair_correlations=list_of(list_of(RATE)),
        trio_correlations=list_of(list_of(RATE)),
    ),
    flags={
        "empty-label": "a label has no questions, so that its rates are undefined",
        "many-labels": "more than two labels",
        "few-judges": "one or two judges: no trio, perhaps no pair",
        "large": "counts that doubles do not hold",
        "refused": "the counts make no graded test",
    },
    errors={
        "bad-votes": "a list of counts is missing, or a count in one",
        "bad-number": "a count is negative",
        "empty-test": "there is no question, so that no rate exists",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"brute-force": lambda document: _size(document) in range(1, 40)},
)


def _size(document: Document) -> int:
    """Return the number of questions of an answered input, −1 of a refused one."""
    rows, patterns = document["counts_by_key"], len(document["labels"]) ** document["judges"]
    counts = [int(count) for row in rows for count in row]
    complete = len(rows) == len(document["labels"]) and all(len(row) == patterns for row in rows)
    return sum(counts) if complete and min(counts) >= 0 else -1
