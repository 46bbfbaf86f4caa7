"""Alarms: proofs that an assumption or a specification fails."""
