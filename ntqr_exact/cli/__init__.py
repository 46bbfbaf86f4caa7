"""The command `ntqr-exact`."""
