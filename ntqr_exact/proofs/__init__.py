"""Proofs that a proof assistant checks: a Coq library, files that are exported to Coq, and the check itself."""
