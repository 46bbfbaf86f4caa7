"""Metrics of a classifier whose answer key is known: confusion, curves, areas, weights; all exact."""
