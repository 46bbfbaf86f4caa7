"""What the source on orderings did to its scores, for any data: its experiment, its counts of wins, its tests.

`trials` runs algorithm 1 and counts means and wins; `two_way_anova` is the analysis of variance, exactly, and the
probabilities of it by scipy.
"""
