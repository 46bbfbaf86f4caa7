"""Claims of the paper on orderings of probability vectors, in the order of its text."""
