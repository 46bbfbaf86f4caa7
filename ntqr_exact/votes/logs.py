"""Logs of evaluation harnesses as answers of judges; `docs/votes.md` has the table of tools.

A judge is a model that grades: a grader, a model-graded assertion or metric. In logs without graders the judges are the
models under test, and the target is the key. A grade that could not be parsed is a gap.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeAlias

from ntqr_exact.errors import BadDecisions, MissingExtra
from ntqr_exact.exact.show import counted
from ntqr_exact.votes.shapes import MAX_LABEL_LENGTH, LongTable, note
from ntqr_exact.votes.table import Document, Rows, Table, json_cell, read_values, whole_text

_ZSTANDARD = 93
_LARGEST_MEMBER = 1 << 29
_PASS, _FAIL = "pass", "fail"
_NO_GRADE = ("could not extract json", "api error", "no output", "grader", "error:")
_MODEL_GRADED = re.compile(
    r"(not-)?(.*rubric.*|model-graded-.*|factuality|g-eval|answer-relevance|context-.*|conversation-relevance|select-best)"
)
_FLIPPED = {"A>B": "B>A", "B>A": "A>B"}


@dataclass(frozen=True, slots=True)
class _Entry:  # an answer, with all that could name its question and its judge
    question: tuple[str, ...]
    judge: tuple[str, ...]
    answer: str
    truth: str = ""
    is_check: bool = False


_Kind: TypeAlias = "tuple[str, Callable[[Any], Iterable[_Entry]], tuple[str, ...]]"
"""The tool that wrote a log, what reads it, and labels that could occur."""


def read_logs(opened: Sequence[Table | Document]) -> LongTable | None:
    """Return the answers in logs of one harness; None if the source is not a log."""
    opened = [_unpacked(each) for each in opened]
    kinds = [kind for each in opened if (kind := _kind(each)) is not None]
    if len(opened) > 1 and (len(kinds) < len(opened) or len({tool for tool, *_ in kinds}) > 1):
        for source in opened:
            if isinstance(source, Table):
                source.close()
        raise BadDecisions(len(opened), "several files must be logs of one tool", "join tables first")
    if not kinds:
        return None
    tool, _, labels = kinds[0]
    try:
        entries = [entry for kind, source in zip(kinds, opened, strict=True) for entry in kind[1](source)]
    except (ArithmeticError, AttributeError, IndexError, KeyError, TypeError) as error:
        raise BadDecisions(tool, f"a log must have the layout of its tool: {error}") from None
    if not entries:
        raise BadDecisions(tool, "a log must have graded samples", "add graders (assertions) to its tests")
    questions = _short_names(entry.question for entry in entries)
    judges = _short_names(entry.judge for entry in entries)
    checks = {judges[entry.judge] for entry in entries if entry.is_check}
    too_long = sum(len(entry.answer) > MAX_LABEL_LENGTH for entry in entries)
    if too_long:
        text = f"{counted(too_long, 'answer')} of more than {MAX_LABEL_LENGTH} characters are not labels"
        if too_long == sum(entry.answer != "" for entry in entries):
            remedy = "log the extracted answer: in lm-eval by a filter of the task (filter_list)"
            raise BadDecisions(tool, f"a log must have answers that are labels; {text}", remedy)
        note(f"{text}: gaps")
    who, what = counted(len({*judges.values()} - checks), "judge"), counted(len(questions), "question")
    note(f"a log of {tool}: {who}, {what}")
    rows = []
    for each in entries:
        answer = each.answer if len(each.answer) <= MAX_LABEL_LENGTH else ""
        rows.append((questions[each.question], judges[each.judge], answer, each.truth))
    known = labels if {row[2] for row in rows} - {""} <= {*labels, "P", "N"} else ()
    return LongTable(rows, labels=known, checks=checks)


def _kind(opened: Table | Document) -> _Kind | None:
    value = opened.value if isinstance(opened, Document) else None
    if isinstance(opened, Rows) and opened.objects:
        value = opened.objects[0]
    kind: _Kind | None = None
    match value:
        case {"doc_id": _, "filtered_resps": _}:
            kind = ("lm-eval", _lm_eval, ())
        case {"sample_id": _, "model_id": _, "evaluation": dict()}:
            kind = ("Every Eval Ever", _every_eval_ever, ())
        case {"pair_id": _, "judgments": [{"decision": _}, *_]}:
            kind = ("JudgeBench", _judgebench, ())
        case {"eval": dict(), "samples": _} | {"eval": dict(), "status": _}:
            kind = ("inspect_ai", _inspect, ("C", "I"))
        case (
            {"testIdx": _, "gradingResult": _}
            | {"results": {"results": list()}}
            | {"data": {"results": {"results": list()}}}
            | {"results": [{"gradingResult": _}, *_]}
        ):
            kind = ("promptfoo", _promptfoo, (_PASS, _FAIL))
        case {"testRunData": dict()} | {"testCases": list()}:
            kind = ("deepeval", _deepeval, (_PASS, _FAIL))
    return kind


def _short_names(parts: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """Return a name for each tuple: its first part that is not empty, or all parts that differ from others' parts.

    >>> _short_names([("gpt", "qa", ""), ("gpt", "style", ""), ("", "match", "")]).values()
    dict_values(['gpt qa', 'gpt style', 'match'])
    """
    every = dict.fromkeys(parts)
    first = {each: next(filter(None, each), "") for each in every}
    shared = Counter(first.values())
    varying = [len(set(column)) > 1 for column in zip_longest(*every, fillvalue="")]
    return {
        each: first[each]
        if shared[first[each]] == 1
        else " ".join(part for part, varies in zip(each, varying, strict=False) if part and varies)
        for each in every
    }


def _text(value: Any) -> str:
    """Return a grade as text; a number such as 1.0 is 1, and a list or an object is not a grade."""
    return "" if isinstance(value, (list, dict)) else whole_text(json_cell(value))


# -- inspect_ai ---------------------------------------------------------------------------------------------


def _unpacked(opened: Table | Document) -> Table | Document:
    """Return an `.eval` file of inspect_ai as the JSON log with the same content."""
    if not isinstance(opened, Document) or not isinstance(opened.value, bytes):
        return opened
    file, name = io.BytesIO(opened.value), opened.name
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.namelist()
            top = "header.json" if "header.json" in members else "_journal/start.json"
            log = _member(archive, file, top) if top in members else {}
            samples = [_member(archive, file, each) for each in members if each.startswith("samples/")]
    except (zipfile.BadZipFile, KeyError, ValueError, OSError, struct.error) as error:
        raise BadDecisions(name, f"file must be a log of inspect_ai: {error}") from None
    if "eval" not in log:
        raise BadDecisions(
            name, "a zip file must be a log of inspect_ai", "save sheets as CSV, unpack others"
        )
    needed = ("id", "epoch", "target", "scores")
    short = [{key: each.get(key) for key in needed} for each in samples]
    return Document({"eval": log["eval"], "samples": short}, name)


def _member(archive: zipfile.ZipFile, file: io.BytesIO, name: str) -> Any:
    info = archive.getinfo(name)
    if info.file_size > _LARGEST_MEMBER:
        raise ValueError(f"{name} must have at most {_LARGEST_MEMBER} bytes, got {info.file_size}")
    if info.compress_type != _ZSTANDARD:
        return read_values(archive.read(name).decode())
    file.seek(info.header_offset + 26)
    file.seek(sum(struct.unpack("<HH", file.read(4))), io.SEEK_CUR)  # the name and the extra field
    return read_values(_unpack_zstandard(file.read(info.compress_size), info.file_size).decode())


def _unpack_zstandard(packed: bytes, size: int) -> Any:
    """Unpack by a library that is installed; Python 3.14 has one."""
    with suppress(ImportError):
        return import_module("compression.zstd").decompress(packed)
    with suppress(ImportError):
        return import_module("zstandard").ZstdDecompressor().decompress(packed, max_output_size=size)
    with suppress(ImportError):
        return import_module("pyarrow").Codec("zstd").decompress(packed, size).to_pybytes()
    raise MissingExtra("zstandard", "this log is packed by Zstandard", "pip install zstandard")


def _inspect(document: Document) -> list[_Entry]:
    log, samples = document.value["eval"], document.value.get("samples") or []
    graders = _graders(log)
    has_epochs = len({sample.get("epoch") for sample in samples}) > 1
    model, task = _text(log.get("model")), _text(log.get("task"))
    graded, answered = [], []
    for sample in samples:
        name = f"{sample.get('id')} epoch {sample.get('epoch')}" if has_epochs else f"{sample.get('id')}"
        scores = sample.get("scores") or {}
        for scorer, score in scores.items():
            base, models = graders.get(scorer, (scorer, []))
            for judge, answer in _grades(base, score, models):
                graded.append(_Entry((name, model, task), judge, answer, is_check=not judge[0]))
        for score in [*scores.values()][:1]:
            target = sample.get("target")
            key = _text(target[0] if isinstance(target, list) and target else target)
            answered.append(_Entry((name, task), (model,), _text(score.get("answer")), key))
    # Where no grader was asked, the model under test is the judge.
    return answered if all(entry.is_check for entry in graded) else graded


def _graders(log: Mapping[str, Any]) -> dict[str, tuple[str, list[str]]]:
    """Return the scorer and the models behind each score; scores of one name are numbered: name, name1, name2."""
    graders: dict[str, tuple[str, list[str]]] = {}
    seen: Counter[str] = Counter()
    roles = log.get("model_roles") or {}
    for scorer in log.get("scorers") or []:
        base = str(scorer.get("name")).rpartition("/")[2]
        options = scorer.get("options") or {}
        model = options.get("model")
        if model is None and base.startswith("model_graded"):
            model = roles.get(options.get("model_role", "grader")) or log.get("model")
        several = model if isinstance(model, list) else [] if model is None else [model]
        models = [_text(each.get("model") if isinstance(each, dict) else each) for each in several]
        graders[f"{base}{seen[base] or ''}"] = (base, models)
        seen[base] += 1
    return graders


def _grades(name: str, score: Mapping[str, Any], models: list[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the judges of one score with their grades: a panel, a value for each name, or one value."""
    panel = (score.get("metadata") or {}).get("panel")
    value = score.get("value")
    if isinstance(panel, dict) and isinstance(panel.get("votes"), list):
        for number, vote in enumerate(panel["votes"]):
            model = models[number] if number < len(models) else f"grader {number + 1}"
            again = f"{models[:number].count(model) + 1}" if models.count(model) > 1 else ""
            yield (model, name, again), _text(vote)
        return
    model = models[0] if len(models) == 1 else "panel" if models else ""
    for part, grade in value.items() if isinstance(value, dict) else [("", value)]:
        yield (model, name, part), _text(grade)


# -- the other tools ----------------------------------------------------------------------------------------


def _promptfoo(source: Document | Rows) -> Iterator[_Entry]:
    results: Any = (
        source.objects if isinstance(source, Rows) else source.value.get("data", source.value)["results"]
    )
    for number, result in enumerate(results["results"] if isinstance(results, dict) else results, start=1):
        test, prompt = result.get("testIdx"), result.get("promptIdx")
        question = (f"result {number}", "") if test is None else (f"test {test}", f"prompt {prompt}")
        options = (result.get("testCase") or {}).get("options") or {}
        seen: Counter[tuple[str, str]] = Counter()
        for component in _components(result.get("gradingResult") or {}):
            assertion = component["assertion"]
            kind = str(assertion.get("type"))
            is_check = _MODEL_GRADED.fullmatch(kind) is None
            provider = "" if is_check else assertion.get("provider") or options.get("provider") or ""
            model = _text(provider.get("id") if isinstance(provider, dict) else provider)
            name = (model, str(assertion.get("metric") or kind))
            seen[name] += 1
            again = f"{seen[name]}" if seen[name] > 1 else ""
            grade = _PASS if component.get("pass") else _FAIL
            reason = str(component.get("reason") or "").lower()
            failed = bool((component.get("metadata") or {}).get("graderError"))
            failed |= grade == _FAIL and reason.startswith(_NO_GRADE)
            yield _Entry(
                question, (*name, again), "" if failed and not is_check else grade, is_check=is_check
            )


def _components(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the results of single assertions, also those inside sets of assertions."""
    inner = [each for each in result.get("componentResults") or [] if isinstance(each, dict)]
    for each in inner:
        yield from _components(each)
    if not inner and isinstance(result.get("assertion"), dict):
        yield result


def _lm_eval(table: Rows) -> Iterator[_Entry]:
    task, model = _lm_eval_names(Path(table.name))
    for row in table.objects:
        answer, target = row["filtered_resps"], row.get("target")
        answer = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
        if isinstance(answer, list) and answer and all(isinstance(each, list) for each in answer):
            likelihoods = [_likelihood(each) for each in answer]
            best = likelihoods.index(max(likelihoods))
            answer = str(best)
            if not _text(target).isdigit():  # the target is the text of a choice
                answer = (row.get("arguments") or {}).get(f"gen_args_{best}", {}).get("arg_1")
        text = _text(answer)
        judge = (model, _text(row.get("filter", "none")))
        yield _Entry((_text(row["doc_id"]), task), judge, "" if text == "[invalid]" else text, _text(target))


def _likelihood(choice: Sequence[Any]) -> Decimal:
    """Return the log likelihood of a choice; least where it is not finite, which JSON cannot write."""
    number = Decimal(str(choice[0] or "-inf"))
    return Decimal("-inf") if number.is_nan() else number


def _lm_eval_names(path: Path) -> tuple[str, str]:
    """Return the task and the model of a file of samples: from its name, and from the results next to it."""
    match = re.fullmatch(r"samples_(.*?)_?(\d{4}-\d\d-\d\dT[\d.:-]*)?\.jsonl(?:\.gz)?", path.name)
    task, date = (match[1], match[2]) if match else (path.stem, None)
    try:
        about = json.loads(path.with_name(f"results_{date}.json").read_text(encoding="utf-8"))
        model = about.get("model_name") or about["config"]["model_args"]
    except (OSError, ValueError, KeyError, AttributeError):
        model = path.parent.name or path.stem
    return task, str(model)


def _every_eval_ever(table: Rows) -> Iterator[_Entry]:
    for row in table.objects:
        given = [each for each in row.get("answer_attribution") or [] if each.get("is_terminal", True)]
        references = (row.get("input") or {}).get("reference") or []
        key = references[0] if isinstance(references, list) and references else references or None
        question = (_text(row["sample_id"]), _text(row.get("evaluation_name")))
        answer = _text(given[-1].get("extracted_value")) if given else ""
        yield _Entry(question, (_text(row["model_id"]),), answer, _text(key))


def _judgebench(table: Rows) -> Iterator[_Entry]:
    """Yield the decisions of a judge in both orders of the pair; in the second, A is the response that was B."""
    for row in table.objects:
        for number, each in enumerate(row["judgments"]):
            model = _text((each.get("judgment") or {}).get("judge_model")) or Path(table.name).stem
            decision = _text(each.get("decision"))
            answer = _FLIPPED.get(decision, decision) if number == 1 else decision
            judge = (model, _text(row.get("judge_name")), f"order {number + 1}")
            yield _Entry((_text(row["pair_id"]),), judge, answer, _text(row.get("label")))


def _deepeval(document: Document) -> Iterator[_Entry]:
    run = document.value.get("testRunData", document.value)
    for number, case in enumerate([*run.get("testCases", ()), *run.get("conversationalTestCases", ())], 1):
        for metric in case.get("metricsData") or []:
            model = _text(metric.get("evaluationModel"))
            answer = "" if metric.get("error") else _PASS if metric.get("success") else _FAIL
            question = (_text(case.get("name")) or f"test {number}", f"{number}")
            yield _Entry(question, (_text(metric.get("name")), model), answer, is_check=not model)
