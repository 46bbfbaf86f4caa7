"""The exit codes of the command; that of a failed check or an alarm is never the code of a crash."""

CHECK_FAILED = 1
BAD_INPUT = 2
FAULT = 70
INTERRUPTED = 130
