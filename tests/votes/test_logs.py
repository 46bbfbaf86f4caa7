"""Logs of harnesses; those of inspect_ai and deepeval were written by these tools."""

import json
from pathlib import Path

import pytest

from ntqr_exact import read_votes
from ntqr_exact.errors import BadDecisions, MissingExtra
from ntqr_exact.votes import logs
from ntqr_exact.votes.tables import open_source

DATA = Path(__file__).parent / "data"

pytestmark = pytest.mark.filterwarnings("ignore::ntqr_exact.errors.DecisionsWarning")


def written(folder, name, value, *, lines=False):
    path = folder / name
    path.write_text("\n".join(map(json.dumps, value)) if lines else json.dumps(value))
    return path


def test_the_graders_of_an_inspect_panel_are_judges():
    votes = read_votes(DATA / "inspect_panel.eval")
    assert votes.judges == ("mockllm/ada", "mockllm/bo", "mockllm/cy")
    assert dict(votes.counts) == {("C", "C", "I"): 1, ("I", "C", "I"): 1, ("C", None, "C"): 1}


def test_the_scorers_of_inspect_are_judges_and_epochs_are_questions(tmp_path):
    votes = read_votes(DATA / "inspect_scorers.eval")
    assert votes.judges == ("mockllm/ada", "mockllm/bo")
    assert (votes.size, votes.answered(0), votes.answered(1)) == (6, 6, 5)
    with_key = read_votes(DATA / "inspect_scorers.eval", truth="match")
    assert with_key.key_counts == {"C": 0, "I": 6}
    opened = open_source(DATA / "inspect_scorers.eval")
    value = logs._unpacked(opened).value
    assert read_votes(written(tmp_path, "log.json", value | {"status": "success"})) == votes


def test_without_zstandard_the_library_to_install_is_named(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(logs, "import_module", missing)
    with pytest.raises(MissingExtra, match="zstandard"):
        read_votes(DATA / "inspect_panel.eval")


def test_models_are_judges_in_an_inspect_log_without_graders(tmp_path):
    paths = []
    for model, said in (("m1", ["A", "B"]), ("m2", ["A", ""])):
        samples = [
            {"id": n, "epoch": 1, "target": "A", "scores": {"choice": {"value": "C", "answer": answer}}}
            for n, answer in enumerate(said)
        ]
        value = {"eval": {"task": "t", "model": model}, "samples": samples, "status": "success"}
        paths.append(written(tmp_path, f"{model}.json", value))
    votes = read_votes(paths)
    assert votes.judges == ("m1", "m2")
    assert dict(votes.by_label["A"].counts) == {("A", "A"): 1, ("B", None): 1}


def promptfoo_results():
    def graded(grade, kind="llm-rubric", provider="gpt", reason="because"):
        return {"pass": grade, "reason": reason, "assertion": {"type": kind, "provider": provider}}

    parts = [
        [graded(True), graded(False, provider="claude"), graded(True, "contains", None)],
        [
            graded(True),
            graded(False, provider="claude", reason="Could not extract JSON"),
            graded(False, "equals", None),
        ],
    ]
    return [
        {"testIdx": n, "promptIdx": 0, "gradingResult": {"componentResults": [{"componentResults": part}]}}
        for n, part in enumerate(parts)
    ]


def test_model_graded_assertions_of_promptfoo_are_judges(tmp_path):
    results = promptfoo_results()
    found = {
        read_votes(written(tmp_path, "1.json", {"results": {"results": results}})),
        read_votes(written(tmp_path, "2.json", {"results": results})),
        read_votes(written(tmp_path, "3.jsonl", results, lines=True)),
    }
    assert len(found) == 1
    votes = found.pop()
    assert (votes.judges, votes.labels) == (("gpt", "claude"), ("fail", "pass"))
    assert dict(votes.counts) == {("pass", "fail"): 1, ("pass", None): 1}


def test_files_of_lm_eval_are_judges_and_the_target_is_the_key(tmp_path):
    for model in ("m1", "m2"):
        (tmp_path / model).mkdir()
    chances = [[None, "False"], ["-0.5", "True"], ["-inf", "False"]]
    first = [
        {"doc_id": 0, "target": "1", "filtered_resps": chances, "filter": "none"},
        {"doc_id": 1, "target": "0", "filtered_resps": ["[invalid]"], "filter": "none"},
    ]
    second = [{**row, "filtered_resps": ["0"]} for row in first]
    one = written(tmp_path / "m1", "samples_task_2026-01-21T03-44-18.458309.jsonl", first, lines=True)
    other = written(tmp_path / "m2", "samples_task_2026-01-21T03-44-18.458309.jsonl", second, lines=True)
    written(tmp_path / "m2", "results_2026-01-21T03-44-18.458309.json", {"model_name": "org/m2"})
    votes = read_votes([one, other])
    assert votes.judges == ("m1", "org/m2")
    assert dict(votes.by_label["1"].counts) == {("1", "0"): 1}
    assert dict(votes.by_label["0"].counts) == {(None, "0"): 1}
    filters = [{**row, "filter": name, "filtered_resps": [name[1]]} for row in first for name in ("a1", "b2")]
    path = written(tmp_path / "m1", "samples_other.jsonl", filters, lines=True)
    assert read_votes(path).judges == ("a1", "b2")


def test_an_answer_that_is_too_long_to_be_a_label_is_a_gap_and_a_log_of_such_answers_is_refused(tmp_path):
    rows = [
        {"doc_id": n, "target": "01"[n % 2], "filtered_resps": [text], "filter": "none"}
        for n, text in enumerate(["0", "1", "x" * 201])
    ]
    path = written(tmp_path, "samples_task.jsonl", rows, lines=True)
    assert read_votes(path).observed().answered(0) == 2
    with pytest.raises(BadDecisions, match="filter_list"):
        read_votes(written(tmp_path, "samples_long.jsonl", rows[2:], lines=True))


def test_models_of_every_eval_ever_are_judges(tmp_path):
    def row(model, sample, answer):
        attribution = [{"extracted_value": answer, "is_terminal": True}]
        return {
            **{
                "model_id": model,
                "sample_id": sample,
                "evaluation_name": "x",
                "evaluation": {"is_correct": True},
            },
            **{"input": {"reference": ["4"]}, "answer_attribution": attribution},
        }

    rows = [row("m1", "s1", "4"), row("m2", "s1", "5"), row("m1", "s2", None), row("m2", "s2", "4")]
    votes = read_votes(written(tmp_path, "x.jsonl", rows, lines=True))
    assert votes.judges == ("m1", "m2")
    assert dict(votes.by_label["4"].counts) == {("4", "5"): 1, (None, "4"): 1}


def test_both_orders_of_judgebench_are_judges_of_the_same_pairs(tmp_path):
    def row(pair, model, *decisions):
        judgments = [{"judgment": {"judge_model": model}, "decision": each} for each in decisions]
        return {"pair_id": pair, "label": "A>B", "judge_name": "vanilla", "judgments": judgments}

    paths = [
        written(tmp_path, f"{model}.jsonl", [row("p", model, *first), row("q", model, *second)], lines=True)
        for model, first, second in (
            ("m1", ("A>B", "B>A"), ("A=B", None)),
            ("m2", ("B>A", "A>B"), ("A>B", "A=B")),
        )
    ]
    votes = read_votes(paths)
    assert votes.judges == ("m1 order 1", "m1 order 2", "m2 order 1", "m2 order 2")
    assert dict(votes.by_label["A>B"].counts) == {
        ("A>B", "A>B", "B>A", "B>A"): 1,
        ("A=B", None, "A>B", "A=B"): 1,
    }


def test_metrics_of_deepeval_are_judges():
    votes = read_votes(DATA / "deepeval.json")
    assert (votes.judges, votes.labels) == (("Correctness gpt", "Correctness claude"), ("fail", "pass")) or (
        votes.judges == ("gpt", "claude")
    )
    assert dict(votes.counts) == {("pass", "pass"): 1, ("fail", "pass"): 1, ("pass", None): 1}


def test_logs_of_two_tools_are_not_read_together(tmp_path):
    other = written(tmp_path, "1.json", {"results": promptfoo_results()})
    with pytest.raises(BadDecisions):
        read_votes([DATA / "deepeval.json", other])
