// Sends edits, and tells what each changed here and elsewhere; the crowd's answer comes later, as its own.
import { get, post, settle } from "./api.js";
import { find } from "./dom.js";
import { drawAll, drawChange, drawFigures, share } from "./drawing.js";
import * as lists from "./lists.js";
import { refreshQueue, showQueue } from "./opening.js";
import * as panes from "./panes.js";
import { isAnnotating, isOwn, pathOf, run, state, tell } from "./state.js";
import { number, say } from "./texts.js";

const QUIET = 300; // milliseconds after an edit before the crowd is asked
const REASONED = ["mask", "unmask", "level", "write", "mark", "show"]; // what takes the reason that was given
let riskTimer = 0;

export async function edit(body) {
  const { model } = state;
  if (!isOwn()) return tell("readOnly");
  if (state.reason && REASONED.includes(body.do)) {
    body.reason = state.reason;
    state.reason = "";
  }
  return write(() => post(`${pathOf()}/edits`, body, () => model.version));
}

export const step = (kind) => write(() => post(`${pathOf()}/steps`, { kind }, () => state.model.version));

async function write(call) {
  const { model } = state;
  clearTimeout(riskTimer);
  let answer = null;
  try {
    answer = await call();
  } catch (error) {
    if (error.status !== 412) {
      model.take(await get(pathOf()));
      drawAll();
      throw error;
    }
    return showConflict(error.now, model);
  }
  model.change(answer);
  if (state.model !== model) return undefined;
  tellChange(answer);
  drawAll();
  if (!isAnnotating()) measureSoon();
  return undefined;
}

function tellChange(answer) {
  const { model } = state;
  const others = (answer.elsewhere ?? []).filter((name) => model.of.has(name));
  state.last = answer.kept_before === undefined ? null : {
    before: answer.kept_before, after: answer.kept, others, documents: answer.documents ?? 0, ranks: [],
  };
  const parts = [say("saved")];
  if (state.last && answer.kept_before !== answer.kept) {
    parts.push(say("keptChange", { before: share(answer.kept_before), after: share(answer.kept) }));
  }
  const names = others.slice(0, 5).map((name) => `${model.nameEntity(name)}: ${lists.describeState(model.entities.get(name))}`);
  if (others.length) parts.push(say("elsewhere", { count: others.length, names: names.join(", ") }));
  if (answer.documents) parts.push(say("otherDocuments", { count: answer.documents }));
  const needed = model.listNeeded().length;
  if (needed) parts.push(say("shownNeeded", { count: needed }));
  panes.paintSpans("changed", others.flatMap((name) => model.listSpans(name)));
  beginWork(model.id);
  find("news").textContent = parts.join(" · ");
  find("news").classList.remove("alarm");
}

// The server has noted that the document is in work; the queue says so without asking.
function beginWork(id) {
  const row = state.queue.find((one) => one.id === id);
  if (!row || !["free", "done"].includes(row.status)) return;
  Object.assign(row, { status: "in work", by: state.me.name });
  state.model.status = "in work";
  showQueue();
}

// Somebody else was quicker: show their version and what differs from ours.
export function showConflict(now, model = state.model) {
  const brief = (one) => `${one.action} ${one.type} ${one.identifier} ${one.replacement}`;
  const before = new Map([...model.entities].map(([name, one]) => [name, brief(one)]));
  model.take(now);
  if (state.model !== model) return;
  const differing = [...model.entities.values()].filter((one) => before.get(one.id) !== brief(one));
  panes.paintSpans("changed", differing.flatMap((one) => model.listSpans(one.id)));
  tell("conflict", { count: differing.length, names: differing.slice(0, 5).map((one) => model.nameEntity(one.id)).join(", ") });
  drawAll();
  run(refreshQueue);
  if (!isAnnotating()) measureSoon();
}

export function measureSoon() {
  clearTimeout(riskTimer);
  riskTimer = setTimeout(() => run(measure), QUIET);
}

async function measure() {
  const { model } = state;
  await settle();
  const asked = model.version;
  const answer = await get(`${pathOf(model.id)}/risk`);
  if (state.model !== model || model.version !== asked) return undefined;
  if (answer.stale || answer.version !== asked) return measureSoon();
  if (answer.change) {
    model.change(answer.change);
    drawAll();
  }
  const old = state.risk;
  state.risk = answer.risk;
  tellRanks(old, answer.risk);
  drawFigures();
  find("figures").dataset.measured = String(asked); // whoever waits for the ranks looks here
  return undefined;
}

function tellRanks(old, now) {
  const ranks = (now?.persons ?? []).map((one, at) => (
    { person: one.label, before: number(old?.persons[at]?.after ?? one.after), after: number(one.after), people: number(now.people) }));
  if (state.last) state.last.ranks = ranks;
  const moved = ranks.filter((one) => one.before !== one.after);
  for (const one of moved) find("news").textContent += ` · ${say("leaves", one)}`;
  drawChange();
}
