"""The exit codes of the command; 1, a check that failed or an alarm, is never the code of a crash."""

BAD_INPUT = 2
FAULT = 70
INTERRUPTED = 130
