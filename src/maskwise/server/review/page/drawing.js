// Draws what the model says: marks over the text, the masked text, the current mention, and the figures.
import { updateActions } from "./actions.js";
import { find, make } from "./dom.js";
import * as lists from "./lists.js";
import * as panes from "./panes.js";
import { isAnnotating, state } from "./state.js";
import { number, say } from "./texts.js";

const RANKS = 2; // people of whom the head tells the rank; the last change tells all

export function drawAll() {
  const { model } = state;
  panes.paintMarks(model.listPainted());
  panes.paintSpans("shown", model.shown.map((one) => [one.start, one.end]));
  drawMasked();
  drawCurrent();
  drawFigures();
}

export function drawMasked() {
  if (!find("masked").hidden) panes.showMasked(state.model.listEdits());
}

export function drawCurrent() {
  const { model, cursor } = state;
  const { mark } = model;
  panes.paintOne("current", mark && !cursor ? [mark.start, mark.end] : null);
  panes.paintOne("cursor", cursor);
  if (cursor) panes.reveal(...cursor);
  else if (mark) panes.reveal(mark.start, mark.end);
  panes.paintTwin(mark && !cursor ? [mark.start, mark.end] : null);
  requestAnimationFrame(() => {
    lists.showDetail(model, state, go);
    updateActions(model);
    lists.showEntities(model, state.order, go);
    lists.speak(model);
  });
}

export function go(at) {
  if (at < 0 || at >= state.model.marks.length) return;
  state.model.current = at;
  state.cursor = null;
  drawCurrent();
}

// Go to a place that need not be marked.
export function goTo(start, end) {
  const at = state.model.findMark(start);
  if (at >= 0) return go(at);
  state.cursor = [start, end];
  return drawCurrent();
}

export function drawFigures() {
  const { model, risk } = state;
  const parts = [];
  if (model.kept !== undefined) parts.push(figure("keptShare", { share: share(model.kept) }));
  const persons = [...(risk?.persons ?? [])].sort((one, other) => one.after - other.after);
  for (const one of persons.slice(0, RANKS)) {
    const values = { person: one.label, after: number(one.after), before: number(one.before), people: number(risk.people) };
    parts.push(figure("rank", values));
  }
  if (persons.length > RANKS) parts.push(figure("more", { count: number(persons.length - RANKS) }));
  if (risk && !persons.length) parts.push(figure("nobody"));
  if (isAnnotating()) parts.push(figure("layerShown", { layer: state.layer }));
  parts.push(figure("undoCount", { undo: model.undo, redo: model.redo }));
  find("figures").replaceChildren(...parts);
  const version = String(model.version);
  if (find("figures").dataset.version !== version) find("figures").dataset.version = version;
  drawChange();
}

export const share = (value) => (100 * value).toFixed(1);
const figure = (key, values) => make("span", { class: "figure", text: say(key, values) });

// The card of the last change: information and ranks before and after, what changed elsewhere, and what can be read.
export function drawChange() {
  const { model, last } = state;
  const rows = [];
  if (last) {
    const row = (key, value) => rows.push(make("dt", { text: say(key) }), make("dd", {}, value));
    if (last.before !== undefined) row("informationKept", say("fromTo", { before: `${share(last.before)} %`, after: `${share(last.after)} %` }));
    for (const one of last.ranks) row("peopleRemain", say("fromToOf", one));
    if (last.others.length) row("changedElsewhere", make("ul", {}, ...last.others.map(drawOther)));
    else if (last.before !== undefined) row("changedElsewhere", say("nothing"));
    if (last.documents) row("otherDocumentsName", number(last.documents));
  }
  const warnings = model.shown.map((one) => (
    make("li", {}, make("button", { text: say(`shown_${one.kind}`, { text: model.text.slice(one.start, one.end) }), click: () => goTo(one.start, one.end) }))));
  const box = find("change");
  box.hidden = !rows.length && !warnings.length;
  const nodes = rows.length ? [make("h2", { text: say("lastChange") }), make("dl", {}, ...rows)] : [];
  const needed = model.listNeeded().length;
  if (warnings.length) {
    const title = needed ? say("shownNeeded", { count: needed }) : say("shownNoted", { count: warnings.length });
    nodes.push(make("h2", { class: needed ? "warning" : null, text: title }), make("ul", {}, ...warnings));
  }
  box.classList.toggle("alarm", needed > 0);
  box.replaceChildren(...nodes);
}

function drawOther(name) {
  const { model } = state;
  const text = `${model.nameEntity(name)}: ${lists.describeState(model.entities.get(name))}`;
  return make("li", {}, make("button", { text, click: () => go(model.of.get(name)?.[0] ?? -1) }));
}
