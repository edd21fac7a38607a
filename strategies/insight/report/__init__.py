"""Reports: one HTML page about one run, which works offline in any browser.

Reports may import `pictures`, `analysis` and the layers below `insight`. Start with `page`, which
assembles a page from sections and pictures; `replay` steps through a search.
"""

from __future__ import annotations

from strategies.insight.report.page import report_page, write_report

__all__ = ["report_page", "write_report"]
