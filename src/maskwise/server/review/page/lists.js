// What stands beside the text: documents, entities, the details of the current mention, dialogs with figures.
import { draw, find, make, openDialog } from "./dom.js";
import { DEFAULTS, changeKey, nameKey, readKeys, resetKeys } from "./keys.js";
import { number, say } from "./texts.js";

const SHOWN = 120; // entities of the list, around the current one

export function showQueue(rows, current, open) {
  const items = rows.map((row) => {
    const risk = row.risk === null || row.risk === undefined ? "" : ` · ${say("risk")} ${(100 * row.risk).toFixed(1)} %`;
    const unsure = row.doubtful ? ` · ${say("unsureCount", { count: number(row.doubtful) })}` : "";
    const people = row.assigned.length ? ` → ${row.assigned.join(", ")}` : "";
    const name = `${row.name}${people} · ${say(row.status)}${row.by ? ` (${row.by})` : ""}${risk}${unsure}`;
    return make("li", {}, make("button", { text: name, "aria-current": row.id === current, click: () => open(row.id) }));
  });
  find("documents").replaceChildren(...items);
}

export const describeState = (entity) => say(entity.action === "keep" ? "kept" : entity.action === "generalise" ? "generalised" : "masked");

export function showEntities(model, order, go) {
  const names = model.listEntities(order);
  const at = Math.max(0, names.indexOf(model.mark?.entity) - SHOWN / 2);
  const shown = names.slice(at, at + SHOWN).map((name) => {
    const entity = model.entities.get(name);
    const places = model.of.get(name);
    const parts = [entity.type, say(entity.identifier), describeState(entity)];
    if (places.length > 1) parts.unshift(`×${places.length}`);
    if (entity.doubt >= 0.5) parts.push(say("isUnsure"));
    if (entity.accepted) parts.push(say("accepted"));
    if (entity.by) parts.push(entity.by);
    const isCurrent = name === model.mark?.entity;
    const title = model.nameEntity(name);
    const key = [title, ...parts, isCurrent, places[0]].join("\n");
    return reuseItem(name, key, () => {
      const told = [make("b", { text: title }), " ", make("span", { class: "told", text: parts.join(" · ") })];
      return make("li", {}, make("button", { "aria-current": isCurrent, click: () => go(places[0]) }, ...told));
    });
  });
  const left = names.length - shown.length;
  if (left > 0) shown.push(make("li", { text: say("more", { count: number(left) }) }));
  const list = find("entities");
  if (shown.length !== list.children.length || shown.some((item, at) => item !== list.children[at])) list.replaceChildren(...shown);
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
  const { mark, entity } = model;
  if (!mark) return find("detail").replaceChildren(make("p", { text: say("noMention") }));
  const told = mark.confidential ?? entity.confidential ?? "NOT_CONFIDENTIAL";
  const lines = [
    ["text", model.read(mark)], ["type", mark.type ?? entity.type], ["identifier", say(mark.identifier ?? entity.identifier)],
    ["state", describeState(entity) + (entity.replacement ? ` → ${entity.replacement}` : "")],
    ["confidence", `${Math.round(100 * entity.score)} %`], ["reasons", entity.reasons.join("; ")],
    ["levelsName", entity.levels.join(" | ")], ["confidentialName", told === "NOT_CONFIDENTIAL" ? "" : say(told)],
    ["decidedBy", [entity.by, entity.because].filter(Boolean).join(": ")], ["scopeName", say(state.scope)],
    ["reasonName", state.reason],
  ];
  const list = make("dl", {});
  for (const [key, value] of lines) if (value) list.append(make("dt", { text: say(key) }), make("dd", { text: value }));
  const places = model.of.get(mark.entity);
  const buttons = places.slice(0, SHOWN).map((at) => {
    const one = model.marks[at];
    const around = model.text.slice(Math.max(0, one.start - 20), one.end + 20).replace(/\s+/g, " ");
    return make("li", {}, make("button", { text: `… ${around} …`, "aria-current": at === model.current, click: () => go(at) }));
  });
  const title = say("place", { at: model.current + 1, count: model.marks.length });
  const all = say("allMentions", { count: places.length });
  return find("detail").replaceChildren(make("h2", { text: title }), list, make("h3", { text: all }), make("ul", {}, ...buttons));
}

// What a screen reader says about the current mention.
export function speak(model) {
  const { mark, entity } = model;
  if (!mark) return;
  const role = say(mark.identifier ?? entity.identifier);
  const parts = [model.read(mark), mark.type ?? entity.type, role, describeState(entity), ...entity.reasons.slice(0, 1)];
  find("spoken").textContent = `${say("place", { at: model.current + 1, count: model.marks.length })}: ${parts.join(", ")}`;
}

export function showHelp(redraw) {
  const keys = readKeys();
  const rows = Object.keys(DEFAULTS).map((action) => {
    const input = make("input", { "aria-label": say("keyOf", { action: say(`do_${action}`) }), size: 16, readonly: "" });
    input.value = keys[action];
    input.addEventListener("keydown", (event) => {
      if (["Tab", "Escape", "Shift"].includes(event.key)) return;
      event.preventDefault();
      const taken = changeKey(action, nameKey(event));
      if (taken) find("news").textContent = say("keyTaken", { action: say(`do_${taken}`) });
      else input.value = nameKey(event);
    });
    return make("tr", {}, make("th", { scope: "row", text: say(`do_${action}`) }), make("td", {}, input));
  });
  const reset = make("button", { text: say("resetKeys"), click: () => { resetKeys(); redraw(); } });
  openDialog(say("help"), make("p", { text: say("helpText") }), make("table", {}, make("tbody", {}, ...rows)), reset, closeButton());
}

export const closeButton = () => make("button", { text: say("close"), click: () => find("dialog").close() });

export function showProgress({ statuses, days }) {
  const rows = Object.entries(statuses).map(([name, count]) => (
    make("tr", {}, make("th", { scope: "row", text: say(name) }), make("td", { text: number(count) }))));
  const top = Math.max(1, ...days.map((day) => day[1]));
  const spot = ([, done], at) => [20 + (at * 270) / Math.max(1, days.length - 1), 90 - (done * 80) / top];
  const path = days.map((day, at) => `${at ? "L" : "M"}${spot(day, at).join(" ")}`).join("");
  const labels = days.map((day, at) => draw("text", { x: spot(day, at)[0], y: spot(day, at)[1] - 3 }, String(day[1])));
  const name = say("plot", { days: days.map(([day, done]) => `${day}: ${done}`).join(", ") });
  const plot = draw("svg", { viewBox: "0 0 310 100", class: "plot", role: "img", "aria-label": name }, draw("path", { d: path || "M0 0" }), ...labels);
  openDialog(say("progress"), make("table", {}, make("tbody", {}, ...rows)), plot, closeButton());
}

export function showAgreement(rows) {
  const heads = ["attribute", "unit", "documents", "observed", "fleiss", "cohen", "alpha"];
  const cell = (value) => (Array.isArray(value) ? (value[0] === null ? "–" : `${value[0].toFixed(3)} [${value[1].toFixed(3)}, ${value[2].toFixed(3)}]`) : String(value));
  const head = make("tr", {}, ...heads.map((name) => make("th", { scope: "col", text: say(`head_${name}`) })));
  const body = rows.map((row) => make("tr", {}, ...heads.map((name) => make("td", { text: cell(row[name]) }))));
  openDialog(say("agreement"), make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)), closeButton());
}

export function showDifferences(rows, model, take, go) {
  const cells = rows.filter((row) => !row.same).map((row) => {
    const read = ([start, end]) => model.text.slice(model.offsets.toUnits(start), model.offsets.toUnits(end));
    const text = read([row.start, row.end]);
    const nameLabel = ([kind, identifier, confidential, first]) => (
      [kind, identifier, confidential, first[0] === row.start ? "" : `= ${read(first)}`].filter(Boolean).join(" "));
    const takes = Object.entries(row.labels).map(([layer, label]) => (
      make("button", { text: say("takeOf", { layer, label: nameLabel(label) }), click: () => take(row, layer) })));
    const place = make("button", { text, click: () => go(row) });
    return make("tr", {}, make("td", {}, place), make("td", {}, ...takes));
  });
  const title = make("h2", { text: say("differenceOf", { count: cells.length, all: rows.length }) });
  const agreed = make("button", { text: say("takeAgreed"), click: () => take(null, "") });
  find("differences").replaceChildren(title, agreed, make("table", {}, make("tbody", {}, ...cells)));
}
