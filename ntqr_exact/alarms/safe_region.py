"""The safe region: the key counts at which all judges could be safe, to be counted, listed and drawn.

Looking at each judge by itself, a judge can be right min(Q_l, R_l) times on every label l at once, and more right
answers are never less safe. So the factors allow exactly the key counts with Q_l ≤ ⌈f_l·min_i R_{l_i}⌉ − 1 for each
label: a box, cut by ΣQ_l = Q. A minimum grade g asks besides that Σ_l min(Q_l, R_l) ≥ gQ for each judge, which is
Σ_l max(0, R_l − Q_l) ≤ Q − gQ. Looking at the joint answers of groups, the region may have gaps. Its ends are found for
any size of the test: "there is a safe key with Q_l ≤ k" stays true as k grows, so that a search ends with a witness at
the least Q_l and a proof below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import Any

from ntqr_exact.alarms.few_judges import Answer, least_right_on_first
from ntqr_exact.alarms.group_size import groups_of
from ntqr_exact.alarms.joint_decision import JointPoints, relaxed_end
from ntqr_exact.alarms.joint_safety import Groups, JointSafety, decide_safety, question_of
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.errors import BadKeyCounts, BadVotes, NotSupported, Undecided
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.latex_table import latex_array
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_STRETCHES = 40
"""A refutation is extended to more key counts this often at most, each time to half as many more."""

_MOST_COUNTED = 2400
"""The most key counts for which a document lists the joint answers key by key."""


@dataclass(frozen=True, slots=True)
class SafeRangeEnd:
    """One end of the counts of a label over a safe region: with a witness at it, and a proof that there is none beyond.

    `attained` is the key count of the witness, `proven` the one beyond which there is none; they differ only where the
    effort did not suffice. The proof is `None` where no key at all has more or less.
    """

    attained: int
    proven: int
    witness: JointSafety
    proof: JointSafety | None

    def to_document(self) -> dict[str, Any]:
        """Return the end as a JSON document, with its certificates."""
        return {
            "proven": self.proven,
            "attained": self.attained,
            "witness": self.witness.to_document(),
            "proof": self.proof and self.proof.to_document(),
        }


@dataclass(frozen=True, slots=True)
class SafeRegion:
    """The key counts at which all judges could be safe, in the order of the counts of the first labels.

    >>> region = SafeRegion(VoteCounts({"aa": 2, "ab": 1, "bb": 3}), SafetySpecification(2), 1)
    >>> region.count(), list(region), {"a": 2, "b": 4} in region
    (3, [{'a': 1, 'b': 5}, {'a': 2, 'b': 4}, {'a': 3, 'b': 3}], True)

    `group_size` says what is looked at, as in `find_misalignment`: 1 each judge, 2 every pair, and so on.
    """

    votes: VoteCounts
    specification: SafetySpecification
    group_size: int

    @property
    def most_questions(self) -> dict[str, int]:
        """⌈f_l·min_i R_{l_i}⌉ − 1, or 0, for each label l: what the factors allow, each judge by itself."""
        fewest = map(min, zip(*self._given, strict=True))
        pairs = zip(self.votes.labels, fewest, strict=True)
        return {label: self.specification.most_questions(label, given) for label, given in pairs}

    def _repr_latex_(self) -> str:
        """Return the bounds for a notebook: the most questions of each label at which a judge alone could be safe."""
        return f"${latex_array(['label', 'at most'], list(self.most_questions.items()))}$"

    # -- points --------------------------------------------------------------------------------------

    def contains(self, key_counts: Mapping[str, int]) -> bool:
        """Return whether all judges could be safe at these key counts.

        Raises `BadKeyCounts` for counts that no answer key of the test has.
        """
        key = self._checked(key_counts)
        most = self.most_questions
        if any(count > most[label] for label, count in key.items()):
            return False
        if self.group_size == 1:  # answers l beyond Q_l are wrong
            lost = (sum(max(0, r - q) for r, q in zip(row, key.values(), strict=True)) for row in self._given)
            return max(lost) <= self._allowed
        return all(points.key_at(tuple(key.values())) is not None for points in self._points_of_groups())

    def __contains__(self, key_counts: object) -> bool:
        """Whether all judges could be safe at these key counts; what is no key of the test is not in here."""
        try:
            return isinstance(key_counts, Mapping) and self.contains(key_counts)
        except BadKeyCounts:
            return False

    def __iter__(self) -> Iterator[dict[str, int]]:
        """Iterate over the region, fewest questions of the first labels first."""
        most = list(self.most_questions.values())
        groups = self._points_of_groups() if self.group_size > 1 else []
        for point in self._points((), self.votes.size, most, self._given):
            if all(points.key_at(point) is not None for points in groups):
                yield dict(zip(self.votes.labels, point, strict=True))

    def points(self) -> tuple[FrozenMapping[str, int], ...]:
        """Return all key counts of the region; they are kept for the next one who asks."""
        return _points_of(self)

    def count(self) -> int:
        """Return how many key counts are in the region.

        For single judges without a minimum grade, with b_l the bounds, it is the sum over all sets S of labels of
        (−1)^|S|·C(Q − Σ_S (b_l + 1) + R − 1, R − 1), over those with Q ≥ Σ_S (b_l + 1). With two labels and a
        minimum grade it is the length of an interval. Otherwise they are counted one by one.

        >>> votes = VoteCounts({"aaa": 40, "bbb": 35, "ccc": 25}, ("a", "b", "c"))
        >>> SafeRegion(votes, SafetySpecification(2), 1).count()
        3098
        """
        if self._is_interval:
            return self._count_and_ends()[0]
        if not self.is_box:
            return sum(1 for _ in self)
        bounds = list(self.most_questions.values())
        labels = len(bounds)
        return sum(
            (-1) ** length * comb(left + labels - 1, labels - 1)
            for length in range(labels + 1)
            for over in combinations(bounds, length)
            if (left := self.votes.size - sum(over) - length) >= 0
        )

    def is_empty(self) -> bool:
        """Return whether there is no such key: then the judges are misaligned."""
        safety = self.decided()
        if safety.answer is Answer.UNDECIDED:
            raise Undecided(self.votes.size, "whether any key is safe was not found out")
        return safety.answer is Answer.IMPOSSIBLE

    def decided(self, key_counts: Mapping[str, tuple[int, int]] | None = None) -> JointSafety:
        """Return whether some key is safe, within ranges of the key counts if given, with its keys or its proof."""
        return decide_safety(self.votes, self.specification, self.groups, key_counts=key_counts)

    def ends(self, label: str) -> tuple[SafeRangeEnd, SafeRangeEnd] | None:
        """Return the least and the greatest number of questions of a label over all safe keys, or `None` without one.

        >>> votes = VoteCounts({"aa": 2, "bb": 2, "cc": 1}, ("a", "b", "c"))
        >>> [end.proven for end in SafeRegion(votes, SafetySpecification(2), 2).ends("c")]
        [0, 1]

        Raises `Undecided` if no safe key was found, and no proof that there is none.
        """
        whole = self.decided()
        if whole.key_counts is None:
            if whole.answer is Answer.UNDECIDED:
                raise Undecided(self.votes.size, "whether any key is safe was not found out")
            return None
        return self._end(label, whole, -1), self._end(label, whole, 1)

    def _end(self, label: str, witness: JointSafety, side: int) -> SafeRangeEnd:
        """Look between a witness and the end of all key counts, on the side of fewer (−1) or more (1) questions.

        Fractional keys mostly end where the whole ones do, or nearly so: what is beyond is refuted first. Then the end
        that is left is tried, and numbers twice as far from it each time. A refutation serves as far as it holds.
        """
        proof: JointSafety | None = None
        attained = (witness.key_counts or {})[label]
        proven = 0 if side < 0 else min(self.votes.size, self.most_questions[label])

        def beyond(count: int) -> dict[str, tuple[int, int]]:
            return {label: (0, count) if side < 0 else (count, self.votes.size)}

        question = question_of(self.votes, self.specification, self.groups)
        place = self.votes.labels.index(label)
        relaxed = None if attained == proven else relaxed_end(question, place, side)
        step, stuck = 0, False
        while attained != proven and not stuck:
            guessed = relaxed is not None and side * attained <= side * relaxed < side * proven
            tried = proven - side * min(step, abs(proven - attained) - 1)
            if relaxed is not None and guessed:
                tried, relaxed = relaxed + side, None
            found = self.decided(beyond(tried))
            if found.key_counts is not None:
                witness, attained, step = found, found.key_counts[label], 0
            elif found.answer is Answer.IMPOSSIBLE:
                nearest = attained + side
                for _ in range(_STRETCHES):
                    further = found.within(beyond(nearest))
                    found, tried = (found, tried) if further is None else (further, nearest)
                    if abs(tried - nearest) <= 1:
                        break
                    nearest = (tried + nearest) // 2
                proof, proven, step = found, tried - side, 0 if guessed else max(1, 2 * step)
            else:
                stuck = True
        return SafeRangeEnd(attained, proven, witness, proof)

    # -- drawing ---------------------------------------------------------------------------------------

    def vertices(self) -> list[dict[str, int]]:
        """Return the corners of the region (of its convex hull, if it has gaps), in order.

        With two labels these are its ends. With three, and a minimum grade or joint answers, those of the hull of its
        points. Raises `NotSupported` for more labels with a minimum grade or joint answers.

        >>> votes = VoteCounts({"aaa": 2, "bbb": 2, "ccc": 1}, ("a", "b", "c"))
        >>> [tuple(corner.values()) for corner in SafeRegion(votes, SafetySpecification(2), 1).vertices()]
        [(1, 3, 1), (2, 3, 0), (3, 1, 1), (3, 2, 0)]
        """
        labels = self.votes.labels
        if len(labels) == 2:
            return self._count_and_ends()[1]
        if self.is_box:
            corners = box_corners([(0, most) for most in self.most_questions.values()], self.votes.size)
        elif len(labels) == 3:
            points = [(point[labels[0]], point[labels[1]]) for point in self.points()]
            corners = _hull(points, self.votes.size)
        else:
            raise NotSupported(
                len(labels),
                "corners with a minimum grade or joint answers are found for up to three labels",
                "list the points",
            )
        return [dict(zip(labels, corner, strict=True)) for corner in corners]

    def right_answers(self, judge: Judge, questions: int) -> range:
        """Return how often a judge may be right on `questions` of the first of two labels to be safe by itself.

        More right answers on a go with as many more on b: R^b = R_b − (Q_a − R^a). The range is empty where the
        judge cannot be safe.

        >>> SafeRegion(VoteCounts({"aa": 3, "bb": 4}), SafetySpecification(2), 1).right_answers(0, 3)
        range(2, 4)

        Raises `BadVotes` for more labels, `BadKeyCounts` for more questions than there are.
        """
        votes = self.votes
        if len(votes.labels) != 2:
            raise BadVotes(len(votes.labels), "right answers on one label say it all with two labels only")
        place = votes.place(judge)
        asked = whole_number(questions)
        if asked > votes.size:
            raise BadKeyCounts(questions, f"the test has {votes.size} questions")
        given_a, given_b = votes.responses(place).values()
        least = least_right_on_first(question_of(votes, self.specification, [(place,)]), asked, given_b)
        return range(least, max(least, min(asked, given_a) + 1))

    # -- witnesses -------------------------------------------------------------------------------------

    def witness(self, key_counts: Mapping[str, int]) -> CountEvaluation | None:
        """Return an evaluation with these key counts in which all judges are safe, or `None` if there is none.

        Where groups smaller than the whole are looked at, each by itself, `group_witnesses` has one for each.
        Raises `BadVotes` for such groups.
        """
        return common_witness(self.safety_at(key_counts), self.group_size)

    def group_witnesses(self, key_counts: Mapping[str, int]) -> dict[tuple[str, ...], LabeledVoteCounts]:
        """Return for every group answers by true label in which it is safe; none if one of them cannot be."""
        return self.safety_at(key_counts).witnesses if self.group_size > 1 else {}

    def safety_at(self, key_counts: Mapping[str, int]) -> JointSafety:
        """Return whether all groups could be safe at these key counts, with their keys or a proof."""
        key = self._checked(key_counts)
        return self.decided({label: (count, count) for label, count in key.items()})

    def to_document(self) -> dict[str, Any]:
        """Return the region as a JSON document: its bounds, and its size and corners where they cost little.

        That is for single judges with two labels, or without a minimum grade (corners up to three labels), and
        for few key counts with joint answers. Larger regions of two labels have their ends; of more labels see `ends`.
        """
        document: dict[str, Any] = {"group_size": self.group_size, "most_questions": self.most_questions}
        labels = len(self.votes.labels)
        points = comb(self.votes.size + labels - 1, labels - 1)
        few = points <= (_MOST_COUNTED if labels == 2 else _MOST_COUNTED // 4)
        if labels == 2 and (self._is_interval or few):
            document["count"], document["vertices"] = self._count_and_ends()
        elif self.is_box or few:
            document["count"] = self.count()
            if labels <= 3:
                document["vertices"] = self.vertices()
        elif labels == 2:
            document["ranges"] = self.ranges_document()
        return document

    def ranges_document(self) -> dict[str, Any] | None:
        """Return the proven ends of every label as a JSON document, with the ends attained and certificates."""
        found = ((label, self.ends(label)) for label in self.votes.labels)
        return {
            label: [end.to_document() for end in ends] for label, ends in found if ends is not None
        } or None

    # -- parts -----------------------------------------------------------------------------------------

    @property
    def _allowed(self) -> int:
        """How many wrong answers the minimum grade allows."""
        return self.votes.size - self.specification.least_total(self.votes.size)

    @property
    def _given(self) -> list[list[int]]:
        """How often each judge gave each label."""
        return [list(self.votes.responses(judge).values()) for judge in range(len(self.votes.judges))]

    @property
    def groups(self) -> Groups:
        """The groups that are looked at, by the places of their judges."""
        return groups_of(self.votes, self.group_size)

    def _points_of_groups(self) -> list[JointPoints]:
        return [JointPoints(question_of(self.votes, self.specification, [group])) for group in self.groups]

    @property
    def is_box(self) -> bool:
        """Whether the region has no gaps: each label by itself has a bound, cut by ΣQ_l = Q."""
        return self.group_size == 1 and not self.specification.minimum_grade

    @property
    def _is_interval(self) -> bool:
        return self.group_size == 1 and len(self.votes.labels) == 2

    def _count_and_ends(self) -> tuple[int, list[dict[str, int]]]:
        """Return how many points of two labels there are, and the first and the last, in one pass over them.

        Each judge by itself, they are an interval: with Q_a + Q_b = R_a + R_b the wrong answers that the grade limits
        are |R_a − Q_a|.
        """
        first, second = self.votes.labels
        size, most, allowed = self.votes.size, self.most_questions, self._allowed
        if self._is_interval:
            given = [answers for answers, _ in self._given]
            least = max(0, size - most[second], max(given) - allowed)
            greatest = min(size, most[first], min(given) + allowed)
            number = max(0, greatest - least + 1)
            ends = [least, greatest] if number else []
        else:
            listed = self.points()
            number, ends = len(listed), [point[first] for point in (*listed[:1], *listed[-1:])]
        return number, [{first: count, second: size - count} for count in dict.fromkeys(ends)]

    def _points(
        self, chosen: tuple[int, ...], left: int, most: list[int], given: list[list[int]]
    ) -> Iterator[tuple[int, ...]]:
        """Yield the points that begin with some counts, in order.

        Answers l beyond Q_l are wrong, and so are as many on other labels: both are at most what the grade allows.
        """
        place, allowed = len(chosen), self._allowed
        rest = most[place + 1 :]
        least, greatest = max(0, left - sum(rest)), min(most[place], left)
        for row in given:
            beyond = [r - q for r, q in zip(row, chosen, strict=False)]
            least = max(least, row[place] - allowed + sum(max(0, x) for x in beyond))
            greatest = min(greatest, row[place] + allowed + sum(min(0, x) for x in beyond))
        if not rest:
            if least <= left <= greatest:
                yield (*chosen, left)
            return
        for count in range(least, greatest + 1):
            yield from self._points((*chosen, count), left - count, most, given)

    def _checked(self, key_counts: Mapping[str, int]) -> dict[str, int]:
        if not isinstance(key_counts, Mapping) or set(key_counts) != set(self.votes.labels):
            raise BadKeyCounts(
                key_counts, f"key counts name the labels {', '.join(map(repr, self.votes.labels))}"
            )
        key = {label: whole_number(key_counts[label]) for label in self.votes.labels}
        if sum(key.values()) != self.votes.size:
            raise BadKeyCounts(dict(key), f"key counts add up to the {self.votes.size} questions of the test")
        return key


@lru_cache(maxsize=8)
def _points_of(region: SafeRegion) -> tuple[FrozenMapping[str, int], ...]:
    return tuple(map(FrozenMapping, region))


def common_witness(safety: JointSafety, group_size: int) -> CountEvaluation | None:
    """Return the evaluation of all judges that the keys of a verdict make; raises `BadVotes` if they are several."""
    if 1 < group_size < len(safety.votes.judges):
        raise BadVotes(group_size, f"groups of {group_size} have no common witness", "see group_witnesses")
    if safety.key_counts is None:
        return None
    confusions = [labeled.confusion(name) for names, labeled in safety.witnesses.items() for name in names]
    return CountEvaluation(safety.key_counts, confusions)


def box_corners(ranges: Sequence[tuple[int, int]], size: int) -> list[tuple[int, ...]]:
    """Return the corners of a box on ΣQ_l = Q: all counts but one are at an end of their range."""
    found = set()
    for free, (low, high) in enumerate(ranges):
        for ends in product(*(pair for place, pair in enumerate(ranges) if place != free)):
            left = size - sum(ends)
            if low <= left <= high:
                found.add((*ends[:free], left, *ends[free:]))
    return sorted(found)


def _hull(points: list[tuple[int, int]], size: int) -> list[tuple[int, ...]]:
    """Return the corners of the convex hull of points in the plane, sorted, with the third count of each."""

    def half(ordered: list[tuple[int, int]]) -> list[tuple[int, int]]:
        chain: list[tuple[int, int]] = []
        for x, y in ordered:
            while len(chain) > 1:
                (x1, y1), (x2, y2) = chain[-2:]
                # Keep a corner only if the chain turns left there.
                if (x2 - x1) * (y - y1) > (y2 - y1) * (x - x1):
                    break
                chain.pop()
            chain.append((x, y))
        return chain

    corners = {*half(points), *half(points[::-1])}
    return [(x, y, size - x - y) for x, y in sorted(corners)]
