// The page of the server. Plain script, nothing from elsewhere; what is shown of documents is text, never markup.
"use strict";

const words = {
  en: {
    docs: "API", collection: "Collection", key: "Key", find: "Is there something like this?", text: "Text", ask: "Find near-duplicates",
    add: "Add a JSON Lines file", "add-how": "Each line has an id and a text. What resembles a document that is there is not added.",
    drop: "Drop a file here, or choose one:", clusters: "Groups of near-duplicates", compute: "Compute them", before: "Back", after: "On",
    numbers: "Now", none: "Nothing like it is there.",
    "no-collection": "There is no collection yet: make one with POST /v1/collections.",
    similarity: "similarity", distance: "differing bits", unverified: "not verified by the texts", why: "Why?", added: "added",
    duplicate: "refused as duplicates", bad: "bad lines", sent: "sent", keep: "kept", page: "page", documents: "documents", requests: "requests",
    queries: "questions", queue: "bytes waiting", memory: "memory", working: "Working …", done: "Done.", moved: "features that moved",
    "no-clusters": "They were never computed.", "no-text": "The collection keeps no texts.",
  },
  zh: {
    docs: "接口", collection: "集合", key: "密钥", find: "有没有类似的?", text: "文本", ask: "查找近似重复",
    add: "添加 JSON Lines 文件", "add-how": "每行有 id 和 text。与已有文档近似的不会被添加。",
    drop: "把文件拖到这里,或选择:", clusters: "近似重复的分组", compute: "计算", before: "上一页", after: "下一页",
    numbers: "此刻", none: "没有类似的。", "no-collection": "还没有集合:用 POST /v1/collections 建一个。",
    similarity: "相似度", distance: "不同的位", unverified: "未经文本验证", why: "为什么?", added: "已添加",
    duplicate: "因重复未添加", bad: "错误的行", sent: "已发送", keep: "保留", page: "页", documents: "文档", requests: "请求",
    queries: "查询", queue: "等待写入的字节", memory: "内存", working: "进行中……", done: "完成。", moved: "变化的特征",
    "no-clusters": "尚未计算。", "no-text": "该集合不保存文本。",
  },
};
let language = (sessionStorage.getItem("language") || navigator.language || "en").startsWith("zh") ? "zh" : "en";
const say = (name) => words[language][name] || name;
const at = (id) => document.getElementById(id);

function make(tag, text, ...children) {
  const one = document.createElement(tag);
  if (text) one.textContent = text;
  one.append(...children);
  return one;
}

function show_words() {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  for (const one of document.querySelectorAll("[data-say]")) one.textContent = say(one.dataset.say);
  at("language").textContent = language === "zh" ? "English" : "中文";
  at("language").lang = language === "zh" ? "en" : "zh";
}

const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

// Asks the server, and writes the same as a line of curl into the element `curl`.
async function ask(method, path, body, curl, kind = "application/json") {
  const headers = {};
  const key = at("key").value;
  if (key) headers.Authorization = "Bearer " + key;
  if (body !== undefined) headers["Content-Type"] = kind;
  if (curl) {
    const data = typeof body === "string" ? " -T FILE" : body === undefined ? "" : " -d " + quoted(JSON.stringify(body));
    const type = body === undefined ? "" : " -H " + quoted("Content-Type: " + kind);
    at(curl).textContent = `curl -X ${method}${key ? " -H 'Authorization: Bearer KEY'" : ""}${type}${data} ${quoted(location.origin + path)}`;
  }
  const answer = await fetch(path, {method, headers, body: body === undefined || typeof body === "string" ? body : JSON.stringify(body)});
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({detail: answer.statusText, type: ""}));
  throw Object.assign(new Error(problem.detail), {kind: problem.type});
}

const here = () => "/v1/collections/" + encodeURIComponent(at("collection").value);
const state = (text) => { at("state").textContent = text; };

async function attempt(work) {
  state(say("working"));
  try {
    await work();
    state(say("done"));
  } catch (error) {
    state(error.message);
  }
}

async function list_collections() {
  const chosen = at("collection").value;
  const {collections} = await (await ask("GET", "/v1/collections")).json();
  at("collection").replaceChildren(...collections.map((one) => make("option", one.name)));
  if (collections.some((one) => one.name === chosen)) at("collection").value = chosen;
  if (collections.length === 0) state(say("no-collection"));
}

function marked(diff) {
  const out = make("p");
  out.className = "text";
  for (const run of diff) {
    if (run.same) { out.append(run.b); continue; }
    if (run.a) out.append(make("del", run.a));
    if (run.b) out.append(make("ins", run.b));
  }
  return out;
}

async function explain(a, b, into) {
  const found = await (await ask("POST", "/v1/explain", {a, b, most: 3}, "find-curl")).json();
  const cells = (one) => [one.text, one.a, one.b, one.pull].map((value) => make("td", String(value)));
  const rows = found.moved.slice(0, 12).map((one) => make("tr", "", ...cells(one)));
  const heads = make("tr", "", ...[say("moved"), "A", "B", "±"].map((one) => make("th", one)));
  into.replaceChildren(make("table", "", heads, ...rows));
}

async function show_match(text, match) {
  const about = [];
  if (match.similarity !== null) about.push(`${say("similarity")} ${match.similarity}`);
  if (match.distance !== null) about.push(`${say("distance")} ${match.distance}`);
  if (match.unverified) about.push(say("unverified"));
  const out = make("article", "", make("h3", `${match.id}: ${about.join(", ")}`));
  const entry = await (await ask("GET", `${here()}/documents/${encodeURIComponent(match.id)}`)).json();
  if (entry.text === null) {
    out.append(make("p", say("no-text")));
    return out;
  }
  const compared = await (await ask("POST", "/v1/compare", {a: text, b: entry.text})).json();
  const why = make("button", say("why")), because = make("div");
  why.type = "button";
  why.addEventListener("click", () => attempt(() => explain(text, entry.text, because)));
  out.append(marked(compared.diff), why, because);
  return out;
}

async function find(event) {
  event.preventDefault();
  await attempt(async () => {
    const text = at("text").value;
    const {matches} = await (await ask("POST", here() + "/query?most=10", {text}, "find-curl")).json();
    const shown = await Promise.all(matches.map((match) => show_match(text, match)));
    at("matches").replaceChildren(...(shown.length ? shown : [make("p", say("none"))]));
  });
}

function show_list(id, entries) {
  const shown = (value) => (typeof value === "number" ? value.toLocaleString(language) : value);
  at(id).replaceChildren(...Object.entries(entries).flatMap(([name, value]) => [make("dt", say(name)), make("dd", shown(value))]));
}

// In pieces that end with a line: a browser sends a body only when it has all of it.
async function* pieces_of(file) {
  const most = 1 << 20;
  const decoder = new TextDecoder();
  let rest = "";
  for (let from = 0; from < file.size; from += most) {
    rest += decoder.decode(await file.slice(from, from + most).arrayBuffer(), {stream: true});
    const end = rest.lastIndexOf("\n") + 1;
    if (end > 0) yield [rest.slice(0, end), Math.min(from + most, file.size)];
    rest = rest.slice(end);
  }
  if (rest) yield [rest + "\n", file.size];
}

async function add(file) {
  await attempt(async () => {
    const counts = {added: 0, duplicate: 0, bad: 0, sent: "0 %"};
    for await (const [lines, sent] of pieces_of(file)) {
      const answer = await ask("POST", here() + "/documents?unique=true", lines, "add-curl", "application/x-ndjson");
      const last = JSON.parse((await answer.text()).trim().split("\n").pop());
      if (!last.end) throw new Error(last.error ? last.error.detail : "cut");
      counts.added += last.added;
      counts.duplicate += last.duplicates;
      counts.bad += last.bad;
      counts.sent = Math.floor((100 * sent) / file.size) + " %";
      show_list("counts", counts);
    }
  });
}

let page = 0;

async function show_clusters() {
  let found;
  try {
    found = await (await ask("GET", `${here()}/clusters?page=${page}&size=20`, undefined, "clusters-curl")).json();
  } catch (error) {
    at("groups").replaceChildren();
    at("page").textContent = error.kind === "/problems/no-clusters" ? say("no-clusters") : error.message;
    return;
  }
  at("page").textContent = `${say("page")} ${page + 1} / ${Math.max(found.pages, 1)}, ${found.of.clusters}`;
  at("before").disabled = page === 0;
  at("after").disabled = page + 1 >= found.pages;
  at("groups").start = page * 20 + 1;
  at("groups").replaceChildren(...found.clusters.map((cluster) => {
    const out = make("li");
    cluster.documents.forEach((id, i) => {
      if (i > 0) out.append(", ");
      out.append(id === cluster.keep ? make("strong", `${id} (${say("keep")})`) : id);
    });
    return out;
  }));
}

async function compute() {
  await attempt(async () => {
    let job = await (await ask("POST", here() + "/clusters", undefined, "clusters-curl")).json();
    while (job.state === "queued" || job.state === "running") {
      await new Promise((then) => setTimeout(then, 300));
      job = await (await ask("GET", "/v1/jobs/" + job.id)).json();
      state(`${say("working")} ${job.progress.stage}`);
    }
    if (job.error) throw new Error(job.error.detail);
    page = 0;
    await show_clusters();
  });
}

async function show_numbers() {
  if (document.hidden) return;
  try {
    const text = await (await ask("GET", "/metrics")).text();
    const lines_of = (name) => text.split("\n").filter((line) => line.startsWith(name + "{") || line.startsWith(name + " "));
    const sum = (name) => lines_of(name).reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" "))), 0);
    show_list("numbers", {
      documents: sum("leitong_documents"), added: sum("leitong_documents_added_total"), duplicate: sum("leitong_duplicates_refused_total"),
      queries: sum("leitong_queries_total"), requests: sum("leitong_http_requests_total"), queue: sum("leitong_write_queue_bytes"),
      memory: Math.round(sum("process_resident_memory_bytes") / 2 ** 20) + " MiB",
    });
  } catch (error) {
    show_list("numbers", {});
  }
}

async function begin() {
  await attempt(async () => {
    await list_collections();
    if (at("collection").value) await show_clusters();
  });
}

at("key").value = sessionStorage.getItem("key") || "";
at("key").addEventListener("change", () => { sessionStorage.setItem("key", at("key").value); begin(); });
at("where").addEventListener("submit", (event) => { event.preventDefault(); begin(); });
at("collection").addEventListener("change", () => { page = 0; show_clusters(); });
at("language").addEventListener("click", () => {
  language = language === "zh" ? "en" : "zh";
  sessionStorage.setItem("language", language);
  show_words();
  if (at("collection").value) show_clusters();
});
at("find").addEventListener("submit", find);
at("file").addEventListener("change", () => { if (at("file").files.length) add(at("file").files[0]); });
at("drop").addEventListener("dragover", (event) => { event.preventDefault(); at("drop").classList.add("over"); });
at("drop").addEventListener("dragleave", () => at("drop").classList.remove("over"));
at("drop").addEventListener("drop", (event) => {
  event.preventDefault();
  at("drop").classList.remove("over");
  if (event.dataTransfer.files.length) add(event.dataTransfer.files[0]);
});
at("compute").addEventListener("click", compute);
at("before").addEventListener("click", () => { page = Math.max(page - 1, 0); show_clusters(); });
at("after").addEventListener("click", () => { ++page; show_clusters(); });
show_words();
begin();
setInterval(show_numbers, 1000);
