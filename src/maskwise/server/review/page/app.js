// The page: which action does what, and how it starts.
import { showActions, showLegend, showTools } from "./actions.js";
import { get } from "./api.js";
import * as deciding from "./deciding.js";
import * as dialogs from "./dialogs.js";
import { find, make } from "./dom.js";
import { drawCurrent, go } from "./drawing.js";
import { listen } from "./keys.js";
import { TYPES } from "./model.js";
import * as opening from "./opening.js";
import * as panes from "./panes.js";
import { isAnnotating, run, state, tell } from "./state.js";
import { LANGUAGES, loadTexts, say } from "./texts.js";
import { edit, step } from "./writing.js";

const { flip } = deciding;
const ACTIONS = {
  next: () => go(state.cursor ? state.model.nextMark(state.cursor[1]) : state.model.findBeside(1)),
  previous: () => go(state.cursor ? state.model.nextMark(state.cursor[0]) - 1 : state.model.findBeside(-1)),
  unsure: () => { const at = state.model.nextUnsure(); return at < 0 ? tell("noneUnsure") : go(at); },
  shown: deciding.nextShown,
  mask: deciding.mask,
  unmask: deciding.unmask,
  accept: () => flip(null, { do: "accept" }),
  acceptAll: () => edit({ do: "acceptAll" }),
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
  progress: async () => dialogs.showProgress(await get("/api/progress")),
  help: () => dialogs.showHelp(showButtons),
  difference: opening.showDifference,
  agreement: async () => dialogs.showAgreement(await get("/api/agreement")),
  layer: opening.chooseLayer,
  assign: opening.assignDocument,
  release: opening.releaseDocument,
  export: opening.exportCorpus,
};
TYPES.forEach((kind, at) => { ACTIONS[`type${at + 1}`] = () => deciding.setType(kind); });

const WITHOUT_DOCUMENT = ["help", "progress", "agreement", "export"];

function act(name) {
  const canAct = state.model || WITHOUT_DOCUMENT.includes(name);
  return run(canAct ? ACTIONS[name] : () => tell("noDocument"));
}

function showButtons() {
  showTools(act);
  showActions(act, deciding.chooseScope);
  showLegend();
  if (state.model) drawCurrent();
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
    else goToMark(panes.readCaret() ?? -1);
    drawCurrent();
  });
  find("masked").addEventListener("click", () => {
    if (!state.model) return;
    goToMark(panes.readCopyCaret() ?? -1);
    drawCurrent();
  });
  panes.scrollTogether();
}

function goToMark(unit) {
  const at = state.model.findMark(unit);
  state.cursor = null;
  if (at >= 0) state.model.current = at;
}

// The selection as whole code points, without the spaces and line ends around it.
function readSpan() {
  const span = panes.readSelection();
  if (!span) return null;
  const { offsets, text } = state.model;
  const found = text.slice(...span);
  span[0] += found.length - found.trimStart().length;
  span[1] -= found.length - found.trimEnd().length;
  if (span[0] >= span[1]) return null;
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
  showButtons();
  listen(act);
  listenToMouse();
  const first = queue.find(opening.isWaiting) ?? queue[0];
  if (first) await opening.openDocument(first.id);
  else tell("noDocument");
  document.documentElement.dataset.ready = "true";
}

run(start);
