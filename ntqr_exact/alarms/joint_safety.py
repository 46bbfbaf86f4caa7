"""Whether groups of judges could be safe on a test, as a value with its keys or its proof, and as a certificate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import add, itemgetter
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.coq_safety import safety_to_coq
from ntqr_exact.alarms.few_judges import Answer, safe_counts
from ntqr_exact.alarms.joint_decision import MOST_NODES, JointDecision, Key, Proof, decide
from ntqr_exact.alarms.key_repair import plurality_key, repaired
from ntqr_exact.alarms.proof_checker import FORMAT, Question, problems, proves, root
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.varieties.group import from_splits
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Groups = tuple[tuple[int, ...], ...]
_MOVES = 60
"""How many questions are moved to make one key safe for all judges."""

KeyRanges = Mapping[str, tuple[int, int]]


def question_of(
    votes: VoteCounts,
    specification: SafetySpecification,
    groups: Iterable[Sequence[int]],
    ranges: KeyRanges | None = None,
) -> Question:
    """Return the question whether groups of judges, given by their places, could be safe, in whole numbers."""
    votes.without_gaps("safety")
    places = {label: place for place, label in enumerate(votes.labels)}
    factors = [specification.factor_of(label) for label in votes.labels]
    answers = [(tuple(map(places.__getitem__, p)), count) for p, count in votes.counts.items() if count]
    return Question(
        tuple(_marginal(answers, group) for group in groups),
        tuple((int(factor.numerator), int(factor.denominator)) for factor in factors),
        specification.least_total(votes.size),
        votes.size,
        {f"questions {places[label]}": ends for label, ends in (ranges or {}).items()},
    )


def _marginal(
    answers: Iterable[tuple[tuple[int, ...], int]], group: Sequence[int]
) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return how often each pattern of a group was seen, in order."""
    found: dict[tuple[int, ...], int] = {}
    chosen = itemgetter(*group) if len(group) > 1 else itemgetter(slice(group[0], group[0] + 1))
    for row, count in answers:
        pattern = chosen(row)
        found[pattern] = found.get(pattern, 0) + count
    return tuple(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class JointSafety:
    """Whether each of some groups of judges could be safe, all at the same key counts, within ranges of them."""

    votes: VoteCounts
    specification: SafetySpecification
    groups: Groups
    decision: JointDecision

    @property
    def answer(self) -> Answer:
        """Possible, impossible, or undecided at the stated number of programs."""
        return self.decision.answer

    @property
    def key_counts(self) -> dict[str, int] | None:
        """The questions of each label under the safe keys, if there are any."""
        if not self.decision.keys:
            return None
        return dict(zip(self.votes.labels, self.decision.key_counts, strict=True))

    @property
    def witnesses(self) -> dict[tuple[str, ...], LabeledVoteCounts]:
        """Answers by true label in which each group is safe; empty if it is not possible."""
        found, labels = {}, self.votes.labels
        for group, rows, key in zip(
            self.groups, self.decision.question.groups, self.decision.keys, strict=False
        ):
            judges = tuple(self.votes.judges[place] for place in group)
            patterns = [tuple(labels[i] for i in row) for row, _ in rows]
            found[judges] = from_splits(labels, judges, patterns, key)
        return found

    @property
    def blamed(self) -> tuple[tuple[str, ...], ...]:
        """The groups that the proof speaks of."""
        used = sorted(_groups_of(self.decision.proof or {"leaf": []}))
        return tuple(tuple(self.votes.judges[place] for place in self.groups[group]) for group in used)

    def for_factor(self, factor: mpq) -> JointSafety | None:
        """Return the same proof for another factor of all labels, or `None` if it does not prove that."""
        specification = SafetySpecification(factor, minimum_grade=self.specification.minimum_grade)
        numbers = (int(factor.numerator), int(factor.denominator))
        question = replace(self.decision.question, factors=(numbers,) * len(self.votes.labels))
        return self._reproved(question, specification)

    def within(self, key_counts: KeyRanges) -> JointSafety | None:
        """Return the same proof for other ranges of the key counts, or `None` if it does not prove that."""
        bounds = {f"questions {self.votes.labels.index(label)}": ends for label, ends in key_counts.items()}
        return self._reproved(replace(self.decision.question, bounds=bounds), self.specification)

    def _reproved(self, question: Question, specification: SafetySpecification) -> JointSafety | None:
        if self.decision.proof is None or not proves(question, root(question), self.decision.proof):
            return None
        decision = replace(self.decision, question=question)
        return JointSafety(self.votes, specification, self.groups, decision)

    def to_document(self) -> dict[str, Any]:
        """Return the certificate, which `alarms/proof_checker.py` checks by itself; an undecided one proves nothing."""
        labels = self.votes.labels
        document: dict[str, Any] = {
            "format": FORMAT,
            "labels": list(labels),
            "judges": list(self.votes.judges),
            "votes": [[list(pattern), str(count)] for pattern, count in self.votes.counts.items() if count],
            "factor": {label: str(self.specification.factor_of(label)) for label in labels},
            "minimum_grade": str(self.specification.minimum_grade),
            "groups": [[self.votes.judges[place] for place in group] for group in self.groups],
            "key_counts": {
                labels[int(name.split()[1])]: [str(low), str(high)]
                for name, (low, high) in self.decision.question.bounds.items()
            },
            "verdict": self.answer.name.lower(),
        }
        if self.answer is Answer.POSSIBLE:
            document["keys"] = [[list(map(str, split)) for split in key] for key in self.decision.keys]
        elif self.answer is Answer.IMPOSSIBLE:
            document["proof"] = self.decision.proof
        return document

    def to_coq(self) -> str:
        """Return a file of Coq that proves the alarm; raises `NotSupported` where no alarm is proven."""
        return safety_to_coq(self.to_document())

    def to_json(self) -> str:
        """Return the certificate as JSON, the same bytes every time."""
        return write_json(self.to_document())


def _groups_of(proof: Proof) -> set[int]:
    if "leaf" in proof:
        return {part["group"] for part in proof["leaf"]}
    return _groups_of(proof["below"]) | _groups_of(proof["above"])


def decide_safety(
    votes: VoteCounts,
    specification: SafetySpecification,
    groups: Iterable[Sequence[int]],
    *,
    key_counts: KeyRanges | None = None,
    effort: int = MOST_NODES,
) -> JointSafety:
    """Return whether groups of judges, given by their places, could be safe, each by itself at the same key counts.

    `key_counts` limits the questions of some labels, and `effort` is the number of linear programs to solve before
    the answer is "undecided".

    >>> safety = decide_safety(VoteCounts({"ab": 1, "ba": 1}), SafetySpecification(2), [(0, 1)])
    >>> safety.answer.name, check_safety_certificate(safety.to_document())
    ('IMPOSSIBLE', [])
    """
    chosen = tuple(map(tuple, groups))
    question = question_of(votes, specification, chosen, key_counts)
    if safe_counts(question)[0] is Answer.UNDECIDED:
        keys = _from_the_whole(votes, specification, question, chosen)
        if keys is not None:
            return JointSafety(votes, specification, chosen, JointDecision(question, Answer.POSSIBLE, keys))
    return JointSafety(votes, specification, chosen, decide(question, most_nodes=effort))


def _from_the_whole(
    votes: VoteCounts, specification: SafetySpecification, question: Question, groups: Groups
) -> tuple[Key, ...] | None:
    """Return keys of several groups from one under which all their judges are safe, if it is quickly found."""
    judges = sorted(set().union(*groups))
    bounds = root(question)
    if len(groups) == 1 or bounds is None:
        return None
    whole = question_of(votes, specification, [judges])
    key = repaired(whole, 0, bounds, plurality_key(whole, 0), _MOVES)
    if key is None:
        return None
    places = [tuple(judges.index(judge) for judge in group) for group in groups]
    found = []
    for group, rows in zip(places, question.groups, strict=True):
        splits = {pattern: [0] * len(votes.labels) for pattern, _ in rows}
        for (pattern, _), split in zip(whole.groups[0], key, strict=True):
            part = splits[tuple([pattern[place] for place in group])]
            part[:] = map(add, part, split)
        found.append(tuple(tuple(splits[pattern]) for pattern, _ in rows))
    return tuple(found)


def check_safety_certificate(document: object) -> list[str]:
    """Return what is wrong with a certificate of joint safety: nothing, if it proves what it says."""
    return problems(document)
