"""Laws of votes: counting, merging, marginals, relabeling and reordering all commute."""

import csv
import functools
import io
import itertools

import pandas as pd
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from ntqr_exact import LabeledVoteCounts, VoteCounts, count_rows, read_votes
from ntqr_exact.votes.read_votes import plain_label

names = st.one_of(
    st.sampled_from(
        ["a", "b", ",", "\\", "\\,", '"', '""', "{", "[x]", "\n", "a\r\nb", "\ufeff", "é", "e\u0301", "1"]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=3),
)


@st.composite
def shapes(draw, max_judges=4, max_labels=4):
    """Draw labels and judges."""
    labels = draw(st.lists(names, min_size=2, max_size=max_labels, unique=True))
    judges = draw(st.lists(names, min_size=1, max_size=max_judges, unique=True))
    return tuple(labels), tuple(judges)


def rows_of(labels, judges, min_size=0):
    return st.lists(st.tuples(*[st.sampled_from(labels)] * len(judges)), min_size=min_size, max_size=12)


@st.composite
def answered(draw, how_many=1, min_size=0, **limits):
    """Draw labels, judges and some lists of rows."""
    labels, judges = draw(shapes(**limits))
    return labels, judges, *(draw(rows_of(labels, judges, min_size)) for _ in range(how_many))


def votes_of(labels, judges, rows):
    return count_rows(rows, labels=labels, judges=judges)


# -- merging is counting the concatenation -----------------------------------------------------------


@given(answered(how_many=3))
def test_merging_is_associative_and_commutative_with_counting(test):
    labels, judges, *parts = test
    one, two, three = (votes_of(labels, judges, rows) for rows in parts)
    assert one + two == votes_of(labels, judges, parts[0] + parts[1])
    assert one + two == two + one
    assert (one + two).to_json() == (two + one).to_json()
    assert (one + two) + three == one + (two + three)
    assert (one + two).size == one.size + two.size
    assert one + VoteCounts({}, labels, judges) == one == eval(repr(one))
    assert str(one)
    assert hash(one + two) == hash(two + one)


@given(answered(how_many=2), st.data())
def test_merging_labeled_votes_is_counting_the_concatenation(test, data):
    labels, judges, *parts = test
    keys = [data.draw(st.lists(st.sampled_from(labels), min_size=len(p), max_size=len(p))) for p in parts]
    one, two = (
        count_rows(rows, labels=labels, judges=judges, truth=key)
        for rows, key in zip(parts, keys, strict=True)
    )
    both = count_rows(parts[0] + parts[1], labels=labels, judges=judges, truth=keys[0] + keys[1])
    assert one + two == two + one == both
    assert both.observed() == one.observed() + two.observed() == votes_of(labels, judges, parts[0] + parts[1])
    for place, judge in enumerate(judges):
        pairs = list(zip(keys[0] + keys[1], (row[place] for row in parts[0] + parts[1]), strict=True))
        assert both.confusion(judge) == {
            true: {label: pairs.count((true, label)) for label in labels} for true in labels
        }
    assert LabeledVoteCounts.from_json(both.to_json()) == both


# -- marginals ---------------------------------------------------------------------------------------


@given(answered(how_many=2), st.data())
def test_the_marginal_of_a_marginal_is_a_marginal(test, data):
    labels, judges, rows, more = test
    votes = votes_of(labels, judges, rows)
    outer = data.draw(st.permutations(judges))[: data.draw(st.integers(1, len(judges)))]
    inner = data.draw(st.permutations(outer))[: data.draw(st.integers(1, len(outer)))]
    places = [judges.index(judge) for judge in inner]
    assert votes.marginal(outer).marginal(inner) == votes.marginal(inner)
    assert votes.marginal(inner) == votes_of(labels, inner, [[row[i] for i in places] for row in rows])
    assert votes.marginal(judges) == votes
    assert votes.marginal(inner).size == votes.size
    assert (votes + votes_of(labels, judges, more)).marginal(inner) == votes.marginal(inner) + votes_of(
        labels, judges, more
    ).marginal(inner)
    for judge in inner:
        assert votes.marginal(inner).responses(judge) == votes.responses(judge)


@given(answered(min_size=1), st.data())
def test_a_restriction_is_a_part_of_the_votes(test, data):
    labels, judges, rows = test
    votes = votes_of(labels, judges, rows)
    judge = data.draw(st.sampled_from(judges))
    parts = [votes.restricted(judge, label) for label in labels]
    assert [part.size for part in parts] == list(votes.responses(judge).values())
    assert sum(parts[1:], parts[0]) == votes
    assert parts[0] == votes_of(labels, judges, [r for r in rows if r[judges.index(judge)] == labels[0]])


# -- relabeling and reordering commute with everything -----------------------------------------------


def swap(votes, first, second):
    return votes.relabeled({first: second, second: first}, votes.labels)


def moments(votes, label=None):
    pairs = itertools.combinations(votes.judges, 2)
    trios = itertools.combinations(votes.judges, 3)
    return (
        [votes.pair_moment(*pair, label=label) for pair in pairs],
        [votes.trio_moment(*trio, label=label) for trio in trios],
    )


@given(answered(how_many=2, min_size=1, max_labels=2))
def test_swapping_two_labels_keeps_pair_moments_and_turns_trio_moments(test):
    labels, judges, rows, more = test
    votes = votes_of(labels, judges, rows)
    swapped = swap(votes, *labels)
    pairs, trios = moments(votes)
    assert moments(swapped) == (pairs, [-moment for moment in trios])
    assert moments(votes, labels[0]) == (pairs, [-moment for moment in trios])
    assert swap(swapped, *labels) == votes
    other = votes_of(labels, judges, more)
    assert swap(votes + other, *labels) == swapped + swap(other, *labels)


@given(answered(how_many=2, min_size=1), st.data())
def test_swapping_labels_commutes_with_everything(test, data):
    labels, judges, rows, more = test
    votes, other = votes_of(labels, judges, rows), votes_of(labels, judges, more)
    first, second = data.draw(st.permutations(labels))[:2]
    new = {**dict(zip(labels, labels, strict=True)), first: second, second: first}
    some = data.draw(st.permutations(judges))[: data.draw(st.integers(1, len(judges)))]
    judge, label = data.draw(st.sampled_from(judges)), data.draw(st.sampled_from(labels))

    exchanged = functools.partial(swap, first=first, second=second)
    assert exchanged(votes) == votes_of(labels, judges, [[new[cell] for cell in row] for row in rows])
    assert exchanged(exchanged(votes)) == votes
    assert exchanged(votes).labels == labels
    assert exchanged(votes + other) == exchanged(votes) + exchanged(other)
    assert exchanged(votes.marginal(some)) == exchanged(votes).marginal(some)
    assert exchanged(votes.restricted(judge, label)) == exchanged(votes).restricted(judge, new[label])
    assert exchanged(votes).agreement(*some) == votes.agreement(*some)
    assert exchanged(votes).response_rate(judge, new[label]) == votes.response_rate(judge, label)
    assert moments(exchanged(votes), new[label]) == moments(votes, label)
    assert VoteCounts.from_json(exchanged(votes).to_json()) == exchanged(
        VoteCounts.from_json(votes.to_json())
    )


@given(answered(how_many=2, min_size=1), st.data())
def test_reordering_judges_commutes_with_everything(test, data):
    labels, judges, rows, more = test
    votes, other = votes_of(labels, judges, rows), votes_of(labels, judges, more)
    order = data.draw(st.permutations(judges))
    places = [judges.index(name) for name in order]
    some = data.draw(st.permutations(judges))[: data.draw(st.integers(1, len(judges)))]
    judge, label = data.draw(st.sampled_from(judges)), data.draw(st.sampled_from(labels))
    turned = votes.marginal(order)
    assert turned == votes_of(labels, order, [[row[i] for i in places] for row in rows])
    assert turned.marginal(judges) == votes
    assert (votes + other).marginal(order) == turned + other.marginal(order)
    assert turned.marginal(some) == votes.marginal(some)
    assert turned.restricted(judge, label) == votes.restricted(judge, label).marginal(order)
    assert turned.agreement(*some) == votes.agreement(*some)
    assert turned.agreement() == votes.agreement()
    assert turned.responses(judge) == votes.responses(judge)
    assert turned.central_moment(some, label=label) == votes.central_moment(some, label=label)
    assert VoteCounts.from_json(turned.to_json()) == turned
    assert swap(turned, *labels[:2]) == swap(votes, *labels[:2]).marginal(order)


@given(answered(), st.data())
def test_renaming_changes_nothing_but_names(test, data):
    labels, judges, rows = test
    votes = votes_of(labels, judges, rows)
    new_labels = data.draw(st.lists(names, min_size=len(labels), max_size=len(labels), unique=True))
    new = dict(zip(labels, new_labels, strict=True))
    renamed = votes.relabeled(new, new_labels)
    assert renamed == votes_of(new_labels, judges, [[new[cell] for cell in row] for row in rows])
    assert renamed.relabeled(dict(zip(new_labels, labels, strict=True)), labels) == votes
    assert list(renamed.counts.values()) == list(votes.counts.values())


@given(answered(min_size=1))
def test_frequencies_add_up_to_one_and_are_shares(test):
    labels, judges, rows = test
    votes = votes_of(labels, judges, rows)
    assert sum(votes.frequency(pattern) for pattern in votes.patterns()) == 1
    for pattern in votes.patterns():
        assert votes.frequency(pattern) == mpq(rows.count(pattern), len(rows))
        assert (pattern in votes.counts) == (pattern in rows)


# -- counting is counting, whatever is counted -------------------------------------------------------


def csv_text(judges, rows, end):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(judges)
    writer.writerows(rows)
    return stream.getvalue()


visible = names.filter(lambda name: name == name.strip() and plain_label(name) == name)


@pytest.mark.filterwarnings("ignore::ntqr_exact.errors.DecisionsWarning")
@given(st.data(), st.sampled_from(["\n", "\r\n", "\r"]))
def test_counting_csv_is_counting_rows_is_counting_frames(data, end):
    labels = data.draw(st.lists(visible, min_size=2, max_size=4, unique=True))
    judges = data.draw(st.lists(visible, min_size=1, max_size=4, unique=True))
    rows = data.draw(rows_of(labels, judges, min_size=1))
    expected = votes_of(labels, judges, rows)
    text = csv_text(judges, rows, end)
    assert read_votes(io.StringIO(text, newline=""), labels=labels, delimiter=",", header=True) == expected
    columns = {judge: [row[i] for row in rows] for i, judge in enumerate(judges)}
    assert read_votes(pd.DataFrame(columns), labels=labels) == expected
    if len({label for row in rows for label in row}) >= 2:
        assert read_votes(io.StringIO(text, newline=""), delimiter=",", header=True) == count_rows(
            rows, judges=judges
        )


@pytest.mark.filterwarnings("ignore::ntqr_exact.errors.DecisionsWarning")
@settings(max_examples=25)
@given(test=answered(), mark=st.sampled_from([b"", b"\xef\xbb\xbf"]))
def test_a_file_gives_the_votes_that_were_written_to_it(tmp_path_factory, test, mark):
    labels, judges, rows = test
    votes = votes_of(labels, judges, rows)
    path = tmp_path_factory.mktemp("votes") / "votes"
    path.write_bytes(mark + votes.to_json().encode())
    assert read_votes(path) == votes
    if all(name.strip() for name in judges):
        path.write_bytes(mark + csv_text(judges, rows, "\r\n").encode())
        assert read_votes(path, labels=labels, delimiter=",", header=True) == votes
