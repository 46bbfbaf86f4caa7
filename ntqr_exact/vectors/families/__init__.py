"""The families of vectors: a module here that holds `FAMILY` is one, named like its file."""
