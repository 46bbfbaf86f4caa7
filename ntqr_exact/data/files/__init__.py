"""Files of the kinds that the command reads, to be written out by `ntqr-exact examples`."""
