"""`PartialKey`: the votes on all questions, the answer key of some of them, and how these were chosen; its readers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadDocument, NotAtRandom
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.sampling.designs import Hypergeometric, check_level
from ntqr_exact.sampling.graded_ranges import (
    JudgeRanges,
    KeyRanges,
    PairRanges,
    TenMetrics,
    differ_on,
    judge_ranges,
    key_ranges,
    pair_ranges,
    ten_metrics,
)
from ntqr_exact.sampling.graded_votes import Drawn, GradedVotes, Shape
from ntqr_exact.sampling.sample_intervals import Interval, anytime_interval
from ntqr_exact.votes.answers import Answers
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import check_labels
from ntqr_exact.votes.read_votes import read_answers, votes_from_document
from ntqr_exact.votes.shapes import Reading
from ntqr_exact.votes.tables import Source


@dataclass(frozen=True, slots=True, init=False, repr=False)
class PartialKey(GradedVotes):
    """Votes on all questions with the answer key of some, by answer pattern, and how those were chosen.

    >>> from ntqr_exact import VoteCounts
    >>> votes = VoteCounts({"aa": 60, "ab": 15, "bb": 25})
    >>> key = PartialKey(votes, {"a": {"aa": 11, "ab": 2}, "b": {"ab": 1, "bb": 6}}, drawn="at_random")
    >>> key.right_answers("J1"), key.right_answers("J1", shape="blaker"), key.while_grading("J1")
    ((78, 99), (79, 99), (69, 99))
    >>> key.difference("J1", "J2")
    (-11, 13)

    `strata` are groups of patterns, for `drawn="by_strata"`; each pattern is one unless given. They must
    have been fixed before the sample was drawn. Raises `BadVotes` where more questions of a pattern are graded
    than were seen.
    """

    # -- what is certain, however the questions were chosen ---------------------------------------------

    def key_ranges(self) -> KeyRanges:
        """Return the ranges of the key counts, and the numbers of answer keys that are left."""
        return key_ranges(self)

    def ranges(self, judge: Judge) -> JudgeRanges:
        """Return what is certain of a judge: right answers, accuracies, and κ with the truth."""
        return judge_ranges(self, judge)

    def pair_ranges(self, first: Judge, second: Judge) -> PairRanges:
        """Return what is certain of two judges: the difference of right answers, the covariance of errors."""
        return pair_ranges(self, first, second)

    # -- what is known at a level -----------------------------------------------------------------------

    def right_answers(
        self, judge: Judge, level: RationalLike = "0.95", shape: Shape | str = Shape.CENTRAL
    ) -> Interval:
        """Return the smallest and the greatest number of right answers among all that the judge gave, at a level."""
        place = self.votes.place(judge)
        return self.interval(
            lambda pattern, label: pattern[place] == label,
            lambda pattern: pattern[place] is not None,
            level=level,
            shape=shape,
        )

    def difference(
        self, first: Judge, second: Judge, level: RationalLike = "0.95", shape: Shape | str = Shape.CENTRAL
    ) -> Interval:
        """Return the least and the greatest lead in right answers of one judge over another, at a level.

        Only the D questions on which they differ matter. With two labels exactly one of them is right there, and
        the lead is twice the first one's right answers, minus D. With more labels both may be wrong: each one's
        right answers get an interval, with the level divided. Questions that one of them did not answer are left out.
        """
        i, j = self.votes.place(first), self.votes.place(second)
        share = check_level(level)

        def right(judge: int, at: mpq) -> Interval:
            return self.interval(
                lambda p, label: p[judge] == label, lambda p: differ_on(p, i, j), level=at, shape=shape
            )

        differ = sum(count for pattern, count in self.votes.counts.items() if differ_on(pattern, i, j))
        if len(self.votes.labels) == 2:
            low, high = right(i, share)
            return 2 * low - differ, 2 * high - differ
        (low_i, high_i), (low_j, high_j) = (right(judge, (1 + share) / 2) for judge in (i, j))
        return low_i - min(high_j, differ - low_i), min(high_i, differ - low_j) - low_j

    def metrics(
        self, judge: Judge, level: RationalLike = "0.95", shape: Shape | str = Shape.CENTRAL
    ) -> TenMetrics:
        """Return intervals for ten metrics of a judge between two labels, which hold together at a level."""
        return ten_metrics(self, judge, check_level(level), chosen(shape, Shape))

    def while_grading(self, judge: Judge, level: RationalLike = "0.95") -> Interval:
        """Return the interval for right answers that is valid at all looks while questions are being graded."""
        if self.drawn is not Drawn.AT_RANDOM:
            rule = "an interval for every look needs grades that come in random order"
            raise NotAtRandom(self.drawn.value, rule)
        place = self.votes.place(judge)
        right = self.count(lambda pattern, label: pattern[place] == label)
        graded = self.count(lambda pattern, _: pattern[place] is not None)
        return anytime_interval(Hypergeometric(self.votes.answered(place), graded), right, check_level(level))


def read_test(
    source: Source | Sequence[Source],
    *,
    truth: str | None = None,
    long: Sequence[str] | None = None,
    drawn: Drawn | str = Drawn.NOT_AT_RANDOM,
    strata: Iterable[Iterable[object]] | None = None,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    missing: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> VoteCounts | LabeledVoteCounts | PartialKey:
    r"""Return the votes in a file with what is known of their key: nothing, all of it, or a part.

    The source and its options are those of `read_votes`. A key that lacks some questions makes a partial key; `drawn`
    says how the others were chosen, `strata` are groups of patterns.

    >>> import io
    >>> key = read_test(io.StringIO("A,B,key\na,b,a\nb,b,\na,a,\n"), truth="key", drawn="at_random")
    >>> key.size, key.graded_size
    (3, 1)

    Raises `BadDecisions` or `BadDocument` for what cannot be read.
    """
    names = None if labels is None else check_labels(labels)
    reading = Reading(judges, names, truth, long, missing, progress, in_part=True)
    answers = read_answers(source, reading, delimiter=delimiter, header=header)
    if not isinstance(answers, Answers):
        return votes_or_key(answers.value, judges)
    if not answers.has_key:
        return answers.observed()
    votes, graded = answers.observed(), answers.graded()
    return graded if graded.size == votes.size else PartialKey(votes, graded, drawn=drawn, strata=strata)


def votes_or_key(
    document: Any, judges: Sequence[str] | None = None
) -> VoteCounts | LabeledVoteCounts | PartialKey:
    """Return the votes in a JSON document, of some of the judges if they are named."""
    if not (isinstance(document, dict) and "graded" in document):
        votes = votes_from_document(document)
        return votes if judges is None else votes.marginal(*judges)
    key = PartialKey.from_document(document)
    if judges is None:
        return key
    if key.drawn is Drawn.BY_STRATA:
        rule = "leave the choice of judges out for this file"
        raise BadDocument(list(judges), "strata are patterns of all judges", rule)
    return PartialKey(key.votes.marginal(*judges), key.graded.marginal(*judges), drawn=key.drawn)
