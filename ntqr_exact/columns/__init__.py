"""Columns of numbers, as lists or numpy arrays: exact sums without overflow, and the door for floats."""
