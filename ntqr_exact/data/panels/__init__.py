"""Votes of real panels with their answer keys; `benchmarks/make_panels.py` makes them."""
