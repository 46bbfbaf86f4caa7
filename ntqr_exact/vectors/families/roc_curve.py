"""The family `roc-curve`: false positive rate and recall at every distinct score, equal scores together."""

from ntqr_exact.metrics.curves import roc_curve
from ntqr_exact.metrics.undefined import Undefined
from ntqr_exact.vectors.forms.curves import curve_family

FAMILY = curve_family(
    "roc-curve", roc_curve, Undefined.NO_NEGATIVES, Undefined.NO_POSITIVES, witnesses=("scikit-learn",)
)
