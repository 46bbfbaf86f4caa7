"""Checks of the paper on the logic of NTQR evaluations, in the order of its text."""
