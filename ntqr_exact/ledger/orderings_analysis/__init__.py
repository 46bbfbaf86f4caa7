"""What the source on orderings did to its scores, for any data: its experiment, its counts of wins, its tests.

`trials` runs algorithm 1, `trial_analysis` counts wins and means, `two_way_anova` is its analysis of variance, exactly,
`anova_probabilities` the probabilities of it by scipy, and `norm_identity` proves theorem 2 for any number of labels.
"""
