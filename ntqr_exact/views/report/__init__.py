"""Reports to send: one self-contained HTML file with exact numbers, proofs and pictures."""

from __future__ import annotations

from ntqr_exact.views.report.metrics_report import metrics_report
from ntqr_exact.views.report.significance_report import significance_report
from ntqr_exact.views.report.votes_report import votes_report

__all__ = ["metrics_report", "significance_report", "votes_report"]
