"""Sections 1 to 2.3 of the paper on orderings: the method ATC, the Ordering Lemma, the score functions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from gmpy2 import mpq
from sympy import Matrix

from ntqr_exact.confidence.atc import TieRule, atc
from ntqr_exact.confidence.ordering import vectors_over
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES, SIX, compare_scores
from ntqr_exact.exact.enclosure import LogSumKey, log_sum_sign
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.book import Book
from ntqr_exact.ledger.equations import formula
from ntqr_exact.ledger.judgement import Finding, all_cases, as_printed, by_reading, decided
from ntqr_exact.postulates.polynomial import Polynomial

BOOK = Book("orderings", r"""
Theorems 1 and 2 are right, and so are the counterexamples, the recounted wins of TweetEval and most of what is said of the
tables. What matters:

- Eq. 2 may have several minimisers. The Ordering Lemma holds once ties go by one rule on the order of scores, and not
  if any minimiser may be taken.
- The method as printed, $\mathbb P[s<t]=\Gamma$, is for an error. With an accuracy for $\Gamma$ the estimate rises as
  confidence falls.
- The formula for the Jensen-Shannon distance in the proof of theorem 1 is half of Jeffreys' divergence: the mixture is
  missing. Theorem 1 stands, as the right distance also rises strictly.
- On Banking77 the columns ATC-L2 and ATC-L2n, equal by theorem 2, differ by up to 0.70 in five rows, and have 9 and 2 wins
  in table 2. Ties in eq. 2, or rounding errors of the scores, may be the cause.
- On TweetEval the difference between ATC-Max and ATC-L2 or ATC-L2n cannot be significant by Tukey's test.
- The conclusion that the choice of the score matters little holds on average; in single dimensions of Banking77 it more
  than doubles the error. There DoC is better than some score in 47 of 76 dimensions.
""")  # fmt: skip


def at(function: Polynomial, **values: mpq | int) -> mpq:
    """Return the value of a formula at rational values of its variables."""
    return rational(str(function.evaluate({name: mpq(value) for name, value in values.items()})))


def binary(*tops: str) -> list[tuple[mpq, mpq]]:
    """Return vectors (a, 1 − a) of two labels for texts of a."""
    return [(mpq(a), 1 - mpq(a)) for a in tops]


def _small_vectors(largest: int) -> list[ProbabilityVector]:
    return [v for k in (2, 3, 4) for n in range(1, largest + 1) for v in vectors_over(n, labels=k)]


def _uniform(k: int) -> ProbabilityVector:
    return ProbabilityVector([1] * k, k)


def _vertex(k: int) -> ProbabilityVector:
    return ProbabilityVector([1] + [0] * (k - 1), 1)


@BOOK.claim
def _(printed: str) -> Finding:
    """sec-2-1/simplex | section 2.1 | k - 1
    Vectors of k probabilities form the simplex of dimension $k-1$.
    """
    ranks = {k: Matrix([[int(i == j) - int(i == 0) for i in range(k)] for j in range(1, k)]).rank() for k in range(2, 6)}
    text = ", ".join(f"{k} labels: {rank} independent differences of vertices" for k, rank in ranks.items())
    return as_printed(all(at(formula(printed), k=k) == rank for k, rank in ranks.items()), text)


def _below(source: Sequence[str], target: Sequence[str], gamma: str) -> mpq:
    """Return eq. 1 to 3 to the letter: the share of targets below the score t of the source with P[s < t] nearest Γ."""
    scores, size = sorted(map(mpq, source)), len(source)
    threshold = min(scores, key=lambda t: abs(mpq(gamma) - mpq(sum(s < t for s in scores), size)))
    return mpq(sum(mpq(s) < threshold for s in target), len(target))


@BOOK.claim
def _() -> Finding:
    r"""sec-2-1/general-metric | section 2.1 | verdict=depends | essential
    The method may take for $\Gamma$ any performance metric in [0, 1], not only the error.
    quote: they particularly take $\Gamma$ to be the classification error, but we will keep it more general for now
    instead: $\mathbb P[s(f(x))\ge t]=\Gamma^s$ if $\Gamma$ is an accuracy
    why: Eq. 1 puts the share $\Gamma$ of the lowest scores below the threshold, which is right for an error. With an accuracy
    for $\Gamma$, a surer target gets a lower accuracy.
    by hand: Source scores 0.6, 0.7, 0.8, 0.9 with accuracy 3/4: the threshold is 0.9. Of the targets 0.85, 0.85, 0.95, 0.95,
    all surer, half lie below it.
    """
    source, surer = ("0.6", "0.7", "0.8", "0.9"), ("0.85", "0.85", "0.95", "0.95")
    error, accuracy = _below(source, surer, "1/4"), _below(source, surer, "3/4")
    return by_reading({
        "Γ an error": decided(
            error <= mpq(1, 4) and atc(binary(*source), binary(*surer), error="1/4").estimate == error,
            f"on a surer target the error goes from 1/4 to {error}",
        ),
        "Γ an accuracy": decided(
            accuracy >= mpq(3, 4),
            f"source {', '.join(source)}, threshold 0.9, target {', '.join(surer)}: the accuracy goes from 3/4 to "
            f"{accuracy}, though each target is surer",
        ),
    })  # fmt: skip


@BOOK.claim
def _(printed: tuple[str, ...]) -> Finding:
    r"""sec-2-1/extremes | sections 2.1 and 2.3 | max; l2; l1-uniform; l2-uniform; entropy; jensen-shannon
    Each of the six scores is least at the uniform vector and largest at the vertices.
    note: each is symmetric and convex, so least at the centre and largest at vertices
    """
    cases = (
        (
            f"{name} at {vector}",
            set(printed) == set(SIX)
            and compare_scores(name, vector, _uniform(k)) == (vector != _uniform(k))
            and compare_scores(name, _vertex(k), vector) == (max(vector) != 1),
        )
        for name in printed
        for vector in _small_vectors(7)
        for k in [vector.labels]
    )
    return all_cases(cases, checked="six scores on vectors of 2 to 4 labels, denominators to 7")


Terms = list[tuple[mpq, mpq]]


def same_logs(terms: Terms, score: str, vector: ProbabilityVector) -> bool:
    """Tell whether a sum of coefficients times logarithms is the score of the library at a vector."""
    key = SCORES[score].key(vector)
    if not isinstance(key, LogSumKey):
        return False
    return log_sum_sign([*terms, *((mpq(-c, key.divisor), mpq(m)) for c, m in key.terms)]) == 0


def _logs(printed: tuple[str, ...], vector: ProbabilityVector) -> Terms:
    """Return coefficients and arguments of the logarithms of a printed score: form, term, argument."""
    form, term, argument = printed
    terms = [((-1 if form == "minus sum" else 1) * at(formula(term), p=p), at(formula(argument), p=p)) for p in vector if p]
    return [each for each in terms if each[0] != 0]


@BOOK.table
def _is_score(printed: tuple[str, ...], score: str) -> Finding:
    r"""
    sec-2-3/max        | sections 2.1 and 2.3 | max; p | max
        The max is the score $\max p_i$.
    sec-2-3/entropy    | section 2.3 | sum; p; p | entropy
        The negative entropy is the score $\sum p_i\log p_i$.
    sec-2-3/l2         | section 2.3 | root of sum; p**2 | l2
        The L2 norm is the score $\sqrt{\sum p_i^2}$.
    sec-2-3/l1-uniform | section 2.3 | sum of sizes; p - 1/k | l1-uniform
        The L1 distance to uniform is the score $\sum|p_i-1/k|$.
    sec-2-3/l2-uniform | section 2.3 | root of sum; (p - 1/k)**2 | l2-uniform
        The L2 distance to uniform is the score $\sqrt{\sum(p_i-1/k)^2}$.
    """
    known, (form, term) = SCORES[score], printed[:2]

    def same(vector: ProbabilityVector) -> bool:
        if len(printed) == 3:
            return same_logs(_logs(printed, vector), score, vector)
        values = [at(formula(term), p=p, k=vector.labels) for p in vector]
        values = [abs(value) for value in values] if form == "sum of sizes" else values
        return known.key(vector) == (max(values) if form == "max" else sum(values, mpq(0)))

    wrong = next((vector for vector in _small_vectors(6) if not same(vector)), None)
    rooted = (form == "root of sum") == known.formula.startswith("√")
    where = "at all vectors of 2 to 4 labels with denominators to 6" if wrong is None else f"not at {wrong}"
    return as_printed(wrong is None and rooted, f"it is {known.formula} {where}")


@BOOK.claim
def _(printed: tuple[str, str, str]) -> Finding:
    r"""sec-2-1/negative-entropy | section 2.1 | minus sum; p; p | verdict=misprint
    Negative entropy is the score $-\sum_j f_j\log f_j$, least at the centre.
    quote: negative entropy $s(f(x)) = -\sum_j f_j(x) \log(f_j(x))$
    right: sum; p; p
    instead: $s(f(x)) = \sum_j f_j(x) \log(f_j(x))$
    why: With the minus sign this is the entropy, which is largest at the uniform vector. Section 2.3 prints the score without
    it.
    """
    centre, corner = _logs(printed, _uniform(2)), _logs(printed, _vertex(2))
    sign = log_sum_sign([*centre, *((-c, m) for c, m in corner)])
    text = f"s(1/2, 1/2) is {'greater' if sign > 0 else 'less'} than s(1, 0), which is 0"
    return as_printed(sign < 0, text)


@BOOK.claim
def _() -> Finding:
    r"""eq-2 | eq. 2, and lemma 1 with its proof | verdict=depends | essential
    In practice $t=\arg\min_t|\Gamma^s-P[s(f(x))<t]|$ over the scores of the source: this is one t, with one vector p of
    $t=s(p)$ and $\hat t=\hat s(p)$, so that two order-isomorphic scores have equal estimates, $\Gamma^t=\hat\Gamma^t$.
    quote: $t = \arg \min_{t \in \text{ran } s(f(x)), x \in \mathcal{D}^s} |\Gamma^s - \mathbb{P}_{x \in \mathcal{D}^s}
    [s(f(x)) < t]|$
    instead: add: the smallest such $t$ if there are several
    why: The argmin need not be unique, and the text gives no rule for ties. If any minimiser may be taken, even one score has
    two estimates; with one rule that goes by the order of scores the lemma holds.
    by hand: Source scores 1/2 and 7/10, $\Gamma^s=1/4$: it is as far from $\mathbb P[s<1/2]=0$ as from
    $\mathbb P[s<7/10]=1/2$. A target of score 6/10 lies above the one threshold and below the other.
    """
    source, target, gamma = ("1/2", "7/10"), "6/10", "1/4"
    result = [atc(binary(*source), binary(target), error=gamma, tie_rule=rule) for rule in TieRule]
    shares = [f"P[s < {t}] = {mpq(sum(mpq(s) < mpq(t) for s in source), 2)}" for t in source]
    vectors = list(vectors_over(6, labels=3))
    small = list(product(vectors, vectors, vectors, (mpq(0), mpq(1, 4), mpq(1, 2), mpq(3, 4))))[::7]
    by_rule = all(
        atc([one, two], [aim], error=share, score="l2", tie_rule=rule).estimate
        == atc([one, two], [aim], error=share, score="l2-uniform", tie_rule=rule).estimate
        for rule in TieRule
        for one, two, aim, share in small
    )
    return by_reading({
        "any of the minimisers may be taken": decided(
            len({each.estimate for each in result}) == 1,
            f"source scores {' and '.join(source)}, Γ = {gamma}, target score {target}: {' and '.join(shares)} are equally "
            f"near; the threshold is {' or '.join(str(each.threshold) for each in result)}, the vector "
            f"{' or '.join(str(each.threshold_vector) for each in result)}, and the estimate "
            f"{' or '.join(str(each.estimate) for each in result)}",
        ),
        "ties go by one rule on the order of scores": decided(
            by_rule,
            "with the smallest, or with the largest, minimiser the L2 norm and the L2 distance to uniform agree on "
            "all small samples tried",
        ),
    })  # fmt: skip


@BOOK.claim
def _() -> Finding:
    r"""eq-1 | eqs. 1 to 3
    A threshold t is learnt with $P_{x\in D^s}[s(f(x))<t]=\Gamma^s$; in practice it is the score of the source for which the two
    sides differ least, and the estimate is $\Gamma^t=P_{x\in D^t}[s(f(x))<t]$, the share of the target below it.
    """
    cases = []
    for n in (1, 2, 3, 4):
        tops = [str(mpq(n + i + 1, 2 * n + 2)) for i in range(n)]
        for wrong in range(n + 1):
            result = atc(binary(*tops), binary(*tops, "0.55", "0.95"), error=mpq(wrong, n)).estimate
            right = _below(tops, [*tops, "0.55", "0.95"], str(mpq(wrong, n)))
            cases.append((f"scores {', '.join(tops)}, {wrong} wrong: {result}, counted {right}", result == right))
    text = "up to 4 distinct scores, each number of wrong answers; at Γ = 1 the nearest share is (n − 1)/n"
    return all_cases(cases, checked=text)


def differing_estimates(left: str, right: str) -> tuple[str, list[mpq]]:
    """Estimate by two scores on two vectors of three labels."""
    p, q = ProbabilityVector((4, 1, 1), 6), ProbabilityVector((3, 3, 0), 6)
    result = [atc([p, q], [q], error="1/2", score=name).estimate for name in (left, right)]
    text = f"source {p} and {q}, Γ = 1/2, target {q}: {left} estimates {result[0]}, {right} estimates {result[1]}"
    return text, result


@BOOK.claim
def _(printed: str) -> Finding:
    r"""sec-2-2/two-scores | section 2.2 | different | verdict=misprint
    Two different score functions on the same vectors have the same estimate.
    quote: if for the same set of vectors we have two different score functions, then the estimate $\Gamma^t$ should be the
    same
    right: order-isomorphic
    instead: two different score functions that order them alike
    why: A condition is missing: the two score functions must order the vectors alike.
    garbled: Words may have dropped out of the sentence.
    """
    text, result = differing_estimates(*(("max", "entropy") if printed == "different" else ("l2", "l2-uniform")))
    return as_printed(len(set(result)) == 1, text)


@BOOK.claim
def _(printed: tuple[str, ...]) -> Finding:
    """def-1/third-point | definition 1 | <; =; >
    Of the three biconditionals that define order-isomorphism, the third follows from the first two.
    """
    sign = {"<": -1, "=": 0, ">": 1}
    kept = [
        (one, other)
        for one, other in product((-1, 0, 1), repeat=2)
        if all((one == sign[each]) == (other == sign[each]) for each in printed[:-1])
    ]
    follows = all((one == sign[printed[-1]]) == (other == sign[printed[-1]]) for one, other in kept)
    text = f"of the 9 pairs of signs {len(kept)} agree in {' and '.join(printed[:-1])}; "
    text += f"{'all of them agree' if follows else 'they may differ'} in {printed[-1]}"
    return as_printed(follows and set(printed) == set(sign), text)


@BOOK.claim
def _(printed: tuple[str, ...]) -> Finding:
    r"""lemma-1/fixed | lemma 1 | f; D^s; D^shat; Gamma^s | verdict=misprint
    The lemma fixes $f$, $D^s$, $D^{\hat s}$ and $\Gamma^s$.
    quote: for a fixed $f, D^s, D^{\hat{s}}$, and $\Gamma^s$
    right: f; D^s; D^t; Gamma^s
    instead: $f, D^s, D^t$, and $\Gamma^s$
    why: The target $D^t$ must be fixed; $D^{\hat s}$ is not defined.
    garbled: The superscript may have been misread in the extraction of the text.
    """
    base = {"f": "0", "D^s": "0.6 0.8", "D^t": "0.7", "Gamma^s": "1/2"}
    other = {"f": "1/4", "D^s": "0.6 0.65", "D^t": "0.9", "Gamma^s": "0"}

    def outcome(parts: dict[str, str]) -> mpq:
        # Another f: a classifier that is surer by 1/4 on the targets.
        surest = min(mpq(1), mpq(parts["D^t"]) + mpq(parts["f"]))
        return atc(binary(*parts["D^s"].split()), [(surest, 1 - surest)], error=parts["Gamma^s"]).estimate

    wanted = [name for name in base if outcome({**base, name: other[name]}) != outcome(base)]
    text = f"the estimate changes with {', '.join(wanted)}; printed are {', '.join(printed)}"
    return as_printed(set(wanted) == set(printed), text)


@BOOK.claim
def _() -> Finding:
    """lemma-2 | lemma 2, and footnote 2
    Scores define orderings on the simplex, and to be order-isomorphic is an equivalence relation.
    """
    functions = list(product(range(3), repeat=3))
    orders = {s: tuple((s[i] > s[j]) - (s[i] < s[j]) for i, j in product(range(3), repeat=2)) for s in functions}
    following = {s: [t for t in functions if orders[s] == orders[t]] for s in functions}
    reflexive = all(s in following[s] for s in functions)
    symmetric = all(s in following[t] for s in functions for t in following[s])
    transitive = all(u in following[s] for s in functions for t in following[s] for u in following[t])
    vectors, total = list(vectors_over(4, labels=3)), True
    for name in SIX:
        below = {(p, q): compare_scores(name, p, q) <= 0 for p, q in product(vectors, repeat=2)}
        total = total and all(below[p, q] or below[q, p] for p, q in below)
        total = total and all(below[p, r] for p, q, r in product(vectors, repeat=3) if below[p, q] and below[q, r])
    return decided(
        reflexive and symmetric and transitive and total,
        f"definition 1 on all {len(functions)} functions of three points into three values is reflexive, symmetric and "
        f"transitive; it has {len(set(orders.values()))} classes, as many as three points have orders with ties",
        f"s(p) ≤ s(q) is total and transitive for all {len(SIX)} scores on {len(vectors)} vectors of three labels; "
        "different vectors may tie, so it is a preorder",
    )


@BOOK.claim
def _(printed: str) -> Finding:
    r"""lemma-3 | lemma 3, with its remark; section 2.3 | strictly monotonic
    If $\hat s=g(s)$ with strictly monotonic g, then s and $\hat s$ are order-isomorphic: scaling and square roots of a score have
    no effect, so that the squared L2 norm orders as the L2 norm.
    note: a factor must be positive, and a score under a root not negative
    """
    maps = [values for values in product(range(5), repeat=4) if list(values) == sorted(values)]
    if printed == "strictly monotonic":
        maps = [values for values in maps if len(set(values)) == 4]
    pairs, vectors, norm = list(product(range(4), repeat=2)), list(vectors_over(6, labels=3)), SCORES["l2"]
    rooted = all((norm.key(p) < norm.key(q)) == (norm.value(p) < norm.value(q)) for p, q in product(vectors, repeat=2))
    cases = ((f"g = {g}", all((g[i] < g[j]) == (i < j) and (g[i] == g[j]) == (i == j) for i, j in pairs)) for g in maps)
    proof = "g strictly increasing: x < y iff g(x) < g(y), and x = y iff g(x) = g(y)"
    checked = "strictly rising maps of 4 numbers into 5, and the L2 norm and its square on vectors of three labels over 6"
    return all_cases([*cases, ("the square of the L2 norm", rooted)], checked=checked, proof=proof)


@BOOK.claim
def _(printed: tuple[str, mpq]) -> Finding:
    r"""sec-2-3/chi-squared | section 2.3 | n*(k*S2 - 1); 1/2
    The L2 norm is connected with the $\chi^2$ test: $\chi^2=n(k\sum p_i^2-1)$; $\sum p_i^2$ measures concentration, and as
    Simpson's index diversity. Half the L1 distance to uniform is the total variation distance.
    """

    def same(vector: ProbabilityVector) -> bool:
        n, k, gaps = vector.denominator, vector.labels, [p - mpq(1, vector.labels) for p in vector]
        true = sum(((count - mpq(n, k)) ** 2 / mpq(n, k) for count in vector.numerators), mpq(0))
        events = (event for size in range(len(gaps) + 1) for event in combinations(gaps, size))
        total = printed[1] * sum(map(abs, gaps), mpq(0)) == max(sum(event, mpq(0)) for event in events)
        return total and at(formula(printed[0]), n=n, k=k, S2=sum((p**2 for p in vector), mpq(0))) == true

    wrong = next((vector for vector in _small_vectors(6) if not same(vector)), None)
    return as_printed(
        wrong is None,
        f"with S2 = Σ p², χ² of counts against uniform ones is {printed[0]}, and {printed[1]} of the L1 distance the largest "
        f"P(A) − U(A) over all events A, for 2 to 4 labels and up to 6 items: {wrong or 'without exception'}",
    )
