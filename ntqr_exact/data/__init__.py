"""Data that ships with the library: votes of published tests, citations, claims of the ledger, the vectors."""
