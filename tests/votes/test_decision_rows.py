"""Rows for each answer: what pandas makes of them is what is counted."""

from __future__ import annotations

import io
import random

import pandas as pd
import pytest

from ntqr_exact import count_csv, count_frame, read_votes
from ntqr_exact.errors import BadDecisions, BadDocument, DecisionsNote, DecisionsWarning
from ntqr_exact.votes.labeled import LabeledVoteCounts

JUDGES = ("gpt", "llama", "opus")


def wide(seed: int = 4, size: int = 30) -> pd.DataFrame:
    generator = random.Random(seed)
    return pd.DataFrame({name: [generator.choice("yn") for _ in range(size)] for name in (*JUDGES, "gold")})


def long_form(frame: pd.DataFrame, names: str, *, shuffled: bool = False) -> pd.DataFrame:
    question, judge, answer = names.split()
    long = frame.reset_index(names=question).melt([question, "gold"], var_name=judge, value_name=answer)
    return long.sample(frac=1, random_state=3) if shuffled else long


@pytest.mark.parametrize("names", ["question judge answer", "doc_id annotator_id label", "id Model verdict"])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "json", "parquet"])
def test_a_row_for_each_answer_is_read_as_the_table_that_it_is(tmp_path, names, ending) -> None:
    frame = wide()
    long = long_form(frame, names)
    path = tmp_path / f"long.{ending}"
    match ending:
        case "csv":
            long.to_csv(path, index=False)
        case "parquet":
            long.astype(str).to_parquet(path)
        case _:
            long.to_json(path, orient="records", lines=ending == "jsonl")
    with pytest.warns(DecisionsNote, match=r"a row for each answer: 3 judges by .* on 30 questions"):
        found = read_votes(path, truth="gold")
    assert isinstance(found, LabeledVoteCounts)
    assert found == count_frame(frame, truth="gold")
    with pytest.warns(DecisionsNote):
        some = read_votes(path, judges=["opus", "gpt"], truth="gold")
    assert some == found.marginal("opus", "gpt")


def test_columns_of_any_name_may_be_named_and_others_do_not_matter(tmp_path, recwarn) -> None:
    frame = wide()
    long = long_form(frame, "case system said", shuffled=True).assign(seconds=1.5, id=range(90))
    path = tmp_path / "run.jsonl"
    long.to_json(path, orient="records", lines=True)
    found = read_votes(path, long=["case", "system", "said"])
    assert found.marginal(*JUDGES) == count_frame(frame[[*JUDGES]])
    assert not recwarn
    with pytest.raises(BadDecisions, match="three columns: question, judge, answer"):
        read_votes(path, long=["case", "system", "nothing"])


def test_an_answer_that_is_not_there_is_missing_and_one_too_many_is_an_error() -> None:
    text = "id,model,label\n1,A,y\n1,B,n\n2,A,n\n"
    with pytest.warns(DecisionsNote), pytest.raises(BadDecisions, match="1 answer of 4 missing: 'B' 1"):
        count_csv(io.StringIO(text))
    with pytest.warns(DecisionsNote):
        assert count_csv(io.StringIO(text), missing="label:none").counts["n", "none"] == 1
    with pytest.raises(BadDecisions, match="answered this question twice") as caught:
        count_csv(io.StringIO(text + "2,A,n\n"))
    assert caught.value.given == ["2", "A"]
    with pytest.raises(BadDecisions, match="line 3, column 'model'"):
        count_csv(io.StringIO("id,model,label\n1,A,y\n1,,n\n"))
    with pytest.raises(BadDecisions, match="two true labels, 'y' and 'n'"):
        count_csv(io.StringIO("id,model,label,key\n1,A,y,y\n1,B,y,n\n"), truth="key")
    with pytest.raises(BadDecisions, match="blanks around it"), pytest.warns(DecisionsNote):
        count_csv(io.StringIO("id,model,label\n1,A,y\n1,B,n\n2,A, n\n2,B,n\n"))


def test_a_table_with_such_names_of_columns_stays_a_table() -> None:
    """Where no question stands there twice, there is a row for each question, and model and label are judges."""
    text = "id,model,label\n" + "".join(f"{n},{'yn'[n % 2]},{'yn'[n % 3 == 0]}\n" for n in range(9))
    with pytest.warns(DecisionsWarning) as told:
        found = count_csv(io.StringIO(text))
    assert found == count_csv(io.StringIO(text), judges=["model", "label"])
    assert [str(one.message).split(",")[0] for one in told] == [
        "column 'id' numbers the questions",
        "column 'label' looks like an answer key",
    ]


def test_a_votes_file_has_no_rows_for_answers(tmp_path) -> None:
    path = tmp_path / "votes.json"
    path.write_text(count_csv(io.StringIO("A,B\na,b\n")).to_json(), encoding="utf-8")
    with pytest.raises(BadDocument, match="no long"):
        read_votes(path, long=["id", "model", "label"])


def test_fractions_and_texts_of_other_columns_are_no_answers(tmp_path) -> None:
    path = tmp_path / "run.jsonl"
    rows = [
        f'{{"doc_id": {n}, "model": "{name}", "response": "text {n}", "label": "{name[n % 2]}", "seconds": 0.5}}\n'
        for name in ("ab", "ba")
        for n in range(300)
    ]
    path.write_text("".join(rows), encoding="utf-8")
    with pytest.warns(DecisionsNote, match="2 judges by 'model' on 300 questions by 'doc_id'"):
        assert read_votes(path).counts == {("a", "b"): 150, ("b", "a"): 150}
