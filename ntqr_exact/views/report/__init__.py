"""Reports to send: one self-contained HTML file with exact numbers, proofs and pictures."""

from __future__ import annotations

from ntqr_exact.views.report.reports import metrics_report, significance_report, votes_report

__all__ = ["metrics_report", "significance_report", "votes_report"]
