// Opens documents, leads from one to the next, and from step to step of an annotation.
import { get, post, settle } from "./api.js";
import { ask, find, make } from "./dom.js";
import { drawAll, drawCurrent, drawMasked, goTo } from "./drawing.js";
import * as lists from "./lists.js";
import { Model } from "./model.js";
import * as panes from "./panes.js";
import { isAnnotating, isOwn, leads, pathOf, run, state, tell } from "./state.js";
import { say } from "./texts.js";
import { edit, measureSoon, showConflict } from "./writing.js";

const STEPS = 6;

export async function openDocument(id, layer = state.me.name) {
  await settle();
  state.layer = layer;
  const raw = await get(pathOf(id));
  state.model = new Model(raw);
  Object.assign(state, { cursor: null, first: null, risk: null, last: null, reason: "", scope: "document" });
  const { model } = state;
  find("title").textContent = model.name;
  find("masked").hidden = isAnnotating() || state.view === "plain";
  panes.showText(model.text);
  showPictures();
  if (model.marks.length) model.current = isAnnotating() ? 0 : Math.max(0, model.nextUnsure());
  if (isAnnotating()) showStep(model.step ?? 1);
  find("differences").hidden = true;
  drawAll();
  requestAnimationFrame(() => requestAnimationFrame(drawCurrent)); // when the heights of the paragraphs are known
  showQueue();
  if (!isAnnotating()) measureSoon();
}

export async function refreshQueue() {
  state.queue = await get("/api/documents");
  const row = state.queue.find((one) => one.id === state.model?.id);
  if (row && (!isAnnotating() || state.layer === state.me.name)) state.model.status = row.status;
  showQueue();
}

export function showQueue() {
  lists.showQueue(state.queue, state.model?.id, (id) => run(() => openDocument(id)));
}

function showPictures() {
  const box = find("pictures");
  box.hidden = !state.model.pages;
  const pages = Array.from({ length: state.model.pages ?? 0 }, (_, at) => (
    make("img", { src: `/api/documents/${state.model.id}/pages/${at}`, alt: say("page", { at: at + 1 }), loading: "lazy" })));
  box.replaceChildren(...pages);
}

export async function moveStep(by) {
  if (!isAnnotating() || !isOwn()) return;
  const step = Math.min(STEPS, Math.max(1, (state.model.step ?? 1) + by));
  await post(`${pathOf()}/status`, { step });
  showStep(step);
  drawMasked();
  drawCurrent();
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

export async function saveAndNext() {
  const { model } = state;
  await settle();
  const needed = model.listNeeded();
  if (needed.length && !isAnnotating()) {
    goTo(needed[0].start, needed[0].end);
    return tell("shownFirst", { count: needed.length });
  }
  await refreshQueue(); // somebody may have given it back meanwhile
  try {
    await save(model);
  } catch (error) {
    if (error.status !== 412) throw error;
    return showConflict(error.now);
  }
  await refreshQueue();
  const next = state.queue.find((row) => row.id !== model.id && isWaiting(row));
  if (next) return openDocument(next.id);
  return tell("allDone");
}

// Whether a document waits for this person: what others sent waits for whoever may confirm it.
export function isWaiting(row) {
  if (row.status === "to be confirmed") return leads() && row.sender !== state.me.name;
  return row.status !== "done";
}

async function save(model) {
  const { me } = state;
  if (isAnnotating()) {
    await post(`${pathOf()}/status`, { status: isOwn() && state.layer !== "adjudicated" ? "to be confirmed" : "done" });
  } else if ((me.second && model.status !== "to be confirmed") || !leads()) {
    await post(`${pathOf()}/status`, { status: "to be confirmed" });
  } else {
    tell("approving");
    const answer = await post(`${pathOf()}/approval`, {}, () => model.version);
    tell("approved", { name: answer.output });
  }
}

export async function showDifference() {
  const id = state.model.id;
  if (state.layer !== "adjudicated") await openDocument(id, "adjudicated");
  const rows = await get(`/api/documents/${id}/difference`);
  const take = (row, layer) => run(() => {
    const chosen = row ? [[row, layer]] : rows.filter((one) => one.same).map((one) => [one, Object.keys(one.labels)[0]]);
    return chosen.length ? edit({ do: "take", rows: chosen.map(([one, name]) => [one.start, one.end, name]) }) : undefined;
  });
  const takeAndShow = (row, layer) => {
    take(row, layer).then(() => lists.showDifferences(rows, state.model, takeAndShow, reveal));
  };
  const reveal = (row) => {
    const { offsets } = state.model;
    state.cursor = [offsets.toUnits(row.start), offsets.toUnits(row.end)];
    drawCurrent();
  };
  find("differences").hidden = false;
  lists.showDifferences(rows, state.model, takeAndShow, reveal);
}

export async function chooseLayer() {
  const row = state.queue.find((one) => one.id === state.model.id);
  const names = [...new Set([state.me.name, ...(row?.layers ?? [])])];
  const at = names.indexOf(state.layer);
  await openDocument(state.model.id, names[(at + 1) % names.length]);
  tell("layerShown", { layer: state.layer });
}

// A manager says who has the document. Annotators whom nobody names do not see it any more.
export async function assignDocument() {
  const { id } = state.model;
  const row = state.queue.find((one) => one.id === id);
  const given = await ask(say("do_assign"), (row?.assigned ?? []).join(", "), say("save"), say("assignTo"));
  if (given === null) return;
  const names = given.split(",").map((name) => name.trim()).filter(Boolean);
  const { assigned } = await post(`/api/documents/${id}/assignment`, { names });
  await refreshQueue();
  tell("assignedTo", { names: assigned.join(", ") || say("everybody") });
}

// Give a document back: one that waits for a second reader to whoever works on it, any other to everybody.
export async function releaseDocument() {
  const { model } = state;
  await settle();
  if (model.status === "done") return tell("released", { status: say("done") });
  const status = model.status === "to be confirmed" ? "in work" : "free";
  const told = await post(`${pathOf()}/status`, { status });
  model.status = told.status;
  await refreshQueue();
  return tell("released", { status: say(told.status) });
}

export function exportCorpus() {
  if (!leads()) return tell("failed", { why: say("forLeading") });
  make("a", { href: "/api/export", download: "corpus.json" }).click();
  return undefined;
}
