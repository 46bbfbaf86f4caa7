"""One number for one thing: all commands print the same numbers of a panel, in at most 100 columns."""

import contextlib
import csv
import functools
import html
import io
import json
import random
import re
from pathlib import Path

import pytest
from gmpy2 import mpq

from ntqr_exact.blocks.block import range_text
from ntqr_exact.cli.main import main
from ntqr_exact.exact.show import fixed_text, safe_text

KEYED = ["breast-cancer", "digits-parity", "wine"]
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("medqa", "digits-thirds", "uci-adult")]
MADE = {  # judges, labels, questions, the share of gaps, a name
    "gaps": (4, "ab", 24, 0.5, "J{}"),
    "three labels": (3, "xyz", 12, 0, "J{}"),
    "two judges": (2, "ab", 60, 0, "J{}"),
    "one judge": (1, "ab", 40, 0, "J{}"),
    "few questions": (3, "ab", 9, 0, "J{}"),
    "many judges": (11, "ab", 20, 0, "J{}"),
    "long names": (10, "ab", 12, 0, "language-model-{}:with-a-long-prompt:ab"),
}
GRADED = 8
FIELDS = {"majority": "majority", "Dawid-Skene": "dawid_skene", "covariance ≤ 0.10": "within"}
FIELDS |= {"with the key": "by_key", "from your grades": "graded"}
every_panel = pytest.mark.parametrize("name", [*KEYED, "two-norm", "uci-adult-imaginary", *MADE, *SLOW])


@pytest.fixture(autouse=True, scope="module")
def _files(tmp_path_factory):
    """Write each made panel with its key, and with the first grades only."""
    with contextlib.chdir(tmp_path_factory.mktemp("panels")):
        for name, (judges, labels, questions, gaps, form) in MADE.items():
            draw, rows = random.Random(judges + questions), []
            for _ in range(questions):
                key = draw.choice(labels)
                answers = (key if draw.random() < 0.8 else draw.choice(labels) for _ in range(judges))
                rows.append([*("" if draw.random() < gaps else answer for answer in answers), key])
            header = [*(form.format(1 + n) for n in range(judges)), "truth"]
            part = [row if n < GRADED else [*row[:-1], ""] for n, row in enumerate(rows)]
            for file, some in ((f"{name}.csv", rows), (f"{name} part.csv", part)):
                Path(file).write_text("\n".join(map(",".join, [header, *some])))
        yield
    ask.cache_clear()


@functools.cache
def ask(command, name, *words):
    """Return what a command prints of a panel, in lines of at most 100 columns, or its document."""
    path = f"{name}.csv" if Path(f"{name}.csv").exists() else f"example:{name}"
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main([command, path, *words])
    assert code in (0, 1), err.getvalue()
    if "--json" in words:
        return json.loads(out.getvalue())
    assert "--require" in words or max(map(len, out.getvalue().splitlines())) <= 100
    return out.getvalue()


def evaluated(name):
    """Return the screen, the details, the page and the document of a panel."""
    document = ask("evaluate", name, "--json", "--html", f"{name}.html")
    page = Path(f"{name}.html").read_text()
    return ask("evaluate", name), ask("evaluate", name, "--details"), page, document


def flat(text):
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", text)).split())


def rows_of(text):
    """Return the cells of the first table of a text or a page under the names of their columns."""
    lines = text[text.find("\n  judge ") :].strip().split("\n\n")[0].splitlines()
    cells = [re.split(" {2,}", line.strip()) for line in lines]
    if "</table>" in text:
        lines = re.findall("<tr>(.*?)</tr>", text[: text.index("</table>")])
        cells = [[flat(cell) for cell in re.findall("<t[hd].*?</t[hd]>", line)] for line in lines]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[1:]]


def check_rows(text, screen):
    """Compare the rows of a screen with its document."""
    rows, judges = rows_of(text), screen["judges"]
    is_withheld = any(one["kind"] == "withheld" for one in screen["verdict"]["reasons"])
    if len(judges) > len(rows):
        judges = [next(one for one in judges if one["judge"] == row["judge"]) for row in rows]
    for row, one in zip(rows, judges, strict=True):
        cells = {"answered": str(one["answered"]), "graded": "{} of {}".format(*one.get("sample", ("", "")))}
        for column, field in FIELDS.items():
            value = one.get(field)
            is_range = value is None or isinstance(value, list)
            cells[column] = (
                range_text(value and [*map(mpq, value)]) if is_range else fixed_text(mpq(value), 3)
            )
        cells |= {"Dawid-Skene": "withheld"} if is_withheld else {}
        assert [cells.get(column, cell) for column, cell in row.items()] == [*row.values()]


@every_panel
def test_the_screen_is_that_of_the_details_the_page_and_the_document(name):
    text, details, page, document = evaluated(name)
    screen, kind = document["screen"], document["screen"]["verdict"]["kind"].upper()
    assert len(text.splitlines()) <= 45
    assert kind == "WITHHELD" or len(screen["judges"]) > 2
    assert details.startswith(text.rstrip())
    assert rows_of(text) == rows_of(page)
    assert f" {kind}: " in flat(text)
    assert f" {kind} : " in flat(page)
    check_rows(text, screen)
    judges = {one["judge"]: one for one in screen["judges"]}
    for row in rows_of(ask("evaluate", name, "--exact")) if name in KEYED else ():
        assert row["judge"] not in judges or row["majority"] == judges[row["judge"]]["majority"]
    for estimate in document["grades"]["estimates"]:
        field = FIELDS.get(estimate["name"], "judge")
        assert field == "judge" or estimate["right_in_all"] == {
            one: row[field] for one, row in judges.items()
        }
    if len(judges) > 1:
        coefficients = ask("agreement", name, "--json")["coefficients"]
        (alpha,) = (one["value"] for one in coefficients if one["coefficient"] == "krippendorff")
        assert alpha == screen["alpha"]
        assert f"alpha): {fixed_text(mpq(alpha), 3)}." in flat(text)


@every_panel
def test_all_commands_count_the_same_failing_judges(name):
    text, _, page, document = evaluated(name)
    screen, single = document["screen"], ask("alarm", name, "--level", "2/3", "--json")
    counts = {one["level"]: (one["proven"], one["attained"]) for one in screen["failing"]}
    assert screen["failing"] == document["safety"]["failing"] == ask("alarm", name, "--json")["failing"]
    assert counts["2/3"] == (single["proven"], single["attained"])
    fewest = r"at least (\d+) of \d+ judges?"
    short = rf"At (\S+), {fewest} must fail \((?:exactly )?(\d+) with some key\)"
    long = rf"{fewest} (?:is|are) right on at most (\S+) .*? it is (?:exactly )?(\d+)\."
    printed = [re.findall(short, flat(each)) for each in (text, page)]
    alarm = re.findall(long, flat(ask("alarm", name)))
    for found in (*printed, [(level, proven, attained) for proven, level, attained in alarm]):
        assert bool(found) == any(proven for proven, _ in counts.values())
        assert all(counts[level] == (int(proven), int(attained)) for level, proven, attained in found)
    if screen["common_level"]:
        most = ask("alarm", name, "--best-level", "--json")["proven"]
        assert most == screen["common_level"]["proven"]
        assert f"Some judge is right on at most {safe_text(mpq(most), 3, up=True)} of" in flat(text)


@every_panel
def test_all_commands_prove_the_same_covariance_and_ranges(name):
    _, details, page, document = evaluated(name)
    if "dependence" not in document:
        return
    own, text = (ask("dependence", name, "--budget", "0.1", *more) for more in (["--json"], []))
    least = document["screen"]["covariance"]
    assert least == own["least"]["proven"] == document["dependence"]["least"]["proven"]
    sentence = r"two judges have an error covariance of at least \S+"
    assert len({*(tuple(re.findall(sentence, flat(each))) for each in (text, details, page))}) == 1
    for printed in re.findall(r"has a covariance of at least (\S+),", flat(details + page)):
        assert printed == safe_text(mpq(least), 3, up=False)
    for one in document["screen"]["judges"]:
        accuracy = rf"the accuracy of {re.escape(one['judge'])} (not informative|[\d./]+ [\d./]+)"
        ends, printed = [mpq(end) for end in one["within"]], re.search(accuracy, flat(text))[1]
        if printed == "not informative":
            assert printed == range_text(ends)
        else:
            assert all(abs(x - mpq(y)) < mpq(1, 1000) for x, y in zip(ends, printed.split(), strict=True))


@pytest.mark.parametrize("name", [*KEYED, *MADE, *SLOW[:2]])
def test_a_key_says_the_same_as_a_key_and_as_grades_of_all_questions(name):
    key = ["--truth", "truth"] if name in MADE else []
    details = ask("evaluate", name, *key, "--details")
    keyed = ask("evaluate", name, *key, "--json") if key else evaluated(name)[3]
    whole = ask("graded", name, *key, "--json")
    check_rows(details, keyed["screen"])
    check_rows(ask("graded", name, *key), whole["screen"])
    assert keyed["screen"]["verdict"]["kind"] == whole["screen"]["verdict"]["kind"]
    rows = [*csv.DictReader(Path(f"{name}.csv").read_text().splitlines())] if key else []
    for one, judge in zip(keyed["screen"]["judges"], whole["graded"]["intervals"], strict=True):
        assert judge["share"] == [one["by_key"]] * 2
        assert mpq(judge["right"], judge["graded"]) == mpq(one["by_key"])
        assert len(one["judge"]) > 20 or f"{one['judge']}: in all {one['by_key']}" in flat(details)
        right = [row["truth"] == row[one["judge"]] for row in rows if row[one["judge"]]]
        assert not key or mpq(one["by_key"]) == mpq(sum(right), len(right))


@pytest.mark.parametrize("name", MADE)
def test_a_graded_sample_only_adds_to_the_screen(name):
    words = ["graded", f"{name} part", "--truth", "truth", "--drawn", "at_random"]
    text, study, plain = ask(*words), ask(*words, "--json"), evaluated(name)[3]["screen"]
    check_rows(text, study["screen"])
    assert len(text.splitlines()) <= 45
    assert f"{GRADED} of {plain['questions']} questions are graded" in flat(text)
    require = [word for one in plain["judges"] for word in ("--require", f"{one['judge']} >= 1/2")]
    gates = zip(ask(*words, *require).splitlines(), ask(*words, *require, "--json"), strict=True)
    for one, before, judge, (line, gate) in zip(
        study["screen"]["judges"], plain["judges"], study["graded"]["intervals"], gates, strict=True
    ):
        assert all(one.get(field) == before.get(field) for field in ("majority", "dawid_skene", "within"))
        assert [gate["lower"], gate["upper"]] == judge["share"] == one["graded"]
        assert f"{judge['right']} of {judge['graded']} right" in line
