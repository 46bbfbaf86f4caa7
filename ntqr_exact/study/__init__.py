"""Studies: everything there is to say about votes, scores or a comparison, as one frozen value.

A study computes once. Its text, its JSON, its notebook form and the report render it, and compute nothing.
"""
