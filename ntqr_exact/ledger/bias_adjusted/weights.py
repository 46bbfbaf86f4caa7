"""Derivation of bias-adjusted metrics: the sets, the plug-in estimates and the weights."""

from __future__ import annotations

import itertools
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.ledger.equations import FormulaText, formula
from ntqr_exact.ledger.judgement import Finding, by_reading, decided
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.weighting import Strata

Relation = Literal["=", "⊆", "⊂"]
_Reviews = frozenset[int]


def _subsets(whole: _Reviews) -> list[_Reviews]:
    return [
        frozenset(chosen)
        for size in range(len(whole) + 1)
        for chosen in itertools.combinations(sorted(whole), size)
    ]


def _worlds(size: int) -> list[tuple[_Reviews, _Reviews]]:
    """Return all (U, B) with U of at most `size` reviews."""
    wholes = [frozenset(range(number)) for number in range(1, size + 1)]
    return [(whole, part) for whole in wholes for part in _subsets(whole)]


def _related(relation: Relation, left: _Reviews, right: _Reviews) -> bool:
    return left == right if relation == "=" else left <= right


def selected(printed: Relation) -> Finding:
    """Return whether the selected reviews stand in the printed relation to all of them, whatever is selected."""
    failing = [(whole, part) for whole, part in _worlds(3) if not _related(printed, part, whole)]
    return decided(
        not failing,
        f"B {printed} U in {len(_worlds(3)) - len(failing)} of all {len(_worlds(3))} selections from at most 3 reviews",
        right="⊆",
        slip=True,
    )


def complement(printed: Relation) -> Finding:
    """Return whether the printed relation to U∖B makes B^c the set of all reviews that were left out."""
    failing = [
        (whole, part, rest)
        for whole, part in _worlds(3)
        for rest in _subsets(whole)
        if _related(printed, rest, whole - part) and len(part) + len(rest) != len(whole)
    ]
    if not failing:
        return decided(True, "with equality |B| + |B^c| = |U| in all selections from at most 3 reviews")
    whole, part, rest = min(failing, key=lambda each: (len(each[0]), -len(each[1])))
    return decided(
        False,
        f"|U| = {len(whole)}, |B| = {len(part)}, |B^c| = {len(rest)} obeys B^c {printed} U∖B; |B| + |B^c| is not |U|",
        right="=",
        slip=True,
    )


def shares(printed: tuple[FormulaText, FormulaText]) -> Finding:
    """Return whether both formulas are the shares of selected and of other reviews."""
    claimed = [formula(text) for text in printed]
    cases = [
        (mpq(len(part), len(whole)), {"B": mpq(len(part)), "U": mpq(len(whole))})
        for whole, part in _worlds(3)
    ]
    return decided(
        all([each.evaluate(at) for each in claimed] == [share, 1 - share] for share, at in cases),
        f"the shares of selected and of other reviews in all {len(cases)} selections from at most 3 reviews",
        right="B/U and 1 - B/U",
        slip=True,
    )


def plug_in(printed: FormulaText, *, size: int, drawn: int) -> Finding:
    """Average the printed share of errors over all samples: for f fixed, and for f that memorizes its labels."""
    wrong = (1, *([0] * (size - 1)))
    share = formula(printed)
    samples = list(itertools.combinations(wrong, drawn))
    values = [share.evaluate({"e": mpq(sum(sample)), "n": mpq(drawn)}) for sample in samples]
    average = sum(values, mpq(0)) / len(samples)
    true = mpq(sum(wrong), size)
    memorized = share.evaluate({"e": mpq(0), "n": mpq(drawn)})
    elsewhere = mpq(size - drawn, size)
    return by_reading(
        {
            "f was fixed before these labels were seen, and they are a random sample": decided(
                average == true,
                f"{size} reviews, 1 of them answered wrongly, {drawn} labelled: the mean over all {len(samples)} "
                f"samples is {average}, the error rate {true}",
            ),
            "f was trained on these labels, as the training data are": decided(
                memorized == elsewhere,
                f"f that memorizes its {drawn} training labels and errs elsewhere: estimate {memorized}, "
                f"error rate {elsewhere}",
                right="estimate the error rate on data that f was not trained on",
            ),
        }
    )


def weights(printed: tuple[FormulaText, FormulaText]) -> Finding:
    """Return whether both formulas are the weights of the strata, and average to 1."""
    first, second = (formula(text) for text in printed)
    average = (first * formula("n") + second * formula("m")) / formula("n + m")
    cases = [(3, 5, 20, 60), (1, 4, 7, 13), (2, 2, 5, 5)]
    same = True
    for n, m, own, others in cases:
        library = Strata(populations={"B": own, "C": others}, samples={"B": n, "C": m}).weights
        at = {"n": mpq(n), "m": mpq(m), "b": mpq(own, own + others)}
        same = same and [first.evaluate(at), second.evaluate(at)] == [library["B"], library["C"]]
    return decided(
        same and average.equals(formula("1")),
        f"as the weights by strata in {len(cases)} examples" if same else "not the weights by strata",
        f"their average over the n + m samples is {average}",
        right="(n + m)/n*b and (n + m)/m*(1 - b)",
        slip=True,
    )


def recalculated() -> Finding:
    """Use the weights of training data of sizes (3, 1) on test data of sizes (1, 1), with b = 1/10."""
    train, test = (3, 1), (1, 1)

    def strata(sample: tuple[int, int]) -> Strata:
        return Strata(populations={"B": 100, "C": 900}, samples={"B": sample[0], "C": sample[1]})

    old, new = strata(train).weights, strata(test).weights
    average = (test[0] * old["B"] + test[1] * old["C"]) / sum(test)
    own = (test[0] * new["B"] + test[1] * new["C"]) / sum(test)
    return decided(
        average != 1 and own == 1,
        f"b = 1/10; training {train}: weights {old['B']}, {old['C']}; test {test}: weights {new['B']}, {new['C']}",
        f"on the test data the weights of the training data average to {average}, their own to {own}",
    )


def per_sample() -> Finding:
    """Compare the printed sums over samples with the matrix weighted by strata."""
    weights = Strata(populations={"B": 20, "C": 60}, samples={"B": 2, "C": 2}).weights
    samples = [("B", 1, 1), ("B", 0, 1), ("C", 1, 1), ("C", 1, 0)]
    predicted = sum((weights[s] for s, _, guess in samples if guess), mpq(0))
    both = sum((weights[s] for s, label, guess in samples if guess and label), mpq(0))
    matrix = ConfusionMatrix.from_labels(
        [label for _, label, _ in samples],
        [guess for _, _, guess in samples],
        [weights[s] for s, _, _ in samples],
    )
    return decided(
        matrix.precision == both / predicted,
        f"four samples, two of each stratum, |B| = 20, |U| = 80: precision {both / predicted} by the sum over samples "
        f"and {matrix.precision} by the weighted matrix",
    )
