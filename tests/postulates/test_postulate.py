"""A postulate is a value: it is specialised, tested, printed, and read back."""

import copy
import pickle
from itertools import product

import pytest

from ntqr_exact import solve_independent
from ntqr_exact.errors import BadChoice, BadVotes, EmptyTest
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates import (
    PostulateSet,
    agreement,
    agreement_solution,
    complete,
    independent,
    misprints,
    pair,
    single,
    solution,
    trio,
)
from ntqr_exact.postulates.notation import NOTATION, VOTES, read_name
from ntqr_exact.postulates.polynomial import read_document, read_text
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

EVERYTHING = [
    *single(),
    *pair(),
    *trio(),
    *independent(3),
    *independent(2, ("x", "y", "z")),
    *complete(2, ("x", "y", "z")),
    *agreement(),
    *agreement_solution(),
    *solution(),
    *misprints(),
]


@pytest.mark.parametrize("postulate", EVERYTHING, ids=lambda p: p.name)
def test_every_postulate_is_printed_as_it_means_and_leads_with_what_it_is_solved_for(postulate):
    assert pickle.loads(pickle.dumps(postulate)) == postulate == copy.deepcopy(postulate)
    document = postulate.to_document()
    assert read_document(document["polynomial"]) == read_text(document["formula"]) == postulate.polynomial
    assert postulate.latex().count("{") == postulate.latex().count("}")
    if postulate.solved_for:
        with_it = [m for m in postulate.polynomial.terms if postulate.solved_for in dict(m)]
        assert with_it == [((postulate.solved_for, 1),)]


def test_specialising_puts_in_all_that_is_observed():
    votes = VoteCounts({"aa": 2, "ab": 1, "bb": 1})
    special = pair().specialise(votes)
    for postulate in special:
        assert not any(
            NOTATION[read_name(name).kind].side == VOTES for name in postulate.polynomial.variables()
        )
    assert special["34"].polynomial == special["18"].polynomial == special["f_{a_1}"].polynomial == 0
    assert special["35"].polynomial == 0
    evaluation = Evaluation.from_accuracies(
        {"a": "1/2", "b": "1/2"},
        [{"a": 1, "b": "1/2"}, {"a": "1/2", "b": "1/2"}],
        {("a", (0, 1)): 0, ("b", (0, 1)): "1/4"},
    )
    for before, after in zip(pair().rates, special.rates, strict=True):
        assert before.residual(evaluation, votes) == after.residual(evaluation, votes) == 0


def test_a_surd_evaluation_has_an_exact_residual():
    counts = zip(product("ab", repeat=3), (181, 90, 86, 115, 86, 109, 100, 233), strict=True)
    votes = VoteCounts(dict(counts))
    found, swapped = solve_independent(votes).solutions
    assert isinstance(found.prevalence["a"], Surd)
    for postulate in (*independent(3), *solution()):
        assert postulate.residual(found, votes) == postulate.residual(swapped, votes) == 0, postulate.name
    off = Evaluation(found.prevalence, found.response_rates[::-1])
    assert independent(3)["42"].residual(off, votes) != 0


def test_a_label_without_questions_leaves_only_what_depends_on_it_undefined():
    test = LabeledVoteCounts({"a": VoteCounts({"aa": 1, "ab": 2})})
    assert pair()["26a"].residual(test) == 0
    assert pair()["33a"].residual(test) == 0
    assert pair()["33c"].residual(test) == 0  # x_1 = f_{a_1} here, so that the undefined y drop out
    assert agreement()["30"].residual(test) == 0
    assert (
        solution()["d_1 defined"].residual(LabeledVoteCounts({"a": VoteCounts({"aaa": 1})}))
        is Undefined.NO_QUESTIONS
    )


ONE = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 2, "b": 1}])
TWO = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 2, "b": 1}, {"a": 1, "b": 1}])
OBSERVED = VoteCounts({"aa": 2, "ab": 1, "bb": 1})


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: pair()["26a"].residual(TWO, OBSERVED), BadVotes),
        (lambda: pair()["26a"].residual(TWO.rates(), OBSERVED), BadVotes),
        (lambda: pair()["26a"].residual(TWO), BadVotes),
        (lambda: complete(2)["R(a,a)"].residual(TWO, OBSERVED), BadVotes),
        (lambda: pair()["33b"].residual(ONE, VoteCounts({"aa": 4})), BadVotes),
        (lambda: pair().specialise(VoteCounts({"a": 4})), BadVotes),
        (lambda: pair().specialise(VoteCounts({("x", "y"): 4}, ("x", "y"))), BadVotes),
        (lambda: single()["16"].residual(ONE, VoteCounts({("x",): 4}, ("x", "y"))), BadVotes),
        (lambda: single()["16"].specialise(VoteCounts({("a", None): 1, "ab": 1})), BadVotes),
        (lambda: single()["16"].specialise(VoteCounts({"a": 0})), EmptyTest),
        (lambda: single()["5"].residual(LabeledVoteCounts({"a": VoteCounts({"a": 0})})), EmptyTest),
        (lambda: single()["33"], BadChoice),
    ],
)
def test_bad_input_is_refused(call, error):
    with pytest.raises(error):
        call()


def test_a_set_finds_by_name_and_place():
    found = single()
    assert found["16"] is found[found.names.index("16")]
    assert len(found.rates) + len(found.responses) == len(found)
    assert pickle.loads(pickle.dumps(found)) == found
    assert isinstance(found + PostulateSet([]), PostulateSet)
    assert pair().latex().count(r"\text{(") == len(pair())
    assert r"\text{(f\_\{a\_1\})}" in pair()._repr_latex_()
