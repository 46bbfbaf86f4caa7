"""Derivation of bias-adjusted metrics: the sets, the error rate, the weights, precision, recall and F1."""

from __future__ import annotations

import itertools
from functools import partial

from gmpy2 import mpq

from ntqr_exact.algebra.formula import constant, read_formula
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided, not_checkable
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.undefined import Undefined
from ntqr_exact.metrics.weighting import Strata

# Counts of labelled samples by stratum: n in B, m in its complement, e and g of them wrong; b = |B|/|U|.
WEIGHTS = {
    "wB": read_formula("(n + m)/n*b"),
    "wC": read_formula("(n + m)/m*(1 - b)"),
}


# -- the sets ---------------------------------------------------------------------------------------------------


def _worlds(size: int) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Return all (U, B) with U of at most `size` reviews."""
    return [
        (frozenset(range(whole)), frozenset(chosen))
        for whole in range(1, size + 1)
        for length in range(whole + 1)
        for chosen in itertools.combinations(range(whole), length)
    ]


def _selected_subset(_: str) -> Finding:
    failing = [(whole, part) for whole, part in _worlds(2) if not part < whole]
    return by_reading(
        {
            "⊂ may mean equality": decided(
                all(part <= whole for whole, part in _worlds(3)),
                "true of all selections from at most 3 reviews",
            ),
            "⊂ is proper": decided(
                not failing,
                f"smallest case: U has {len(failing[0][0])} review, T selects it, B = U",
                right="B ⊆ U: T may select every review",
            ),
        }
    )


def _complement(printed: str) -> Finding:
    """Is the set that is called the complement fixed by the printed relation?"""
    others = [
        (whole, part, rest)
        for whole, part in _worlds(3)
        for length in range(len(whole - part) + 1)
        for rest in map(frozenset, itertools.combinations(sorted(whole - part), length))
    ]
    allowed = [each for each in others if each[2] == each[0] - each[1] or printed == "subset or equal"]
    failing = [(u, b, c) for u, b, c in allowed if len(b) and len(b) + len(c) != len(u)]
    shown = failing[0] if failing else None
    return decided(
        shown is None,
        f"smallest case: |U| = {len(shown[0])}, |B| = {len(shown[1])}, B^c empty: B^c ⊆ U∖B is true, but B^c is not "
        "the set of all reviews that T left out, and |B| + |B^c| is not |U|"
        if shown
        else "with equality |B| + |B^c| = |U| always",
        right="B^c = U∖B, as the words and 1 − |B|/|U| need it",
        slip=True,
    )


def _bar_notation(_: str) -> Finding:
    whole, part = frozenset({0, 1}), frozenset({0})
    labelled, others = frozenset({0}), frozenset({1})
    outside = whole - frozenset()
    return by_reading(
        {
            "the labelled part of B^c": decided(others <= whole - part, "U = {0, 1}, B = {0}: {1} ⊆ U∖B"),
            "the complement of the labelled part of B": decided(
                outside <= whole - part,
                f"U = {{0, 1}}, B = {{0}}, nothing of B labelled: the complement of the empty set is U, not inside U∖B "
                f"(with {sorted(labelled)} labelled it is)",
                right="a letter of its own for the labelled part of B^c",
            ),
        }
    )


def _pairs(_: str) -> Finding:
    reviews, pairs = {"x"}, {("x", 1)}
    return decided(
        pairs <= reviews,
        "U is a set of reviews, B a set of pairs (x, y): with one review, B = {(x, 1)} is not part of U = {x}",
        "only |B|/|U| is used, for which pairs may stand for reviews",
        right="let U be the set of pairs (x, y) of reviews and their labels, known or not",
        slip=True,
    )


# -- the error rate ----------------------------------------------------------------------------------------------


def _total_probability(printed: str) -> Finding:
    """q with wrong or right, selected or not: P(wrong) = Σ P(wrong | T) P(T)."""
    chosen, others = read_formula("w1 + r1"), read_formula("1 - w1 - r1")
    symbols = {
        "e1": read_formula("w1") / chosen,
        "t1": chosen,
        "e0": read_formula("w0") / others,
        "t0": others,
    }
    found = read_formula(printed, symbols)
    return decided(
        found.equals(read_formula("w1 + w0")),
        f"with w_t the probability of a wrong answer and T = t: the right side is {found.numerator}"
        if found.denominator.is_constant
        else "with w_t the probability of a wrong answer and T = t: the right side is w_1 + w_0, all terms with a "
        f"quotient cancel: {found.equals(read_formula('w1 + w0'))}",
        right="e1*t1 + e0*t0",
        slip=True,
    )


def _selection_share(printed: str) -> Finding:
    claimed = [read_formula(text) for text in printed.split("; ")]
    cases = [
        (
            mpq(len(part), len(whole)),
            mpq(len(whole - part), len(whole)),
            {"B": mpq(len(part)), "U": mpq(len(whole))},
        )
        for whole, part in _worlds(3)
    ]
    return decided(
        all((claimed[0].evaluate(at), claimed[1].evaluate(at)) == (one, other) for one, other, at in cases),
        f"the shares of selected and of other reviews in all {len(cases)} selections from at most 3 reviews",
        "no estimate is needed for a random review of U: the share is exact",
        right="B/U; 1 - B/U",
        slip=True,
    )


def _plug_in(size: int, drawn: int, _: str) -> Finding:
    """Mean of the printed average over all labelled samples of a stratum, for f fixed and for f that memorizes."""
    wrong = (1, *([0] * (size - 1)))
    samples = list(itertools.combinations(wrong, drawn))
    average = sum((mpq(sum(sample), drawn) for sample in samples), mpq(0)) / len(samples)
    true = mpq(sum(wrong), size)
    return by_reading(
        {
            "f was fixed before these labels were seen, and they are a random sample": decided(
                average == true,
                f"{size} reviews, 1 of them answered wrongly, {drawn} labelled: mean over all {len(samples)} samples "
                f"{average} = {true}",
            ),
            "f was trained on these labels, as the training data are": decided(
                mpq(0, drawn) == mpq(size - drawn, size),
                f"f that memorizes its {drawn} training labels and errs elsewhere: estimate 0, "
                f"error rate {mpq(size - drawn, size)}",
                right="estimate the error rate on data that f was not trained on",
            ),
        }
    )


def _combined(printed: str) -> Finding:
    claimed = read_formula(printed, WEIGHTS)
    true = read_formula("b*(e/n) + (1 - b)*(g/m)")
    return decided(
        claimed.equals(true),
        "equal, as formulas in the counts, to b·(e/n) + (1 − b)·(g/m): e of n in B and g of m outside are wrong"
        if claimed.equals(true)
        else f"{claimed} is not {true}",
        "undefined if nothing of a stratum is labelled",
        right="e*b/n + g*(1 - b)/m",
        slip=True,
    )


def _weights(printed: str) -> Finding:
    first, second = (read_formula(text) for text in printed.split("; "))
    average = (first * read_formula("n") + second * read_formula("m")) / read_formula("n + m")
    library = Strata(populations={"B": 20, "C": 60}, samples={"B": 3, "C": 5}).weights
    at = {"n": mpq(3), "m": mpq(5), "b": mpq(1, 4)}
    same = (first.evaluate(at), second.evaluate(at)) == (library["B"], library["C"])
    return decided(
        first.equals(WEIGHTS["wB"]) and second.equals(WEIGHTS["wC"]) and same,
        f"n = 3, m = 5, b = 1/4: {first.evaluate(at)} and {second.evaluate(at)}; by strata "
        f"{library['B']} and {library['C']}",
        f"their average over the n + m samples is {'1, as formulas' if average.equals(constant(1)) else average}; "
        "both are 1 where n/(n + m) = b",
        right="(n + m)/n*b; (n + m)/m*(1 - b)",
        slip=True,
    )


def _recalculated(_: str) -> Finding:
    """Training and test data of sizes (n, m), with b = 1/10."""
    train, test = (3, 1), (1, 1)
    sizes = {"B": 100, "C": 900}

    def strata(sample: tuple[int, ...]) -> Strata:
        return Strata(populations=sizes, samples={"B": sample[0], "C": sample[1]})

    old, new = strata(train).weights, strata(test).weights
    average = (test[0] * old["B"] + test[1] * old["C"]) / sum(test)
    own = (test[0] * new["B"] + test[1] * new["C"]) / sum(test)
    return decided(
        average != 1 and own == 1,
        f"b = 1/10; training {train}: weights {old['B']}, {old['C']}; test {test}: weights {new['B']}, {new['C']}",
        f"on the test data the weights of the training data average to {average}, their own to {own}",
        right="the weights of both agree",
    )


# -- precision, recall, F1 ---------------------------------------------------------------------------------------

# tp, fp, fn with B or C for the stratum. P(y=1, f=1) = b·tpB/n + (1−b)·tpC/m, and so on.
_JOINT = {cell: read_formula(f"b*{cell}B/n + (1 - b)*{cell}C/m") for cell in ("tp", "fp", "fn")}
_SUMS = {cell: read_formula(f"wB*{cell}B + wC*{cell}C", WEIGHTS) for cell in ("tp", "fp", "fn")}


def _weighted_ratio(below: str, printed: str) -> Finding:
    """Weighted sums over the test data against the plug-in estimates of both strata."""
    claimed = read_formula(printed, _SUMS)
    true = read_formula(f"tp/(tp + {below})", _JOINT)
    nothing = ConfusionMatrix(tp=0, fp=0, fn=0, tn=2)
    value = nothing.precision if below == "fp" else nothing.recall
    return decided(
        claimed.equals(true),
        "equal, as formulas in the counts of both strata, to the quotient of the plug-in estimates; n + m cancels"
        if claimed.equals(true)
        else "not the quotient of the plug-in estimates",
        f"undefined (0/0) where nothing is {'predicted' if below == 'fp' else 'really'} positive: "
        f"{value.value if isinstance(value, Undefined) else value}",
        right=f"tp/(tp + {below})",
        slip=True,
    )


def _f1(printed: str) -> Finding:
    claimed = read_formula(printed, {"P": read_formula("tp/(tp + fp)"), "R": read_formula("tp/(tp + fn)")})
    true = read_formula("2*tp/(2*tp + fp + fn)")
    matrix = ConfusionMatrix(tp=0, fp=1, fn=1, tn=0)
    return decided(
        claimed.equals(true),
        "equal to 2TP/(2TP + FP + FN) with weighted cells, as formulas"
        if claimed.equals(true)
        else f"{claimed} is not 2TP/(2TP + FP + FN)",
        f"for TP = 0, FP = FN = 1 precision and recall are {matrix.precision} and {matrix.recall}: the printed "
        f"quotient is 0/0, the other form {matrix.f1}",
        right="2*P*R/(P + R)",
        slip=True,
    )


def _per_sample(_: str) -> Finding:
    """Weights that depend on the stratum only: the printed sums over samples are those over strata."""
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
        "w_i is not defined in the text; the weight of the stratum of sample i is meant",
    )


_TRAINING, _TESTING = "section Error Rate", "section Testing"

CLAIMS: tuple[Claim, ...] = (
    Claim("bias_adjusted/title/notebook", "title", Kind.SENTENCE, "The results notebook used these formulas.",
          lambda _: not_checkable("the notebook, which is not part of the text")),
    Claim("bias_adjusted/sets/selected", "first section", Kind.DEFINITION,
          r"The selected reviews are a subset $B\subset U$ of all.", _selected_subset),
    Claim("bias_adjusted/sets/pairs", "first section", Kind.DEFINITION,
          r"$U$ is a set of reviews, and $B=\{(x,y)|T(x)=1\}$ is part of it.", _pairs),
    Claim("bias_adjusted/sets/complement", "first section", Kind.DEFINITION,
          r"$B^c\subseteq U\setminus B$ is the complement: all reviews that were not selected.", _complement,
          printed="subset or equal"),
    Claim("bias_adjusted/sets/unseen", "first section", Kind.SENTENCE,
          "No epidemiologist saw a review of $B^c$, and yet a sample of it is labelled.",
          lambda _: not_checkable("who labelled the sample of $B^c$, and whether as the epidemiologists would")),
    Claim("bias_adjusted/sets/labelled", _TRAINING, Kind.DEFINITION,
          r"$\overline B^c\subset B^c$ is the labelled part of $B^c$.", _bar_notation),
    Claim("bias_adjusted/error-rate/total-probability", _TRAINING, Kind.IDENTITY,
          r"$p(f\ne y)=p(f\ne y|T=1)p(T=1)+p(f\ne y|T=0)p(T=0)$.", _total_probability, printed="e1*t1 + e0*t0"),
    Claim("bias_adjusted/error-rate/selection", _TRAINING, Kind.IDENTITY,
          r"$\hat p(T=1)=|B|/|U|$ and $\hat p(T=0)=1-|B|/|U|$.", _selection_share, printed="B/U; 1 - B/U"),
    Claim("bias_adjusted/error-rate/selected", _TRAINING, Kind.IDENTITY,
          r"$p(f\ne y|T=1)$ is estimated by the share of errors on the labelled training data from $B$.",
          partial(_plug_in, 2, 1)),
    Claim("bias_adjusted/error-rate/others", _TRAINING, Kind.IDENTITY,
          r"$p(f\ne y|T=0)$ is estimated by the share of errors on the labelled training data from $B^c$.",
          partial(_plug_in, 3, 2)),
    Claim("bias_adjusted/error-rate/combined", _TRAINING, Kind.IDENTITY,
          r"$\hat p(f\ne y)=\frac1{|\overline B|}\frac{|B|}{|U|}\sum_{\overline B}I+"
          r"\frac1{|\overline B^c|}(1-\frac{|B|}{|U|})\sum_{\overline B^c}I$.", _combined,
          printed="1/n*b*e + 1/m*(1 - b)*g"),
    Claim("bias_adjusted/error-rate/averaged", _TRAINING, Kind.IDENTITY,
          r"Multiplied and divided by the number of samples, the error rate is a weighted average over all of them.",
          _combined, printed="(wB*e + wC*g)/(n + m)"),
    Claim("bias_adjusted/error-rate/weights", _TRAINING, Kind.IDENTITY,
          r"$w_{\overline B}=\frac{|\overline B|+|\overline B^c|}{|\overline B|}\frac{|B|}{|U|}$ and "
          r"$w_{\overline B^c}=\frac{|\overline B|+|\overline B^c|}{|\overline B^c|}(1-\frac{|B|}{|U|})$.", _weights,
          printed="(n + m)/n*b; (n + m)/m*(1 - b)"),
    Claim("bias_adjusted/testing/recalculated", _TESTING, Kind.SENTENCE,
          "The weights must be computed anew from the proportions of the test data.", _recalculated),
    Claim("bias_adjusted/testing/weights", _TESTING, Kind.IDENTITY,
          r"On test data $w_{\underline B}=\frac{|\underline B|+|\underline B^c|}{|\underline B|}\frac{|B|}{|U|}$, and "
          r"likewise for $\underline B^c$.", _weights, printed="(n + m)/n*b; (n + m)/m*(1 - b)"),
    Claim("bias_adjusted/testing/sample-weights", _TESTING, Kind.DEFINITION,
          r"Sample $i$ of the test data has the weight $w_i$ of its stratum.", _per_sample),
    Claim("bias_adjusted/precision", "section Precision", Kind.IDENTITY,
          r"Precision is $\sum_{f=1}w_iI[y_i=1]/\sum_{f=1}w_i$.", partial(_weighted_ratio, "fp"),
          printed="1/(tp + fp)*tp"),
    Claim("bias_adjusted/recall", "section Recall", Kind.IDENTITY,
          r"Recall is $\sum_{y=1}w_iI[f(x_i)=1]/\sum_{y=1}w_i$.", partial(_weighted_ratio, "fn"),
          printed="1/(tp + fn)*tp"),
    Claim("bias_adjusted/f1", "section F1", Kind.IDENTITY,
          r"F1 is $2\cdot\mathrm{Precision}\cdot\mathrm{Recall}/(\mathrm{Precision}+\mathrm{Recall})$.", _f1,
          printed="2*P*R/(P + R)"),
)  # fmt: skip
