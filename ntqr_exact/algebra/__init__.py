"""Small matrices of rationals."""
