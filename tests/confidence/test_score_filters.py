"""ATC on arrays: the same results as on lists, with a filter that only ever skips what it has proven."""

import builtins
from itertools import permutations

import gmpy2
import numpy as np
import pytest
from gmpy2 import mpq

from ntqr_exact.confidence import score_filters
from ntqr_exact.confidence.atc import AtcReading, TieRule, atc, bootstrap_atc, doc
from ntqr_exact.confidence.ordering import rank_vectors
from ntqr_exact.confidence.probability_vector import VectorTable, vectors_from_counts, vectors_from_floats
from ntqr_exact.confidence.score_filters import filtered_scores, ranks_of_tables, x_log_x
from ntqr_exact.confidence.scores import SCORES, SIX, ScoreFunction, entropy_key, score_function
from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.exact.enclosure import enclose_log


def tables(seed, labels, size):
    generator = np.random.default_rng(seed)
    shares = np.full(labels, 0.6)
    return [generator.dirichlet(shares, size=n) for n in (size, size // 2 + 1)]


def coarse(seed, labels, size, total):
    """Counts of few values: many ties."""
    generator = np.random.default_rng(seed)
    shares = np.full(labels, 1 / labels)
    return [generator.multinomial(total, shares, size=n) for n in (size, size // 2 + 1)]


@pytest.mark.parametrize("score", list(SCORES))
@pytest.mark.parametrize("rule", list(TieRule))
def test_floats_in_a_table_give_the_estimate_of_the_list(score, rule):
    source, target = (vectors_from_floats(part) for part in tables(1, 4, 120))
    for error in (mpq(0), mpq(1, 7), mpq(1, 2), mpq(119, 120), mpq(1)):
        assert atc(source, target, error=error, score=score, tie_rule=rule) == (
            atc(list(source), list(target), error=error, score=score, tie_rule=rule)
        )


@pytest.mark.parametrize("numerator", range(1, 12))
def test_a_row_beyond_the_band_that_lies_below_one_in_it_is_the_next_score(numerator):
    # The second row is on the edge of the first row's band, the third an ulp beyond it; exactly, the third is less.
    rows = [
        [0.7499999999972715, 0.2500000000027285],
        [0.6000307670259672, 0.20001025567532235],
        [0.749996282941762, 0.24999876098058732],
    ]
    for order in permutations(rows):
        source, target = vectors_from_floats(np.array(order)), vectors_from_floats(np.array(rows[2:]))
        error = mpq(numerator, 12)
        assert atc(source, target, error=error) == atc(list(source), list(target), error=error)


@pytest.mark.parametrize("score", list(SCORES))
@pytest.mark.parametrize("reading", list(AtcReading))
def test_ties_in_a_table_are_ties(score, reading):
    source, target = (vectors_from_counts(part) for part in coarse(2, 3, 150, 12))
    for error in (mpq(0), mpq(1, 3), mpq(31, 100), mpq(9, 10), mpq(1)):
        for rule in TieRule:
            options = {"error": error, "score": score, "reading": reading, "tie_rule": rule}
            assert atc(source, target, **options) == atc(list(source), list(target), **options)


def test_the_tie_between_entropies_is_not_broken_by_rounding():
    source = vectors_from_counts(np.array([[1, 8, 9], [3, 3, 12], [6, 6, 6], [0, 0, 18]]))
    target = vectors_from_counts(np.array([[12, 3, 3], [9, 8, 1]]))
    found = atc(source, target, error="1/4", score="entropy")
    assert (found.source_share, found.estimate) == (mpq(1, 4), 0)
    assert atc(source, target, error="3/4", score="entropy").estimate == 1


def test_few_vectors_are_compared_exactly(monkeypatch):
    compared = []
    keys = score_filters.ranks_of_keys
    monkeypatch.setattr(score_filters, "ranks_of_keys", lambda each: compared.extend(each) or keys(each))
    source, target = (vectors_from_floats(part) for part in tables(5, 10, 20_000))
    for score in SIX:
        atc(source, target, error="1/5", score=score)
    sure = [vectors_from_floats(saturated(14, 1)), vectors_from_floats(saturated(6, 2))]
    assert atc(*sure, error="1/3", score="entropy") == atc(*map(list, sure), error="1/3", score="entropy")
    assert len(compared) < 20


@pytest.mark.parametrize("score", SIX)
def test_the_bound_of_the_filter_holds(score):
    generator = np.random.default_rng(6)
    for labels in (2, 3, 10, 60):
        rows = generator.dirichlet(np.full(labels, 0.2), size=40)
        rows[0, 0], rows[1], rows[2] = 1e-310, 1 / labels, np.eye(labels)[0]
        rows[3:8] *= 1e6
        table = vectors_from_floats(rows)
        values, bound = filtered_scores(table, SCORES[score])
        for vector, approximation in zip(table, values.tolist(), strict=True):
            key = SCORES[score].key(vector)
            if score == "entropy":  # as −log H, which orders alike; a certain vector stands above all others
                entropy = -key.enclose(3000).lower
                entropy = mpq(0) if max(vector) == 1 else entropy
                exact = mpq(approximation) if not entropy else -enclose_log(entropy, 200).lower
                assert (approximation == 4096) == (not entropy)
            elif score == "jensen-shannon":  # twice the divergence, without what is the same for every vector
                exact = 2 * key.enclose(200).lower - 2 * gmpy2_log(2) + gmpy2_log(labels)
            else:
                exact = key + (mpq(1, labels) if score == "l2-uniform" else 0)
            assert abs(mpq(approximation) - exact) <= mpq(bound.item())


def gmpy2_log(number):
    return enclose_log(number, 200).lower


def test_x_log_x_is_within_its_bound():
    generator = np.random.default_rng(7)
    special = [
        0.0,
        5e-324,
        1e-300,
        0.5,
        np.nextafter(0.5, 0),
        np.nextafter(1, 0),
        1.0,
        np.nextafter(1, 2),
        2.0,
    ]
    edges = np.arange(1024, 2048) / 2048
    numbers = np.concatenate(
        [
            special,
            generator.random(3000) * 2,
            2.0 ** -generator.integers(0, 900, 500),
            edges,
            np.nextafter(edges, 0),
        ]
    )
    context = gmpy2.context(precision=200)
    for x, found in zip(numbers.tolist(), x_log_x(numbers).tolist(), strict=True):
        exact = mpq(0) if x == 0 else mpq(context.mul(gmpy2.mpfr(x), context.log(gmpy2.mpfr(x))))
        assert abs(mpq(found) - exact) < mpq(1, 2**44)


def test_a_table_that_could_overflow_has_no_bound_and_the_same_result():
    rows = np.array([[1e300, 2e300, 1e299], [1e-300, 1e-300, 3e-300], [0.5, 0.25, 0.25]])
    table = vectors_from_floats(rows)
    for score in SIX:
        assert filtered_scores(table, SCORES[score])[1] == 1
        assert atc(table, table, error="1/3", score=score) == (
            atc(list(table), list(table), error="1/3", score=score)
        )


def test_a_score_that_sees_the_order_of_labels_tells_permuted_rows_apart():
    first = ScoreFunction("first", lambda vector: vector[0])
    table = vectors_from_counts(np.array([[3, 1], [1, 3], [2, 2], [4, 0], [0, 4]]))
    for error in ("0", "1/5", "2/5", "3/5", "1"):
        assert atc(table, table, error=error, score=first) == (
            atc(list(table), list(table), error=error, score=first)
        )


def test_empty_or_unlike_tables_are_refused():
    some = vectors_from_counts(np.array([[1, 1]]))
    for rows in (np.zeros((0, 2), dtype=int), np.array([[1]]), np.array([1, 1])):
        with pytest.raises(BadSamples):
            vectors_from_counts(rows)
    with pytest.raises(BadSamples):
        atc(some, vectors_from_counts(np.array([[1, 1, 1]])), error=0)
    with pytest.raises(BadNumber):
        atc(some, some, error=2)


def test_the_same_vectors_are_made_without_numpy(monkeypatch):
    rows = [[4, 1, 1], [3, 3, 0]]

    class Table:
        def __array__(self):
            raise AssertionError

        def __iter__(self):
            return iter(rows)

    real = builtins.__import__

    def without(name, *arguments, **options):
        if name == "numpy":
            raise ImportError(name)
        return real(name, *arguments, **options)

    expected = vectors_from_counts(rows)
    monkeypatch.setattr(builtins, "__import__", without)
    found = vectors_from_counts(Table())
    assert found == expected
    assert not isinstance(found, VectorTable)


@pytest.mark.parametrize("score", SIX)
def test_ranks_of_tables_are_those_of_their_vectors_also_where_scores_are_ulps_apart(score):
    generator = np.random.default_rng(5)
    rows = generator.dirichlet(np.ones(3), 12)
    close = np.nextafter(rows, 1)
    source, target = np.concatenate([rows, close, rows[:, ::-1]]), np.concatenate([close, rows[:4]])
    tables = vectors_from_floats(source), vectors_from_floats(target)
    ours, theirs = ranks_of_tables(*tables, score_function(score))
    expected = rank_vectors(score_function(score), [*tables[0], *tables[1]])
    assert [rank - 1 for rank in (*ours, *theirs)] == expected
    for at in range(len(source)):
        error, lists = mpq(at, len(source)), list(map(list, tables))
        assert atc(*tables, error=error, score=score) == atc(*lists, error=error, score=score)
    weights = [int(w) for w in generator.integers(0, 4, len(source))]
    for options in ({"source_weights": weights}, {}):
        assert (
            atc(*tables, error="1/3", score=score, **options).estimate
            == atc(list(tables[0]), list(tables[1]), error="1/3", score=score, **options).estimate
        )


def test_a_bootstrap_of_tables_is_that_of_lists_and_doc_too():
    generator = np.random.default_rng(6)
    tables = [vectors_from_floats(np.round(generator.dirichlet(np.ones(3), 30), 1) + 0.05) for _ in range(2)]
    lists = [list(table) for table in tables]
    for rule in TieRule:
        options = {"labels": [0, 1, 2] * 10, "resamples": 40, "seed": 2, "tie_rule": rule}
        assert bootstrap_atc(*tables, **options) == bootstrap_atc(*lists, **options)
    weights = [1, 2, 0] * 10
    assert doc(*tables, accuracy="1/2", source_weights=weights) == doc(
        *lists, accuracy="1/2", source_weights=weights
    )


def saturated(size, seed):
    """Rows of a softmax that is almost sure: the other shares run down to the smallest doubles, and to 0."""
    generator = np.random.default_rng(seed)
    rows = np.exp(-generator.uniform(0, 760, (size, 5)))
    rows[np.arange(size), generator.integers(0, 5, size)] = 1
    rows[:2] = np.eye(5)[:2]
    return rows / rows.sum(axis=1, keepdims=True)


def test_the_bound_holds_for_saturated_rows():
    source = vectors_from_floats(saturated(14, 1))
    values, bound = filtered_scores(source, SCORES["entropy"])
    for vector, approximation in zip(source, values.tolist(), strict=True):
        entropy = -entropy_key(vector).enclose(6000).lower
        if max(vector) < 1:
            assert abs(mpq(approximation) + enclose_log(entropy, 200).lower) <= mpq(bound.item())
