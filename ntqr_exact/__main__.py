"""`python -m ntqr_exact` is the command `ntqr-exact`."""

from ntqr_exact import _command  # type: ignore[attr-defined]

_command()
