"""A few graded questions: what is certain, what is known at a level, whom and what to grade next."""
