// The page: what a key or a button does, and what is drawn after it.
import { get, post, settle } from "./api.js";
import { ask, find, make } from "./dom.js";
import { listen, readKeys } from "./keys.js";
import * as lists from "./lists.js";
import { Model, TYPES } from "./model.js";
import * as panes from "./panes.js";
import { LANGUAGES, loadTexts, number, say } from "./texts.js";

const SCOPES = ["document", "occurrence", "batch"];
const VIEWS = ["side", "inPlace", "plain"];
const STEPS = 6;
const CONFIDENTIAL = ["NOT_CONFIDENTIAL", "BELIEF", "POLITICS", "SEX", "ETHNIC", "HEALTH"];
const state = { me: null, queue: [], model: null, scope: "document", view: "side", order: "unsure", cursor: null, first: null, reason: "", risk: null, layer: "", found: "" };
let riskTimer = 0;

const isAnnotating = () => state.me.mode === "annotate";
const leads = () => state.me.role !== "annotator";
const isOwn = () => !isAnnotating() || state.layer === state.me.name || (state.layer === "adjudicated" && leads());
const pathOf = (id = state.model.id) => `/api/documents/${id}${isAnnotating() ? `/layers/${encodeURIComponent(state.layer)}` : ""}`;
const tell = (key, values) => { find("news").textContent = say(key, values); };

async function openDocument(id, layer = state.me.name) {
  await settle();
  state.layer = layer;
  state.model = new Model(await get(pathOf(id)));
  Object.assign(state, { cursor: null, first: null, risk: null });
  find("title").textContent = state.model.name;
  panes.showText(state.model.text);
  showPictures();
  if (state.model.marks.length) state.model.current = isAnnotating() ? 0 : Math.max(0, state.model.nextUnsure());
  if (isAnnotating()) showStep(state.model.step ?? 1);
  drawAll();
  await refreshQueue();
  find("differences").hidden = true;
  if (!isAnnotating()) measureSoon();
}

async function refreshQueue() {
  state.queue = await get("/api/documents");
  lists.showQueue(state.queue, state.model?.id, (id) => run(() => openDocument(id)));
}

function drawAll() {
  const { model } = state;
  panes.paintMarks(model.listPainted());
  panes.showMasked(model.listEdits());
  drawCurrent();
  drawFigures();
}

function drawCurrent() {
  const { model, cursor } = state;
  const { mark } = model;
  panes.paintOne("current", mark && !cursor ? [mark.start, mark.end] : null);
  panes.paintOne("cursor", cursor);
  if (cursor) panes.reveal(...cursor);
  else if (mark) panes.reveal(mark.start, mark.end);
  requestAnimationFrame(() => {
    lists.showDetail(model, state, go);
    lists.showEntities(model, state.order, go);
    lists.speak(model);
  });
}

function drawFigures() {
  const { model, risk } = state;
  const parts = [`${say("undoCount", { undo: model.undo, redo: model.redo })}`];
  if (model.kept !== undefined) parts.unshift(say("keptShare", { share: (100 * model.kept).toFixed(1) }));
  for (const one of risk?.persons ?? []) {
    parts.push(say("rank", { person: one.label, after: number(one.after), before: number(one.before), people: number(risk.people) }));
  }
  if (risk && !risk.persons.length) parts.push(say("nobody"));
  find("figures").textContent = parts.join(" · ");
  const version = String(model.version);
  if (find("figures").dataset.version !== version) find("figures").dataset.version = version;
}

function go(at) {
  if (at < 0 || at >= state.model.marks.length) return;
  state.model.current = at;
  state.cursor = null;
  drawCurrent();
}

// Send an edit, and show what it changed here and elsewhere.
async function edit(body) {
  const { model } = state;
  if (!isOwn()) return tell("readOnly");
  if (state.reason) body.reason = state.reason;
  await write(() => post(`${pathOf()}/edits`, body, () => model.version));
}

async function write(call) {
  const { model } = state;
  try {
    const answer = await call();
    model.change(answer);
    tellChange(answer);
  } catch (error) {
    if (error.status !== 412) {
      model.take(await get(pathOf()));
      drawAll();
      throw error;
    }
    showConflict(error.now);
  }
  if (state.model !== model) return;
  drawAll();
  if (!isAnnotating()) measureSoon();
}

function tellChange(answer) {
  const parts = [say("saved")];
  if (answer.kept_before !== undefined && answer.kept_before !== answer.kept) {
    parts.push(say("keptChange", { before: (100 * answer.kept_before).toFixed(1), after: (100 * answer.kept).toFixed(1) }));
  }
  const others = (answer.elsewhere ?? []).filter((name) => state.model.of.has(name));
  const names = others.slice(0, 5).map((name) => `${state.model.nameEntity(name)}: ${lists.describeState(state.model.entities.get(name))}`);
  if (others.length) parts.push(say("elsewhere", { count: others.length, names: names.join(", ") }));
  if (answer.documents) parts.push(say("otherDocuments", { count: answer.documents }));
  panes.paintSpans("changed", others.flatMap((name) => state.model.of.get(name).map((at) => [state.model.marks[at].start, state.model.marks[at].end])));
  find("news").textContent = parts.join(" · ");
}

// Somebody else was quicker: show their version and what differs from ours.
function showConflict(now) {
  const { model } = state;
  const before = new Map([...model.entities].map(([name, one]) => [name, `${one.action} ${one.type} ${one.identifier} ${one.replacement}`]));
  model.take(now);
  const differing = [...model.entities.values()].filter((one) => before.get(one.id) !== `${one.action} ${one.type} ${one.identifier} ${one.replacement}`);
  const spans = differing.flatMap((one) => model.of.get(one.id).map((at) => [model.marks[at].start, model.marks[at].end]));
  panes.paintSpans("changed", spans);
  tell("conflict", { count: differing.length, names: differing.slice(0, 5).map((one) => model.nameEntity(one.id)).join(", ") });
}

function measureSoon() {
  clearTimeout(riskTimer);
  riskTimer = setTimeout(() => run(measure), 250);
}

async function measure() {
  const { model } = state;
  await settle();
  const answer = await get(`${pathOf(model.id)}/risk`);
  if (state.model !== model) return;
  if (answer.change && answer.version === model.version) {
    model.change(answer.change);
    drawAll();
  }
  const old = state.risk;
  state.risk = answer.risk;
  drawFigures();
  (answer.risk?.persons ?? []).forEach((one, at) => {
    const was = old?.persons[at]?.after;
    if (was !== undefined && was !== one.after) {
      find("news").textContent += ` · ${say("leaves", { person: one.label, after: number(one.after), was: number(was), people: number(answer.risk.people) })}`;
    }
  });
}

const flip = (action, body) => {
  const { model } = state;
  if (!model.mark) return undefined;
  const { entity, mark } = model;
  if (state.scope !== "occurrence" && action) {
    entity.action = action; // the page follows at once, the server's plan a moment later
    panes.paintMarks(model.listPainted());
  }
  return edit({ ...body, entity: entity.id, mark: mark.id, scope: state.scope });
};

function setType(kind) {
  const span = state.cursor;
  if (!span) return flip(null, { do: "type", type: kind });
  const { offsets } = state.model;
  const spans = [[offsets.toPoints(span[0]), offsets.toPoints(span[1])]];
  state.cursor = null;
  return edit({ do: "mark", spans, type: kind, identifier: "QUASI", scope: state.scope }).then(() => go(state.model.findMark(span[0])));
}

function moveWord(forward, extends_) {
  const { model, cursor } = state;
  const base = cursor ?? (model.mark ? [model.mark.start, model.mark.end] : [0, 0]);
  if (extends_ && cursor) {
    if (forward) state.cursor = [cursor[0], panes.findWord(cursor[1], true)?.[1] ?? cursor[1]];
    else {
      const last = panes.findWord(cursor[1] - 1, false);
      if (last && last[1] > cursor[0]) state.cursor = [cursor[0], last[1]];
    }
  } else state.cursor = panes.findWord(forward ? base[1] : base[0], forward) ?? state.cursor;
  drawCurrent();
}

async function findText() {
  const sought = await ask(say("do_find"), state.found, say("find"));
  if (!sought) return;
  state.found = sought;
  const from = state.cursor?.[1] ?? 0;
  let at = state.model.text.indexOf(sought, from);
  if (at < 0) at = state.model.text.indexOf(sought);
  if (at < 0) return tell("notFound");
  state.cursor = [at, at + sought.length];
  drawCurrent();
}

function link() {
  const { model } = state;
  if (!model.mark) return undefined;
  if (!state.first) {
    state.first = model.mark.entity;
    return tell("linkFirst", { name: model.nameEntity(state.first) });
  }
  const entities = [state.first, model.mark.entity];
  state.first = null;
  return entities[0] === entities[1] ? tell("linkSame") : edit({ do: "merge", entities });
}

function cycleLevel() {
  const { entity } = state.model;
  if (!entity?.levels.length) return tell("noLevels");
  const now = entity.action === "generalise" ? entity.level : 0;
  return flip("generalise", { do: "level", level: (now % entity.levels.length) + 1 });
}

function cycleConfidential() {
  const { mark, entity } = state.model;
  if (!mark) return undefined;
  const at = CONFIDENTIAL.indexOf(mark.confidential ?? entity.confidential ?? CONFIDENTIAL[0]);
  return flip(null, { do: "confidential", confidential: CONFIDENTIAL[(Math.max(0, at) + 1) % CONFIDENTIAL.length] });
}

async function writeReplacement() {
  const { entity } = state.model;
  if (!entity) return;
  const text = await ask(say("do_replacement"), entity.written ?? "", say("save"));
  if (text) await flip("suppress", { do: "write", text });
}

async function acceptAll() {
  for (const entity of [...state.model.entities.values()]) {
    if (!entity.accepted && !entity.by) await edit({ do: "accept", entity: entity.id, scope: "document" });
  }
}

function cycle(name, values, label) {
  state[name] = values[(values.indexOf(state[name]) + 1) % values.length];
  tell(label, { value: say(state[name]) });
  find("original").hidden = state.view === "inPlace";
  find("masked").hidden = state.view === "plain";
  drawCurrent();
}

function showPictures() {
  const box = find("pictures");
  box.hidden = !state.model.pages;
  const pages = Array.from({ length: state.model.pages ?? 0 }, (_, at) => (
    make("img", { src: `/api/documents/${state.model.id}/pages/${at}`, alt: say("page", { at: at + 1 }), loading: "lazy" })));
  box.replaceChildren(...pages);
}

async function moveStep(by) {
  if (!isAnnotating() || !isOwn()) return;
  const step = Math.min(STEPS, Math.max(1, (state.model.step ?? 1) + by));
  await post(`${pathOf()}/status`, { step });
  showStep(step);
}

function showStep(step) {
  state.model.step = step;
  find("steps").hidden = false;
  const items = Array.from({ length: STEPS }, (_, at) => (
    make("li", {}, make("button", { text: say(`step${at + 1}`), "aria-current": at + 1 === step ? "true" : "false", click: () => run(() => moveStep(at + 1 - step)) }))));
  find("steps").replaceChildren(...items);
  tell(`hint${step}`);
  find("masked").hidden = step < STEPS;
  find("original").hidden = false;
}

async function saveAndNext() {
  const { model, me } = state;
  await settle();
  if (isAnnotating()) {
    await post(`${pathOf()}/status`, { status: isOwn() && state.layer !== "adjudicated" ? "to be confirmed" : "done" });
  } else if ((me.second && model.status !== "to be confirmed") || !leads()) {
    await post(`${pathOf()}/status`, { status: "to be confirmed" });
  } else {
    tell("approving");
    const answer = await post(`${pathOf()}/approval`, {}, () => model.version);
    tell("approved", { name: answer.output });
  }
  await refreshQueue();
  const next = state.queue.find((row) => row.id !== model.id && !["done", "to be confirmed"].includes(row.status));
  if (next) await openDocument(next.id);
  else tell("allDone");
}

async function showDifference() {
  const id = state.model.id;
  if (state.layer !== "adjudicated") await openDocument(id, "adjudicated");
  const rows = await get(`/api/documents/${id}/difference`);
  const mark = (row, label) => edit({ do: "mark", spans: [[row.start, row.end]], type: label[0], identifier: label[1], scope: "occurrence" });
  const take = (row, layer) => run(async () => {
    const chosen = row ? [[row, row.labels[layer]]] : rows.filter((one) => one.same).map((one) => [one, Object.values(one.labels)[0]]);
    for (const [one, label] of chosen) await mark(one, label);
  });
  const reveal = (row) => { state.cursor = [state.model.offsets.toUnits(row.start), state.model.offsets.toUnits(row.end)]; drawCurrent(); };
  find("differences").hidden = false;
  lists.showDifferences(rows, state.model, take, reveal);
}

async function chooseLayer() {
  const row = state.queue.find((one) => one.id === state.model.id);
  const names = [...new Set([state.me.name, ...(row?.layers ?? [])])];
  const at = names.indexOf(state.layer);
  await openDocument(state.model.id, names[(at + 1) % names.length]);
  tell("layerShown", { layer: state.layer });
}

const ACTIONS = {
  next: () => go(state.cursor ? state.model.nextMark(state.cursor[1]) : state.model.current + 1),
  previous: () => go(state.cursor ? state.model.nextMark(state.cursor[0]) - 1 : state.model.current - 1),
  unsure: () => { const at = state.model.nextUnsure(); return at < 0 ? tell("noneUnsure") : go(at); },
  mask: () => (isAnnotating() ? flip("suppress", { do: "identifier", identifier: "QUASI" }) : flip("suppress", { do: "mask" })),
  unmask: () => (isAnnotating() ? flip("keep", { do: "identifier", identifier: "NONE" }) : flip("keep", { do: "unmask" })),
  accept: () => flip(null, { do: "accept" }),
  acceptAll,
  follow: () => flip(null, { do: "follow" }),
  level: cycleLevel,
  replacement: writeReplacement,
  reason: async () => { state.reason = (await ask(say("do_reason"), state.reason, say("save"))) ?? state.reason; },
  scope: () => cycle("scope", isAnnotating() ? SCOPES.slice(0, 2) : SCOPES, "scopeNow"),
  direct: () => flip(null, { do: "identifier", identifier: "DIRECT" }),
  quasi: () => flip(null, { do: "identifier", identifier: "QUASI" }),
  none: () => flip(null, { do: "identifier", identifier: "NONE" }),
  confidential: cycleConfidential,
  link,
  split: () => edit({ do: "split", mark: state.model.mark?.id }),
  unmark: () => (isAnnotating() ? flip(null, { do: "unmark" }) : flip("keep", { do: "unmask" })),
  wordRight: () => moveWord(true, false),
  wordLeft: () => moveWord(false, false),
  extend: () => moveWord(true, true),
  shrink: () => moveWord(false, true),
  find: findText,
  undo: () => write(() => post(`${pathOf()}/steps`, { kind: "undo" }, () => state.model.version)),
  redo: () => write(() => post(`${pathOf()}/steps`, { kind: "redo" }, () => state.model.version)),
  view: () => cycle("view", VIEWS, "viewNow"),
  order: () => cycle("order", ["unsure", "text"], "orderNow"),
  stepOn: () => moveStep(1),
  stepBack: () => moveStep(-1),
  draft: () => edit({ do: "draft" }),
  save: saveAndNext,
  progress: async () => lists.showProgress(await get("/api/progress")),
  help: () => lists.showHelp(() => ACTIONS.help()),
  difference: showDifference,
  agreement: async () => lists.showAgreement(await get("/api/agreement")),
  layer: chooseLayer,
};
TYPES.forEach((kind, at) => { ACTIONS[`type${at + 1}`] = () => setType(kind); });

async function run(work) {
  try {
    await work();
  } catch (error) {
    tell("failed", { why: error.message });
  }
}

function showTools() {
  const names = ["undo", "redo", "mask", "unmask", "accept", "view", "save", "progress", "help"];
  if (isAnnotating()) names.push("layer", ...(state.me.hidden_draft ? ["draft"] : []), ...(leads() ? ["difference", "agreement"] : []));
  const keys = readKeys();
  const buttons = names.map((name) => make("button", {
    text: say(`do_${name}`), "data-action": name, "aria-keyshortcuts": keys[name], title: keys[name] ?? null, click: () => run(ACTIONS[name]),
  }));
  find("tools").setAttribute("aria-label", say("tools"));
  find("tools").replaceChildren(...buttons);
}

function chooseLanguage(language) {
  const options = Object.entries(LANGUAGES).map(([code, name]) => make("option", { value: code, text: name }));
  find("language").replaceChildren(...options);
  find("language").value = language;
  find("language").addEventListener("change", (event) => {
    localStorage.setItem("maskwise.language", event.target.value);
    location.reload();
  });
}

function listenToMouse() {
  find("original").addEventListener("mouseup", () => {
    const span = readSpan();
    if (span) state.cursor = span;
    else {
      const at = state.model.findMark(panes.readCaret() ?? -1);
      state.cursor = null;
      if (at >= 0) state.model.current = at;
    }
    drawCurrent();
  });
}

// The selection as whole code points.
function readSpan() {
  const span = panes.readSelection();
  if (!span) return null;
  const { offsets } = state.model;
  return [offsets.toUnits(offsets.toPoints(span[0])), offsets.toUnits(offsets.toPoints(span[1]))];
}

async function start() {
  panes.preparePaint();
  chooseLanguage(await loadTexts());
  state.me = await get("/api/me");
  find("who").textContent = [state.me.name, say(state.me.role), state.me.policy].filter(Boolean).join(" · ");
  showTools();
  listen((action) => run(ACTIONS[action]));
  listenToMouse();
  await refreshQueue();
  const first = state.queue.find((row) => row.status !== "done") ?? state.queue[0];
  if (first) await openDocument(first.id);
  document.documentElement.dataset.ready = "true";
}

run(start);
