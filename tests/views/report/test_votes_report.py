"""The report of a test: a whole page with all its sections, names as text, the same bytes every time."""

from __future__ import annotations

import contextlib
import html
import io
import re
from itertools import pairwise, product

import pytest

from ntqr_exact import (
    AbstainingVotes,
    ConsistentSet,
    SafetySpecification,
    VoteCounts,
    example,
    solve_independent,
    study_votes,
)
from ntqr_exact.cli import main as frame
from ntqr_exact.errors import EmptyTest
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.views.report import votes_report
from ntqr_exact.votes.read_votes import votes_from_document

SECTIONS = [
    "summary",
    "answers",
    "dependence",
    "chance",
    "grades",
    "independent",
    "nearest",
    "agreement",
    "safety",
    "consistent",
    "correlations",
    "reproduce",
]

# Whole pages take seconds each; tests/study looks at every number of some of them.
pytestmark = pytest.mark.slow


def of_judges(number, labels="ab", step=7):
    patterns = list(product(labels, repeat=number))
    return VoteCounts({pattern: (place * step) % 5 for place, pattern in enumerate(patterns)}, tuple(labels))


@pytest.fixture(scope="module")
def two_norm():
    shown = example("two-norm")
    return votes_report(shown.votes, known=shown.evaluation.rates())


# -- the page ------------------------------------------------------------------------------------


def test_the_page_is_balanced_and_has_all_sections_in_order(two_norm, parsed):
    page = parsed(two_norm)
    assert (page.faults, page.open) == ([], [])
    sections = re.findall(r'<section id="([a-z]+)"', two_norm)
    assert sections == SECTIONS
    contents = two_norm.partition("<nav")[2].partition("</nav>")[0]
    assert re.findall(r'href="#([a-z]+)-blocks"', contents) == SECTIONS[1:]


def test_the_first_page_answers_and_all_the_rest_is_folded(two_norm, parsed):
    first, _, rest = two_norm.partition("<main>")[2].partition("</section>")
    asked = [
        "How good is each judge?",
        "Who is better than whom?",
        "What the votes prove",
        "What they cannot tell",
        "What to do next",
    ]
    assert re.findall(r"<h3>([^<]*)</h3>", first) == asked
    assert not re.search(r"<details><summary><h2", first)
    assert rest.count("<section ") == rest.count("<details><summary><h2") == len(SECTIONS) - 1
    # Without what the pointer tells in the picture.
    assert len(parsed(re.sub("(?s)<svg.*?</svg>", "", first)).text) < 4000


def test_every_name_in_the_page_is_given_once_and_every_reference_is_met(two_norm, parsed):
    page = parsed(two_norm)
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    wanted = {value[1:] for value in page.values("href")} | set(re.findall(r"url\(#([^)]+)\)", two_norm))
    wanted |= {name for value in page.values("aria-labelledby") for name in value.split()}
    assert wanted
    assert wanted <= set(ids)


def test_the_page_can_be_read_aloud(two_norm, parsed):
    page = parsed(two_norm)
    assert ("html", "lang", "en") in page.attributes
    headings = [int(tag[1]) for tag in page.tags if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))
    assert page.tags.count("th") == sum(
        1 for tag, name, _ in page.attributes if (tag, name) == ("th", "scope")
    )
    assert page.tags.count("caption") == page.tags.count("table")
    assert page.tags.count("svg") == two_norm.count('role="img"') == two_norm.count("<title id=")
    assert page.tags.count("svg") >= 8


def test_the_page_loads_nothing_and_runs_nothing(two_norm, parsed):
    page = parsed(two_norm)
    assert not {"script", "link", "img", "iframe", "object", "embed", "base", "form"} & set(page.tags)
    assert not re.search(r"https?:|//[a-z]|@import|data:", two_norm)
    assert all(value.startswith("#") for value in page.values("href"))
    assert not [name for _, name, _ in page.attributes if name.startswith("on") or name in {"src", "srcset"}]
    assert "default-src 'none'" in two_norm
    assert "<!--" not in two_norm
    assert "<metadata" not in two_norm


def test_the_bytes_are_the_same_under_every_hash_seed_and_whatever_the_user_has_set_in_matplotlib(
    run_under_seed,
):
    program = """
        import sys
        import matplotlib
        matplotlib.rcParams.update({"font.size": 23, "axes.grid": True, "svg.fonttype": "none"})
        from ntqr_exact import VoteCounts
        from ntqr_exact.views.report import votes_report
        votes = VoteCounts({"aaa": 3, "aab": 1, "aba": 2, "baa": 1, "bbb": 4})
        sys.stdout.buffer.write(votes_report(votes).encode())
    """
    here = votes_report(VoteCounts({"aaa": 3, "aab": 1, "aba": 2, "baa": 1, "bbb": 4})).encode()
    assert run_under_seed(program, 1) == run_under_seed(program, 4242) == here


def test_the_users_settings_of_matplotlib_are_left_as_they_were():
    import matplotlib

    with matplotlib.rc_context({"font.size": 23, "svg.hashsalt": "mine"}):
        votes_report(VoteCounts({"ab": 2, "bb": 1}))
        assert (matplotlib.rcParams["font.size"], matplotlib.rcParams["svg.hashsalt"]) == (23, "mine")


# -- what it says --------------------------------------------------------------------------------


def test_it_tells_counts_grades_alarms_and_correlations_exactly(two_norm, parsed):
    text = " ".join(parsed(two_norm).text.split())
    votes = example("two-norm").votes
    assert f"{ConsistentSet(votes).count():,} consistent evaluations" in text
    assert "ALARM, irrational" in text
    assert solve_independent(votes).alarms[0].words in text
    assert "297/400 = 0.7425" in text  # judge 1 on a by the key
    assert "(82128915125 - 883439·√657031321)/164257830250" in text  # the share of a, folded
    assert "(575 - √65182)/1150" in text  # an error rate by agreement
    assert "all judges could be safe only if 0 to 905 of the 1000 questions are a" in text
    assert "400 of a, 600 of b" in text
    points = ConsistentSet(votes).pair_correlations(example("two-norm").evaluation, 0, 1)
    assert len(points) > 2
    for point in (points[0], points[-1]):
        assert all(str(value) in text for value in point.correlations)


def test_a_logical_alarm_names_the_judges(parsed):
    text = votes_report(VoteCounts({"ab": 1, "ba": 1}), specification=SafetySpecification(2))
    shown = " ".join(parsed(text).text.split())
    assert (
        "Safety, all judges together: ALARM: whatever the answer key, J1 and J2 cannot both be safe" in shown
    )
    assert "Safety, each judge alone: no alarm" in shown


@pytest.mark.parametrize(
    "votes",
    [
        of_judges(1),
        of_judges(2),
        of_judges(4),
        of_judges(2, "abc"),
        of_judges(3, "abc"),
        of_judges(5, step=3),
    ],
    ids=["one judge", "two", "four", "two of three labels", "three of three labels", "five"],
)
def test_every_number_of_judges_and_labels_has_a_whole_page(votes, parsed):
    text = votes_report(votes)
    page = parsed(text)
    assert (page.faults, page.open) == ([], [])
    ids = page.values("id")
    assert len(ids) == len(set(ids))


def test_with_more_than_three_judges_every_trio_stands_in_a_table(parsed):
    text = votes_report(of_judges(5))
    rows = re.findall(r"<tr><th[^>]*>(J\d, J\d, J\d)</th>", text.partition('<section id="trios"')[2])
    assert len(rows) == 2 * 10  # the alarms of each, and in words
    assert "Every trio by itself" in parsed(text).text


@pytest.mark.parametrize("counts", [{"aaa": 5}, {"aaa": 3, "bbb": 2}, {"aab": 1}, {"aba": 2, "bab": 2}])
def test_degenerate_votes_have_a_page_too(counts, parsed):
    page = parsed(votes_report(VoteCounts(counts)))
    assert page.faults == []


def test_a_large_test_says_what_is_not_gone_through():
    votes = VoteCounts(dict.fromkeys(product("ab", repeat=3), 6000))
    text = votes_report(votes)
    assert "the key counts are too many to be listed one by one" in text
    assert "not looked for" in text


def test_a_test_without_questions_is_refused():
    with pytest.raises(EmptyTest):
        votes_report(VoteCounts({}, judges=["A"]))


def test_progress_is_told():
    steps = []
    votes_report(of_judges(4), progress=steps.append)
    assert "trio J1, J2, J3" in steps
    assert steps.index("grades") < steps.index("safety") < steps.index("correlations")


# -- names from the data -------------------------------------------------------------------------


def test_hostile_names_stay_text_everywhere(hostile, parsed):
    text = votes_report(hostile, title="<script>alert(0)</script>")
    page = parsed(text)
    assert (page.faults, page.open) == ([], [])
    assert not {"script", "img", "b"} & set(page.tags)
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]
    assert page.text.count("<script>alert(1)</script>") > 20
    assert page.text.count('"><img src=x onerror=alert(2)>') > 20
    assert "B&amp; $x_1$ ]]> -->" in page.text
    assert not re.search("[\u202a-\u202e\x00-\x08]", text)
    assert "评委\\u202e3" in page.text


def test_long_names_and_formulas_in_names_are_drawn():
    votes = VoteCounts(
        {("$\\frac{1}{", "_^{}"): 2, ("_^{}", "_^{}"): 1}, ("$\\frac{1}{", "_^{}"), ("x" * 300, "$$")
    )
    assert votes_report(votes).count("<svg ") >= 3


# -- doing it again ------------------------------------------------------------------------------


def code_blocks(text):
    section = text.partition('<section id="reproduce"')[2]
    return [
        html.unescape(block)
        for block in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", section, re.DOTALL)
    ]


def test_the_data_in_the_report_are_the_votes(hostile, two_norm):
    assert votes_from_document(read_json(code_blocks(votes_report(hostile))[1])) == hostile
    assert votes_from_document(read_json(code_blocks(two_norm)[1])) == example("two-norm").votes


@pytest.mark.parametrize("which", ["labeled", "plain", "abstaining"])
def test_the_program_and_the_commands_in_the_report_run(which, hostile, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(frame.COMMANDS, "report", "ntqr_exact.cli.report:report")
    votes = {
        "labeled": hostile,
        "plain": of_judges(3),
        "abstaining": AbstainingVotes(of_judges(3, "axb"), "x"),
    }[which]
    specification = SafetySpecification("3/2", minimum_grade="1/3")
    text = votes_report(votes, specification=specification, ties="first-judge")
    _, data, commands, program = code_blocks(text)
    (tmp_path / "votes.json").write_text(data, encoding="utf-8")
    for line in commands.splitlines():
        assert frame.main(line.split()[1:]) in (0, 1), line
    assert "3/2 × its right answers" in capsys.readouterr().out
    again = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert (
        again.partition("<main>")[2].partition('<section id="reproduce"')[0]
        == (text.partition("<main>")[2].partition('<section id="reproduce"')[0])
    )
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(program, "program", "exec"), {})
    assert said.getvalue() == f"{study_votes(votes, factor=specification, ties='first-judge')}\n"
