// What stands beside the text: documents, entities, the details of the current mention, and the difference of layers.
import { find, make } from "./dom.js";
import { number, say } from "./texts.js";

const SHOWN = 120; // entities of the list, around the current one
const SIGNS = { free: "○", "in work": "◐", "to be confirmed": "◕", done: "●" };

export function showQueue(rows, current, open) {
  const items = rows.map((row) => {
    const parts = [`${SIGNS[row.status]} ${say(row.status)}${row.by ? ` (${row.by})` : ""}`];
    if (row.risk !== null && row.risk !== undefined) parts.push(`${say("risk")} ${(100 * row.risk).toFixed(1)} %`);
    if (row.doubtful) parts.push(say("unsureCount", { count: number(row.doubtful) }));
    if (row.assigned.length) parts.push(`→ ${row.assigned.join(", ")}`);
    const told = [make("span", { text: row.name }), make("span", { class: "told", text: parts.join(" · ") })];
    return make("li", {}, make("button", { "aria-current": row.id === current, click: () => open(row.id) }, ...told));
  });
  find("documents").replaceChildren(...items);
}

export const describeState = (entity) => say(entity.action === "keep" ? "kept" : entity.action === "generalise" ? "generalised" : "masked");
export const nameType = (type) => say(`type_${type}`);

export function showEntities(model, order, go) {
  const names = model.listEntities(order);
  const at = Math.max(0, names.indexOf(model.mark?.entity) - SHOWN / 2);
  const shown = names.slice(at, at + SHOWN).map((name) => {
    const entity = model.entities.get(name);
    const places = model.of.get(name);
    const parts = [describeState(entity), nameType(entity.type), say(entity.identifier)];
    if (places.length > 1) parts.push(`×${places.length}`);
    if (entity.doubt >= 0.5) parts.push(say("isUnsure"));
    if (entity.accepted) parts.push(`✓ ${say("accepted")}`);
    if (entity.by) parts.push(`✎ ${entity.by}`);
    const isCurrent = name === model.mark?.entity;
    const title = model.nameEntity(name);
    const key = [title, ...parts, isCurrent, places[0]].join("\n");
    return reuseItem(name, key, () => {
      const told = [make("span", { text: title }), make("span", { class: "told", text: parts.join(" · ") })];
      return make("li", {}, make("button", { "aria-current": isCurrent, click: () => go(places[0]) }, ...told));
    });
  });
  const left = names.length - shown.length;
  if (left > 0) shown.push(make("li", { text: say("more", { count: number(left) }) }));
  const list = find("entities");
  if (shown.length !== list.children.length || shown.some((item, at) => item !== list.children[at])) list.replaceChildren(...shown);
  list.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
}

let items = new Map(); // the item of each entity of the list, and what it says

function reuseItem(name, key, build) {
  const known = items.get(name);
  if (known?.key === key) return known.node;
  if (items.size > 8 * SHOWN) items = new Map();
  const node = build();
  items.set(name, { key, node });
  return node;
}

export function showDetail(model, state, go) {
  if (state.cursor) return showSelection(model.text.slice(...state.cursor));
  const { mark, entity } = model;
  if (!mark) return find("detail").replaceChildren(make("p", { text: say("noMention") }), make("p", { class: "told", text: say("howToMark") }));
  const told = mark.confidential ?? entity.confidential ?? "NOT_CONFIDENTIAL";
  const type = mark.type ?? entity.type;
  const lines = [
    ["text", model.read(mark)], ["state", describeState(entity) + (entity.replacement ? ` → ${entity.replacement}` : "")],
    ["type", `${nameType(type)} (${type})`], ["identifier", say(mark.identifier ?? entity.identifier)],
    ["confidence", `${Math.round(100 * entity.score)} %`], ["reasons", entity.reasons.join("; ")],
    ["levelsName", entity.levels.join(" | ")], ["confidentialName", told === "NOT_CONFIDENTIAL" ? "" : say(told)],
    ["decidedBy", [entity.by, entity.because].filter(Boolean).join(": ")], ["reasonName", state.reason],
  ];
  const places = model.of.get(mark.entity);
  const buttons = places.slice(0, SHOWN).map((at) => {
    const one = model.marks[at];
    const around = model.text.slice(Math.max(0, one.start - 20), one.end + 20).replace(/\s+/g, " ");
    return make("li", {}, make("button", { text: `… ${around} …`, "aria-current": at === model.current, click: () => go(at) }));
  });
  const title = make("h2", { text: say("place", { at: model.current + 1, count: model.marks.length }) });
  const all = [make("h3", { text: say("allMentions", { count: places.length }) }), make("ul", {}, ...buttons)];
  return find("detail").replaceChildren(title, makeLines(lines), ...(places.length > 1 ? all : []));
}

function showSelection(text) {
  const hint = make("p", { class: "told", text: say("selectedHint") });
  find("detail").replaceChildren(make("h2", { text: say("selected") }), makeLines([["text", text]]), hint);
}

function makeLines(lines) {
  const list = make("dl", {});
  for (const [key, value] of lines) if (value) list.append(make("dt", { text: say(key) }), make("dd", { text: value }));
  return list;
}

// What a screen reader says about the current mention.
export function speak(model) {
  const { mark, entity } = model;
  if (!mark) return;
  const role = say(mark.identifier ?? entity.identifier);
  const parts = [model.read(mark), nameType(mark.type ?? entity.type), role, describeState(entity), ...entity.reasons.slice(0, 1)];
  find("spoken").textContent = `${say("place", { at: model.current + 1, count: model.marks.length })}: ${parts.join(", ")}`;
}

export function showDifferences(rows, model, take, go) {
  const read = ([start, end]) => model.text.slice(model.offsets.toUnits(start), model.offsets.toUnits(end));
  const differing = rows.filter((row) => !row.same);
  const isTaken = (row) => model.marks.some((mark) => mark.from === row.start && mark.to === row.end);
  const cells = differing.map((row) => {
    const place = make("button", { text: read([row.start, row.end]), click: () => go(row) });
    const takes = Object.entries(row.labels).map(([layer, label]) => (
      make("li", {}, make("button", { text: say("takeOf", { layer, label: nameLabel(label, row, read) }), click: () => take(row, layer) }))));
    const state = make("td", { text: isTaken(row) ? `✓ ${say("isTaken")}` : "" });
    return make("tr", {}, make("th", { scope: "row" }, place), make("td", {}, make("ul", {}, ...takes)), state);
  });
  const title = make("h2", { text: say("differenceOf", { count: cells.length, all: rows.length }) });
  const agreed = make("button", { text: say("takeAgreed"), click: () => take(null, "") });
  find("differences").replaceChildren(title, agreed, make("table", {}, make("tbody", {}, ...cells)));
}

function nameLabel([kind, identifier, confidential, first], row, read) {
  const told = confidential && confidential !== "NOT_CONFIDENTIAL" ? say(confidential) : "";
  const linked = first[0] === row.start ? "" : `= ${read(first)}`;
  return `${[nameType(kind), say(identifier), told].filter(Boolean).join(" · ")} ${linked}`;
}
