"""Studies: everything there is to say about votes, scores or a comparison, as one frozen value.

A study computes once. Its text, JSON, notebook form and page are made from its blocks.
"""
