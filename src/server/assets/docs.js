// Shows openapi.json: paths, parameters, bodies, answers.
"use strict";

function make(tag, text, ...children) {
  const one = document.createElement(tag);
  if (text) one.textContent = text;
  one.append(...children);
  return one;
}

const needed = (schema, name) => ((schema.required || []).includes(name) ? ": " : "?: ");

// A schema in a few words.
function words_of(schema, all) {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.anyOf) return schema.anyOf.map((one) => words_of(one, all)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.type === "array") return `[${words_of(schema.items, all)}]`;
  if (schema.type === "object" && schema.properties)
    return "{" + Object.entries(schema.properties).map(([name, one]) => name + needed(schema, name) + words_of(one, all)).join(", ") + "}";
  return schema.type || "JSON";
}

const kinds_of = (content, all) => Object.entries(content || {}).map(([kind, one]) => `${kind}: ${words_of(one.schema, all)}`).join("; ");

function table(rows) {
  return make("table", "", ...rows.map((cells) => make("tr", "", ...cells.map((cell) => make("td", cell)))));
}

function show(method, path, one, all) {
  const scope = one.security.length ? one.security[0].key[0] : "–";
  const rows = one.parameters.map((parameter) => [parameter.name, parameter.in, parameter.description]);
  if (one.requestBody) rows.push(["body", "", kinds_of(one.requestBody.content, all)]);
  for (const [code, answer] of Object.entries(one.responses)) rows.push([code, answer.description, kinds_of(answer.content, all)]);
  return make("article", "", make("h2", `${method.toUpperCase()} ${path}`), make("p", `${one.summary} (${scope})`), table(rows));
}

async function begin() {
  const all = await (await fetch("/openapi.json")).json();
  document.getElementById("about").textContent = all.info.description;
  const out = document.getElementById("paths");
  for (const [path, methods] of Object.entries(all.paths))
    for (const [method, one] of Object.entries(methods)) out.append(show(method, path, one, all));
  const schemas = Object.entries(all.components.schemas).map(([name, one]) => [name, words_of(one, all), one.description || ""]);
  out.append(make("h2", "Schemas"), table(schemas));
}

begin();
