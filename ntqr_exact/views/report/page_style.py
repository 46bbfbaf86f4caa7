"""The style of a report: readable on a telephone, on a screen and on paper; nothing is loaded from elsewhere."""

from __future__ import annotations

from ntqr_exact.views.plots.style import variables

_LIGHT = f"{variables('light')} --band: #f3f5f7; --link: #00518a; --alarm: #a33b00; --calm: #006b4e;"
_DARK = f"{variables('dark')} --band: #22262a; --link: #7cc4f5; --alarm: #ffa36b; --calm: #5fd3ae;"
_PRINT = "--ink: #000; --paper: #fff; --soft: #222; --band: #fff; --link: #000; --alarm: #000; --calm: #000;"

_RULES = """
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 58rem; padding: 1rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 0.6rem; padding-top: 0.6rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.4rem 0 0.4rem; }
p, ul, ol { margin: 0.5rem 0; }
li { margin: 0.2rem 0; }
a { color: var(--link); }
nav ol { columns: 14rem; column-gap: 2.4rem; padding-left: 1.4rem; }
nav li { margin: 0; padding: 0.1rem 0; break-inside: avoid; }
.lead { color: var(--soft); }
.alarm { color: var(--alarm); font-weight: 600; }
.calm { color: var(--calm); font-weight: 600; }
.box { border-left: 0.3rem solid var(--line); background: var(--band); padding: 0.5rem 0.8rem; margin: 0.7rem 0; }
.box.fires { border-color: var(--alarm); }
.box.silent { border-color: var(--calm); }
.scroll { overflow-x: auto; max-width: 100%; margin: 0.6rem 0; }
table { border-collapse: collapse; min-width: min(100%, 26rem);
  font-variant-numeric: tabular-nums; font-size: 0.93rem; }
caption { text-align: left; color: var(--soft); padding: 0.2rem 0; }
caption span { display: inline-block; position: sticky; left: 0; max-width: calc(100vw - 3.2rem); }
th, td { border: 1px solid var(--line); padding: 0.25rem 0.55rem; text-align: left; vertical-align: top;
  unicode-bidi: isolate; overflow-wrap: normal; }
th { max-width: 18rem; overflow-wrap: break-word; }
thead th { background: var(--band); }
tbody th { font-weight: 500; }
tbody th.name { white-space: nowrap; }
td { white-space: nowrap; }
td.words, td details > * { white-space: normal; }
td summary { white-space: nowrap; }
td.words { min-width: 14rem; }
td details { max-width: 26rem; }
td details[open] { min-width: 12rem; overflow-wrap: anywhere; }
details { margin: 0.3rem 0; }
td details { margin: 0; }
section > details > summary { border-top: 2px solid var(--line); margin-top: 1rem; padding-top: 0.4rem; }
summary h2 { display: inline; border: none; margin: 0; padding: 0; font-size: 1.15rem; }
summary { cursor: pointer; color: var(--link); }
pre { background: var(--band); border: 1px solid var(--line); padding: 0.6rem; overflow-x: auto; max-width: 100%;
  font-size: 0.85rem; line-height: 1.4; overflow-wrap: normal; }
pre.wrapped { white-space: pre-wrap; overflow-wrap: anywhere; }
pre.long { max-height: 24rem; overflow-y: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: 1rem 0; }
.explore { min-height: 35rem; }
figcaption { color: var(--soft); font-size: 0.93rem; }
.picture svg { display: block; width: 100%; max-width: 38rem; height: auto; stroke-linejoin: round;
  stroke-linecap: butt; }
@media screen and (max-width: 36rem) {
  body { padding: 0.6rem; }
  .scroll.wide::before { content: "wider than the screen: push it sideways \\2192";
    position: sticky; left: 0; display: block; width: max-content; color: var(--soft); font-size: 0.8rem; }
}
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.9rem; }
@media print {
  :root { color-scheme: light; PRINTED }
  @page { size: A4; margin: 16mm 14mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .explore { display: none; }
  a { text-decoration: none; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  summary { list-style: none; font-weight: 600; }
  summary::-webkit-details-marker { display: none; }
  .scroll, pre, pre.long { overflow: visible; max-height: none; }
  pre, pre.long { white-space: pre-wrap; overflow-wrap: anywhere; border-color: #888; font-size: 8pt; }
  table { font-size: 8.5pt; max-width: 100%; }
  thead { display: table-header-group; }
  tr, figure, .scroll { break-inside: avoid; }
  details .scroll { break-inside: auto; }
  details .scroll.short { break-inside: avoid; }
  h2, h3, summary, caption { break-after: avoid; }
  td, td.words, th { white-space: normal; min-width: 0; max-width: none; }
  td, td.words { overflow-wrap: anywhere; }
  th { overflow-wrap: break-word; }
  table { min-width: min(100%, 80mm); }
  caption span { max-width: none; }
  tbody th.name { white-space: normal; }
  td details, td details[open] { max-width: none; min-width: 0; }
  .picture svg { width: 130mm; max-width: 100%; }
}
"""

STYLE = f"""
:root {{ color-scheme: light dark; {_LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}
{_RULES.replace("PRINTED", f"{variables('light')} {_PRINT}")}"""
"""One style sheet for every report."""
