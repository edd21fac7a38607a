"""The style of pictures: one sheet for light and dark, with hues for colour-blind readers."""

from __future__ import annotations

import re
from typing import Final

STYLE: Final = """
.jam{--paper:#fff;--ink:#1d2733;--soft:#6b7785;--line:#8b98a7;--rule:#e3e8ee;--panel:#5b7ea61a;
--edge:#5b7ea659;--spark:#ffc75a;--sparked:#b97500;--step:#a9d3f5;--stepped:#2673b0;--fold:#76828f;
--dud:#f4f6f8;--bad:#d1450f;--answer:#1d2733;--reply:#fff;--result:#9aa5b1;--window:#d99a2b;--field:#f4f6f8;--wait:#b48ad6;
--aborted:#f0a6c8;--known:#a5d6b5;--hue0:#c4500a;--hue1:#007a5a;--hue2:#0b6bb0;--hue3:#a24a86;
background:var(--paper);font-family:system-ui,"Segoe UI","Helvetica Neue",Arial,sans-serif}
@media (prefers-color-scheme:dark){.jam{--paper:#12171d;--ink:#e6ebf0;--soft:#93a1b0;--line:#66727f;
--rule:#1b222a;--panel:#86b0dc1a;--edge:#86b0dc4d;--spark:#8a5c0b;--sparked:#ffc457;--step:#1d4f78;
--stepped:#7fbdf0;--fold:#93a1b0;--dud:#1b222a;--bad:#ff7d4d;--answer:#e6ebf0;--reply:#12171d;
--result:#66727f;--window:#b9862f;--field:#1b222a;--wait:#8b63b0;
--aborted:#7d3c5e;--known:#2f6446;--hue0:#ff8a4d;--hue1:#3ccf9f;--hue2:#62b5f2;--hue3:#e29cc8}}
.jam text{fill:var(--ink);font-size:11px}
.jam .paper{fill:var(--paper)}
.jam .head{font-size:15px;font-weight:600}
.jam .sub{font-size:12px;fill:var(--soft)}
.jam .key{font-size:11px;fill:var(--soft)}
.jam .clock{font-size:9px;fill:var(--soft)}
.jam .rule{stroke:var(--rule);stroke-width:1}
.jam .panel rect{fill:var(--panel);stroke:var(--edge)}
.jam .name{font-size:10px;fill:var(--soft);stroke:var(--paper);stroke-width:3px;paint-order:stroke;
stroke-linejoin:round}
.jam .edge{fill:none;stroke:var(--result);stroke-width:1.1}
.jam .edge.window{stroke:var(--window)}
.jam .edge.again{stroke:var(--window);stroke-dasharray:2 3;opacity:.6}
.jam .edge.chain{stroke:var(--fold);stroke-width:2}
.jam .mark text{text-anchor:middle;font-weight:500}
.jam .less{font-size:9px;font-weight:400;opacity:.8}
.jam .shape{stroke-width:1.4;fill:var(--paper);stroke:var(--line)}
.jam .spark .shape{fill:var(--spark);stroke:var(--sparked)}
.jam .step .shape{fill:var(--step);stroke:var(--stepped)}
.jam .resolve .shape{fill:var(--step);stroke:var(--stepped)}
.jam .resolve.done .shape{fill:var(--paper)}
.jam .dud .shape{fill:var(--dud);stroke:var(--line);stroke-dasharray:3 2}
.jam .merge .shape{fill:var(--fold);stroke:none}
.jam .local .shape{stroke:var(--fold)}
.jam .gate .shape{stroke:var(--stepped)}
.jam .start .shape{stroke:var(--sparked)}
.jam .result .shape{fill:var(--answer);stroke:var(--answer)}
.jam .result text{fill:var(--reply);font-weight:600}
.jam .fizzled .shape{fill:var(--paper);stroke:var(--bad);stroke-dasharray:2 2}
.jam .fizzled text{fill:var(--bad)}
.jam .aborted .shape{fill:var(--aborted);stroke:var(--bad);stroke-dasharray:6 2}
.jam .known .shape{fill:var(--known);stroke:var(--line);stroke-dasharray:1 2}
.jam .unseen .shape{fill:var(--paper)}
.jam .branch{fill:none;stroke:var(--result);stroke-width:1.3}
.jam .branch.line{stroke:var(--ink);stroke-width:2.6}
.jam .branch.spark{stroke:var(--window)}
.jam .branch.unread{stroke-dasharray:3 4}
.jam .max .shape{fill:var(--rule);stroke:var(--fold)}
.jam .min .shape{stroke:var(--fold)}
.jam .mark.pruned .shape{fill:var(--paper);stroke:var(--line);stroke-dasharray:3 3}
.jam .mark.pruned text{fill:var(--soft)}
.jam .mark .value{text-anchor:start;font-weight:600}
.jam .field{fill:var(--field)}
.jam .axis{fill:none;stroke:var(--line)}
.jam .bar.converted{fill:var(--spark);stroke:var(--sparked);stroke-width:.5}
.jam .area.converted{fill:var(--spark)}
.jam .bar.fizzled,.jam .area.fizzled{fill:var(--bad)}
.jam .bar.aborted{fill:var(--aborted);stroke:var(--bad);stroke-dasharray:4 2}
.jam .area.aborted{fill:var(--aborted)}
.jam .bar.known{fill:var(--known);stroke:var(--line);stroke-dasharray:1 2}
.jam .area.known{fill:var(--known)}
.jam .bar-sign{font-size:11px;font-weight:700;text-anchor:middle;pointer-events:none}
.jam .bar-sign.fizzled{fill:var(--reply)}
.jam .bar.step{fill:var(--step);stroke:var(--stepped);stroke-width:.5}
.jam .bar.fold{fill:var(--fold)}
.jam .area.busy{fill:var(--stepped);opacity:.7}
.jam .area.made{fill:var(--window)}
.jam .area.pool{fill:var(--fold);opacity:.7}
.jam .waiting{fill:none;stroke:var(--wait);stroke-width:4}
.jam .bar:hover{stroke:var(--ink);stroke-width:1.6}
.jam .mark .bounds{text-anchor:start;font-size:9px;fill:var(--soft);font-weight:400}
.jam .folded.converted .shape{stroke:var(--sparked)}
.jam .grid{stroke:var(--rule)}
.jam .bound{fill:none;stroke-width:2;stroke:var(--stepped)}
.jam .bound.greedy{stroke:var(--fold);stroke-dasharray:6 3}
.jam .bound.span{stroke:var(--sparked)}
.jam .bound.dispatcher{stroke:var(--wait)}
.jam .bound.best{stroke:var(--ink);stroke-dasharray:2 4}
.jam .point{fill:var(--ink);stroke:var(--ink);stroke-width:1.6}
.jam .point.simulated{fill:var(--paper)}
.jam .mark:hover .shape{stroke:var(--ink);stroke-width:2.4}
"""

LIGHT, DARK = re.findall(r"\.jam\{((?:--[\w-]+:[^;}]+;?\s*)+)", STYLE)
"""The colours of the style sheet, by name."""
HOSTS: Final = ("[data-theme={}]", "[data-jp-theme-light={}]", ".vscode-{}")
"""The selectors by which pages, JupyterLab and VS Code mark the theme that the reader chose."""


def _chosen(theme: str, colours: str) -> str:
    names = (theme, "true" if theme == "light" else "false", theme)
    hosts = (host.format(name) for host, name in zip(HOSTS, names, strict=True))
    return f"{','.join(f'{host} .jam' for host in hosts)}{{{colours.strip()}}}\n"


THEMES: Final = _chosen("light", LIGHT) + _chosen("dark", DARK)
"""The style of pictures in a page: the theme chosen there overrides that of the desktop."""


def plain(svg: str) -> str:
    """The picture without the variables and media queries of CSS, which few programs read.

    >>> plain(f"<style>{STYLE}</style>").count("var(")
    0
    """
    rules = re.search(r"\.jam\{(.*?)\}", svg, re.S)
    colours = dict(re.findall(r"--([\w-]+):([^;}]+)", rules[1] if rules else ""))
    svg = re.sub(r"@media[^{]*\{[^{}]*\{[^{}]*\}\s*\}", "", svg)
    svg = re.sub(r"--[\w-]+:[^;}]+;\s*", "", svg)
    svg = re.sub(r"var\(--([\w-]+)\)", lambda m: colours[m[1]], svg)
    return svg.replace("system-ui,", "")
