"""A short certificate of dependence as a theorem for Coq: every key has a pair whose errors are that correlated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ntqr_exact.errors import NotSupported
from ntqr_exact.exact.rational import rational

_THEOREMS = {"tetrad": "tetrad_sound", "Heywood": "heywood_sound", "signs": "signs_sound"}


def moments_to_coq(document: Mapping[str, Any]) -> str:
    """Return a file of Coq that states and proves a certificate of a closed form, for two labels.

    >>> from ntqr_exact import example
    >>> from ntqr_exact.dependence.closed_bounds import tetrad_bound
    >>> from ntqr_exact.dependence.short_proof import moments_certificate
    >>> votes = example("uci-adult-imaginary").votes
    >>> moments_to_coq(moments_certificate(votes, tetrad_bound(votes), [2])).splitlines()[-1][:27]
    'Proof. apply heywood_sound;'

    Raises `NotSupported` for other kinds of certificate.
    """
    kind = document.get("kind")
    if kind not in _THEOREMS:
        raise NotSupported(
            kind, "theorems are there for tetrad, Heywood and signs", "tree_checker checks the others"
        )
    labels, judges = document["votes"]["labels"], document["votes"]["judges"]
    who = [judges.index(name) for name in document["judges"]]
    delta = rational(document["correlation"])
    votes = "; ".join(
        f"([{'; '.join(str(labels.index(answer)) for answer in answers)}]%nat, {count})"
        for answers, count in document["votes"]["counts"]
    )
    return "\n".join(
        [
            "(** Judges and labels are counted from 0. *)",
            "",
            "From Coq Require Import ZArith QArith List.",
            "From NtqrExact Require Import Questions Dependence.",
            "Import ListNotations.",
            "",
            f"Definition votes : counted := [{votes}]%Z.",
            "",
            "(** Every key has a pair of these judges whose errors on some label are correlated by so much or more. *)",
            f"Theorem dependent_errors : dependent ({delta.numerator} # {delta.denominator}) "
            f"[{'; '.join(map(str, who))}]%nat votes.",
            f"Proof. apply {_THEOREMS[kind]}; vm_compute; reflexivity. Qed.",
            "",
        ]
    )
