"""Confidence: scores of probability vectors, the orders they induce, and accuracy estimates without labels."""
