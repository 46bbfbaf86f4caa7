"""Exact numbers: their conversion, quadratic surds, certified enclosures, signs of log sums."""
