"""Exact numbers: the door for them, quadratic surds, certified enclosures, signs of log sums."""
