"""Significance of a difference that a fallible metric model measured: variances, intervals, decisions."""
