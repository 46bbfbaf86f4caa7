"""The families of vectors: a module holds those of a subject in `FAMILIES`; their words are in `NAME.toml`."""
