"""Coq's kernel accepts what we prove and refuses what was changed; the program that Coq extracts agrees with ours."""

import copy
import itertools
import json
import random
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from ntqr_exact import VoteCounts, solve_independent
from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.census import take_census
from ntqr_exact.dependence import tree_checker
from ntqr_exact.dependence.coq_dependence import dependence_to_coq
from ntqr_exact.dependence.moment_ranges import ProductRanges
from ntqr_exact.evaluators.independent.independence_class import independence_class
from ntqr_exact.postulates.derivation import derivations_to_coq
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.proofs import check
from ntqr_exact.proofs.check import check_proofs, run
from ntqr_exact.proofs.coq_votes import ALARM_THEOREMS, solution_to_coq, table_of
from ntqr_exact.proofs.extraction import ask_checker, compile_checker, compile_library
from ntqr_exact.proofs.library import LIBRARY, MODULES, theorems_of
from ntqr_exact.vectors.files import read_family, shipped

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed"),
]

STORED = Path(__file__).parent / "stored"
TREES = json.loads((STORED / "tree_certificates.json").read_text(encoding="utf-8"))
PRODUCTS = json.loads((STORED / "product_certificates.json").read_text(encoding="utf-8"))
SHORT = json.loads((STORED / "short_certificates.json").read_text(encoding="utf-8"))
PATTERNS = list(itertools.product("ab", repeat=3))


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    place = tmp_path_factory.mktemp("library")
    compile_library(place)
    return place


@pytest.fixture(scope="module")
def checker(library):
    if shutil.which("ocamlfind") is None or shutil.which("ocamlopt") is None:
        pytest.skip("OCaml is not installed")
    return compile_checker(library)


def vectors(family):
    """The input and what is expected of every valid test of a shipped family, with its parameters."""
    for group in read_family(shipped(), family)["groups"]:
        for test in group["tests"]:
            if test["result"] == "valid":
                yield group["parameters"], test["input"], test["expected"]


def vectors_as_theorems():
    """One theorem for each kind of alarm, about all the vectors in which it fires, and one about those with a key."""
    by_kind = {kind: [] for kind in ALARM_THEOREMS}
    silent = []
    for _, given, expected in vectors("independent-binary"):
        counts = list(map(int, given["counts"]))
        if not sum(counts):
            continue
        table = f"Table {' '.join(map(str, counts))}"
        for kind in {AlarmKind[name.upper().replace("-", "_")] for name in expected["alarms"]}:
            by_kind[kind].append(table)
        if expected["key_exists"]:
            key = solve_independent(
                VoteCounts(dict(zip(PATTERNS, counts, strict=True)), labels=("a", "b"))
            ).keys[0]
            silent.append((table, table_of(key.by_label["a"])))
    lines = [
        "From Coq Require Import ZArith List.",
        "From NtqrExact Require Import Keys Alarms Completeness Kinds.",
        "Import ListNotations. Open Scope Z_scope.",
    ]
    for kind, tables in by_kind.items():
        assert tables, kind
        lines += [
            f"Theorem {kind.name.lower()}_vectors : Forall (fun v => ~ has_independent_key v) [{'; '.join(tables)}].",
            f"Proof. repeat constructor; (apply {ALARM_THEOREMS[kind]}; [reflexivity | vm_compute; reflexivity]). Qed.",
        ]
    lines += [
        f"Theorem key_vectors : Forall has_independent_key [{'; '.join(table for table, _ in silent)}].",
        "Proof. repeat apply Forall_cons; try apply Forall_nil.",
        *(f"  - apply (is_key_sound ({key})). vm_compute. reflexivity." for _, key in silent),
        "Qed.",
    ]
    return "\n".join(lines)


def test_coqchk_accepts_the_library_every_derivation_and_every_kind_of_alarm_without_axioms(tmp_path):
    names = derivation_names()
    texts = {"vectors.v": vectors_as_theorems()}
    for half in (0, 1):  # two files, as there are two processes
        texts[f"derivations_{half}.v"] = derivations_to_coq(map(derive, names[half::2]))
    for path in sorted(STORED.glob("*.v")):
        texts[path.name] = path.read_text(encoding="utf-8")
    paths = []
    for name, text in texts.items():
        paths.append(tmp_path / name)
        paths[-1].write_text(text, encoding="utf-8")
    found = check_proofs(paths)
    assert [each for each in found if each.problems] == []
    assert len(found) == len(MODULES) + len(paths)
    proven = {theorem.name for each in found for theorem in each.theorems}
    assert {theorems_of(derive(name).to_coq())[-1] for name in names} <= proven


def test_a_file_that_assumes_or_admits_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(check, "MODULES", ("Questions",))  # these files need nothing of the library
    right = derive("33a").to_coq()
    changed = {
        "admitted": re.sub(r"Proof\.\n  intros(.|\n)*Qed\.", "Admitted.", right),
        "axiom": right.replace("Theorem", "Axiom wrong : 0 == 1.\nTheorem"),
        "claim": re.sub(r"== 0\.\nProof", "+ 1 == 0.\nProof", right, count=1),
        "borrowed": "From Coq Require Import Classical.\nTheorem either : forall P, P \\/ ~ P.\n"
        "Proof. apply classic. Qed.\nTheorem after_it : 0 = 0.\nProof. reflexivity. Qed.\n",
        "hidden": right.replace(
            "Theorem", "Section S. Variable x : Q. End S.\nAxiom wrong : 0 == 1.\nTheorem"
        ),
    }
    paths = []
    for name, text in changed.items():
        assert text != right
        paths.append(tmp_path / f"{name}.v")
        paths[-1].write_text(text, encoding="utf-8")
    found = {each.name: each.problems for each in check_proofs(paths)}
    assert all(found[path.name] for path in paths)
    assert found["Questions.v"] == ()
    assert "either rests on" in found["borrowed.v"][0]


# -- changes are refused -----------------------------------------------------------------------------


def value_of(polynomial, point):
    """The value of a polynomial, as Coq reads it, where each name has a number."""
    plain = re.sub(r"\((\d+) # (\d+)\)", r"Fraction(\1, \2)", polynomial)
    return eval(plain, {"Fraction": Fraction}, point)


def changed_derivations(draw, wanted):
    """Derivations with one coefficient or sign of a cofactor changed, so that a number tells that the step is false."""
    names = [name for name in derivation_names() if len(derive(name).to_coq()) < 9000]
    while wanted:
        text = derive(draw.choice(names)).to_coq()
        steps = re.finditer(r"assert \(step_\d+ : (.*) == 0\)\.\n  \{ transitivity \((.*)\); \[ring", text)
        chosen = draw.choice(list(steps))
        places = [match.start() for match in re.finditer(r"(?<=\()[a-z]|(?<= )[+-](?= )", chosen[2])]
        if not places:
            continue
        place = draw.choice(places)
        new = {"+": "-", "-": "+"}.get(chosen[2][place], f"2 * {chosen[2][place]}")
        changed = chosen[2][:place] + new + chosen[2][place + 1 :]
        point = {name: Fraction(draw.randrange(-99, 99), 7) for name in re.findall(r"[a-zA-Z]\w*", chosen[0])}
        if value_of(changed, point) != value_of(chosen[1], point):
            yield text[: chosen.start(2)] + changed + text[chosen.end(2) :]
            wanted -= 1


def changed_trees(draw, wanted):
    """Certificates of ranges with a weight, the budget or a count changed, so that our checker refuses them."""
    while wanted:
        document = copy.deepcopy(draw.choice(TREES))
        match draw.randrange(3):
            case 0:
                leaf = document["proof"]
                while "weights" not in leaf:
                    leaf = leaf[draw.choice(["below", "above"])]
                row = draw.choice(leaf["weights"])
                row[1] = str(int(row[1]) * draw.choice([3, 10]) + 1)
            case 1:
                document["correlation"] = str(Fraction(document["correlation"]) * draw.choice([2, 5]))
            case _:
                draw.choice(document["votes"]["counts"])[1] += draw.choice([1, 20, 90])
        document["checksum"] = tree_checker.checksum(document)
        if tree_checker.problems(document):
            yield dependence_to_coq([document])
            wanted -= 1


def changed_products(draw, wanted):
    """Certificates by products with the budget, a count or a weight changed, so that our checker refuses them."""
    while wanted:
        document = copy.deepcopy(draw.choice(PRODUCTS))
        match draw.randrange(3):
            case 0:
                weight = draw.choice(document["conditions"][0]["weights"])
                weight[-1] = str(Fraction(weight[-1]) * draw.choice([-1, Fraction(7, 8), Fraction(9, 8)]))
            case 1:
                document["correlation"] = str(Fraction(document["correlation"]) * draw.choice([2, 5]))
            case _:
                draw.choice(document["votes"]["counts"])[1] += draw.choice([9, 20, 90])
        document["checksum"] = tree_checker.checksum(document)
        if tree_checker.problems(document):
            yield dependence_to_coq([document])
            wanted -= 1


def changed_sizes(draw, wanted):
    """Theorems by ranks and whole numbers with the size or a count changed, so that our checker refuses them."""
    while wanted:
        document = copy.deepcopy(draw.choice(SHORT))
        text = dependence_to_coq([document])
        if draw.randrange(2):
            old = Fraction(document["correlation"])
            new = old * Fraction(draw.choice(["1.0001", "1.1", "2"]))
            document["correlation"] = str(new)
            old_text, new_text = (f"({x.numerator} # {x.denominator})" for x in (old, new))
        else:
            row = draw.randrange(len(document["votes"]["counts"]))
            old_text = re.findall(r"\(\[[\d; ]+\]%nat, \d+\)", text)[row]
            document["votes"]["counts"][row][1] += draw.choice([1, 2, 5])
            new_text = re.sub(r"\d+\)$", f"{document['votes']['counts'][row][1]})", old_text)
        document["checksum"] = tree_checker.checksum(document)
        if tree_checker.problems(document):
            assert text.count(old_text) == 1
            yield text.replace(old_text, new_text)
            wanted -= 1


def changed_scores(draw, wanted):
    """The theorem about a rank with a number of the scores, or their common covariance, changed."""
    text = dependence_to_coq([SHORT[0]])
    places = list(
        re.finditer(r"(?<=\()-?\d+(?=\))|\d+(?=\); vm_compute)", text[text.index("Definition scores") :])
    )
    start = text.index("Definition scores")
    for place in draw.sample(places, wanted):
        number = str(int(place[0]) + draw.choice([-1, 1]))
        yield text[: start + place.start()] + number + text[start + place.end() :]


def changed_votes(draw, wanted):
    """Theorems about votes with one count changed, so that the alarm no longer fires."""
    while wanted:
        counts = {pattern: draw.randrange(5) for pattern in PATTERNS}
        solution = solve_independent(VoteCounts({**counts, PATTERNS[0]: 1 + counts[PATTERNS[0]]}))
        text = solution_to_coq(solution)
        table = re.search(r"Table ([\d ]+)\.", text)
        numbers = list(map(int, table[1].split()))
        numbers[draw.randrange(8)] += 1
        other = solve_independent(VoteCounts(dict(zip(PATTERNS, numbers, strict=True))))
        ours = theorems_of(text)
        if not set(ours) & set(theorems_of(solution_to_coq(other))):
            yield text.replace(table[1], " ".join(map(str, numbers)))
            wanted -= 1


def accepted(library, texts):
    """Which of some files, each in a module of its own, leave a theorem behind in one session of Coq."""
    script = []
    for number, text in enumerate(texts):
        script += [f"Module M{number}.", text, "Abort All.", f"End M{number}."]
        script += [f"Check M{number}.{name}." for name in theorems_of(text)[-1:]]
    done = run(["coqtop", "-q", "-Q", ".", LIBRARY], library, text="\n".join(script))
    return {int(number) for number in re.findall(r"\bM(\d+)\.\w+\s+:", done.stdout)}


def test_more_than_two_hundred_changed_exports_are_refused_and_unchanged_ones_are_not(library):
    draw = random.Random(21)
    right = [
        derive("33a").to_coq(),
        *(path.read_text(encoding="utf-8") for path in sorted(STORED.glob("*.v"))),
    ]
    wrong = [*changed_derivations(draw, 60), *changed_votes(draw, 50), *changed_trees(draw, 30)]
    wrong += [*changed_sizes(draw, 24), *changed_scores(draw, 6)]
    wrong += changed_products(draw, 15)
    assert len(wrong) >= 150
    halves = [[*right[half::2], *wrong[half::2]] for half in (0, 1)]
    with ThreadPoolExecutor(2) as executor:
        found = list(executor.map(partial(accepted, library), halves))
    assert found == [set(range(len(right[half::2]))) for half in (0, 1)]


# -- Coq's functions against ours --------------------------------------------------------------------


def test_the_census_inside_coq_is_ours_in_every_class_up_to_ten_questions(library):
    sizes = range(1, 11)
    script = "From Coq Require Import ZArith. From NtqrExact Require Import Census. Open Scope Z_scope.\n"
    script += "\n".join(f"Eval vm_compute in (census {size})." for size in sizes)
    done = run(["coqtop", "-q", "-Q", ".", LIBRARY], library, text=script)
    found = [
        list(map(int, re.findall(r"\d+", text)))
        for text in re.findall(r"=\s*\(?([\d\s:;]+nil|\[[^\]]*\])", done.stdout)
    ]
    ours = [[votes for _, votes in sorted(take_census(size).classes.items())] for size in sizes]
    assert found == ours


def written(cells):
    """Cells as Coq writes them."""

    def ends(pair):
        return f"({', '.join(f'({end.numerator} # {end.denominator})' for end in pair)})"

    for share, sides in cells:
        rates = "; ".join(f"({ends(first)}, {ends(second)})" for first, second in zip(*sides, strict=True))
        yield f"({ends(share)}, [{rates}])"


def test_the_cells_of_products_inside_coq_are_ours(library):
    draw, script = random.Random(48), ["From Coq Require Import ZArith QArith List.", "Import ListNotations."]
    script += ["From NtqrExact Require Import Questions Products.", "Open Scope Q_scope."]
    for number in range(40):
        judges, trios = draw.choice([2, 3, 3, 4]), bool(draw.randrange(2))
        patterns = list(itertools.product((0, 1), repeat=judges))
        counts = [(p, draw.choice([1, 3, 20])) for p in draw.sample(patterns, draw.randint(2, len(patterns)))]
        counts += [(p, 30) for p in patterns[:1] + patterns[-1:] if p not in dict(counts)]
        delta, parts = Fraction(1, draw.choice([9, 50, 400, 10**6])), draw.choice([1, 3, 8])
        better = draw.choice([[], [0], [0, 1]])
        size = sum(n for _, n in counts)
        cells = ProductRanges(counts, delta, (2, 3) if trios else (2,)).cells(better, parts)
        cuts = "; ".join(str(1 + part * (size - 1) // parts) for part in range(1, parts + 1))
        votes = "; ".join(f"([{'; '.join(map(str, p))}]%nat, {n}%Z)" for p, n in counts)
        script.append(
            f"Theorem same_{number} : product_cells {judges} {str(trios).lower()} (1 # {delta.denominator})"
            f" [{'; '.join(map(str, better))}]%nat [{cuts}]%Z [{votes}] = [{'; '.join(written(cells))}]."
        )
        script.append("Proof. vm_compute. reflexivity. Qed.")
    (library / "Cells.v").write_text("\n".join(script), encoding="utf-8")
    done = run(["coqc", "-Q", ".", LIBRARY, "Cells.v"], library)
    assert done.returncode == 0, done.stderr


def test_the_extracted_checker_gives_the_alarms_of_the_vectors_of_three_judges(checker):
    cases = [
        (list(map(int, given["counts"])), expected)
        for _, given, expected in vectors("independent-binary")
        if sum(map(int, given["counts"]))
    ]
    answers = ask_checker(checker, (f"trio {' '.join(map(str, counts))}" for counts, _ in cases))
    for (counts, expected), answer in zip(cases, answers, strict=True):
        *fired, code, key, silent = answer.split()
        kinds = {kind for kind, fires in zip(ALARM_THEOREMS, fired, strict=True) if fires == "1"}
        wanted = {AlarmKind[name.upper().replace("-", "_")] for name in expected["alarms"]}
        if AlarmKind.IMAGINARY in wanted:
            kinds -= {AlarmKind.IRRATIONAL}  # an imaginary root is no rational one either
        assert kinds == wanted, counts
        assert key == silent == ("1" if expected["key_exists"] else "0")
        solution = solve_independent(VoteCounts(dict(zip(PATTERNS, counts, strict=True))))
        assert int(code) == independence_class(solution)
