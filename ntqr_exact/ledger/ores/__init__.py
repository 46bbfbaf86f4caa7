"""Claims of the ORES metrics documentation, in the order of its text."""
