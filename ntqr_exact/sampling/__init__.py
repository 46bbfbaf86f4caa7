"""Samples: exact intervals and their coverage, tests, comparisons, planning, partial keys and agreement."""
