"""Proofs that a proof assistant checks: a Coq library, exporters to it, and the check itself."""
