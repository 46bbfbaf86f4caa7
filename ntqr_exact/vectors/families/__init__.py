"""All families of vectors, a module for each subject."""

from ntqr_exact.vectors.families import (
    alarms,
    confidence,
    confusion,
    independent,
    keys,
    panels,
    postulates,
    samples,
    shares,
    significance,
    varieties,
)

SUBJECTS = (
    varieties,
    postulates,
    independent,
    keys,
    panels,
    alarms,
    confusion,
    samples,
    shares,
    significance,
    confidence,
)
"""The modules, in the order in which documentation lists them."""
