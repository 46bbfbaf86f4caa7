"""Pictures to turn, to hover over and to slide; plotly is the extra `explore`.

Every function takes the data of the still picture of `views.plots` and returns a figure of plotly, which a notebook
shows. `interactive_page` writes figures into one file that loads nothing.
"""

from __future__ import annotations

from ntqr_exact.views.explore.embed import interactive_page
from ntqr_exact.views.explore.pictures import explore_dependence, explore_planes, explore_quadratic

__all__ = ["explore_dependence", "explore_planes", "explore_quadratic", "interactive_page"]
