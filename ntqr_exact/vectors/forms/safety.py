"""What is asked of every judge, as a part of an input."""

from __future__ import annotations

from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.errors import BadVotes
from ntqr_exact.vectors.fragments import TEXT, Fragment, described, list_of
from ntqr_exact.vectors.specification import Document

PARTS: dict[str, Fragment] = {
    "factors": described(list_of(TEXT), "a rational greater than 1 for each label, as a text"),
    "minimum_grade": described(TEXT, "the least share of right answers, a rational from 0 to 1, as a text"),
}


def specification_from(document: Document) -> SafetySpecification:
    """Return the specification of an input; raises `BadVotes` unless there is a factor for each label."""
    labels, factors = document["labels"], document["factors"]
    if len(labels) != len(factors):
        raise BadVotes(len(factors), f"there are {len(labels)} labels, and a factor for each")
    return SafetySpecification(
        dict(zip(labels, factors, strict=True)), minimum_grade=document["minimum_grade"]
    )
