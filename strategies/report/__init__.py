"""Reports: one page about one run, which works offline in any browser."""

from strategies.report.page import report_page, write_report

__all__ = ["report_page", "write_report"]
