// The page of the server. Plain script, nothing from elsewhere; what is shown of documents is text, never markup.
"use strict";

const words = {
  en: {
    docs: "API", collection: "Collection", key: "Key", find: "Is there something like this?", text: "Text", ask: "Find near-duplicates",
    try: "Take one of the collection", "keys-hint": "Ctrl+Enter asks", add: "Add a file", drop: "Drop a file here, or choose one:",
    "add-how": "JSON Lines, also packed with gzip, or Parquet; each record has an id and a text.",
    unique: "Leave out what resembles a document that is there", stop: "Stop", clusters: "Groups of near-duplicates",
    compute: "Compute them again", "compute-first": "Compute them", before: "Back", after: "On", numbers: "Now", new: "New collection",
    name: "Name", texts: "keeps texts", metadata: "keeps metadata", create: "Make it", copy: "Copy", copied: "Copied",
    "no-collection": "There is no collection yet. Make one to begin.", "need-key": "This server asks for a key.",
    none: "Nothing like it is there.", found: "documents resemble it", "found-one": "1 document resembles it", similarity: "similar",
    bits: "bits differ", unverified: "by its fingerprint alone", equal: "the same text", why: "Why?", added: "added", duplicate: "refused as duplicates",
    bad: "bad records", sent: "read", rate: "records a second", keep: "kept", page: "page", documents: "documents", requests: "requests a second",
    queries: "questions", queue: "bytes waiting", memory: "memory", working: "Working …", stopped: "Stopped. What was answered is in the collection.",
    feature: "feature", yours: "yours", stored: "stored", pull: "pull",
    "pull-how": "Features whose count differs. Pull: bits of the fingerprint that went its way, less those that went the other.",
    "only-yours": "only in yours", "only-stored": "only in the stored one", "no-clusters": "They were not computed yet.",
    "no-groups": "No two documents resemble each other.", "no-text": "The collection keeps no texts.", empty: "The collection is empty.",
    "keeps-texts": "texts are kept", "keeps-none": "fingerprints only", resembles: "resembles", line: "line", more: "more characters",
    "is-there": "stands under its own id already", "write-text": "Paste a text first.", groups: "groups", of: "of",
    "whole-file": "The server has the whole file and reads it …",
  },
  zh: {
    docs: "接口", collection: "集合", key: "密钥", find: "有没有类似的文本？", text: "文本", ask: "查找近似重复",
    try: "从集合里取一篇", "keys-hint": "按 Ctrl+Enter 查找", add: "添加文件", drop: "把文件拖到这里，或选择文件：",
    "add-how": "JSON Lines（也可用 gzip 压缩）或 Parquet；每条记录有 id 和 text。",
    unique: "与已有文档近似的不添加", stop: "停止", clusters: "近似重复的分组",
    compute: "重新计算", "compute-first": "计算", before: "上一页", after: "下一页", numbers: "此刻", new: "新建集合",
    name: "名称", texts: "保存文本", metadata: "保存元数据", create: "建立", copy: "复制", copied: "已复制",
    "no-collection": "还没有集合，先建一个吧。", "need-key": "此服务器需要密钥。",
    none: "没有类似的文本。", found: "篇文档与它近似", "found-one": "1 篇文档与它近似", similarity: "相似",
    bits: "位不同", unverified: "仅凭指纹", equal: "文本相同", why: "为什么？", added: "已添加", duplicate: "因重复未添加",
    bad: "错误的记录", sent: "已读", rate: "条/秒", keep: "保留", page: "页", documents: "篇文档", requests: "请求/秒",
    queries: "查询", queue: "待写字节", memory: "内存", working: "进行中……", stopped: "已停止。已答复的都在集合里。",
    feature: "特征", yours: "你的", stored: "库中", pull: "拉力",
    "pull-how": "数量不同的特征。拉力：指纹中随它而变的位数，减去逆它而变的位数。",
    "only-yours": "只在你的文本中", "only-stored": "只在库中文本中", "no-clusters": "尚未计算。",
    "no-groups": "没有互相近似的文档。", "no-text": "该集合不保存文本。", empty: "集合是空的。",
    "keeps-texts": "保存文本", "keeps-none": "只有指纹", resembles: "近似于", line: "第几行：", more: "个字符",
    "is-there": "已在自己的 id 之下", "write-text": "请先粘贴一段文本。", groups: "组", of: "/",
    "whole-file": "服务器已收到整个文件，正在读取……",
  },
};
let language = (localStorage.getItem("language") || navigator.language || "en").startsWith("zh") ? "zh" : "en";
const say = (name) => words[language][name] || name;
const at = (id) => document.getElementById(id);
const count = (number) => number.toLocaleString(language);
const gap = () => (language === "zh" ? "，" : ", ");

function make(tag, options, ...children) {
  const one = Object.assign(document.createElement(tag), typeof options === "string" ? {textContent: options} : options);
  one.append(...children);
  return one;
}

function state(where, text, bad = false) {
  const one = at(where + "-state");
  one.textContent = text;
  one.classList.toggle("bad", bad);
}

// What is asked of the server

const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

// The same as a line of curl, into the element `id`, with a button that copies it.
function show_curl(id, method, path, body, type) {
  const parts = ["curl"];
  if (method !== "GET" && !(method === "POST" && body)) parts.push("-X " + method);
  if (at("key").value) parts.push("-H 'Authorization: Bearer KEY'");
  if (type) parts.push("-H " + quoted("Content-Type: " + type));
  if (body instanceof Blob) parts.push("--data-binary " + quoted("@" + body.name));
  else if (body !== undefined) parts.push("--data-raw " + quoted(JSON.stringify(body)));
  parts.push(quoted(location.origin + path));
  const line = parts.join(" ");
  const copy = make("button", {type: "button", textContent: say("copy")});
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(line);
    copy.textContent = say("copied");
  });
  at(id).replaceChildren(make("code", {textContent: line, tabIndex: 0}), copy);
}

async function ask(method, path, body, options = {}) {
  const headers = {};
  if (at("key").value) headers.Authorization = "Bearer " + at("key").value;
  const plain = body === undefined || typeof body === "string" || body instanceof Blob;
  if (body !== undefined) headers["Content-Type"] = options.type || "application/json";
  const answer = await fetch(path, {method, headers, body: plain ? body : JSON.stringify(body), signal: options.signal});
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({detail: answer.statusText, type: ""}));
  if (answer.status === 401) at("keys").hidden = false;
  throw Object.assign(new Error(problem.detail), {kind: problem.type, status: answer.status});
}

const here = () => "/v1/collections/" + encodeURIComponent(at("collection").value);

async function attempt(where, work) {
  state(where, say("working"));
  try {
    state(where, (await work()) || "");
  } catch (error) {
    state(where, error.name === "AbortError" ? say("stopped") : error.message, error.name !== "AbortError");
  }
}

// Documents that were looked at, so that groups and matches ask for each of them once.
const known = new Map();
async function document_of(id) {
  const path = `${here()}/documents/${encodeURIComponent(id)}`;
  if (known.size > 2000) known.clear();
  if (!known.has(path)) known.set(path, await (await ask("GET", path)).json());
  return known.get(path);
}

// Collections

async function list_collections() {
  const chosen = at("collection").value;
  const {collections} = await (await ask("GET", "/v1/collections")).json();
  at("collection").replaceChildren(...collections.map((one) => make("option", one.name)));
  if (collections.some((one) => one.name === chosen)) at("collection").value = chosen;
  at("new").open = collections.length === 0;
  return collections.length;
}

async function show_collection() {
  const one = await (await ask("GET", here())).json();
  at("about").textContent = [
    `${count(one.documents)} ${say("documents")}`, one.profile, say(one.texts ? "keeps-texts" : "keeps-none"),
  ].join(" · ");
  return one;
}

async function create(event) {
  event.preventDefault();
  await attempt("where", async () => {
    const name = at("name").value;
    await ask("POST", "/v1/collections", {name, texts: at("texts").checked, metadata: at("metadata").checked});
    await list_collections();
    at("collection").value = name;
    at("new").open = false;
    await chosen();
  });
}

async function chosen() {
  page = 0;
  known.clear();
  at("matches").replaceChildren();
  await attempt("clusters", show_clusters);
}

async function begin() {
  await attempt("where", async () => {
    if ((await list_collections()) === 0) return say("no-collection");
    await chosen();
  });
}

// A text and what is like it

const long_run = 400, shown_run = 150;

// A run that both have, its middle left out if it is long, until it is asked for.
function same_run(text) {
  if (text.length <= long_run) return text;
  const middle = text.slice(shown_run, -shown_run);
  const more = make("button", {type: "button", textContent: `… ${count(middle.length)} ${say("more")} …`});
  more.addEventListener("click", () => more.replaceWith(middle));
  return make("span", "", text.slice(0, shown_run), more, text.slice(-shown_run));
}

function marked(diff) {
  const out = make("p", {className: "text"});
  for (const run of diff) {
    if (run.same) { out.append(same_run(run.b)); continue; }
    if (run.a) out.append(make("del", run.a));
    if (run.b) out.append(make("ins", run.b));
  }
  return out;
}

const differs = (diff) => diff.some((run) => !run.same);

function legend() {
  return make("p", {className: "hint"}, make("del", say("only-yours")), " ", make("ins", say("only-stored")));
}

const percent = (share) => (share < 1 ? Math.min(share * 100, 99.9).toFixed(1) : "100") + " %";

function facts_of(match, entry) {
  const out = make("span", {className: "facts"}), said = [];
  if (match.similarity !== null) {
    out.append(make("meter", {min: 0, max: 1, value: match.similarity, ariaHidden: "true"}));
    said.push(`${percent(match.similarity)} ${say("similarity")}`);
  }
  if (match.distance !== null) said.push(`${match.distance} ${say("bits")}`);
  if (match.unverified) said.push(say("unverified"));
  if (entry && entry.metadata && typeof entry.metadata === "object") said.push(...Object.values(entry.metadata).filter((one) => typeof one === "string"));
  out.append(said.join(" · "));
  return out;
}

function bits_of(found) {
  const bits = found.a ? found.a.length * 4 : 0, on = new Set(found.bits.map((one) => one.bit));
  const label = `${on.size} ${say("of")} ${bits} ${say("bits")}: ${[...on].sort((a, b) => a - b).join(", ")}`;
  const out = make("div", {className: "bits", role: "img", ariaLabel: label});
  for (let bit = bits - 1; bit >= 0; --bit) out.append(make("i", {className: on.has(bit) ? "on" : ""}));
  return out;
}

function features_of(found) {
  const cells = (one) => [make("td", one.text), ...[one.a, one.b, one.pull].map((value) => make("td", {className: "number", textContent: count(value)}))];
  const heads = [make("th", say("feature")), ...["yours", "stored", "pull"].map((one) => make("th", {className: "number", textContent: say(one)}))];
  const rows = found.moved.slice(0, 12).map((one) => make("tr", "", ...cells(one)));
  return make("table", "", make("thead", "", make("tr", "", ...heads)), make("tbody", "", ...rows));
}

async function explain(a, b, into) {
  show_curl("find-curl", "POST", "/v1/explain", {a, b}, "application/json");
  const found = await (await ask("POST", "/v1/explain", {a, b, most: 3})).json();
  into.replaceChildren(bits_of(found));
  if (found.moved.length) into.append(make("p", {className: "hint", textContent: say("pull-how")}), make("div", {className: "wide"}, features_of(found)));
}

function why_button(a, b, where) {
  const why = make("button", {type: "button", className: "why", textContent: say("why"), ariaExpanded: "false"}), because = make("div", "");
  why.addEventListener("click", () => {
    const open = why.ariaExpanded === "true", said = at(where + "-state").textContent;
    why.ariaExpanded = open ? "false" : "true";
    if (open) because.replaceChildren();
    else attempt(where, () => explain(a, b, because).then(() => said));
  });
  return [why, because];
}

async function show_match(text, match) {
  const entry = await document_of(match.id);
  const out = make("article", "", make("div", {className: "head"}, make("h3", match.id), facts_of(match, entry)));
  if (entry.text === null) {
    out.append(make("p", {className: "hint", textContent: say("no-text")}));
    return out;
  }
  const compared = await (await ask("POST", "/v1/compare", {a: text, b: entry.text})).json();
  if (!differs(compared.diff)) out.firstChild.append(make("span", {className: "badge", textContent: say("equal")}));
  out.append(marked(compared.diff), ...why_button(text, entry.text, "find"));
  return out;
}

async function find() {
  await attempt("find", async () => {
    const text = at("text").value;
    if (!text.trim()) throw new Error(say("write-text"));
    const path = here() + "/query?most=10";
    show_curl("find-curl", "POST", path, {text}, "application/json");
    const {matches} = await (await ask("POST", path, {text})).json();
    const shown = await Promise.all(matches.map((match) => show_match(text, match)));
    at("matches").replaceChildren(...(shown.length ? [legend(), ...shown] : []));
    if (matches.length === 0) return say("none");
    return matches.length === 1 ? say("found-one") : `${matches.length} ${say("found")}`;
  });
}

// One of the first hundred documents of the collection that has a text.
async function take_one() {
  await attempt("find", async () => {
    const stop = new AbortController();
    const answer = await ask("GET", here() + "/documents", undefined, {signal: stop.signal});
    const texts = [];
    for await (const line of lines_of(answer)) {
      if (line.end || texts.length === 100) break;
      if (line.text) texts.push(line.text);
    }
    stop.abort();
    if (texts.length === 0) throw new Error(say("empty"));
    at("text").value = texts[Math.floor(Math.random() * texts.length)];
  });
  if (at("text").value) await find();
}

// Files

// Lines of an answer, as they come.
async function* lines_of(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const {value, done} = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

// Pieces of a mebibyte that end with a line, with the bytes of the file that were read by then: a browser sends a body only when it has all
// of it, and shows of the answer nothing before.
async function* pieces_of(file, packed) {
  const most = 1 << 20;
  let rest = "", taken = 0;
  const counted = new TransformStream({transform(bytes, out) { taken += bytes.length; out.enqueue(bytes); }});
  let stream = file.stream().pipeThrough(counted);
  if (packed) stream = stream.pipeThrough(new DecompressionStream("gzip"));
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const {value, done} = await reader.read();
    if (done) break;
    rest += value;
    if (rest.length < most) continue;
    const end = rest.lastIndexOf("\n") + 1;
    if (end > 0) yield [rest.slice(0, end), taken];
    rest = rest.slice(end);
  }
  if (rest.trim()) yield [rest.endsWith("\n") ? rest : rest + "\n", taken];
}

const most_events = 5;

// The answers of one file, counted and shown.
class Adding {
  constructor(file) {
    this.file = file;
    this.counts = {sent: 0, added: 0, duplicate: 0, bad: 0};
    this.begun = performance.now();
    this.stop = new AbortController();
    this.lines_before = 0;  // of the pieces before this one
    at("events").replaceChildren();
    at("adding").hidden = false;
    this.show();
  }
  async run() {
    const head = new Uint8Array(await this.file.slice(0, 4).arrayBuffer());
    const path = `${here()}/documents?unique=${at("unique").checked}`;
    const begins = (...bytes) => bytes.every((byte, i) => head[i] === byte);
    if (begins(0x50, 0x41, 0x52, 0x31)) return this.add_whole(path, "application/vnd.apache.parquet");
    return this.add_lines(path, begins(0x1f, 0x8b));
  }
  async add_lines(path, packed) {
    show_curl("add-curl", "POST", path, this.file, "application/x-ndjson");
    for await (const [lines, taken] of pieces_of(this.file, packed)) {
      await this.take(await ask("POST", path, lines, {type: "application/x-ndjson", signal: this.stop.signal}));
      this.lines_before += lines.split("\n").length - 1;
      at("progress").value = taken / this.file.size;
    }
  }
  async add_whole(path, type) {
    show_curl("add-curl", "POST", path, this.file, type);
    at("progress").removeAttribute("value");
    const answer = await ask("POST", path, this.file, {type, signal: this.stop.signal});
    state("add", say("whole-file"));
    await this.take(answer);
    at("progress").value = 1;
  }
  async take(answer) {
    let ended = false, last_shown = 0;
    for await (const line of lines_of(answer)) {
      if (line.end) { ended = true; break; }
      if (line.error && line.line === undefined) throw new Error(line.error.detail);
      this.count(line);
      if (performance.now() - last_shown > 100) { this.show(); last_shown = performance.now(); }
    }
    this.show();
    if (!ended) throw new Error("the answer was cut");
  }
  count(line) {
    ++this.counts.sent;
    if (line.error) {
      ++this.counts.bad;
      this.tell(`${say("line")} ${count(this.lines_before + line.line)}: ${line.error.detail}`);
    } else if (line.result === "new" || line.result === "added") {
      ++this.counts.added;
    } else {
      ++this.counts.duplicate;
      const alike = line.similarity === null || line.similarity === undefined ? "" : ` (${percent(line.similarity)})`;
      this.tell(line.result === "present" ? `${line.id} ${say("is-there")}` : `${line.id} ${say("resembles")} ${line.of}${alike}`);
    }
  }
  tell(text) {
    at("events").prepend(make("li", text));
    while (at("events").children.length > most_events) at("events").lastChild.remove();
  }
  show() {
    const seconds = (performance.now() - this.begun) / 1000;
    show_list("counts", {...this.counts, rate: Math.round(this.counts.sent / Math.max(seconds, 0.001))});
  }
}

let adding = null;

async function add(file) {
  if (adding) return;
  adding = new Adding(file);
  at("progress").value = 0;
  at("stop").disabled = false;
  await attempt("add", async () => {
    await adding.run();
    return file.name;
  });
  at("stop").disabled = true;
  adding = null;
  known.clear();
  await attempt("where", async () => { await show_collection(); });
}

function show_list(id, entries) {
  const shown = (value) => (typeof value === "number" ? count(value) : value);
  at(id).replaceChildren(...Object.entries(entries).flatMap(([name, value]) => [make("dt", say(name)), make("dd", shown(value))]));
}

// Groups

const page_size = 10, title_length = 90;
let page = 0;

const title_of = (entry) => (entry.text === null ? entry.id : [...entry.text.split("\n")[0]].slice(0, title_length).join(""));

async function show_member(id, kept) {
  const entry = await document_of(id);
  const out = make("article", "", make("div", {className: "head"}, make("h3", id)));
  if (entry.metadata && typeof entry.metadata === "object")
    out.firstChild.append(make("span", {className: "facts", textContent: Object.values(entry.metadata).filter((one) => typeof one === "string").join(" · ")}));
  if (id === kept.id) out.firstChild.append(make("span", {className: "badge", textContent: say("keep")}));
  if (entry.text === null) return out;
  if (id === kept.id) {
    out.append(make("p", {className: "text", textContent: entry.text}));
    return out;
  }
  const compared = await (await ask("POST", "/v1/compare", {a: kept.text, b: entry.text})).json();
  out.firstChild.append(make("span", {className: "facts", textContent: `${percent(compared.jaccard)} ${say("similarity")}`}));
  out.append(marked(compared.diff));
  return out;
}

// The kept one first: the others are shown as they differ from it.
async function show_group(cluster) {
  const kept = await document_of(cluster.keep);
  const summary = make("summary", "", make("span", {className: "badge", textContent: count(cluster.documents.length)}), title_of(kept));
  const group = make("details", "", summary);
  group.addEventListener("toggle", () => {
    if (!group.open || group.children.length > 1) return;
    const ids = [cluster.keep, ...cluster.documents.filter((id) => id !== cluster.keep)];
    const said = at("clusters-state").textContent;
    attempt("clusters", async () => {
      group.append(...(await Promise.all(ids.map((id) => show_member(id, kept)))));
      return said;
    });
  });
  return make("li", "", group);
}

// Returns what is to be said of them.
async function show_clusters() {
  const path = `${here()}/clusters?page=${page}&size=${page_size}`;
  show_curl("clusters-curl", "GET", path);
  at("groups").replaceChildren();
  at("paging").hidden = true;
  const computed = ((await show_collection()).clusters || {}).state > 0;
  at("compute").textContent = say(computed ? "compute" : "compute-first");
  if (!computed) return say("no-clusters");
  const found = await (await ask("GET", path)).json();
  at("page").textContent = `${page + 1} / ${Math.max(found.pages, 1)}`;
  at("paging").hidden = found.pages < 2;
  at("before").disabled = page === 0;
  at("after").disabled = page + 1 >= found.pages;
  at("groups").replaceChildren(...(await Promise.all(found.clusters.map(show_group))));
  if (found.of.clusters === 0) return say("no-groups");
  return `${count(found.of.clusters)} ${say("groups")}${gap()}${count(found.of.documents)} ${say("documents")}`;
}

async function compute() {
  at("compute").disabled = true;
  show_curl("clusters-curl", "POST", here() + "/clusters");
  let ended = false;
  await attempt("clusters", async () => {
    let job = await (await ask("POST", here() + "/clusters")).json();
    while (job.state === "queued" || job.state === "running") {
      await new Promise((then) => setTimeout(then, 200));
      job = await (await ask("GET", "/v1/jobs/" + job.id)).json();
      state("clusters", `${say("working")} ${job.progress.stage}`);
    }
    if (job.error) throw new Error(job.error.detail);
    ended = true;
  });
  at("compute").disabled = false;
  page = 0;
  if (ended) await attempt("clusters", show_clusters);
}

// Numbers

const rates = [], most_rates = 60;
let last = null;

function show_rate() {
  const top = Math.max(10, ...rates);
  const points = rates.map((rate, i) => `${(120 * (most_rates - rates.length + i)) / (most_rates - 1)},${29 - (28 * rate) / top}`);
  document.querySelector("#rate polyline").setAttribute("points", points.join(" "));
}

function rate_of(requests) {
  const now = {requests, time: performance.now()};
  const rate = last ? ((now.requests - last.requests) * 1000) / (now.time - last.time) : 0;
  last = now;
  rates.push(rate);
  if (rates.length > most_rates) rates.shift();
  return Math.round(rate);
}

async function show_numbers() {
  if (document.hidden) return;
  try {
    const text = await (await ask("GET", "/metrics")).text();
    const lines = text.split("\n");
    const sum = (name) => lines.filter((line) => line.startsWith(name + "{") || line.startsWith(name + " "))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" "))), 0);
    show_list("numbers", {
      requests: rate_of(sum("leitong_http_requests_total")), queries: sum("leitong_queries_total"), added: sum("leitong_documents_added_total"),
      duplicate: sum("leitong_duplicates_refused_total"), queue: sum("leitong_write_queue_bytes"),
      memory: count(Math.round(sum("process_resident_memory_bytes") / 2 ** 20)) + " MiB",
    });
    show_rate();
    at("numbers-section").hidden = false;
  } catch (error) {
    at("numbers-section").hidden = true;
  }
}

// What the reader does

function show_words() {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  for (const one of document.querySelectorAll("[data-say]")) one.textContent = say(one.dataset.say);
  at("language").textContent = language === "zh" ? "English" : "中文";
  at("language").lang = language === "zh" ? "en" : "zh-CN";
}

at("key").value = sessionStorage.getItem("key") || "";
at("keys").hidden = !at("key").value;
at("key").addEventListener("change", () => { sessionStorage.setItem("key", at("key").value); begin(); });
at("choose").addEventListener("submit", (event) => { event.preventDefault(); begin(); });
at("create").addEventListener("submit", create);
at("collection").addEventListener("change", () => attempt("where", chosen));
at("language").addEventListener("click", async () => {
  language = language === "zh" ? "en" : "zh";
  localStorage.setItem("language", language);
  show_words();
  if (at("collection").value) await attempt("where", chosen);
});
at("find").addEventListener("submit", (event) => { event.preventDefault(); find(); });
at("text").addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) find(); });
at("try").addEventListener("click", take_one);
at("file").addEventListener("change", () => { if (at("file").files.length) add(at("file").files[0]); });
at("stop").addEventListener("click", () => { if (adding) adding.stop.abort(); });
at("drop").addEventListener("dragover", (event) => { event.preventDefault(); at("drop").classList.add("over"); });
at("drop").addEventListener("dragleave", () => at("drop").classList.remove("over"));
at("drop").addEventListener("drop", (event) => {
  event.preventDefault();
  at("drop").classList.remove("over");
  if (event.dataTransfer.files.length) add(event.dataTransfer.files[0]);
});
at("compute").addEventListener("click", compute);
at("before").addEventListener("click", () => { page = Math.max(page - 1, 0); attempt("clusters", show_clusters); });
at("after").addEventListener("click", () => { ++page; attempt("clusters", show_clusters); });
show_words();
begin();
show_numbers();
setInterval(show_numbers, 1000);
