"""The ledger: every claim of the five sources, checked by the program when it runs."""
