"""Evaluators: each turns votes, with or without an answer key, into one evaluation or a few."""
