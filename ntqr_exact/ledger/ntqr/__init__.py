"""The claims of the NTQR paper."""

from ntqr_exact.ledger.ntqr.appendix import BOOK

__all__ = ["BOOK"]
