"""Linear programs over fractional answer keys: floats may guess, rationals prove."""
