#include "report/label_style.h"

namespace leitong::report {

std::string_view label_style() {
  return R"css(
body { min-height: 100vh; display: flex; flex-direction: column; }
main { width: 100%; max-width: 1400px; padding: 0 24px; flex: 1; }
section { margin: 14px 0 24px; }
.top { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 4px 18px; align-items: center; padding: 10px 24px 12px;
  background: var(--panel); border-bottom: 1px solid var(--line); }
.top .eyebrow { margin: 0; }
.titles { flex: 1 1 12em; min-width: 0; }
.titles h1 { font-size: 17px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.files { display: flex; gap: 8px; }
.state { flex: 1 0 100%; display: flex; gap: 14px; align-items: center; font-size: 14px; color: var(--soft);
  font-variant-numeric: tabular-nums; }
progress { flex: 1; height: 7px; border: 0; border-radius: 4px; overflow: hidden; background: var(--faint); accent-color: var(--blue);
  appearance: none; -webkit-appearance: none; }
progress::-webkit-progress-bar { background: var(--faint); }
progress::-webkit-progress-value { background: var(--blue); border-radius: 4px; }
progress::-moz-progress-bar { background: var(--blue); border-radius: 4px; }
.button { display: inline-block; font: inherit; background: var(--panel); border: 1px solid var(--grey); border-radius: 6px;
  padding: 5px 11px; cursor: pointer; }
.button input { position: absolute; width: 1px; height: 1px; opacity: 0; padding: 0; border: 0; }
.button:focus-within { outline: 2px solid var(--blue); outline-offset: 2px; }
.files button, .files .button { font-size: 14.5px; }
.notice { margin: 0; padding: 9px 24px; background: var(--warn); border-inline-start: 5px solid var(--warn-line); font-size: 15px; }
.ask { display: flex; flex-wrap: wrap; gap: 2px 18px; align-items: baseline; justify-content: space-between; margin-bottom: 12px; }
.ask h2 { font-size: 19px; }
#stage { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.fold button { border: 0; background: none; padding: 2px 14px; color: inherit; font-size: 13px; text-decoration: underline;
  text-decoration-style: dotted; text-underline-offset: 3px; }
.folded { color: var(--soft); }
.side .origin { display: inline; color: var(--soft); }
#done { text-align: center; padding: 8vh 0; }
.main { background: var(--blue); color: var(--panel); border-color: var(--blue); }
.answers { position: sticky; bottom: 0; z-index: 2; width: 100%; max-width: none; margin: 0; padding: 10px 24px 12px; display: flex; gap: 10px;
  justify-content: center; background: var(--panel); border-top: 1px solid var(--line); color: var(--ink); }
.answers button { flex: 0 1 150px; padding: 9px 8px; font-size: 16px; line-height: 1.2; white-space: nowrap; }
.answers kbd { display: inline-block; margin-inline-start: 8px; padding: 0 5px; border: 1px solid var(--grey); border-radius: 4px; color: var(--soft);
  font: 12px var(--mono); line-height: 1.5; }
.answers #yes, .answers #no, .answers #unsure { font-weight: 600; }
.answers [aria-pressed="true"] { background: var(--blue-soft); border-color: var(--blue); box-shadow: inset 0 0 0 1px var(--blue); }
.answers button:hover { border-color: var(--ink); }
.answers button:disabled { opacity: .4; cursor: default; }
@media (max-width: 720px) {
  main { padding: 0 12px; }
  .top { padding: 8px 12px 9px; }
  .top .eyebrow { display: none; }
  .files button, .files .button { padding: 3px 8px; font-size: 13.5px; }
  .answers { padding: 8px 8px 10px; gap: 6px; }
  .answers button { flex: 1 1 0; padding: 10px 2px; font-size: 15px; }
  .answers kbd { display: none; }
  .ask h2 { font-size: 17px; }
}
@media (pointer: coarse) { .answers kbd { display: none; } }
)css";
}

std::string_view label_script() {
  return R"js((function () {
  "use strict";
  var byId = function (id) { return document.getElementById(id); };
  var sample = document.body.dataset.sample;
  var pairs = Number(document.body.dataset.pairs);
  var key = "leitong.calibrate." + sample;
  var words = ["yes", "no", "unsure"];
  var labels = {};     // pair number -> word
  var at = 1;          // pairs + 1: all done
  var kept = true;     // the browser keeps what is labelled

  function notice(text) {
    byId("notice").textContent = text;
    byId("notice").hidden = text === "";
  }
  function count() { return Object.keys(labels).length; }
  function firstOpen(from) {
    for (var i = 0; i < pairs; i++) {
      var pair = (from - 1 + i) % pairs + 1;
      if (!labels[pair]) return pair;
    }
    return pairs + 1;
  }
  function remember() {
    try {
      localStorage.setItem(key, JSON.stringify({ labels: labels, at: at }));
    } catch (error) {
      if (kept) notice("This browser does not keep labels: save them to a file before you close the page.");
      kept = false;
    }
  }
  // Takes only what is a label of a pair of this page. Returns how many.
  function take(entries) {
    var taken = 0;
    entries.forEach(function (entry) {
      if (!entry || words.indexOf(entry.label) < 0 || !(entry.pair >= 1 && entry.pair <= pairs) || entry.pair % 1 !== 0) return;
      labels[entry.pair] = entry.label;
      taken++;
    });
    return taken;
  }
  function entries() {
    return Object.keys(labels).map(Number).sort(function (a, b) { return a - b; }).map(function (pair) {
      return { pair: pair, label: labels[pair] };
    });
  }
  function recall() {
    var before = document.body.dataset.labels;
    for (var i = 0; i < before.length; i++) {
      words.forEach(function (word) { if (word[0] === before[i]) labels[i + 1] = word; });
    }
    if (labels[at]) at = firstOpen(at);
    try {
      var state = JSON.parse(localStorage.getItem(key) || "null");
      if (!state || typeof state.labels !== "object") return;
      take(Object.keys(state.labels).map(function (pair) { return { pair: Number(pair), label: state.labels[pair] }; }));
      at = state.at >= 1 && state.at <= pairs + 1 ? Math.floor(state.at) : 1;
      if (labels[at]) at = firstOpen(at);
    } catch (error) {
      kept = false;
      notice("This browser does not keep labels: save them to a file before you close the page.");
    }
  }

  function show() {
    var done = at > pairs;
    var stage = byId("stage");
    stage.textContent = "";
    byId("question").hidden = done;
    byId("done").hidden = !done;
    if (!done) stage.appendChild(byId("pair-" + at).content.cloneNode(true));
    // What stands in both texts is in the page once.
    stage.querySelectorAll(".cell.a.b").forEach(function (cell) {
      var right = cell.cloneNode(true);
      cell.classList.remove("b");
      right.classList.remove("a");
      cell.parentNode.insertBefore(right, cell.nextSibling);
    });
    byId("which").textContent = done ? "" : "Pair " + at + " of " + pairs;
    byId("count").textContent = count() + " of " + pairs + " labelled";
    byId("bar").max = pairs || 1;
    byId("bar").value = count();
    words.forEach(function (word) {
      byId(word).disabled = done;
      byId(word).setAttribute("aria-pressed", String(!done && labels[at] === word));
    });
    byId("back").disabled = at === 1;
    byId("skip").disabled = done;
    window.scrollTo(0, 0);
  }
  function go(pair) {
    at = Math.min(Math.max(pair, 1), pairs + 1);
    if (at > pairs && count() < pairs) at = firstOpen(1);
    remember();
    show();
  }
  function answer(word) {
    if (at > pairs) return;
    var first = !labels[at];
    labels[at] = word;
    go(first ? firstOpen(at) : at + 1);
  }
  function save() {
    var lines = entries().map(function (entry) { return JSON.stringify(entry); });
    var text = "{\"sample\":" + JSON.stringify(sample) + ",\"labels\":[\n" + lines.join(",\n") + "\n]}\n";
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "labels.json";
    document.body.appendChild(link);
    link.click();
    document.body.removeChild(link);
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 60000);
    notice("");
  }
  function load(text) {
    var found;
    try {
      found = JSON.parse(text);
    } catch (error) {
      try {
        found = text.split("\n").filter(function (line) { return line.trim() !== ""; }).map(function (line) { return JSON.parse(line); });
      } catch (again) {
        return notice("That file holds no labels.");
      }
    }
    if (found && found.sample !== undefined && found.sample !== sample) return notice("Those are labels of another sample.");
    var list = Array.isArray(found) ? found : found && Array.isArray(found.labels) ? found.labels : [found];
    var taken = take(list);
    notice(taken === 1 ? "1 label was loaded." : taken + " labels were loaded.");
    go(firstOpen(1));
  }

  words.forEach(function (word) { byId(word).onclick = function () { answer(word); }; });
  byId("back").onclick = function () { go(at - 1); };
  byId("skip").onclick = function () { go(at + 1); };
  byId("again").onclick = function () { go(1); };
  byId("save").onclick = byId("save-too").onclick = save;
  byId("load").onchange = function () {
    var file = byId("load").files[0];
    if (!file) return;
    var reader = new FileReader();
    reader.onload = function () { load(String(reader.result)); byId("load").value = ""; };
    reader.onerror = function () { notice("That file cannot be read."); };
    reader.readAsText(file);
  };
  byId("stage").onclick = function (event) {
    if (event.target.tagName !== "BUTTON") return;
    var cell = event.target.parentNode.nextElementSibling;
    for (var i = 0; i < 2 && cell; i++, cell = cell.nextElementSibling) cell.hidden = !cell.hidden;
  };
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    var pressed = event.key.toLowerCase();
    if (pressed === "y") answer("yes");
    else if (pressed === "n") answer("no");
    else if (pressed === "u") answer("unsure");
    else if (pressed === "arrowleft" || pressed === "backspace") go(at - 1);
    else if (pressed === "arrowright") go(at + 1);
    else return;
    event.preventDefault();
  });
  recall();
  show();
})();
)js";
}

}  // namespace leitong::report
