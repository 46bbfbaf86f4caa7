"""The command `ntqr-exact`, and its exit codes; 0 is done."""

CHECK_FAILED, BAD_INPUT, FAULT, INTERRUPTED = 1, 2, 70, 130
