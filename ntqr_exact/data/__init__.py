"""Votes files that ship with the library; `ntqr_exact.examples` names them and their sources."""
