"""Blocks: what is shown to people, described once, for the terminal, the notebook and the report alike."""
