"""Reference test vectors: families of questions with exact answers, for implementations in any language."""
