"""Claims of the paper on faithful evaluation with model-based metrics, in the order of its text."""
