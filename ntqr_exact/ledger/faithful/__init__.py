"""Checks of Goyal, Hu and Gupta 2023."""
