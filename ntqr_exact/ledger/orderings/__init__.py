"""Checks of Maaz, Qiao, Zhou and Zhang 2023."""
