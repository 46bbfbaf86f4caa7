"""The picture of the README: the quadratic of a published test, and the alarm that needs no answer key.

`python -m ntqr_exact.views.readme_picture docs/images/self_alarm.svg` draws it anew.
"""

from __future__ import annotations

import sys
from typing import Any

from ntqr_exact.views.plots.figures import reproduce_figure


def readme_picture() -> Any:
    """Return the figure: figure 6 of the paper with a title for those who have not read it."""
    axes = reproduce_figure(6)
    axes.set_title(
        "Three judges, 1000 questions, no key: √A is irrational, so their errors are not independent"
    )
    axes.title.set_fontsize(9)
    return axes.figure


if __name__ == "__main__":
    import matplotlib as mpl

    mpl.rcParams["svg.hashsalt"] = "ntqr_exact"
    readme_picture().savefig(sys.argv[1], metadata={"Date": None} if sys.argv[1].endswith("svg") else None)
