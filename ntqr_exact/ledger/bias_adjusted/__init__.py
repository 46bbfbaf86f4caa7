"""Claims of the derivation of bias-adjusted metrics, in the order of its text."""
