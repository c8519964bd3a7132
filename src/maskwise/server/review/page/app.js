// The page: which action does what, and how it starts.
import { get } from "./api.js";
import * as deciding from "./deciding.js";
import { find, make } from "./dom.js";
import { drawCurrent, go } from "./drawing.js";
import { listen, readKeys } from "./keys.js";
import * as lists from "./lists.js";
import { TYPES } from "./model.js";
import * as opening from "./opening.js";
import * as panes from "./panes.js";
import { isAnnotating, leads, run, state, tell } from "./state.js";
import { LANGUAGES, loadTexts, say } from "./texts.js";
import { edit, step } from "./writing.js";

const { flip } = deciding;
const ACTIONS = {
  next: () => go(state.cursor ? state.model.nextMark(state.cursor[1]) : state.model.current + 1),
  previous: () => go(state.cursor ? state.model.nextMark(state.cursor[0]) - 1 : state.model.current - 1),
  unsure: () => { const at = state.model.nextUnsure(); return at < 0 ? tell("noneUnsure") : go(at); },
  shown: deciding.nextShown,
  mask: deciding.mask,
  unmask: deciding.unmask,
  accept: () => flip(null, { do: "accept" }),
  acceptAll: deciding.acceptAll,
  follow: () => flip(null, { do: "follow" }),
  level: deciding.cycleLevel,
  replacement: deciding.writeReplacement,
  reason: deciding.writeReason,
  scope: deciding.cycleScope,
  direct: () => flip(null, { do: "identifier", identifier: "DIRECT" }),
  quasi: () => flip(null, { do: "identifier", identifier: "QUASI" }),
  none: () => flip(null, { do: "identifier", identifier: "NONE" }),
  confidential: deciding.cycleConfidential,
  link: deciding.link,
  split: () => edit({ do: "split", mark: state.model.mark?.id }),
  unmark: () => (isAnnotating() ? flip(null, { do: "unmark" }) : flip("keep", { do: "unmask" })),
  wordRight: () => deciding.moveWord(true, false),
  wordLeft: () => deciding.moveWord(false, false),
  extend: () => deciding.moveWord(true, true),
  shrink: () => deciding.moveWord(false, true),
  find: deciding.findText,
  undo: () => step("undo"),
  redo: () => step("redo"),
  view: deciding.cycleView,
  order: deciding.cycleOrder,
  stepOn: () => opening.moveStep(1),
  stepBack: () => opening.moveStep(-1),
  draft: () => edit({ do: "draft" }),
  save: opening.saveAndNext,
  progress: async () => lists.showProgress(await get("/api/progress")),
  help: () => lists.showHelp(() => ACTIONS.help()),
  difference: opening.showDifference,
  agreement: async () => lists.showAgreement(await get("/api/agreement")),
  layer: opening.chooseLayer,
  assign: opening.assignDocument,
};
TYPES.forEach((kind, at) => { ACTIONS[`type${at + 1}`] = () => deciding.setType(kind); });

const WITHOUT_DOCUMENT = ["help", "progress", "agreement"];

function act(name) {
  const canAct = state.model || WITHOUT_DOCUMENT.includes(name);
  return run(canAct ? ACTIONS[name] : () => tell("noDocument"));
}

function showTools() {
  const names = ["undo", "redo", "mask", "unmask", "accept", "unsure", "view", "save", "progress", "help"];
  if (state.me.role === "manager") names.push("assign");
  if (isAnnotating()) names.push("layer", ...(state.me.hidden_draft ? ["draft"] : []), ...(leads() ? ["difference", "agreement"] : []));
  const keys = readKeys();
  const buttons = names.map((name) => make("button", { "data-action": name, "aria-keyshortcuts": keys[name], click: () => act(name) },
    say(`do_${name}`), ...(keys[name] ? [" ", make("kbd", { "aria-hidden": "true", text: keys[name] })] : [])));
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
    if (!state.model) return;
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
  const asked = [loadTexts(), get("/api/me"), get("/api/documents")];
  const [language, me, queue] = await Promise.all(asked);
  Object.assign(state, { me, queue });
  chooseLanguage(language);
  document.body.dataset.mode = me.mode;
  find("who").textContent = [me.name, say(me.role), me.policy].filter(Boolean).join(" · ");
  showTools();
  listen(act);
  listenToMouse();
  const first = queue.find((row) => row.status !== "done") ?? queue[0];
  if (first) await opening.openDocument(first.id);
  else tell("noDocument");
  document.documentElement.dataset.ready = "true";
}

run(start);
