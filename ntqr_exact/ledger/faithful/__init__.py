"""The claims of the paper on model-based metrics."""

from ntqr_exact.ledger.faithful.appendix import BOOK

__all__ = ["BOOK"]
