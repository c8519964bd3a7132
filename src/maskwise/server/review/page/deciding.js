// What the keys decide about the current mention, or about words that were selected.
import { listScopes } from "./actions.js";
import { ask, find } from "./dom.js";
import { drawCurrent, drawMasked, go, goTo } from "./drawing.js";
import * as panes from "./panes.js";
import { isAnnotating, state, tell } from "./state.js";
import { say } from "./texts.js";
import { edit } from "./writing.js";

const VIEWS = ["side", "inPlace", "plain"];
const CONFIDENTIAL = ["NOT_CONFIDENTIAL", "BELIEF", "POLITICS", "SEX", "ETHNIC", "HEALTH"];

export function flip(action, body) {
  const { model } = state;
  if (!model.mark) return undefined;
  const { entity, mark } = model;
  const before = entity.action;
  if (state.scope !== "occurrence" && action) {
    entity.action = action; // the page follows at once, the server's plan a moment later
    panes.paintMarks(model.listPainted(model.of.get(entity.id)), true);
  }
  const kept = action && action === before && entity.because ? { reason: entity.because } : {};
  return edit({ ...kept, ...body, entity: entity.id, mark: mark.id, scope: state.scope });
}

// The words that were selected, as the server counts; nothing where a mention is current.
function takeSelection() {
  const span = state.cursor;
  if (!span) return null;
  const { offsets } = state.model;
  state.cursor = null;
  return { units: span, spans: [[offsets.toPoints(span[0]), offsets.toPoints(span[1])]] };
}

export async function setType(kind) {
  const taken = takeSelection();
  if (!taken) return flip(null, { do: "type", type: kind });
  await edit({ do: "mark", spans: taken.spans, type: kind, identifier: "QUASI", scope: state.scope });
  return go(state.model.findMark(taken.units[0]));
}

export async function unmask() {
  if (isAnnotating()) return flip("keep", { do: "identifier", identifier: "NONE" });
  const at = state.cursor ? state.model.findOverlapping(...state.cursor) : -1;
  if (at >= 0) go(at);
  const taken = takeSelection();
  if (!taken) return flip("keep", { do: "unmask" });
  await edit({ do: "show", spans: taken.spans });
  return go(state.model.findMark(taken.units[0]));
}

export function mask() {
  if (isAnnotating()) return flip("suppress", { do: "identifier", identifier: "QUASI" });
  return state.cursor ? setType("MISC") : flip("suppress", { do: "mask" });
}

// The next place at which something can be read that is masked elsewhere.
export function nextShown() {
  const { model, cursor } = state;
  if (!model.shown.length) return tell("noneShown");
  const from = cursor?.[0] ?? model.mark?.start ?? -1;
  const next = model.shown.find((one) => one.start > from) ?? model.shown[0];
  return goTo(next.start, next.end);
}

export function moveWord(forward, extends_) {
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

export async function findText() {
  const sought = await ask(say("do_find"), state.found, say("find"));
  if (!sought) return;
  state.found = sought;
  const from = state.cursor?.[1] ?? 0;
  let at = state.model.text.indexOf(sought, from);
  if (at < 0) at = state.model.text.indexOf(sought);
  if (at < 0) {
    tell("notFound");
    return;
  }
  state.cursor = [at, at + sought.length];
  drawCurrent();
}

export function link() {
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

export function cycleLevel() {
  const { entity } = state.model;
  if (!entity?.levels.length) return tell("noLevels");
  const now = entity.action === "generalise" ? entity.level : 0;
  return flip("generalise", { do: "level", level: (now % entity.levels.length) + 1 });
}

export function cycleConfidential() {
  const { mark, entity } = state.model;
  if (!mark) return undefined;
  const at = CONFIDENTIAL.indexOf(mark.confidential ?? entity.confidential ?? CONFIDENTIAL[0]);
  return flip(null, { do: "confidential", confidential: CONFIDENTIAL[(Math.max(0, at) + 1) % CONFIDENTIAL.length] });
}

export async function writeReplacement() {
  const { entity } = state.model;
  if (!entity) return;
  const text = await ask(say("do_replacement"), entity.written ?? "", say("save"), say("replacementHint"));
  if (text) await flip("suppress", { do: "write", text });
}

// The reason of the decision that was taken about the current mention, or else of the next decision.
export async function writeReason() {
  const { entity } = state.model;
  const isDecided = Boolean(entity?.by) && !state.cursor;
  const given = await ask(say("do_reason"), (isDecided && entity.because) || state.given, say("save"), say(isDecided ? "reasonOfThis" : "reasonOfNext"));
  if (given === null) return;
  state.given = given;
  state.reason = given;
  if (isDecided) await repeatDecision(entity);
  drawCurrent();
}

function repeatDecision(entity) {
  if (entity.written) return flip("suppress", { do: "write", text: entity.written });
  if (entity.action === "generalise") return flip("generalise", { do: "level", level: entity.level });
  return flip(entity.action, { do: entity.action === "keep" ? "unmask" : "mask" });
}

function cycle(name, values, label) {
  state[name] = values[(values.indexOf(state[name]) + 1) % values.length];
  tell(label, { value: say(state[name]) });
}

export function cycleScope() {
  cycle("scope", [...listScopes()].reverse(), "scopeNow"); // one place is a key away
  drawCurrent();
}

export function chooseScope(scope) {
  state.scope = scope;
  drawCurrent();
}

export function cycleView() {
  cycle("view", VIEWS, "viewNow");
  find("original").hidden = state.view === "inPlace";
  find("masked").hidden = state.view === "plain";
  drawMasked();
  drawCurrent();
}

export function cycleOrder() {
  cycle("order", ["unsure", "text"], "orderNow");
  drawCurrent();
}
