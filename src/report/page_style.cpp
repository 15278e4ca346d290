#include "report/page_style.h"

#include "report/html.h"

namespace leitong::report {

void append_page_head(std::string& out, std::string_view title, std::string_view more, bool scripts) {
  out +=
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; ";
  if (scripts) out += "script-src 'unsafe-inline'; ";
  out += "img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>";
  append_text(out, title);
  out += "</title>\n<style>\n";
  out += page_style();
  out += more;
  out += "</style>\n</head>\n";
}

std::string_view page_style() {
  return R"css(
:root {
  color-scheme: light dark;
  --bg: #faf9f7; --panel: #ffffff; --ink: #1c1e21; --soft: #62676f; --line: #e4e2de; --faint: #f2f0ec;
  --blue: #1f5fbf; --blue-soft: #dbe8fb; --orange: #b64a06; --orange-soft: #fde5d3; --grey: #a9adb3;
  --warn: #fff4d6; --warn-line: #c98a00;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei",
    "Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", "Noto Sans Mono CJK SC", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #131518; --panel: #1b1e22; --ink: #e7e8ea; --soft: #9ea6b0; --line: #31363d; --faint: #22262b;
    --blue: #86b4ff; --blue-soft: #1d3560; --orange: #ffab78; --orange-soft: #54290f; --grey: #5d646e;
    --warn: #35290b; --warn-line: #e0a92e;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.55 var(--sans); overflow-wrap: anywhere; }
main, footer { max-width: 1160px; margin: 0 auto; padding: 0 28px; }
header { padding: 44px 0 8px; }
h1, h2, h3 { line-height: 1.25; margin: 0; text-wrap: balance; }
h1 { font-size: 21px; font-weight: 600; }
h2 { font-size: 22px; letter-spacing: -.01em; }
h3 { font-size: 16px; }
section { margin: 52px 0 0; }
.eyebrow { margin: 0 0 6px; color: var(--soft); font-size: 13px; letter-spacing: .04em; }
.result { font-size: clamp(23px, 3.4vw, 34px); line-height: 1.28; letter-spacing: -.015em; margin: 18px 0 26px; text-wrap: balance; }
.result strong { font-weight: 680; }
.explain { color: var(--soft); margin: 4px 0 14px; max-width: 46em; font-size: 15px; }
.soft, small { color: var(--soft); }
code { font: .92em var(--mono); }

.shares { display: flex; gap: 2px; height: 18px; border-radius: 5px; overflow: hidden; }
.shares span { flex: 0 1 0; min-width: 3px; }
.kept { background: var(--blue); }
.near { background: var(--orange); }
.equal { background: repeating-linear-gradient(135deg, var(--orange) 0 3px, var(--orange-soft) 3px 6px); }
.rejected { background: var(--grey); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 6px 26px; margin: 12px 0 0; padding: 0; font-size: 14.5px; }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-inline-end: 7px; vertical-align: -1px; }

.warnings { margin: 26px 0 0; padding: 16px 20px; background: var(--warn); border-inline-start: 5px solid var(--warn-line); border-radius: 6px; }
.warnings h2 { font-size: 17px; }
.warnings h2::before { content: "\26A0\FE0E\00A0"; }
.warnings ul { margin: 8px 0 0; padding-inline-start: 20px; }

.tiles { display: grid; grid-template-columns: repeat(var(--columns), 1fr); margin: 30px 0 0; background: var(--panel);
  border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.tile { padding: 15px 18px 14px; box-shadow: 1px 0 var(--line), 0 1px var(--line); }
.tile dt { color: var(--soft); font-size: 14px; }
.tile dd { margin: 2px 0 0; font-size: 25px; font-weight: 620; letter-spacing: -.01em; font-variant-numeric: tabular-nums; line-height: 1.2; }
.tile small { display: block; font-size: 13px; font-weight: 400; letter-spacing: 0; margin-top: 3px; line-height: 1.35; }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14.5px; }
th, td { text-align: start; padding: 7px 18px 7px 0; border-bottom: 1px solid var(--line); vertical-align: baseline; font-weight: 400; }
th:last-child, td:last-child { padding-inline-end: 0; }
thead th { color: var(--soft); font-size: 13px; border-bottom-color: var(--grey); white-space: nowrap; }
.n { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.path { min-width: 11em; }
.wide { width: 34%; white-space: nowrap; }
.share { display: inline-block; width: 5em; text-align: end; font-variant-numeric: tabular-nums; margin-inline-end: 10px; }
.bar { display: inline-block; width: calc(100% - 6.5em); height: 10px; background: var(--faint); border-radius: 3px; overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--orange); border-radius: 3px; }
#method .bar i { background: var(--blue); }
.more { margin-top: 10px; }
.settings th:first-child { color: var(--soft); width: 26%; white-space: nowrap; }

.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 330px), 1fr)); gap: 20px; margin-top: 16px; }
.card { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 18px; margin: 0; }
.card .explain { margin-bottom: 10px; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 13px var(--sans); fill: var(--soft); font-variant-numeric: tabular-nums; }
svg .label { fill: var(--ink); }
svg .grid { stroke: var(--line); }
svg .tick, svg .base { stroke: var(--grey); }
svg .bars { fill: var(--blue); }
svg rect:hover { fill: var(--orange); }

summary { cursor: pointer; border-radius: 6px; }
summary:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
.group { border-bottom: 1px solid var(--line); }
.group summary { display: grid; grid-template-columns: 4.6em 1fr; gap: 16px; align-items: baseline; padding: 10px 0; list-style: none; }
.group summary::-webkit-details-marker, .sample summary::-webkit-details-marker { display: none; }
.group summary::after, .sample summary::after { content: "+"; color: var(--soft); font-size: 19px; line-height: 1; width: 1em; text-align: center; }
.group summary { grid-template-columns: 4.6em 1fr 1em; }
.group[open] > summary::after, .sample[open] > summary::after { content: "−"; }
.group summary:hover, .sample summary:hover { background: var(--faint); }
.size { white-space: nowrap; font-size: 19px; font-weight: 620; text-align: end; font-variant-numeric: tabular-nums; }
.what { min-width: 0; }
.name { color: var(--soft); font-size: 13px; white-space: nowrap; margin-inline-end: 8px; }
.excerpt { display: block; overflow-wrap: anywhere; unicode-bidi: isolate; }
.group > .scroll { padding: 4px 0 12px; }
.group > .soft { margin: 0 0 14px; font-size: 14px; }
.keeper { background: var(--blue-soft); }
.keeper th { padding-inline-start: 6px; }
.badge { display: inline-block; font-size: 12px; font-weight: 600; line-height: 1.5; padding: 0 7px; border-radius: 4px; border: 1px solid currentColor; }
.keep { color: var(--blue); }
.drop { color: var(--orange); }
.alarm { color: var(--ink); background: var(--warn); border-color: var(--warn-line); }

.tools { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; margin: 0 0 6px; font-size: 14.5px; }
.tools[hidden] { display: none; }
input, button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--grey); border-radius: 6px; padding: 5px 11px; }
button { cursor: pointer; }
.distance { margin-top: 26px; }
.distance h3 { color: var(--soft); font-weight: 600; margin-bottom: 8px; }
.sample { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; margin: 0 0 12px; overflow: hidden; }
.sample summary { display: flex; justify-content: space-between; align-items: center; gap: 12px; padding: 10px 18px; list-style: none; font-size: 14.5px; }
.facts { min-width: 0; display: flex; flex-wrap: wrap; gap: 2px 22px; color: var(--soft); }
.who { flex: 1 0 100%; min-width: 0; color: var(--ink); display: flex; gap: 10px; }
.who bdi { font-weight: 600; flex: 0 1 auto; }
.who .excerpt { color: var(--soft); flex: 1 1 9em; min-width: 0; }
.sample[open] .who { display: none; }
.facts b { color: var(--ink); font-variant-numeric: tabular-nums; }
.diff { display: grid; grid-template-columns: 1fr 1fr; border-top: 1px solid var(--line); }
.diff > * { min-width: 0; }
.side { padding: 9px 18px; font-size: 14px; border-bottom: 1px solid var(--line); background: var(--faint); }
.origin { display: block; font-size: 13.5px; }
.side .badge { margin-inline-end: 6px; background: var(--panel); }
.cell { padding: 10px 18px; white-space: pre-wrap; unicode-bidi: isolate; font-size: 15.5px; line-height: 1.68; tab-size: 4; }
.b { border-inline-start: 1px solid var(--line); }
.fold { grid-column: 1 / -1; text-align: center; color: var(--soft); font-size: 13px; padding: 3px 0; background: var(--faint);
  border-block: 1px solid var(--line); }
.moved { grid-column: 1 / -1; margin: 0; padding: 8px 18px; font-size: 14px; line-height: 1.9; background: var(--faint); border-top: 1px solid var(--line); }
.moved del, .moved ins, .moved > span { margin-inline-end: 10px; }
.moved del, .moved ins { padding: .1em .3em; }
del, ins { border-radius: 2px; padding: .08em 0; -webkit-box-decoration-break: clone; box-decoration-break: clone; text-decoration-thickness: 1.5px; }
del { background: var(--orange-soft); text-decoration: line-through; text-decoration-color: var(--orange); }
ins { background: var(--blue-soft); text-decoration: underline; text-decoration-color: var(--blue); text-decoration-thickness: 2px; text-underline-offset: 3px; }
.ctl { font: 11.5px var(--mono); color: var(--soft); border: 1px solid var(--grey); border-radius: 3px; padding: 0 2px; margin: 0 1px; unicode-bidi: isolate;
  white-space: nowrap; display: inline-block; line-height: 1.3; }
footer { margin-top: 56px; padding-top: 18px; padding-bottom: 44px; color: var(--soft); font-size: 13.5px; }
footer p { margin: 0 0 4px; border: 0; }

@media (max-width: 960px) { .tiles { grid-template-columns: repeat(3, 1fr); } }
@media (max-width: 720px) {
  main, footer { padding-left: 16px; padding-right: 16px; }
  header { padding-top: 26px; }
  section { margin-top: 40px; }
  .tiles { grid-template-columns: 1fr 1fr; }
  .tile { padding: 12px 14px; }
  .tile dd { font-size: 21px; }
  .card { padding: 14px 14px; }
  .diff { grid-template-columns: 1fr; }
  .moved { padding: 8px 14px; }
  .cell { padding: 8px 14px 8px 12px; border-inline-start: 4px solid transparent; }
  .cell.a { border-inline-start-color: var(--orange); }
  .cell.b { border-inline-start-color: var(--blue); border-bottom: 1px solid var(--line); }
  .side { padding: 8px 14px; border-inline-start: 4px solid var(--orange); }
  .side.b { border-inline-start-color: var(--blue); }
  .cell.none, .cell.level.b { display: none; }
  .cell.level.a { border-inline-start-color: transparent; }
  .group summary { grid-template-columns: 1fr 1em; gap: 2px 10px; }
  .size { text-align: start; }
  .what { grid-column: 1 / -1; grid-row: 2; }
  th, td { padding-inline-end: 12px; }
  .sources tr { display: grid; grid-template-columns: 1fr 1fr 1fr 1fr; padding: 7px 0; border-bottom: 1px solid var(--line); }
  .sources th, .sources td { border: 0; padding-block: 1px; }
  .sources th:first-child { grid-column: 1 / -1; }
  .sources .bar { display: none; }
  .sources .wide, .sources .n { width: auto; text-align: start; white-space: normal; }
  .sources .share { width: auto; margin: 0; }
  .settings th:first-child { white-space: normal; width: 38%; }
}
@media print {
  body { background: #fff; }
  .tools { display: none; }
  .sample, .card, .group { break-inside: avoid; }
}
)css";
}

std::string_view page_script() {
  return R"js((function () {
  var tools = document.getElementById("tools");
  if (!tools) return;
  var samples = Array.prototype.slice.call(document.querySelectorAll(".sample"));
  var filter = document.getElementById("filter");
  var found = document.getElementById("found");
  function setAll(open) { samples.forEach(function (s) { if (!s.hidden) s.open = open; }); }
  document.getElementById("open").onclick = function () { setAll(true); };
  document.getElementById("close").onclick = function () { setAll(false); };
  filter.oninput = function () {
    var wanted = filter.value.toLowerCase();
    var shown = 0;
    samples.forEach(function (s) {
      s.hidden = wanted !== "" && s.textContent.toLowerCase().indexOf(wanted) < 0;
      if (!s.hidden) shown++;
    });
    document.querySelectorAll(".distance").forEach(function (d) { d.hidden = !d.querySelector(".sample:not([hidden])"); });
    found.textContent = wanted === "" ? "" : shown + " of " + samples.length;
  };
  tools.hidden = false;
})();
)js";
}

}  // namespace leitong::report
