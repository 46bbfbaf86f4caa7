"""Values as a notebook shows them: HTML for every public value, after `%load_ext ntqr_exact.views.rich`."""

from __future__ import annotations

from ntqr_exact.views.rich.html_forms import html, load_ipython_extension, register

__all__ = ["html", "load_ipython_extension", "register"]
