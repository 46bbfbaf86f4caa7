"""The family `precision-recall-curve`: recall and precision at every distinct score, without an anchor."""

from ntqr_exact.metrics.curves import precision_recall_curve
from ntqr_exact.metrics.undefined import Undefined
from ntqr_exact.vectors.forms.curves import curve_family

FAMILY = curve_family(
    "precision-recall-curve", precision_recall_curve, Undefined.NO_POSITIVES, witnesses=("scikit-learn",)
)
