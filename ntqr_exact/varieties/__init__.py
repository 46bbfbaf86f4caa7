"""Everything that could be true of the judges, before and after their votes are seen."""
