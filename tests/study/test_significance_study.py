"""A comparison of very large samples is studied, too: what takes too much work is left out, and the text says so."""

from ntqr_exact import MetricModel, study_significance

METRIC = MetricModel("0.8897", "0.22769")


def test_an_exact_test_of_too_many_outputs_is_left_out_and_said_to_be() -> None:
    usual = study_significance(control=(9073, 99442), treatment=(9106, 99442), metric=METRIC)
    assert f"{float(usual.p_value):.4f}" == "0.8034"
    large = study_significance(control=(907300, 9944200), treatment=(910600, 9944200), metric=METRIC)
    assert large.p_value is None
    assert large.to_document()["exact_test"]["p_value"] is None
    assert "Fisher's test: left out" in str(large)
