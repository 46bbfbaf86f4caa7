"""The claims of the paper on orderings of score functions."""

from ntqr_exact.ledger.orderings.significance import BOOK

__all__ = ["BOOK"]
