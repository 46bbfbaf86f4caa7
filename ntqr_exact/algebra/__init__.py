"""Notation, polynomials over the rationals, their ideals, and certificates that prove membership."""
