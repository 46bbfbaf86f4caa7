"""The family `det-curve`: false positive rate and false negative rate at every distinct score."""

from ntqr_exact.metrics.curves import det_curve
from ntqr_exact.metrics.undefined import Undefined
from ntqr_exact.vectors.forms.curves import curve_family

FAMILY = curve_family("det-curve", det_curve, Undefined.NO_NEGATIVES, Undefined.NO_POSITIVES)
