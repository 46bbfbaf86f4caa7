"""Moved to `ntqr_exact.exact.show`."""

from ntqr_exact.exact.show import *  # noqa: F403
