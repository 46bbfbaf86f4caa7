"""How much dependence of errors the votes prove, and what follows if there is only so much."""
