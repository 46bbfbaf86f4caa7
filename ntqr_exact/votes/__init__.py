"""Votes: how often each pattern of answers was seen, and how to count decisions into them."""
