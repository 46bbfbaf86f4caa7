"""The families of vectors: a module holds those of a subject, each named in capitals like its words in `NAME.toml`."""
