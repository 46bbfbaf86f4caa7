"""Studies: everything there is to say about a test as one value; text, JSON and pages are made from its blocks."""
