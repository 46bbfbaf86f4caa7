"""The picture of the README: the quadratic of a published test, and the alarm that needs no answer key.

`python -m ntqr_exact.views.readme_picture docs/images/self_alarm.svg` draws it anew.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ntqr_exact.views.plots.figures import reproduce_figure
from ntqr_exact.views.plots.style import save_themed


def _readme_picture() -> Any:
    """Return the figure: figure 6 of the paper with a title for those who have not read it."""
    axes = reproduce_figure(6)
    axes.title.set_text(
        "Three judges, 1000 questions, no key:\n√A is irrational, so no key makes their errors exactly independent"
    )
    return axes.figure


if __name__ == "__main__":
    save_themed(_readme_picture(), Path(sys.argv[1]))
