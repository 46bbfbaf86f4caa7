"""Violins of bootstrap values: exact widths, quartiles, one for each sample."""

import pytest
from gmpy2 import mpq
from matplotlib.figure import Figure

from ntqr_exact.errors import UndefinedMetric
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.bootstrap import BootstrapSample
from ntqr_exact.views.plots import plot_violins
from ntqr_exact.views.plots.bootstrap_bars import violin_widths

SPREAD = BootstrapSample(mpq(1), (mpq(0), mpq(1), mpq(1), mpq(4)), 0)


def test_the_widths_are_shares_of_the_resamples():
    widths = violin_widths(SPREAD)
    assert sum(share for _, share in widths) == 1
    assert dict(widths)[mpq(21, 20)] == mpq(1, 2)
    assert widths[-1] == (mpq(79, 20), mpq(1, 4))


def test_each_sample_has_a_violin_with_its_name_and_mean():
    axes = plot_violins({"max": SPREAD, "entropy": SPREAD}, axes=Figure().subplots())
    assert len(axes.collections) == 2
    assert [label.get_text() for label in axes.get_xticklabels()] == ["max", "entropy"]
    assert [line.get_label() for line in axes.lines][2] == "max: mean 1.5"
    assert list(axes.lines[0].get_ydata()) == [0, 1]


def test_a_bootstrap_without_values_is_refused():
    with pytest.raises(UndefinedMetric):
        violin_widths(BootstrapSample(Undefined.NO_SAMPLES, (), 3))
