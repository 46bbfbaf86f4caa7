"""Moved to `ntqr_exact.exact.enclosure`."""

from ntqr_exact.exact.enclosure import *  # noqa: F403
