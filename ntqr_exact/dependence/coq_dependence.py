"""Certificates of dependence as theorems for Coq about these votes.

The file imports the library in `proofs/coq`, where the checkers of such certificates are proven to be right, and runs
them: inequalities between covariances, ranks of covariances, whole numbers, products of bounds, and trees of boxes of
rates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, permutations, product
from math import lcm
from typing import Any

from ntqr_exact.dependence.moment_ranges import Counts, ProductRanges, WholeSums
from ntqr_exact.dependence.tree_checker import FORMAT
from ntqr_exact.errors import NotSupported

_MOMENTS = {"tetrad": "tetrad_sound", "Heywood": "heywood_sound", "signs": "signs_sound"}
_MODULES_OF = {"rank": "Rank", "whole numbers": "Whole WholeSound", "products": "Products ProductsSound"}
_KINDS = (*_MOMENTS, *_MODULES_OF, "boxes")
_MODULES = "Questions Dependence Budget Boxes Mirror"

_MOST_QUESTIONS = {2: 120, 3: 120, 4: 40}
_MOST_QUESTIONS_OF_MORE = 20
"""Beyond, Coq takes long to try whole numbers: for so many judges, and for more."""

_MOST_STEPS = 200_000
"""After so many numbers tried for four judges or more it is not said that trios decide."""

_MOST_PRODUCTS = 60_000
"""So many products of bounds Coq finds in two minutes or less: those of ten judges whose signs are known."""


def dependence_to_coq(certificates: Iterable[Mapping[str, Any]]) -> str:
    """Return a file of Coq that states and proves certificates about the same votes, a theorem each.

    >>> from ntqr_exact import example
    >>> from ntqr_exact.dependence.closed_bounds import tetrad_bound
    >>> from ntqr_exact.dependence.short_proof import moments_certificate
    >>> votes = example("uci-adult-imaginary").votes
    >>> dependence_to_coq([moments_certificate(votes, tetrad_bound(votes), [2])]).splitlines()[-1][:27]
    'Proof. apply heywood_sound;'

    What has no theorem is left out, as a comment tells. Raises `NotSupported` where nothing is left, or for
    certificates about different votes.
    """
    given = [one for one in certificates if _kind(one) != "nothing"]
    documents = list(filter(has_theorem, given))
    if not documents:
        raise NotSupported(
            ", ".join(map(_kind, given)) or "no certificate",
            f"theorems are there for {', '.join(_KINDS)}, and here is none",
            "ask for ranges within a budget; check_dependence_certificate checks those of the other kinds",
        )
    labels, judges = documents[0]["votes"]["labels"], documents[0]["votes"]["judges"]
    kinds = list(map(_kind, documents))
    modules = [_MODULES, *(names for kind, names in _MODULES_OF.items() if kind in kinds)]
    votes = (
        f"({_nats(labels.index(answer) for answer in answers)}, {count})"
        for answers, count in documents[0]["votes"]["counts"]
    )
    left_out = len(given) - len(documents)
    lines = [
        *(
            [f"(** Without a theorem here: {left_out} more of {len(given)} certificates. *)"]
            if left_out
            else []
        ),
        f"(** {_counted('Judges', judges)} {_counted('Labels', labels)} *)",
        "",
        "From Coq Require Import ZArith QArith List.",
        f"From NtqrExact Require Import {' '.join(modules)}.",
        "Import ListNotations.",
        "Open Scope Z_scope.",
        "",
        f"Definition votes : counted := [{'; '.join(votes)}].",
        "",
    ]
    cells: dict[tuple[str, str], int] = {}
    for number, document in enumerate(documents, start=1):
        if document["votes"] != documents[0]["votes"]:
            raise NotSupported(document["votes"], "a file is about the same votes", "write a file for each")
        if document["format"] == FORMAT:
            lines += _tree_theorem(document, number, cells)
        else:
            lines += {"rank": _rank, "whole numbers": _whole}.get(document["kind"], _moments)(
                document, number
            )
        lines.append("")
    return "\n".join(lines)


def has_theorem(certificate: Mapping[str, Any]) -> bool:
    """Tell whether the library has a theorem for a certificate that Coq checks in a minute or two."""
    match _kind(certificate):
        case "whole numbers":
            return _tried_by_coq(certificate)
        case "products":
            return _multiplied_by_coq(certificate)
        case kind:
            return kind in _KINDS


def _kind(certificate: Mapping[str, Any]) -> str:
    if certificate["format"] != FORMAT:
        return str(certificate["kind"])
    return "products" if "products" in certificate["proof"] else "boxes"


def _counts(certificate: Mapping[str, Any]) -> Counts:
    place = certificate["votes"]["labels"].index
    return [(tuple(map(place, answers)), n) for answers, n in certificate["votes"]["counts"]]


def _tried_by_coq(certificate: Mapping[str, Any]) -> bool:
    """Tell whether there are few enough numbers, and whether trios decide: the library tries no fours of judges."""
    counts = _counts(certificate)
    judges, size = len(certificate["votes"]["judges"]), sum(n for _, n in counts)
    if size > _MOST_QUESTIONS.get(judges, _MOST_QUESTIONS_OF_MORE):
        return False
    if judges <= 3:
        return True
    sums = _WithoutFours(counts, Fraction(certificate["correlation"]), certificate["orders"], _MOST_STEPS)
    try:
        return next(sums.found(), None) is None
    except TimeoutError:
        return False


def _multiplied_by_coq(certificate: Mapping[str, Any]) -> bool:
    """Tell whether there are few enough products: through all nodes, and in each cell through two of them."""
    ranges = ProductRanges(_counts(certificate), Fraction(certificate["correlation"]), certificate["orders"])
    nodes, cells = 2 * len(ranges.judges) + 2, certificate["proof"]["products"]
    most: int = _MOST_PRODUCTS // (nodes**3 + 2 * cells * nodes**2)
    return len(list(islice(ranges.signs(_better(certificate)), most + 1))) <= most


def _better(certificate: Mapping[str, Any]) -> list[int]:
    return [certificate["votes"]["judges"].index(name) for name in certificate["better_than_chance"]]


class _WithoutFours(WholeSums):
    def four_fit(self, *_: Any, **__: Any) -> bool:
        return True


def _counted(what: str, names: Sequence[str]) -> str:
    """Return which number means which name; what would end a comment is left out."""
    words = ", ".join(f"{place} is {name}" for place, name in enumerate(names))
    return f"{what}: {words.replace('(*', '').replace('*)', '').replace(chr(34), '')}."


def _correlated(document: Mapping[str, Any]) -> str:
    said = f"with an error correlation of {document['correlation']} or more in size on some label"
    return f"(** Every key has a pair of these judges {said}. *)"


def _moments(document: Mapping[str, Any], number: int) -> Iterator[str]:
    """Yield a theorem that an inequality between covariances proves."""
    who = [document["votes"]["judges"].index(name) for name in document["judges"]]
    yield _correlated(document)
    yield (
        f"Theorem dependent_errors_{number} : dependent {_fraction(document['correlation'])} {_nats(who)} votes."
    )
    yield f"Proof. apply {_MOMENTS[document['kind']]}; vm_compute; reflexivity. Qed."


def _rank(document: Mapping[str, Any], number: int) -> Iterator[str]:
    """Yield a theorem that the rank of covariances proves: scores in whole numbers, of answers less their median."""
    labels, size = len(document["votes"]["labels"]), sum(count for _, count in document["votes"]["counts"])
    who = [document["votes"]["judges"].index(name) for name in document["judges"]]
    sides, common = [], size**2
    for judges, rows in ((who[:2], document["left"]), (who[2:], document["right"])):
        numbers = [[Fraction(text) for text in row] for row in rows]
        for row in numbers:  # what is taken from all answers of a judge changes no covariance
            for start in range(0, len(row), labels):
                middle = sorted(row[start : start + labels])[labels // 2]
                row[start : start + labels] = [x - middle for x in row[start : start + labels]]
        unit = lcm(*(x.denominator for row in numbers for x in row))
        common *= unit
        cells = list(product(judges, range(labels)))
        sides.append(
            [
                "; ".join(f"Weight {i} {r} ({x * unit})" for (i, r), x in zip(cells, row, strict=True) if x)
                for row in numbers
            ]
        )
    scores = ";\n   ".join(f"([{f}], [{g}])" for f, g in zip(*sides, strict=True))
    delta = _fraction(document["correlation"])
    yield f"Definition scores_{number} : list (weights * weights) :=\n  [{scores}]."
    yield _correlated(document)
    yield f"Theorem dependent_errors_{number} : dependent_answers {labels} {delta} {_nats(who)} votes."
    yield f"Proof. apply (rank_sound {labels} {_nats(who)} scores_{number} {common}); vm_compute; reflexivity. Qed."


def _whole(document: Mapping[str, Any], number: int) -> Iterator[str]:
    """Yield a theorem that whole numbers prove; first come judges whose answers move most with those before."""
    judges, labels = document["votes"]["judges"], document["votes"]["labels"]
    rows = [([answer == labels[0] for answer in answers], n) for answers, n in document["votes"]["counts"]]
    size = sum(n for _, n in rows)
    first = [sum(n for row, n in rows if row[i]) for i in range(len(judges))]
    moved = {
        (i, j): abs(size * sum(n for row, n in rows if row[i] and row[j]) - first[i] * first[j])
        for i, j in permutations(range(len(judges)), 2)
    }
    rest = set(range(len(judges)))
    order = [max(sorted(rest), key=lambda i: sum(moved[i, j] for j in rest - {i}))]
    while rest := rest - set(order):
        order.append(max(sorted(rest), key=lambda k: max(moved[j, k] for j in order)))
    three = _bool(3 in document["orders"])
    what = "pair or trio" if 3 in document["orders"] else "pair"
    delta = _fraction(document["correlation"])
    yield f"(** Every key has a {what} whose error correlation is {document['correlation']} or more in size. *)"
    yield (
        f"Theorem dependent_errors_{number} : "
        f"~ exists test, test_of 2 votes test /\\ below {len(judges)} {three} {delta} test."
    )
    yield f"Proof. apply (whole_sound {len(judges)} {three} {_nats(order)}); vm_compute; reflexivity. Qed."


def _tree_theorem(
    document: Mapping[str, Any], number: int, cells: dict[tuple[str, str], int]
) -> Iterator[str]:
    """Yield a theorem that boxes or products of bounds prove, with the conditions that it is about."""
    labels, judges = document["votes"]["labels"], document["votes"]["judges"]
    size = sum(count for _, count in document["votes"]["counts"])
    conditions, delta = document["conditions"], Fraction(document["correlation"])
    scales = [lcm(*(Fraction(weight[-1]).denominator for weight in one["weights"])) for one in conditions]
    better = _better(document)
    two, three = (_bool(order in document["orders"]) for order in (2, 3))
    budget = f"{len(labels)} {len(judges)} {two} {three} {_fraction(document['correlation'])}"
    what = {(2,): "pair", (3,): "trio", (2, 3): "pair or trio"}[tuple(document["orders"])]
    if _kind(document) == "products":
        given = f"{len(judges)} {three} {_fraction(document['correlation'])} {_nats(better)}"
        cuts = _parts(document, size)
        place = cells.setdefault((given, cuts), number)
        if place == number:
            yield f"Definition cuts_{place} : list Z := {cuts}."
            found = f"product_cells {given} cuts_{place} votes"
            yield f"Definition cells_{place} : list cell := Eval vm_compute in {found}."
            yield f"Lemma cells_{place}_hold : {found} = cells_{place}."
            yield "Proof. vm_compute. reflexivity. Qed."
        by = f"products_sound {given} cuts_{place} conditions_{number} votes cells_{place} cells_{place}_hold"
    else:
        unit = lcm(delta.denominator, *(Fraction(at).denominator for at in _cuts(document["proof"])))
        yield f"Definition tree_{number} : proof :=\n  {_tree(document['proof'], unit * size, scales)}."
        if not conditions and len(better) <= 1 and len(labels) == 2:
            yield f"(** Every key has a {what} whose error correlation exceeds {delta} in size. *)"
            yield f"Theorem no_key_{number} : ~ exists test, test_of 2 votes test /\\ within {budget} test."
            given = f"{budget.partition(' ')[2]} {unit} {_nats(better)} votes tree_{number}"
            yield f"Proof. apply (excludes_sound_for_all {given}); [simpl; auto | vm_compute; reflexivity]. Qed."
            return
        by = f"excludes_sound {budget} {unit} {_nats(better)} conditions_{number} votes tree_{number}"
    words = [one["words"].replace("(*", "").replace("*)", "").replace('"', "") for one in conditions]
    terms = (
        f"[{'; '.join(_term(weight, labels, judges, scale) for weight in one['weights'])}]"
        for one, scale in zip(conditions, scales, strict=True)
    )
    yield f"Definition conditions_{number} : list (list term) :=\n  [{'; '.join(terms)}]."
    judged = f"judge{'s' * (len(better) > 1)} {', '.join(map(str, better))}"
    chance = f" and with {judged} no worse than chance" if better else ""
    said = f"o key with every error correlation of a {what} at most {delta} in size{chance}"
    yield f"(** N{said} has this: {', and '.join(words)}. *)" if words else f"(** There is n{said}. *)"
    yield f"Theorem no_key_{number} : ~ exists test, test_of {len(labels)} votes test /\\ within {budget} test /\\"
    yield f"  (forall i, In i {_nats(better)} -> no_worse_than_chance {len(labels)} votes test i) /\\"
    yield f"  (forall c, In c conditions_{number} -> meets test c)."
    yield f"Proof. apply ({by});"
    yield "  vm_compute; reflexivity. Qed."


def _parts(document: Mapping[str, Any], size: int) -> str:
    """Return where the ranges of the number of questions of the first label end, as `ProductRanges.cells` cuts them."""
    parts = min(document["proof"]["products"], size - 1)
    return f"[{'; '.join(str(1 + part * (size - 1) // parts) for part in range(1, parts + 1))}]"


def _cuts(tree: Mapping[str, Any]) -> Iterator[str]:
    if "at" in tree:
        yield tree["at"]
        yield from _cuts(tree["below"])
        yield from _cuts(tree["above"])


def _tree(tree: Mapping[str, Any], scale: int, scales: Sequence[int]) -> str:
    if "at" in tree:
        places = " ".join(map(str, tree["rate"]))
        below, above = (_tree(tree[side], scale, scales) for side in ("below", "above"))
        return f"Cut {places} ({Fraction(tree['at']) * scale})\n  ({below})\n  ({above})"
    common = lcm(*scales, *(Fraction(weight).denominator for _, weight in tree["weights"]))
    rows = (f"({_weight(name, weight, common, scales)}, {_sum(name)})" for name, weight in tree["weights"])
    return f"Leaf [{'; '.join(rows)}]"


def _weight(name: Sequence[Any], weight: str, common: int, scales: Sequence[int]) -> Fraction:
    """Return the weight as a whole number; a condition was multiplied by its scale."""
    return Fraction(weight) * common / (scales[name[1]] if name[0] == "condition" else 1)


def _sum(name: Sequence[Any]) -> str:
    """Return a sum of `tree_checker.Problem.row` by its name in the library."""
    match list(name):
        case ["condition", number]:
            return f"Condition {number}"
        case ["low" | "high" as end, label, judge, answer]:
            return f"{end.capitalize()} {label} {judge} {answer}"
        case ["pair", label, [i, j], [r, s], corner]:
            ends = " ".join(_bool(end == "high") for end in corner.split())
            return f"Pair {label} {i} {r} {j} {s} {ends}"
        case ["trio", label, [i, j, k], [r, s, t], sign]:
            return f"Trio {label} {i} {r} {j} {s} {k} {t} {_bool(sign == '+')}"
    raise NotSupported(name, "the library has no such sum", "tree_checker.py says which there are")


def _term(weight: Sequence[Any], labels: Sequence[str], judges: Sequence[str], scale: int) -> str:
    label, judge, answer, text = weight
    whole = Fraction(text) * scale
    if judge is None:
        return f"Asked ({whole}) {labels.index(label)}"
    return f"Gave ({whole}) {labels.index(label)} {judges.index(judge)} {labels.index(answer)}"


def _fraction(text: str) -> str:
    value = Fraction(text)
    return f"({value.numerator} # {value.denominator})"


def _nats(numbers: Iterable[int]) -> str:
    return f"[{'; '.join(map(str, numbers))}]%nat"


def _bool(value: bool) -> str:
    return "true" if value else "false"
