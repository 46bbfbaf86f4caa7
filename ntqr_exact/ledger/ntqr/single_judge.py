"""Claims of section 3: one judge once the responses are seen, eqs. 11 to 17."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gmpy2 import mpq

from ntqr_exact.algebra.ideal import Ideal
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, counterexample, decided, equal
from ntqr_exact.ledger.ntqr.counting import definition, small_tests, value_in
from ntqr_exact.ledger.ntqr.identities import Repair, identity
from ntqr_exact.ledger.ntqr.opening import datasets_named
from ntqr_exact.ledger.ntqr.symbols import read, symbols, written
from ntqr_exact.postulates.single import single
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.votes.counts import VoteCounts


def _reduction(printed: str) -> Finding:
    size = int(printed)
    possible = PossibleSet(size).count()
    most = max(_consistent(said, size) for said in range(size + 1))
    least = _consistent(0, size)
    factor = mpq(possible, most)
    return decided(
        factor > size / mpq(2),
        f"Q = {size}: of {possible} evaluations at most {most} and at least {least} remain",
        f"so at least a factor {with_decimal(factor, 1)}",
    )


def _consistent(said_a: int, size: int) -> int:
    """Return (R_a + 1)(R_b + 1)."""
    return ConsistentSet(VoteCounts({"a": said_a, "b": size - said_a})).count()


def _quarter_million(printed: str) -> Finding:
    """Compare a quarter of a million with the counts of the nine classifiers, and with the whole range."""
    about = rational(printed)
    counts = {
        f"{name}, {votes.judges[judge]}": ConsistentSet(votes.marginal(judge)).count()
        for name, votes in ((each.name, each.votes) for each in EXAMPLES.values())
        for judge in range(3)
    }
    least, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    near = [name for name, count in counts.items() if abs(count - about) <= about / 20]
    return by_reading(
        {
            "the nine classifiers of the three tests, within 5 percent": decided(
                len(near) == len(counts),
                f"{len(near)} of {len(counts)} between {about * 19 / 20} and {about * 21 / 20}; "
                f"least {counts[least]} ({least}), most {counts[most]} ({most})",
                right=f"{counts[least]} to {counts[most]}",
            ),
            "the most that can be": decided(
                abs(_consistent(500, 1000) - about) <= about / 20,
                f"(R_a+1)(R_b+1) is at most 501² = {_consistent(500, 1000)}, at R_a = 500",
            ),
            "any responses": decided(
                abs(_consistent(0, 1000) - about) <= about / 20,
                f"a judge who always answers b leaves {_consistent(0, 1000)}",
                right=f"(R_a+1)(R_b+1), from {_consistent(0, 1000)} to {_consistent(500, 1000)}",
            ),
        }
    )


def _varies(_printed: str) -> Finding:
    counts = sorted({_consistent(said, 10) for said in range(11)})
    return decided(len(counts) > 1, f"Q = 10: (R_a+1)(R_b+1) takes the values {counts}")


_POINT = ("key_count_a", "key_responses_a_a_1", "key_responses_b_b_1")


def _plane(printed: str) -> Finding:
    degree = _degree_in(printed, {"Qb": "Q - Qa"}, _POINT)
    return decided(
        degree == 1,
        f"{written(printed)} has degree {degree} in (Q_a, R^a_a, R^b_b), the votes being numbers",
        "the line printed in (16), R^a_a − R^b_b = R_a − R_b, is a plane too, but another one",
    )


def _quadric(printed: str) -> Finding:
    degree = _degree_in(printed, {"Pb": "1 - Pa"}, ("prevalence_a", "accuracy_a_1", "accuracy_b_1"))
    return decided(
        degree == 2, f"{written(printed)} has degree {degree} in (P_a, P^a_a, P^b_b), the votes being numbers"
    )


def _degree_in(printed: str, change: dict[str, str], unknown: tuple[str, ...]) -> int:
    formula = read(printed).polynomial()
    images = {symbols()[name].variables()[0]: read(text).polynomial() for name, text in change.items()}
    changed = formula.substitute(images)
    return max(sum(power for name, power in monomial if name in unknown) for monomial in changed.terms)


def _complete_because(printed: str) -> Finding:
    claim = read(printed).polynomial()
    known = single().responses
    few = Ideal([known[name].polynomial for name in ("1", "11", "12")])
    all_known = Ideal([known[name].polynomial for name in ("1", "11", "12", "Q(a)", "Q(b)")])
    return by_reading(
        {
            "with R^a_a + R^a_b = Q_a and R^b_a + R^b_b = Q_b": decided(
                all_known.contains(claim), "11 + 12, with these two and eq. 1, is 13"
            ),
            "from 1, 11 and 12 alone": decided(
                few.contains(claim),
                f"13 does not follow: {few.reduce(claim)} remains",
                right="the excluded middle on each label must be added",
            ),
        }
    )


def _no_more_equations(_printed: str) -> Finding:
    """List all whole solutions of 1, 11, 12 with the excluded middle, and compare with tests."""

    def cases() -> Iterator[tuple[str, bool]]:
        for size in range(1, 5):
            solutions: set[tuple[object, ...]] = {
                (key, right_a, right_b, right_a + size - key - right_b)
                for key in range(size + 1)
                for right_a in range(key + 1)
                for right_b in range(size - key + 1)
            }
            names = (*_POINT, "responses_a_1")
            found = {
                tuple(value_in(t, name) for name in names) for t in small_tests(1, size) if t.size == size
            }
            yield f"Q = {size}: {len(solutions)} solutions, {len(found)} kinds of tests", solutions == found

    return counterexample(
        cases(),
        checked="whole solutions and tests are the same, Q from 1 to 4",
        proof="for whole numbers within eqs. 6 and 7 choose so many questions of each label and answer them rightly",
    )


def _not_independent(printed: str) -> Finding:
    first, second = (read(part).polynomial() for part in printed.split(";"))
    prevalences, total = read("Pa + Pb = 1").polynomial(), read("fa1 + fb1 = 1").polynomial()
    follows = Ideal([first, prevalences, total]).contains(second)
    needed = not Ideal([first, prevalences]).contains(second)
    return decided(
        follows and needed,
        "15 follows from 14, P_a + P_b = 1 and f_a + f_b = 1 (eq. 13 in rates)",
        "without f_a + f_b = 1 it does not: then each gives its own frequency",
    )


def _single_postulate(printed: str) -> Finding:
    pair, one = printed.rsplit(";", 1)
    both = [read(part).polynomial() for part in pair.split(";")]
    conditions = [read("Pa + Pb = 1").polynomial(), read("fa1 + fb1 = 1").polynomial()]
    same = Ideal([*both, *conditions]).equals(Ideal([read(one).polynomial(), *conditions]))
    return decided(
        same,
        "with P_a + P_b = 1 and f_a + f_b = 1 the ideals of {14, 15} and of {16} are equal",
        right="eq. 16, first line",
        slip=True,
    )


def _eq_17(printed: str) -> Finding:
    left, right = (part.strip() for part in printed.split("="))
    value = mpq(read(left).evaluate({}))  # type: ignore[arg-type]
    digits = right.replace(",", "")
    if not digits.isdecimal():
        raise BadDocument(right, "a count is a whole number")
    return all_of(
        {
            "product": equal(digits, value, "the product"),
            "count": equal(digits, mpq(PossibleSet(1000).count()), "C(1003, 3)"),
        }
    )


_ONE_LINE = "Pa*(x1 - fa1) = Pb*(y1 - fb1)"
_EQ_14 = "fa1 = Pa*x1 + Pb*(1 - y1)"
_EQ_15 = "fb1 = Pa*(1 - x1) + Pb*y1"
_16R = Repair("R_b stands where Q_b should", {"- Rb1": "- Qb"})


def _line_in_responses(printed: str) -> Finding:
    """Judge the second line of 16, and show it as the first one without the factors before the frequencies."""
    found = identity(printed, name="16R", repair=_16R)
    scaled = read("Pa*x1 - fa1 = Pb*y1 - fb1").substitute(
        {
            symbols()[name].variables()[0]: read(text)
            for name, text in {
                "Pa": "Qa/Q",
                "Pb": "Qb/Q",
                "x1": "Raa1/Qa",
                "y1": "Rbb1/Qb",
                "fa1": "Ra1/Q",
                "fb1": "Rb1/Q",
            }.items()
        }
    )
    if not found.arose or not (scaled * read("Q")).equals(read(printed)):
        return found
    return decided(
        False,
        *found.evidence,
        right=f"{found.right}, that is R^a_a − R^b_b = R_a − Q_b = Q_a − R_b",
        slip=True,
        arose="it is Q times the first line without its factors P_a and P_b before the frequencies",
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/eq-11",
        "eq. 11",
        Kind.IDENTITY,
        "$R_{a_i} = R^a_{a_i} + R^b_{a_i}$.",
        definition,
        printed="Ra1 = Raa1 + Rba1",
    ),
    Claim(
        "ntqr/eq-12",
        "eq. 12",
        Kind.IDENTITY,
        "$R_{b_i} = R^a_{b_i} + R^b_{b_i}$.",
        definition,
        printed="Rb1 = Rab1 + Rbb1",
    ),
    Claim(
        "ntqr/eq-13",
        "eq. 13",
        Kind.IDENTITY,
        "$R_{a_i} + R_{b_i} = Q$.",
        partial(identity, name="13"),
        printed="Ra1 + Rb1 = Q",
    ),
    Claim(
        "ntqr/eq-13/complete",
        "section 3, before eq. 13",
        Kind.SENTENCE,
        "Eqs. 11 and 12 are complete because they satisfy 13.",
        _complete_because,
        printed="Ra1 + Rb1 = Q",
    ),
    Claim(
        "ntqr/sec-3/no-more-equations",
        "section 3, after eq. 13",
        Kind.SENTENCE,
        "No further equation is needed to describe what can be observed of one judge.",
        _no_more_equations,
    ),
    Claim(
        "ntqr/eq-14",
        "eq. 14",
        Kind.IDENTITY,
        r"$f_{a_i} = \hat P_a \hat P^a_{a_i} + \hat P_b(1 - \hat P^b_{b_i})$.",
        definition,
        printed=_EQ_14,
    ),
    Claim(
        "ntqr/eq-15",
        "eq. 15",
        Kind.IDENTITY,
        r"$f_{b_i} = \hat P_a(1 - \hat P^a_{a_i}) + \hat P_b \hat P^b_{b_i}$.",
        definition,
        printed=_EQ_15,
    ),
    Claim(
        "ntqr/sec-3/not-independent",
        "section 3, after eq. 15",
        Kind.SENTENCE,
        "Eqs. 14 and 15 are complete, but one follows from the other.",
        _not_independent,
        printed=f"{_EQ_14}; {_EQ_15}",
    ),
    Claim(
        "ntqr/sec-3/single-postulate",
        "section 3, before eq. 16",
        Kind.THEOREM,
        "Eqs. 14 and 15 amount to the single postulate 16.",
        _single_postulate,
        printed=f"{_EQ_14}; {_EQ_15}; {_ONE_LINE}",
    ),
    Claim(
        "ntqr/eq-16/rates",
        "eq. 16, first line",
        Kind.IDENTITY,
        r"$\hat P_a(\hat P^a_{a_i} - f_{a_i}) = \hat P_b(\hat P^b_{b_i} - f_{b_i})$.",
        partial(identity, name="16"),
        printed=_ONE_LINE,
        by_hand="Both sides are P_aP_b(P^a_a + P^b_b − 1): put f_a = P_aP^a_a + P_b(1 − P^b_b) and f_b = 1 − f_a in.",
    ),
    Claim(
        "ntqr/eq-16/responses",
        "eq. 16, second line",
        Kind.IDENTITY,
        "$R^a_{a_i} - R^b_{b_i} = R_{a_i} - R_{b_i}$.",
        _line_in_responses,
        printed="Raa1 - Rbb1 = Ra1 - Rb1",
        by_hand="One a question, answered b: the left side is 0, the right side −1.",
    ),
    Claim(
        "ntqr/sec-3/reduction",
        "sections 2 and 3",
        Kind.SENTENCE,
        "Seeing the responses reduces the number of possible evaluations enormously.",
        _reduction,
        printed="1000",
    ),
    Claim(
        "ntqr/sec-3/datasets",
        "section 3",
        Kind.SENTENCE,
        "The tests reported are of three data sets, UCI adult, mushroom and two-norm.",
        datasets_named,
        printed="UCI adult, mushroom, two-norm",
    ),
    Claim(
        "ntqr/eq-17",
        "eq. 17",
        Kind.COUNT,
        "A test of 1000 questions has 167 668 501 possible evaluations of one judge.",
        _eq_17,
        printed="1/6*(1000 + 1)*(1000 + 2)*(1000 + 3) = 167,668,501",
        by_hand="1001 · 1002/6 = 1001 · 167 = 167167, and times 1003 it is 167668501.",
    ),
    Claim(
        "ntqr/sec-3/quarter-million",
        "section 3, after eq. 17",
        Kind.COUNT,
        "About a quarter of a million evaluations remain of the $Q = 1000$ tests.",
        _quarter_million,
        printed="250000",
    ),
    Claim(
        "ntqr/sec-3/number-varies",
        "section 3, after eq. 17",
        Kind.SENTENCE,
        "How many remain depends on the responses.",
        _varies,
    ),
    Claim(
        "ntqr/sec-3/plane",
        "section 3, after eq. 17",
        Kind.SENTENCE,
        "In $(N, T, Q, R)$ variables postulate 16 is a plane.",
        _plane,
        printed="Raa1 - Rbb1 = Ra1 - Qb",
    ),
    Claim(
        "ntqr/sec-3/quadric",
        "section 3, after eq. 17",
        Kind.SENTENCE,
        "In rates postulate 16 is a quadratic surface.",
        _quadric,
        printed=_ONE_LINE,
    ),
)
