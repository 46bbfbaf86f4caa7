"""Data of the ledger: pinned verdicts, and printed tables of the sources."""
