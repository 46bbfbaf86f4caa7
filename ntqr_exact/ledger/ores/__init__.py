"""Checks of the ORES metrics documentation."""
