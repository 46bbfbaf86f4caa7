"""What is exported to a proof assistant says what it should; without Coq it is compared with stored files."""

import copy
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from ntqr_exact import VoteCounts, example, solve_independent
from ntqr_exact.cli.main import main
from ntqr_exact.dependence import coq_dependence
from ntqr_exact.dependence.closed_bounds import tetrad_bound
from ntqr_exact.dependence.coq_dependence import dependence_to_coq, has_theorem
from ntqr_exact.dependence.least import least_dependence
from ntqr_exact.dependence.panel import certificate, problem_of
from ntqr_exact.dependence.short_proof import moments_certificate
from ntqr_exact.errors import BadVotes, NotSupported
from ntqr_exact.ledger.registry import claims
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.postulates.equations import misprints
from ntqr_exact.proofs import check as checking
from ntqr_exact.proofs.check import check_proofs
from ntqr_exact.proofs.coq_votes import ALARM_THEOREMS, solution_to_coq, votes_to_coq
from ntqr_exact.proofs.library import MODULES, library_theorems, source_of, theorems_of
from ntqr_exact.proofs.proven_page import proven_table

STORED = Path(__file__).parent / "stored"

TREES = json.loads((STORED / "tree_certificates.json").read_text(encoding="utf-8"))
"""Certificates by boxes: two of trios about the same votes, a range, three labels, and one about every key."""

SHORT = json.loads((STORED / "short_certificates.json").read_text(encoding="utf-8"))
"""Certificates by the rank of covariances and by whole numbers: of three judges, trios included, and of four."""

PRODUCTS = json.loads((STORED / "product_certificates.json").read_text(encoding="utf-8"))
"""Certificates by products of bounds, of four ends about the same votes; two need the moments of trios."""

PAIR = VoteCounts({"ab": 1, "ba": 1})
TRIO = VoteCounts(
    {"aab": 1, "aac": 1, "abb": 1, "acc": 1, "bac": 1, "bba": 1, "cca": 2}, labels=("a", "b", "c")
)
FOUR = VoteCounts({"aaab": 7, "aabb": 2, "abab": 5, "bbba": 6, "bbaa": 3, "baba": 2, "aaaa": 4, "bbbb": 4})
PAIRS = [(0, 1), (0, 2), (1, 2)]


def short(votes: VoteCounts, place: int) -> str:
    """One of the inequalities of the closed form, as a theorem."""
    found = tetrad_bound(votes)
    return dependence_to_coq([moments_certificate(votes, replace(found, bounds=found.bounds[place:]), [2])])


def exports() -> dict[str, str]:
    """Small files of every kind that is written."""
    return {
        "equation_33d.v": derive("33d").to_coq(),
        "equation_33d.lean": derive("33d").to_lean(),
        "two_norm.v": solution_to_coq(solve_independent(example("two-norm").votes)),
        "independent_key.v": solution_to_coq(solve_independent(VoteCounts({"aaa": 2, "bbb": 1}))),
        "dependent_trio.v": short(example("uci-adult-imaginary").votes, 0),
        "dependent_cycle.v": short(VoteCounts({"aab": 1, "aba": 1, "baa": 1}), 0),
        **{f"dependent_four_{place}.v": short(FOUR, place) for place in (0, 1)},
        "dependent_rank.v": dependence_to_coq([SHORT[0]]),
        "dependent_whole.v": dependence_to_coq([SHORT[1]]),
        "dependent_whole_four.v": dependence_to_coq([SHORT[2]]),
        "dependent_products.v": dependence_to_coq(PRODUCTS),
        "dependent_boxes.v": dependence_to_coq(TREES[:2]),
        "dependent_range.v": dependence_to_coq([TREES[2]]),
        "dependent_always.v": dependence_to_coq([TREES[4]]),
        "dependent_three_labels.v": dependence_to_coq([TREES[3]]),
    }


@pytest.mark.parametrize("name", sorted(exports()))
def test_what_is_written_is_the_stored_file_that_coq_has_accepted(name):
    assert exports()[name] == (STORED / name).read_text(encoding="utf-8")


def test_votes_are_written_in_the_order_of_the_table_with_a_theorem_for_each_alarm():
    text = solution_to_coq(solve_independent(VoteCounts({"aab": 1, "aba": 1, "baa": 1})))
    assert "Table 0 1 1 0 1 0 0 0." in text
    assert theorems_of(text) == ("negative_product", "no_root")
    with pytest.raises(BadVotes, match="three judges and two labels"):
        votes_to_coq(VoteCounts({"ab": 1}), ())


def test_every_alarm_of_three_judges_has_its_theorem_in_the_library():
    for kind, theorem in ALARM_THEOREMS.items():
        statement = library_theorems()[theorem].statement
        assert statement.endswith(f"{kind.name.lower()} v = true -> ~ has_independent_key v")


def test_every_misprint_is_refuted_in_the_library():
    for name in misprints().names:
        printed = f"printed_{name.replace('16R', '16_in_counts')}"
        assert f"~ {printed}" in (found := library_theorems()[f"{printed}_is_wrong"]).statement or (
            found.statement == f"refuted {printed}"
        )


def test_a_derivation_states_every_given_equation_and_its_claim():
    derivation = derive("33d")
    text = derivation.to_coq()
    statement = text[text.index("Theorem") : text.index("Proof.\n  intros")]
    assert statement.count("== 0 ->") == len(derivation.given)
    assert "accuracy_a_1 * accuracy_b_2" in statement.rpartition("->")[2]
    assert text.count("assert (step_") == len(derivation.steps)


def test_lean_gets_every_derivation_with_the_same_steps():
    for name in derivation_names():
        derivation = derive(name)
        text = derivation.to_lean()
        *identities, theorem = text.split("\ntheorem ")[1:]
        assert theorem.count("have step_") == len(identities) == len(derivation.steps)
        assert all("given" not in one and one.rstrip().endswith(" := by grind") for one in identities)
        assert "grind" not in theorem
        assert ("Grind.Field" in text) == (" / " in text.partition("theorem")[2].replace(" /-", ""))


def test_what_is_proven_of_dependence_is_written_as_theorems_or_said_to_have_none(tmp_path, capsys):
    path = tmp_path / "votes.json"
    path.write_text(VoteCounts({"aab": 2, "aba": 1, "baa": 1}).to_json(), encoding="utf-8")
    assert main(["dependence", str(path), "--budget", "1/100", "--claim", "J3 > J1", "--coq"]) == 0
    said = capsys.readouterr()
    assert theorems_of(said.out)[0].startswith("dependent_errors_1")
    assert "proofs check" in said.err
    least = least_dependence(VoteCounts({"aab": 2, "aba": 1, "baa": 1}))
    assert theorems_of(least.to_coq()) == ("dependent_errors_1",)
    with pytest.raises(NotSupported, match="here is none"):
        least_dependence(VoteCounts({"aa": 1, "bb": 1})).to_coq()


def test_whole_numbers_have_a_theorem_up_to_a_size_that_coq_tries():
    assert list(map(has_theorem, SHORT)) == [True, True, True]
    for size, expected in ((120, True), (121, False)):
        many = copy.deepcopy(SHORT[1])
        rows = many["votes"]["counts"]
        rows[0][1] += size - sum(count for _, count in rows)
        assert has_theorem(many) is expected
    larger = {**SHORT[2], "correlation": "1/9"}
    assert not has_theorem(larger)
    with pytest.raises(NotSupported, match="theorems are there for"):
        dependence_to_coq([larger])
    both = dependence_to_coq([larger, SHORT[2]])
    assert both.startswith("(** Without a theorem here: 1 more of 2 certificates. *)")
    assert theorems_of(both) == ("dependent_errors_1",)


def test_numbers_of_many_judges_are_tried_for_a_while_only(monkeypatch):
    monkeypatch.setattr(coq_dependence, "_MOST_STEPS", 2)
    assert not has_theorem(SHORT[2])


@pytest.mark.parametrize(("judges", "expected"), [(3, True), (10, True), (11, False)])
def test_products_have_a_theorem_up_to_a_number_that_coq_multiplies(judges, expected):
    votes = VoteCounts({"a" * judges: 5, "b" * judges: 5})
    document = certificate(votes, problem_of(votes, "1/100", (2,), better=(0,)), (), {"products": 48})
    assert has_theorem(document) is expected
    either = certificate(votes, problem_of(votes, 1, (2,)), (), {"products": 48})
    assert has_theorem(either) is (judges == 3)  # all signs are possible


def test_the_cells_of_one_budget_are_found_once():
    text = dependence_to_coq([*PRODUCTS, {**PRODUCTS[0], "correlation": "1/300"}])
    assert [text.count(f"cells_{number}_hold);") for number in (1, 5)] == [len(PRODUCTS), 1]
    assert text.count("Eval vm_compute") == 2


def test_the_library_holds_no_word_that_assumes_something_outside_of_a_section():
    for module in MODULES:
        assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture)\b", source_of(module)), module
        assert theorems_of(source_of(module)), module


def test_without_coq_the_check_says_so(monkeypatch, capsys):
    monkeypatch.setattr(checking.shutil, "which", lambda _: None)
    with pytest.raises(NotSupported, match="not installed"):
        check_proofs()
    assert main(["proofs", "check"]) == 2
    assert main(["derive", "33c", "--lean"]) == 0
    assert capsys.readouterr().err.count("\n") == 2


def test_the_page_holds_the_table_that_the_library_gives():
    page = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text(encoding="utf-8")
    assert page.partition("proofs list` -->\n")[2].partition("<!-- end -->")[0] == proven_table()


def test_every_theorem_that_the_ledger_names_is_in_the_library():
    named = {claim.id: claim.theorem.split(", ") for claim in claims().values() if claim.theorem}
    assert {"ntqr/eq-33e", "ntqr/eq-26a", "ntqr/eq-40", "ntqr/eq-13", "ntqr/eq-38"} <= set(named)
    assert {theorem for theorems in named.values() for theorem in theorems} <= set(library_theorems())
